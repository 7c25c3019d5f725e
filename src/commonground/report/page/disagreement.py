"""The chapter of a trial without a gold standard: what is said, and the tables."""

from __future__ import annotations

from commonground.report.page.sections import Chapter, Section, TableBlock, Text
from commonground.trials.decision import Decision
from commonground.trials.disagreement import Disagreement

__all__ = ["chapter"]


def chapter(result: Disagreement | Decision, metric: str = "") -> Chapter:
    """Return what is to be seen about the result."""
    del metric
    said = tuple(map(Text, result.sentences()))
    return Chapter(
        "Trial without a gold standard",
        (Section("What can be said", (*said, *map(TableBlock, result.grids()))),),
        facts={"Stretches of text": f"{result.units:,}"},
        signature=result.signature,
        command=result.origin.command,
    )

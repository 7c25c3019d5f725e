"""The chapter about agreement: scores, α, and where analyses differ."""

from __future__ import annotations

from commonground.evaluation.agreement import Agreement
from commonground.report.page.sections import Chapter, Section, TableBlock

__all__ = ["chapter"]


def chapter(found: Agreement, metric: str = "") -> Chapter:
    """Return what is to be seen about a result of ``agreement``."""
    del metric
    grids = found.grids()
    more = len(found.differences) + len(found.confusions)
    first = grids[: len(grids) - more]
    sections = [Section("How far they agree", tuple(map(TableBlock, first)))]
    if more:
        sections.append(Section("Where they differ", tuple(map(TableBlock, grids[len(first) :]))))
    return Chapter(
        f"Agreement of {', '.join(found.names)}",
        tuple(sections),
        facts={"Analyses": ", ".join(found.names)},
        signature=found.signature,
        command=found.origin.command,
    )

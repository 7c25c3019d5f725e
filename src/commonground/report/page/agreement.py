"""The chapter about agreement: scores, α, and where analyses differ."""

from __future__ import annotations

from commonground.evaluation.agreement import Agreement
from commonground.report.page.sections import Chapter, Section, TableBlock

__all__ = ["chapter"]


def chapter(agreement: Agreement, metric: str = "") -> Chapter:
    """Return what is to be seen about a result of ``agreement``."""
    del metric
    grids = agreement.grids()
    more = len(agreement.differences) + len(agreement.confusions)
    first = grids[: len(grids) - more]
    sections = [Section("How far they agree", tuple(map(TableBlock, first)))]
    if more:
        sections.append(Section("Where they differ", tuple(map(TableBlock, grids[len(first) :]))))
    return Chapter(
        f"Agreement of {', '.join(agreement.names)}",
        tuple(sections),
        facts={"Analyses": ", ".join(agreement.names)},
        signature=agreement.signature,
        command=agreement.origin.command,
    )

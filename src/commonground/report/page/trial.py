"""The chapter of a trial: who is better, what each system loses to what, time and memory."""

from __future__ import annotations

from commonground.report.page.sections import Block, Chapter, Section, TableBlock, Text
from commonground.statistics.verdict import verdict_on
from commonground.trials.trial import Trial

__all__ = ["chapter"]


def chapter(result: Trial, metric: str = "") -> Chapter:
    """Return what is to be seen about a trial."""
    tables = result.grids()
    said = verdict_on(result, result.claims, metric=metric)
    words: list[Block] = [Text(said.sentence)] if said else []
    words += [Text(line) for line in result.explanation()]
    return Chapter(
        f"Trial of {', '.join(each.name for each in result.tried)}",
        (
            Section("Who is better", (*words, *map(TableBlock, tables[:1]))),
            Section("Why", tuple(map(TableBlock, tables[1:]))),
        ),
        facts={each.name: each.description for each in result.tried},
        signature=result.signature,
        command=result.origin.command,
    )

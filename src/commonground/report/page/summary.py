"""The scores of all systems at a glance: intervals, tests of pairs, groups that do not differ."""

from __future__ import annotations

from dataclasses import replace

from commonground.evaluation.scores import Evaluation
from commonground.grid import Note
from commonground.report.page.figures import difference_figure
from commonground.report.page.sections import Section, TableBlock, Text
from commonground.report.views.evaluation import first_grid
from commonground.report.views.leaderboard import ranked_claims
from commonground.statistics.claims import Claims
from commonground.statistics.verdict import verdict_on

__all__ = ["averaged", "summary"]


def summary(evaluation: Evaluation, claims: Claims | None, main: str) -> Section:
    """Return the table of all scores, with what was found about the differences between systems."""
    ranked = ranked_claims(evaluation, claims, main)
    scores = first_grid(evaluation, claims, main)
    macro = claims is not None and (claims.asked.resample == "files" or claims.asked.within)
    notes = (*map(Note, () if macro else averaged(evaluation, main)), *scores.notes)
    named = replace(scores, title="Scores (shares in per cent)", notes=notes)
    first, *others = (
        TableBlock(replace(grid, signature=""))
        for grid in (named, *(ranked.grids(verdict=False) if ranked else ()))
    )
    verdict = verdict_on(evaluation, claims, metric=main)
    lead = [Text(verdict.sentence)] if verdict else []
    return Section("Summary", (*lead, first, *difference_figure(claims, main), *others))


def averaged(evaluation: Evaluation, main: str) -> list[str]:
    """Say where scores are micro averages, with the macro averages that evaluate shows instead."""
    metric = evaluation.systems[0][main].metric
    averages = [
        f"{system.name} {metric.scale * value:.2f}"
        for system in evaluation.systems
        if evaluation.pairs and (value := evaluation.macro(system.name, main)) is not None
    ]
    if not averages:
        return []
    what = "The scores are micro averages, over the sentences of all files together"
    return [
        f"{what}; the macro averages by {metric.title}, over files, are: {', '.join(averages)}."
    ]

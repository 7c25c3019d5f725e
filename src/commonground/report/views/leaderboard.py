"""A leaderboard: a row per system, the best first, and what could not be scored below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from commonground.errors import UsageError
from commonground.evaluation.main_metric import likeliest
from commonground.evaluation.scores import Evaluation
from commonground.grid import Cell, Column, Grid, Note
from commonground.metrics.metric import Metric
from commonground.metrics.names import resolved
from commonground.plurals import number_of
from commonground.report.views.claims import claimed_scores
from commonground.statistics.ranking import in_order, rank_text, ranks

if TYPE_CHECKING:
    from commonground.statistics.claims import Claims

__all__ = ["broken_grids", "leaderboard_grid", "ranked_claims", "ranking_metric"]

Values = dict[str, dict[str, float | None]]
"""The score of each system by each metric."""


def ranking_metric(evaluation: Evaluation, wanted: str = "") -> Metric:
    """Return the metric that systems are ranked by: the wanted one, or the likeliest."""
    scores = evaluation.systems[0].scores
    if not wanted:
        return scores[likeliest(list(scores))].metric
    name = resolved(wanted, {each: score.metric for each, score in scores.items()})
    if name is None:
        raise UsageError(f"nothing can be ranked by {wanted}; there are {', '.join(scores)}")
    return scores[name].metric


def ranked_claims(
    evaluation: Evaluation, claims: Claims | None, rank_by: str = ""
) -> Claims | None:
    """Return the claims about systems in the order of the board."""
    if claims is None or len(evaluation.systems) == 1:
        return claims
    main = ranking_metric(evaluation, rank_by)
    values = _values(evaluation, macro=_is_macro(evaluation, claims))
    order = in_order({name: row[main.name] for name, row in values.items()}, main)
    return replace(claims, systems=tuple(order))


def _is_macro(evaluation: Evaluation, claims: Claims | None) -> bool:
    if not evaluation.pairs:
        return False
    return claims is None or claims.asked.resample == "files" or bool(claims.asked.within)


def leaderboard_grid(
    evaluation: Evaluation, claims: Claims | None, rank_by: str = "", notes: Sequence[str] = ()
) -> Grid:
    """Return a row per system, ranked; shares in per cent, the best of each metric in bold.

    Over several files the scores are macro averages, unless `claims` are about all sentences.
    """
    main = ranking_metric(evaluation, rank_by)
    values = _values(evaluation, macro=_is_macro(evaluation, claims))
    column = {name: row[main.name] for name, row in values.items()}
    order = in_order(column, main)
    placed = ranks(column, main, claims)
    metrics = [score.metric for score in evaluation.systems[0].scores.values()]
    best = {metric.name: _best(metric, values) for metric in metrics}
    rows: list[list[Cell | str]] = [
        [
            name,
            *(
                Cell(value, bold=value is not None and value == best[metric.name])
                for metric in metrics
                for value in [metric.shown(values[name][metric.name])]
            ),
        ]
        for name in order
    ]
    columns = [Column("parse"), *(Column(metric.title, "right", 2) for metric in metrics)]
    below = [*notes, *_how(evaluation, main, claims)]
    plain = Grid.of("", columns, rows, below, evaluation.signature)
    grid = claimed_scores(plain, ranked_claims(evaluation, claims, rank_by))
    cells = [
        (Cell(rank_text(placed.get(name))), *row)
        for name, row in zip(order, grid.rows, strict=True)
    ]
    return Grid.of("", [Column("rank"), *grid.columns], cells, grid.notes, grid.signature)


def _values(evaluation: Evaluation, *, macro: bool) -> Values:
    return {
        system.name: {
            name: evaluation.macro(system.name, name) if macro else score.value
            for name, score in system.scores.items()
        }
        for system in evaluation.systems
    }


def _best(metric: Metric, values: Values) -> float | None:
    known = [value for row in values.values() if (value := row[metric.name]) is not None]
    return metric.shown((max if metric.higher_is_better else min)(known, default=None))


def _how(evaluation: Evaluation, main: Metric, claims: Claims | None) -> Iterator[str | Note]:
    """Say what the ranks are by, and what the scores of several files are."""
    if evaluation.pairs:
        kind = (
            "macro averages" if _is_macro(evaluation, claims) else "micro averages of all sentences"
        )
        yield f"Scores are {kind} over {number_of(len(evaluation.pairs), 'file')}."
    if len(evaluation.systems) > 1:
        tested = claims is not None and any(name == main.name for name, _ in claims.pairs)
        shared = "; systems that do not differ significantly share ranks" if tested else ""
        yield f"Ranked by {main.title}{shared}."


def broken_grids(evaluation: Evaluation) -> Iterator[Grid]:
    """Return the table of what could not be scored, if there is any."""
    if not evaluation.broken:
        return
    several = any(each.file for each in evaluation.broken)
    there = {system.name for system in evaluation.systems}
    counted = all(each.system in there for each in evaluation.broken)
    note = "Everything in them counts as wrong." if counted else "These systems were left out."
    columns = ["system", *(["file"] if several else []), "what is wrong"]
    rows = [
        [each.system, *([each.file] if several else []), each.reason] for each in evaluation.broken
    ]
    yield Grid.of("Broken submissions", columns, rows, [note])

"""A leaderboard: a row per system, the best first, and what could not be scored below it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from commonground.errors import UsageError
from commonground.evaluation.main_metric import likeliest
from commonground.evaluation.reasons import KINDS, Reason, in_short
from commonground.evaluation.scores import Evaluation
from commonground.grid import Cell, Column, Grid, Note
from commonground.metrics.metric import Metric
from commonground.metrics.names import resolved
from commonground.plurals import number_of
from commonground.report.views.claims import claimed_scores
from commonground.statistics.ranking import in_order, rank_text, ranks

if TYPE_CHECKING:
    from commonground.statistics.claims import Claims

__all__ = [
    "broken_grids",
    "leaderboard_grid",
    "order_of",
    "ranked_claims",
    "ranking_metric",
    "reason_grid",
    "with_marks",
    "with_reasons",
]

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
    return replace(claims, systems=tuple(order_of(evaluation, claims, rank_by)))


def _is_macro(evaluation: Evaluation, claims: Claims | None) -> bool:
    if not evaluation.pairs:
        return False
    return claims is None or claims.asked.resample == "files" or bool(claims.asked.within)


def leaderboard_grid(
    evaluation: Evaluation,
    claims: Claims | None,
    rank_by: str = "",
    notes: Sequence[str] = (),
    *,
    baselines: Collection[str] = (),
) -> Grid:
    """Return a row per system, ranked; shares in per cent, the best of each metric in bold.

    Over several files the scores are macro averages, unless `claims` are about all sentences.
    The `baselines` stand where their scores put them, without a rank.
    """
    main = ranking_metric(evaluation, rank_by)
    values = _values(evaluation, macro=_is_macro(evaluation, claims))
    column = {name: row[main.name] for name, row in values.items()}
    order = in_order(column, main)
    ranked = {name: value for name, value in column.items() if name not in baselines}
    placed = ranks(ranked, main, claims)
    metrics = [score.metric for score in evaluation.systems[0].scores.values()]
    best = {metric.name: _best(metric, values) for metric in metrics}
    rows: list[list[Cell | str]] = [
        [
            f"{name} (baseline)" if name in baselines else name,
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


def with_reasons(grid: Grid, names: Sequence[str], found: Sequence[Reason], of: int = 1) -> Grid:
    """Return a board that says beside each system what happened to it, if anything did to any.

    `names` are those of its rows, and `of` is the number of treebanks.
    """
    said = [in_short([each for each in found if each.system == name], of) for name in names]
    if not any(said):
        return grid
    place = 1 + next(at for at, column in enumerate(grid.columns) if column.title == "parse")
    told = Column("what happened")
    columns = (*grid.columns[:place], told, *grid.columns[place:])
    rows = tuple(
        (*row[:place], Cell(text), *row[place:]) for row, text in zip(grid.rows, said, strict=True)
    )
    return replace(grid, columns=columns, rows=rows)


def reason_grid(found: Sequence[Reason]) -> Grid:
    """Return what happened to submissions, a row for each system, treebank and reason."""
    several = any(each.treebank for each in found)
    columns = [
        Column("system"),
        *([Column("treebank")] if several else []),
        Column("reason"),
        Column("sentences", "right"),
        Column("of", "right"),
        Column("which"),
    ]
    rows = [
        [
            each.system,
            *([each.treebank] if several else []),
            each.kind,
            each.sentences or None,
            each.of or None,
            each.which,
        ]
        for each in found
    ]
    kinds = dict.fromkeys(each.kind for each in found)
    notes = [f"{kind}: {text}" for kind, text in KINDS.items() if kind in kinds]
    return Grid.of("What happened to submissions", columns, rows, notes)


_MARKS = "†‡§¶‖"


def with_marks(grid: Grid, found: Sequence[Reason]) -> Grid:
    """Return a table of treebanks (rows) and systems (columns) whose cells show the reasons."""
    kinds = [kind for kind in KINDS if any(each.kind == kind for each in found)]
    mark = {kind: _MARKS[place % len(_MARKS)] for place, kind in enumerate(kinds)}
    marks: dict[tuple[str, str], str] = {}
    for each in found:
        key = (each.treebank, each.system)
        marks[key] = marks.get(key, "") + mark[each.kind]
    rows = tuple(
        tuple(
            replace(cell, mark=marks.get((str(row[0].value), column.title), ""))
            for cell, column in zip(row, grid.columns, strict=True)
        )
        for row in grid.rows
    )
    used = "".join(cell.mark for row in rows for cell in row)
    notes = tuple(Note(KINDS[kind], mark[kind]) for kind in kinds if mark[kind] in used)
    return replace(grid, rows=rows, notes=(*grid.notes, *notes))


def order_of(evaluation: Evaluation, claims: Claims | None, rank_by: str = "") -> list[str]:
    """Return the systems in the order of the board."""
    main = ranking_metric(evaluation, rank_by)
    values = _values(evaluation, macro=_is_macro(evaluation, claims))
    return in_order({name: row[main.name] for name, row in values.items()}, main)


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

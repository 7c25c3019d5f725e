"""The page of one system of a board: how it did, what happened to it, and its errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import msgspec

from commonground.dispatch import perform
from commonground.errors import CommonGroundError
from commonground.evaluation.scores import Evaluation
from commonground.grid import Cell, Column, Grid
from commonground.metrics.metric import Metric
from commonground.report.page.leaderboard import Board
from commonground.report.page.sections import Chapter, Section, TableBlock, Text
from commonground.report.views.leaderboard import reason_grid
from commonground.statistics.ranking import rank_text, ranks

__all__ = ["team_chapters"]


def team_chapters(board: Board, name: str) -> tuple[Chapter, ...]:
    """Return the chapters about a system: its place on the board, then each of its results."""
    return (_place(board, name), *_results(board.results, name))


def _place(board: Board, name: str) -> Chapter:
    found = tuple(each for each in board.reasons if each.system == name)
    sections = [
        Section("Scores", (Text(_standing(board, name)), TableBlock(_scores(board, name)))),
    ]
    if found:
        sections.append(Section("What happened", (TableBlock(reason_grid(found)),)))
    return Chapter(name, tuple(sections), signature=board.evaluation.signature)


def _standing(board: Board, name: str) -> str:
    """Say which rank a system has, and which systems differ from it significantly."""
    metric = _metric(board)
    values = {
        each: board.evaluation.macro(each, metric.name)
        if board.evaluation.pairs
        else board.evaluation.system(each)[metric.name].value
        for each in board.order
        if each not in board.baselines
    }
    if name in board.baselines:
        said = f"{name} is a baseline and has no rank."
    else:
        rank = rank_text(ranks(values, metric, board.claims).get(name))
        said = f"{name} has rank {rank} of {len(values)} by {metric.title}."
    if board.claims is None or not board.claims.pairs:
        return said
    worse = board.claims.worse_than(name, metric.name)
    better = [each for each in board.order if name in board.claims.worse_than(each, metric.name)]
    return f"{said} Significantly better: {_listed(better)}. Significantly worse: {_listed(worse)}."


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _metric(board: Board) -> Metric:
    return board.evaluation.systems[0][board.main].metric


def _scores(board: Board, name: str) -> Grid:
    """Return the scores of a system on each treebank, with the best of the others beside them."""
    evaluation, main = board.evaluation, _metric(board)
    parts = evaluation.pairs or {"": evaluation}
    metrics = [score.metric for score in evaluation.systems[0].scores.values()]
    rows: list[list[Cell | str]] = []
    for treebank, pair in parts.items():
        own = pair.system(name)
        best = _best_other(pair, name, main)
        gap = None if best is None else _gap(own[main.name].value, best[1], main)
        rows.append(
            [
                treebank or "all sentences",
                *(Cell(metric.shown(own[metric.name].value)) for metric in metrics),
                best[0] if best else "–",
                Cell(gap),
            ]
        )
    columns = [
        Column("treebank"),
        *(Column(metric.title, "right", 2) for metric in metrics),
        Column(f"best other by {main.title}"),
        Column("difference", "right", 2),
    ]
    return Grid.of("Scores (shares in per cent)", columns, rows)


def _best_other(pair: Evaluation, name: str, metric: Metric) -> tuple[str, float] | None:
    others = [
        (system.name, value)
        for system in pair.systems
        if system.name != name and (value := system[metric.name].value) is not None
    ]
    return max(others, key=lambda each: metric.sign * each[1]) if others else None


def _gap(own: float | None, best: float, metric: Metric) -> float | None:
    return None if own is None else metric.scale * (own - best)


# ── its results ──────────────────────────────────────────────────────────────────────────────────


def _results(results: Sequence[Evaluation], name: str) -> Iterator[Chapter]:
    """Return a chapter for each result in which the system is, of this system alone."""
    for result in results:
        if any(system.name == name for system in result.systems):
            try:
                yield perform("chapter", _alone(result, name))
            except CommonGroundError as error:  # the board has its scores all the same
                title = f"{name} on {result.request.gold or result.origin.path}"
                notice = Text(f"Its errors cannot be shown: {error}", notice=True)
                yield Chapter(title, (Section("Errors", (notice,)),))


def _alone(result: Evaluation, name: str) -> Evaluation:
    """Return what a result says about one of its systems, as if it were the only one."""
    request = result.request
    parses = request.parses or {}
    others = tuple(path for each, path in parses.items() if each != name)
    own = parses.get(name, "")
    inputs = {
        path: digest
        for path, digest in request.inputs.items()
        if path == request.gold or path.startswith(own) or not path.startswith(others or ("\0",))
    }
    only = msgspec.structs.replace(
        request, parses={name: own} if own else request.parses, inputs=inputs
    )
    return replace(
        result,
        systems=(result.system(name),),
        pairs={
            file: replace(pair, systems=(pair.system(name),))
            for file, pair in result.pairs.items()
            if any(system.name == name for system in pair.systems)
        },
        broken=tuple(each for each in result.broken if each.system == name),
        breakdowns={key: value for key, value in result.breakdowns.items() if key[0] == name},
        confusions={key: value for key, value in result.confusions.items() if key[0] == name},
        claims=None,
        origin=replace(result.origin, request=only),
    )

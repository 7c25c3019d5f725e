"""The chapter of a leaderboard: all systems of a folder of results, ranked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from commonground.errors import UsageError, setting
from commonground.evaluation.leaderboard import read_leaderboard, result_files
from commonground.evaluation.macro import over_files
from commonground.evaluation.reasons import Reason, all_reasons
from commonground.evaluation.result import System
from commonground.evaluation.scores import Evaluation
from commonground.grid import Column, Grid
from commonground.report.material.claims import asked_again
from commonground.report.page.sections import Block, Chapter, Section, TableBlock, Text
from commonground.report.views.evaluation import file_grids
from commonground.report.views.leaderboard import (
    leaderboard_grid,
    order_of,
    ranked_claims,
    ranking_metric,
    reason_grid,
    with_marks,
    with_reasons,
)
from commonground.statistics.claims import Claims
from commonground.statistics.test_plan import TestPlan
from commonground.statistics.testing import significance_tests
from commonground.statistics.units import with_units
from commonground.statistics.verdict import verdict_on

__all__ = ["Board", "board_chapter", "board_of", "leaderboard_chapter"]


@dataclass(frozen=True)
class Board:
    """All systems of some results, what tests say about them, and what happened to them.

    `main` is the name of the metric that they are ranked by; `baselines` are shown without a rank.
    """

    evaluation: Evaluation
    results: tuple[Evaluation, ...]
    claims: Claims | None
    main: str
    baselines: frozenset[str] = frozenset()
    reasons: tuple[Reason, ...] = field(default=())

    @property
    def order(self) -> list[str]:
        """The names of the systems, the best first."""
        return order_of(self.evaluation, self.claims, self.main)

    def grid(self) -> Grid:
        """Return the ranked table of all systems."""
        grid = leaderboard_grid(self.evaluation, self.claims, self.main, baselines=self.baselines)
        treebanks = len(self.evaluation.pairs) or 1
        return with_reasons(grid, self.order, self.reasons, treebanks)


def board_of(files: Sequence[str], metric: str = "", baselines: Collection[str] = ()) -> Board:
    """Return the board of saved results, ranked by a metric."""
    evaluation, results = read_leaderboard(files)
    unknown = sorted(set(baselines) - {system.name for system in evaluation.systems})
    if unknown:
        names = ", ".join(system.name for system in evaluation.systems)
        raise UsageError(f"there is no system {unknown[0]!r} to be a baseline; there are {names}")
    main = ranking_metric(evaluation, metric).name
    claims = _claims(evaluation, results)
    found = tuple(all_reasons(evaluation))
    return Board(evaluation, results, claims, main, frozenset(baselines), found)


def leaderboard_chapter(
    folder: str,
    metric: str = "",
    *,
    baselines: Collection[str] = (),
    links: Mapping[str, str] | None = None,
) -> Chapter:
    """Return the leaderboard of the results in a folder, ranked by a metric."""
    board = board_of(result_files(folder), metric, baselines)
    named = "".join(f" {setting('baseline_system', name)}" for name in sorted(board.baselines))
    return board_chapter(
        board,
        f"Leaderboard of {PurePath(folder).name or folder}",
        command=f"commonground report {folder}{named}",
        links=links,
    )


def board_chapter(
    board: Board, title: str, *, command: str = "", links: Mapping[str, str] | None = None
) -> Chapter:
    """Return the chapter of a board; `links` are the pages of systems, by their names."""
    evaluation, claims = board.evaluation, board.claims
    sections = [
        Section("Leaderboard", _board(board, links or {})),
        *_reasons(board),
        *_treebanks(board),
        *_differences(board),
        Section("Results", (TableBlock(_sources(board.results)),)),
    ]
    return Chapter(
        title,
        tuple(sections),
        facts=_facts(board),
        signature=claims.signed(evaluation.signature) if claims else evaluation.signature,
        command=command,
    )


def _claims(evaluation: Evaluation, results: Sequence[Evaluation]) -> Claims | None:
    """Return the intervals of the scores and the tests of all pairs, where there can be any."""
    plan = asked_again(results[0].request, len(evaluation.systems))
    try:
        return significance_tests(*_tested(evaluation, results, plan), skip=True)
    except UsageError:  # nothing that can be tested
        return None


def _tested(
    evaluation: Evaluation, results: Sequence[Evaluation], plan: TestPlan
) -> tuple[Sequence[System], TestPlan]:
    """Return what is tested: several treebanks, unless their only result asked for sentences."""
    if not evaluation.pairs:
        return evaluation.systems, plan
    if len(results) == 1 and results[0].request.options.resample in ("sentences", "documents"):
        return with_units(results[0].systems, evaluation.files, plan, plan.resample)
    tests = tuple(test for test in plan.tests if test != "mcnemar")
    return over_files(evaluation.files), replace(plan, resample="files", tests=tests)


def _board(board: Board, links: Mapping[str, str]) -> tuple[Block, ...]:
    grid = board.grid()
    verdict = verdict_on(board.evaluation, board.claims, metric=board.main, tested=False)
    name = next(at for at, column in enumerate(grid.columns) if column.title == "parse")
    places = {(row, name): links[each] for row, each in enumerate(board.order) if each in links}
    table = TableBlock(
        replace(grid, title="All systems (shares in per cent)", signature=""), links=places
    )
    return (Text(verdict.sentence), table) if verdict else (table,)


def _reasons(board: Board) -> Iterator[Section]:
    if board.reasons:
        told = Text(
            "These points were not lost to wrong trees. Type a reason, a system or a treebank "
            "above the table to see only its rows."
        )
        table = TableBlock(reason_grid(board.reasons), look="filtered")
        yield Section("What happened to submissions", (told, table))


def _treebanks(board: Board) -> Iterator[Section]:
    """Return the scores on each treebank; the others than the main metric come after it."""
    evaluation = board.evaluation
    if not evaluation.pairs:
        return
    tables = file_grids(evaluation, averages=False)  # the board has them
    grids = dict(zip(evaluation.systems[0].scores, tables, strict=True))
    order = [board.main, *(name for name in grids if name != board.main)]
    marked = (with_marks(grids[name], board.reasons) for name in order)
    yield Section("By treebank", tuple(map(TableBlock, marked)))


def _differences(board: Board) -> Iterator[Section]:
    ranked = ranked_claims(board.evaluation, board.claims, board.main)
    grids = ranked.grids(verdict=False) if ranked else []
    if grids:
        yield Section("Which differences are significant", tuple(map(TableBlock, grids)))


def _facts(board: Board) -> dict[str, str]:
    evaluation = board.evaluation
    count = len(evaluation.pairs) or 1
    broken = len({(each.system, each.treebank) for each in board.reasons if each.kind == "broken"})
    return {
        "Systems": f"{len(evaluation.systems) - len(board.baselines):,}",
        **({"Baselines": f"{len(board.baselines):,}"} if board.baselines else {}),
        "Treebanks": f"{count:,}",
        "Ranked by": evaluation.systems[0][board.main].metric.title,
        **({"Broken submissions": f"{broken:,}"} if broken else {}),
    }


def _sources(results: Sequence[Evaluation]) -> Grid:
    """Return which result says what about which systems."""
    rows = [
        [
            PurePath(each.origin.path).name,
            each.request.gold or "–",
            ", ".join(system.name for system in each.systems),
        ]
        for each in results
    ]
    columns = [Column("file"), Column("gold standard"), Column("systems")]
    return Grid.of("Sources of the leaderboard", columns, rows)

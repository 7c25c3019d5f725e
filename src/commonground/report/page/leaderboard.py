"""The chapter of a leaderboard: all systems of a folder of results, ranked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath

from commonground.errors import UsageError
from commonground.evaluation.leaderboard import read_leaderboard, result_files
from commonground.evaluation.macro import over_files
from commonground.evaluation.result import System
from commonground.evaluation.scores import Evaluation
from commonground.grid import Column, Grid
from commonground.report.material.claims import asked_again
from commonground.report.page.sections import Block, Chapter, Section, TableBlock, Text
from commonground.report.views.evaluation import file_grids
from commonground.report.views.leaderboard import (
    broken_grids,
    leaderboard_grid,
    ranked_claims,
    ranking_metric,
)
from commonground.statistics.claims import Claims
from commonground.statistics.test_plan import TestPlan
from commonground.statistics.testing import significance_tests
from commonground.statistics.units import with_units
from commonground.statistics.verdict import verdict_on

__all__ = ["leaderboard_chapter"]


def leaderboard_chapter(folder: str, metric: str = "") -> Chapter:
    """Return the leaderboard of the results in a folder, ranked by a metric."""
    evaluation, results = read_leaderboard(result_files(folder))
    main = ranking_metric(evaluation, metric)
    claims = _claims(evaluation, results)
    sections = [
        Section("Leaderboard", _board(evaluation, claims, main.name)),
        *_broken(evaluation),
        *_treebanks(evaluation, main.name),
        *_differences(evaluation, claims, main.name),
        Section("Results", (TableBlock(_sources(results)),)),
    ]
    return Chapter(
        f"Leaderboard of {PurePath(folder).name or folder}",
        tuple(sections),
        facts=_facts(evaluation, main.title),
        signature=claims.signed(evaluation.signature) if claims else evaluation.signature,
        command=f"commonground report {folder}",
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


def _board(evaluation: Evaluation, claims: Claims | None, main: str) -> tuple[Block, ...]:
    grid = leaderboard_grid(evaluation, claims, main)
    verdict = verdict_on(evaluation, claims, metric=main, tested=False)
    table = TableBlock(replace(grid, title="All systems (shares in per cent)", signature=""))
    return (Text(verdict.sentence), table) if verdict else (table,)


def _broken(evaluation: Evaluation) -> Iterator[Section]:
    grids = list(broken_grids(evaluation))
    if grids:
        yield Section("Broken submissions", tuple(map(TableBlock, grids)))


def _treebanks(evaluation: Evaluation, main: str) -> Iterator[Section]:
    """Return the scores on each treebank; the others than the main metric come after it."""
    if not evaluation.pairs:
        return
    tables = file_grids(evaluation, averages=False)  # the board has them
    grids = dict(zip(evaluation.systems[0].scores, tables, strict=True))
    order = [main, *(name for name in grids if name != main)]
    yield Section("By treebank", tuple(TableBlock(grids[name]) for name in order))


def _differences(evaluation: Evaluation, claims: Claims | None, main: str) -> Iterator[Section]:
    ranked = ranked_claims(evaluation, claims, main)
    grids = ranked.grids(verdict=False) if ranked else []
    if grids:
        yield Section("Which differences are significant", tuple(map(TableBlock, grids)))


def _facts(evaluation: Evaluation, main: str) -> dict[str, str]:
    count = len(evaluation.pairs) or 1
    return {
        "Systems": f"{len(evaluation.systems):,}",
        "Treebanks": f"{count:,}",
        "Ranked by": main,
        **({"Broken submissions": f"{len(evaluation.broken):,}"} if evaluation.broken else {}),
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

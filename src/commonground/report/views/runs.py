"""Runs of systems as tables: mean, spread, and which systems differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grid import Cell, Column, Grid
from commonground.metrics.registry import explained
from commonground.plurals import number_of
from commonground.report.views.claims import CORRECTIONS, p_cell
from commonground.statistics.run_claims import PLAIN, RunClaims, RunTests

__all__ = ["grids"]

_TESTS = {
    "student": "Student's t-test",
    "welch": "Welch's t-test",
    "permutation": "permutation test",
    "paired": "paired t-test",
}


def grids(claims: RunClaims) -> Iterator[Grid]:
    """Return the table of the systems' runs by each metric, and that of all pairs by each test."""
    for metric, first in claims.by_metric.items():
        yield from _grids(first, [each for each in claims.all_tests if each.metric == metric])


def _grids(first: RunTests, tested: Sequence[RunTests]) -> Iterator[Grid]:
    title, scale = "score", 1
    if first.metric != PLAIN:
        metric = next(iter(explained(first.metric).values()))[0]
        title, scale = metric.title, metric.scale
    yield _means(first, title, scale)
    for claims in tested if first.pairs else ():
        yield _pairs(claims, title, scale)


def _means(claims: RunTests, title: str, scale: float) -> Grid:
    rows: list[list[Cell | str | int | float]] = [
        [
            name,
            runs.count,
            Cell(
                scale * runs.mean,
                interval=(scale * claims.intervals[name].low, scale * claims.intervals[name].high),
            ),
            scale * runs.sd,
            scale * runs.standard_error,
            claims.letters[name].swapcase(),
        ]
        for name, runs in claims.runs.items()
    ]
    columns = [
        Column("system"),
        Column("runs", "right"),
        *(Column(name, "right", 2) for name in ("mean", "sd")),
        Column("standard error", "right", 3),
        Column("group"),
    ]
    level = next(iter(claims.intervals.values())).confidence
    notes = [f"Intervals of the means at {100 * level:g} %, from the t distribution."]
    if claims.pairs:
        notes.append("Systems that share a letter do not differ significantly.")
    return Grid.of(f"Runs by {title}", columns, rows, notes, claims.signature)


def _pairs(claims: RunTests, title: str, scale: float) -> Grid:
    corrected = claims.correction != "none" and len(claims.pairs) > 1
    columns = [
        *map(Column, ("system", "other")),
        Column("difference", "right", 2),
        *([] if claims.test == "permutation" else [Column("t", "right", 2)]),
        Column("p", "right", 4),
        *([Column(f"p ({claims.correction})", "right", 4)] if corrected else []),
    ]
    rows: list[list[Cell | str | float | None]] = []
    for pair in claims.pairs:
        claim = pair.claim
        around = claim.interval
        rows.append(
            [
                pair.one,
                pair.other,
                Cell(
                    scale * claim.difference,
                    interval=(scale * around[0], scale * around[1]) if around else None,
                ),
                *([] if claims.test == "permutation" else [claim.statistic]),
                p_cell(claim.p, bold=pair.different and not corrected),
                *([p_cell(pair.corrected, bold=pair.different)] if corrected else []),
            ]
        )
    first = claims.pairs[0].claim
    parts = [_TESTS[claims.test], first.alternative]
    if claims.test == "permutation":
        ways = "all permutations" if first.exact else f"{first.iterations:,} iterations"
        parts += [ways] if first.seed is None else [ways, f"seed {first.seed}"]
    if corrected:
        parts.append(f"{CORRECTIONS[claims.correction]} for {number_of(len(claims.pairs), 'pair')}")
    note = f"{', '.join(parts)}; bold: p ≤ {claims.alpha:g}."
    return Grid.of(f"Differences between systems by {title}", columns, rows, [note])

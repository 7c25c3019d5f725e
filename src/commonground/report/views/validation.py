"""Validation as tables: the scores of all runs, their means and spread, and the tests."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.grid import Cell, Column, Grid
from commonground.metrics.registry import explained
from commonground.projection.validation import Validation
from commonground.report.views.claims import p_cell

__all__ = ["grids"]


def grids(validation: Validation) -> Iterator[Grid]:
    """Return for each metric the table of the runs and, for several systems, that of the tests."""
    last = validation.metrics[-1]
    for metric in validation.metrics:
        title, scale = _title(metric)
        tested = validation.testable(metric)
        signature = validation.signature if metric == last and not tested else ""
        yield _runs(validation, metric, title, scale, signature)
        if tested:
            yield _tests(
                validation, metric, title, scale, validation.signature if metric == last else ""
            )


def _title(metric: str) -> tuple[str, float]:
    shown = next(iter(explained(metric).values()))[0]
    return shown.title, shown.scale


def _runs(validation: Validation, metric: str, title: str, scale: float, signature: str) -> Grid:
    runs = validation.runs(metric)
    names = list(runs)
    rows: list[list[Cell | str | float]] = [
        [str(number + 1), *(scale * runs[name].scores[number] for name in names)]
        for number in range(runs[names[0]].count)
    ]
    around = {name: runs[name].interval(validation.confidence) for name in names}
    rows.append(
        [
            "mean",
            *(
                Cell(
                    scale * runs[name].mean,
                    bold=True,
                    interval=(scale * around[name].low, scale * around[name].high),
                )
                for name in names
            ),
        ]
    )
    rows.append(["sd", *(scale * runs[name].sd for name in names)])
    notes = [f"{validation.how}; intervals of the means at {100 * validation.confidence:g} %."]
    correlation = validation.correlation(metric)
    if correlation is not None:
        notes.append(f"Correlation of mean and sd: r = {correlation:.2f}.")
    if len(names) > 1 and not validation.testable(metric):
        still = ", ".join(name for name in names if not runs[name].sd)
        what = f"the runs do not vary ({still})" if still else "the differences do not vary"
        notes.append(f"No tests: {what}.")
    columns = [Column("run"), *(Column(name, "right", 2) for name in names)]
    return Grid.of(f"Runs by {title}", columns, rows, notes, signature)


_NAMES = {
    "student": "Student",
    "welch": "Welch",
    "paired": "paired",
    "permutation": "permutation",
    "shuffle": "shuffling",
}
_SAID = {
    "student": "Student's t-test of two samples",
    "welch": "Welch's t-test of two samples",
    "paired": "t-test of pairs of runs (the same sample)",
    "permutation": "permutation test of runs",
    "shuffle": "shuffling test of the test set's sentences",
}


def _tests(validation: Validation, metric: str, title: str, scale: float, signature: str) -> Grid:
    tests = {test: validation.claims(metric, test) for test in validation.compared_by}
    first = next(iter(tests.values()))
    rows: list[list[Cell | str | float | None]] = []
    for place, pair in enumerate(first.pairs):
        around = pair.claim.interval
        row: list[Cell | str | float | None] = [
            pair.one,
            pair.other,
            Cell(
                scale * pair.claim.difference,
                interval=(scale * around[0], scale * around[1]) if around else None,
            ),
        ]
        for claims in tests.values():
            same = claims.pairs[place]
            if same.claim.statistic is not None:
                row.append(same.claim.statistic)
            row.append(p_cell(same.claim.p, bold=same.different))
        rows.append(row)
    columns = [*map(Column, ("system", "other")), Column("difference", "right", 2)]
    for test, claims in tests.items():
        if claims.pairs[0].claim.statistic is not None:
            columns.append(Column(f"t ({_NAMES[test]})", "right", 2))
        columns.append(Column(f"p ({_NAMES[test]})", "right", 4))
    said = "; ".join(_SAID[test] for test in tests)
    notes = [
        f"{said[0].upper()}{said[1:]}: two-sided, not corrected; bold: p ≤ {first.alpha:g}.",
        f"p < 0.01 by {'all' if len(tests) > 1 else 'this test'}: {validation.ranking(metric)}",
    ]
    return Grid.of(f"Differences by {title}", columns, rows, notes, signature)

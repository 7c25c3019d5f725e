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
        notes.append(f"No t-tests: the runs do not vary ({still}).")
    columns = [Column("run"), *(Column(name, "right", 2) for name in names)]
    return Grid.of(f"Runs by {title}", columns, rows, notes, signature)


def _tests(validation: Validation, metric: str, title: str, scale: float, signature: str) -> Grid:
    student, welch = validation.claims(metric, "student"), validation.claims(metric, "welch")
    rows: list[list[Cell | str | float | None]] = []
    for one, two in zip(student.pairs, welch.pairs, strict=True):
        around = one.claim.interval
        rows.append(
            [
                one.one,
                one.other,
                Cell(
                    scale * one.claim.difference,
                    interval=(scale * around[0], scale * around[1]) if around else None,
                ),
                one.claim.statistic,
                p_cell(one.claim.p, bold=one.different),
                two.claim.statistic,
                p_cell(two.claim.p, bold=two.different),
            ]
        )
    columns = [
        *map(Column, ("system", "other")),
        *(Column(name, "right", 2) for name in ("difference", "t (Student)")),
        Column("p", "right", 4),
        Column("t (Welch)", "right", 2),
        Column("p (Welch)", "right", 4),
    ]
    notes = [
        f"Unpaired two-sample t-tests, two-sided, not corrected; bold: p ≤ {student.alpha:g}.",
        f"p < 0.01: {validation.ranking(metric)}",
    ]
    return Grid.of(f"Differences by {title}", columns, rows, notes, signature)

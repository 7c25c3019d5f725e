"""What was repaired in parses, and their scores before and after, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.evaluation.metric_score import percent
from commonground.evaluation.repairs import AS_WRITTEN, BEFORE
from commonground.evaluation.result import System
from commonground.grid import Cell, Column, Grid
from commonground.repair.defects import DEFECTS

__all__ = ["repair_grids"]

_ROWS = {
    BEFORE: "before: every sentence with a defect is wrong",
    AS_WRITTEN: "as written: missing heads are wrong",
}


def repair_grids(systems: Sequence[System]) -> Iterator[Grid]:
    """Return for each repaired parse its defects, and the scores before, after and of baselines."""
    for system in systems:
        if system.repairs is None:
            continue
        of = f" of {system.name}" if len(systems) > 1 else ""
        if system.repairs.defects:
            yield _defect_grid(system, f"Defects{of}, mended by {system.repairs.policy}")
        yield _score_grid(system, f"Before and after the repair{of}, and baselines")


def _defect_grid(system: System, title: str) -> Grid:
    assert system.repairs is not None, "it was repaired"
    rows: list[list[str | int]] = [
        [kind, number, DEFECTS.get(kind, "")] for kind, number in system.repairs.defects.items()
    ]
    columns = [Column("defect"), Column("number", "right"), Column("what it is, and what is done")]
    return Grid.of(title, columns, rows)


def _score_grid(system: System, title: str) -> Grid:
    repairs = system.repairs
    assert repairs is not None, "it was repaired"
    metrics = [score.metric for score in system.scores.values()]
    after = [f"after: {repairs.policy}", *(percent(score) for score in system.scores.values())]
    rows: list[list[Cell | str | float | None]] = []
    for name in repairs.others:
        scores = [metric.shown(repairs.score(name, metric)) for metric in metrics]
        rows.append([_ROWS.get(name, name), *scores])
    own = sum(name in _ROWS for name in repairs.others)
    rows.insert(own, list(after))
    columns = [Column("trees"), *(Column(metric.title, "right", 2) for metric in metrics)]
    notes = []
    if len(repairs.others) > own:
        notes = ["Baselines know the usual heads and labels of the gold standard's tags, no words."]
    return Grid.of(title, columns, rows, notes)

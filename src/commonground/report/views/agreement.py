"""The agreement of analyses as tables."""

from __future__ import annotations

from commonground.evaluation.agreement import Agreement
from commonground.evaluation.result import percent
from commonground.metrics.metric import Metric
from commonground.report.tables import Cell, Column, Grid

__all__ = ["grids"]

_BOTH_WAYS = "It makes no difference which of the two is the gold standard."


def grids(found: Agreement) -> list[Grid]:
    """Return one table with a row per direction for two analyses, else a matrix per metric.

    In a matrix, the row is the gold standard.
    """
    if len(found.names) == 2:
        return [_directions(found)]
    last = len(found.metrics) - 1
    return [
        _matrix(found, metric, found.signature if place == last else "")
        for place, metric in enumerate(found.metrics)
    ]


def _directions(found: Agreement) -> Grid:
    rows: list[list[Cell | str]] = [
        [gold, other, *(Cell(percent(score)) for score in scores.values())]
        for (gold, other), scores in found.scores.items()
    ]
    titles = [Column(metric.title, "right", 2) for metric in found.metrics]
    columns = [Column("gold standard"), Column("other"), *titles]
    return Grid.of("Agreement", columns, rows, (), found.signature)


def _matrix(found: Agreement, metric: Metric, signature: str) -> Grid:
    rows: list[list[Cell | str]] = [
        [
            gold,
            *(
                Cell(None)
                if gold == other
                else Cell(percent(found.scores[gold, other][metric.name]))
                for other in found.names
            ),
        ]
        for gold in found.names
    ]
    columns = [Column("gold standard"), *(Column(name, "right", 2) for name in found.names)]
    notes = [_BOTH_WAYS] if found.symmetric(metric.name) else []
    return Grid.of(metric.title, columns, rows, notes, signature)

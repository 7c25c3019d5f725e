"""The agreement of analyses as tables."""

from __future__ import annotations

from commonground.evaluation.agreement import Agreement
from commonground.metrics.metric import Metric
from commonground.report.tables import Cell, Column, Grid

__all__ = ["agreement_grids"]

_BOTH_WAYS = "It makes no difference which of the two is the gold standard."


def agreement_grids(found: Agreement) -> list[Grid]:
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
        [gold, other, *(_percent(score.value, score.metric) for score in scores.values())]
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
                else _percent(found.value(metric.name, gold, other), metric)
                for other in found.names
            ),
        ]
        for gold in found.names
    ]
    columns = [Column("gold standard"), *(Column(name, "right", 2) for name in found.names)]
    notes = [_BOTH_WAYS] if found.symmetric(metric.name) else []
    return Grid.of(metric.title, columns, rows, notes, signature)


def _percent(value: float, metric: Metric) -> Cell:
    return Cell(100 * value if metric.share else value)

"""A trial as tables: the verdict with the scores, what is lost to what, time and memory."""

from __future__ import annotations

from typing import Any

from commonground.grid import Column, Grid
from commonground.report.views.evaluation import grids as score_grids
from commonground.trials.trial import Trial

__all__ = ["grids"]

_PARTS = ("segmentation", "convention", "tags", "error")
_MOST = 6


def grids(result: Trial, **options: Any) -> list[Grid]:
    """Return the scores with the verdict, the parts of the losses, and the costs."""
    claims = options.pop("claims", None) or result.claims
    return [
        *score_grids(result.evaluation, claims=claims, **options),
        _losses(result),
        *_conventions(result),
        *_costs(result),
    ]


def _losses(result: Trial) -> Grid:
    rows: list[list[str | float]] = [
        [each.name, metric.upper(), parts.points(parts.lost), *parts.in_points().values()]
        for metric in ("las", "clas")
        for each in result.tried
        for parts in [each.losses[metric]]
    ]
    columns = [
        *map(Column, ("system", "metric")),
        *(Column(title, "right", 2) for title in ("lost", *_PARTS)),
    ]
    note = (
        "Points of F1. Segmentation: words and sentences, and heads that these make impossible; "
        "convention: right in the system's own scheme; tags: errors that go with wrong tags."
    )
    return Grid.of("What is lost to what", columns, rows, [*result.explanation(), note])


def _conventions(result: Trial) -> list[Grid]:
    rows: list[list[str | float]] = [
        [each.name, construction, parts.points(items)]
        for each in result.tried
        for parts in [each.losses["las"]]
        for construction, items in list(parts.conventions.items())[:_MOST]
    ]
    columns = [*map(Column, ("system", "construction")), Column("LAS", "right", 2)]
    return [Grid.of("Conventions by construction", columns, rows)] if rows else []


def _costs(result: Trial) -> list[Grid]:
    rows = [
        [
            each.name,
            each.description,
            each.cost.seconds,
            each.cost.memory or None,
            round(each.cost.words / each.cost.seconds) if each.cost.seconds else None,
        ]
        for each in result.tried
        if each.cost
    ]
    columns = [
        *map(Column, ("system", "what it is")),
        Column("seconds", "right", 2),
        Column("MB", "right", 0),
        Column("words/s", "right"),
    ]
    note = "Processor time and most memory of the system's own process, its start included."
    return [Grid.of("Time and memory", columns, rows, [note])] if rows else []

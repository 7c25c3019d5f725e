"""What an annotated sheet says, as a table."""

from __future__ import annotations

from commonground.grid import Column, Grid
from commonground.trials.decision import Decision

__all__ = ["grids"]


def grids(result: Decision) -> list[Grid]:
    """Return a row for each pair of systems, with the verdicts as notes."""
    rows = [
        [
            pair.one,
            pair.other,
            100 * pair.difference,
            None if pair.low is None else 100 * pair.low,
            None if pair.high is None else 100 * pair.high,
        ]
        for pair in result.pairs
    ]
    columns = [
        *map(Column, ("one", "other")),
        *(Column(title, "right", 2) for title in ("difference of LAS", "from", "to")),
    ]
    return [Grid.of("Who is better", columns, rows, result.sentences(), result.signature)]

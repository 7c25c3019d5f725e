"""What is told of a dependency model with valence, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grid import Column, Grid
from commonground.parsers.dmv.candidates import TurnedEdge

__all__ = ["candidates_grid"]


def candidates_grid(rows: Sequence[TurnedEdge]) -> Grid:
    """Return the edges that a gold standard turns, with how often."""
    numbers = [Column(title, "right") for title in ("turned", "none in gold", "same")]
    return Grid.of(
        "Edges that the gold standard reverses",
        ["edge", *numbers],
        [(str(row.edge), row.turned, row.other, row.same) for row in rows],
    )

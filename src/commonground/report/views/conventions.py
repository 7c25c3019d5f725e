"""Conventions and errors as a table."""

from __future__ import annotations

from commonground.evaluation.conventions import Conventions
from commonground.grid import Column, Grid
from commonground.schemes.learning.learn import SAMPLE

__all__ = ["grids"]


def grids(found: Conventions) -> list[Grid]:
    """Return one table: the points of UAS that each construction costs, then the errors."""
    whole = found.attribution == "order"
    rows: list[list[str | float]] = [
        [
            part.construction,
            part.gold,
            part.parse,
            part.heads if whole else float(part.heads),
            found.points(part.heads),
        ]
        for part in found.parts
    ]
    rows += [
        [name, "", "", heads, found.points(heads)]
        for name, heads in (
            ("conventions", found.by_convention),
            ("errors", found.errors),
            ("lost", found.words - found.correct),
        )
    ]
    columns = [
        *map(Column, ("due to", "gold standard", "parse")),
        Column("heads", "right", None if whole else 1),
        Column("points", "right", 2),
    ]
    share = f"{100 * found.share:.1f} % of the heads are the same"
    near = f"the parse is nearest to {found.nearest}: {share} (in up to {SAMPLE} sentences)"
    return [
        Grid.of("Convention or error", columns, rows, [found.sentence(), near], found.signature)
    ]

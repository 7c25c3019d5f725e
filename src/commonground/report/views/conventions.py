"""Conventions and errors as a table."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.evaluation.conventions import Conventions
from commonground.grid import Column, Grid
from commonground.schemes.learning.learn import SAMPLE

__all__ = ["grids"]


def grids(conventions: Conventions) -> list[Grid]:
    """Return one table: the points of UAS that each construction costs, then the errors."""
    whole = conventions.attribution == "order"
    rows: list[list[str | float]] = [
        [
            part.construction,
            part.gold,
            part.parse,
            part.heads if whole else float(part.heads),
            conventions.points(part.heads),
        ]
        for part in conventions.parts
    ]
    rows += [
        [name, "", "", heads, conventions.points(heads)]
        for name, heads in (
            ("conventions", conventions.by_convention),
            ("errors", conventions.errors),
            ("lost", conventions.words - conventions.correct),
        )
    ]
    columns = [
        *map(Column, ("due to", "gold standard", "parse")),
        Column("heads", "right", None if whole else 1),
        Column("points", "right", 2),
    ]
    share = f"{100 * conventions.share:.1f} % of the heads are the same"
    near = f"the parse is nearest to {conventions.nearest}: {share} (in up to {SAMPLE} sentences)"
    notes = [conventions.sentence(), near, *filter(None, [conventions.uncertain])]
    return [
        Grid.of("Convention or error", columns, rows, notes, conventions.signature),
        *_labels(conventions),
    ]


def _labels(conventions: Conventions) -> Iterator[Grid]:
    """Return the same for heads and labels together, if the parse has labels."""
    if conventions.labels is None:
        return
    parts = conventions.labels
    words = {
        ("structure", "convention"): parts.structure,
        ("names of labels", "convention"): parts.names,
        ("wrong heads", "error"): parts.wrong_heads,
        ("wrong labels", "error"): parts.wrong_labels,
        ("lost", ""): parts.lost,
    }
    columns = [
        *map(Column, ("due to", "is")),
        Column("words", "right"),
        Column("points", "right", 2),
    ]
    cells: list[list[str | float]] = [
        [*name, number, conventions.points(number)] for name, number in words.items()
    ]
    yield Grid.of(
        "Convention or error, with labels", columns, cells, [conventions.label_sentence()]
    )

"""Projected trees as tables: how fragmented they are, and why words have no head."""

from __future__ import annotations

from commonground.grid import Cell, Column, Grid
from commonground.projection.direct import REASONS, Projection
from commonground.projection.fragments import Fragmentation

__all__ = ["grids"]


def grids(projection: Projection) -> list[Grid]:
    """Return the fragmentation before and after the filter, and what became of the words."""
    return [_fragmentation(projection), _words(projection)]


def _fragmentation(projection: Projection) -> Grid:
    columns = [
        Column("trees"),
        *(Column(title, "right") for title in ("sentences", "words")),
        *(Column(title, "right", 2) for title in ("words/sent", "words/frag", "frags/sent")),
        Column("with head %", "right", 2),
    ]
    rows = [_row("all", projection.before), _row("kept", projection.after)]
    pairs = "1 pair has" if projection.empty == 1 else f"{projection.empty:,} pairs have"
    notes = [f"{pairs} no words on one side"] if projection.empty else []
    return Grid.of("Fragmentation", columns, rows, notes, projection.signature)


def _row(name: str, side: Fragmentation) -> list[Cell]:
    share = 100 * side.heads / side.words if side.words else None
    numbers = (side.words_per_sentence, side.words_per_fragment, side.fragments_per_sentence)
    return [*map(Cell, (name, side.sentences, side.words, *numbers, share))]


def _words(projection: Projection) -> Grid:
    total = projection.before.words
    projected = projection.before.heads - projection.repaired
    rows = [("a head", projected, "the head of its source word was projected")]
    if projection.repaired:
        rows.append(("repaired", projection.repaired, "a rule gave it a head"))
    rows += [(name, count, REASONS[name]) for name, count in projection.reasons.items() if count]
    columns = [
        Column("word"),
        Column("words", "right"),
        Column("%", "right", 2),
        Column("what it means"),
    ]
    cells = [
        [Cell(name), Cell(count), Cell(100 * count / total if total else None), Cell(text)]
        for name, count, text in rows
    ]
    return Grid.of("What happened to the words", columns, cells)

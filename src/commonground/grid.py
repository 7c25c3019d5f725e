"""Tables of results, as values: every room can make one, and ``report/tables`` writes them.

What a number looks like (thousands separators, decimals, bold, a superscript) is decided by the
output format.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

__all__ = ["Align", "Cell", "Column", "Grid", "Note", "Value"]

Value = str | int | float | None
Align = Literal["left", "right", "center"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its title, how it is aligned, and the decimals of its fractional numbers."""

    title: str
    align: Align = "left"
    decimals: int | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A value (None: there is none), with decimals of its own, in bold, or with a superscript.

    Negative `decimals` are so many digits that tell something: 0.0000018 has two. An `interval`
    around the value is written behind it: as [low, high], in TSV as two columns more. The stretches
    of a text that are `stressed` (from, to) stand out where a format can do that.
    """

    value: Value
    decimals: int | None = None
    bold: bool = False
    mark: str = ""
    interval: tuple[float, float] | None = None
    stressed: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """A line below a table; one with a mark explains the cells that carry the mark."""

    text: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of results.

    `notes` stand below it, and `signature`, which names all that the numbers depend on, under them.
    The `lead` stands above it: what it all comes to, in a sentence.

    >>> grid = Grid.of("Scores", ["parser", Column("LAS", "right", 2)], [["A", 91.5], ["B", None]])
    >>> [cell.value for cell in grid.rows[1]]
    ['B', None]
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[Note, ...] = ()
    signature: str = ""
    lead: str = ""

    @classmethod
    def of(
        cls,
        title: str,
        columns: Iterable[Column | str],
        rows: Iterable[Iterable[Cell | Value]],
        notes: Iterable[Note | str] = (),
        signature: str = "",
        lead: str = "",
    ) -> Grid:
        """Make a grid; titles, values and texts may stand for columns, cells and notes."""
        titles = tuple(c if isinstance(c, Column) else Column(c) for c in columns)
        cells = tuple(tuple(v if isinstance(v, Cell) else Cell(v) for v in row) for row in rows)
        uneven = [row for row in cells if len(row) != len(titles)]
        if uneven:
            raise ValueError(f"a row of {len(uneven[0])} cells in a table of {len(titles)} columns")
        below = tuple(n if isinstance(n, Note) else Note(n) for n in notes)
        return cls(title, titles, cells, below, signature, lead)

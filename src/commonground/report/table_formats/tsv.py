"""Tables as tab-separated values, for programs and spreadsheets: numbers in full."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from commonground.grid import Cell, Grid
from commonground.report.table_formats.cells import without_controls

__all__ = ["tsv", "with_safe_cells"]


def tsv(grid: Grid) -> str:
    """Return the titles and the values alone, the numbers in full."""
    places = range(len(grid.columns))
    wide = {c for row in grid.rows for c in places if row[c].interval is not None}
    titles = [without_controls(column.title) for column in grid.columns]
    rows = [[text for c in places for text in _tsv_cell(row[c], c in wide)] for row in grid.rows]
    ends = {c: [f"{titles[c]} low", f"{titles[c]} high"] for c in wide}
    head = [text for c in places for text in (titles[c], *ends.get(c, ()))]
    return "".join("\t".join(row) + "\n" for row in [head, *rows])


_FORMULA = re.compile(r"[=+\-@\t\r]")


def with_safe_cells(grids: Iterable[Grid]) -> list[Grid]:
    """Return tables in which no text is a formula to a spreadsheet: such texts get a ``'`` before.

    >>> table = Grid.of("", ["word"], [["=1+1"], ["dog"], [-2]])
    >>> [row[0].value for row in with_safe_cells([table])[0].rows]
    ["'=1+1", 'dog', -2]
    """
    return [
        replace(grid, rows=tuple(tuple(map(_safe, row)) for row in grid.rows)) for grid in grids
    ]


def _safe(cell: Cell) -> Cell:
    if isinstance(cell.value, str) and _FORMULA.match(cell.value):
        moved = tuple((first + 1, end + 1) for first, end in cell.stressed)
        return replace(cell, value=f"'{cell.value}", stressed=moved)
    return cell


def _tsv_cell(cell: Cell, wide: bool) -> list[str]:  # noqa: FBT001  # whether it has an interval
    ends = (cell.interval or ("", "")) if wide else ()
    return [without_controls("" if text is None else str(text)) for text in (cell.value, *ends)]

"""What cells look like in every format: numbers, intervals, marks, stress, and no control signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from commonground.grid import Cell, Column, Grid

__all__ = [
    "CAPTION",
    "interval_text",
    "lines_below",
    "number_text",
    "printable",
    "stretches",
    "without_controls",
    "written_row",
]

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")

CAPTION = "Scores"
"""The caption of a table that has no title."""


def number_text(cell: Cell, column: Column) -> str:
    """Return a value as people read it."""
    value = cell.value
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    decimals = column.decimals if cell.decimals is None else cell.decimals
    if decimals is None or isinstance(value, int):
        return f"{value:,}"
    text = f"{value:,.{decimals}f}" if decimals >= 0 else f"{value:.{-decimals}g}"
    return text if text.strip("-0.") else text.lstrip("-")  # no −0.00


def interval_text(cell: Cell, column: Column) -> str:
    """Return the interval around a value as people read it, with a space in front.

    >>> interval_text(Cell(90.5, interval=(89.7, 91.2)), Column("LAS", decimals=1))
    ' [89.7, 91.2]'
    """
    if cell.interval is None:
        return ""
    low, high = (number_text(Cell(end, cell.decimals), column) for end in cell.interval)
    return f" [{low}, {high}]"


def stretches(text: str, stressed: Sequence[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    """Return a text in pieces, each with whether it is stressed.

    >>> list(stretches("Birds sing", [(6, 10)]))
    [('Birds ', False), ('sing', True)]
    """
    done = 0
    for first, end in (*stressed, (len(text), len(text))):
        pieces = ((text[done:first], False), (text[first:end], True))
        yield from (piece for piece in pieces if piece[0])
        done = end


def written_row(
    row: Sequence[Cell],
    columns: Sequence[Column],
    escape: Callable[[str], str],
    bold: str,
    mark: str,
    interval: str = "{}",
    stressed: str = "",
) -> list[str]:
    """Return the cells of a row in a format where bold, superscripts and stress are templates."""
    texts = []
    for cell, column in zip(row, columns, strict=True):
        pieces = stretches(number_text(cell, column), cell.stressed)
        text = "".join(
            (stressed or bold if stands_out else "{}").format(escape(piece))
            for piece, stands_out in pieces
        )
        text = bold.format(text) if cell.bold else text
        text += mark.format(escape(cell.mark)) if cell.mark else ""
        around = escape(interval_text(cell, column))
        texts.append(text + (interval.format(around) if around else ""))
    return texts


def lines_below(grid: Grid, escape: Callable[[str], str], mark: str) -> list[str]:
    """Return the lines under a table: its notes and its signature."""
    notes = [(mark.format(escape(n.mark)) if n.mark else "") + escape(n.text) for n in grid.notes]
    return [*notes, escape(grid.signature)] if grid.signature else notes


def printable(text: str) -> str:
    r"""Return text without the characters that steer a terminal.

    >>> printable("NP\x1b[31m")
    'NP�[31m'
    """
    return _CONTROL.sub("\ufffd", text)


def without_controls(text: str) -> str:
    r"""Return text with spaces instead of characters that break lines, or steer a terminal.

    >>> without_controls("NP\tVP")
    'NP VP'
    """
    return _CONTROL.sub(" ", text)

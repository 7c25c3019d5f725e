"""Tables as text for a terminal: columns in line, wide tables in several parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from commonground.grid import Align, Cell, Column, Grid
from commonground.report.table_formats.cells import (
    interval_text,
    lines_below,
    number_text,
    printable,
    stretches,
)

__all__ = ["text_tables"]

_RAISED = str.maketrans(
    "0123456789+-–abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"
)


_UNLIMITED = 1 << 16
_GAP = "   "


def text_tables(grids: Sequence[Grid], width: int | None, *, styled: bool) -> str:
    """Return tables as text; one that is wider than `width` is cut into several."""
    once = _explained_once(grids)
    return "\n".join(_text_table(grid, width or _UNLIMITED, styled=styled) for grid in once)


_EXPLANATION = 60
"""A note of at least so many characters explains a table; a shorter one counts something in it."""


def _explained_once(grids: Sequence[Grid]) -> Iterator[Grid]:
    """Return tables without the explanations that an earlier one has, word for word."""
    before: set[str] = set()
    for grid in grids:
        new = [note for note in grid.notes if note.mark or note.text not in before]
        yield replace(grid, notes=tuple(new))
        before |= {note.text for note in grid.notes if len(note.text) >= _EXPLANATION}


def _text_table(grid: Grid, width: int, *, styled: bool) -> str:
    titles = [printable(column.title) for column in grid.columns]
    marks = [_raised(row[c].mark for row in grid.rows) for c in range(len(titles))]
    texts = [
        [
            printable(number_text(cell, column)) + marks[c][r] + interval_text(cell, column)
            for c, (cell, column) in enumerate(zip(row, grid.columns, strict=True))
        ]
        for r, row in enumerate(grid.rows)
    ]
    widths = [
        max(map(_cells, [title, *(row[c] for row in texts)])) for c, title in enumerate(titles)
    ]
    lines = [*_folded(printable(grid.lead), width), ""] if grid.lead else []
    lines = [_inked(line, "1", styled=styled) for line in lines]
    lines += [_inked(printable(grid.title), "1", styled=styled)] if grid.title else []
    for place, page in enumerate(_pages(widths, width, _names(grid.columns))):
        if place:
            lines.append("")
        fitted = _fitted([widths[c] for c in page], width)
        aligned = [grid.columns[c].align for c in page]
        if any(titles[c] for c in page):
            lines += _lines([titles[c] for c in page], fitted, aligned)
            lines.append("─" * (sum(fitted) + len(_GAP) * (len(page) - 1)))
        for row, cells in zip(texts, grid.rows, strict=True):
            inks = [_ink(cells[c]) if styled else () for c in page]
            lines += _lines([row[c] for c in page], fitted, aligned, inks)
    lines += [_inked(line, "2", styled=styled) for line in lines_below(grid, printable, "{}: ")]
    return "".join(line.rstrip(" ") + "\n" for line in lines)


def _raised(marks: Iterable[str]) -> list[str]:
    """Return the superscripts of a column, all of the same width, so that numbers stand in line."""
    raised = [printable(mark).translate(_RAISED) for mark in marks]
    width = max(map(_cells, raised), default=0)
    return [mark + " " * (width - _cells(mark)) for mark in raised]


def _ink(cell: Cell) -> tuple[tuple[int, int], ...]:
    """Return the stretches of a cell that are in bold."""
    return ((0, _UNLIMITED),) if cell.bold else cell.stressed


def _inked(text: str, code: str, *, styled: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if styled and text else text


def _cells(text: str) -> int:
    """Return how many columns of a terminal a text takes.

    >>> _cells("nsubj"), _cells("主語")
    (5, 4)
    """
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415  # seldom needed

    return cell_len(text)


def _names(columns: Sequence[Column]) -> int:
    """Return how many columns say what a row is about: those before the first number.

    >>> _names([Column("rank"), Column("parse"), Column("LAS", "right")])
    2
    """
    first = next((at for at, column in enumerate(columns) if column.align != "left"), 1)
    return max(1, first)


def _pages(widths: Sequence[int], width: int, names: int = 1) -> list[list[int]]:
    """Return the columns in groups that fit into the width, each with the names in front.

    Where the names take more than two thirds of the width, only the last of them is repeated.
    """
    front = list(range(names))
    repeated = front if _needed(front, widths) <= 2 * width // 3 else front[-1:]
    pages: list[list[int]] = [front] if widths else []
    for column in range(names, len(widths)):
        wider = [*pages[-1], column]
        if _needed(wider, widths) <= width or pages[-1] in (front, repeated):
            pages[-1] = wider
        else:
            pages.append([*repeated, column])
    return pages


def _needed(columns: Sequence[int], widths: Sequence[int]) -> int:
    return sum(widths[c] for c in columns) + len(_GAP) * (len(columns) - 1)


def _fitted(widths: Sequence[int], width: int) -> list[int]:
    """Return the widths of columns, made narrower where together they are too wide."""
    room = width - len(_GAP) * (len(widths) - 1)
    fair = max(2, room // len(widths))
    excess = sum(widths) - room
    fitted = list(widths)
    for c in sorted(range(len(widths)), key=lambda c: -widths[c]):
        cut = max(0, min(excess, fitted[c] - fair))
        fitted[c] -= cut
        excess -= cut
    return fitted


def _lines(
    texts: Sequence[str],
    widths: Sequence[int],
    aligned: Sequence[Align],
    inks: Sequence[Sequence[tuple[int, int]]] = (),
) -> list[str]:
    """Return the lines of a row; a text that is wider than its column goes on below."""
    folded = [_folded(text, width) for text, width in zip(texts, widths, strict=True)]
    lines = []
    seen = [0] * len(texts)
    for number in range(max(map(len, folded), default=0)):
        parts = []
        for c, pieces in enumerate(folded):
            piece = pieces[number] if number < len(pieces) else ""
            free = widths[c] - _cells(piece)
            left = {"left": 0, "right": free, "center": free // 2}[aligned[c]]
            here = texts[c].index(piece, seen[c])
            seen[c] = here + len(piece)
            inside = (
                ((max(a - here, 0), min(b - here, len(piece))) for a, b in inks[c]) if inks else ()
            )
            inked = "".join(
                _inked(text, "1", styled=stands_out)
                for text, stands_out in stretches(piece, [(a, b) for a, b in inside if a < b])
            )
            parts.append(" " * left + inked + " " * (free - left))
        lines.append(_GAP.join(parts))
    return lines


def _folded(text: str, width: int) -> list[str]:
    """Cut a text into pieces that fit, at spaces where there are any.

    >>> _folded("one three", 4)
    ['one', 'thre', 'e']
    """
    if _cells(text) <= width:
        return [text]
    pieces = [""]
    for word in text.split(" "):
        joined = f"{pieces[-1]} {word}" if pieces[-1] else word
        if _cells(joined) <= width:
            pieces[-1] = joined
            continue
        pieces.append("")
        for character in word:
            if _cells(pieces[-1] + character) > width:
                pieces.append("")
            pieces[-1] += character
    return [piece for piece in pieces if piece] or [""]

"""Lines of text whose cells stand in columns, with nothing in them that steers a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator

from rich.cells import cell_len

from commonground.report.visible import visible

__all__ = ["LONGEST", "Cell", "Line", "Style", "aligned_lines", "plain"]

Style = Callable[[str, str], str]
"""How a part of a drawing looks: from the kind of part (``form``, ``phrase``, ``tag``, ``label``,
``number``, ``branch``; in differences also ``wrong`` and ``right``) and its text to the text, with
escape sequences for colours or without."""

Cell = tuple[tuple[str, str], ...]
"""What stands in one column of one line: parts, each with its kind."""

Line = list[Cell]

LONGEST = 40
"""A text takes so many columns at most."""


def plain(part: str, text: str) -> str:  # noqa: ARG001  # a style
    """Return the text as it is: the style of a drawing without colours."""
    return text


def aligned_lines(lines: list[Line], style: Style, *, ascii: bool) -> Iterator[str]:
    """Return lines whose cells stand in columns; columns without any text are left out."""
    shown = [
        [[(part, _safe(part, text, ascii=ascii)) for part, text in cell] for cell in line]
        for line in lines
    ]
    widths: list[int] = []
    for line in shown:
        widths += [0] * (len(line) - len(widths))
        for column, cell in enumerate(line):
            widths[column] = max(widths[column], _width(cell))
    for line in shown:
        out = ""
        for cell, width in zip(line, widths, strict=False):
            for part, text in cell:
                out += style(part, _isolated(text)) if text.strip() else text
            out += " " * (width - _width(cell) + 2 if width else 0)
        yield out.rstrip()


def _width(cell: list[tuple[str, str]]) -> int:
    return sum(cell_len(text) for _, text in cell)


_TO_ASCII = str.maketrans("│─╼╺├┮┶┾┍┕┝╪┿╭╰━", "|---+++++++xx.`=") | {
    ord("→"): "->",
    ord("←"): "<-",
    ord("↑"): "^",
    ord("…"): "...",
    ord("✗"): "x",
    ord("≠"): "!=",
}


def _safe(part: str, text: str, *, ascii: bool) -> str:
    r"""Return a text of bounded length in which nothing steers the terminal.

    >>> print(_safe("form", "red\x1b[31m", ascii=False), _safe("form", "Bär", ascii=True))
    red\x1b[31m B\xe4r
    """
    if part in ("branch", "number", "wrong", "right"):
        return text.translate(_TO_ASCII) if ascii else text
    # Enough for the columns, even if most of it are marks on letters.
    escaped = visible(text[: 4 * LONGEST])
    if ascii:
        escaped = escaped.encode("ascii", "backslashreplace").decode("ascii")
    if len(text) <= 4 * LONGEST and cell_len(escaped) <= LONGEST:
        return escaped
    dots = "..." if ascii else "…"
    while cell_len(escaped) > LONGEST - len(dots):
        escaped = escaped[:-1]
    return escaped + dots


def _isolated(text: str) -> str:
    """Put text that runs from right to left between marks that keep its surroundings in order."""
    if text.isascii() or text.strip("│─╼╺├┮┶┾┍┕┝╪┿╭╰━ ") == "":
        return text
    if any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in text):
        return f"\u2068{text}\u2069"
    return text

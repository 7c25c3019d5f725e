"""A table of the report as HTML: named, aligned, with cells that open examples."""

from __future__ import annotations

import math
from collections.abc import Callable

from commonground.grid import Cell, Column, Note
from commonground.report.drawing.svg import escaped
from commonground.report.page.sections import Opening, TableBlock
from commonground.report.table_formats.cells import interval_text, number_text, stretches

__all__ = ["table_html"]

_LEVELS = 6
_CLASSES = {"left": "", "right": "r", "center": "c"}


def table_html(table: TableBlock, anchor: str, number: Callable[[Opening], int]) -> str:
    """Return a table with its title under the id `anchor`.

    `number` tells by which number the script finds an opening.
    """
    grid = table.grid
    heads = "".join(
        f'<th scope="col"{_class(_CLASSES[column.align])}>{_text(column.title)}</th>'
        for column in grid.columns
    )
    shade = _shades(table) if table.look == "heat" else lambda _row, _place: ""
    lines = [
        f'<figure class="table">\n<figcaption id="{anchor}">{_text(grid.title)}</figcaption>',
        f'<div class="scroll" tabindex="0" role="region" aria-labelledby="{anchor}">',
        f'<table class="{table.look}" aria-labelledby="{anchor}">',
        f"<thead><tr>{heads}</tr></thead>",
        "<tbody>",
    ]
    for row, cells in enumerate(grid.rows):
        written = []
        for place, (cell, column) in enumerate(zip(cells, grid.columns, strict=True)):
            opening = table.opens.get((row, place))
            content = _content(cell, column)
            if opening:
                content = _button(content, number(opening))
            elif link := table.links.get((row, place)):
                content = f'<a href="{escaped(link)}">{content}</a>'
            if cell.interval is not None:
                content += f'<span class="below">{escaped(interval_text(cell, column))}</span>'
            barred = "b" if table.look == "bars" and isinstance(cell.value, float) else ""
            names = f"{_CLASSES[column.align]} {barred}{shade(row, place)}".strip()
            tag = 'th scope="row"' if place == 0 else "td"
            written.append(f"<{tag}{_class(names)}>{content}</{tag[:2]}>")
        lines.append(f"<tr>{''.join(written)}</tr>")
    lines += ["</tbody>", "</table>", "</div>", *map(_note, grid.notes), "</figure>"]
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    """Return text whose direction is its own, whatever stands around it."""
    return f"<bdi>{escaped(text)}</bdi>" if not text.isascii() else escaped(text)


def _class(names: str) -> str:
    return f' class="{names}"' if names else ""


def _content(cell: Cell, column: Column) -> str:
    text = "".join(
        f"<mark>{_text(piece)}</mark>" if stands_out else _text(piece)
        for piece, stands_out in stretches(number_text(cell, column), cell.stressed)
    )
    text = f"<strong>{text}</strong>" if cell.bold else text
    return text + (f"<sup>{escaped(cell.mark)}</sup>" if cell.mark else "")


def _button(content: str, number: int) -> str:
    """Return a button; there may be thousands, so that the script adds what it is called."""
    return f'<button data-open="{number}">{content}</button>'


def _shades(table: TableBlock) -> Callable[[int, int], str]:
    """Return how dark each cell is: by the root of its number, those on the diagonal not.

    What is on the diagonal is right, and there is so much of it that all else would be pale.
    """
    grid = table.grid

    def diagonal(row: int, place: int) -> bool:
        return grid.rows[row][0].value == grid.columns[place].title

    highest = max(
        (
            cell.value
            for row, cells in enumerate(grid.rows)
            for place, cell in enumerate(cells)
            if place and isinstance(cell.value, int | float) and not diagonal(row, place)
        ),
        default=1,
    )

    def shade(row: int, place: int) -> str:
        value = grid.rows[row][place].value
        if place == 0 or not isinstance(value, int | float) or value <= 0:
            return ""
        if diagonal(row, place):
            return "right"
        level = math.sqrt(value / highest)
        return f"h{max(1, math.ceil(level * _LEVELS))}"

    return shade


def _note(note: Note) -> str:
    mark = f"<sup>{escaped(note.mark)}</sup> " if note.mark else ""
    return f'<p class="note">{mark}{_text(note.text)}</p>'

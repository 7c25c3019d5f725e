"""Tables as HTML: pieces of a page, and whole pages."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grid import Grid
from commonground.report.table_formats.cells import (
    CAPTION,
    lines_below,
    without_controls,
    written_row,
)

__all__ = ["html_page", "html_table", "text_page"]


def html_table(grid: Grid) -> str:
    """Return a table as a piece of HTML."""
    rows = [
        written_row(
            r,
            grid.columns,
            _html_text,
            "<strong>{}</strong>",
            "<sup>{}</sup>",
            stressed="<mark>{}</mark>",
        )
        for r in grid.rows
    ]
    titles = [_html_text(column.title) for column in grid.columns]
    lines = [
        *([f"<p><strong>{_html_text(grid.lead)}</strong></p>"] if grid.lead else []),
        "<table>",
        *([f"<caption>{_html_text(grid.title)}</caption>"] if grid.title else []),
        f"<thead><tr>{_html_cells('th', titles, grid)}</tr></thead>",
        "<tbody>",
        *(f"<tr>{_html_cells('td', row, grid)}</tr>" for row in rows),
        "</tbody>",
        "</table>",
        *(f"<p>{line}</p>" for line in lines_below(grid, _html_text, "<sup>{}</sup> ")),
    ]
    return "\n".join(lines) + "\n"


def _html_text(text: str) -> str:
    from html import escape  # noqa: PLC0415  # only for pages

    return escape(without_controls(text))


def _html_cells(tag: str, texts: Sequence[str], grid: Grid) -> str:
    return "".join(
        f'<{tag} style="text-align: {column.align}">{text}</{tag}>'
        for column, text in zip(grid.columns, texts, strict=True)
    )


def html_page(grids: Sequence[Grid]) -> str:
    """Return tables as a whole page."""
    title = grids[0].title or CAPTION if grids else "commonground"
    return _document(title, "".join(map(html_table, grids)))


def text_page(text: str) -> str:
    """Return text as a page that shows it, letter by letter.

    >>> "<pre>&lt;script&gt;</pre>" in text_page("<script>")
    True
    """
    from html import escape  # noqa: PLC0415  # only for pages

    return _document("commonground", f"<pre>{escape(text)}</pre>\n")


def _document(title: str, body: str) -> str:
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{_html_text(title)}</title>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )

"""Tables as Markdown."""

from __future__ import annotations

import re

from commonground.grid import Grid
from commonground.report.table_formats.cells import lines_below, without_controls, written_row

__all__ = ["markdown"]

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&$#])")
_RULES = {"left": ":---", "right": "---:", "center": ":---:"}


def _markdown_text(text: str) -> str:
    r"""Return text as Markdown reads it back.

    >>> print(_markdown_text("P_OBJ|x"))
    P\_OBJ\|x
    """
    return _MARKDOWN.sub(r"\\\1", without_controls(text))


def markdown(grid: Grid) -> str:
    """Return a table as Markdown, with its notes below."""
    lines = [f"**{_markdown_text(grid.lead)}**", ""] if grid.lead else []
    lines += [f"**{_markdown_text(grid.title)}**", ""] if grid.title else []
    rows = [
        written_row(r, grid.columns, _markdown_text, "**{}**", "<sup>{}</sup>") for r in grid.rows
    ]
    titles = [_markdown_text(column.title) for column in grid.columns]
    rules = [_RULES[column.align] for column in grid.columns]
    lines += [f"| {' | '.join(row)} |" for row in [titles, rules, *rows]]
    for line in lines_below(grid, _markdown_text, "<sup>{}</sup> "):
        lines += ["", line]
    return "\n".join([*lines, ""])

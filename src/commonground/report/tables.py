"""Tables in the output formats of the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from commonground.errors import UsageError
from commonground.grid import Grid
from commonground.report.table_formats.html import html_page
from commonground.report.table_formats.latex import latex
from commonground.report.table_formats.markdown import markdown
from commonground.report.table_formats.text import text_tables
from commonground.report.table_formats.tsv import tsv

__all__ = ["FORMATS", "render"]

FORMATS = ("text", "json", "tsv", "markdown", "latex", "html")
"""The output formats of the command line; all but json are ways to write a :class:`Grid`."""

_WRITERS: dict[str, Callable[[Grid], str]] = {"tsv": tsv, "markdown": markdown, "latex": latex}


def render(
    grids: Sequence[Grid], output_format: str, *, width: int | None = None, styled: bool = False
) -> str:
    """Return tables in an output format: text, tsv, markdown, latex or html (a whole page).

    A text table that is wider than `width` is cut into several; `styled` text has bold and colours.
    """
    if output_format == "text":
        return text_tables(grids, width, styled=styled)
    if output_format == "html":
        return html_page(grids)
    if output_format not in _WRITERS:
        raise UsageError(f"no output format {output_format!r}; there are {', '.join(FORMATS)}")
    return "\n".join(map(_WRITERS[output_format], grids))

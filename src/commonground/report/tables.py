"""Tables in the output formats of the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from commonground.errors import UsageError
from commonground.grid import Grid

__all__ = ["FORMATS", "render"]

FORMATS = ("text", "json", "tsv", "markdown", "latex", "html")
"""The output formats of the command line; all but json are ways to write a :class:`Grid`."""

_ONE_BY_ONE = ("tsv", "markdown", "latex")


def render(
    grids: Sequence[Grid], output_format: str, *, width: int | None = None, styled: bool = False
) -> str:
    """Return tables in an output format: text, tsv, markdown, latex or html (a whole page).

    A text table that is wider than `width` is cut into several; `styled` text has bold and colours.
    """
    if output_format == "json" or output_format not in FORMATS:
        raise UsageError(f"no output format {output_format!r}; there are {', '.join(FORMATS)}")
    # Only the format that is asked for is imported.
    written = import_module(f"commonground.report.table_formats.{output_format}")
    if output_format in _ONE_BY_ONE:
        write: Callable[[Grid], str] = getattr(written, output_format)
        return "\n".join(map(write, grids))
    if output_format == "html":
        return str(written.html_page(grids))
    return str(written.text_tables(grids, width, styled=styled))

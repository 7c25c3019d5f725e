"""Tables of whatever is shown: a module for each kind of result, named after it, with ``grids``.

The other modules have the tables of what is no result: schemes, sentences, recipes and so on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from commonground.grid import Grid
from commonground.report.table_formats.html import html_table
from commonground.report.tables import render

if TYPE_CHECKING:
    from commonground.evaluation.result import Result

__all__ = ["html", "tables"]


def html(result: Result, **options: Any) -> str:
    """Return the tables of any result as a piece of HTML, for notebooks."""
    return f"<div>{''.join(html_table(_shortened(grid)) for grid in result.grids(**options))}</div>"


def tables(result: Result, output_format: str = "text", **options: Any) -> str:
    """Return the tables of any result in an output format of the command line."""
    return render([_shortened(grid) for grid in result.grids(**options)], output_format)


def _shortened(grid: Grid) -> Grid:
    from commonground.evaluation.signature import short_form  # noqa: PLC0415  # only for results

    return replace(grid, signature=short_form(grid.signature))

"""The tables of results: a module for each kind of result, named after it, with ``grids``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from commonground.evaluation.result import Result
from commonground.evaluation.signature import short_form
from commonground.grid import Grid
from commonground.report.tables import html_table, render

__all__ = ["html", "tables"]


def html(result: Result, **options: Any) -> str:
    """Return the tables of any result as a piece of HTML, for notebooks."""
    return f"<div>{''.join(html_table(_shortened(grid)) for grid in result.grids(**options))}</div>"


def tables(result: Result, output_format: str = "text", **options: Any) -> str:
    """Return the tables of any result in an output format of the command line."""
    return render([_shortened(grid) for grid in result.grids(**options)], output_format)


def _shortened(grid: Grid) -> Grid:
    return replace(grid, signature=short_form(grid.signature))

"""The tables of results: a module for each kind of result, named after it, with ``grids``."""

from __future__ import annotations

from typing import Any

from commonground.evaluation.result import Result
from commonground.report.tables import html_table

__all__ = ["html"]


def html(result: Result, **options: Any) -> str:
    """Return the tables of any result as a piece of HTML, for notebooks."""
    return f"<div>{''.join(map(html_table, result.grids(**options)))}</div>"

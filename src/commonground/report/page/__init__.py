"""The report: what was found, as one self-contained page to look at.

A report is a value: chapters of sections of blocks (``sections.py``). How it looks is decided in
one place (``page.py`` with its style and script), and what it says in one module for each kind of
result, named after it, with a function ``chapter``; a kind without one is shown by its tables.
"""

from __future__ import annotations

from commonground.evaluation.result import Result
from commonground.report.page.sections import Chapter, Section, TableBlock

__all__ = ["chapter"]


def chapter(result: Result, metric: str = "") -> Chapter:
    """Return the tables of a result of any kind."""
    del metric
    return Chapter(
        f"Result of {result.verb or result.kind}",
        (Section("Tables", tuple(map(TableBlock, result.grids()))),),
        facts={"File": result.origin.path},
        signature=result.signature,
        command=result.origin.command,
    )

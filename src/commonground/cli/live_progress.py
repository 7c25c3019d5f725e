"""A live view of an experiment on a terminal: what runs, is done, waits and failed."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from commonground.report.visible import visible

if TYPE_CHECKING:
    from rich.table import Table

    from commonground.experiments.plan import MatrixCell, Plan
    from commonground.experiments.run import CellOutcome

__all__ = ["live_view"]

_COLUMNS = ("runs", "done", "kept", "failed", "waits")


@contextmanager
def live_view(plan: Plan, *, workers: int, quiet: bool) -> Iterator[Callable[[CellOutcome], None]]:
    """Show how far an experiment is, on standard error while it is a terminal.

    The value is a function that is told of each outcome. Cells are begun in the order of the plan,
    so those that run are the first that are not done, as many as there are `workers`.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.live import Live

    levels = plan.levels()
    ended: dict[str, str] = {}
    console = Console(stderr=True)
    with Live(_table(plan, levels, ended, workers), console=console, transient=True) as live:

        def tell(outcome: CellOutcome) -> None:
            ended[outcome.cell.digest] = outcome.state
            live.update(_table(plan, levels, ended, workers))

        yield tell


def _table(
    plan: Plan, levels: list[list[MatrixCell]], ended: dict[str, str], workers: int
) -> Table:
    from rich.table import Table
    from rich.text import Text  # in which [b] is no style

    table = Table(title=Text(visible(plan.recipe.title)), box=None, title_justify="left")
    table.add_column("step")
    for column in _COLUMNS:
        table.add_column(column, justify="right")
    for step, counts in states(levels, ended, workers).items():
        table.add_row(Text(visible(step)), *(str(counts[name] or "") for name in _COLUMNS))
    return table


def states(
    levels: list[list[MatrixCell]], ended: dict[str, str], workers: int
) -> dict[str, Counter[str]]:
    """Return how many cells of each step are in which state; what was left out has failed, too."""
    unfinished = next(
        (left for level in levels if (left := [c for c in level if c.digest not in ended])), []
    )
    running = {cell.digest for cell in unfinished[:workers]}
    by_step: dict[str, Counter[str]] = {}
    for cell in (cell for level in levels for cell in level):
        state = ended.get(cell.digest, "runs" if cell.digest in running else "waits")
        counts = by_step.setdefault(cell.step, Counter())
        counts["failed" if state == "left out" else state] += 1
    return by_step

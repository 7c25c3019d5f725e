"""Recipes and plans of experiments, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from commonground.grid import Column, Grid
from commonground.plurals import number_of

__all__ = ["outside_grid", "plan_grid", "recipes_grid"]


_MOST_INPUTS = 6


def recipes_grid(rows: Sequence[tuple[str, str, Sequence[str]]]) -> Grid:
    """Return the recipes that come along: name, title, inputs; of very many the first ones."""
    shown = [(name, title, _inputs(inputs)) for name, title, inputs in rows]
    return Grid.of("Recipes", ["recipe", "title", "inputs"], shown)


def _inputs(names: Sequence[str]) -> str:
    if len(names) <= _MOST_INPUTS:
        return ", ".join(names)
    return f"{', '.join(names[: _MOST_INPUTS - 1])}, … ({len(names)} in all)"


def outside_grid(rows: Sequence[tuple[str, str, str, bool]]) -> Grid:
    """Return what a recipe uses from outside: the step, what it is, its name, whether it runs."""
    shown = [(step, what, name, "yes" if runs else "no") for step, what, name, runs in rows]
    return Grid.of("From outside", ["step", "what", "name", "runs"], shown)


def plan_grid(
    title: str,
    rows: Sequence[tuple[str, str, str, float | None]],
    failed: Mapping[str, str] | None = None,
) -> Grid:
    """Return the steps of a recipe: what, how, whether it is done, and its cost in seconds.

    `failed` are the reasons of those that failed.
    """
    open_rows = [row for row in rows if row[2] != "done"]
    left = [seconds for *_, seconds in open_rows if seconds is not None]
    known = f"; at least {sum(left):.0f} s by earlier runs" if left else ""
    note = f"{len(open_rows)} of {number_of(len(rows), 'step')} to do{known}"
    reasons = [f"{step}: {reason}" for step, reason in (failed or {}).items()]
    columns: list[Column | str] = ["step", "does", "state", Column("seconds", "right", 1)]
    return Grid.of(title, columns, rows, [note, *reasons])

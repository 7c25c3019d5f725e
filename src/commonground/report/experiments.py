"""Recipes and plans of experiments, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grid import Column, Grid

__all__ = ["plan_grid", "recipes_grid"]


def recipes_grid(rows: Sequence[tuple[str, str, str]]) -> Grid:
    """Return the recipes that come along: name, title, inputs."""
    return Grid.of("Recipes", ["recipe", "title", "inputs"], rows)


def plan_grid(title: str, rows: Sequence[tuple[str, str, str, float | None]]) -> Grid:
    """Return the steps of a recipe: what, how, whether it is done, and its cost in seconds."""
    left = [seconds for _, _, state, seconds in rows if state == "to do" and seconds is not None]
    known = f"; at least {sum(left):.0f} s by earlier runs" if left else ""
    note = f"{sum(row[2] == 'to do' for row in rows)} of {len(rows)} steps to do{known}"
    columns: list[Column | str] = ["step", "does", "state", Column("seconds", "right", 1)]
    return Grid.of(title, columns, rows, [note])

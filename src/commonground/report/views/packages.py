"""Lists of what there is, with the packages that add to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonground.grid import Cell, Column, Grid
from commonground.plugins import Plugin

__all__ = ["packages_of_names", "with_packages"]


def with_packages(grid: Grid, plugins: Sequence[Plugin]) -> Grid:
    """Add a column with the package of each row, which begins with a name, if there is another one.

    >>> grid = Grid.of("", ["name"], [["ud"], ["mine"]])
    >>> with_packages(grid, ()) == grid
    True
    >>> [row[-1].value for row in with_packages(grid, [Plugin("mine", None, "other 1.0")]).rows]
    ['commonground', 'other 1.0']
    """
    if not plugins:
        return grid
    owners = packages_of_names(plugins)
    rows = (
        (*row, Cell(owners.get(str(row[0].value), {}).get("package", "commonground")))
        for row in grid.rows
    )
    return replace(grid, columns=(*grid.columns, Column("package")), rows=tuple(rows))


def packages_of_names(plugins: Sequence[Plugin]) -> dict[str, dict[str, str]]:
    """Return what JSON says beside the name of each plugin: the package that it comes from."""
    return {plugin.name: {"package": plugin.package} for plugin in plugins}

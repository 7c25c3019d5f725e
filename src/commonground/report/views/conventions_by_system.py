"""Conventions and errors of several parses: all of them in one table, then each by itself."""

from __future__ import annotations

from dataclasses import replace

from commonground.evaluation.conventions import Conventions
from commonground.evaluation.conventions_by_system import ConventionsBySystem
from commonground.grid import Column, Grid
from commonground.report.views.conventions import grids as own_grids

__all__ = ["grids"]

_COLUMNS = (
    *("UAS", "conventions", "errors", "LAS", "structure", "names of labels"),
    *("wrong heads", "wrong labels"),
)


def grids(by_system: ConventionsBySystem) -> list[Grid]:
    """Return a row per parse, with points of UAS and of LAS, and then the tables of each."""
    rows = [[name, *_points(each)] for name, each in by_system.systems.items()]
    columns = [Column("parse"), *(Column(title, "right", 2) for title in _COLUMNS)]
    note = (
        "Conventions and errors are the points of UAS that are lost; the last four columns are "
        "those of LAS, structure and names of labels being conventions."
    )
    notes = [
        note,
        *(
            f"{name}: {each.uncertain}"
            for name, each in by_system.systems.items()
            if each.uncertain
        ),
    ]
    first = Grid.of("Convention or error", columns, rows, notes, by_system.signature)
    others = [
        replace(grid, title=f"{grid.title}: {name}", signature="")
        for name, each in by_system.systems.items()
        for grid in own_grids(each)
    ]
    return [first, *others]


def _points(conventions: Conventions) -> list[float | None]:
    heads = [
        conventions.points(n)
        for n in (conventions.correct, conventions.by_convention, conventions.errors)
    ]
    parts = conventions.labels
    if parts is None:
        return [*heads, *[None] * 5]
    words = (parts.correct, parts.structure, parts.names, parts.wrong_heads, parts.wrong_labels)
    return [*heads, *map(conventions.points, words)]

"""Where systems disagree, as tables: each pair, by construction, with examples; what it takes."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.grid import Column, Grid
from commonground.trials.disagreement import Disagreement

__all__ = ["grids"]


def grids(result: Disagreement) -> list[Grid]:
    """Return the pairs, what they differ in, and how many sentences would decide."""
    rows: list[list[str | float]] = [
        [pair.one, pair.other, 100 * pair.agreement, *pair.parts.in_points().values()]
        for pair in result.pairs
    ]
    columns = [
        *map(Column, ("one", "other")),
        *(
            Column(title, "right", 2)
            for title in ("agreement", "segmentation", "convention", "tags", "other words")
        ),
    ]
    note = (
        "Per cent of the words of both, by head and label; what differs is split with the first "
        "system as the standard."
    )
    first = Grid.of(
        "Where systems disagree", columns, rows, [*result.sentences(), note], result.signature
    )
    return [first, *_conventions(result), *_kinds(result), _needed(result), *_chosen(result)]


def _conventions(result: Disagreement) -> Iterator[Grid]:
    rows: list[list[str | float]] = [
        [pair.one, pair.other, name, pair.parts.points(items)]
        for pair in result.pairs
        for name, items in pair.parts.conventions.items()
    ]
    if rows:
        columns = [*map(Column, ("one", "other", "construction")), Column("points", "right", 2)]
        yield Grid.of("Conventions by construction", columns, rows)


def _kinds(result: Disagreement) -> Iterator[Grid]:
    rows: list[list[str | float]] = [
        [pair.one, pair.other, kind.one, kind.other, kind.words, kind.example]
        for pair in result.pairs
        for kind in pair.kinds
    ]
    if rows:
        titles = ("one", "other", "label of one", "label of other")
        columns = [*map(Column, titles), Column("words", "right"), Column("example")]
        yield Grid.of("What they analyse otherwise", columns, rows)


def _needed(result: Disagreement) -> Grid:
    rows = [
        [pair.one, pair.other, 100 * each.difference, each.random, each.chosen]
        for pair in result.pairs
        for each in pair.needed
    ]
    columns = [
        *map(Column, ("one", "other")),
        Column("LAS", "right", 1),
        Column("at random", "right"),
        Column("chosen", "right"),
    ]
    note = (
        f"Stretches of text to be annotated, of {result.units:,}, to show a difference of so many "
        "points in four of five cases; –: the systems do not differ so much."
    )
    return Grid.of("How much has to be annotated", columns, rows, [note])


def _chosen(result: Disagreement) -> Iterator[Grid]:
    if result.chosen:
        rows = [[unit.unit, unit.words, unit.probability] for unit in result.chosen]
        columns = [
            Column("unit", "right"),
            Column("words", "right"),
            Column("probability", "right", 4),
        ]
        yield Grid.of("Chosen to be annotated", columns, rows)

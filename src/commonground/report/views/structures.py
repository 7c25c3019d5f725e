"""Problematic structures and flipped edges as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from commonground.grid import Cell, Column, Grid
from commonground.schemes.flips import Flips
from commonground.schemes.structures import FAMILIES, PUBLISHED, STRUCTURES, Frequencies

__all__ = ["flips_grid", "structures_grids"]


def structures_grids(frequencies: Mapping[str, Frequencies], families: Sequence[str]) -> list[Grid]:
    """Return for each family what share of the words takes part in which structure, in percent.

    There is a column per treebank; what was published about the Wall Street Journal stands beside.
    """
    return [_family(frequencies, family) for family in families]


def _family(frequencies: Mapping[str, Frequencies], family: str) -> Grid:
    published = family in PUBLISHED
    columns = [
        Column("structure"),
        Column("example"),
        *(Column(name, "right", 1) for name in frequencies),
        *([Column("WSJ (thesis)", "right", 1)] if published else []),
    ]
    return Grid.of(
        FAMILIES[family],
        columns,
        _rows(frequencies, family),
        ["In per cent of all words except punctuation; a word can be in several structures."],
    )


def _rows(frequencies: Mapping[str, Frequencies], family: str) -> Iterator[list[Cell | str]]:
    published = family in PUBLISHED
    for structure in STRUCTURES.values():
        if structure.family == family:
            yield [
                structure.name,
                structure.example,
                *(Cell(100 * each.share(structure.name)) for each in frequencies.values()),
                *([_percent(structure.published)] if published else []),
            ]
    yield [
        "any of them",
        "",
        *(Cell(100 * each.share(family)) for each in frequencies.values()),
        *([_percent(PUBLISHED[family])] if published else []),
    ]


def _percent(share: float | None) -> Cell:
    return Cell(None if share is None else 100 * share)


def flips_grid(flips: Flips) -> Grid:
    """Return what flipping edges has done."""
    rows: list[tuple[str, int]] = [
        ("words", flips.words),
        ("edges that were flipped", flips.edges),
        ("in sentences", flips.sentences),
        ("edges that share a word with another one", flips.touching),
    ]
    if flips.cyclic:
        rows.append(("sentences with a cycle, which stays", flips.cyclic))
    return Grid.of("", [Column(""), Column("number", "right")], rows)

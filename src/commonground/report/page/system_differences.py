"""Where two systems differ: by relation, distance and length, with tests and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError
from commonground.evaluation.result import System
from commonground.grid import Cell, Column, Grid
from commonground.metrics.breakdown import Cells
from commonground.report.material.material import Material
from commonground.report.page.figures import pair_figure
from commonground.report.page.sections import (
    Block,
    Example,
    Examples,
    Figure,
    Opening,
    Section,
    TableBlock,
    Text,
)
from commonground.report.plots.measure import Measure
from commonground.report.plots.pairs import Difference
from commonground.statistics.part_differences import Part, PartDifference, differences_by_part

__all__ = ["system_differences"]

Numbers = NDArray[np.int64]

_BY = {"deprel": "relation", "distance": "distance to the head", "sentence-length": "length"}
_MOST_ROWS = 20
_FEWEST_WORDS = 5
_SENTENCES = 10


@dataclass(frozen=True, slots=True)
class _Compared:
    """Two systems by a property: the parts by the property's value, and their differences."""

    what: str
    parts: Mapping[str, Part]
    rows: tuple[PartDifference, ...]


def system_differences(
    material: Material, systems: Sequence[System], metric: str
) -> Iterator[Section]:
    """Return the section about the two best systems; none where there is nothing to compare."""
    scored = [system for system in systems if system[metric].value is not None]
    if len(scored) < 2 or scored[0][metric].items is None:
        return
    sign = scored[0][metric].metric.sign
    one, other = sorted(scored, key=lambda each: -sign * (each[metric].value or 0.0))[:2]
    compared = [
        each
        for name, what in _BY.items()
        if (each := _compared(material, one, other, metric, name, what))
    ]
    if not any(row.value for each in compared for row in each.rows):
        return
    title = one[metric].metric.title
    told = Text(
        f"{one.name} less {other.name}, in points of {title} recall. Every number of the tables "
        "opens the sentences behind it."
    )
    blocks: list[Block] = [told]
    for each in compared:
        blocks += _figure(each, one.name, other.name, metric, one)
        blocks.append(_table(each, one.name, other.name, title))
    if examples := _instructive(material, compared, one.name, other.name):
        blocks += [
            Text("The most instructive sentences: each shows a difference that comes up often."),
            Examples("", examples),
        ]
    yield Section(f"Where {one.name} and {other.name} differ", tuple(blocks))


def _compared(
    material: Material, one: System, other: System, metric: str, by: str, what: str
) -> _Compared | None:
    """Count what is right in each sentence, by a property that this kind of treebank has."""
    try:
        sides = [system.cells(metric, [by, "sentence"]) for system in (one, other)]
    except UsageError:  # constituents have no distance, for one
        return None
    words = _by_sentence(material, sides[0], "gold")
    right = [_by_sentence(material, side, "correct") for side in sides]
    nothing = np.zeros(len(material.ids), np.int64)
    parts = {
        value: Part(gold, right[0][value], right[1].get(value, nothing))
        for value, gold in words.items()
        if gold.sum() >= _FEWEST_WORDS
    }
    if not parts:
        return None
    rows = sorted(differences_by_part(parts), key=lambda row: -abs(row.value * row.words))
    return _Compared(what, parts, tuple(rows[:_MOST_ROWS]))


def _by_sentence(material: Material, cells: Cells, what: str) -> dict[str, Numbers]:
    """Return the counts of each value by the place of the sentence."""
    places = np.array([_nowhere(material.place(name)) for name in cells.values[1]], np.int64)
    place = places[cells.codes[1]]
    known = place >= 0
    value, place = cells.codes[0][known], place[known]
    counts = np.zeros((len(cells.values[0]), len(material.ids)), np.int64)
    np.add.at(counts, (value, place), cells.columns[what][known])
    return {cells.values[0][each]: counts[each] for each in np.unique(value).tolist()}


def _nowhere(place: int | None) -> int:
    return -1 if place is None else place


def _figure(
    compared: _Compared, one: str, other: str, metric: str, system: System
) -> Iterator[Figure]:
    rows = [
        Difference(
            f"{row.name} ({row.words:,} words)",
            "",
            row.value,
            (row.low, row.high),
            row.p,
            row.different,
        )
        for row in compared.rows
        if row.value
    ]
    title = f"{one} less {other}, by {compared.what}"
    measure = Measure.of(system[metric].metric)
    yield from pair_figure(title, rows, measure, confidence=0.95, correction="Holm's correction")


def _table(compared: _Compared, one: str, other: str, title: str) -> TableBlock:
    columns = [
        Column(compared.what),
        Column("words", "right"),
        Column("difference", "right", 2),
        Column("p (holm)", "right", 4),
        Column(f"gained by {one}", "right"),
        Column(f"gained by {other}", "right"),
    ]
    rows: list[list[Cell | str | int | float]] = []
    opens: dict[tuple[int, int], Opening] = {}
    for number, row in enumerate(compared.rows):
        shown = Cell(100 * row.value, bold=row.different, interval=(100 * row.low, 100 * row.high))
        rows.append([row.name, row.words, shown, row.p, row.only_one, row.only_other])
        part = compared.parts[row.name]
        gains = part.one - part.other
        for column, sign, name in ((4, 1, one), (5, -1, other)):
            if examples := _examples(sign * gains, row.name, name):
                opens[number, column] = Opening(f"{row.name}: gained by {name}", examples)
        if either := _examples(np.abs(gains), row.name, ""):
            opens[number, 2] = Opening(f"{row.name}: {one} and {other} differ", either)
    notes = [
        "Differences in percentage points, with intervals at 95 % (normal approximation).",
        "p: the systems swapped in sentences at random, 2,000 times, corrected for all parts.",
        "gained: words that this system has right and the other one has not, sentence by sentence.",
    ]
    return TableBlock(Grid.of(f"{title} by {compared.what}", columns, rows, notes), opens)


def _examples(gains: Numbers, value: str, name: str) -> tuple[Example, ...]:
    """Return the sentences with the highest gains."""
    order = np.argsort(-gains, kind="stable")[:_SENTENCES]
    better = f" more right by {name}" if name else " apart"
    return tuple(
        Example(int(place), remark=f"{value}: {int(gains[place])}{better}")
        for place in order
        if gains[place] > 0
    )


def _instructive(
    material: Material, compared: Sequence[_Compared], one: str, other: str
) -> tuple[Example, ...]:
    """Return sentences that show the largest differences: one each, the shortest that shows most.

    Significant differences come first, then those of most words; a sentence is shown once.
    """
    rows = [(row, each) for each in compared for row in each.rows if row.value]
    rows.sort(key=lambda pair: (not pair[0].different, -abs(pair[0].value * pair[0].words)))
    lengths = np.array(material.lengths or [1] * len(material.ids)).clip(1)
    seen: set[int] = set()
    chosen: list[Example] = []
    for row, each in rows:
        part = each.parts[row.name]
        gains = (part.one - part.other) * (1 if row.value > 0 else -1)
        worth = gains / lengths
        for place in np.argsort(-worth, kind="stable").tolist():
            if gains[place] <= 0:
                break
            if place not in seen:
                seen.add(place)
                name = one if row.value > 0 else other
                remark = f"{each.what} {row.name}: {name} has {int(gains[place])} more right"
                chosen.append(Example(place, remark=remark))
                break
        if len(chosen) == _SENTENCES:
            break
    return tuple(chosen)

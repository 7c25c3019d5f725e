"""What was taken for what: a table of one by the other, and a list; every cell opens examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grid import Cell, Column, Grid
from commonground.metrics.confusion import ConfusionCell
from commonground.report.material.material import Material
from commonground.report.page.sections import Example, Opening, TableBlock
from commonground.report.page.words import remark, stretch

__all__ = ["confusion_tables", "wrong_cells"]

_TITLES = {"label": "Labels", "head-tag": "Tags of heads"}
_SHOWN = 18
"""Maximum number of rows and columns of a confusion matrix: those with the most confusions."""
_LISTED = 150


def wrong_cells(cells: Sequence[ConfusionCell]) -> list[ConfusionCell]:
    """Return the confusions among the cells, the most frequent first, as far as they are listed."""
    return [cell for cell in cells if cell.gold != cell.system][:_LISTED]


def confusion_tables(
    material: Material, system: int, what: str, cells: Sequence[ConfusionCell]
) -> Iterator[TableBlock]:
    """Return the table and the list of one system's confusions."""
    wrong = wrong_cells(cells)
    if not wrong:
        return
    name = material.systems[system].name
    several = len(material.systems) > 1
    of, by = (f" of {name}", f" by {name}") if several else ("", "")
    labels = _labels(cells)
    right = [cell for cell in cells if cell.gold == cell.system and cell.gold in labels]
    openings = {
        (cell.gold, cell.system): Opening(
            f"{_told(cell)}{by}, {cell.count:,} times", tuple(_examples(material, system, cell))
        )
        for cell in (*wrong, *right)
    }
    yield _matrix(
        f"{_TITLES[what]}{of}: rows are gold, columns are the parse", labels, cells, openings
    )
    yield _list(f"{_TITLES[what]}{of}: the most frequent confusions", cells, wrong, openings)


def _examples(material: Material, system: int, cell: ConfusionCell) -> Iterator[Example]:
    for sent_id, word in cell.examples:
        place = material.place(sent_id)
        if place is None:
            continue
        sides = material.both(place, material.systems[system].name)
        yield Example(
            place,
            (system,),
            stretch(material.texts[place], sides[0].column("form", "words"), word)
            if sides
            else None,
            remark(*sides, word) if sides else f"word {word}",
        )


Openings = dict[tuple[str, str], Opening]


def _told(cell: ConfusionCell) -> str:
    return (
        f"{cell.gold} found" if cell.gold == cell.system else f"{cell.gold} parsed as {cell.system}"
    )


def _labels(cells: Sequence[ConfusionCell]) -> list[str]:
    """Return the labels with the most confusions, as many as a table of one by the other has."""
    weight: dict[str, int] = {}
    for cell in cells:
        if cell.gold != cell.system:
            for label in (cell.gold, cell.system):
                weight[label] = weight.get(label, 0) + cell.count
    return sorted(weight, key=lambda label: (-weight[label], label))[:_SHOWN]


def _matrix(
    title: str, labels: Sequence[str], cells: Sequence[ConfusionCell], openings: Openings
) -> TableBlock:
    counts = {(cell.gold, cell.system): cell.count for cell in cells}
    rows = [[gold, *(counts.get((gold, label)) for label in labels)] for gold in labels]
    opens = {
        (row, place + 1): openings[gold, label]
        for row, gold in enumerate(labels)
        for place, label in enumerate(labels)
        if (gold, label) in openings
    }
    confused = {label for c in cells if c.gold != c.system for label in (c.gold, c.system)}
    left = len(confused) - len(labels)
    notes = [f"{left:,} that are confused less often are not in this table."] if left else []
    columns = [Column("gold"), *(Column(label, "right") for label in labels)]
    blank = [[cell if cell is not None else Cell("") for cell in row] for row in rows]
    return TableBlock(Grid.of(title, columns, blank, notes), opens, look="heat")


def _list(
    title: str, cells: Sequence[ConfusionCell], wrong: Sequence[ConfusionCell], openings: Openings
) -> TableBlock:
    total = sum(cell.count for cell in cells)
    rows = [(c.gold, c.system, c.count, 100 * c.count / total) for c in wrong]
    left = sum(cell.gold != cell.system for cell in cells) - len(wrong)
    notes = [f"{left:,} rarer confusions are left out."] if left else []
    columns = [
        *map(Column, ("gold", "parse")),
        Column("words", "right"),
        Column("% of words", "right", 2),
    ]
    opens = {(row, 2): openings[cell.gold, cell.system] for row, cell in enumerate(wrong)}
    return TableBlock(Grid.of(title, columns, rows, notes), opens)

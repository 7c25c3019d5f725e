"""What gold standards of phenomena hold, how far they agree and what was mined, as tables."""

from __future__ import annotations

from collections.abc import Mapping

from commonground.grid import Cell, Column, Grid
from commonground.phenomena.agree import Agreed
from commonground.phenomena.info import Contents, Numbers
from commonground.phenomena.kinds import phenomena, title_of
from commonground.phenomena.mine import Mined
from commonground.plurals import number_of

__all__ = ["agreement_grids", "contents_grid", "mappings_grid", "mined_grids"]

Cells = list[Cell | str | int | float | None]


def contents_grid(contents: Contents) -> Grid:
    """Return what a gold standard holds: a row per kind of dependency, and all."""
    rows = [_row(name.removeprefix("phenomena."), part) for name, part in contents.parts.items()]
    titles = ["items", "targets", "negative", "disjunctive"]
    columns = [
        Column("name"),
        *(Column(title, "right") for title in titles),
        Column("distance", "right", 1),
        Column("max", "right"),
    ]
    return Grid.of(f"Phenomena in {contents.path}", columns, [*rows, _row("all", contents.whole)])


def _row(name: str, part: Numbers) -> Cells:
    numbers = (part.items, part.targets, part.negative, part.disjunctive)
    return [name, *numbers, Cell(part.distance, 1), part.farthest]


def mappings_grid(mappings: Mapping[str, tuple[str, str, int, int]]) -> Grid:
    """Return the mappings that come along."""
    rows: list[Cells] = [[name, *entry] for name, entry in mappings.items()]
    total = [sum(entry[place] for entry in mappings.values()) for place in (2, 3)]  # type: ignore[misc]  # numbers
    columns = [
        Column("mapping"),
        Column("for"),
        Column("status"),
        Column("expressions", "right"),
        Column("patterns", "right"),
    ]
    return Grid.of("Mappings", columns, [*rows, ["all", "", "", *total]])


def agreement_grids(agreed: Agreed) -> list[Grid]:
    """Return how far two annotations agree, and their differences."""
    shares: list[tuple[str, int, int, float | None]] = [
        ("items", agreed.same_items, agreed.items, agreed.by_item),
        ("dependencies", 2 * agreed.common, agreed.one + agreed.other, agreed.by_dependency),
    ]
    rows: list[Cells] = [
        [name, same, whole, Cell(None if share is None else 100 * share, 1)]
        for name, same, whole, share in shares
    ]
    genuine = None if agreed.adjusted is None else 100 * agreed.adjusted
    rows.append(
        ["items, alternatives, conventions and slips aside", None, agreed.items, Cell(genuine, 1)]
    )
    columns = [
        Column("of"),
        Column("agreed", "right"),
        Column("all", "right"),
        Column("%", "right", 1),
    ]
    tables = [Grid.of("Agreement", columns, rows)]
    if agreed.differences:
        classes: list[Cells] = [[kind, number] for kind, number in agreed.counts().items()]
        tables.append(Grid.of("Differences by class", ["class", Column("items", "right")], classes))
        lines: list[Cells] = [
            [each.item, each.kind, "; ".join(each.one), "; ".join(each.other)]
            for each in agreed.differences
        ]
        titles = ["item", "class", "only the first", "only the second"]
        tables.append(Grid.of("Differences", titles, lines))
    return tables


def mined_grids(mined: Mined) -> list[Grid]:
    """Return how frequent the candidates of phenomena are, and the sample."""
    known = phenomena()
    compared = any(name in known for name in mined.found)
    rows: list[Cells] = []
    for name, number in mined.found.items():
        share = mined.share(name)
        shown = None if share is None else 100 * share
        paper = [Cell(known[name].share if name in known else None, 2)] if compared else []
        rows.append([name, title_of(name), number, mined.matches[name], Cell(shown, 2), *paper])
    columns = [
        Column("name"),
        Column("phenomenon"),
        Column("sentences", "right"),
        Column("matches", "right"),
        Column("%", "right", 2),
        *([Column("% in Wikipedia", "right", 2)] if compared else []),
    ]
    note = "The last column is Table 1 of Bender et al. (2011), found by the ERG."
    title = f"Candidates in {number_of(mined.sentences, 'sentence')}"
    tables = [Grid.of(title, columns, rows, [note] if compared else [])]
    sample: list[Cells] = [
        [name, each.sent_id, _bound(each.words), each.text]
        for name, candidates in mined.sample.items()
        for each in candidates
    ]
    if sample:
        tables.append(Grid.of("Sample", ["name", "sentence", "words", "text"], sample))
    return tables


def _bound(words: Mapping[str, tuple[str, int]]) -> str:
    return " ".join(
        f"{node}={form}-{place}" if place >= 0 else f"{node}={form}"
        for node, (form, place) in words.items()
    )

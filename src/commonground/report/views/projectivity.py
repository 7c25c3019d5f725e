"""Non-projectivity, lifted arcs and flipped edges as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from commonground.grid import Cell, Column, Grid
from commonground.schemes.nonprojectivity import Nonprojectivity
from commonground.schemes.projectivity import ENCODINGS, Moves, Recovery

__all__ = ["moves_grid", "nonprojectivity_grids"]


def nonprojectivity_grids(
    by_treebank: Mapping[str, tuple[Nonprojectivity, Recovery]],
) -> list[Grid]:
    """Return how non-projective treebanks are, and what comes back of lifted arcs.

    There is a column per treebank, and one for all of them together where there are several.
    """
    treebanks = dict(by_treebank)
    if len(by_treebank) > 1:
        first, *others = by_treebank.values()
        for measured, recovered in others:
            first = first[0] + measured, first[1] + recovered
        treebanks["all"] = first
    columns = [Column(""), *(Column(name, "right") for name in treebanks)]
    rows = [dict(_measured(measured)) for measured, _ in treebanks.values()]
    titles = sorted({title for row in rows for title in row})
    back = [dict(_recovered(recovered)) for _, recovered in treebanks.values()]
    return [
        Grid.of(
            "Non-projectivity",
            columns,
            [[title[-1], *(row.get(title, Cell(0)) for row in rows)] for title in titles],
        ),
        Grid.of(
            "Lifted arcs that can be restored",
            columns,
            [[title, *(row[title] for row in back)] for title in back[0]],
        ),
    ]


def _measured(measures: Nonprojectivity) -> Iterator[tuple[tuple[int, int, str], Cell]]:
    """Return the rows of a column, with what puts them in order in front of their titles."""
    for place, (title, tally, whole) in enumerate(
        (
            ("gap degree {} (sentences)", measures.gap_degree, measures.sentences),
            ("edge degree {} (sentences)", measures.edge_degree, measures.sentences),
            ("ill-nested sentences", {0: measures.ill_nested}, measures.sentences),
            ("non-projective arcs", {0: measures.arcs}, measures.words),
            ("edge degree {} (arcs)", measures.arc_degree, measures.arcs),
            ("level type {} (arcs)", measures.level_type, measures.arcs),
            ("sentences with a cycle", _some(measures.cyclic), measures.sentences),
        )
    ):
        for value, number in tally.items():
            yield (place, value, title.format(value)), _part(number, whole)


def _some(number: int) -> dict[int, int]:
    """Return a tally for a row that is there only where something is counted."""
    return {0: number} if number else {}


def _recovered(recovery: Recovery) -> Iterator[tuple[str, Cell]]:
    yield "lifted arcs", Cell(recovery.lifted)
    for encoding in ENCODINGS:
        yield f"back with {encoding}", _part(recovery.recovered[encoding], recovery.lifted)


def _part(number: int, whole: int) -> Cell:
    return Cell(f"{number:,} ({100 * number / whole:.1f} %)" if number else 0)


def moves_grid(moves: Moves, *, undo: bool) -> Grid:
    """Return what projectivizing, or undoing it, has done."""
    rows: list[tuple[str, int]] = [
        ("words", moves.words),
        ("arcs that moved down" if undo else "arcs that were lifted", moves.arcs),
        ("in sentences", moves.sentences),
    ]
    if undo:
        rows.append(("lifted arcs whose head was not found", moves.left))
    if moves.cyclic:
        rows.append(("sentences with a cycle, which stays", moves.cyclic))
    return Grid.of("", [Column(""), Column("number", "right")], rows)

"""A dependency tree (or graph) of a parse above the words, and that of the gold standard below.

Arcs that both have are thin and grey, and only above. Arcs with another label are dashed, arcs with
another head are thick; the gold standard's own arcs are those that the parse should have had. Words
that only one side has are in its colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from commonground.corpus import Sentence
from commonground.errors import InputError
from commonground.report.drawing.arc_diagram import Diagram, Joined, WordColumn
from commonground.report.drawing.arcs import ROOT, DrawnArc
from commonground.report.drawing.dependencies import (
    DrawingOptions,
    Nodes,
    Triple,
    graph,
    joined,
    nodes_of,
    runs_from_right,
    tree,
)
from commonground.report.drawing.legend import arc_samples
from commonground.report.drawing.lettering import shown
from commonground.tokens import align_words

__all__ = ["dependency_difference"]


def dependency_difference(
    gold: Sentence[Any], system: Sentence[Any], options: DrawingOptions
) -> Diagram | None:
    """Return two analyses of a sentence in one diagram; None where the texts are not the same."""
    pairs = _pairs(gold, system)
    if pairs is None:
        return None
    above, below = options.names
    one, two = nodes_of(gold, options), nodes_of(system, options)
    columns, to_gold, to_system = _merged(one, two, pairs)
    arcs_of = graph if options.enhanced else tree
    right = _moved(arcs_of(gold, one), to_gold)
    wrong = _moved(arcs_of(system, two), to_system)
    return Diagram(
        f"{gold.text} ({above} above, {below} below)",
        columns,
        list(_marked(wrong, right, "wrong")),
        [arc for arc in _marked(right, wrong, "right") if arc.kind != "same"],
        [
            Joined(to_gold[token.first], to_gold[token.last], token.text)
            for token in joined(gold, one)
        ],
        runs_from_right(gold.column("form")),
        arc_samples(*options.names),
    )


def _pairs(gold: Sentence[Any], system: Sentence[Any]) -> dict[int, int] | None:
    """Return the system's word for each word of the gold standard that it has, from 0."""
    if gold.column("form") == system.column("form"):
        return {place: place for place in range(len(gold))}
    try:
        aligned = align_words(gold.alone, system.alone)
    except InputError:
        return None
    return dict(zip(aligned.gold.tolist(), aligned.system.tolist(), strict=True))


def _merged(
    one: Nodes, two: Nodes, pairs: Mapping[int, int]
) -> tuple[list[WordColumn], dict[int, int], dict[int, int]]:
    """Return the columns of both sides in one row, and where each side's columns went there.

    Between two words that both have, the words of the parse stand before those of the gold
    standard.
    """
    ids = {node: place for node, place in one.places.items() if "." in node}
    partner = {one.places[str(a + 1)]: two.places[str(b + 1)] for a, b in pairs.items()} | {
        place: two.places[node] for node, place in ids.items() if node in two.places
    }
    columns: list[WordColumn] = []
    gold, system = {ROOT: ROOT}, {ROOT: ROOT}
    ends = (len(one.columns), len(two.columns))
    for a, b in [*sorted(partner.items()), ends]:
        for place in range(len(system) - 1, b):
            system[place] = len(columns)
            columns.append(_alone(two.columns[place], "wrong", "′"))
        for place in range(len(gold) - 1, a):
            gold[place] = len(columns)
            columns.append(_alone(one.columns[place], "right"))
        if (a, b) != ends and a not in gold and b not in system:
            gold[a] = system[b] = len(columns)
            columns.append(_both(one.columns[a], two.columns[b]))
    if not any(any(column.kinds[1:]) for column in columns):
        columns = [
            column._replace(texts=column.texts[: len(one.columns[0].texts)]) for column in columns
        ]
    return columns, gold, system


def _alone(column: WordColumn, kind: str, mark: str = "") -> WordColumn:
    return WordColumn(column.texts, column.number + mark, (kind,))


def _both(gold: WordColumn, system: WordColumn) -> WordColumn:
    """Return a word that both sides have; where the tags differ, those of the parse come first."""
    first = gold.kinds[:1] or ("",)
    if system.texts[1:] == gold.texts[1:]:
        none = ("",) * len(system.texts[1:])
        texts = (gold.texts[0], *system.texts[1:], *none)
        return WordColumn(texts, gold.number, (*first, *none, *none))
    pairs = list(zip(system.texts[1:], gold.texts[1:], strict=True))
    own = tuple("wrong" if a != b else "" for a, b in pairs)
    other = tuple(b if a != b else "" for a, b in pairs)
    return WordColumn(
        (gold.texts[0], *system.texts[1:], *other),
        gold.number,
        (*first, *own, *("right" if text else "" for text in other)),
    )


def _moved(triples: Iterable[Triple], places: Mapping[int, int]) -> list[Triple]:
    return [(places[head], places[dependent], label) for head, dependent, label in triples]


def _marked(arcs: Sequence[Triple], others: Sequence[Triple], side: str) -> Iterator[DrawnArc]:
    """Return the arcs of one side, each of the kind that tells how the other side has it."""
    whole = set(others)
    ends = {(head, dependent) for head, dependent, _ in others}
    for head, dependent, label in arcs:
        kind = "same"
        if (head, dependent, label) not in whole:
            kind = f"{side} renamed" if (head, dependent) in ends else side
        yield DrawnArc(head, dependent, shown(label), kind)

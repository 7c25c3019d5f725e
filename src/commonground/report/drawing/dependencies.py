"""Dependency trees and enhanced graphs, drawn as arcs over words.

With the enhanced graph, the tree is above the words; its labels are continued with what the graph
adds to them (``nmod`` and ``:of``), and arcs that the graph has not are thin. What only the graph
has is below the words, in another colour and dashed; empty nodes stand among the words. Words that
a search has marked (``Match=V`` in MISC) are in brackets and in another colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from commonground.corpus import Sentence
from commonground.corpus.arcs import enhanced_arcs
from commonground.errors import UsageError, quoted
from commonground.report.drawing.arc_diagram import Diagram, Joined, WordColumn
from commonground.report.drawing.arcs import ROOT, DrawnArc
from commonground.report.drawing.lettering import shown
from commonground.report.visible import right_to_left

__all__ = ["DrawingOptions", "Nodes", "dependency_diagram", "nodes_of", "runs_from_right"]

Triple = tuple[int, int, str]
"""The columns of head and dependent, and the label as the file has it."""

_Named = tuple[str, tuple[str, ...], tuple[str, ...]]
"""The ID of a node, the texts of its column, and their kinds."""


class DrawingOptions(NamedTuple):
    """What is drawn of dependencies.

    `tags` are the columns of words that stand below them; None is that one of the parts of speech
    that says something. `names` are what the analyses above and below the words are called, where
    two are drawn.
    """

    tags: Sequence[str] | None = None
    enhanced: bool = False
    names: tuple[str, str] = ("parse", "gold")


class Nodes(NamedTuple):
    """The columns of a sentence, and the column of each node by its ID."""

    columns: list[WordColumn]
    places: dict[str, int]


def dependency_diagram(sentence: Sentence[Any], options: DrawingOptions) -> Diagram:
    """Return a dependency tree, or an enhanced graph, as it is drawn."""
    nodes = nodes_of(sentence, options)
    above: list[DrawnArc] = [
        DrawnArc(head, end, shown(label)) for head, end, label in tree(sentence, nodes)
    ]
    below: list[DrawnArc] = []
    if options.enhanced:
        above, below = _enhanced(above, graph(sentence, nodes))
    forms = sentence.column("form")
    tokens = joined(sentence, nodes)
    return Diagram(sentence.text, nodes.columns, above, below, tokens, runs_from_right(forms))


def nodes_of(sentence: Sentence[Any], options: DrawingOptions) -> Nodes:
    """Return the words of a sentence, with their tags and with the empty nodes of a graph."""
    names = _chosen_tags(sentence) if options.tags is None else options.tags
    for name in names:
        if name not in sentence.corpus.words:
            known = ", ".join(sentence.corpus.words.columns)
            raise UsageError(f"words have no column {quoted(name)}; there are {known}")
    rows = zip(*(map(str, sentence.column(name)) for name in ("form", *names)), strict=True)
    found = ["Match=" in entry for entry in sentence.column("misc")]
    named: list[_Named] = [
        (str(place), (f"[{row[0]}]", *row[1:]), ("extra",)) if found[place - 1]
        else (str(place), row, ())
        for place, row in enumerate(rows, 1)
    ]  # fmt: skip
    if options.enhanced and sentence.corpus.empties.rows:
        named += _empties(sentence, names)
        named.sort(key=lambda node: [int(part) for part in node[0].split(".")])
    columns = [
        WordColumn((shown(texts[0]), *map(_something, texts[1:])), number, kinds)
        for number, texts, kinds in named
    ]
    return Nodes(columns, {"0": ROOT} | {node[0]: place for place, node in enumerate(named)})


def _empties(sentence: Sentence[Any], names: Sequence[str]) -> Iterator[_Named]:
    table = sentence.corpus.empties
    ids = zip(
        *(sentence.column(name, "empties").tolist() for name in ("major", "minor")), strict=True
    )
    texts = [
        map(str, sentence.column(name, "empties")) if name in table else ["_"] * table.rows
        for name in ("form", *names)
    ]
    for (major, minor), row in zip(ids, zip(*texts, strict=False), strict=False):
        form = row[0] if row[0] != "_" else f"{major}.{minor}"
        yield f"{major}.{minor}", (form, *row[1:]), ("trace",)


def tree(sentence: Sentence[Any], nodes: Nodes) -> Iterator[Triple]:
    """Return the arcs of the tree; words without a head, or on themselves, have none."""
    heads, labels = sentence.column("head").tolist(), sentence.column("deprel")
    for word, (head, label) in enumerate(zip(heads, labels, strict=True), 1):
        if 0 <= head <= len(heads) and head != word:
            yield nodes.places[str(head)], nodes.places[str(word)], "" if label == "_" else label


def graph(sentence: Sentence[Any], nodes: Nodes) -> Iterator[Triple]:
    """Return the arcs of the enhanced graph, but for those between no nodes, or from and to one."""
    places = nodes.places
    for head, label, dependent in enhanced_arcs(sentence):
        if head in places and dependent in places and head != dependent:
            yield places[head], places[dependent], label


def joined(sentence: Sentence[Any], nodes: Nodes) -> list[Joined]:
    """Return the multiword tokens."""
    if not sentence.corpus.tokens.rows:
        return []
    ends = (sentence.column(name, "tokens").tolist() for name in ("first", "last"))
    forms = sentence.column("form", "tokens")
    return [
        Joined(nodes.places[str(first)], nodes.places[str(last)], shown(form))
        for first, last, form in zip(*ends, forms, strict=True)
    ]


def _enhanced(
    basic: Sequence[DrawnArc], arcs: Iterator[Triple]
) -> tuple[list[DrawnArc], list[DrawnArc]]:
    """Return the arcs of a tree with what the graph says of them, and the graph's other arcs."""
    above = {(arc.head, arc.dependent): arc._replace(kind="same") for arc in basic}
    below = []
    for head, dependent, label in arcs:
        arc = above.get((head, dependent))
        text = shown(label)
        if arc is None or not f"{text}:".startswith(f"{arc.label}:"):
            below.append(DrawnArc(head, dependent, text, "extra"))
        if arc is not None:
            more = text.removeprefix(arc.label) if text.startswith(f"{arc.label}:") else arc.added
            above[head, dependent] = arc._replace(kind="", added=more)
    return list(above.values()), below


def _chosen_tags(sentence: Sentence[Any]) -> list[str]:
    """Return the column of tags that says something: the universal ones, or else the own ones."""
    for name in ("upos", "xpos"):
        if any(tag != "_" for tag in sentence.column(name)):
            return [name]
    return []


def runs_from_right(forms: Sequence[str]) -> bool:
    """Tell whether most words are in a script that runs from right to left."""
    if all(map(str.isascii, forms)):
        return False
    return 2 * sum(map(right_to_left, forms)) > len(forms)


def _something(text: str) -> str:
    return "" if text == "_" else shown(text)

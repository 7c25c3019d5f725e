"""Graphs of meaning: arcs above the words where nodes stand for words, and layers otherwise.

A graph is drawn as arcs if most of its edges begin at nodes that are anchored in the text (DM, PSD,
EDS). Where each word has one node at most, columns are words, otherwise nodes in the order of their
words. The other graphs (AMR, UCCA) are drawn in layers. Of two graphs, arcs of the gold standard
are below the words; layers have both in one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from commonground.corpus import Sentence
from commonground.report.drawing.arc_diagram import Diagram, WordColumn
from commonground.report.drawing.arcs import ROOT, DrawnArc
from commonground.report.drawing.dependencies import DrawingOptions, runs_from_right
from commonground.report.drawing.layered_graph import LayeredGraph
from commonground.report.drawing.legend import LegendSample
from commonground.report.drawing.lettering import shown
from commonground.report.drawing.svg import Picture
from commonground.report.graph_differences import graph_difference
from commonground.report.shown_graphs import ShownGraph, ShownNode, shown_graph

__all__ = ["GraphDrawing", "graph_drawing", "graph_drawing_of_both"]

TOP = "top"


@dataclass(frozen=True, slots=True)
class GraphDrawing:
    """What is drawn of a graph, or of two as one; `samples` explain the kinds of edges."""

    title: str
    graph: ShownGraph
    samples: Sequence[LegendSample] = ()

    def picture(self, widest: int) -> Picture:
        """Return the drawing; arcs go on in further lines, layers are as wide as they are."""
        return self.form().picture(widest)

    def form(self) -> Diagram | LayeredGraph:
        """Return the graph as arcs, or in layers."""
        turned = runs_from_right(self.graph.text.split())
        if not is_over_words(self.graph):
            return LayeredGraph(self.title, self.graph, turned, self.samples)
        columns = _columns(self.graph)
        above, below = _arcs(self.graph, columns.place)
        return Diagram(self.title, columns.columns, above, below, (), turned, self.samples)


def graph_drawing(sentence: Sentence[Any]) -> GraphDrawing:
    """Return what there is to draw of a graph."""
    return GraphDrawing(sentence.text, shown_graph(sentence))


def graph_drawing_of_both(
    gold: Sentence[Any], system: Sentence[Any], options: DrawingOptions
) -> GraphDrawing | None:
    """Return two graphs in one drawing; None where the texts are not the same."""
    both = graph_difference(gold, system)
    if both is None:
        return None
    above, below = options.names
    samples = (
        LegendSample("arc same", "in both"),
        LegendSample("arc wrong", f"{above}: not in {below}"),
        LegendSample("arc wrong renamed", f"{above}: other label"),
        LegendSample("arc right", f"{below}: not in {above}"),
        LegendSample("arc right renamed", f"{below}: other label"),
    )
    where = f"{above} above, {below} below" if is_over_words(both) else f"{above} and {below}"
    return GraphDrawing(f"{gold.text} ({where})", both, samples)


def is_over_words(graph: ShownGraph) -> bool:
    """Tell whether a graph is drawn as arcs over words.

    >>> import commonground as cg
    >>> [is_over_words(shown_graph(cg.read(f"example:{name}")[0])) for name in ("dm", "amr")]
    [True, False]
    """
    if any(edge.source == edge.target for edge in graph.edges):
        return False
    anchored = [graph.nodes[edge.source].span is not None for edge in graph.edges]
    if not anchored:
        anchored = [node.span is not None for node in graph.nodes]
    return bool(graph.words) and 2 * sum(anchored) > len(anchored)


class _Columns(NamedTuple):
    """The columns, and that of each node."""

    columns: list[WordColumn]
    place: list[int]


def _columns(graph: ShownGraph) -> _Columns:
    covered = [_words(graph, node) for node in graph.nodes]
    used = [words[0] for words in covered if words]
    one_each = len(set(used)) == len(used) and all(len(words) <= 1 for words in covered)
    # (where it begins, words before what stands on them, the node or None, the word)
    items: list[tuple[float, int, int | None, int | None]] = []
    if one_each:
        node_of = {words[0]: node for node, words in enumerate(covered) if words}
        items = [(start, 0, node_of.get(word), word) for word, (start, _) in enumerate(graph.words)]
    else:
        items = [
            (node.span[0], -node.span[1], number, None)
            for number, node in enumerate(graph.nodes)
            if node.span is not None
        ]
    beside = _beside(graph)
    there = {node for _, _, node, _ in items if node is not None}
    items += [
        (beside[number], 1, number, None)
        for number in range(len(graph.nodes))
        if number not in there
    ]
    items.sort(key=lambda item: (item[0], item[1], item[2] or 0))
    columns, place = [], [0] * len(graph.nodes)
    for number, (_, _, node, word) in enumerate(items):
        form = None
        if word is not None:
            start, end = graph.words[word]
            form = graph.text[start:end]
        if node is not None:
            place[node] = number
        columns.append(_column(form, None if node is None else graph.nodes[node], str(number + 1)))
    return _Columns(columns, place)


def _words(graph: ShownGraph, node: ShownNode) -> list[int]:
    if node.span is None:
        return []
    first, last = node.span
    return [word for word, (a, b) in enumerate(graph.words) if a < last and first < b]


def _beside(graph: ShownGraph) -> list[float]:
    """Return where nodes without words stand: behind the first one that they have an edge with."""
    place = [float(node.span[0]) if node.span else -1.0 for node in graph.nodes]
    for _ in range(2):
        for edge in graph.edges:
            for one, other in ((edge.source, edge.target), (edge.target, edge.source)):
                if place[one] < 0 <= place[other]:
                    place[one] = place[other] + 0.5
    return place


def _column(form: str | None, node: ShownNode | None, number: str) -> WordColumn:
    """Return a word with the label of its node below it, or a node with its text."""
    if node is None:
        return WordColumn((shown(form or ""),), number)
    first = form if form is not None else node.title or node.name
    second = node.label if form is not None else node.text if node.label else ""
    side = node.kind if node.kind in ("wrong", "right") else ""
    if node.span is None and not side:
        side = "trace"
    texts = [shown(first), shown(second), *map(shown, node.constants)]
    kinds = [side if form is None else "", side, *([""] * len(node.constants))]
    if node.kind.endswith("renamed"):
        kinds[1 if form is not None else 0] = "wrong"
        texts.append(shown(node.other))
        kinds.append("right")
    while len(texts) > 1 and not texts[-1]:
        texts.pop()
        kinds.pop()
    return WordColumn(tuple(texts), number, tuple(kinds))


def _arcs(graph: ShownGraph, place: Sequence[int]) -> tuple[list[DrawnArc], list[DrawnArc]]:
    above: list[DrawnArc] = []
    below: list[DrawnArc] = []
    for edge in graph.edges:
        arc = DrawnArc(place[edge.source], place[edge.target], shown(edge.label), edge.kind)
        (below if edge.kind == "right" else above).append(arc)
        if edge.kind == "wrong renamed":
            below.append(arc._replace(label=shown(edge.other), kind="right renamed"))
    for number, node in enumerate(graph.nodes):
        if node.top:
            arc = DrawnArc(ROOT, place[number], TOP, node.top_kind)
            (below if node.top_kind == "right" else above).append(arc)
    return above, below

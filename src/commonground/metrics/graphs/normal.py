"""Graphs as they are compared: in lower case, inverted edges turned round, anchors as characters.

These are the conventions of mtool, the scorer of the shared tasks on meaning representations
(Oepen et al. 2019, 2020).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from commonground.corpus import Graphs

__all__ = ["NormalGraph", "normal_graphs", "turned"]

_MARKS = frozenset(".?!;,:“\"”‘'’()[]{} \t\n\f")
_BLANKS = frozenset(" \t\n\f")
_DEFAULTS = {("remote", "false"), ("effective", "false"), ("member", "false")}
_NOT_SCORED = frozenset({"normal", "anchors"})

Place = tuple[int, ...] | tuple[tuple[int, int], ...]


@dataclass(slots=True)
class NormalGraph:
    """One graph: sets of pieces; nodes are numbers in the graph.

    `spans` has the pieces of text of each node without punctuation around them, `places` the
    characters in them (or the spans, where there is no text); None where there is no anchor.
    """

    labels: list[str] = field(default_factory=list)
    tops: set[int] = field(default_factory=set)
    properties: set[tuple[int, str, str]] = field(default_factory=set)
    spans: list[tuple[tuple[int, int], ...] | None] = field(default_factory=list)
    places: list[Place | None] = field(default_factory=list)
    edges: set[tuple[int, int, str]] = field(default_factory=set)
    attributes: set[tuple[int, int, str, str, str]] = field(default_factory=set)


def turned(source: int, target: int, label: str, normal: str) -> tuple[int, int, str]:
    """Return an edge in the direction of its role: ``ARG0-of`` turned round, ``mod`` as ``domain``.

    >>> turned(0, 1, "ARG0-of", ""), turned(0, 1, "mod", ""), turned(0, 1, "prep-out-of", "")
    ((1, 0, 'ARG0'), (1, 0, 'domain'), (0, 1, 'prep-out-of'))
    """
    if not normal and label == "mod":
        normal = "domain"
    elif not normal and (
        label.endswith("-of-of") or (label.endswith("-of") and not label.startswith("prep-"))
    ):
        normal = label[:-3]
    return (target, source, normal) if normal else (source, target, label)


def normal_graphs(corpus: Graphs) -> list[NormalGraph]:
    """Return all graphs of a corpus as they are compared."""
    graphs = [NormalGraph() for _ in range(len(corpus))]
    texts = corpus.metadata("text").tolist()
    for graph, (start, end) in zip(graphs, pairwise(corpus.nodes.offsets.tolist()), strict=True):
        graph.labels = corpus.label[start:end].map(str.lower).tolist()
        tops = corpus.nodes.numbers("top")[start:end].tolist()
        graph.tops = {node for node, top in enumerate(tops) if top}
    _add_properties(corpus, graphs)
    _add_edges(corpus, graphs)
    _add_anchors(corpus, graphs, texts)
    return graphs


def _add_properties(corpus: Graphs, graphs: list[NormalGraph]) -> None:
    table = corpus.properties
    columns = (
        table.sentence_of_row().tolist(),
        table.numbers("node").tolist(),
        table.strings("name").map(str.lower).tolist(),
        table.strings("value").map(str.lower).tolist(),
    )
    for sentence, node, name, value in zip(*columns, strict=True):
        graphs[sentence].properties.add((node, name, value))


def _add_edges(corpus: Graphs, graphs: list[NormalGraph]) -> None:
    table, edges = corpus.attributes, corpus.edges
    rows = (edges.offsets[table.sentence_of_row()] + table.numbers("edge")).tolist()
    said: dict[int, list[tuple[str, str]]] = {}
    pairs = zip(table.strings("name").tolist(), table.strings("value").tolist(), strict=True)
    for row, pair in zip(rows, pairs, strict=True):
        said.setdefault(row, []).append(pair)
    columns = (
        edges.sentence_of_row().tolist(),
        edges.numbers("source").tolist(),
        edges.numbers("target").tolist(),
        edges.strings("label").tolist(),
    )
    for row, (sentence, begin, end, name) in enumerate(zip(*columns, strict=True)):
        own = said.get(row, [])
        normal = next((value for key, value in own if key == "normal"), "")
        source, target, role = turned(begin, end, name, normal)
        label = role.lower()
        graphs[sentence].edges.add((source, target, label))
        for key, value in own:
            pair = key.lower(), value.lower()
            if key not in _NOT_SCORED and pair not in _DEFAULTS:
                graphs[sentence].attributes.add((source, target, label, *pair))


def _add_anchors(corpus: Graphs, graphs: list[NormalGraph], texts: list[str]) -> None:
    table = corpus.anchors
    given: dict[tuple[int, int], list[tuple[int, int]]] = {}
    columns = (
        table.sentence_of_row().tolist(),
        *(table.numbers(name).tolist() for name in ("node", "start", "end")),
    )
    for sentence, node, start, end in zip(*columns, strict=True):
        given.setdefault((sentence, node), []).append((start, end))
    for sentence, graph in enumerate(graphs):
        text = "" if texts[sentence] == "_" else texts[sentence]
        for node in range(len(graph.labels)):
            spans = given.get((sentence, node))
            graph.spans.append(None if spans is None else _trimmed(spans, text))
            graph.places.append(_characters(graph.spans[-1], text))


def _trimmed(spans: list[tuple[int, int]], text: str) -> tuple[tuple[int, int], ...]:
    """Return spans put together where they touch, without punctuation around them."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        elif end > start:
            joined.append((start, end))
    return tuple(_inside(text, *span) for span in joined) if text else tuple(joined)


def _inside(text: str, start: int, end: int) -> tuple[int, int]:
    start, end = max(start, 0), min(end, len(text))
    while start < end and text[start] in _MARKS:
        start += 1
    while end > start and text[end - 1] in _MARKS:
        end -= 1
    return start, end


def _characters(spans: tuple[tuple[int, int], ...] | None, text: str) -> Place | None:
    if spans is None or not text:
        return spans
    return tuple(
        sorted({i for start, end in spans for i in range(start, end) if text[i] not in _BLANKS})
    )

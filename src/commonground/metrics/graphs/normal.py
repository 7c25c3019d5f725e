"""Graphs as they are compared: in lower case, inverted edges turned round, anchors as characters.

These are the conventions of mtool, the scorer of the shared tasks on meaning representations
(Oepen et al. 2019, 2020). Everything is in columns, over all graphs at once; texts and places are
numbers of one vocabulary for both sides, so that what is the same has the same number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Graphs
from commonground.corpus.strings import Vocabulary
from commonground.metrics.graphs.keys import first_rows, packed

__all__ = ["NOTHING", "Codes", "Edges", "NormalGraphs", "Properties", "normal_graphs", "turned"]

Numbers = NDArray[np.int64]

_MARKS = frozenset(".?!;,:“\"”‘'’()[]{} \t\n\f")
_BLANKS = frozenset(" \t\n\f")
_DEFAULTS = {("remote", "false"), ("effective", "false"), ("member", "false")}
_NOT_SCORED = frozenset({"normal", "anchors"})

NOTHING = 0
"""The number of the empty text."""

Place = tuple[int, ...] | tuple[tuple[int, int], ...]


class Codes:
    """The numbers of texts and of places in the text, the same for both sides; ``()`` is place 0.

    A place is a row of characters, or of pieces of text where the text is not known.
    """

    def __init__(self) -> None:
        self.texts = Vocabulary({"": NOTHING})
        self.places: dict[Place, int] = {(): 0}

    def mapped(self, function: Callable[[str], str]) -> Numbers:
        """Return for each text so far the number of what a function makes of it."""
        return np.array([self.texts[function(text)] for text in tuple(self.texts)], np.int64)

    def place(self, place: Place | None) -> int:
        """Return the number of a place, -1 if there is none."""
        return -1 if place is None else self.places.setdefault(place, len(self.places))


class Properties(NamedTuple):
    """Properties of nodes, each once: the node (counted through all graphs), name and value."""

    node: Numbers
    name: Numbers
    value: Numbers


class Edges(NamedTuple):
    """Edges, each once: source and target (counted through all graphs), and label."""

    source: Numbers
    target: Numbers
    label: Numbers


@dataclass(frozen=True, slots=True)
class NormalGraphs:
    """The graphs of one side; nodes are counted through all graphs, from ``offsets`` on.

    ``span`` is the number of the pieces of text of each node without punctuation around them,
    ``place`` that of the characters in them, -1 where a node has no anchor. Attributes belong to
    the edge at a row of ``edges``.
    """

    offsets: Numbers
    label: Numbers
    top: NDArray[np.bool_]
    properties: Properties
    span: Numbers
    place: Numbers
    edges: Edges
    attribute_edge: Numbers
    attribute_name: Numbers
    attribute_value: Numbers

    @property
    def graph(self) -> Numbers:
        """The graph of each node."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


def turned(source: int, target: int, label: str, normal: str) -> tuple[int, int, str]:
    """Return an edge in the direction of its role: ``ARG0-of`` turned round, ``mod`` as ``domain``.

    >>> turned(0, 1, "ARG0-of", ""), turned(0, 1, "mod", ""), turned(0, 1, "prep-out-of", "")
    ((1, 0, 'ARG0'), (1, 0, 'domain'), (0, 1, 'prep-out-of'))
    """
    normal = normal or _opposite(label)
    return (target, source, normal) if normal else (source, target, label)


def _opposite(label: str) -> str:
    if label == "mod":
        return "domain"
    inverted = label.endswith("-of-of") or (label.endswith("-of") and label[:5] != "prep-")
    return label[:-3] if inverted else ""


def normal_graphs(corpus: Graphs, codes: Codes) -> NormalGraphs:
    """Return all graphs of a corpus as they are compared; `codes` grow by what they lack."""
    offsets = corpus.nodes.offsets.astype(np.int64)
    edges, rows = _edges(corpus, offsets, codes)
    span, place = _anchors(corpus, offsets, codes)
    return NormalGraphs(
        offsets,
        corpus.label.map(str.lower).codes_in(codes.texts).astype(np.int64),
        corpus.nodes.numbers("top") != 0,
        _properties(corpus, offsets, codes),
        span,
        place,
        edges,
        *_attributes(corpus, rows, codes),
    )


def _properties(corpus: Graphs, offsets: Numbers, codes: Codes) -> Properties:
    table = corpus.properties
    # What begins with # says which words a node stands for, as AMR's alignments do; the sort of a
    # variable of DMRS is part of its name in EDS.
    about = table.strings("name").where(lambda name: name[:1] == "#" or name == "cvarsort")
    kept = np.flatnonzero(~about)
    node = offsets[table.sentence_of_row()] + table.numbers("node")
    name, value = (
        table.strings(each).map(str.lower).codes_in(codes.texts).astype(np.int64)
        for each in ("name", "value")
    )
    columns = [each[kept] for each in (node, name, value)]
    once = first_rows(packed(columns))
    return Properties(*(each[once] for each in columns))


def _edges(corpus: Graphs, offsets: Numbers, codes: Codes) -> tuple[Edges, Numbers]:
    """Return the edges, each once, and for each row of the corpus the row here."""
    table, edges = corpus.attributes, corpus.edges
    label = edges.strings("label")
    role = label.map(lambda text: (_opposite(text) or text).lower()).codes_in(codes.texts)
    turn = label.where(lambda text: bool(_opposite(text)))
    normal = np.flatnonzero(table.strings("name") == "normal")[::-1]
    rows = (edges.offsets[table.sentence_of_row()[normal]] + table.numbers("edge")[normal]).astype(
        np.int64
    )
    value = table.strings("value")[normal]
    said = value != ""
    role = role.astype(np.int64)
    role[rows[said]] = value[said].map(str.lower).codes_in(codes.texts)
    turn[rows[said]] = True
    first = offsets[edges.sentence_of_row()]
    begin, end = first + edges.numbers("source"), first + edges.numbers("target")
    columns = [np.where(turn, end, begin), np.where(turn, begin, end), role]
    keys = packed(columns)
    once = first_rows(keys)
    place = np.argsort(keys[once])
    row_of = place[np.searchsorted(keys[once], keys, sorter=place)] if len(keys) else keys
    return Edges(*(each[once] for each in columns)), row_of


def _attributes(corpus: Graphs, row_of: Numbers, codes: Codes) -> tuple[Numbers, ...]:
    table = corpus.attributes
    said = table.strings("name")
    kept = ~said.where(lambda name: name in _NOT_SCORED or name.startswith("#"))
    name, value = said.map(str.lower), table.strings("value").map(str.lower)
    for key, default in _DEFAULTS:
        kept &= ~((name == key) & (value == default))
    rows = corpus.edges.offsets[table.sentence_of_row()] + table.numbers("edge")
    columns = [
        row_of[rows[kept]],
        name[kept].codes_in(codes.texts).astype(np.int64),
        value[kept].codes_in(codes.texts).astype(np.int64),
    ]
    once = first_rows(packed(columns))
    return tuple(each[once] for each in columns)


def _anchors(corpus: Graphs, offsets: Numbers, codes: Codes) -> tuple[Numbers, Numbers]:
    table = corpus.anchors
    span, place = (np.full(corpus.nodes.rows, -1, np.int64) for _ in range(2))
    if not table.rows:
        return span, place
    sentence = table.sentence_of_row()
    texts = ["" if text == "_" else text for text in corpus.metadata("text").tolist()]
    given: dict[int, list[tuple[int, int]]] = {}
    columns = (
        (offsets[sentence] + table.numbers("node")).tolist(),
        table.numbers("start").tolist(),
        table.numbers("end").tolist(),
    )
    for node, start, end in zip(*columns, strict=True):
        given.setdefault(node, []).append((start, end))
    graph = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)).tolist()
    for node, spans in given.items():
        text = texts[graph[node]]
        pieces = _trimmed(spans, text)
        span[node] = codes.place(pieces)
        place[node] = codes.place(_characters(pieces, text)) if text else span[node]
    return span, place


def _trimmed(spans: Sequence[tuple[int, int]], text: str) -> tuple[tuple[int, int], ...]:
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


def _characters(spans: tuple[tuple[int, int], ...], text: str) -> tuple[int, ...]:
    if len(spans) == 1 and _BLANKS.isdisjoint(text[slice(*spans[0])]):
        return tuple(range(*spans[0]))
    return tuple(
        sorted({i for start, end in spans for i in range(start, end) if text[i] not in _BLANKS})
    )

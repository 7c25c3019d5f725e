"""What metrics of graphs look at: the pieces of both sides, and which of them correspond."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Graphs, Strings, Table
from commonground.corpus.table import offsets_of
from commonground.kernels import load
from commonground.metrics.graphs.normal import NormalGraph, normal_graphs
from commonground.metrics.items import Items, Side
from commonground.metrics.mismatch import equally_many
from commonground.metrics.settings import Settings

__all__ = [
    "COMPONENTS",
    "GraphComparison",
    "Matching",
    "Piece",
    "compared",
    "items_of",
    "matching",
]

Numbers = NDArray[np.int64]

COMPONENTS = ("tops", "labels", "properties", "anchors", "edges", "attributes")


class Piece(NamedTuple):
    """A piece of a graph: its component, a key by which it is compared, and what it says."""

    component: str
    key: object
    text: str


def compared(
    gold: Graphs, system: Graphs, settings: Settings
) -> tuple[GraphComparison, tuple[str, ...]]:
    """Return the comparison of two banks of graphs; no sentence is ever skipped."""
    equally_many(gold, system)
    return GraphComparison(gold, system, settings), ()


class GraphComparison:
    """A gold standard and a parse in graphs, whose sentences are paired by their order."""

    def __init__(self, gold: Graphs, system: Graphs, settings: Settings) -> None:
        self.gold, self.system, self.settings = gold, system, settings
        self._normal: tuple[list[NormalGraph], list[NormalGraph]] | None = None

    @property
    def normal(self) -> tuple[list[NormalGraph], list[NormalGraph]]:
        """The graphs of both sides as they are compared."""
        if self._normal is None:
            self._normal = normal_graphs(self.gold), normal_graphs(self.system)
        return self._normal


def items_of(
    pair: GraphComparison,
    pieces: Callable[[NormalGraph, int, int], Sequence[Piece]],
    further: dict[str, Numbers] | None = None,
) -> Items:
    """Return pieces as items; `pieces` makes those of a graph, given its sentence and its side."""
    sides, corpora = [], []
    found = [
        [pieces(graph, number, side) for number, graph in enumerate(pair.normal[side])]
        for side in (0, 1)
    ]
    for side, corpus in enumerate((pair.gold, pair.system)):
        rows = [piece for graph in found[side] for piece in graph]
        correct = [
            piece.key in others
            for graph, other in zip(found[side], found[1 - side], strict=True)
            for others in ({each.key for each in other},)
            for piece in graph
        ]
        offsets = offsets_of([len(graph) for graph in found[side]])
        table = Table(
            offsets,
            component=Strings.of(piece.component for piece in rows),
            label=Strings.of(piece.text for piece in rows),
        )
        corpora.append(Graphs({**corpus.tables, "pieces": table}))
        every = np.ones(len(rows), np.bool_)
        sentence = table.sentence_of_row()
        sides.append(Side(np.arange(len(rows)), sentence, np.array(correct, np.bool_), every))
    return Items(
        sides[0], sides[1], len(pair.gold), "pieces", further or {}, (corpora[0], corpora[1])
    )


# ── nodes that correspond ────────────────────────────────────────────────────────────────────────

Described = tuple[list[list[str]], list[tuple[int, int, str]]]
"""A graph as it is matched: the features of its nodes, and its edges."""


class Matching(NamedTuple):
    """The partner of each node of each gold graph, what the pairs are worth, and the bound."""

    partners: list[list[int]]
    worth: Numbers
    bound: Numbers


def matching(gold: Sequence[Described], system: Sequence[Described]) -> Matching:
    """Return the best pairs of nodes of graphs, the same for every order of nodes and of sides."""
    ordered = [[_in_order(graph) for graph in graphs] for graphs in (gold, system)]
    first, second, swapped = [], [], []
    for one, two in zip(*ordered, strict=True):
        swap = (len(two[1]), two[2]) < (len(one[1]), one[2])
        swapped.append(swap)
        first.append(two if swap else one)
        second.append(one if swap else two)
    features: dict[str, int] = {}
    labels: dict[str, int] = {}
    sides = _columns(first, features, labels), _columns(second, features, labels)
    weights = np.ones(len(features), np.int32), np.ones(len(labels), np.int32)
    partner, worth, bound, _ = load("graph_matching").best_pairs(*sides, weights)
    partners, start = [], 0
    for one, two, swap in zip(first, second, swapped, strict=True):
        pairs = partner[start : start + len(one[1])].tolist()
        start += len(one[1])
        mine, other = (two, one) if swap else (one, two)
        result = [-1] * len(mine[1])
        for node, partner_of in enumerate(pairs):
            if partner_of >= 0:
                a, b = (partner_of, node) if swap else (node, partner_of)
                result[mine[1][a]] = other[1][b]
        partners.append(result)
    return Matching(partners, worth, bound)


_MIX = (1 << 64) - 1


def _hash(text: str, known: dict[str, int] = {}) -> int:  # noqa: B006  # what was hashed before
    if text not in known:
        if len(known) > 1 << 20:
            known.clear()
        known[text] = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
    return known[text]


def _in_order(graph: Described) -> tuple[Described, list[int], int]:
    """Return a graph with its nodes in an order that does not depend on that of the file.

    Nodes are sorted by what is around them, in two steps along the edges; also returned are the
    numbers that they had, and a number that is the same for graphs with the same content.
    """
    features, edges = graph
    colour = [sum(_hash(each) for each in own) & _MIX for own in features]
    for _ in range(3):
        around = [each * 3 for each in colour]
        for source, target, label in edges:
            code = _hash(label)
            around[source] += (colour[target] ^ code) * 0x9E3779B97F4A7C15 & _MIX
            around[target] += (colour[source] ^ code) * 0xC2B2AE3D27D4EB4F & _MIX
        colour = [(each ^ (each >> 29)) * 0xBF58476D1CE4E5B9 & _MIX for each in around]
    order = sorted(range(len(features)), key=colour.__getitem__)
    place = {node: row for row, node in enumerate(order)}
    turned = sorted((place[source], place[target], label) for source, target, label in edges)
    return ([features[node] for node in order], turned), order, sum(colour) & _MIX


def _columns(
    graphs: Sequence[tuple[Described, list[int], int]],
    features: dict[str, int],
    labels: dict[str, int],
) -> tuple[NDArray[np.generic], ...]:
    nodes = [own for graph in graphs for own in graph[0][0]]
    codes = [sorted(features.setdefault(each, len(features)) for each in own) for own in nodes]
    edges = [
        (source, target, labels.setdefault(label, len(labels)))
        for graph in graphs
        for source, target, label in graph[0][1]
    ]
    ends = np.array(edges, np.int32).reshape(-1, 3).T
    return (
        offsets_of([len(graph[0][0]) for graph in graphs]),
        offsets_of([len(each) for each in codes]),
        np.array([code for each in codes for code in each], np.int32),
        offsets_of([len(graph[0][1]) for graph in graphs]),
        *(np.ascontiguousarray(column) for column in ends),
    )

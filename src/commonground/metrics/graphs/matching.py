"""The best pairs of nodes of two sides, the same for every order of nodes and of sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.table import offsets_of, places_in_runs
from commonground.kernels import load
from commonground.metrics.graphs.keys import joint_codes, packed
from commonground.metrics.graphs.normal import Codes

__all__ = ["Described", "Matching", "matching"]

Numbers = NDArray[np.int64]
Hashes = NDArray[np.uint64]
Side = tuple[NDArray[Any], ...]
Row = tuple[int, NDArray[np.integer] | int, NDArray[np.integer] | int, NDArray[np.integer] | int]


@dataclass
class Described:
    """The graphs of one side as they are matched: features of nodes, and edges.

    A feature, and the label of an edge, is a kind and up to three numbers of texts; those of kind
    `PLACE` are numbers of places. Nodes are counted through all graphs, from ``offsets`` on.
    """

    offsets: Numbers
    features: list[tuple[Numbers, Numbers]] = field(default_factory=list)
    edges: list[tuple[Numbers, Numbers, Numbers]] = field(default_factory=list)

    def add_feature(self, node: Numbers, kind: int, *said: NDArray[np.integer] | int) -> None:
        """Give nodes a feature each."""
        self.features.append((node, _said(len(node), kind, said)))

    def add_edges(
        self, source: Numbers, target: Numbers, kind: int, *said: NDArray[np.integer] | int
    ) -> None:
        """Add edges."""
        self.edges.append((source, target, _said(len(source), kind, said)))


_STEPS = 20_000_000
"""The search for the best pairs of two graphs ends after so many, a second or two; those of AMR in
mtool's data take half a million at most."""

PLACE = 3
"""The kind of features that are places in the text."""


def _said(rows: int, kind: int, said: Sequence[NDArray[np.integer] | int]) -> Numbers:
    result = np.zeros((4, rows), np.int64)
    for row, each in zip(result, (kind, *said), strict=False):
        row[:] = each
    return result


class Matching(NamedTuple):
    """The partner of each gold node (-1: none), what the pairs of each graph are worth, the bound.

    Nodes are counted through all graphs.
    """

    partner: Numbers
    worth: Numbers
    bound: Numbers


class _Joint(NamedTuple):
    """Gold graphs, and after them those of the parse."""

    offsets: Numbers
    feature_node: Numbers
    feature: Numbers
    source: Numbers
    target: Numbers
    label: Numbers


def matching(gold: Described, system: Described, codes: Codes) -> Matching:
    """Return the best pairs of nodes of graphs."""
    joint, features, labels = _joint(gold, system, codes)
    graph = np.repeat(np.arange(len(joint.offsets) - 1), np.diff(joint.offsets))
    colour = _coloured(joint, features, labels)
    order = np.lexsort((colour, graph))
    graphs = len(gold.offsets) - 1
    content = np.zeros(2 * graphs, np.uint64)
    np.add.at(content, graph, colour)
    sizes = np.diff(joint.offsets)
    swap = (sizes[graphs:] < sizes[:graphs]) | (
        (sizes[graphs:] == sizes[:graphs]) & (content[graphs:] < content[:graphs])
    )
    which = np.arange(graphs)
    first, second = which + graphs * swap, which + graphs * ~swap
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order)) - joint.offsets[graph]
    columns = _Columns(joint, order, place, graph)
    weights = np.ones(len(features), np.int32), np.ones(len(labels), np.int32)
    sides = columns.side(first), columns.side(second)
    partner, worth, bound, steps = load("graph_matching").best_pairs(*sides, weights, _STEPS)
    for row in np.flatnonzero((steps == 0) & (bound > 0)).tolist():
        # too large to be searched: nodes whose surroundings are the same are paired in their order
        one, two = (order[_rows(joint.offsets, each[row : row + 1])] for each in (first, second))
        start = int(sides[0][0][row])
        found = _in_order(colour[one], colour[two])
        partner[start : start + len(one)] = found
        worth[row] = _worth(*sides, row, found)
    mine = order[_rows(joint.offsets, first)]
    has = partner >= 0
    mine = mine[has]
    start = np.repeat(joint.offsets[second], sizes[first])[has]
    other = order[start + partner[has]]
    swapped = np.repeat(swap, sizes[first])[has]
    result = np.full(int(gold.offsets[-1]), -1, np.int64)
    result[np.where(swapped, other, mine)] = np.where(swapped, mine, other) - gold.offsets[-1]
    return Matching(result, worth, bound)


def _in_order(one: Hashes, two: Hashes) -> NDArray[np.int32]:
    """Return for each number of a sorted list the place of an equal one in the other, or -1.

    >>> _in_order(np.array([3, 5, 5], np.uint64), np.array([1, 5, 5, 5], np.uint64)).tolist()
    [-1, 1, 2]
    """
    place = np.searchsorted(two, one) + np.arange(len(one)) - np.searchsorted(one, one)
    inside = np.minimum(place, len(two) - 1)
    equal = (place < len(two)) & (two[inside] == one)
    return np.where(equal, place, -1).astype(np.int32)


def _worth(one: Side, two: Side, row: int, partner: NDArray[np.int32]) -> int:
    """Return how many features and edges of one graph are also those of the partners."""
    pieces: list[list[set[Any]]] = []
    for side, names in ((one, partner), (two, np.arange(np.diff(two[0])[row]))):
        offsets, feature_at, feature, edge_at, *ends = side
        counts = np.diff(feature_at[offsets[row] : offsets[row + 1] + 1])
        own = feature[feature_at[offsets[row]] : feature_at[offsets[row + 1]]]
        source, target, label = (each[edge_at[row] : edge_at[row + 1]] for each in ends)
        node, begin, end = np.repeat(names, counts), names[source], names[target]
        there = (begin >= 0) & (end >= 0)
        said = set(zip(node[node >= 0].tolist(), own[node >= 0].tolist(), strict=True))
        edges = (each[there].tolist() for each in (begin, end, label))
        pieces.append([said, set(zip(*edges, strict=True))])
    return sum(len(a & b) for a, b in zip(*pieces, strict=True))


def _rows(offsets: Numbers, which: Numbers) -> Numbers:
    """Return the rows of some groups, one group after the other."""
    lengths = offsets[which + 1] - offsets[which]
    return np.repeat(offsets[which], lengths) + places_in_runs(lengths)


class _Columns:
    """The graphs of both sides as a kernel takes them, with their nodes in order."""

    def __init__(self, joint: _Joint, order: Numbers, place: Numbers, graph: Numbers) -> None:
        self.offsets, nodes = joint.offsets, len(order)
        row = place[joint.feature_node] + joint.offsets[graph[joint.feature_node]]
        by_row = np.lexsort((joint.feature, row))
        self.feature = joint.feature[by_row].astype(np.int32)
        self.feature_at = offsets_of(np.bincount(row, minlength=nodes))
        of_edge = graph[joint.source]
        by_graph = np.argsort(of_edge, kind="stable")
        self.edge_at = offsets_of(np.bincount(of_edge, minlength=len(joint.offsets) - 1))
        self.ends = [
            each[by_graph].astype(np.int32)
            for each in (place[joint.source], place[joint.target], joint.label)
        ]

    def side(self, which: Numbers) -> Side:
        """Return the columns of some graphs."""
        nodes, edges = _rows(self.offsets, which), _rows(self.edge_at, which)
        return (
            offsets_of(np.diff(self.offsets)[which]),
            offsets_of(np.diff(self.feature_at)[nodes]),
            self.feature[_rows(self.feature_at, nodes)],
            offsets_of(np.diff(self.edge_at)[which]),
            *(each[edges] for each in self.ends),
        )


def _joint(gold: Described, system: Described, codes: Codes) -> tuple[_Joint, Hashes, Hashes]:
    """Return both sides together, with numbers for features and labels, and their hashes."""
    nodes = int(gold.offsets[-1])
    features = [
        (node + nodes * k, said) for k, s in enumerate((gold, system)) for node, said in s.features
    ]
    edges = [
        (source + nodes * k, target + nodes * k, said)
        for k, s in enumerate((gold, system))
        for source, target, said in s.edges
    ]
    said, named = (
        np.concatenate([each[-1] for each in rows], axis=1) for rows in (features, edges)
    )
    feature, first = joint_codes(packed(list(said)))
    label, first_label = joint_codes(packed(list(named)))
    columns = _Joint(
        np.concatenate([gold.offsets, system.offsets[1:] + nodes]),
        np.concatenate([each[0] for each in features]),
        feature,
        np.concatenate([each[0] for each in edges]),
        np.concatenate([each[1] for each in edges]),
        label,
    )
    texts = np.array([_hash(text) for text in codes.texts], np.uint64)
    places = np.array([hash(place) & _MASK for place in codes.places], np.uint64)
    return (
        columns,
        _hashed(said[:, first], texts, places),
        _hashed(named[:, first_label], texts, places),
    )


_MASK = (1 << 64) - 1
_MIX = tuple(
    np.uint64(each)
    for each in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)


def _hash(text: str, known: dict[str, int] = {}) -> int:  # noqa: B006  # what was hashed before
    if text not in known:
        if len(known) > 1 << 20:
            known.clear()
        known[text] = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
    return known[text]


def _hashed(said: Numbers, texts: Hashes, places: Hashes) -> Hashes:
    """Return numbers for features or labels that depend only on what they say."""
    result = (said[0].astype(np.uint64) + np.uint64(1)) * _MIX[0]
    for row, factor in zip(said[1:], _MIX[1:], strict=True):
        own = np.where(
            said[0] == PLACE,
            places[np.minimum(row, len(places) - 1)],
            texts[np.minimum(row, len(texts) - 1)],
        )
        result = _stirred(result + own * factor)
    return result


def _stirred(values: Hashes) -> Hashes:
    return (values ^ (values >> np.uint64(29))) * _MIX[2]


def _coloured(joint: _Joint, features: Hashes, labels: Hashes) -> Hashes:
    """Return a number for each node that depends on what is around it, in three steps along edges.

    Nodes are sorted by it, so that their order does not depend on that of the file.
    """
    colour = np.zeros(int(joint.offsets[-1]), np.uint64)
    np.add.at(colour, joint.feature_node, features[joint.feature])
    code = labels[joint.label]
    for _ in range(3):
        around = colour * np.uint64(3)
        np.add.at(around, joint.source, (colour[joint.target] ^ code) * _MIX[0])
        np.add.at(around, joint.target, (colour[joint.source] ^ code) * _MIX[1])
        colour = _stirred(around)
    return colour

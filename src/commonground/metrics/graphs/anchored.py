"""EDM and UCCA: pieces of graphs whose nodes are known by the text they stand for.

EDM counts names, arguments, properties and tops; UCCA edges between the yields of nodes, primary
ones and remote ones. Equal pieces of one graph count once. Counts are those of mtool.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.metrics.graphs.comparison import (
    GraphComparison,
    Pieces,
    items_of,
    of_components,
)
from commonground.metrics.graphs.normal import NOTHING, NormalGraphs
from commonground.metrics.items import Items
from commonground.metrics.metric import Metric
from commonground.metrics.once_per_comparison import once_per_comparison

__all__ = ["METRICS"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

_EDM = ("names", "arguments", "properties", "tops")


@once_per_comparison
def _every_edm(pair: GraphComparison) -> Items:
    """Count names, arguments, properties and tops; nodes are known by their characters."""
    sides, (gold, system) = [], pair.normal
    top = pair.codes.texts["top"]
    for graphs in (gold, system):
        pieces, name = Pieces(graphs.graph), np.maximum(graphs.place, 0)
        named, tops = map(np.flatnonzero, (graphs.label != NOTHING, graphs.top))
        label = graphs.label[named]
        pieces.add(0, named, label, name[named], label)
        source, target, label = (each[_are_arguments(pair, graphs)] for each in graphs.edges)
        pieces.add(1, (source, target), label, name[source], name[target], label)
        node, key, value = graphs.properties
        pieces.add(2, node, key, name[node], key, value)
        pieces.add(3, tops, top, name[tops])
        sides.append(pieces)
    return items_of(pair, sides, _EDM)


def _are_arguments(pair: GraphComparison, graphs: NormalGraphs) -> Flags:
    """Return which edges are arguments: not those of DMRS that only say that scopes are equal."""
    dmrs = pair.gold.metadata("framework") == "dmrs"
    is_bare = graphs.edges.label == pair.codes.texts["mod"]
    return ~(is_bare & dmrs[graphs.graph[graphs.edges.source]])


def _edm(pair: GraphComparison, parts: Sequence[str] = _EDM) -> Items:
    items = _every_edm(pair)
    return items if parts == _EDM else of_components(items, parts)


@once_per_comparison
def _yields(pair: GraphComparison) -> tuple[tuple[Numbers, Flags], ...]:
    """Return for each side the numbers of what is below the nodes, and which edges are remote."""
    known: dict[frozenset[Any], int] = {}
    remote = pair.codes.texts["remote"]
    places = list(pair.codes.places)
    sides = []
    for graphs in pair.normal:
        distant = np.zeros(len(graphs.edges.source), np.bool_)
        distant[graphs.attribute_edge[graphs.attribute_name == remote]] = True
        own = [places[max(place, 0)] for place in graphs.place.tolist()]
        ends = (graphs.edges.source[~distant].tolist(), graphs.edges.target[~distant].tolist())
        below = _below(own, *ends)
        numbers = [known.setdefault(each, len(known)) for each in below]
        sides.append((np.array(numbers, np.int64), distant))
    return tuple(sides)


def _below(own: Sequence[Any], source: list[int], target: list[int]) -> list[frozenset[Any]]:
    """Return what is below each node, itself included.

    >>> _below([(), (1,), (2, 3)], [0, 0], [1, 2])[0] == {1, 2, 3}
    True
    """
    below: list[set[Any]] = [set(each) for each in own]
    parents: list[list[int]] = [[] for _ in own]
    for parent, child in zip(source, target, strict=True):
        parents[child].append(parent)
    waiting = [node for node, each in enumerate(below) if each]
    while waiting:
        node = waiting.pop()
        for parent in parents[node]:
            size = len(below[parent])
            below[parent] |= below[node]
            if len(below[parent]) > size:
                waiting.append(parent)
    return [frozenset(each) for each in below]


def _ucca(pair: GraphComparison, *, remote: bool, labelled: bool) -> Items:
    """Count edges between yields: the primary ones, or the remote ones."""
    sides = []
    for graphs, (name, distant) in zip(pair.normal, _yields(pair), strict=True):
        source, target, label = (each[distant == remote] for each in graphs.edges)
        pieces, key = Pieces(graphs.graph), label if labelled else 0
        pieces.add(0, (source, target), label, name[source], name[target], key)
        sides.append(pieces)
    return items_of(pair, sides, ("edges",))


_DRIDAN = "From: Dridan & Oepen (2011), Parser evaluation using elementary dependency matching."
_HERSHCOVICH = (
    "From: Hershcovich et al. (2019), SemEval-2019 Task 1: Cross-lingual Semantic Parsing."
)
_EXAMPLE = (
    "Example: gold ARG1(sing, birds) and the top sing, parse ARG2(sing, birds) and the top sing: "
)


METRICS = (
    *(
        Metric(
            f"edm_{part}",
            f"EDM {part}",
            partial(_edm, parts=_EDM if part == "all" else (part,)),
            f"F1 of {'all pieces' if part == 'all' else part} of elementary dependencies; nodes "
            f"are known by their characters.\n{_DRIDAN}\n{_EXAMPLE}"
            + {"all": "3 of 4 are right, 0.75", "arguments": "0"}.get(part, "all are right, 1")
            + ".",
        )
        for part in ("all", *_EDM)
    ),
    *(
        Metric(
            f"ucca_{kind}{'' if labelled else '_unlabelled'}",
            f"UCCA {kind}{'' if labelled else ' unl.'}",
            partial(_ucca, remote=kind == "remote", labelled=labelled),
            f"F1 of the {'' if labelled else 'un'}labelled {kind} edges between yields.\n"
            f"{_HERSHCOVICH}\nExample: gold and parse have one {kind} edge, with the same yields "
            f"and other labels: {0 if labelled else 1}.",
        )
        for kind in ("primary", "remote")
        for labelled in (True, False)
    ),
)

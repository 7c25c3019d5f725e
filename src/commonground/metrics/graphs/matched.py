"""MRP and Smatch: how much of two graphs is the same if their nodes are paired in the best way?

Nodes are paired so that as many pieces as possible are equal: tops, labels, properties, anchors,
edges and attributes of edges (MRP), or concepts, constants, the top and relations (Smatch). The
best pairs are found and proven (``kernels/graph_matching.py``); where that takes too many steps,
the column ``open`` counts the pieces that better pairs could still gain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Graphs
from commonground.metrics.graphs.comparison import (
    COMPONENTS,
    GraphComparison,
    Pieces,
    items_of,
    of_components,
)
from commonground.metrics.graphs.keys import first_rows, packed
from commonground.metrics.graphs.matching import PLACE, Described, Matching, matching
from commonground.metrics.graphs.normal import NOTHING, NormalGraphs, Properties
from commonground.metrics.items import Items
from commonground.metrics.metric import Metric, f1, precision, recall
from commonground.metrics.once_per_comparison import once_per_comparison
from commonground.metrics.settings import Settings

__all__ = ["METRICS", "mrp", "node_pairs", "smatch"]

Numbers = NDArray[np.int64]

_TOPS, _LABELS, _PROPERTIES, _ANCHORS, _EDGES, _ATTRIBUTES = range(6)
_LABEL, _TOP, _PROPERTY = range(3)
_EDGE, _ATTRIBUTE = range(2)


def _described(graphs: NormalGraphs) -> Described:
    result = Described(graphs.offsets)
    nodes = np.arange(len(graphs.label))
    named, placed = graphs.label != NOTHING, graphs.place >= 0
    result.add_feature(nodes[named], _LABEL, graphs.label[named])
    result.add_feature(nodes[graphs.top], _TOP)
    result.add_feature(graphs.properties.node, _PROPERTY, *graphs.properties[1:])
    result.add_feature(nodes[placed], PLACE, graphs.place[placed])
    result.add_edges(*graphs.edges[:2], _EDGE, graphs.edges.label)
    source, target, label = (each[graphs.attribute_edge] for each in graphs.edges)
    said = graphs.attribute_name, graphs.attribute_value
    result.add_edges(source, target, _ATTRIBUTE, label, *said)
    return result


@once_per_comparison
def _mrp_pairs(pair: GraphComparison) -> Matching:
    gold, system = map(_described, pair.normal)
    return matching(gold, system, pair.codes)


def _constant(text: str) -> str:
    """Return a constant as Smatch compares it: without the quotes that texts have in PENMAN."""
    return text.strip('"').rstrip("_")


@once_per_comparison
def _triples(pair: GraphComparison) -> tuple[NormalGraphs, NormalGraphs]:
    """Return the graphs with labels and constants as Smatch compares them."""
    gold, system = pair.normal
    labels = pair.codes.mapped(lambda text: text.rstrip("_"))
    constants = pair.codes.mapped(_constant)[: len(labels)]

    def smoothed(graphs: NormalGraphs) -> NormalGraphs:
        node, name, value = graphs.properties
        columns = [node, name, constants[value]]
        once = first_rows(packed(columns))
        properties = Properties(*(each[once] for each in columns))
        return replace(graphs, label=labels[graphs.label], properties=properties)

    return smoothed(gold), smoothed(system)


def _triples_described(graphs: NormalGraphs) -> Described:
    result = Described(graphs.offsets)
    nodes = np.arange(len(graphs.label))
    result.add_feature(nodes, _LABEL, graphs.label)
    result.add_feature(nodes[graphs.top], _TOP)
    result.add_feature(graphs.properties.node, _PROPERTY, *graphs.properties[1:])
    result.add_edges(*graphs.edges[:2], _EDGE, graphs.edges.label)
    return result


@once_per_comparison
def _smatch_pairs(pair: GraphComparison) -> Matching:
    gold, system = map(_triples_described, _triples(pair))
    return matching(gold, system, pair.codes)


def _names(found: Matching, gold: NormalGraphs, system: NormalGraphs) -> tuple[Numbers, Numbers]:
    """Return the number of each node among those of its gold graph; others have higher ones."""
    of_gold, of_system = (
        np.arange(len(each.label)) - each.offsets[each.graph] for each in (gold, system)
    )
    names = of_system + np.diff(gold.offsets)[system.graph]
    paired = np.flatnonzero(found.partner >= 0)
    names[found.partner[paired]] = of_gold[paired]
    return of_gold, names


def _pieces(graphs: NormalGraphs, name: Numbers, top: int) -> Pieces:
    """Return the pieces of graphs: those that MRP and Smatch share."""
    result, tops = Pieces(graphs.graph), np.flatnonzero(graphs.top)
    result.add(_TOPS, tops, top, name[tops])
    node, key, value = graphs.properties
    result.add(_PROPERTIES, node, key, name[node], key, value)
    source, target, label = graphs.edges
    result.add(_EDGES, (source, target), label, name[source], name[target], label)
    return result


@once_per_comparison
def _mrp(pair: GraphComparison) -> Items:
    found, top, anchor = _mrp_pairs(pair), pair.codes.texts["top"], pair.codes.texts["anchor"]
    sides = []
    for graphs, name in zip(pair.normal, _names(found, *pair.normal), strict=True):
        pieces = _pieces(graphs, name, top)
        named, placed = map(np.flatnonzero, (graphs.label != NOTHING, graphs.place >= 0))
        label = graphs.label[named]
        pieces.add(_LABELS, named, label, name[named], label)
        pieces.add(_ANCHORS, placed, anchor, name[placed], graphs.place[placed])
        source, target, label = (each[graphs.attribute_edge] for each in graphs.edges)
        said = graphs.attribute_name, graphs.attribute_value
        ends = name[source], name[target]
        pieces.add(_ATTRIBUTES, (source, target), said[0], *ends, label, *said)
        sides.append(pieces)
    return items_of(pair, sides, COMPONENTS, {"open": found.bound - found.worth})


def mrp(pair: GraphComparison, components: Sequence[str] = COMPONENTS) -> Items:
    """Count the pieces that both graphs have, of some components."""
    items = _mrp(pair)
    return items if components == COMPONENTS else of_components(items, components)


@once_per_comparison
def smatch(pair: GraphComparison) -> Items:
    """Count the triples that both graphs have."""
    found, top = _smatch_pairs(pair), pair.codes.texts["top"]
    sides, both = [], _triples(pair)
    for graphs, name in zip(both, _names(found, *both), strict=True):
        pieces = _pieces(graphs, name, top)
        pieces.add(_LABELS, np.arange(len(name)), graphs.label, name, graphs.label)
        sides.append(pieces)
    return items_of(pair, sides, COMPONENTS, {"open": found.bound - found.worth})


_MRP = "From: Oepen et al. (2019), MRP 2019: Cross-Framework Meaning Representation Parsing."
_SMATCH = "From: Cai & Knight (2013), Smatch: an evaluation metric for semantic feature structures."
_BEST = "Nodes are paired so that most pieces are equal, proven to be the best way."
_FORMULAS = (("precision", "P", precision), ("recall", "R", recall), ("f1", "F1", f1))
_EXAMPLE = (
    "Example: gold (s / sing :ARG0 (b / bird)), parse (s / sing): top and sing are right, 2 of 4 "
    "gold pieces, 2 of 2 of the parse: P 1, R 0.5, F1 0.667."
)

METRICS = (
    *(
        Metric(
            f"mrp_{short}",
            f"MRP {title}",
            mrp,
            f"{title} of all pieces of graphs: tops, labels, properties, anchors, edges and "
            f"attributes. {_BEST}\n{_MRP}\n{_EXAMPLE}",
            formula,
        )
        for short, title, formula in _FORMULAS
    ),
    *(
        Metric(
            f"mrp_{component}" if short == "f1" else f"mrp_{component}_{short}",
            f"MRP {component}" if short == "f1" else f"MRP {component} {title}",
            partial(mrp, components=(component,)),
            f"{title} of the {component} of graphs. {_BEST}\n{_MRP}\n{_EXAMPLE}",
            formula,
        )
        for component in COMPONENTS
        for short, title, formula in _FORMULAS
    ),
    *(
        Metric(
            "smatch" if short == "f1" else f"smatch_{short}",
            "Smatch" if short == "f1" else f"Smatch {title}",
            smatch,
            f"{title} of triples: the concept of each node, constants, the top, and relations, "
            f"each counted once. {_BEST}\n{_SMATCH}\n{_EXAMPLE}",
            formula,
        )
        for short, title, formula in _FORMULAS
    ),
)


def node_pairs(gold: Graphs, system: Graphs) -> list[tuple[int, int]]:
    """Return the pairs of nodes of two graphs under which most of what they say is the same.

    >>> import commonground as cg
    >>> node_pairs(cg.read("example:amr")[:1], cg.read("example:amr-parse")[:1])
    [(0, 0), (1, 1), (2, 2)]
    """
    partner = _mrp_pairs(GraphComparison(gold, system, Settings())).partner
    return [(one, other) for one, other in enumerate(partner.tolist()) if other >= 0]

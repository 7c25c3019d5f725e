"""MRP and Smatch: how much of two graphs is the same if their nodes are paired in the best way?

Nodes are paired so that as many pieces as possible are equal: tops, labels, properties, anchors,
edges and attributes of edges (MRP), or concepts, constants, the top and relations (Smatch). The
best pairs are found and proven (``kernels/graph_matching.py``); where that takes too many steps,
the column ``open`` counts the pieces that better pairs could still gain.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from commonground.metrics.graphs.comparison import (
    COMPONENTS,
    GraphComparison,
    Matching,
    Piece,
    items_of,
    matching,
)
from commonground.metrics.graphs.normal import NormalGraph
from commonground.metrics.items import Items
from commonground.metrics.metric import Metric, f1, precision, recall
from commonground.metrics.once_per_comparison import once_per_comparison

__all__ = ["METRICS", "mrp", "smatch"]


def _described(graph: NormalGraph) -> tuple[list[list[str]], list[tuple[int, int, str]]]:
    features: list[list[str]] = [[f"label {label}"] if label else [] for label in graph.labels]
    for node in graph.tops:
        features[node].append("top")
    for node, name, value in graph.properties:
        features[node].append(f"property {name}\t{value}")
    for node, place in enumerate(graph.places):
        if place is not None:
            features[node].append(f"anchor {place}")
    edges = [(source, target, f"edge {label}") for source, target, label in graph.edges]
    edges += [
        (source, target, f"attribute {label}\t{name}\t{value}")
        for source, target, label, name, value in graph.attributes
    ]
    return features, edges


@once_per_comparison
def _mrp_pairs(pair: GraphComparison) -> Matching:
    return matching(*([_described(graph) for graph in side] for side in pair.normal))


def _constant(text: str) -> str:
    """Return a constant as Smatch compares it: without the quotes that texts have in PENMAN."""
    return text.strip('"').rstrip("_")


def _triples(graph: NormalGraph) -> tuple[list[list[str]], list[tuple[int, int, str]]]:
    features = [[f"instance {label.rstrip('_')}"] for label in graph.labels]
    for node, name, value in graph.properties:
        feature = f"{name}\t{_constant(value)}"
        if feature not in features[node]:
            features[node].append(feature)
    for node in graph.tops:
        features[node].append("top")
    return features, list(graph.edges)


@once_per_comparison
def _smatch_pairs(pair: GraphComparison) -> Matching:
    return matching(*([_triples(graph) for graph in side] for side in pair.normal))


def _names(found: Matching, number: int, side: int, graph: NormalGraph) -> list[int]:
    """Return the number of each node among those of the gold graph; others are below 0."""
    if side == 0:
        return list(range(len(graph.labels)))
    names = [-1 - node for node in range(len(graph.labels))]
    for node, partner in enumerate(found.partners[number]):
        if partner >= 0:
            names[partner] = node
    return names


def mrp(pair: GraphComparison, components: Sequence[str] = COMPONENTS) -> Items:
    """Count the pieces that both graphs have, of some components."""
    found = _mrp_pairs(pair)

    def pieces(graph: NormalGraph, number: int, side: int) -> list[Piece]:
        name = _names(found, number, side, graph)
        every = [Piece("tops", ("top", name[node]), "top") for node in sorted(graph.tops)]
        every += [
            Piece("labels", (name[node], label), label)
            for node, label in enumerate(graph.labels)
            if label
        ]
        every += [
            Piece("properties", (name[node], key, value), key)
            for node, key, value in sorted(graph.properties)
        ]
        every += [
            Piece("anchors", (name[node], place), "anchor")
            for node, place in enumerate(graph.places)
            if place is not None
        ]
        every += [
            Piece("edges", ("edge", name[source], name[target], label), label)
            for source, target, label in sorted(graph.edges)
        ]
        every += [
            Piece("attributes", (name[source], name[target], *said), said[1])
            for source, target, *said in sorted(graph.attributes)
        ]
        return [piece for piece in every if piece.component in components]

    return items_of(pair, pieces, {"open": found.bound - found.worth})


def smatch(pair: GraphComparison) -> Items:
    """Count the triples that both graphs have."""
    found = _smatch_pairs(pair)

    def pieces(graph: NormalGraph, number: int, side: int) -> list[Piece]:
        name = _names(found, number, side, graph)
        features, edges = _triples(graph)
        kinds = {"instance": "labels", "top": "tops"}
        every = [
            Piece(kinds.get(each.partition(" ")[0], "properties"), (name[node], each), each)
            for node, own in enumerate(features)
            for each in own
        ]
        every += [
            Piece("edges", ("edge", name[source], name[target], label), label)
            for source, target, label in sorted(edges)
        ]
        return every

    return items_of(pair, pieces, {"open": found.bound - found.worth})


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
            f"mrp_{component}",
            f"MRP {component}",
            partial(mrp, components=(component,)),
            f"F1 of the {component} of graphs. {_BEST}\n{_MRP}\n{_EXAMPLE}",
            f1,
        )
        for component in COMPONENTS
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

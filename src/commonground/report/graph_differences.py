"""Two graphs of meaning of a sentence as one, in which what only one of them has is marked.

Nodes are paired as the MRP metric pairs them. Nodes and edges of the parse that the gold standard
has not are ``wrong``, those that only the gold standard has ``right``; a pair with two labels is
``wrong renamed``, and `other` is the label in the gold standard.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from commonground.corpus import Sentence
from commonground.metrics.graphs.matched import node_pairs
from commonground.report.shown_graphs import ShownEdge, ShownGraph, ShownNode, shown_graph

__all__ = ["graph_difference"]


def graph_difference(gold: Sentence[Any], system: Sentence[Any]) -> ShownGraph | None:
    """Return both graphs as one; None where the texts are not the same.

    >>> import commonground as cg
    >>> both = graph_difference(*(cg.read(f"example:dm{end}")[1] for end in ("", "-parse")))
    >>> [(both.nodes[e.source].label, e.label, e.kind) for e in both.edges if e.kind != "same"]
    [('see', 'ARG1', 'right')]
    """
    one, two = shown_graph(gold), shown_graph(system)
    if "".join(one.text.split()) != "".join(two.text.split()):
        return None
    anchored = any(node.span for node in (*one.nodes, *two.nodes))
    if anchored and one.text != two.text:  # the same words, otherwise spaced: other places
        return None
    partner = dict(node_pairs(gold.alone, system.alone))
    nodes = [node._replace(kind="wrong", top_kind="wrong" * node.top) for node in two.nodes]
    place = {}
    for number, node in enumerate(one.nodes):
        other = partner.get(number)
        if other is None:
            place[number] = len(nodes)
            nodes.append(node._replace(kind="right", top_kind="right" * node.top))
        else:
            place[number] = other
            nodes[other] = _pair(node, two.nodes[other])
    golden = [
        edge._replace(source=place[edge.source], target=place[edge.target]) for edge in one.edges
    ]
    return ShownGraph(one.text, nodes, _edges(golden, two.edges), one.words)


def _pair(gold: ShownNode, system: ShownNode) -> ShownNode:
    """Return a node that both have; what the parse says stands first."""
    kind, other = "same", ""
    if gold.label != system.label:
        kind, other = "wrong renamed", gold.title
    elif gold.constants != system.constants:
        kind, other = "wrong renamed", ", ".join(gold.constants) or "–"
    top = "same" if gold.top else "wrong"
    return system._replace(
        kind=kind,
        other=other,
        top=gold.top or system.top,
        top_kind="" if not (gold.top or system.top) else top if system.top else "right",
        span=system.span or gold.span,
        text=system.text or gold.text,
    )


def _edges(gold: list[ShownEdge], system: list[ShownEdge]) -> list[ShownEdge]:
    """Return the edges of both: equal ones once, then those with other labels, then the others."""
    left = Counter(gold)
    edges: list[ShownEdge] = []
    rest: list[ShownEdge] = []
    for edge in system:
        if left[edge]:
            left[edge] -= 1
            edges.append(edge._replace(kind="same"))
        else:
            rest.append(edge)
    between: defaultdict[tuple[int, int], list[ShownEdge]] = defaultdict(list)
    for edge in left.elements():
        between[edge.source, edge.target].append(edge)
    for edge in rest:
        others = between[edge.source, edge.target]
        kind = "wrong renamed" if others else "wrong"
        edges.append(edge._replace(kind=kind, other=others.pop(0).label if others else ""))
    edges += (edge._replace(kind="right") for each in between.values() for edge in each)
    return edges

"""SDP, EDM and UCCA: pieces of graphs whose nodes are known by the text they stand for.

SDP counts edges between words, with an edge from nowhere to each top; EDM names, arguments,
properties and tops; UCCA edges between the yields of nodes, primary ones and remote ones. Equal
pieces of one graph count once. Counts are those of mtool.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from commonground.metrics.graphs.comparison import GraphComparison, Piece, items_of
from commonground.metrics.graphs.normal import NormalGraph
from commonground.metrics.items import Items
from commonground.metrics.metric import Metric, Totals, f1, precision, ratio, recall

__all__ = ["METRICS"]


def _once(pieces: Sequence[Piece]) -> list[Piece]:
    return list({piece.key: piece for piece in pieces}.values())


def _sdp(pair: GraphComparison, *, labelled: bool = True, only: str = "") -> Items:
    """Count edges and tops; nodes are known by their spans."""

    def pieces(graph: NormalGraph, _number: int, _side: int) -> list[Piece]:
        names = [each or () for each in graph.spans]
        tops = [Piece("tops", ("top", names[node]), "top") for node in sorted(graph.tops)]
        edges = [
            Piece("edges", (names[source], names[target], label if labelled else ""), label)
            for source, target, label in sorted(graph.edges)
        ]
        return _once({"": tops + edges, "tops": tops}[only])

    items = items_of(pair, pieces)
    counts = items.counts.columns
    same = (counts["correct"] == counts["gold"]) & (counts["gold"] == counts["system"])
    exact = {"exact": same.astype(np.int64), "graphs": np.ones(len(same), np.int64)}
    return Items(items.gold, items.system, items.sentences, items.table, exact, items.corpora)


def _sdp_senses(pair: GraphComparison) -> Items:
    """Count the frames of verbs."""

    def pieces(graph: NormalGraph, _number: int, _side: int) -> list[Piece]:
        names = [each or () for each in graph.spans]
        verbs = {n for n, name, value in graph.properties if name == "pos" and value[:1] == "v"}
        return _once(
            [
                Piece("properties", (names[node], value), value)
                for node, name, value in sorted(graph.properties)
                if name == "frame" and node in verbs and value != "_"
            ]
        )

    return items_of(pair, pieces)


_EDM = ("names", "arguments", "properties", "tops")


def _edm(pair: GraphComparison, parts: Sequence[str] = _EDM) -> Items:
    """Count names, arguments, properties and tops; nodes are known by their characters."""

    def pieces(graph: NormalGraph, _number: int, _side: int) -> list[Piece]:
        names = [each or () for each in graph.places]
        every = [
            Piece("names", ("name", names[node], label), label)
            for node, label in enumerate(graph.labels)
            if label
        ]
        every += [
            Piece("arguments", ("argument", names[source], names[target], label), label)
            for source, target, label in sorted(graph.edges)
        ]
        every += [
            Piece("properties", ("property", names[node], name, value), name)
            for node, name, value in sorted(graph.properties)
        ]
        every += [Piece("tops", ("top", names[node]), "top") for node in sorted(graph.tops)]
        return _once([piece for piece in every if piece.component in parts])

    return items_of(pair, pieces)


def _ucca(pair: GraphComparison, *, remote: bool, labelled: bool) -> Items:
    """Count edges between yields: the primary ones, or the remote ones."""

    def pieces(graph: NormalGraph, _number: int, _side: int) -> list[Piece]:
        distant = {said[:3] for said in graph.attributes if said[3] == "remote"}
        names = _yields(graph, distant)
        return _once(
            [
                Piece(
                    "edges", (names[edge[0]], names[edge[1]], edge[2] if labelled else ""), edge[2]
                )
                for edge in sorted(graph.edges)
                if (edge in distant) == remote
            ]
        )

    return items_of(pair, pieces)


def _yields(graph: NormalGraph, distant: set[Any]) -> list[frozenset[Any]]:
    """Return what is below each node along the edges that are not remote."""
    below: list[set[Any]] = [set(each or ()) for each in graph.places]
    children: list[list[int]] = [[] for _ in below]
    for edge in graph.edges:
        if edge not in distant:
            children[edge[0]].append(edge[1])
    changed = True
    while changed:
        changed = False
        for node in range(len(below) - 1, -1, -1):
            size = len(below[node])
            below[node].update(*(below[child] for child in children[node]))
            changed |= len(below[node]) != size
    return [frozenset(each) for each in below]


def _exact(totals: Totals) -> Any:
    return ratio(totals["exact"], totals["graphs"])


_SDP = "From: Oepen et al. (2014), SemEval 2014 Task 8: Broad-Coverage Semantic Dependency Parsing."
_DRIDAN = "From: Dridan & Oepen (2011), Parser evaluation using elementary dependency matching."
_HERSHCOVICH = (
    "From: Hershcovich et al. (2019), SemEval-2019 Task 1: Cross-lingual Semantic Parsing."
)
_EXAMPLE = (
    "Example: gold ARG1(sing, birds) and the top sing, parse ARG2(sing, birds) and the top sing: "
)


def _three(
    name: str, title: str, items: Callable[..., Items], text: str, example: str
) -> tuple[Metric, ...]:
    formulas = (("precision", "P", precision), ("recall", "R", recall), ("f1", "F1", f1))
    return tuple(
        Metric(f"{name}_{short}", f"{title} {sign}", items, f"{sign} of {text}\n{example}", formula)
        for short, sign, formula in formulas
    )


_LABELLED, _UNLABELLED = partial(_sdp, labelled=True), partial(_sdp, labelled=False)

METRICS = (
    *_three(
        *("sdp", "SDP", _LABELLED, f"labelled edges and tops of semantic dependencies.\n{_SDP}"),
        f"{_EXAMPLE}1 of 2 is right, P, R and F1 are 0.5.",
    ),
    *_three(
        *("sdp_unlabelled", "SDP unl.", _UNLABELLED),
        f"unlabelled edges and tops of semantic dependencies.\n{_SDP}",
        f"{_EXAMPLE}2 of 2 are right, P, R and F1 are 1.",
    ),
    Metric(
        "sdp_exact_match",
        "SDP exact",
        _LABELLED,
        f"The share of graphs with all edges and tops right, and no others.\n{_SDP}\n{_EXAMPLE}0.",
        _exact,
    ),
    Metric(
        "sdp_tops",
        "SDP tops",
        partial(_sdp, only="tops"),
        f"F1 of top nodes.\n{_SDP}\n{_EXAMPLE}1 of 1 is right, 1.",
    ),
    Metric(
        "sdp_senses",
        "SDP senses",
        _sdp_senses,
        f"F1 of the frames of verbs.\n{_SDP}\nExample: gold v:e-i, parse v:e: 0.",
    ),
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

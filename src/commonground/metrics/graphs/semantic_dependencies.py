"""SDP: edges between words, tops, and the predicates of verbs with all their arguments.

Words are known by their anchors, and a top is an edge from nowhere. Counts are those of mtool and
of the toolkit of the tasks (``Scorer``). What that counts for verbs are predicates with all their
arguments (complete predications), and with their frame, too (semantic frames). Arguments are, in
PSD, what has a label in ``-arg``; in PAS, of verbs, adjectives, prepositions and coordination; and
elsewhere everything. A verb is a node whose ``pos`` begins with V and that edges lead from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
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
from commonground.metrics.metric import Metric, Totals, f1, precision, ratio, recall
from commonground.metrics.once_per_comparison import once_per_comparison

__all__ = ["METRICS"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

_TOPS, _EDGES = range(2)
_PAS = frozenset(
    "adj_arg1 adj_arg2 adj_mod coord_arg1 coord_arg2 prep_arg1 prep_arg2 prep_arg3 prep_mod "
    "verb_arg1 verb_arg2 verb_arg3 verb_arg4 verb_mod".split()
)


@once_per_comparison
def _labelled(pair: GraphComparison) -> Items:
    return _edges_and_tops(pair, labelled=True)


@once_per_comparison
def _unlabelled(pair: GraphComparison) -> Items:
    return _edges_and_tops(pair, labelled=False)


def _edges_and_tops(pair: GraphComparison, *, labelled: bool) -> Items:
    """Count edges and tops; nodes are known by their spans."""
    sides, (gold, system) = [], pair.normal
    top = pair.codes.texts["top"]
    for graphs in (gold, system):
        pieces, name = Pieces(graphs.graph), np.maximum(graphs.span, 0)
        tops = np.flatnonzero(graphs.top)
        pieces.add(_TOPS, tops, top, name[tops])
        source, target, label = graphs.edges
        key = label if labelled else 0
        pieces.add(_EDGES, (source, target), label, name[source], name[target], key)
        sides.append(pieces)
    items = items_of(pair, sides, ("tops", "edges"))
    counts = items.counts.columns
    same = (counts["correct"] == counts["gold"]) & (counts["gold"] == counts["system"])
    exact = {"exact": same.astype(np.int64), "graphs": np.ones(len(same), np.int64)}
    return replace(items, further=exact)


def _tops(pair: GraphComparison) -> Items:
    return replace(of_components(_labelled(pair), ("tops",)), further={})


def _of_verbs(pair: GraphComparison, graphs: NormalGraphs) -> tuple[Flags, Numbers]:
    """Return which nodes are verbs, and the frame of each node; the last where it has several."""
    pos, frame, unknown = (pair.codes.texts[each] for each in ("pos", "frame", "_"))
    node, name, value = graphs.properties
    is_verb = np.array([text[:1] == "v" for text in pair.codes.texts])
    verbs = np.zeros(len(graphs.label), np.bool_)
    verbs[node[(name == pos) & is_verb[value]]] = True
    frames = np.full(len(graphs.label), NOTHING)
    framed = (name == frame) & (value != unknown)
    frames[node[framed]] = value[framed]
    return verbs, frames


def _senses(pair: GraphComparison) -> Items:
    """Count the frames of verbs."""
    sides, (gold, system) = [], pair.normal
    for graphs in (gold, system):
        verbs, frames = _of_verbs(pair, graphs)
        node = np.flatnonzero(verbs & (frames != NOTHING))
        pieces, value = Pieces(graphs.graph), frames[node]
        pieces.add(0, node, value, np.maximum(graphs.span, 0)[node], value)
        sides.append(pieces)
    return items_of(pair, sides, ("properties",))


def _predications(pair: GraphComparison, *, with_frames: bool) -> Items:
    """Count the verbs that have all arguments right, and no others, and perhaps the frame."""
    sides, known = [], dict[frozenset[tuple[int, int]], int]()
    gold, system = pair.normal
    framework = pair.gold.metadata("framework").tolist()
    for graphs in (gold, system):
        verbs, frames = _of_verbs(pair, graphs)
        name = np.maximum(graphs.span, 0)
        source, target, label = graphs.edges
        own = verbs[source]
        arguments: dict[int, list[tuple[int, int]]] = {each: [] for each in source[own].tolist()}
        counts = own & _are_arguments(pair, graphs.graph[source], label, framework)
        for verb, end, role in zip(
            *(each[counts].tolist() for each in (source, name[target], label)), strict=True
        ):
            arguments[verb].append((end, role))
        node = np.array(sorted(arguments), np.int64)
        sets = [known.setdefault(frozenset(arguments[n]), len(known)) for n in node.tolist()]
        pieces, frame = Pieces(graphs.graph), frames[node] if with_frames else 0
        pieces.add(0, node, graphs.label[node], name[node], np.array(sets, np.int64), frame)
        sides.append(pieces)
    return items_of(pair, sides, ("predications",))


def _are_arguments(
    pair: GraphComparison, graph: Numbers, label: Numbers, framework: list[str]
) -> Flags:
    """Return which edges lead to arguments, by what the framework of the gold graph says."""
    texts = tuple(pair.codes.texts)
    psd = np.array([text.endswith("-arg") for text in texts], np.bool_)
    pas = np.array([text in _PAS for text in texts], np.bool_)
    kind = np.array([{"psd": 1, "pas": 2}.get(each, 0) for each in framework], np.int64)[graph]
    return (kind == 0) | ((kind == 1) & psd[label]) | ((kind == 2) & pas[label])


def _exact(totals: Totals) -> Any:
    return ratio(totals["exact"], totals["graphs"])


_SDP = "From: Oepen et al. (2014), SemEval 2014 Task 8: Broad-Coverage Semantic Dependency Parsing."
_FRAMES = "From: Oepen et al. (2015), SemEval 2015 Task 18."
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


METRICS = (
    *_three(
        *("sdp", "SDP", _labelled, f"labelled edges and tops of semantic dependencies.\n{_SDP}"),
        f"{_EXAMPLE}1 of 2 is right, P, R and F1 are 0.5.",
    ),
    *_three(
        *("sdp_unlabelled", "SDP unl.", _unlabelled),
        f"unlabelled edges and tops of semantic dependencies.\n{_SDP}",
        f"{_EXAMPLE}2 of 2 are right, P, R and F1 are 1.",
    ),
    *(
        Metric(
            f"sdp_{'' if labelled else 'unlabelled_'}exact_match",
            f"SDP {'' if labelled else 'unl. '}exact",
            _labelled if labelled else _unlabelled,
            f"The share of graphs with all {'labelled' if labelled else 'unlabelled'} edges and "
            f"tops right, and no others.\n{_SDP}\n{_EXAMPLE}{0 if labelled else 1}.",
            _exact,
        )
        for labelled in (True, False)
    ),
    *_three(
        *("sdp_predications", "SDP pred.", partial(_predications, with_frames=False)),
        f"complete predications: verbs with all their arguments, and no others.\n{_FRAMES}",
        f"{_EXAMPLE}the argument of the verb has another label, P, R and F1 are 0.",
    ),
    *_three(
        *("sdp_frames", "SDP frames", partial(_predications, with_frames=True)),
        f"semantic frames: verbs with their frame and all their arguments.\n{_FRAMES}",
        f"{_EXAMPLE}the argument of the verb has another label, P, R and F1 are 0.",
    ),
    Metric(
        "sdp_tops",
        "SDP tops",
        _tops,
        f"F1 of top nodes.\n{_SDP}\n{_EXAMPLE}1 of 1 is right, 1.",
    ),
    Metric(
        "sdp_senses",
        "SDP senses",
        _senses,
        f"F1 of the frames of verbs.\n{_SDP}\nExample: gold v:e-i, parse v:e: 0.",
    ),
)

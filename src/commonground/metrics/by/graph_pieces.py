"""Where the pieces of graphs lie: at which nodes of a pattern, and in which construction.

A piece is said of a node, or of an edge between two. It lies in a match of a pattern if its node,
or both its ends, are named nodes of the match. Each side is searched by itself.

Constructions are patterns (``graph_constructions.toml``), for each framework its own; the first
that a piece lies in counts.
"""

from __future__ import annotations

import tomllib
from functools import cache, partial
from importlib.resources import files
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Graphs, Strings
from commonground.metrics.by.property import Property
from commonground.metrics.settings import Settings
from commonground.patterns.graph import graph_of
from commonground.patterns.nodes import NONE, naming_pattern, node_sets
from commonground.patterns.search import find

__all__ = ["PROPERTIES", "constructions_of_graphs", "pieces_by_pattern"]

Rows = NDArray[np.int64]


def pieces_by_pattern(name: str, text: str) -> Property:
    """Return the property that tells at which nodes of a pattern pieces of graphs lie."""
    return Property(name, f"node of {text}", "pieces", ("graphs",), partial(_nodes, text=text))


def _nodes(corpus: Graphs, _: Settings, text: str) -> Strings:
    """Return the node that a piece is said of, as ``V``, or the ends of its edge, as ``V → N``."""
    pattern = naming_pattern(text)
    matches = find(pattern, corpus)
    rows = {name: matches.rows[name] for name in pattern.names}
    return _placed(corpus, rows)


def _placed(corpus: Graphs, rows: dict[str, Rows]) -> Strings:
    node, end, is_edge = _ends(corpus)
    nodes = corpus.nodes.rows
    keyed = {name: row * (nodes + 1) for name, row in rows.items()}
    for one, two in permutations(rows, 2):
        keyed[f"{one} → {two}"] = rows[one] * (nodes + 1) + rows[two] + 1
    known, sets, which = node_sets(keyed)
    own = node * (nodes + 1) + np.where(is_edge, end + 1, 0)
    place = np.minimum(np.searchsorted(known, own), max(len(known) - 1, 0))
    if not len(known):
        return Strings.constant(NONE, len(own))
    codes = np.where(known[place] == own, which[place] + 1, 0)
    return Strings(codes.astype(np.int32), [NONE, *map("+".join, sets)])


def _ends(corpus: Graphs) -> tuple[Rows, Rows, NDArray[np.bool_]]:
    """Return the nodes of each piece, counted through all graphs, and which pieces are edges."""
    pieces = corpus.tables["pieces"]
    first = corpus.nodes.offsets[pieces.sentence_of_row()]
    node, end = (first + pieces.numbers(each) for each in ("node", "end"))
    edges = pieces.strings("component").where({"edges", "arguments", "attributes"}.__contains__)
    return node.astype(np.int64), end.astype(np.int64), edges


@cache
def constructions_of_graphs() -> dict[str, dict[str, str]]:
    """Return the patterns of constructions, by framework.

    >>> constructions_of_graphs()["dm"]["determiner"]
    'Q -[BV]-> N'
    """
    text = files("commonground.metrics.by").joinpath("graph_constructions.toml").read_text("utf-8")
    found: dict[str, dict[str, str]] = tomllib.loads(text)
    return found


def _construction(corpus: Graphs, _: Settings) -> Strings:
    """Return the construction of each piece, ``–`` where it is in none."""
    graph = graph_of(corpus)
    framework = corpus.metadata("framework")
    pieces = corpus.tables["pieces"]
    own = framework[pieces.sentence_of_row()]
    result = np.zeros(pieces.rows, np.int32)
    names = list(dict.fromkeys(n for each in constructions_of_graphs().values() for n in each))
    for kind in sorted(set(framework.tolist())):
        for name, text in constructions_of_graphs().get(kind, {}).items():
            matches = find(text, graph)
            inside = _placed(corpus, matches.rows) != NONE
            result[(result == 0) & inside & (own == kind)] = names.index(name) + 1
    return Strings(result, [NONE, *names])


PROPERTIES = (Property("construction", "construction", "pieces", ("graphs",), _construction),)

"""Which edges to turn round: where a model and a gold standard disagree, and how often.

Local errors only, as in the thesis (chapter 3): both words within a window of three. An edge of the
parse is counted as *turned* where the gold standard has it the other way round, as *other* where it
has none between the two words, as *same* where it agrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.parsers.dmv.flips import Edge, ParameterFlips
from commonground.parsers.dmv.symbols import Symbols

__all__ = ["WINDOW", "TurnedEdge", "candidates", "chosen", "edge_counts"]

WINDOW = 3
"""How many words a structure has at most."""

Heads = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class TurnedEdge:
    """A kind of edge of the parse: how often the gold standard reverses it, has none, or has it."""

    edge: Edge
    turned: int
    other: int
    same: int


def candidates(
    symbols: Symbols, parse: Heads, gold: Heads, window: int = WINDOW
) -> list[TurnedEdge]:
    """Return the edges of a parse that the gold standard turns, most frequent first.

    >>> codes, offsets = np.array([0, 1], np.int32), np.array([0, 2])
    >>> to_eat = Symbols(("TO", "VB"), codes, offsets, np.arange(2), np.arange(1))
    >>> candidates(to_eat, np.array([0, 1], np.int32), np.array([2, 0], np.int32))
    [TurnedEdge(edge=Edge(left='TO', right='VB', head='left'), turned=1, other=0, same=0)]
    """
    start = np.repeat(symbols.offsets[:-1], symbols.lengths)
    words = np.arange(len(symbols.codes))
    above, gold_above = (np.where(h > 0, h + start - 1, -1) for h in (parse, gold))
    near = (above >= 0) & (np.abs(above - words) < window)
    child, head = words[near], above[near]
    turned, same = gold_above[head] == child, gold_above[child] == head
    by_edge: dict[Edge, list[int]] = {}
    for c, h, t, s in zip(child.tolist(), head.tolist(), turned, same, strict=True):
        edge = _edge(symbols, c, h)
        counts = by_edge.setdefault(edge, [0, 0, 0])
        counts[0 if t else 2 if s else 1] += 1
    rows = [TurnedEdge(edge, *counts) for edge, counts in by_edge.items() if counts[0]]
    return sorted(rows, key=lambda row: (-row.turned, row.edge))


def _edge(symbols: Symbols, child: int, head: int) -> Edge:
    names = (*symbols.tags, "")
    left, right = names[symbols.codes[min(child, head)]], names[symbols.codes[max(child, head)]]
    return Edge(left, right, "left" if head < child else "right")


def chosen(rows: Sequence[TurnedEdge], most: int = 8) -> ParameterFlips:
    """Return the flips that candidates suggest: the edges that are turned more often than not.

    Pairs of a tag with itself are left out: which of two equal tags is the head cannot be told by
    their tags, and turning such edges back and forth leads nowhere.
    """
    good = [
        row
        for row in rows
        if row.turned > row.same and row.edge.left != row.edge.right and row.edge.left
    ]
    edges: list[Edge] = []
    for row in good:
        if row.edge.reversed not in edges:
            edges.append(row.edge)
    return ParameterFlips(tuple(edges[:most]))


def edge_counts(symbols: Symbols, heads: Heads, edge: Edge) -> tuple[int, int]:
    """Return how often trees have an edge between neighbours, and how often its reverse."""
    codes = {tag: code for code, tag in enumerate(symbols.tags)}
    left, right = codes.get(edge.left, -1), codes.get(edge.right, -1)
    start = np.repeat(symbols.offsets[:-1], symbols.lengths)
    above = np.where(heads > 0, heads + start - 1, -1)
    at = np.flatnonzero((symbols.codes[:-1] == left) & (symbols.codes[1:] == right))
    forward = int((above[at + 1] == at).sum())
    backward = int((above[at] == at + 1).sum())
    return (forward, backward) if edge.head == "left" else (backward, forward)

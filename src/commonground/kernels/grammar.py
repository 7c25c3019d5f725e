"""Find the best trees of a weighted grammar in Chomsky normal form, or the best pieces of trees.

This is the plain twin of ``_grammar.pyx``. Symbols are numbers. The rules with the left child l are
those from ``starts[l]`` to before ``starts[l + 1]``, each with the right child, the parent and a
score. The words of a sentence have the symbols from ``leaves[w]`` to before ``leaves[w + 1]``, each
with a score. The best tree over all words is the one that scores most together with what its symbol
has in `top` (:data:`NONE` where it cannot be the top):

    best(p, i, j) = max over rules p → l r and k of  rule + best(l, i, k) + best(r, k, j)

A sentence that has no such tree is covered with pieces: trees of any symbols for which `piece` is
true (and words, whatever their symbols are), as few of them as possible, and among these the ones
that score most. Of ways that score the same, the one is taken that is found first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["LARGEST", "NONE", "best_tree"]

Codes = NDArray[np.int32]
Rules = tuple[Codes, Codes, Codes, Codes]
Cell = dict[int, int]

NONE = -(1 << 30)
LARGEST = 1 << 20
"""The highest score of a rule, a word or the top, and with a minus the lowest one."""

LONGEST = 250
"""No sentence may have more words than this."""


def best_tree(
    rules: Rules,
    leaves: Codes,
    symbol: Codes,
    score: Codes,
    top: Codes,
    piece: NDArray[np.bool_],
) -> Codes:
    """Return the nodes of the best tree, or of the pieces: start, end and symbol of each.

    A node stands before those below it, and left ones before right ones.

    S (2) has NP (0) and VP (1) for children:

    >>> rules = [np.array(column, np.int32) for column in ([0, 1, 1, 1], [1], [2], [-3])]
    >>> leaves, symbol = np.array([0, 1, 2], np.int32), np.array([0, 1], np.int32)
    >>> top = np.array([NONE, NONE, 0], np.int32)
    >>> best_tree(rules, leaves, symbol, symbol, top, np.ones(3, np.bool_)).tolist()
    [[0, 2, 2], [0, 1, 0], [1, 2, 1]]
    """
    checked(rules, leaves, symbol, score, top, piece)
    n = len(leaves) - 1
    if not n:
        return np.empty((0, 3), np.int32)
    lists = [column.tolist() for column in rules]
    chart = _filled(lists, leaves.tolist(), symbol.tolist(), score.tolist())
    goal, most = -1, NONE
    for number, value in chart[0, n].items():
        if top[number] > NONE and value + int(top[number]) > most:
            goal, most = number, value + int(top[number])
    wanted = [(0, n, goal)] if goal >= 0 else _cover(chart, n, piece.tolist())
    nodes: list[tuple[int, int, int]] = []
    left = wanted[::-1]
    while left:
        node = left.pop()
        nodes.append(node)
        if node[1] - node[0] > 1:
            left += _children(lists, chart, *node)[::-1]
    return np.array(nodes, np.int32)


def checked(
    rules: Rules,
    leaves: Codes,
    symbol: Codes,
    score: Codes,
    top: Codes,
    piece: NDArray[np.bool_],
) -> None:
    """Refuse what does not fit together."""
    starts, right, parent, weight = (np.asarray(column) for column in rules)
    symbols = len(top)
    if len(starts) != symbols + 1 or len(piece) != symbols:
        raise ValueError("the columns differ in length")
    if not len(right) == len(parent) == len(weight) == starts[-1] or len(symbol) != len(score):
        raise ValueError("the columns differ in length")
    if starts[0] or (np.diff(starts) < 0).any() or not len(leaves) or leaves[0]:
        raise ValueError("offsets that descend")
    if (np.diff(leaves) < 1).any() or leaves[-1] != len(symbol):
        raise ValueError("a word without symbols")
    if len(leaves) - 1 > LONGEST:
        raise ValueError(f"a sentence of more than {LONGEST} words")
    for column in (right, parent, symbol):
        if len(column) and not 0 <= column.min() <= column.max() < symbols:
            raise ValueError("an unknown symbol")
    for column in (weight, score, top[top > NONE]):
        if len(column) and max(abs(int(column.min())), abs(int(column.max()))) > LARGEST:
            raise ValueError("a score that is too large")


def _filled(
    rules: list[list[int]], leaves: list[int], symbol: list[int], score: list[int]
) -> dict[tuple[int, int], Cell]:
    """Return the best score of each symbol over each span."""
    starts, right, parent, weight = rules
    n = len(leaves) - 1
    chart: dict[tuple[int, int], Cell] = {}
    for w in range(n):
        cell: Cell = {}
        for row in range(leaves[w], leaves[w + 1]):
            cell[symbol[row]] = max(score[row], cell.get(symbol[row], NONE))
        chart[w, w + 1] = cell
    for width in range(2, n + 1):
        for i in range(n - width + 1):
            j = i + width
            cell = {}
            for k in range(i + 1, j):
                beside = chart[k, j]
                for left, value in chart[i, k].items():
                    for rule in range(starts[left], starts[left + 1]):
                        other = beside.get(right[rule])
                        if other is None:
                            continue
                        total = value + other + weight[rule]
                        if total > cell.get(parent[rule], NONE):
                            cell[parent[rule]] = total
            chart[i, j] = cell
    return chart


def _children(
    rules: list[list[int]], chart: dict[tuple[int, int], Cell], i: int, j: int, node: int
) -> list[tuple[int, int, int]]:
    """Return the two nodes that the best one over a span was made of."""
    starts, right, parent, weight = rules
    for k in range(i + 1, j):
        beside = chart[k, j]
        for left, value in chart[i, k].items():
            for rule in range(starts[left], starts[left + 1]):
                if parent[rule] != node or right[rule] not in beside:
                    continue
                if value + beside[right[rule]] + weight[rule] == chart[i, j][node]:
                    return [(i, k, left), (k, j, right[rule])]
    raise AssertionError("a node that was made of nothing")


def _cover(
    chart: dict[tuple[int, int], Cell], n: int, piece: list[bool]
) -> list[tuple[int, int, int]]:
    """Return the fewest pieces that cover all words, of these the best ones."""
    best: list[tuple[int, int]] = [(0, 0)] + [(-(n + 1), 0)] * n
    by: list[tuple[int, int, int]] = [(0, 0, 0)] * (n + 1)
    for j in range(1, n + 1):
        for i in range(j):
            for number, value in chart[i, j].items():
                if j - i > 1 and not piece[number]:
                    continue
                total = (best[i][0] - 1, best[i][1] + value)
                if total > best[j]:
                    best[j], by[j] = total, (i, j, number)
    pieces, end = [], n
    while end:
        pieces.append(by[end])
        end = by[end][0]
    return pieces[::-1]

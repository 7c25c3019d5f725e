"""Find the best trees, crossing arcs allowed: the algorithm of Chu–Liu and Edmonds.

This is the plain twin of ``_arborescence.pyx``. Sentences and arcs are given as for
:mod:`commonground.kernels.eisner`, except that the arcs of a sentence may stand in any order. One
word hangs on ROOT: arcs from ROOT are made worse by more than all other arcs can differ, which
leaves the order of the trees with one such arc as it is. While the best arcs into each word make a
cycle, the cycle becomes one node: an arc into it counts as much as it is worse than the arc that it
replaces. Ties go to the head that stands first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.kernels.checks import arcs_of_words
from commonground.kernels.eisner import LARGEST, LONGEST

__all__ = ["best_trees"]

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]

_NONE = -(1 << 60)


def best_trees(words: Numbers, arcs: Numbers, head: Codes, word: Codes, score: Numbers) -> Codes:
    """Return the head of each word in the best tree, -1 for the words of a sentence without any.

    >>> one = np.array([0, 2]), np.array([0, 4])
    >>> arcs = np.array([0, 0, 1, 2], np.int32), np.array([1, 2, 2, 1], np.int32)
    >>> best_trees(*one, *arcs, np.array([5, 4, 1, 3])).tolist()
    [2, 0]
    """
    checked(words, arcs, head, word, score)
    heads = np.full(int(words[-1]), -1, np.int32)
    for sentence in range(len(words) - 1):
        rows = slice(int(arcs[sentence]), int(arcs[sentence + 1]))
        start, stop = int(words[sentence]), int(words[sentence + 1])
        table = [[_NONE] * (stop - start + 1) for _ in range(stop - start + 1)]
        columns = (head[rows].tolist(), word[rows].tolist(), score[rows].tolist())
        worse = 2 * (stop - start + 1) * max((abs(one) for one in columns[2]), default=0) + 1
        for h, m, value in zip(*columns, strict=True):
            table[h][m] = max(table[h][m], value - (worse if h == 0 else 0))
        if _reachable(table):
            tree = _best(table)
            heads[start:stop] = tree if tree.count(0) < 2 else -1  # there was no other tree
    return heads


def checked(words: Numbers, arcs: Numbers, head: Codes, word: Codes, score: Numbers) -> None:
    """Refuse what is not in order."""
    arcs_of_words(words, arcs, head, word, score, LONGEST)
    if (head == word).any():
        raise ValueError("an arc from a word to itself")
    if len(score) and (np.abs(score) > LARGEST).any():
        raise ValueError("a score that is too large")


def _reachable(table: list[list[int]]) -> bool:
    """Tell whether there is a way from ROOT to each word."""
    seen, left = {0}, [0]
    while left:
        h = left.pop()
        new = [m for m, value in enumerate(table[h]) if value > _NONE and m not in seen]
        seen.update(new)
        left += new
    return len(seen) == len(table)


def _best(table: list[list[int]]) -> list[int]:
    """Return the heads; nodes are numbered by the first of the words that became one."""
    size = len(table)
    alive = list(range(size))
    arc = [[(h, m) for m in range(size)] for h in range(size)]  # the words that an arc joins
    inside = list(range(size))  # the node that each word is part of
    history: list[tuple[list[int], dict[int, tuple[int, int]]]] = []
    while True:
        chosen = {
            m: max((h for h in alive if h != m), key=lambda h: (table[h][m], -h))
            for m in alive
            if m
        }
        cycle = _cycle(alive, chosen)
        if not cycle:
            break
        history.append((inside.copy(), {m: arc[chosen[m]][m] for m in cycle}))
        _contract(table, arc, alive, sorted(cycle), {m: table[chosen[m]][m] for m in cycle})
        into = min(cycle)
        inside = [into if node in cycle else node for node in inside]
        alive = [node for node in alive if node == into or node not in cycle]
    heads = [0] * size
    entered = [0] * size  # which word of a node has its arc from outside
    for m, h in chosen.items():
        heads[arc[h][m][1]], entered[m] = arc[h][m]
    for parts, arcs in reversed(history):
        place = entered[min(arcs)]
        opened = parts[place]
        for m, joined in arcs.items():
            if m != opened:
                heads[joined[1]], entered[m] = joined
        entered[opened] = place
    return heads[1:]


def _cycle(alive: list[int], chosen: dict[int, int]) -> set[int]:
    """Return the first cycle that is met, from the first node on."""
    seen = {0: 0}
    for start in alive:
        node = start
        while node not in seen:
            seen[node] = start
            node = chosen[node]
        if node and seen[node] == start:
            members = {node}
            after = chosen[node]
            while after != node:
                members.add(after)
                after = chosen[after]
            return members
    return set()


def _contract(
    table: list[list[int]],
    arc: list[list[tuple[int, int]]],
    alive: list[int],
    cycle: list[int],
    lost: dict[int, int],
) -> None:
    """Let the first node of a cycle stand for all of it."""
    into = cycle[0]
    for other in alive:
        if other in cycle:
            continue
        enter = max(cycle, key=lambda m: (_gain(table[other][m], lost[m]), -m))
        leave = max(cycle, key=lambda h: (table[h][other], -h))
        table[other][into], arc[other][into] = (
            _gain(table[other][enter], lost[enter]),
            arc[other][enter],
        )
        table[into][other], arc[into][other] = table[leave][other], arc[leave][other]


def _gain(value: int, lost: int) -> int:
    return value - lost if value > _NONE else _NONE

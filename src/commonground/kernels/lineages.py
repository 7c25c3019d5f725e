"""How different the ways from a word to the root are in two trees.

This is the plain twin of ``_lineages.pyx``.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import checks

__all__ = ["BEGIN", "END", "distances", "lineage"]

Numbers = NDArray[np.int64]
Tree = tuple[Numbers, Numbers, Numbers, Numbers, Numbers, Numbers]

BEGIN, END = -2, -3
"""The boundary markers, as labels."""


def distances(gold: Tree, system: Tree, alike: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
    """Return for each word the edit distance of its lineages, and how long they are together.

    Each side has for each word the row of the `node` above it (-1 at the top) and its `place` in
    the sentence; and for each node the row of its `parent` (-1 at the top), its `label` (-1 where
    it does not count), and its `start` and `end`. Inserting, deleting and replacing a label cost 1;
    labels are the same when they are equal or `alike` (a square of truth values for the lowest
    ones).

    A word under (S (NP …)) and under (S …), first of both phrases and last of NP:

    >>> column = lambda *numbers: np.array(numbers, np.int64)
    >>> deep = column(1), column(0), column(-1, 0), column(7, 8), column(0, 0), column(2, 1)
    >>> flat = column(0), column(0), column(-1), column(7), column(0), column(2)
    >>> lineage(deep, 0), lineage(flat, 0)
    ((8, -3, -2, 7), (-2, 7))
    >>> [result.tolist() for result in distances(deep, flat, np.zeros((0, 0), np.bool_))]
    [[2], [6]]
    """
    gold, system, alike = checked(gold), checked(system), checks.square(alike)
    checks.equally_long(gold[0], system[0])
    related = alike.tolist()

    @cache
    def distance(one: tuple[int, ...], two: tuple[int, ...]) -> int:
        before = list(range(len(two) + 1))
        for i, a in enumerate(one, 1):
            here = [i]
            for j, b in enumerate(two, 1):
                same = a == b or (min(a, b) >= 0 and max(a, b) < len(related) and related[a][b])
                here.append(min(before[j] + 1, here[-1] + 1, before[j - 1] + (not same)))
            before = here
        return before[-1]

    pairs = [(lineage(gold, word), lineage(system, word)) for word in range(len(gold[0]))]
    measured = [(0 if a == b else distance(a, b), len(a) + len(b)) for a, b in pairs]
    apart, together = np.array(measured, np.int64).reshape(-1, 2).T
    return apart, together


def checked(tree: Tree) -> Tree:
    """Return the columns of a side, after a look at them."""
    nodes, places, parent, label, start, end = (checks.column(each, np.int64) for each in tree)
    checks.equally_long(nodes, places)
    checks.equally_long(parent, label, start, end)
    checks.parents_before(parent)
    checks.within(nodes, -1, len(parent), "a parent that is no node")
    return nodes, places, parent, label, start, end


def lineage(tree: Tree, word: int) -> tuple[int, ...]:
    """Return the labels from a word up to the root.

    BEGIN stands before the highest node that begins with the word, END after the highest node that
    ends with it.
    """
    nodes, places, parent, label, start, end = tree
    place, node = int(places[word]), int(nodes[word])
    path = []
    while node >= 0:
        if label[node] >= 0:
            path.append(node)
        node = int(parent[node])
    begins = [at for at, node in enumerate(path) if start[node] == place]
    ends = [at for at, node in enumerate(path) if end[node] == place + 1]
    labels: list[int] = []
    for at, node in enumerate(path):
        labels += [BEGIN] if begins and at == begins[-1] else []
        labels.append(int(label[node]))
        labels += [END] if ends and at == ends[-1] else []
    return tuple(labels)

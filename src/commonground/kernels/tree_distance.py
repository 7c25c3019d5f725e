"""How many edits make one ordered tree of another, and which nodes stay: Zhang and Shasha (1989).

This is the plain twin of ``_tree_distance.pyx``. Trees, or forests, are the columns of a whole
corpus in postorder (all children stand before their parent), with the offsets of the trees: the
`label` of each node, a number, and its `leftmost` leaf, counted in the tree from 0. A negative
label is a wildcard, which is equal to every label.

Deleting a node (its children take its place) and inserting one cost `edit`, giving it another label
costs `relabel`; where that is more than an insertion and a deletion, it is never done. The weighted
functions take what it costs to delete each node, to insert each node, and to make each label of
each other one.

The tables are those of the original algorithm. A region is what stands below nodes with the same
leftmost leaf, up to the highest of them (a keyroot), or the whole forest for the first leaf. For
each pair of regions one table tells how far their beginnings are apart; those of them that end with
whole subtrees on both sides are kept for the larger regions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import checks

__all__ = ["distances", "mappings", "weighted_distances", "weighted_mappings"]

Numbers = NDArray[np.int64]
Codes = NDArray[np.int32]
Trees = tuple[Numbers, Codes, Codes]
Region = tuple[int, int]
Weights = tuple[Codes, Codes, Codes]

_MOST = 1 << 28
"""No edits of two trees may cost more: sums of such costs are still numbers of 32 bits."""


def distances(one: Trees, two: Trees, relabel: int = 1, edit: int = 1) -> Numbers:
    """Return how much the cheapest edits cost that make each second tree of the first.

    Each side has the offsets of its trees and for each node its `label` and its `leftmost` leaf.

    From a(b c) to a(x(b) y): a node x is inserted, and c is relabelled.

    >>> column = lambda *numbers: np.array(numbers, np.int32)
    >>> one = np.array([0, 3]), column(2, 3, 1), column(0, 1, 0)
    >>> two = np.array([0, 4]), column(2, 8, 9, 1), column(0, 0, 2, 0)
    >>> distances(one, two).tolist(), distances(one, two, relabel=2).tolist()
    ([2], [3])
    """
    return np.array([pair.distance for pair in _pairs(one, two, relabel, edit)], np.int64)


def checked(one: Trees, two: Trees, relabel: int, edit: int) -> tuple[Trees, Trees]:
    """Return the trees of both sides, after a look at them."""
    sides = _columns(one), _columns(two)
    if len(sides[0][0]) != len(sides[1][0]):
        raise ValueError("both sides must have equally many trees")
    nodes = sum(int(np.diff(side[0]).max(initial=0)) for side in sides)
    if not (0 <= relabel <= _MOST and edit >= 0 and edit * (nodes + 1) <= _MOST):
        raise ValueError("costs that are below 0, or too high")
    return sides


def weighted_distances(one: Trees, two: Trees, weights: Weights) -> Numbers:
    """Return how much the cheapest edits cost that make each second tree of the first.

    The `weights` are what it costs to delete each node of the first side, to insert each node of
    the second one, and a table of what it costs to make one label (its row) of another (its
    column). A wildcard costs nothing to relabel.

    As with :func:`distances`, but inserting x costs 5, and to make 9 of 3 costs 4:

    >>> column = lambda *numbers: np.array(numbers, np.int32)
    >>> one = np.array([0, 3]), column(2, 3, 1), column(0, 1, 0)
    >>> two = np.array([0, 4]), column(2, 8, 9, 1), column(0, 0, 2, 0)
    >>> change = np.ones((10, 10), np.int32) - np.eye(10, dtype=np.int32)
    >>> change[3, 9] = 4
    >>> weighted_distances(one, two, (column(9, 9, 9), column(5, 5, 5, 5), change)).tolist()
    [9]
    """
    costs = [pair.distance for pair in _weighted_pairs(one, two, weights)]
    return np.array(costs, np.int64)


def weighted_mappings(one: Trees, two: Trees, weights: Weights) -> tuple[Codes, Codes]:
    """Return the partners of the nodes in the cheapest edits, as :func:`mappings` does."""
    return _mapped(one, two, _weighted_pairs(one, two, weights))


def checked_weights(
    one: Trees, two: Trees, weights: Weights
) -> tuple[Trees, Trees, tuple[Codes, Codes, Codes]]:
    """Return the trees of both sides and the weights, after a look at them."""
    first, second = checked(one, two, 0, 0)
    delete, insert = (checks.column(weights[side], np.int32) for side in range(2))
    checks.equally_long(first[1], delete)
    checks.equally_long(second[1], insert)
    change = np.ascontiguousarray(weights[2], np.int32)
    if change.ndim != 2 or change.shape[0] != change.shape[1]:
        raise ValueError("the costs of relabelling must be a square table")
    for label in (first[1], second[1]):
        checks.within(label[label >= 0], 0, len(change), "a label without a cost")
    for costs in (delete, insert, change.ravel()):
        if costs.min(initial=0) < 0 or costs.max(initial=0) > _MOST:
            raise ValueError("costs that are below 0, or too high")
    return first, second, (delete, insert, change)


def _columns(trees: Trees) -> Trees:
    label, leftmost = checks.column(trees[1], np.int32), checks.column(trees[2], np.int32)
    checks.equally_long(label, leftmost)
    offsets = checks.offsets(trees[0], len(label))
    starts = np.repeat(offsets[:-1], np.diff(offsets))
    places = np.arange(len(leftmost)) - starts
    checks.within(leftmost, 0, places + 1, "a leftmost leaf that is not below its node")
    return offsets, label, leftmost


def mappings(one: Trees, two: Trees, relabel: int = 1, edit: int = 1) -> tuple[Codes, Codes]:
    """Return the partner of each node of either side in the cheapest edits, -1 where it has none.

    A node of the first tree without a partner is deleted, one of the second is inserted; partners
    with other labels are relabelled. A partner is counted in its tree, from 0.

    Where several ways cost the same, this one is taken: both trees are gone through from the end of
    the postorder, and where it costs no more, the two subtrees (or nodes) at the end of what is
    left are made of one another; else the node of the first tree is deleted; else the node of the
    second is inserted.

    >>> column = lambda *numbers: np.array(numbers, np.int32)
    >>> one = np.array([0, 3]), column(2, 3, 1), column(0, 1, 0)
    >>> two = np.array([0, 4]), column(2, 8, 9, 1), column(0, 0, 2, 0)
    >>> [side.tolist() for side in mappings(one, two)]
    [[0, 2, 3], [0, -1, 1, 2]]
    """
    return _mapped(one, two, _pairs(one, two, relabel, edit))


def _mapped(one: Trees, two: Trees, pairs: Iterator[_TreePair]) -> tuple[Codes, Codes]:
    first, second = np.full(len(one[1]), -1, np.int32), np.full(len(two[1]), -1, np.int32)
    for tree, pair in enumerate(pairs):
        start, other = int(one[0][tree]), int(two[0][tree])
        for node, partner in pair.partners():
            first[start + node] = partner
            second[other + partner] = node
    return first, second


def _pairs(one: Trees, two: Trees, relabel: int, edit: int) -> Iterator[_TreePair]:
    one, two = checked(one, two, relabel, edit)
    for tree in range(len(one[0]) - 1):
        sides = _tree(one, tree), _tree(two, tree)
        delete, insert = ([edit] * len(side[0]) for side in sides)

        def change(a: int, b: int) -> int:
            return 0 if a == b else relabel

        yield _TreePair(*sides[0], *sides[1], delete, insert, change)


def _weighted_pairs(one: Trees, two: Trees, weights: Weights) -> Iterator[_TreePair]:
    one, two, (delete, insert, change) = checked_weights(one, two, weights)
    table = change.tolist()
    for tree in range(len(one[0]) - 1):
        deleting, inserting = (
            column[side[0][tree] : side[0][tree + 1]].tolist()
            for side, column in ((one, delete), (two, insert))
        )
        sides = _tree(one, tree), _tree(two, tree)
        yield _TreePair(*sides[0], *sides[1], deleting, inserting, lambda a, b: table[a][b])


def _tree(trees: Trees, number: int) -> tuple[list[int], list[int]]:
    nodes = slice(int(trees[0][number]), int(trees[0][number + 1]))
    labels, leftmost = trees[1][nodes].tolist(), trees[2][nodes].tolist()
    subtrees: list[int] = []  # where those begin that have no parent yet
    for node, first in enumerate(leftmost):
        begin = node
        while subtrees and begin > first:
            begin = subtrees.pop()
        if begin != first:
            raise ValueError("a leftmost leaf that is not below its node")
        subtrees.append(first)
    return labels, leftmost


class _TreePair:
    """Two trees: `near[i][j]` is how far the subtrees of their nodes i and j are apart."""

    def __init__(
        self,
        labels: list[int],
        leftmost: list[int],
        others: list[int],
        other_leftmost: list[int],
        delete: list[int],
        insert: list[int],
        change: Callable[[int, int], int],
    ) -> None:
        self.labels, self.leftmost = labels, leftmost
        self.others, self.other_leftmost = others, other_leftmost
        self.delete, self.insert, self.change = delete, insert, change
        self.near = [[0] * len(others) for _ in labels]
        self.whole = (0, len(labels)), (0, len(others))
        regions, other_regions = _regions(leftmost), _regions(other_leftmost)
        for region in regions:
            for other in other_regions:
                self._table(region, other)

    @property
    def distance(self) -> int:
        """How far the trees are apart."""
        return self._table(*self.whole)[-1][-1]

    def partners(self) -> Iterator[tuple[int, int]]:
        """Find the nodes that stay, with what they become."""
        left, right = self.leftmost, self.other_leftmost
        open_regions = [self.whole]
        while open_regions:
            (start, i), (other, j) = regions = open_regions.pop()
            table = self._table(*regions)
            first, second = start, other
            while i > first and j > second:
                cost = table[i - first][j - second]
                a, b = left[i - 1], right[j - 1]
                if a == first and b == second:
                    if cost == table[i - 1 - first][j - 1 - second] + self._change(i - 1, j - 1):
                        i, j = i - 1, j - 1
                        yield i, j
                        continue
                elif cost == table[a - first][b - second] + self.near[i - 1][j - 1]:
                    open_regions.append(((a, i), (b, j)))
                    i, j = a, b
                    continue
                if cost == table[i - 1 - first][j - second] + self.delete[i - 1]:
                    i -= 1
                else:
                    j -= 1

    def _table(self, one: Region, two: Region) -> list[list[int]]:
        """Return how far the beginnings of two regions are apart; note subtrees in `near`."""
        (first, end), (second, other_end) = one, two
        table = [list(accumulate(self.insert[second:other_end], initial=0))]
        for i in range(first, end):
            delete = self.delete[i]
            above, row = table[-1], [table[-1][0] + delete]
            begin = self.leftmost[i]
            before, near = table[begin - first], self.near[i]
            for j in range(second, other_end):
                other_begin = self.other_leftmost[j]
                subtrees = begin == first and other_begin == second
                if subtrees:
                    cost = above[j - second] + self._change(i, j)
                else:
                    cost = before[other_begin - second] + near[j]
                cost = min(cost, above[j + 1 - second] + delete, row[-1] + self.insert[j])
                row.append(cost)
                if subtrees:
                    near[j] = cost
            table.append(row)
        return table

    def _change(self, i: int, j: int) -> int:
        a, b = self.labels[i], self.others[j]
        return 0 if a < 0 or b < 0 else self.change(a, b)


def _regions(leftmost: list[int]) -> list[Region]:
    """Return the regions of a tree, each after those that are part of it.

    >>> _regions([0, 1, 0, 3])
    [(3, 4), (1, 2), (0, 4)]
    """
    ends = {first: node + 1 for node, first in enumerate(leftmost)}
    if leftmost:
        ends[0] = len(leftmost)
    return sorted(ends.items(), reverse=True)

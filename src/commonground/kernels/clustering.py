"""Words into classes by the words beside them: the plain twin of ``_clustering.pyx``.

Brown et al. (1992) look for the classes of words with the most mutual information between
neighbours. With N(c, d) for how often a word of class d follows one of class c, that is the largest

    Q = Σ f(N(c, d)) − Σ f(N(c, ·)) − Σ f(N(·, d)),    f(n) = n log₂ n,

since all else is constant. ``exchanged`` moves one word after the other to the class in which Q is
largest (Martin, Liermann & Ney 1998), and ``merged`` joins two classes at a time, those that lose
the least of Q, until there is one; this gives the tree whose branches are the bits of a class.
The values of f are rounded to whole numbers of 1/65536, so that sums depend on no order.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import checks

__all__ = ["checked_classes", "checked_counts", "exchanged", "information", "merged"]

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]
Neighbours = tuple[Numbers, Codes, Codes]
"""The words beside each word: where they begin, which they are, and how often they are there."""

MOST_CLASSES = 4096


@lru_cache(maxsize=1 << 16)
def information(count: int) -> int:
    """Return f(n) in units of 1/65536.

    >>> information(0), information(1), information(8) // 65536
    (0, 0, 24)
    """
    return int(count * math.log2(count) * 65536.0 + 0.5) if count else 0


def exchanged(after: Neighbours, before: Neighbours, classes: Codes, movable: int) -> Codes:
    """Return the classes of words after each was moved to its best one, in turn.

    Words whose class is `movable` or greater stay where they are. Of classes that are equally good
    a word's own comes first, then the smallest.
    """
    after, before, classes = checked_classes(after, before, classes, movable)
    following, preceding = _lists(after), _lists(before)
    of = classes.tolist()
    total = max([movable, *(each + 1 for each in of)])
    counts = [[0] * total for _ in range(total)]
    for word, others in enumerate(following):
        for other, count in others:
            counts[of[word]][of[other]] += count
    rows, columns = [sum(row) for row in counts], [sum(each) for each in zip(*counts, strict=True)]
    for word, own in enumerate(of):
        if own >= movable:
            continue
        right, left = [0] * total, [0] * total
        both = 0
        for other, count in following[word]:
            both += count if other == word else 0
            right[of[other]] += 0 if other == word else count
        for other, count in preceding[word]:
            left[of[other]] += 0 if other == word else count
        outer, inner = sum(right) + both, sum(left) + both
        for sign in (-1, 1):
            for each in range(total):
                counts[own][each] += sign * right[each]
                counts[each][own] += sign * left[each]
            counts[own][own] += sign * both
            rows[own] += sign * outer
            columns[own] += sign * inner
            if sign < 0:
                gains = [
                    _gain(counts, each, left, right, both)
                    - _added(rows[each], outer)
                    - _added(columns[each], inner)
                    for each in range(movable)
                ]
                best = max(range(movable), key=lambda c: (gains[c], c == own, -c))
                of[word] = own = best  # noqa: PLW2901  # it comes back in the second round
    return np.array(of, np.int32)


def _added(count: int, more: int) -> int:
    return information(count + more) - information(count)


def _gain(counts: list[list[int]], to: int, left: list[int], right: list[int], both: int) -> int:
    """Return by how much Σ f(N(c, d)) grows if a word with these neighbours comes to a class."""
    others = (each for each in range(len(counts)) if each != to)
    gain = sum(_added(counts[c][to], left[c]) + _added(counts[to][c], right[c]) for c in others)
    return gain + _added(counts[to][to], left[to] + right[to] + both)


def _lists(neighbours: Neighbours) -> list[list[tuple[int, int]]]:
    starts, words, counts = (column.tolist() for column in neighbours)
    pairs = list(zip(words, counts, strict=True))
    return [pairs[start:stop] for start, stop in pairwise(starts)]


def merged(counts: Numbers, movable: int) -> Codes:
    """Return which classes are joined, step by step: of each pair, the second becomes the first.

    `counts` are N(c, d); only the first `movable` classes are joined, and in the end they are one.
    Of pairs that lose equally little, that with the smallest numbers is joined first.
    """
    table = checked_counts(counts, movable).tolist()
    alive = list(range(movable))
    everything = list(range(len(table)))
    pairs = []
    while len(alive) > 1:
        lost = {
            (one, two): _loss(table, everything, one, two)
            for place, one in enumerate(alive)
            for two in alive[place + 1 :]
        }
        one, two = min(lost, key=lambda pair: (lost[pair], pair))
        for each in everything:
            table[one][each] += table[two][each]
            table[two][each] = 0
        for each in everything:
            table[each][one] += table[each][two]
            table[each][two] = 0
        alive.remove(two)
        pairs.append((one, two))
    return np.array(pairs, np.int32).reshape(-1, 2)


def _loss(table: list[list[int]], everything: list[int], one: int, two: int) -> int:
    """Return by how much Q shrinks if two classes become one."""
    corner = [table[a][b] for a in (one, two) for b in (one, two)]
    loss = sum(map(information, corner)) - information(sum(corner))
    for each in everything:
        if each not in (one, two):
            loss += _joined(table[one][each], table[two][each])
            loss += _joined(table[each][one], table[each][two])
    loss -= _joined(sum(table[one]), sum(table[two]))
    columns = [sum(row[each] for row in table) for each in (one, two)]
    return loss - _joined(*columns)


def _joined(one: int, two: int) -> int:
    return information(one) + information(two) - information(one + two)


# ── what both twins check at their entries ───────────────────────────────────────────────────────


def checked_classes(
    after: Any, before: Any, classes: Any, movable: int
) -> tuple[Neighbours, Neighbours, Codes]:
    """Return the columns if they are those of the same words and of the same pairs."""
    classes = checks.column(classes, np.int32)
    good = 0 < movable <= MOST_CLASSES
    good = good and bool(((classes >= 0) & (classes < MOST_CLASSES + 2)).all())
    sides = []
    for side in (after, before):
        starts, words = checks.column(side[0], np.int64), checks.column(side[1], np.int32)
        counts = checks.column(side[2], np.int32)
        good = good and len(starts) == len(classes) + 1 and len(words) == len(counts)
        good = good and starts[0] == 0 and starts[-1] == len(words)
        good = good and bool((np.diff(starts) >= 0).all()) and bool((counts >= 0).all())
        good = good and bool(((words >= 0) & (words < len(classes))).all())
        good = good and int(counts.sum(dtype=np.int64)) < 1 << 31
        sides.append((starts, words, counts))
    good = good and _same_pairs(sides[0], sides[1])
    if not good:
        raise ValueError("neighbours that do not fit together")
    return sides[0], sides[1], classes


def _same_pairs(after: Neighbours, before: Neighbours) -> bool:
    """Tell whether two lists of neighbours have the same pairs: counts must never fall below 0."""
    one = np.repeat(np.arange(len(after[0]) - 1), np.diff(after[0]))
    other = np.repeat(np.arange(len(before[0]) - 1), np.diff(before[0]))
    if len(one) != len(other):
        return False
    first, second = np.lexsort((after[1], one)), np.lexsort((other, before[1]))
    return (
        np.array_equal(one[first], before[1][second])
        and np.array_equal(after[1][first], other[second])
        and np.array_equal(after[2][first], before[2][second])
    )


def checked_counts(counts: Any, movable: int) -> Numbers:
    """Return counts of pairs of classes if there are as many rows as columns, and none below 0."""
    table = np.ascontiguousarray(counts, np.int64)
    good = table.ndim == 2 and table.shape[0] == table.shape[1] <= MOST_CLASSES + 2
    good = good and 0 <= movable <= len(table) and bool((table >= 0).all())
    good = good and (not table.size or int(table.max()) < 1 << 31)
    if not good or int(table.sum()) >= 1 << 31:
        raise ValueError("counts that are no table of pairs")
    return table

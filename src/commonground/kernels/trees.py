"""Cycles, depths and arcs that are not projective, from the heads of all words of a corpus.

This is the plain twin of ``_trees.pyx``. A corpus is two buffers: `heads` has the head of each word
(int32; counted from 1 in the sentence, 0 is the root, -1 is unknown), and `offsets` (int64) tells
where each sentence begins. Heads may be anything, a tree or not; only a head that is no word of its
sentence is a ValueError.

All words of the corpus climb together here, in steps that double: after k of them, each word stands
2ᵏ arcs above where it began. So a sentence of n words costs n log n, however deep it is.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import checks

__all__ = ["crossing", "cycles", "depth"]

Heads = NDArray[np.int32]
Offsets = NDArray[np.int64]
Rows = NDArray[np.int64]


def cycles(heads: Heads, offsets: Offsets) -> NDArray[np.bool_]:
    """Return which words lie on a cycle: whoever climbs from such a word comes back to it.

    The words 1 and 2 are each other's heads; word 3 hangs on their cycle, but is not on it:

    >>> cycles(np.array([2, 1, 2, 0], np.int32), np.array([0, 4])).tolist()
    [True, True, False, False]
    """
    heads, offsets = checked(heads, offsets)
    above = _above(heads, offsets)
    for _ in range(_doublings(offsets)):
        above = above[above]
    # Now each word has climbed further than its sentence is long. The words of a cycle went round,
    # each to another one of them; all that hangs on the cycle has arrived there.
    on_cycle = np.zeros(len(above), np.bool_)
    on_cycle[above] = True
    return on_cycle[: len(heads)]


def depth(heads: Heads, offsets: Offsets) -> NDArray[np.int32]:
    """Return how many arcs lead from each word to the root; a word with head 0 has depth 1.

    It is -1 where no number of arcs does: on and under a cycle, and on and under an unknown head.

    >>> depth(np.array([2, 0, 4, 2, -1], np.int32), np.array([0, 5])).tolist()
    [2, 1, 3, 2, -1]
    """
    heads, offsets = checked(heads, offsets)
    above = _above(heads, offsets)
    root = len(heads)
    arcs = (np.arange(len(above)) < root).astype(np.int64)
    for _ in range(_doublings(offsets)):
        arcs += arcs[above]
        above = above[above]
    return np.where(above == root, arcs, -1)[: len(heads)].astype(np.int32)


def crossing(heads: Heads, offsets: Offsets) -> NDArray[np.bool_]:
    """Return for each word whether the arc to it is non-projective.

    The arc from h to d is projective when h dominates every word strictly between them: whoever
    climbs from the word meets h. The root stands before the first word and dominates all, so the
    arc of a word with head 0 is projective; an arc that covers such a word is not. Words without
    a depth (see :func:`depth`) are left out: their own arcs are not judged and they break no other.

    In *A hearing is scheduled on the issue today*, the arc from *hearing* (2) to *issue* (7) covers
    *scheduled* (4), the root. The arcs that it crosses are projective themselves:

    >>> crossing(np.array([2, 4, 4, 0, 7, 7, 2, 4], np.int32), np.array([0, 8])).tolist()
    [False, False, False, False, False, False, True, False]
    """
    heads, offsets = checked(heads, offsets)
    attached = depth(heads, offsets) > 0
    above = _above(heads, offsets)[: len(heads)]
    above[~attached | (heads == 0)] = -1
    begin, end = _preorder(above)
    non_projective = np.zeros(len(heads), np.bool_)
    low, high = np.where(attached, begin, len(heads)), np.where(attached, begin, -1)
    words = np.arange(len(heads))
    first, last = np.minimum(words, above) + 1, np.maximum(words, above) - 1
    between = np.where(above >= 0, last - first + 1, 0)
    # low and high have the least and the greatest preorder number of `reach` words from each on;
    # two such stretches, which may overlap, cover all words between the ends of an arc.
    reach = 1
    while reach <= between.max(initial=0):
        arcs = np.flatnonzero((between >= reach) & (between < 2 * reach))
        one, other, head = first[arcs], last[arcs] - reach + 1, above[arcs]
        least, greatest = np.minimum(low[one], low[other]), np.maximum(high[one], high[other])
        non_projective[arcs] = (least < begin[head]) | (greatest >= end[head])
        low[:-reach] = np.minimum(low[:-reach], low[reach:])
        high[:-reach] = np.maximum(high[:-reach], high[reach:])
        reach *= 2
    return non_projective


def checked(heads: Heads, offsets: Offsets) -> tuple[Heads, Offsets]:
    """Return the two buffers, after a look at them."""
    heads = checks.column(heads, np.int32)
    offsets = checks.offsets(offsets, len(heads))
    lengths = np.diff(offsets)
    most = np.repeat((lengths + 1).astype(np.int32), lengths)  # a sentence has fewer words than 2³¹
    checks.within(heads, -1, most, "a head that is no word of its sentence")
    return heads, offsets


def _above(heads: Heads, offsets: Offsets) -> Rows:
    """Return the row of each word's head, and two more rows: the root, then the unknown head."""
    lengths = np.diff(offsets)
    root, unknown = len(heads), len(heads) + 1
    above = heads + np.repeat(offsets[:-1] - 1, lengths)
    above[heads == 0] = root
    above[heads == -1] = unknown
    return np.concatenate([above, [root, unknown]])


def _doublings(offsets: Offsets) -> int:
    """Return how often a step must be doubled to be at least as long as any sentence."""
    return int(np.diff(offsets).max(initial=0)).bit_length()


def _preorder(above: Rows) -> tuple[Rows, Rows]:
    """Return numbers of words such that a word and all below it have the numbers begin to end - 1.

    `above` is the row of the head of each word, -1 at the top of a tree.
    """
    climbs = list(_climbs(above))
    size = np.ones(len(above), np.int64)
    for words, ancestors in climbs:
        np.add.at(size, ancestors, size[words])
    siblings = np.argsort(above, kind="stable")
    before = np.cumsum(size[siblings]) - size[siblings]
    eldest = np.flatnonzero(np.diff(above[siblings], prepend=-2))
    before -= np.repeat(before[eldest], np.diff(eldest, append=len(above)))
    begin = np.empty_like(size)
    begin[siblings] = before + (above[siblings] >= 0)  # 1 for the head, which is numbered before
    for words, ancestors in climbs:
        begin[words] += begin[ancestors]
    return begin, begin + size


def _climbs(above: Rows) -> Iterator[tuple[Rows, Rows]]:
    """Return the words that have an ancestor 1, 2, 4, … arcs above, each time with these."""
    far = above.copy()
    words = np.flatnonzero(far >= 0)
    while len(words):
        ancestors = far[words]
        yield words, ancestors
        far[words] = far[ancestors]
        words = words[far[words] >= 0]

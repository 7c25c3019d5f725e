"""How many words and brackets two trees of the same sentence share, counted in one walk.

This is the plain twin of ``_bracketing.pyx``. It counts what :mod:`~commonground.kernels.spans`
tells one by one: who wants to know only how many there are needs no columns of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import checks
from commonground.kernels.spans import checked_tree, crossings, extents, matches

__all__ = ["checked_sides", "checked_words", "shared_brackets", "shared_words"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Words = tuple[Numbers, Numbers, NDArray[np.int32]]
Codes = NDArray[np.int32]
Tree = tuple[Numbers, Codes, Numbers, Numbers, Codes, Codes]

_OFTEN = 1 << 16
"""No word counts so many times."""


def shared_words(gold: Words, system: Words, alike: Flags) -> tuple[Numbers, Numbers, Numbers]:
    """Return for each sentence how many words both sides share, and how many each of them has.

    A side has the offsets of its sentences and for each word how many `times` it counts (0 for one
    that is left out) and its code. Words at the same place are shared when their codes are equal or
    `alike`, a square of truth values for the lowest codes. Where the sides do not have equally many
    words, none has a place, and none is shared.

    >>> one = np.array([0, 3]), np.array([1, 0, 1]), np.array([5, 6, 7], np.int32)
    >>> two = np.array([0, 2]), np.array([1, 1]), np.array([5, 8], np.int32)
    >>> [result.tolist() for result in shared_words(one, two, np.zeros((0, 0), np.bool_))]
    [[1], [2], [2]]
    """
    gold, system, alike = checked_words(gold), checked_words(system), checks.square(alike)
    checks.equally_long(gold[0], system[0])
    lengths = [_sums(offsets, times) for offsets, times, _ in (gold, system)]
    same = lengths[0] == lengths[1]
    one, two = (
        np.repeat(codes, np.where(np.repeat(same, np.diff(offsets)), times, 0))
        for offsets, times, codes in (gold, system)
    )
    shared = np.asarray(one == two)
    related = np.flatnonzero((one < len(alike)) & (two < len(alike)))
    shared[related] |= alike[one[related], two[related]]
    sentence = np.repeat(np.arange(len(same)), np.where(same, lengths[0], 0))
    return _per_sentence(sentence[shared], len(same)), lengths[0], lengths[1]


def checked_words(side: Words) -> Words:
    """Return the arrays of one side of :func:`shared_words`, after a look at them."""
    times, codes = checks.column(side[1], np.int64), checks.column(side[2], np.int32)
    checks.equally_long(times, codes)
    checks.within(times, 0, _OFTEN, "a word that counts less than 0 times, or too often")
    checks.within(codes, 0, 1 << 31, "a code below 0")
    return checks.offsets(side[0], len(times)), times, codes


def shared_brackets(gold: Tree, system: Tree, scored: Flags, alike: Flags) -> Numbers | None:
    """Return for each sentence the numbers of brackets: five columns.

    These are those of the gold standard, those of the system, those that both have, those that both
    have if labels do not matter, and those of the system that cross one of the gold standard. A
    tree has what :func:`~.spans.extents` takes, and the label of each node, -1 for one that does
    not count; `alike` is as in :func:`~.spans.matches`. Only the sentences that are `scored` count.
    Where a phrase that counts is scattered, words from a start to an end do not tell it: None.

    (S (NP a) (VP b c)) and (S (NP a b) (NP c)), with the labels 0 to 2:

    >>> def tree(above, labels):
    ...     up = np.array([-1, 0, 0], np.int32)
    ...     rows = np.array([0, 3])
    ...     return rows, np.array(above, np.int32), np.ones(3, int), rows, up, np.array(labels)
    >>> one, two = tree([1, 2, 2], [0, 1, 2]), tree([1, 1, 2], [0, 1, 1])
    >>> shared_brackets(one, two, np.array([True]), np.zeros((0, 0), np.bool_)).ravel().tolist()
    [3, 3, 1, 1, 1]
    """
    gold, system, scored = checked_sides(gold, system, scored)
    alike = checks.square(alike)
    sides = [_brackets(side, scored) for side in (gold, system)]
    if sides[0] is None or sides[1] is None:
        return None
    one, two = sides[0], sides[1]
    labelled = matches((one[0], one[1], one[4]), (two[0], two[1], two[4]), alike)[0]
    nothing = [np.zeros_like(side[4]) for side in (one, two)]
    places = matches((one[0], one[1], nothing[0]), (two[0], two[1], nothing[1]), alike)[0]
    crossing = crossings((one[0], one[2], one[3]), (two[0], two[2], two[3]))
    return np.stack(
        [
            np.diff(one[0]),
            np.diff(two[0]),
            _sums(one[0], labelled),
            _sums(one[0], places),
            _sums(two[0], crossing),
        ]
    )


def checked_sides(gold: Tree, system: Tree, scored: Flags) -> tuple[Tree, Tree, Flags]:
    """Return the arrays of :func:`shared_brackets`, after a look at them."""
    one, two = _checked_tree(gold), _checked_tree(system)
    flags = checks.column(scored, np.bool_)
    checks.equally_long(one[0], two[0])
    checks.equally_long(one[0][1:], flags)
    return one, two, flags


def _checked_tree(side: Tree) -> Tree:
    columns, label = checked_tree(*side[:5], _OFTEN), checks.column(side[5], np.int32)
    checks.equally_long(columns[4], label)
    checks.within(label, -1, 1 << 31, "a label below -1")
    return (*columns, label)


def _brackets(tree: Tree, scored: Flags) -> tuple[Numbers, ...] | None:
    """Return offsets, places, starts, ends and labels of brackets; None if any is scattered."""
    start, end, words = extents(*tree[:5])
    node_at, label = tree[3], tree[5]
    sentence = np.repeat(np.arange(len(node_at) - 1), np.diff(node_at))
    rows = np.flatnonzero((words > 0) & (label >= 0) & scored[sentence])
    place = (start[rows] << 32) - end[rows]
    descending = (np.diff(place) < 0) & (np.diff(sentence[rows]) == 0)
    if descending.any() or (words != end - start)[rows].any():
        return None
    offsets = np.searchsorted(sentence[rows], np.arange(len(node_at)))
    return offsets, place, start[rows], end[rows], label[rows].astype(np.int64)


def _sums(offsets: Numbers, values: NDArray[np.generic]) -> Numbers:
    before = np.concatenate([[0], np.cumsum(values, dtype=np.int64)])
    return np.diff(before[offsets])


def _per_sentence(sentence: Numbers, sentences: int) -> Numbers:
    return np.bincount(sentence, minlength=sentences).astype(np.int64)

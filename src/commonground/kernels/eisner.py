"""Find the best projective trees: Eisner's algorithm, with single arcs or neighbouring dependents.

This is the plain twin of ``_eisner.pyx``. Sentence s has the words from ``words[s]`` to before
``words[s + 1]`` and may use the arcs from ``arcs[s]`` to before ``arcs[s + 1]``. An arc leads from
`head` (1 is the first word of the sentence, 0 is ROOT) to `word`; the arcs of a sentence are in the
order of their heads, to the left before to the right, and on each side from near to far. The word
under ROOT is one: the best tree is

    max_r  score(0, r) + left(1, r) + right(r, n)

where left and right are the best trees of which r is the head, of Eisner (1996) for single arcs,
and of McDonald & Pereira (2006) where the score of an arc (h, m) also depends on the dependent s of
h that is next to m on the way to h. Where an arc stands in the order, those are just before it that
can be s. A sentence without such a tree gets the head -1 for all of its words. Of trees that score
the same, the one is taken that is found first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.kernels.checks import arcs_of_words

__all__ = ["first_order", "second_order"]

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]

_NONE = -(1 << 60)
LARGEST = 1 << 40
"""The highest score that an arc can have, and with a minus the lowest one."""

LONGEST = 1 << 12
"""No sentence may have more words than this: memory grows with the square of their number."""


def first_order(words: Numbers, arcs: Numbers, head: Codes, word: Codes, score: Numbers) -> Codes:
    """Return the head of each word in the best tree, where each arc has a score.

    >>> one = np.array([0, 2]), np.array([0, 4])
    >>> arcs = np.array([0, 0, 1, 2], np.int32), np.array([1, 2, 2, 1], np.int32)
    >>> first_order(*one, *arcs, np.array([5, 4, 1, 3])).tolist()
    [2, 0]
    """
    return _decoded(words, arcs, head, word, score, None, None)


def second_order(
    words: Numbers,
    arcs: Numbers,
    head: Codes,
    word: Codes,
    score: Numbers,
    before: Numbers,
    pair: Numbers,
) -> Codes:
    """Return the head of each word in the best tree, where neighbouring dependents have scores too.

    The arc a has its scores from ``pair[before[a]]`` on: the first one where its word is the
    nearest dependent, and then one for each arc of the same head and side that is nearer, in their
    order, where that is the next one. Arcs from ROOT have only the first.

    *Birds sing loudly*: both words depend on the second one, each alone on its side.

    >>> one = np.array([0, 3]), np.array([0, 4])
    >>> arcs = np.array([0, 1, 2, 2], np.int32), np.array([2, 2, 1, 3], np.int32)
    >>> before, pair = np.arange(5), np.zeros(4, np.int64)
    >>> second_order(*one, *arcs, np.zeros(4, np.int64), before, pair).tolist()
    [2, 0, 2]
    """
    return _decoded(words, arcs, head, word, score, before, pair)


def checked(
    words: Numbers,
    arcs: Numbers,
    head: Codes,
    word: Codes,
    score: Numbers,
    before: Numbers | None,
    pair: Numbers | None,
) -> None:
    """Refuse what is not in order."""
    sentence = arcs_of_words(words, arcs, head, word, score, LONGEST)
    if not len(head):
        return
    group = 2 * head.astype(np.int64) + (word > head)
    far = np.abs(word - head)
    beside = (np.diff(sentence) == 0) & (np.diff(group) == 0)
    falls = (np.diff(sentence) == 0) & ((np.diff(group) < 0) | (beside & (np.diff(far) <= 0)))
    if falls.any() or (far == 0).any():
        raise ValueError("arcs that are not in order")
    if (np.abs(score) > LARGEST).any():
        raise ValueError("a score that is too large")
    if before is not None and pair is not None:
        _checked_pairs(head, beside, before, pair)


def _checked_pairs(head: Codes, beside: NDArray[np.bool_], before: Numbers, pair: Numbers) -> None:
    """Refuse pairs that do not fit the arcs; `beside` tells which follow one of their side."""
    if len(before) != len(head) + 1 or before[0] or before[-1] != len(pair):
        raise ValueError("the columns differ in length")
    starts = np.concatenate([[True], ~beside])
    first = np.maximum.accumulate(np.where(starts, np.arange(len(head)), 0))
    rank = np.where(head > 0, np.arange(len(head)) - first, 0)
    if (np.diff(before) != rank + 1).any():
        raise ValueError("pairs that do not fit the arcs")
    if len(pair) and (np.abs(pair) > LARGEST).any():
        raise ValueError("a score that is too large")


def _decoded(
    words: Numbers,
    arcs: Numbers,
    head: Codes,
    word: Codes,
    score: Numbers,
    before: Numbers | None,
    pair: Numbers | None,
) -> Codes:
    checked(words, arcs, head, word, score, before, pair)
    heads = np.full(int(words[-1]), -1, np.int32)
    for sentence in range(len(words) - 1):
        first, last = int(arcs[sentence]), int(arcs[sentence + 1])
        rows = slice(int(words[sentence]), int(words[sentence + 1]))
        inner: list[list[int]] | None = None
        if before is not None and pair is not None:
            inner = [pair[before[a] : before[a + 1]].tolist() for a in range(first, last)]
        heads[rows] = _best(
            rows.stop - rows.start,
            head[first:last].tolist(),
            word[first:last].tolist(),
            score[first:last].tolist(),
            inner,
        )
    return heads


class _ArcChart:
    """The best parts of one sentence, by their ends: scores, and how they were made."""

    def __init__(self, n: int) -> None:
        def table(fill: int) -> list[list[int]]:
            return [[fill] * (n + 1) for _ in range(n + 1)]

        # A part is complete or one arc long; its head stands at the left (0) or the right (1) end.
        self.complete, self.arc = (table(_NONE), table(_NONE)), (table(_NONE), table(_NONE))
        self.complete_by, self.arc_by = (table(0), table(0)), (table(0), table(0))
        # Two complete parts side by side, the heads at both ends, and where the second one begins.
        self.both, self.both_by = table(_NONE), table(0)
        for w in range(1, n + 1):
            self.complete[0][w][w] = self.complete[1][w][w] = 0


def _best(
    n: int, head: list[int], word: list[int], score: list[int], inner: list[list[int]] | None
) -> list[int]:
    chart = _ArcChart(n)
    below: list[tuple[list[int], list[int]]] = [([], []) for _ in range(n + 1)]
    for a, (h, m) in enumerate(zip(head, word, strict=True)):
        below[h][0 if m > h else 1].append(a)
    number = {(head[a], word[a]): a for a in range(len(head))}
    for width in range(1, n):
        for s in range(1, n - width + 1):
            t = s + width
            _side_by_side(chart, s, t)
            for side, (h, m) in enumerate(((s, t), (t, s))):
                a = number.get((h, m), -1)
                if a >= 0 and inner is None:
                    chart.arc[side][s][t] = chart.both[s][t] + score[a]
                elif a >= 0 and inner is not None:
                    near = below[h][side]
                    _with_neighbour(chart, side, (s, t), score[a], word, near, inner[a])
            for side, h in enumerate((s, t)):
                _completed(chart, side, (s, t), word, below[h][side])
    single = [score[a] + (inner[a][0] if inner is not None else 0) for a in below[0][0]]
    root = _root(chart, n, [word[a] for a in below[0][0]], single)
    heads = [0 if root else -1] * n
    if root:
        _follow(chart, inner is not None, root, n, heads)
    return heads


def _root(chart: _ArcChart, n: int, words: list[int], score: list[int]) -> int:
    """Return the best word under ROOT, 0 where there is none."""
    top, root = _NONE >> 1, 0
    for r, value in zip(words, score, strict=True):
        total = value + chart.complete[1][1][r] + chart.complete[0][r][n]
        if total > top:
            top, root = total, r
    return root


def _side_by_side(chart: _ArcChart, s: int, t: int) -> None:
    top, by = _NONE, 0
    left, right = chart.complete[0][s], chart.complete[1]
    for r in range(s, t):
        total = left[r] + right[r + 1][t]
        if total > top:
            top, by = total, r
    chart.both[s][t], chart.both_by[s][t] = top, by


def _with_neighbour(
    chart: _ArcChart,
    side: int,
    ends: tuple[int, int],
    score: int,
    word: list[int],
    near: list[int],
    pair: list[int],
) -> None:
    s, t = ends
    top = (chart.complete[0][s][t - 1] if side else chart.complete[1][s + 1][t]) + pair[0]
    by = 0
    for rank in range(len(pair) - 1):
        r = word[near[rank]]
        parts = (
            chart.arc[1][r][t] + chart.both[s][r]
            if side
            else (chart.arc[0][s][r] + chart.both[r][t])
        )
        total = parts + pair[rank + 1]
        if total > top:
            top, by = total, r
    chart.arc[side][s][t] = max(top + score, _NONE)
    chart.arc_by[side][s][t] = by


def _completed(
    chart: _ArcChart, side: int, ends: tuple[int, int], word: list[int], near: list[int]
) -> None:
    s, t = ends
    top, by = _NONE, 0
    for a in near:
        r = word[a]
        if not s <= r <= t:
            break
        if side:
            total = chart.complete[1][s][r] + chart.arc[1][r][t]
        else:
            total = chart.arc[0][s][r] + chart.complete[0][r][t]
        if total > top:
            top, by = total, r
    chart.complete[side][s][t], chart.complete_by[side][s][t] = top, by


def _follow(chart: _ArcChart, pairs: bool, root: int, n: int, heads: list[int]) -> None:  # noqa: FBT001
    """Write down the heads of the tree under `root`."""
    heads[root - 1] = 0
    left = [("complete", 1, 1, root), ("complete", 0, root, n)]
    while left:
        kind, side, s, t = left.pop()
        if s >= t:
            continue
        if kind == "both":
            r = chart.both_by[s][t]
            left += [("complete", 0, s, r), ("complete", 1, r + 1, t)]
        elif kind == "complete":
            r = chart.complete_by[side][s][t]
            left += (
                [("complete", 1, s, r), ("arc", 1, r, t)]
                if side
                else [("arc", 0, s, r), ("complete", 0, r, t)]
            )
        else:
            heads[(s if side else t) - 1] = t if side else s
            r = chart.arc_by[side][s][t]
            if not pairs:
                left.append(("both", 0, s, t))
            elif r:
                left += (
                    [("arc", 1, r, t), ("both", 0, s, r)]
                    if side
                    else [("arc", 0, s, r), ("both", 0, r, t)]
                )
            else:
                left.append(("complete", 0, s, t - 1) if side else ("complete", 1, s + 1, t))

"""Find the best nested spans of sentences: the algorithm of Cocke, Kasami and Younger.

This is the plain twin of ``_cky.pyx``. A sentence of n words has a row for each span, from i to
before j, in the order of i and then j: (0, 1), (0, 2), …, (0, n), (1, 2), …; the rows of the
sentences follow each other.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["best_trees"]

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]

LARGEST = 1 << 40
"""The highest score that a span can have, and with a minus the lowest one."""


def best_trees(
    words: Numbers, candidates: Numbers, label: Codes, score: Numbers, below: Codes
) -> Codes:
    """Return the label above each candidate, -1 where the candidate is not chosen.

    A candidate c is a span with a label; those of span r stand from ``candidates[r]`` to before
    ``candidates[r + 1]``. A tree is as good as its candidates, each below the nearest label p that
    is above it: ``score[c] + below[c, p]``. The whole sentence always has one of its candidates;
    nothing is above it, which is the last column of `below`.

        best(i, j, p) = max(in(i, j, p), max_c score(c) + below(c, p) + in(i, j, label(c)))
        in(i, j, p) = max_k best(i, k, p) + best(k, j, p),   in(i, i + 1, p) = 0

    The first word is a phrase below label 0, but not below label 1:

    >>> spans = np.array([0, 1, 3, 3]), np.array([0, 0, 1], np.int32), np.array([1, 0, 0])
    >>> below = np.array([[0, -9, 0], [0, 0, 0], [0, 0, 0]], np.int32)
    >>> best_trees(np.array([0, 2]), *spans, below).tolist()
    [0, 2, -1]
    """
    _checked_trees(words, candidates, label, score, below)
    above = np.full(len(label), -1, np.int32)
    start = 0
    for n in np.diff(words).tolist():
        rows = n * (n + 1) // 2
        at = candidates[start : start + rows + 1].tolist()
        for candidate, parent in _PhraseChart(n, at, label, score, below).chosen():
            above[candidate] = parent
        start += rows
    return above


class _PhraseChart:
    """The best parts of all spans of one sentence, below each label."""

    def __init__(self, n: int, at: list[int], label: Codes, score: Numbers, below: Codes) -> None:
        self.n, self.at, self.label = n, at, label
        self.score = score[:, None] + below.astype(np.int64)
        self.best: dict[tuple[int, int], Numbers] = {}
        for width in range(1, n):
            for i in range(n - width + 1):
                self.best[i, i + width] = self._best(i, i + width)

    def chosen(self) -> Iterator[tuple[int, int]]:
        """Give the chosen candidates, each with what is above it."""
        left = [(0, self.n, self.score.shape[1] - 1)] if self.n else []
        while left:
            i, j, p = left.pop()
            inside = self._joined(i, j)
            ways = [] if p == len(inside) else [(int(inside[p]), 1, -1)]
            ways += [
                (int(inside[self.label[each]] + self.score[each, p]), -each, each)
                for each in self._candidates(i, j)
            ]
            by = max(ways)[2]
            if by >= 0:
                yield by, p
                p = int(self.label[by])
            if j - i > 1:
                parts = [int(self.best[i, k][p] + self.best[k, j][p]) for k in range(i + 1, j)]
                k = i + 1 + parts.index(max(parts))
                left += [(i, k, p), (k, j, p)]

    def _candidates(self, i: int, j: int) -> range:
        row = i * self.n - i * (i - 1) // 2 - i - 1 + j
        return range(self.at[row], self.at[row + 1])

    def _best(self, i: int, j: int) -> Numbers:
        inside = self._joined(i, j)
        labelled = [
            inside[self.label[each]] + self.score[each, :-1] for each in self._candidates(i, j)
        ]
        best: Numbers = np.max([inside, *labelled], axis=0)
        return best

    def _joined(self, i: int, j: int) -> Numbers:
        if j - i == 1:
            return np.zeros(self.score.shape[1] - 1, np.int64)
        parts = [self.best[i, k] + self.best[k, j] for k in range(i + 1, j)]
        scores: Numbers = np.max(parts, axis=0)
        return scores


def _checked_trees(
    words: Numbers, candidates: Numbers, label: Codes, score: Numbers, below: Codes
) -> None:
    _checked_offsets(words)
    lengths = np.diff(words)
    rows = lengths * (lengths + 1) // 2
    if below.ndim != 2 or below.shape[1] < 2:
        raise ValueError("scores below no label")
    if len(candidates) != int(rows.sum()) + 1:
        raise ValueError("the spans do not fit the sentences")
    _checked_offsets(candidates)
    if not len(below) == len(score) == len(label) == candidates[-1]:
        raise ValueError("the columns differ in length")
    if len(label) and not 0 <= int(label.min()) <= int(label.max()) < below.shape[1] - 1:
        raise ValueError("a label that is not there")
    if ((score > LARGEST) | (score < -LARGEST)).any():
        raise ValueError("a score that is too large")
    whole = (np.cumsum(rows) - rows + lengths - 1)[lengths > 0]
    if (candidates[whole + 1] == candidates[whole]).any():
        raise ValueError("a sentence without a candidate")


def _checked_offsets(offsets: Numbers) -> None:
    if not len(offsets) or offsets[0] or (np.diff(offsets) < 0).any():
        raise ValueError("offsets that descend")

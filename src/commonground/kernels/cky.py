"""Find the best nested spans of sentences: the algorithm of Cocke, Kasami and Younger.

This is the plain twin of ``_cky.pyx``. Every sentence is cut in two, and its parts again, until
single words are left; the best way is the one whose spans have the highest scores together:

    best(i, j) = score(i, j) + max_k best(i, k) + best(k, j)

A sentence of n words has a row for each span, from i to before j, in the order of i and then j:
(0, 1), (0, 2), …, (0, n), (1, 2), …; the rows of the sentences follow each other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["best_spans"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

LARGEST = 1 << 40
"""The highest score that a span can have, and with a minus the lowest one."""


def best_spans(words: Numbers, score: Numbers) -> Flags:
    """Tell which spans are the best ones, 2n - 1 for a sentence of n words.

    >>> best_spans(np.array([0, 3]), np.array([0, 1, 0, 0, 2, 0])).tolist()
    [True, False, True, True, True, True]
    """
    _checked(words, score)
    chosen = np.zeros(len(score), np.bool_)
    start = 0
    for n in np.diff(words).tolist():
        rows = n * (n + 1) // 2
        values = score[start : start + rows].tolist()
        for row in _best(n, values):
            chosen[start + row] = True
        start += rows
    return chosen


def _best(n: int, score: list[int]) -> list[int]:
    """Return the rows of the best spans of one sentence."""
    first = [i * n - i * (i - 1) // 2 - i - 1 for i in range(n)]  # (i, j) has the row first[i] + j
    best, cut = list(score), [0] * len(score)
    for width in range(2, n + 1):
        for i in range(n - width + 1):
            j = i + width
            parts = [best[first[i] + k] + best[first[k] + j] for k in range(i + 1, j)]
            most = max(parts)
            best[first[i] + j] += most
            cut[first[i] + j] = i + 1 + parts.index(most)
    found, left = [], [(0, n)] if n else []
    while left:
        i, j = left.pop()
        found.append(first[i] + j)
        if j - i > 1:
            k = cut[first[i] + j]
            left += [(i, k), (k, j)]
    return found


def _checked(words: Numbers, score: Numbers) -> None:
    lengths = np.diff(words)
    if not len(words) or words[0] or (lengths < 0).any():
        raise ValueError("offsets that descend")
    if int((lengths * (lengths + 1) // 2).sum()) != len(score):
        raise ValueError("the spans do not fit the sentences")
    if len(score) and (np.abs(score) > LARGEST).any():
        raise ValueError("a score that is too large")

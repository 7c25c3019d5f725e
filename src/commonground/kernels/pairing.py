"""Pair the words of two tokenisations of one text, the way the CoNLL 2018 scorer does.

This is the plain twin of ``_pairing.pyx``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import checks

__all__ = ["pair_words"]

Numbers = NDArray[np.int64]
Side = tuple[Numbers, Numbers, NDArray[np.bool_], Numbers]
Words = tuple[list[int], list[int], list[bool], list[int]]


MOST_PAIRS = 1 << 27
"""Maximum number of pairs of words in a stretch; multiword tokens of a text have far fewer."""


def pair_words(gold: Side, system: Side) -> tuple[Numbers, Numbers]:
    """Return the rows of the gold words and of the system words that are the same word.

    Each side has for every word the characters `start` and `end` of its token, whether it is one of
    several words of a multiword token, and a number for its form. Words that are tokens are the
    same when their tokens have the same characters. Where a multiword token is on either side, the
    words of the smallest stretch of text that cuts none of them are paired by a longest common
    subsequence of their forms.

    >>> starts, ends = np.array([0, 2, 2]), np.array([2, 6, 6])
    >>> one = (starts, ends, np.array([False, True, True]), np.array([0, 1, 2]))
    >>> two = (np.array([0, 2]), np.array([2, 6]), np.array([False, False]), np.array([0, 2]))
    >>> [rows.tolist() for rows in pair_words(one, two)]
    [[0, 2], [0, 1]]
    """
    one: Words = tuple(column.tolist() for column in checked(gold))
    two: Words = tuple(column.tolist() for column in checked(system))
    pairs: list[tuple[int, int]] = []
    g = s = 0
    while g < len(one[0]) and s < len(two[0]):
        if one[2][g] or two[2][s]:
            before = g, s
            first_g, first_s, g, s = _multiword_stretch(one, two, g, s)
            if (g, s) == before:  # words without characters: no word is looked at twice
                g, s = (g + 1, s) if one[2][g] else (g, s + 1)
            else:
                pairs += _common_subsequence(one[3], two[3], first_g, g, first_s, s)
        elif one[0][g] == two[0][s] and one[1][g] == two[1][s]:
            pairs.append((g, s))
            g, s = g + 1, s + 1
        elif one[0][g] <= two[0][s]:
            g += 1
        else:
            s += 1
    paired = np.array(pairs, np.int64).reshape(-1, 2)
    return paired[:, 0], paired[:, 1]


def checked(side: Side) -> Side:
    """Return the columns of a side, after a look at them."""
    start, end, multiword, form = side
    columns = (
        checks.column(start, np.int64),
        checks.column(end, np.int64),
        checks.column(multiword, np.bool_),
        checks.column(form, np.int64),
    )
    checks.equally_long(*columns)
    return columns


def _multiword_stretch(one: Words, two: Words, g: int, s: int) -> tuple[int, int, int, int]:
    """Return where the stretch begins and ends on both sides."""
    if one[2][g]:
        end = one[1][g]
        s += not two[2][s] and two[0][s] < one[0][g]
    else:
        end = two[1][s]
        g += not one[2][g] and one[0][g] < two[0][s]
    first_g, first_s = g, s
    while not (_beyond(one, g, end) and _beyond(two, s, end)):
        if g < len(one[0]) and (s >= len(two[0]) or one[0][g] <= two[0][s]):
            end = max(end, one[1][g]) if one[2][g] else end
            g += 1
        else:
            end = max(end, two[1][s]) if two[2][s] else end
            s += 1
    return first_g, first_s, g, s


def _beyond(words: Words, at: int, end: int) -> bool:
    starts, ends, multiword, _ = words
    return at >= len(starts) or (starts[at] >= end if multiword[at] else ends[at] > end)


def _common_subsequence(
    one: list[int], two: list[int], g: int, last_g: int, s: int, last_s: int
) -> list[tuple[int, int]]:
    height, width = last_g - g, last_s - s
    if height * width > MOST_PAIRS:
        raise ValueError(checks.TOO_MANY_WORDS)
    longest = [[0] * (width + 1) for _ in range(height + 1)]
    for i in reversed(range(height)):
        for j in reversed(range(width)):
            here = 1 + longest[i + 1][j + 1] if one[g + i] == two[s + j] else 0
            longest[i][j] = max(here, longest[i + 1][j], longest[i][j + 1])
    pairs = []
    i = j = 0
    while i < height and j < width:
        if one[g + i] == two[s + j]:
            pairs.append((g + i, s + j))
            i, j = i + 1, j + 1
        elif longest[i][j] == longest[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs

"""Units in strata: sentences of several treebanks, of which the score is the mean over treebanks.

Sums of strata are kept apart, so that a macro average stays one whatever is drawn or swapped: the
totals of a resample have a row per stratum, the formula is applied to each, and the mean is taken.
The units of a stratum stand one after the other; `strata` are their numbers. Without strata there
is a single row, and nothing to average.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["mean_over_strata", "slices_of", "spread_out", "sums"]

Numbers = NDArray[np.int64]
Values = NDArray[np.float64]


def slices_of(strata: Sequence[int]) -> Iterator[slice]:
    """Return the units of each stratum.

    >>> list(slices_of((2, 3)))
    [slice(0, 2, None), slice(2, 5, None)]
    """
    return (slice(start, stop) for start, stop in pairwise(accumulate(strata, initial=0)))


def sums(rows: Numbers, strata: Sequence[int]) -> Numbers:
    """Return the sums of the rows: one row of them, or one for each stratum.

    >>> rows = np.array([[1, 2], [3, 4], [5, 6]])
    >>> sums(rows, ()).tolist(), sums(rows, (2, 1)).tolist()
    ([9, 12], [[4, 6], [5, 6]])
    """
    if not strata:
        return rows.sum(axis=0)
    return np.stack([rows[units].sum(axis=0) for units in slices_of(strata)])


def spread_out(rows: Numbers, strata: Sequence[int]) -> Numbers:
    """Return rows in which each stratum has columns of its own; the others are 0.

    >>> spread_out(np.array([[1], [2], [3]]), (2, 1)).tolist()
    [[1, 0], [2, 0], [0, 3]]
    """
    if not strata:
        return rows
    columns = rows.shape[1]
    wide = np.zeros((len(rows), len(strata) * columns), rows.dtype)
    for number, units in enumerate(slices_of(strata)):
        wide[units, number * columns : (number + 1) * columns] = rows[units]
    return wide


def mean_over_strata(score: Callable[[NDArray[Any]], Values], totals: NDArray[Any]) -> Values:
    """Return the scores of totals (a row for each); with strata, the mean over these.

    >>> half = lambda totals: totals[:, 0] / totals[:, 1]
    >>> mean_over_strata(half, np.array([[1, 2]])).tolist()
    [0.5]
    >>> mean_over_strata(half, np.array([[[1, 2], [1, 4]]])).tolist()
    [0.375]
    """
    if totals.ndim == 2:
        return score(totals)
    means: Values = np.mean([score(totals[:, each]) for each in range(totals.shape[1])], axis=0)
    return means

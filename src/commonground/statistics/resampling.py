"""Sums over resampled units: as many units as there are, drawn with replacement, many times.

Only sums are kept, never the drawn units: a resample is a weight for each unit, and its sums are
the counts times the weights. Millions of units are cut into slices that fit a processor's cache;
how many of a resample's units come from which slice is multinomial, and within a slice they are
drawn as from a small corpus. That is the same distribution, no approximation of it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.random import stream

__all__ = ["resampled_totals"]

Numbers = NDArray[np.int64]

_SLICE = 1 << 15
"""How many units are a slice. The seed means other numbers with another one."""


def resampled_totals(rows: Numbers, iterations: int, seed: int) -> Numbers:
    """Return the sums by column of each resample of the rows: a row per iteration.

    >>> resampled_totals(np.array([[1, 10], [1, 10]]), 3, seed=0).tolist()
    [[2, 20], [2, 20], [2, 20]]
    """
    columns, place = _distinct(rows.T)
    starts = np.arange(0, len(rows), _SLICE)
    share = np.diff(np.append(starts, len(rows))) / len(rows)
    drawn = stream(seed, "slices").multinomial(len(rows), share, size=iterations)
    totals = np.zeros((iterations, len(columns)), np.int64)
    for number, start in enumerate(starts):
        random = stream(seed, "resampling", number)
        _add_resamples(totals, columns[:, start : start + _SLICE], drawn[:, number], random)
    return totals[:, place]


def _distinct(columns: Numbers) -> tuple[Numbers, list[int]]:
    """Return the distinct columns, and which of them each one is.

    The gold standard's numbers are the same in both systems; they are summed once.

    >>> _distinct(np.array([[1, 2], [3, 4], [1, 2]]))
    (array([[1, 2],
           [3, 4]]), [0, 1, 0])
    """
    keys = [column.tobytes() for column in columns]
    first = {key: keys.index(key) for key in keys}
    place = {key: number for number, key in enumerate(first)}
    return np.ascontiguousarray(columns[list(first.values())]), [place[key] for key in keys]


def _add_resamples(
    totals: Numbers, columns: Numbers, drawn: Numbers, random: np.random.Generator
) -> None:
    """Add to each row of totals the sums of as many random units of a slice as are `drawn`."""
    units = columns.shape[1]
    columns = np.ascontiguousarray(columns)
    for row, count in enumerate(drawn.tolist()):
        chosen = random.integers(units, size=count, dtype=np.int64)
        # A product of whole numbers: exact, and in this thread whatever BLAS does.
        totals[row] += columns @ np.bincount(chosen, minlength=units)

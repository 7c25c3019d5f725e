"""Sums over resampled units: as many units as there are, drawn with replacement, many times.

Only sums are kept, never the drawn units: a resample is a weight for each unit, and its sums are
the counts times the weights. Millions of units are cut into slices that fit a processor's cache;
how many of a resample's units come from which slice is multinomial, and within a slice they are
drawn as from a small corpus. That is the same distribution, no approximation of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from commonground.random import stream
from commonground.statistics.strata import slices_of

__all__ = ["resampled_totals"]

Numbers = NDArray[np.int64]

_SLICE = 1 << 15
"""How many units are a slice. The seed means other numbers with another one."""

_BLOCK = 1 << 15
"""About so many units are drawn at once; the numbers are the same whatever it is."""

_WORD = 63
"""The bits of a whole number, without its sign."""


def resampled_totals(
    rows: Numbers, iterations: int, seed: int, strata: Sequence[int] = ()
) -> Numbers:
    """Return the sums by column of each resample of the rows: a row per iteration.

    With `strata`, as many units are drawn from each as it has, and each has a row of sums.

    >>> resampled_totals(np.array([[1, 10], [1, 10]]), 3, seed=0).tolist()
    [[2, 20], [2, 20], [2, 20]]
    """
    if not strata:
        return _resampled(rows, iterations, seed)
    parts = [
        _resampled(rows[units], iterations, seed, number)
        for number, units in enumerate(slices_of(strata))
    ]
    return np.stack(parts, axis=1)


def _resampled(rows: Numbers, iterations: int, seed: int, *stratum: int) -> Numbers:
    columns, place = _distinct(rows.T)
    starts = np.arange(0, len(rows), _SLICE)
    share = np.diff(np.append(starts, len(rows))) / len(rows)
    drawn = stream(seed, "slices", *stratum).multinomial(len(rows), share, size=iterations)
    totals = np.zeros((iterations, len(columns)), np.int64)
    for number, start in enumerate(starts):
        random = stream(seed, "resampling", number, *stratum)
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
    packed = _Packed(columns, int(drawn.max()))
    block = max(1, _BLOCK // units)
    for start in range(0, len(drawn), block):
        counts = drawn[start : start + block]
        first = np.arange(0, units * len(counts), units)
        chosen = random.integers(units, size=counts.sum(), dtype=np.int64)
        chosen += np.repeat(first, counts)
        weights = np.bincount(chosen, minlength=units * len(counts)).reshape(-1, units)
        totals[start : start + block] += packed.sums(weights)


class _Packed:
    """Columns of small numbers, several of them side by side in the bits of one.

    The sums of so many `drawn` units have as many bits as the largest of them can have, so that
    none flows over into the next one; the multiplications are those of one column.

    >>> packed = _Packed(np.array([[1, 2], [3, 0], [-1, 1]]), drawn=4)
    >>> len(packed.words), packed.sums(np.array([[3, 1], [0, 4]])).tolist()
    (2, [[5, 9, -2], [8, 0, 4]])
    """

    def __init__(self, columns: Numbers, drawn: int) -> None:
        bits = [_bits(int(column.min()), int(column.max()), drawn) for column in columns]
        place, used = [0] * len(bits), [0] * len(bits)
        word, end = -1, _WORD
        for number, width in enumerate(bits):
            if end + width > _WORD:
                word, end = word + 1, 0
            place[number], used[number] = word, end
            end += width
        self.words = np.zeros((word + 1, columns.shape[1]), np.int64)
        np.add.at(self.words, place, columns << np.array(used)[:, None])
        self._place, self._shift = np.array(place, np.intp), np.array(used, np.int64)
        self._mask = np.array([(1 << width) - 1 if width < _WORD else -1 for width in bits])

    def sums(self, weights: Numbers) -> Numbers:
        """Return the sums of each column with the weights of each row."""
        # A product of whole numbers: exact, and in this thread whatever BLAS does.
        packed = np.einsum("ru,wu->rw", weights, self.words)
        unpacked: Numbers = (packed[:, self._place] >> self._shift) & self._mask
        return unpacked


def _bits(least: int, most: int, drawn: int) -> int:
    """Return how many bits the sum of some numbers needs; what can be negative has all of them.

    >>> _bits(0, 5, 3), _bits(-1, 5, 3)
    (4, 63)
    """
    return min(max(1, (most * drawn).bit_length()), _WORD) if least >= 0 else _WORD

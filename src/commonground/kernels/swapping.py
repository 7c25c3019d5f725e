"""The sums of what is swapped in each of many shuffles: the loop of the shuffling test.

This is the plain twin of ``_swapping.pyx``. Eight units share a byte of random bits, and a table
has the sum of their numbers for each of its 256 values; so there is one addition for eight units.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["checked", "sums"]

Numbers = NDArray[np.int64]
Bytes = NDArray[np.uint8]


def sums(apart: Numbers, swaps: Bytes) -> Numbers:
    """Return the sum of the numbers of the swapped units, a row for each column of `apart`.

    `apart` has a row for each unit, and `swaps` a row for each eight units with a byte for each
    shuffle, whose lowest bit tells whether the first of the eight is swapped. Three units in four
    shuffles:

    >>> apart = np.array([[1], [10], [100]])
    >>> sums(apart, np.array([[0, 1, 6, 255]], np.uint8)).tolist()
    [[0, 1, 110, 111]]
    """
    apart, swaps = checked(apart, swaps)
    moved = np.zeros((apart.shape[1], swaps.shape[1]), np.int64)
    part = np.empty(swaps.shape[1], np.int64)
    for table, swapped in zip(_sums_by_byte(apart), swaps, strict=False):
        for column, of_column in enumerate(table):
            np.take(of_column, swapped, out=part, mode="clip")  # clip spares a check
            moved[column] += part
    return moved


def checked(apart: Any, swaps: Any) -> tuple[Numbers, Bytes]:
    """Return the two tables, after a look at them."""
    numbers, bits = np.ascontiguousarray(apart, np.int64), np.ascontiguousarray(swaps, np.uint8)
    if numbers.ndim != 2 or bits.ndim != 2:
        raise ValueError("numbers or swaps that are no table")
    if 8 * len(bits) < len(numbers):
        raise ValueError("fewer swaps than units")
    return numbers, bits


def _sums_by_byte(apart: Numbers) -> Numbers:
    """Return for each eight units, column and value of a byte the sum over the bits that are set.

    >>> _sums_by_byte(np.array([[1], [10], [100]]))[0, 0, :8].tolist()
    [0, 1, 10, 11, 100, 101, 110, 111]
    """
    units, columns = apart.shape
    padded = np.zeros((-(-units // 8) * 8, columns), np.int64)
    padded[:units] = apart
    eight = padded.reshape(len(padded) // 8, 8, columns).transpose(1, 0, 2)
    table = np.zeros((len(padded) // 8, columns, 256), np.int64)
    for bit, value in enumerate(eight):
        half = 1 << bit
        table[:, :, half : 2 * half] = table[:, :, :half] + value[:, :, None]
    return table

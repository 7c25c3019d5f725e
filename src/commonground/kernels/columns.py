"""What is done with whole columns again and again: looking up codes, counting flags.

This is the plain twin of ``_columns.pyx``, which needs no columns in between, and so half the time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import checks

__all__ = ["add_taken", "checked", "counted", "taken"]

Codes = NDArray[np.int32]


def taken(values: NDArray[Any], codes: Codes) -> NDArray[Any]:
    """Return the value of each code; values have one, four or eight bytes.

    >>> taken(np.array([7, 8]), np.array([1, 1, 0], np.int32)).tolist()
    [8, 8, 7]
    """
    values, codes = checked(values, codes)
    return values[codes]


def add_taken(totals: NDArray[np.uint64], values: NDArray[np.uint64], codes: Codes) -> None:
    """Add the value of each code to its total, modulo 2⁶⁴.

    >>> totals = np.array([1, 1, 1], np.uint64)
    >>> add_taken(totals, np.array([7, 8], np.uint64), np.array([1, 1, 0], np.int32))
    >>> totals.tolist()
    [9, 9, 8]
    """
    if totals.dtype != np.uint64 or np.asarray(values).dtype != np.uint64:
        raise ValueError("totals and values that are not of eight bytes")
    values, codes = checked(values, codes)
    checks.equally_long(totals, codes)
    totals += values[codes]


def counted(flags: NDArray[np.bool_], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many flags are set in each of some groups of rows.

    >>> counted(np.array([True, False, True]), np.array([0, 2, 2, 3])).tolist()
    [1, 0, 1]
    """
    flags = checks.column(flags, np.bool_)
    offsets = checks.offsets(offsets, len(flags))
    return np.diff(np.concatenate([[0], np.cumsum(flags)])[offsets])


def checked(values: Any, codes: Any) -> tuple[NDArray[Any], Codes]:
    """Return values and codes, after a look at whether each code has a value."""
    array = np.ascontiguousarray(values)
    if array.ndim != 1 or array.dtype.hasobject or array.dtype.itemsize not in (1, 4, 8):
        raise ValueError("values that are no column of one, four or eight bytes")
    numbers = checks.column(codes, np.int32)
    checks.within(numbers, 0, len(array), "a code without a value")
    return array, numbers

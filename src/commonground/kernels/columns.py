"""What is done with whole columns again and again: looking up codes, counting flags.

This is the plain twin of ``_columns.pyx``, which needs no columns in between, and so half the time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import checks

__all__ = [
    "add_multiples",
    "add_taken",
    "checked",
    "counted",
    "in_both",
    "in_order",
    "mixed",
    "mixed_sums",
    "taken",
]

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]


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


def add_multiples(totals: NDArray[np.uint64], numbers: NDArray[np.integer], factor: int) -> None:
    """Add so many times each number to its total, modulo 2⁶⁴.

    >>> totals = np.array([1, 1], np.uint64)
    >>> add_multiples(totals, np.array([2, -1], np.int32), 7)
    >>> totals.tolist() == [15, (1 - 7) % (1 << 64)]
    True
    """
    numbers = checked_numbers(totals, numbers)
    totals += numbers.astype(np.int64).view(np.uint64) * np.uint64(factor)


def mixed_sums(totals: NDArray[np.uint64], offsets: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return the sum of the :func:`mixed` totals of each group, modulo 2⁶⁴.

    To each total its place in the group is added before, from 1.

    >>> numbers = mixed(np.array([8, 9, 8], np.uint64))
    >>> sums = mixed_sums(np.array([7, 7, 7], np.uint64), np.array([0, 2, 3]))
    >>> sums.tolist() == [numbers[:2].sum(), numbers[2]]
    True
    """
    totals, offsets = checked_totals(totals, offsets)
    lengths = np.diff(offsets)
    places = np.arange(1, len(totals) + 1) - np.repeat(offsets[:-1], lengths)
    added = np.cumsum(mixed(totals + places.astype(np.uint64)), dtype=np.uint64)
    sums = np.concatenate([np.zeros(1, np.uint64), added])
    return np.asarray(sums[offsets[1:]] - sums[offsets[:-1]])


def mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return numbers in which every bit depends on every bit: the last step of SplitMix64."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def counted(flags: NDArray[np.bool_], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many flags are set in each of some groups of rows.

    >>> counted(np.array([True, False, True]), np.array([0, 2, 2, 3])).tolist()
    [1, 0, 1]
    """
    flags = checks.column(flags, np.bool_)
    offsets = checks.offsets(offsets, len(flags))
    return np.diff(np.concatenate([[0], np.cumsum(flags)])[offsets])


def in_both(one: Numbers, other: Numbers) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell which numbers of each of two columns, both in order, the other one has, too.

    >>> [side.tolist() for side in in_both(np.array([2, 7]), np.array([1, 2, 2, 5]))]
    [[True, False], [False, True, True, False]]
    """
    sides = in_order(one), in_order(other)
    found: list[NDArray[np.bool_]] = []
    for mine, theirs in (sides, sides[::-1]):
        place = np.searchsorted(theirs, mine)
        known = place < len(theirs)
        known[known] = theirs[place[known]] == mine[known]
        found.append(known)
    return found[0], found[1]


def in_order(values: Any) -> Numbers:
    """Return numbers, after a look at whether they are in order."""
    column = checks.column(values, np.int64)
    if (column[1:] < column[:-1]).any():
        raise ValueError("numbers that are not in order")
    return column


def checked(values: Any, codes: Any) -> tuple[NDArray[Any], Codes]:
    """Return values and codes, after a look at whether each code has a value."""
    array = np.ascontiguousarray(values)
    if array.ndim != 1 or array.dtype.hasobject or array.dtype.itemsize not in (1, 4, 8):
        raise ValueError("values that are no column of one, four or eight bytes")
    numbers = checks.column(codes, np.int32)
    checks.within(numbers, 0, len(array), "a code without a value")
    return array, numbers


def checked_numbers(totals: NDArray[np.uint64], numbers: Any) -> NDArray[np.integer]:
    """Return whole numbers to be added to totals, after a look at both."""
    array = np.ascontiguousarray(numbers)
    if totals.dtype != np.uint64 or array.ndim != 1 or array.dtype not in (np.int32, np.int64):
        raise ValueError("totals that are not of eight bytes, or numbers that are not whole")
    checks.equally_long(totals, array)
    return array


def checked_totals(totals: Any, offsets: Any) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return totals and where their groups begin, after a look at them."""
    array = np.ascontiguousarray(totals)
    if array.ndim != 1 or array.dtype != np.uint64:
        raise ValueError("totals that are not of eight bytes")
    return array, checks.offsets(offsets, len(array))

"""Rows of several columns as single numbers, by which they are sorted and compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["first_rows", "joint_codes", "packed"]

Numbers = NDArray[np.int64]

_LARGEST = 1 << 62


def packed(columns: Sequence[NDArray[np.integer]]) -> Numbers:
    """Return a number for each row of some columns of numbers from 0: the same for equal rows only.

    >>> packed([np.array([0, 1, 0]), np.array([5, 5, 5])]).tolist()
    [5, 11, 5]
    """
    result, size = columns[0].astype(np.int64), int(columns[0].max(initial=0)) + 1
    for each in columns[1:]:
        more = int(each.max(initial=0)) + 1
        if size * more > _LARGEST:
            values, result = np.unique(result, return_inverse=True)
            size = len(values)
        if size * more > _LARGEST:
            values, each = np.unique(each, return_inverse=True)  # noqa: PLW2901
            more = len(values)
        result = result * more + each
        size *= more
    return result


def first_rows(keys: Numbers) -> Numbers:
    """Return the rows at which numbers occur for the first time, in order.

    >>> first_rows(np.array([7, 3, 7, 1])).tolist()
    [0, 1, 3]
    """
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    new = np.ones(len(keys), np.bool_)
    new[1:] = ordered[1:] != ordered[:-1]
    return np.sort(order[new])


def joint_codes(keys: Numbers) -> tuple[Numbers, Numbers]:
    """Return a small number for each key, and the first row of each number.

    >>> [each.tolist() for each in joint_codes(np.array([70, 30, 70]))]
    [[1, 0, 1], [1, 0]]
    """
    _, first, codes = np.unique(keys, return_index=True, return_inverse=True)
    return codes.astype(np.int64), first

"""Which items of two collections are the same, when equal items may occur several times."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["among", "match"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


def match(gold: Numbers, system: Numbers) -> tuple[Flags, Flags]:
    """Tell which keys of each side have a partner of their own on the other side.

    Of equal keys the first ones get the partners.

    >>> [side.tolist() for side in match(np.array([7, 7, 3]), np.array([7, 5]))]
    [[True, False, False], [True, False]]
    """
    one, two = np.sort(gold), np.sort(system)
    if _distinct(one) and _distinct(two):
        return among(gold, two), among(system, one)
    _, number = np.unique(np.concatenate([gold, system]), return_inverse=True)
    kinds = int(number.max()) + 1 if len(number) else 0
    mine, theirs = number[: len(gold)], number[len(gold) :]
    shared = np.minimum(*(np.bincount(side, minlength=kinds) for side in (mine, theirs)))
    return _occurrence(mine) < shared[mine], _occurrence(theirs) < shared[theirs]


def _distinct(ordered: Numbers) -> bool:
    """Tell whether no key occurs twice among keys in order."""
    return bool((ordered[1:] != ordered[:-1]).all())


def among(keys: Numbers, ordered: Numbers) -> Flags:
    """Tell which keys are among others, which are in order.

    >>> among(np.array([7, 2]), np.array([1, 2, 5])).tolist()
    [False, True]
    """
    if not len(ordered):
        return np.zeros(len(keys), np.bool_)
    place = np.minimum(np.searchsorted(ordered, keys), len(ordered) - 1)
    return np.asarray(ordered[place] == keys)


def _occurrence(keys: Numbers) -> Numbers:
    """Return how often each key has occurred before."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    new = np.ones(len(keys), np.bool_)
    new[1:] = ordered[1:] != ordered[:-1]
    place = np.arange(len(keys))
    before = np.empty(len(keys), np.int64)
    before[order] = place - np.maximum.accumulate(np.where(new, place, 0))
    return before

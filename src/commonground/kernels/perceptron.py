"""The weights of linear models over hashed features: the plain twin of ``perceptron.pxd``.

A feature is 64 bits; it has a weight for each class with which it was ever updated. Weights are
integers, and their averages over all moments are kept as totals (Daumé's trick: a total is brought
up to date only when its weight changes), so that sums depend on no order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["SCALE", "Frozen", "WeightTable", "Weights", "checked_weights", "combined", "drawn"]

_MULTIPLIER = 0x9E3779B97F4A7C15
_MASK = 0xFFFFFFFFFFFFFFFF

SCALE = 64
"""Averaged weights are stored as whole numbers of 1/64."""

MOST = 32767
"""The largest weight that can be stored."""

Weights = tuple[NDArray[np.uint64], NDArray[np.uint16], NDArray[np.uint16], NDArray[np.int16]]
"""Averaged weights: features in order, how many cells each has, and the cells' classes and
weights."""


def combined(one: int, other: int) -> int:
    """Return the number of a pair; features of any length are built by repeating it.

    h(a, b) = ((a × φ) ⊕ b) × φ modulo 2⁶⁴, rotated right by 29, with φ = 2⁶⁴ / golden ratio.
    """
    mixed = (((one * _MULTIPLIER) & _MASK) ^ other) * _MULTIPLIER & _MASK
    return ((mixed >> 29) | (mixed << 35)) & _MASK


def drawn(state: list[int]) -> int:
    """Return 64 random bits and move on (splitmix64).

    >>> drawn([0]) == 0xE220A8397B1DCDAF
    True
    """
    state[0] = (state[0] + _MULTIPLIER) & _MASK
    z = state[0]
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
    return z ^ (z >> 31)


class WeightTable:
    """Weights that are learned: for each feature and class [weight, total, moment of the total]."""

    def __init__(self) -> None:
        self.rows: dict[int, dict[int, list[int]]] = {}

    def add(self, features: Iterable[int], action: int, delta: int, now: int) -> None:
        """Add to the weights of some features with a class, at the moment `now`."""
        for feature in features:
            cell = self.rows.setdefault(feature, {}).setdefault(action, [0, 0, now])
            cell[1] += cell[0] * (now - cell[2])
            cell[2] = now
            cell[0] += delta

    def scores(self, features: Iterable[int], count: int) -> list[int]:
        """Return the sum of the weights of the features for each class."""
        sums = [0] * count
        for feature in features:
            for action, cell in self.rows.get(feature, {}).items():
                sums[action] += cell[0]
        return sums

    def averaged(self, now: int) -> Weights:
        """Return the averages of all weights over the moments before `now`, but those of 0."""
        keys, lengths, actions, weights = [], [], [], []
        for key in sorted(self.rows):
            row = self.rows[key]
            cells = [(action, _average(row[action], now)) for action in sorted(row)]
            cells = [(action, weight) for action, weight in cells if weight]
            if cells:
                keys.append(key)
                lengths.append(len(cells))
                actions += [action for action, _ in cells]
                weights += [weight for _, weight in cells]
        return (
            np.array(keys, np.uint64),
            np.array(lengths, np.uint16),
            np.array(actions, np.uint16),
            np.array(weights, np.int16),
        )


def _average(cell: Sequence[int], now: int) -> int:
    """Return the average of a weight in units of 1/SCALE, rounded, halves away from 0."""
    weight, total, stamp = cell
    total += weight * (now - stamp)
    size = (2 * abs(total) * SCALE + now) // (2 * max(now, 1))
    return min(size, MOST) * (1 if total >= 0 else -1)


class Frozen:
    """Averaged weights to predict with."""

    def __init__(self, weights: Weights) -> None:
        keys, lengths, actions, values = (column.tolist() for column in weights)
        self.rows: dict[int, Sequence[tuple[int, int]]] = {}
        at = 0
        for key, length in zip(keys, lengths, strict=True):
            pairs = zip(actions[at : at + length], values[at : at + length], strict=True)
            self.rows[key] = tuple(pairs)
            at += length

    def scores(self, features: Iterable[int], count: int) -> list[int]:
        """Return the sum of the weights of the features for each class."""
        sums = [0] * count
        for feature in features:
            for action, weight in self.rows.get(feature, ()):
                sums[action] += weight
        return sums


def checked_weights(weights: Weights, count: int) -> Weights:
    """Return stored weights, after a look at whether they fit together and have `count` classes."""
    keys, lengths, actions, values = weights
    rising = bool((keys[1:] > keys[:-1]).all()) and (not len(keys) or keys[0] > 0)
    whole = len(lengths) == len(keys) and int(lengths.sum(dtype=np.int64)) == len(actions)
    inside = len(values) == len(actions) and bool((actions < count).all())
    if not (rising and whole and inside):
        raise ValueError("weights that do not fit together")
    return weights

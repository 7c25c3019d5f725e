r"""A difference between two systems from few annotated units, chosen where they disagree.

Where two systems give the same analysis, no annotation can tell them apart: unit u of a text can
only count if d_u > 0 words are analysed otherwise. Units are drawn without replacement, unit u with
the probability

    π_u = min(1, n · s_u / Σ s)        s_u = √(E x_u² / w_u)

which makes the variance smallest for the words w that have to be annotated (Neyman 1934). Here x_u
is by how much the first system loses less than the second in the unit, in items of both sides
(words, twice). It is not known before the annotation; of m = d/2 words that are analysed otherwise,
one system is taken to be right in a share σ, alike within a unit with the correlation ρ:

    E x_u² = 4σ · m · (1 + ρ(m − 1))

With the annotation of the units drawn, the sum over all units is estimated by T = Σ x_u / π_u
(Horvitz & Thompson 1952), whatever E x_u² was. Its variance, with c_u = (1 − π_u) n/(n − 1), is

    V = Σ c_u (x_u/π_u − b)²            b = Σ c_u x_u/π_u / Σ c_u

(Hájek 1964, Deville 1999), and the interval is T ± t √V, with t of Student's distribution with
n − 1 degrees of freedom. The difference of LAS is T over the words of both systems.

σ and ρ were measured on treebanks (``benchmarks/choosing.py``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

__all__ = ["ALIKE", "DECIDED", "Estimate", "draw", "estimate", "inclusion", "size", "units_needed"]

Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]

DECIDED = 0.75
"""σ: the share of words analysed otherwise where one of the two systems is right."""

ALIKE = 0.15
"""ρ: how alike words of one unit are in who is right."""

_POWER = 0.8


@dataclass(frozen=True, slots=True)
class Estimate:
    """By how much the first system is better, as a fraction of 1, with the ends of its interval."""

    difference: float
    low: float
    high: float
    units: int

    @property
    def winner(self) -> int:
        """1 for the first system, -1 for the second, 0 where the interval has both."""
        return int(self.low > 0) - int(self.high < 0)


def size(differences: Numbers, words: Numbers) -> Floats:
    """Return s of each unit: 0 where nothing differs.

    >>> size(np.array([0, 2, 8]), np.array([9, 9, 9])).round(2).tolist()
    [0.0, 0.58, 1.39]
    """
    middle = differences / 2
    squares = 4 * DECIDED * middle * (1 + ALIKE * np.maximum(middle - 1, 0))
    return np.sqrt(squares / np.maximum(words, 1))


def inclusion(sizes: Floats, count: int) -> Floats:
    """Return the probabilities with which `count` units are drawn; none is above 1.

    >>> inclusion(np.array([0.0, 1.0, 1.0, 8.0]), 2).tolist()
    [0.0, 0.5, 0.5, 1.0]
    """
    possible = int((sizes > 0).sum())
    if count >= possible:
        return (sizes > 0).astype(np.float64)
    certain = np.zeros(len(sizes), np.bool_)
    while True:
        rest = count - int(certain.sum())
        share = np.where(certain, 0.0, sizes)
        probability = np.where(certain, 1.0, rest * share / share.sum())
        over = probability > 1
        if not over.any():
            return probability
        certain |= over


def draw(probability: Floats, random: np.random.Generator) -> Numbers:
    """Return units drawn with these probabilities, in random order.

    They are drawn systematically from all units in random order (Madow 1949), so that as many are
    drawn as the probabilities add up to.
    """
    order = random.permutation(len(probability))
    ends = np.cumsum(probability[order])
    total = round(float(ends[-1])) if len(ends) else 0
    ends = ends * (total / ends[-1]) if total else ends
    points = random.random() + np.arange(total)
    drawn = order[np.minimum(np.searchsorted(ends, points, side="right"), len(order) - 1)]
    return random.permutation(np.unique(drawn)).astype(np.int64)


def estimate(
    values: Numbers | Floats, probability: Floats, items: int, confidence: float = 0.95
) -> Estimate:
    """Return the difference that annotated units tell, given what each says and its probability.

    `items` are the words of both systems in the whole text.

    >>> every = estimate(np.array([2, -2, 4]), np.ones(3), 200)
    >>> every.difference, every.low == every.high
    (0.02, True)
    """
    count = len(values)
    expanded = values / probability
    total = float(expanded.sum())
    if count < 2:
        edge = math.inf if (probability < 1).any() else total
        return Estimate(total / items, -abs(edge), abs(edge), count)
    weight = (1 - probability) * count / (count - 1)
    spread = 0.0
    if weight.sum() > 0:
        middle = float((weight * expanded).sum() / weight.sum())
        spread = math.sqrt(float((weight * (expanded - middle) ** 2).sum()))
    reach = student(1 - (1 - confidence) / 2, count - 1) * spread
    return Estimate(total / items, (total - reach) / items, (total + reach) / items, count)


def student(probability: float, degrees: int) -> float:
    """Return a quantile of Student's t, by Hill's (1970) expansion around the normal one.

    >>> round(student(0.975, 10), 2), round(student(0.975, 1000), 2)
    (2.23, 1.96)
    """
    z, n = NormalDist().inv_cdf(probability), float(degrees)
    z3, z5, z7 = z**3, z**5, z**7
    return (
        z
        + (z3 + z) / (4 * n)
        + (5 * z5 + 16 * z3 + 3 * z) / (96 * n**2)
        + (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n**3)
    )


def units_needed(
    differences: Numbers, sizes: Floats, items: int, difference: float, *, alpha: float = 0.05
) -> int | None:
    """Return how many units have to be drawn to show a difference with the power 0.8.

    The units are drawn with probabilities in proportion to `sizes`; None where not even all of them
    would show it, as the systems do not differ enough.
    """
    possible = int((sizes > 0).sum())
    total = difference * items
    if not possible or total > differences.sum():
        return None
    lean = total / max(float(differences.sum()), 1.0)
    middle = differences / 2
    inside = np.maximum(DECIDED - lean**2, 0.05)
    squares = (
        4 * middle * inside * (1 + ALIKE * np.maximum(middle - 1, 0)) + (2 * middle * lean) ** 2
    )
    factor = NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(_POWER)
    low, high = 1, possible
    while low < high:
        count = (low + high) // 2
        probability = inclusion(sizes, count)
        drawn = probability > 0
        error = float((squares[drawn] * (1 / probability[drawn] - 1)).sum()) ** 0.5
        low, high = (low, count) if total >= factor * error else (count + 1, high)
    return low

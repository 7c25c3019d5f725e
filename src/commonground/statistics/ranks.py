"""The signed-rank test and the sign test, over the units' own scores.

Both look at each unit (a sentence, a document) by itself: d = the first system's score on it less
the second one's. A short sentence weighs as much as a long one here, so these tests may favour
another system than the score of the corpus does; `difference` is still that of the corpus scores,
and the shuffling test is the one about it. Units with d = 0 have no say.

    sign        how many d are positive, which is binomial with ½ among equal systems
    wilcoxon    W, the sum of the ranks of |d| over the positive d (ties share the mean of their
                ranks); among equal systems each rank is in the sum with probability ½

Wilcoxon's distribution is counted out for up to 50 units with a say, ties included; beyond, it is
taken as normal with mean n(n+1)/4 and variance Σ r²/4, which is n(n+1)(2n+1)/24 less what ties take
away. Two-sided p-values are twice the smaller one-sided one, at most 1.

From: Arbuthnott (1710), An argument for divine providence; Wilcoxon (1945), Individual comparisons
by ranking methods.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from commonground.statistics.binomial import p_of_wins
from commonground.statistics.claim import Alternative, Claim, check_alternative
from commonground.statistics.normal import normal_tail
from commonground.statistics.pairing import Pairing

__all__ = ["sign", "wilcoxon"]

Values = NDArray[np.float64]

_EQUAL = 1e-12
"""Differences this near to each other are equal. As floating-point numbers equal ones differ by
about 1e-16; as fractions of the counts of sentences, other ones hardly differ by so little."""

_COUNTED_OUT = 50
"""Up to how many units Wilcoxon's distribution is counted out, in numbers below 2^63."""


def sign(pairing: Pairing, *, alternative: Alternative = "two-sided") -> Claim:
    """Test whether one system is the better one on more units than the other.

    >>> from commonground.metrics.metric import recall
    >>> one, other = np.array([[4, 4], [3, 4], [2, 4]]), np.array([[3, 4], [2, 4], [1, 4]])
    >>> print(sign(Pairing(recall, ("correct", "gold"), one, other)))
    difference +0.2500, p = 0.25 (sign test, two-sided, 3 sentences)
    """
    check_alternative(alternative)
    apart = _apart(pairing)
    wins = int(np.count_nonzero(apart > 0))
    losses = len(apart) - wins
    p = p_of_wins(wins, losses, alternative)
    return _claim("sign", pairing, alternative, p, wins, len(apart), exact=True)


def wilcoxon(pairing: Pairing, *, alternative: Alternative = "two-sided") -> Claim:
    """Test whether the units' differences lie around 0, by their signed ranks.

    >>> from commonground.metrics.metric import recall
    >>> one, other = np.array([[4, 4], [3, 4], [2, 4]]), np.array([[3, 4], [1, 4], [3, 4]])
    >>> claim = wilcoxon(Pairing(recall, ("correct", "gold"), one, other))
    >>> claim.statistic, claim.p
    (4.5, 0.75)
    """
    check_alternative(alternative)
    apart = _apart(pairing)
    ranks = _ranks(np.abs(apart))
    seen = float(ranks[apart > 0].sum())
    exact = len(ranks) <= _COUNTED_OUT
    more, less = (_counted_tails if exact else _normal_tails)(ranks, seen)
    p = {"two-sided": min(1.0, 2 * min(more, less)), "greater": more, "less": less}[alternative]
    return _claim("wilcoxon", pairing, alternative, p, seen, len(ranks), exact=exact)


def _apart(pairing: Pairing) -> Values:
    """Return the differences of the units' scores, of the units that differ."""
    one, other = pairing.by_unit()
    apart = one - other
    return apart[np.abs(apart) > _EQUAL]


def _ranks(sizes: Values) -> Values:
    """Return the ranks of some sizes from 1; equal ones share the mean of theirs.

    >>> _ranks(np.array([0.5, 0.1, 0.5])).tolist()
    [2.5, 1.0, 2.5]
    """
    order = np.argsort(sizes, kind="stable")
    new = np.diff(sizes[order], prepend=-1.0) > _EQUAL
    first = np.flatnonzero(new)
    after = np.append(first[1:], len(sizes))
    ranks = np.empty(len(sizes))
    ranks[order] = ((first + 1 + after) / 2)[np.cumsum(new) - 1]
    return ranks


def _counted_tails(ranks: Values, seen: float) -> tuple[float, float]:
    """Return P(W ≥ seen) and P(W ≤ seen), from the number of sums of ranks of each size."""
    doubled = np.rint(2 * ranks).astype(np.int64)  # shared ranks are halves
    ways = np.zeros(int(doubled.sum()) + 1, np.int64)
    ways[0] = 1
    for rank in doubled:
        ways[rank:] += ways[:-rank].copy()
    at = round(2 * seen)
    everything = 2 ** len(ranks)
    return int(ways[at:].sum()) / everything, int(ways[: at + 1].sum()) / everything


def _normal_tails(ranks: Values, seen: float) -> tuple[float, float]:
    """Return P(W ≥ seen) and P(W ≤ seen) of the normal distribution."""
    z = (seen - ranks.sum() / 2) / sqrt((ranks**2).sum() / 4)
    return normal_tail(z), normal_tail(-z)


def _claim(
    test: str,
    pairing: Pairing,
    alternative: Alternative,
    p: float,
    statistic: float,
    effective: int,
    *,
    exact: bool,
) -> Claim:
    return Claim(
        test,
        pairing.difference,
        p,
        alternative,
        units=pairing.units,
        unit=pairing.unit,
        iterations=0,
        exact=exact,
        statistic=statistic,
        effective=effective,
    )

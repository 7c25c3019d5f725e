"""The binomial distribution with p = ½, which is that of wins and losses between equal systems."""

from __future__ import annotations

from math import comb, exp, lgamma, log

import numpy as np

from commonground.statistics.claim import Alternative

__all__ = ["p_of_wins"]


def p_of_wins(wins: int, losses: int, alternative: Alternative) -> float:
    """Return the probability of such a number of wins among equals, or of a more extreme one.

    >>> p_of_wins(3, 0, "greater"), p_of_wins(0, 3, "greater"), p_of_wins(3, 0, "two-sided")
    (0.125, 1.0, 0.25)
    """
    if alternative == "two-sided":
        return min(1.0, 2 * _at_most(min(wins, losses), wins + losses))
    return _at_most(losses if alternative == "greater" else wins, wins + losses)


def _at_most(k: int, n: int) -> float:
    """Return P(X ≤ k) for X of n trials: P(X = k) · (1 + k/(n−k+1) · (1 + (k−1)/(n−k+2) · …)).

    All terms are positive, so nothing cancels; in the upper half the other tail is the smaller one.
    """
    if 2 * k >= n:
        return 1.0 - (_at_most(n - k - 1, n) if k < n else 0.0)
    if k < 0:
        return 0.0
    down = np.arange(k, 0, -1)
    terms = np.cumprod(down / (n - down + 1))
    return _exactly(k, n) * (1.0 + float(terms.sum()))


def _exactly(k: int, n: int) -> float:
    """Return P(X = k); with many trials by logarithms, which is right to nine digits or more."""
    if n <= 1000:
        return comb(n, k) / 2**n
    return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * log(2))

"""McNemar's test, token by token.

For metrics that are the share of tokens that are right (UAS, LAS, tags). Tokens that both systems
have right, or both wrong, say nothing; b tokens only the first has right, c only the second. Among
equal systems b is binomial, with b + c trials and probability ½:

    exact        the binomial tails
    chi-square   (b − c)² / (b + c), as χ² with one degree of freedom
    corrected    (|b − c| − 1)² / (b + c), the same with a correction for continuity

One-sided, the last two take the signed root as a normal z. The test takes tokens for independent of
each other. Errors in a sentence hardly are: one wrong attachment brings others, and p comes out too
small. The shuffling test, whose units are sentences, does not assume it.

From: McNemar (1947), Note on the sampling error of the difference between correlated proportions or
percentages; the correction: Edwards (1948).
"""

from __future__ import annotations

from math import copysign, sqrt
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError
from commonground.statistics.binomial import p_of_wins
from commonground.statistics.claim import Alternative, Claim, check_alternative
from commonground.statistics.normal import normal_tail

__all__ = ["VARIANTS", "Variant", "mcnemar"]

Flags = NDArray[np.bool_]
Variant = Literal["exact", "chi-square", "corrected"]
VARIANTS: tuple[Variant, ...] = get_args(Variant)
"""How the p-value is computed."""


def mcnemar(
    one_correct: Flags,
    other_correct: Flags,
    *,
    alternative: Alternative = "two-sided",
    method: Variant = "exact",
) -> Claim:
    """Test whether two systems have different shares of tokens right, from flags per token.

    >>> one, other = np.ones(10, bool), np.arange(10) < 6
    >>> print(mcnemar(one, other))
    difference +0.4000, p = 0.125 (mcnemar test, two-sided, 10 tokens)
    """
    check_alternative(alternative)
    if method not in VARIANTS:
        raise UsageError(f"there is no McNemar test {method!r}; there are {', '.join(VARIANTS)}")
    if len(one_correct) != len(other_correct):
        raise UsageError(
            f"the systems have {len(one_correct):,} and {len(other_correct):,} tokens; McNemar's "
            "test needs the same ones in both"
        )
    wins = int(np.count_nonzero(one_correct & ~other_correct))
    losses = int(np.count_nonzero(other_correct & ~one_correct))
    if method == "exact":
        statistic, p = float(wins), p_of_wins(wins, losses, alternative)
    else:
        z = _z(wins, losses, correction=1 if method == "corrected" else 0)
        statistic, p = z * z, _p_of_z(z, alternative)
    return Claim(
        "mcnemar",
        (wins - losses) / max(1, len(one_correct)),
        p,
        alternative,
        units=len(one_correct),
        unit="token",
        iterations=0,
        exact=method == "exact",
        statistic=statistic,
        effective=wins + losses,
        method=method,
    )


def _z(wins: int, losses: int, correction: int) -> float:
    size = max(0, abs(wins - losses) - correction)
    return copysign(size / sqrt(max(1, wins + losses)), wins - losses)


def _p_of_z(z: float, alternative: Alternative) -> float:
    p = normal_tail({"two-sided": abs(z), "greater": z, "less": -z}[alternative])
    return 2 * p if alternative == "two-sided" else p

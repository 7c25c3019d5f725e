"""How many simulated differences are as extreme as the one that was seen.

Equal fractions need not be equal as floating-point numbers: 0.3 − 0.2 is less than 0.2 − 0.1 there.
In a test they are ties, and a tie counts as extreme; so numbers within the rounding error of each
other are equal here. A score is a quotient of whole numbers, rounded once or twice; a difference of
two such scores is off by at most four units of the last place of the larger one (or of 1).
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from commonground.statistics.claim import Alternative

__all__ = ["count_extreme", "rounding", "sampled_p"]


def rounding(*scores: float) -> float:
    """Return how far two differences of such scores can be apart, and yet be equal.

    >>> 0.3 - 0.2 < 0.2 - 0.1, 0.3 - 0.2 < 0.2 - 0.1 - rounding(0.3)
    (True, False)
    """
    return 16 * sys.float_info.epsilon * max(1.0, *(abs(score) for score in scores))


def count_extreme(
    simulated: NDArray[np.float64], seen: float, alternative: Alternative, slack: float
) -> int:
    """Return how many differences are as large as the one seen, as small, or as far from 0.

    >>> count_extreme(np.array([-0.2, 0.1, 0.3]), 0.2, "two-sided", 1e-15)
    2
    >>> count_extreme(np.array([-0.2, 0.1, 0.3]), 0.2, "greater", 1e-15)
    1
    """
    if alternative == "two-sided":
        simulated, seen = np.abs(simulated), abs(seen)
    elif alternative == "less":
        simulated, seen = -simulated, -seen
    return int(np.count_nonzero(simulated >= seen - slack))


def sampled_p(extreme: int, iterations: int) -> float:
    """Return (c + 1) / (n + 1): what was seen is one more draw, so p is never 0.

    >>> sampled_p(4, 99)
    0.05
    """
    return (extreme + 1) / (iterations + 1)

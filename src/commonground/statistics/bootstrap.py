r"""The paired bootstrap: a test, and how intervals follow from resamples.

The units (sentences or documents) are drawn with replacement, as many as there are, the same ones
for both systems; from the sums of each resample comes a difference δ*. How the δ* lie around the
difference δ seen is how δ lies around the true one.

The test. Under the hypothesis that the systems are equal the differences have the same spread, but
around 0; so the δ* are shifted by δ, and

    p = (c + 1) / (n + 1)        c of n resamples have  |δ* − δ| ≥ |δ|       (two-sided)
                                                         δ* − δ  ≥  δ        (greater)
                                                         δ* − δ  ≤  δ        (less)

Ties are extreme. This is not the share of resamples in which the other system wins, which is often
reported as p although it is none.

Intervals at confidence 1 − 2α, from the quantiles of the δ*:

    percentile   those at α and 1 − α
    bca          those at Φ(z + (z + Φ⁻¹(α)) / (1 − a (z + Φ⁻¹(α)))), and the same with 1 − α

BCa (bias-corrected and accelerated) allows for the bias, z = Φ⁻¹(share of δ* below δ, where half of
the equal ones are below), and for a spread that grows with the value, a = Σ e³ / 6 (Σ e²)^(3/2) for
the deviations e of the values without one unit from their mean, turned round.

From: Efron (1987), Better bootstrap confidence intervals; Efron & Tibshirani (1993), An
introduction to the bootstrap, chapters 13, 14 and 16; the shifted test also Noreen (1989).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError
from commonground.statistics.claim import Alternative, Claim, check_alternative
from commonground.statistics.extremes import count_extreme, rounding, sampled_p
from commonground.statistics.iterations import check_iterations
from commonground.statistics.pairing import Pairing
from commonground.statistics.resampling import resampled_totals
from commonground.statistics.strata import slices_of, sums

__all__ = ["METHODS", "Method", "Sample", "bootstrap", "paired_sample"]

Values = NDArray[np.float64]
Method = Literal["bca", "percentile"]
METHODS: tuple[Method, ...] = get_args(Method)
"""How an interval is made from the resamples."""

_NORMAL = NormalDist()


def bootstrap(
    pairing: Pairing,
    *,
    iterations: int = 10_000,
    seed: int = 0,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
    method: Method = "bca",
) -> Claim:
    """Test whether two systems differ, with an interval of the difference, by resampling units.

    The interval is two-sided whatever the alternative.

    >>> from commonground.metrics.metric import recall
    >>> one, other = np.array([[4, 4], [3, 4], [2, 4]] * 5), np.array([[3, 4], [2, 4], [2, 4]] * 5)
    >>> pairing = Pairing(recall, ("correct", "gold"), one, other)
    >>> claim = bootstrap(pairing, iterations=999)
    >>> low, high = claim.interval
    >>> 0 < low < claim.difference < high < 0.25, claim.p < 0.01
    (True, True)
    """
    check_alternative(alternative)
    sample = paired_sample(pairing)
    resampled = sample.resampled(iterations, seed)
    return sample.claim(resampled, alternative, confidence, method, unit=pairing.unit, seed=seed)


def paired_sample(pairing: Pairing) -> Sample:
    """Return the units of both systems, and the difference of the scores as the value of sums."""
    columns = len(pairing.columns)

    def difference(totals: NDArray[Any]) -> Values:
        one, other = totals[..., :columns], totals[..., columns:]
        return pairing.score(one) - pairing.score(other)

    rows = np.hstack([pairing.one, pairing.other])
    slack = rounding(*pairing.scores)
    return Sample(rows, difference, pairing.difference, slack, pairing.strata)


@dataclass(frozen=True)
class Sample:
    """Rows of counts, a value of sums of rows, and that value as `seen` in all rows together.

    With `strata`, sums are those of each stratum.
    """

    rows: NDArray[np.int64]
    value: Callable[[NDArray[Any]], Values]
    seen: float
    slack: float
    strata: tuple[int, ...] = ()

    def resampled(self, iterations: int, seed: int) -> Values:
        """Return the value in each of many resamples."""
        check_iterations(iterations)
        if len(self.rows) < 2:
            raise UsageError(
                f"the bootstrap cannot draw from {len(self.rows)} units; it needs at least 2, and "
                "many for a good interval"
            )
        return self.value(resampled_totals(self.rows, iterations, seed, self.strata))

    def interval(self, resampled: Values, confidence: float, method: Method) -> tuple[float, float]:
        """Return the interval of the value that follows from resampled ones."""
        if not 0 < confidence < 1:
            raise UsageError(f"the confidence is {confidence}; it lies between 0 and 1")
        if method not in METHODS:
            raise UsageError(f"there is no interval {method!r}; there are {', '.join(METHODS)}")
        tail = (1 - confidence) / 2
        at = (tail, 1 - tail)
        if method == "bca":
            at = self._corrected(resampled, at)
        low, high = np.quantile(resampled, at)
        return float(low), float(high)

    def claim(
        self,
        resampled: Values,
        alternative: Alternative,
        confidence: float,
        method: Method,
        *,
        unit: str,
        seed: int,
    ) -> Claim:
        """Return what resampled values, which are differences, say about the one seen."""
        extreme = count_extreme(resampled - self.seen, self.seen, alternative, self.slack)
        return Claim(
            "bootstrap",
            self.seen,
            sampled_p(extreme, len(resampled)),
            alternative,
            units=len(self.rows),
            unit=unit,
            iterations=len(resampled),
            interval=self.interval(resampled, confidence, method),
            confidence=confidence,
            method=method,
            seed=seed,
        )

    def _corrected(self, resampled: Values, at: tuple[float, float]) -> tuple[float, float]:
        """Return which quantiles BCa takes instead of those at the two places."""
        below = np.count_nonzero(resampled < self.seen - self.slack)
        equal = np.count_nonzero(np.abs(resampled - self.seen) <= self.slack)
        # Where all lie on one side, the share that would be seen in twice as many.
        least = 0.5 / len(resampled)
        bias = _NORMAL.inv_cdf(min(max((below + equal / 2) / len(resampled), least), 1 - least))
        acceleration = self._acceleration()

        def moved(share: float) -> float:
            z = bias + _NORMAL.inv_cdf(share)
            return _NORMAL.cdf(bias + z / (1 - acceleration * z))

        return moved(at[0]), moved(at[1])

    def _acceleration(self) -> float:
        """Return how fast the spread grows with the value, from the values without one unit."""
        without = self._without_each()
        off = without.mean() - without
        off[np.abs(off) <= self.slack] = 0.0
        squares = float((off**2).sum())
        return float((off**3).sum()) / (6 * squares**1.5) if squares else 0.0

    def _without_each(self) -> Values:
        """Return the value without each of the units in turn."""
        totals = sums(self.rows, self.strata)
        if not self.strata:
            return self.value(totals - self.rows)
        parts = []
        for number, units in enumerate(slices_of(self.strata)):
            rows = self.rows[units]
            left = np.repeat(totals[None], len(rows), axis=0)
            left[:, number] -= rows
            parts.append(self.value(left))
        return np.concatenate(parts)

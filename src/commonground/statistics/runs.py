"""Several training runs of the same system: how far they spread, and whether two systems differ.

A parser that is trained k times, on other samples or from other seeds, has k scores. Their spread
is what a single number hides. Runs of two systems are usually in no pairs; the tests are then those
of two samples: Student's and Welch's t-test, and a permutation test that assumes nothing about the
distribution. Where the systems were trained on the same samples, the paired t-test looks at the
difference in each of them.

From: Spreyer (2010), Notes on the evaluation of dependency parsers obtained through cross-lingual
projection, section 5; Welch (1947), The generalization of 'Student's' problem when several
different population variances are involved.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from statistics import fmean, stdev
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from commonground.errors import MissingExtraError, UsageError
from commonground.plurals import number_of
from commonground.random import stream
from commonground.statistics.claim import Alternative, Claim, Interval, check_alternative
from commonground.statistics.extremes import count_extreme, sampled_p
from commonground.statistics.iterations import check_iterations

__all__ = ["Runs", "paired", "permutation", "student", "welch"]

Values = NDArray[np.float64]


_MOST = 1e100
"""No score is so large; the squares of such numbers are numbers still."""


@dataclass(frozen=True, slots=True)
class Runs:
    """The scores of `count` runs: their `mean` and their standard deviation `sd` (with n − 1).

    The scores themselves are there only if they are known; t-tests do without, so that the means
    and standard deviations that papers print can be tested as well.

    >>> runs = Runs.of([0.68, 0.70, 0.69, 0.69])
    >>> print(f"{runs.mean:.4f} ± {runs.sd:.4f}, standard error {runs.standard_error:.4f}")
    0.6900 ± 0.0082, standard error 0.0041
    """

    mean: float
    sd: float
    count: int
    scores: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.count < 2:
            raise UsageError(
                f"{number_of(self.count, 'run has', 'runs have')} no spread; 2 or more are needed"
            )
        if not (abs(self.mean) < _MOST and 0 <= self.sd < _MOST):
            raise UsageError("scores of runs are numbers, and their deviation is not negative")

    @classmethod
    def of(cls, scores: Sequence[float] | Values) -> Runs:
        """Return the runs with these scores."""
        known = tuple(map(float, scores))
        if len(known) < 2 or not all(map(math.isfinite, known)):
            return cls(0.0, math.nan, len(known))  # which is refused
        return cls(fmean(known), stdev(known), len(known), known)

    @property
    def standard_error(self) -> float:
        """The standard deviation of the mean, sd/√n."""
        return self.sd / math.sqrt(self.count)

    def interval(self, confidence: float = 0.95) -> Interval:
        """Return where the mean of very many runs lies: mean ± t · sd/√n, with n − 1 degrees."""
        reach = _quantile(self.count - 1, confidence) * self.standard_error
        low, high = self.mean - reach, self.mean + reach
        return Interval(self.mean, low, high, confidence, "t", self.count, "run", 0)


Scores = Runs | Sequence[float] | Values


# ── t-tests ──────────────────────────────────────────────────────────────────────────────────────


def student(
    one: Scores,
    other: Scores,
    *,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> Claim:
    """Return Student's t-test of two systems' runs, which takes their variances for equal.

        t = (x̄₁ − x̄₂) / (s · √(1/n₁ + 1/n₂)),   s² = ((n₁−1)s₁² + (n₂−1)s₂²) / (n₁+n₂−2)

    with n₁+n₂−2 degrees of freedom. The interval of the difference has two sides, whatever the
    alternative. From a paper that prints 'mean 69.21, sd 0.58' and '67.38, sd 0.60' for 10 runs:

    >>> claim = student(Runs(69.21, 0.58, 10), Runs(67.38, 0.60, 10))
    >>> print(f"t = {claim.statistic:.2f}, p = {claim.p:.1e}")
    t = 6.93, p = 1.8e-06
    """
    first, second = _runs(one), _runs(other)
    free = first.count + second.count - 2
    pooled = ((first.count - 1) * first.sd**2 + (second.count - 1) * second.sd**2) / free
    error = math.sqrt(pooled * (1 / first.count + 1 / second.count))
    return _t_claim("student-t", first, second, error, free, alternative, confidence)


def welch(
    one: Scores,
    other: Scores,
    *,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> Claim:
    """Return Welch's t-test of two systems' runs, whose variances may differ.

        t = (x̄₁ − x̄₂) / √(e₁ + e₂),   e = s²/n

    with (e₁ + e₂)² / (e₁²/(n₁−1) + e₂²/(n₂−1)) degrees of freedom.

    >>> print(f"{welch(Runs(69.21, 0.58, 10), Runs(53.09, 0.69, 5)).statistic:.1f}")
    44.9
    """
    first, second = _runs(one), _runs(other)
    each = [(runs.standard_error**2, runs.count - 1) for runs in (first, second)]
    squared = sum(error for error, _ in each)
    spread = sum(error**2 / free for error, free in each)
    free = squared**2 / spread if spread else 1.0  # without any spread there is no test
    return _t_claim("welch-t", first, second, math.sqrt(squared), free, alternative, confidence)


def paired(
    one: Scores,
    other: Scores,
    *,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> Claim:
    """Return the t-test of the differences between runs that are in pairs, such as of one sample.

        t = d̄ / (s/√n),   s² the variance of the differences d

    with n − 1 degrees of freedom. What all runs of a sample share has no part in it:

    >>> claim = paired([0.70, 0.60, 0.65, 0.55], [0.69, 0.58, 0.64, 0.53])
    >>> print(f"t = {claim.statistic:.1f}, p = {claim.p:.3f}")
    t = 5.2, p = 0.014
    """
    first, second = _runs(one), _runs(other)
    if not (first.scores and second.scores) or first.count != second.count:
        raise UsageError("a paired t-test needs as many scores of one system as of the other")
    apart = Runs.of([a - b for a, b in zip(first.scores, second.scores, strict=True)])
    free = apart.count - 1
    if not apart.sd and not apart.mean:  # the same system in other clothes
        return Claim("paired-t", 0.0, 1.0, alternative, apart.count, "pair", 0, statistic=0.0)
    return _t_claim("paired-t", first, second, apart.standard_error, free, alternative, confidence)


def _t_claim(
    test: str,
    one: Runs,
    other: Runs,
    error: float,
    free: float,
    alternative: Alternative,
    confidence: float,
) -> Claim:
    check_alternative(alternative)
    difference = one.mean - other.mean
    if not error:
        raise UsageError(
            "the runs of both systems do not vary at all, so a t-test is undefined; use a "
            "permutation test"
        )
    t = difference / error
    below = float(_special().stdtr(free, t))
    above = float(_special().stdtr(free, -t))
    p = {"greater": above, "less": below, "two-sided": 2 * min(above, below)}[alternative]
    reach = _quantile(free, confidence) * error
    return Claim(
        test,
        difference,
        p,
        alternative,
        units=one.count if test == "paired-t" else one.count + other.count,
        unit="pair" if test == "paired-t" else "run",
        iterations=0,
        statistic=t,
        interval=(difference - reach, difference + reach),
        confidence=confidence,
        method=f"t with {free:.4g} degrees of freedom",
    )


def _quantile(free: float, confidence: float) -> float:
    if not 0 < confidence < 1:
        raise UsageError(f"a confidence of {confidence}; it lies between 0 and 1, such as 0.95")
    return float(_special().stdtrit(free, (1 + confidence) / 2))


def _special() -> ModuleType:
    try:
        from scipy import special  # noqa: PLC0415  # an extra
    except ModuleNotFoundError:
        raise MissingExtraError("the t distribution", "statistics") from None
    return special


def _runs(scores: Scores) -> Runs:
    return scores if isinstance(scores, Runs) else Runs.of(scores)


# ── the permutation test ─────────────────────────────────────────────────────────────────────────


def permutation(
    one: Scores,
    other: Scores,
    *,
    iterations: int = 10_000,
    seed: int = 0,
    alternative: Alternative = "two-sided",
) -> Claim:
    """Return the permutation test of the difference of two systems' mean scores.

    If both systems were the same, each way to deal the n₁ + n₂ scores out to them would be as
    likely as the one that was seen. p is the share of ways whose difference is at least as large
    (two-sided: in either direction). Where there are at most 200,000 ways (ten runs each make
    184,756), all are tried and p is exact; otherwise `iterations` random ones are, and
    p = (extreme + 1)/(iterations + 1).

    Of the six ways to deal out four scores, two are as extreme as this one:

    >>> claim = permutation([0.70, 0.71], [0.68, 0.69])
    >>> round(claim.p, 4), claim.iterations, claim.exact
    (0.3333, 6, True)
    """
    check_alternative(alternative)
    first, second = _runs(one), _runs(other)
    if not (first.scores and second.scores):
        raise UsageError("a permutation test needs the scores of the runs, not only their mean")
    check_iterations(iterations)
    values = np.array(first.scores + second.scores)
    slack = 1e-12 * float(np.abs(values).sum())  # the same sum in another order is another float
    values -= values.mean()
    exact = math.comb(len(values), first.count) <= _MOST_WAYS
    sums = _all_sums(values, first.count) if exact else _sums(values, first.count, iterations, seed)
    seen = float(values[: first.count].sum())
    extreme = count_extreme(sums, seen, alternative, slack)
    return Claim(
        "permutation",
        first.mean - second.mean,
        extreme / len(sums) if exact else sampled_p(extreme, len(sums)),
        alternative,
        units=len(values),
        unit="run",
        iterations=len(sums),
        exact=exact,
        seed=None if exact else seed,
    )


_MOST_WAYS = 200_000
"""Maximum number of ways to deal out scores that are all tried, in a tenth of a second."""


# The values sum to 0, so that the difference of the means is (1/n₁ + 1/n₂) times the sum of the
# first system's; these functions return that sum for many ways to deal the values out.


def _all_sums(values: Values, first: int) -> Values:
    if 2 * first > len(values):  # fewer numbers to write down
        return -_all_sums(values, len(values) - first)
    places = chain.from_iterable(combinations(range(len(values)), first))
    groups: Values = values[np.fromiter(places, np.int64).reshape(-1, first)].sum(axis=1)
    return groups


def _sums(values: Values, first: int, iterations: int, seed: int) -> Values:
    random = stream(seed, "permutation")
    rows = max(1, 1_000_000 // len(values))
    sums = np.empty(iterations)
    for start in range(0, iterations, rows):
        part = sums[start : start + rows]
        dealt = random.permuted(np.tile(values, (len(part), 1)), axis=1)
        part[:] = dealt[:, :first].sum(axis=1)
    return sums

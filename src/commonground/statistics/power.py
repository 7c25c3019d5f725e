"""Power: the smallest difference between two systems that this test set could show.

'No significant difference' may mean that there is none, or that the test set is too small to show
it. The power of a test is the probability that it finds a difference that is there. It is measured
here by simulation: a baseline's counts are given, and many times a test set like this one is drawn
(as many units as there are, with replacement), a better system is made up, and the test is run on
the two.

The made-up system. A unit (a sentence, a document) has r items that the baseline has right and w
that it could have right but has not. The better system loses each right item with probability λ and
wins each wrong one with probability μ, all independently:

    r' = r − Binomial(r, λ) + Binomial(w, μ)

Let q be the share of right items, and d the difference in such shares. Two systems of the same
quality still make different errors; how different is the *churn* κ, from 0 to 1:

    λ = κ (1 − q − d)
    μ = κ (q + d) + (1 − κ) d / (1 − q)

The expected difference is d whatever κ is. With κ = 0 the better system makes no new errors, which
is the most that can be hoped for; with κ = 1 its errors have nothing to do with the baseline's, and
the counts of the units differ most. At d = 0, 1 − κ is the correlation between the two systems'
being right about an item. With a second system at hand, κ is the one for which the counts differ as
much (Σ δ² over the units, δ = r' − r) as between the two systems; without, it is 1, which is
cautious, unless it is given.

From: Card et al. (2020), With little power comes great responsibility, who simulate the power of
tests between systems from their agreement.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import pairwise
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from commonground.engine import Engine, Jobs, engine_for
from commonground.errors import UsageError
from commonground.evaluation.metric_score import Score
from commonground.random import stream
from commonground.statistics.iterations import check_iterations
from commonground.statistics.pairing import Formula, Pairing, score_of_totals, unit_counts
from commonground.statistics.registry import find_test

__all__ = [
    "Detectable",
    "PowerPoint",
    "Process",
    "counts_right_items",
    "detectable",
    "power_curve",
]

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PowerPoint:
    """The power at a difference, from simulations, with its standard error √(power(1−power)/n)."""

    difference: float
    power: float
    error: float


@dataclass(frozen=True, slots=True)
class Detectable:
    """The smallest difference that is found with the wanted `power`, and the `curve` it is from.

    `difference` is None where even the best system that is possible would not be found so often;
    `error` is its standard error, from the number of simulations.
    """

    difference: float | None
    error: float | None
    power: float
    alpha: float
    churn: float
    test: str
    units: int
    unit: str
    iterations: int
    simulations: int
    seed: int
    curve: tuple[PowerPoint, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the smallest difference as JSON has it."""
        return asdict(self)


# ── the process ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Process:
    """How a better system is made up: from the counts of a baseline, a `rows` per unit, and κ.

    >>> from commonground.metrics.metric import recall
    >>> rows = np.array([[6, 10], [10, 10]])
    >>> process = Process(recall, ("correct", "gold"), rows, churn=0.5)
    >>> [round(rate, 4) for rate in process.rates(0.0)], [round(r, 4) for r in process.rates(0.1)]
    ([0.1, 0.4], [0.05, 0.7])
    """

    formula: Formula
    columns: tuple[str, ...]
    rows: Numbers
    churn: float = 1.0
    unit: str = "sentence"

    @classmethod
    def of(
        cls,
        score: Score,
        other: Score | None = None,
        groups: ArrayLike | None = None,
        *,
        churn: float | None = None,
    ) -> Process:
        """Return the process for a baseline, with a churn that is given, observed, or 1.

        With `groups`, the document of each sentence, documents are the units.
        """
        columns, rows = unit_counts(score, groups)
        if not counts_right_items(score):
            raise UsageError(
                f"power can be simulated for metrics that count right items; {score.metric.name} "
                "does not"
            )
        if churn is not None and not 0 <= churn <= 1:
            raise UsageError(f"a churn of {churn}; it lies between 0 and 1")
        process = cls(
            score.metric.formula,
            columns,
            rows,
            1.0 if churn is None else churn,
            "sentence" if groups is None else "document",
        )
        if churn is None and other is not None:
            return replace(process, churn=process.observed(Pairing.of(other, score, groups)))
        return process

    @cached_property
    def right(self) -> Numbers:
        """How many items of each unit the baseline has right."""
        return self.rows[:, self._right_columns].min(axis=1)

    @cached_property
    def wrong(self) -> Numbers:
        """How many more items of each unit could be right, on both sides."""
        column = dict(zip(self.columns, self.rows.T, strict=True))
        right = {
            "gold": column["correct"],
            "system": column.get("system_correct", column["correct"]),
        }
        left = [column[side] - right[side] for side in right if side in column]
        return np.min(left, axis=0)

    @cached_property
    def _right_columns(self) -> list[int]:
        return [self.columns.index(name) for name in _RIGHT if name in self.columns]

    @cached_property
    def item(self) -> float:
        """What one further right item adds to the score; formulas are linear in right items."""
        totals = self.rows.sum(axis=0)
        more = totals.copy()
        more[self._right_columns] += 1
        before, after = score_of_totals(self.formula, self.columns, np.array([totals, more]))
        return float(after - before)

    @property
    def largest(self) -> float:
        """The largest difference that there can be: all items are right then."""
        return self.item * int(self.wrong.sum())

    def rates(self, difference: float, churn: float | None = None) -> tuple[float, float]:
        """Return λ and μ: how likely a right item is lost and a wrong one won."""
        churn = self.churn if churn is None else churn
        right, wrong = int(self.right.sum()), int(self.wrong.sum())
        if not wrong:
            return 0.0, 0.0
        won = min(difference / self.item, wrong)  # items, in all units together
        loss = churn * (wrong - won) / (right + wrong)
        gain = churn * (right + won) / (right + wrong) + (1 - churn) * won / wrong
        return loss, gain

    def spread(self, difference: float, churn: float | None = None) -> float:
        """Return the expected Σ δ² over the units, where δ is what a unit gains."""
        loss, gain = self.rates(difference, churn)
        lost, won = self.right * loss, self.wrong * gain
        return float((lost * (1 - loss) + won * (1 - gain) + (won - lost) ** 2).sum())

    def observed(self, pairing: Pairing) -> float:
        """Return the churn with which the units' counts differ as much as those of two systems.

        The second system of the pairing is this baseline. The worse one of the two is what the
        better one is made of, whichever that is.
        """
        if pairing.difference < 0:
            return replace(self, rows=pairing.one).observed(pairing.mirrored())
        one, other = (
            rows[:, self._right_columns].mean(axis=1) for rows in (pairing.one, pairing.other)
        )
        wanted = float(((one - other) ** 2).sum())
        low, high = 0.0, 1.0
        for _ in range(50):
            middle = (low + high) / 2
            enough = self.spread(pairing.difference, churn=middle) >= wanted
            low, high = (low, middle) if enough else (middle, high)
        return (low + high) / 2

    def better(self, difference: float, random: np.random.Generator) -> Pairing:
        """Return a made-up system that is better by a difference, paired with the baseline."""
        # The largest difference turns everything right; rounding may make its rate more than 1.
        loss, gain = (min(max(rate, 0.0), 1.0) for rate in self.rates(difference))
        drawn = random.integers(len(self.rows), size=len(self.rows))
        lost = random.binomial(self.right[drawn], loss)
        won = random.binomial(self.wrong[drawn], gain)
        baseline = self.rows[drawn]
        better = baseline.copy()
        better[:, self._right_columns] += (won - lost)[:, None]
        return Pairing(self.formula, self.columns, better, baseline, self.unit)


_RIGHT = ("correct", "system_correct")
"""The columns that count right items; an item that is right is so in both."""


def counts_right_items(score: Score) -> bool:
    """Tell whether a metric is about right items; crossing brackets, for one, are not.

    >>> from commonground import evaluate
    >>> result = evaluate("example:ptb", "example:ptb-parse")
    >>> [counts_right_items(result[name]) for name in ("parseval_f1", "crossing_brackets")]
    [True, False]
    """
    return "correct" in unit_counts(score)[0]


# ── simulations ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class _Simulation:
    """What is simulated, and how it is tested."""

    process: Process
    test: str
    alpha: float
    iterations: int
    simulations: int
    seed: int

    def points(self, differences: Sequence[float], engine: Engine) -> list[PowerPoint]:
        """Return the power at each difference; simulations are counted in blocks."""
        starts = range(0, self.simulations, _BLOCK)
        work = [(d, start) for d in differences for start in starts]
        detected = np.array(list(engine.map(self._found, work)), np.int64)
        shares = detected.reshape(len(differences), -1).sum(axis=1) / self.simulations
        return [
            PowerPoint(float(d), p, math.sqrt(p * (1 - p) / self.simulations))
            for d, p in zip(differences, shares.tolist(), strict=True)
        ]

    def _found(self, work: tuple[float, int]) -> int:
        """Return in how many simulations of a block the test finds a difference."""
        difference, start = work
        return sum(
            self._is_found(difference, number)
            for number in range(start, min(start + _BLOCK, self.simulations))
        )

    def _is_found(self, difference: float, number: int) -> bool:
        random = stream(self.seed, "power", number)
        seed = int(random.integers(1 << 32))  # tests of the same swaps would err together
        test = find_test(self.test, iterations=self.iterations, seed=seed)
        claim = test.function(self.process.better(difference, random))
        return claim.p <= self.alpha


_BLOCK = 25
"""Number of simulations in a piece of work."""


def power_curve(
    process: Process,
    differences: Sequence[float],
    *,
    test: str = "shuffle",
    confidence: float = 0.95,
    iterations: int = 1000,
    simulations: int = 400,
    seed: int = 0,
    jobs: Jobs = 1,
) -> list[PowerPoint]:
    """Return how often a test finds differences of these sizes.

    A difference is found where p ≤ 1 − confidence, two-sided. Differences are fractions of 1, as
    scores are, and from 0 on; at 0 the power is the share of false alarms.

    >>> from commonground import evaluate
    >>> process = Process.of(evaluate("example:ud", "example:ud-parse")["las"])
    >>> points = power_curve(process, [0.0, 0.05], iterations=200, simulations=20)
    >>> points[0].power < 0.3, points[1].power
    (True, 1.0)
    """
    simulation = _simulation(process, test, confidence, iterations, simulations, seed)
    for difference in differences:
        if not 0 <= difference <= process.largest:
            raise UsageError(
                f"a difference of {difference}; from 0 to {process.largest:.4f} are possible with "
                "this baseline"
            )
    return simulation.points(differences, engine_for(jobs))


def detectable(
    process: Process,
    *,
    power: float = 0.8,
    test: str = "shuffle",
    confidence: float = 0.95,
    iterations: int = 1000,
    simulations: int = 400,
    seed: int = 0,
    jobs: Jobs = 1,
) -> Detectable:
    """Return the smallest difference from a baseline that a test finds with some power.

    The power is measured around the difference at which a normal approximation expects it, and in
    between taken for a straight line.

    >>> from commonground import evaluate
    >>> process = Process.of(evaluate("example:ud", "example:ud-parse")["las"])
    >>> result = detectable(process, iterations=200, simulations=40)
    >>> result.units, 0.01 < result.difference < 0.05
    (64, True)
    """
    if not 0 < power < 1:
        raise UsageError(f"a power of {power}; it lies between 0 and 1, such as 0.8")
    simulation = _simulation(process, test, confidence, iterations, simulations, seed)
    curve = _around(simulation, power, engine_for(jobs))
    difference, error = _crossing(curve, power)
    return Detectable(
        difference,
        error,
        power,
        simulation.alpha,
        process.churn,
        test,
        len(process.rows),
        process.unit,
        iterations,
        simulations,
        seed,
        tuple(curve),
    )


def _simulation(
    process: Process, test: str, confidence: float, iterations: int, simulations: int, seed: int
) -> _Simulation:
    check_iterations(iterations)
    if simulations < 1:
        raise UsageError(f"{simulations} simulations; 1 or more are needed")
    if not 0 < confidence < 1:
        raise UsageError(f"the confidence is {confidence}; it lies between 0 and 1")
    if test == "mcnemar":
        raise UsageError("power can be simulated for sentences or documents; mcnemar tests tokens")
    alpha = round(1 - confidence, 12)
    return _Simulation(process, test, alpha, iterations, simulations, seed)


def _around(simulation: _Simulation, power: float, engine: Engine) -> list[PowerPoint]:
    """Return the power at 0 and around where it is expected to be the wanted one.

    Where it is not found there, the search goes on, in steps of a half and of double the size.
    """
    largest = simulation.process.largest
    guess = _expected(simulation.process, simulation.alpha, power)
    steps = [min(step * guess, largest) for step in (0.0, 0.5, 0.75, 1.0, 1.25, 1.5)]
    curve = simulation.points(list(dict.fromkeys(steps)), engine)
    while curve[-1].power < power and curve[-1].difference < largest:
        curve += simulation.points([min(2 * curve[-1].difference, largest)], engine)
    while curve[1:] and curve[1].power > power and curve[1].difference > largest / 1e6:
        curve[1:1] = simulation.points([curve[1].difference / 2], engine)
    return curve


def _expected(process: Process, alpha: float, power: float) -> float:
    """Return the difference that is z(1−α/2) + z(power) standard errors.

    The standard error depends on the difference; it is near enough after a few steps.
    """
    normal = NormalDist()
    factor = normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)
    difference = process.largest / 2
    for _ in range(20):
        difference = min(
            factor * process.item * math.sqrt(process.spread(difference)), process.largest
        )
    return difference


def _crossing(curve: Sequence[PowerPoint], power: float) -> tuple[float | None, float | None]:
    """Return where the line through the points first reaches a power, and its standard error.

    >>> _crossing([PowerPoint(0.0, 0.0, 0.0), PowerPoint(0.5, 1.0, 0.0)], 0.5)
    (0.25, 0.0)
    """
    for before, after in pairwise(curve):
        if before.power < power <= after.power:
            rise = after.power - before.power
            slope = (after.difference - before.difference) / rise
            share = (power - before.power) / rise
            error = slope * math.hypot((1 - share) * before.error, share * after.error)
            return before.difference + slope * (power - before.power), error
    return None, None

"""Intervals of many scores and of their differences, from the same resamples.

Drawing the units is most of the work of a bootstrap. All systems and metrics are about the same
units, so these are drawn once, and the counts of everything are summed over them. The numbers are
those that each score, and each pair, has alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from commonground.errors import UsageError
from commonground.evaluation.metric_score import Score
from commonground.statistics.bootstrap import Method, Sample
from commonground.statistics.claim import Alternative, Claim, Interval, check_alternative
from commonground.statistics.extremes import rounding
from commonground.statistics.iterations import check_iterations
from commonground.statistics.pairing import Formula, score_of_totals, unit_counts
from commonground.statistics.resampling import resampled_totals
from commonground.statistics.strata import sums

__all__ = ["Resamples", "interval"]

Values = NDArray[np.float64]
Numbers = NDArray[np.int64]
Key = TypeVar("Key", bound=Hashable)


def interval(
    score: Score,
    confidence: float = 0.95,
    method: Method = "bca",
    *,
    groups: ArrayLike | None = None,
    formula: Formula | None = None,
    iterations: int = 10_000,
    seed: int = 0,
) -> Interval:
    """Return where a system's score would be on other sentences like these, by resampling units.

    >>> from commonground import evaluate
    >>> print(interval(evaluate("example:ud", "example:ud")["las"], iterations=100))
    1.0000 [1.0000, 1.0000] at 95 % (bca, 64 sentences, 100 iterations)
    """
    resamples = Resamples(
        {score.metric.name: score},
        groups=groups,
        formula=formula,
        iterations=iterations,
        seed=seed,
        confidence=confidence,
        method=method,
    )
    return resamples.score(score.metric.name)


class Resamples(Generic[Key]):
    """Many scores on the same sentences, and their counts summed over the same resamples.

    As in :meth:`Pairing.of`, `groups` has the document of each sentence if these are to be drawn,
    and `formula` is another one over the same counts, such as precision.

    >>> from commonground import evaluate
    >>> parses = {"mine": "example:ud-parse", "best": "example:ud"}
    >>> result = evaluate("example:ud", parses, metrics=["las"])
    >>> resamples = Resamples({s.name: s["las"] for s in result.systems}, iterations=1000)
    >>> around = resamples.difference("best", "mine")
    >>> round(around.value, 4), around.low > 0.03, around.high < 0.08
    (0.0519, True, True)
    """

    def __init__(
        self,
        scores: Mapping[Key, Score],
        *,
        groups: ArrayLike | None = None,
        iterations: int = 10_000,
        seed: int = 0,
        confidence: float = 0.95,
        method: Method = "bca",
        formula: Formula | None = None,
    ) -> None:
        check_iterations(iterations)
        self.confidence = confidence
        self.method = method
        self.iterations = iterations
        self.seed = seed
        own = next(iter(scores.values())).unit if scores else "sentence"
        self.unit = own if groups is None else "document"
        self._counts = {
            key: _Counts(
                formula or score.metric.formula, *unit_counts(score, groups, formula), score.strata
            )
            for key, score in scores.items()
        }
        strata = next(iter(scores.values())).strata if scores else ()
        sizes = {len(counts.rows) for counts in self._counts.values()}
        if len(sizes) != 1 or min(sizes) < 2:
            numbers = " and ".join(f"{size:,}" for size in sorted(sizes))
            raise UsageError(
                f"intervals need the same units for all systems, at least 2; there are {numbers}"
            )
        self.units = sizes.pop()
        widths = [len(counts.columns) for counts in self._counts.values()]
        ends = np.cumsum(widths).tolist()
        self._place = {
            key: slice(end - width, end)
            for key, end, width in zip(self._counts, ends, widths, strict=True)
        }
        rows = np.hstack([counts.rows for counts in self._counts.values()])
        self._strata = strata
        self._totals = resampled_totals(rows, iterations, seed, strata)

    def score(self, key: Key) -> Interval:
        """Return where a score would be on other units like these."""
        counts = self._counts[key]
        slack = rounding(counts.seen)
        sample = Sample(counts.rows, counts.score, counts.seen, slack, self._strata)
        return self._interval(sample, counts.score(self._totals[..., self._place[key]]))

    def difference(self, one: Key, other: Key) -> Interval:
        """Return where the difference of two scores, the first less the second, would be."""
        return self._interval(*self._apart(one, other))

    def claim(self, one: Key, other: Key, alternative: Alternative = "two-sided") -> Claim:
        """Test whether two systems differ, as the bootstrap does for them alone."""
        check_alternative(alternative)
        sample, resampled = self._apart(one, other)
        return sample.claim(
            resampled, alternative, self.confidence, self.method, unit=self.unit, seed=self.seed
        )

    def _apart(self, one: Key, other: Key) -> tuple[Sample, Values]:
        """Return the units of two systems with their difference, and that of each resample."""
        first, second = self._counts[one], self._counts[other]
        width = len(first.columns)

        def apart(totals: NDArray[Any]) -> Values:
            return first.score(totals[..., :width]) - second.score(totals[..., width:])

        sample = Sample(
            np.hstack([first.rows, second.rows]),
            apart,
            first.seen - second.seen,
            rounding(first.seen, second.seen),
            self._strata,
        )
        both = [self._totals[..., self._place[key]] for key in (one, other)]
        return sample, apart(np.concatenate(both, axis=-1))

    def _interval(self, sample: Sample, resampled: Values) -> Interval:
        low, high = sample.interval(resampled, self.confidence, self.method)
        return Interval(
            sample.seen,
            low,
            high,
            self.confidence,
            self.method,
            self.units,
            self.unit,
            self.iterations,
            self.seed,
        )


class _Counts:
    """The counts of a score: what its formula looks at, with a row per unit."""

    def __init__(
        self,
        formula: Formula,
        columns: tuple[str, ...],
        rows: Numbers,
        strata: tuple[int, ...] = (),
    ) -> None:
        self.formula = formula
        self.columns = columns
        self.rows = rows
        self.seen = float(self.score(sums(rows, strata)[None])[0])

    def score(self, totals: NDArray[Any]) -> Values:
        return score_of_totals(self.formula, self.columns, totals)

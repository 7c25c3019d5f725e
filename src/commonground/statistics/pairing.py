"""Two systems on the same units: what every paired test works on.

A metric is a formula over sums of whole numbers per sentence. A paired test needs nothing else: it
takes two systems' numbers for the same sentences (or the same documents), swaps or resamples these
units, sums, and puts the sums into the formula. So each test is written once, for all metrics.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from commonground.errors import UsageError
from commonground.evaluation.metric_score import Score
from commonground.metrics.metric import Totals
from commonground.statistics.strata import mean_over_strata, sums

__all__ = ["Formula", "Pairing", "score_of_totals", "unit_counts"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Values = NDArray[np.float64]
Formula = Callable[[Totals], Any]


@dataclass(frozen=True)
class Pairing:
    """Two systems' counts on the same units: `one` and `other` have a row per unit.

    The rows have the `columns` that the `formula` looks at. A `unit` is a sentence, or a document
    when the sentences of each document were summed. A difference is always that of the first
    system less the second one; positive is in favour of the first. With `strata`, the numbers of
    units of several treebanks, scores are the mean over these (:mod:`.strata`).

    >>> from commonground.metrics.metric import recall
    >>> one, other = np.array([[3, 4], [2, 2]]), np.array([[3, 4], [1, 2]])
    >>> pairing = Pairing(recall, ("correct", "gold"), one, other)
    >>> round(pairing.difference, 4), pairing.units, pairing.different.tolist()
    (0.1667, 2, [False, True])
    """

    formula: Formula
    columns: tuple[str, ...]
    one: Numbers
    other: Numbers
    unit: str = "sentence"
    strata: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        one: Score,
        other: Score,
        groups: ArrayLike | None = None,
        *,
        formula: Formula | None = None,
    ) -> Pairing:
        """Pair two systems' scores by the same metric on the same sentences.

        `groups` has for each sentence the number (or the name) of its document; then the documents
        are the units. With another `formula` over the same counts, that one is tested: for PARSEVAL
        ``precision`` and ``recall`` of :mod:`commonground.metrics.metric`, which are the two tests
        of Bikel's randomized comparator.
        """
        if one.metric.name != other.metric.name:
            raise UsageError(
                f"{one.metric.name} of one system cannot be tested against {other.metric.name} of "
                "the other; both need the same metric"
            )
        if len(one.counts) != len(other.counts):
            raise UsageError(
                f"the systems have {len(one.counts):,} and {len(other.counts):,} sentences; a test "
                "needs the same sentences in both"
            )
        columns, first = unit_counts(one, groups, formula)
        _, second = unit_counts(other, groups, formula)
        unit = one.unit if groups is None else "document"
        return cls(formula or one.metric.formula, columns, first, second, unit, one.strata)

    def __post_init__(self) -> None:
        wanted = (len(self.one), len(self.columns))
        if not self.one.shape == self.other.shape == wanted:
            raise ValueError(
                f"counts of shapes {self.one.shape} and {self.other.shape} cannot be paired; "
                f"both need a row per unit and {len(self.columns)} columns"
            )

    @property
    def units(self) -> int:
        """How many units there are."""
        return len(self.one)

    @cached_property
    def scores(self) -> tuple[float, float]:
        """The two systems' scores, from the summed counts."""
        sides = (sums(side, self.strata) for side in (self.one, self.other))
        one, other = (self.score(side[None])[0] for side in sides)
        return float(one), float(other)

    @property
    def difference(self) -> float:
        """The first system's score less the second one's."""
        one, other = self.scores
        return one - other

    @cached_property
    def different(self) -> Flags:
        """Which units have other counts in one system than in the other."""
        changed: Flags = (self.one != self.other).any(axis=1)
        return changed

    def score(self, totals: NDArray[Any]) -> Values:
        """Return the scores of many sums at once: a row of totals for each."""
        return score_of_totals(self.formula, self.columns, totals)

    def by_unit(self) -> tuple[Values, Values]:
        """Return each unit's score by itself, in both systems."""
        return self.score(self.one), self.score(self.other)

    def mirrored(self) -> Pairing:
        """Return the same with the systems the other way round."""
        return replace(self, one=self.other, other=self.one)


def score_of_totals(formula: Formula, columns: tuple[str, ...], totals: NDArray[Any]) -> Values:
    """Return what a formula says about each row of totals, which has the given columns.

    With strata, totals have three dimensions, and the mean over strata is taken.

    >>> from commonground.metrics.metric import recall
    >>> score_of_totals(recall, ("correct", "gold"), np.array([[1, 2], [0, 0]])).tolist()
    [0.5, 1.0]
    """

    def score(rows: NDArray[Any]) -> Values:
        scores: Values = formula(dict(zip(columns, rows.T, strict=True)))
        return scores

    return mean_over_strata(score, totals)


def unit_counts(
    score: Score, groups: ArrayLike | None = None, formula: Formula | None = None
) -> tuple[tuple[str, ...], Numbers]:
    """Return the columns that the metric's (or another) formula looks at, with a row per unit.

    Columns that it does not look at would only keep apart what is the same for the score.
    """
    counts = score.counts
    watched = _Watched(counts.totals)
    (formula or score.metric.formula)(watched)
    columns = tuple(name for name in counts.columns if name in watched.seen)
    rows = np.column_stack([counts.columns[name] for name in columns]).astype(np.int64, copy=False)
    return columns, rows if groups is None else _summed(rows, np.asarray(groups))


class _Watched(dict[str, int]):
    """Totals that remember which of them were looked at."""

    def __init__(self, totals: Totals) -> None:
        super().__init__(totals)
        self.seen: set[str] = set()

    def __getitem__(self, name: str) -> int:
        self.seen.add(name)
        return super().__getitem__(name)


def _summed(rows: Numbers, groups: NDArray[Any]) -> Numbers:
    if len(groups) != len(rows):
        raise UsageError(
            f"there are documents for {len(groups):,} sentences, but {len(rows):,} sentences"
        )
    names, group = np.unique(groups, return_inverse=True)
    added = np.zeros((len(names), rows.shape[1]), np.int64)
    np.add.at(added, group, rows)
    return added

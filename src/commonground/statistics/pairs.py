"""Many systems: every pair tested, p-values corrected, and groups of systems that do not differ."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from commonground.engine import Jobs, engine_for
from commonground.errors import UsageError
from commonground.evaluation.metric_score import Score
from commonground.metrics.metric import Metric
from commonground.plurals import number_of
from commonground.statistics.bootstrap import Method
from commonground.statistics.claim import Alternative, Claim, Interval
from commonground.statistics.corrections import correct
from commonground.statistics.intervals import Resamples
from commonground.statistics.letters import letters
from commonground.statistics.outcomes import Outcomes, outcomes
from commonground.statistics.pairing import Pairing
from commonground.statistics.registry import find_test

__all__ = ["TestedPair", "TestedPairs", "all_pairs"]


@dataclass(frozen=True, slots=True)
class TestedPair:
    """Two systems: the `claim` about their difference, and its p corrected for all pairs.

    `different` tells whether the corrected p is at most α and, where the interval of the difference
    is known, 0 is outside it: nothing is claimed that test and interval do not both support.
    """

    one: str
    other: str
    claim: Claim
    corrected: float
    different: bool
    outcomes: Outcomes

    def to_json(self) -> dict[str, Any]:
        """Return the pair as JSON has it."""
        return {
            "systems": [self.one, self.other],
            **self.claim.to_json(),
            "corrected_p": self.corrected,
            "different": self.different,
            "outcomes": self.outcomes.to_json(),
        }


@dataclass(frozen=True, slots=True)
class TestedPairs:
    """All pairs of systems by one metric.

    `systems` are in order, the best first (in one-sided tests as they were given), and so are the
    two of each pair. Two systems share one of their `letters` if and only if no difference between
    them was found.
    """

    metric: str
    systems: tuple[str, ...]
    scores: tuple[float, ...]
    letters: tuple[str, ...]
    pairs: tuple[TestedPair, ...]
    correction: str
    alpha: float

    def between(self, one: str, other: str) -> TestedPair:
        """Return the pair of two systems, in whatever order."""
        wanted = {one, other}
        return next(pair for pair in self.pairs if {pair.one, pair.other} == wanted)

    def supported_by(self, intervals: Mapping[tuple[str, str], Interval]) -> TestedPairs:
        """Return the same without claims whose interval of the difference contains 0.

        A test and a bootstrap ask differently, and where the data are few they can disagree.
        """
        pairs = tuple(
            replace(pair, different=False)
            if pair.different and _contains_0(intervals.get((pair.one, pair.other)))
            else pair
            for pair in self.pairs
        )
        return replace(self, pairs=pairs, letters=_letters(list(self.systems), pairs))

    def beyond(self, bias: Callable[[str, str], float]) -> TestedPairs:
        """Return the same without claims about differences that are not larger than a bias."""
        pairs = tuple(
            replace(pair, different=False)
            if pair.different and abs(pair.claim.difference) <= bias(pair.one, pair.other)
            else pair
            for pair in self.pairs
        )
        return replace(self, pairs=pairs, letters=_letters(list(self.systems), pairs))

    @property
    def iterations_needed(self) -> int:
        """How many iterations a random test needs to find a pair that differs where no other does.

        The smallest p of n iterations is 1/(n+1), and all corrections multiply the smallest of m
        p-values by m.
        """
        factor = 1 if self.correction == "none" else len(self.pairs)
        return math.ceil(factor / self.alpha) - 1

    def to_json(self) -> dict[str, Any]:
        """Return the pairs as JSON has them."""
        rows = zip(self.systems, self.scores, self.letters, strict=True)
        return {
            "metric": self.metric,
            "correction": self.correction,
            "alpha": self.alpha,
            "systems": [
                {"name": name, "score": score, "letters": its_letters}
                for name, score, its_letters in rows
            ],
            "pairs": [pair.to_json() for pair in self.pairs],
        }


def all_pairs(
    scores: Mapping[str, Score],
    *,
    test: str = "shuffle",
    iterations: int = 10_000,
    seed: int = 0,
    alternative: Alternative = "two-sided",
    correction: str = "holm",
    confidence: float = 0.95,
    method: Method = "bca",
    groups: ArrayLike | None = None,
    jobs: Jobs = 1,
) -> TestedPairs:
    """Test every pair of systems by the same metric.

    `scores` has the systems by name. Two-sided, they are put in order, the best first; one-sided
    they stay as they are given, as what is claimed must not depend on what was seen. The tests are
    those of :func:`find_test`, where 'greater' is that the first system is better, also by metrics
    that are the better the lower; the corrections are those of
    :mod:`commonground.statistics.corrections`; α is 1 − confidence, and `method` is that of the
    bootstrap's intervals. With `groups`, the document of each sentence, documents are the units.
    Each pair's p is the one that the test gives for these two systems alone, whatever the number of
    `jobs`.

    >>> from commonground import evaluate
    >>> result = evaluate("example:ud", {"gold": "example:ud", "parse": "example:ud-parse"})
    >>> tested = all_pairs({system.name: system["las"] for system in result.systems})
    >>> tested.systems, tested.letters, tested.between("parse", "gold").outcomes.losses
    (('gold', 'parse'), ('a', 'b'), 0)
    """
    if len(scores) < 2:
        raise UsageError(
            f"{number_of(len(scores), 'system makes', 'systems make')} no pair; "
            "2 or more are needed"
        )
    if not 0 < confidence < 1:
        raise UsageError(f"the confidence is {confidence}; it lies between 0 and 1")
    metric = next(iter(scores.values())).metric
    order = list(scores)
    if alternative == "two-sided":
        order.sort(key=lambda name: float(scores[name]), reverse=metric.higher_is_better)
    side = alternative if metric.higher_is_better else _LOWER_IS_BETTER[alternative]
    names = list(combinations(order, 2))
    draws: dict[str, Any] = {
        "iterations": iterations,
        "seed": seed,
        "confidence": confidence,
        "method": method,
    }
    claims = _claims(test, scores, names, side, groups, jobs, draws)
    corrected = correct([claim.p for claim in claims], correction).tolist()
    alpha = round(1 - confidence, 12)  # 1 − 0.95 is a little more than 0.05
    pairs = tuple(
        TestedPair(
            a,
            b,
            replace(claim, alternative=alternative),
            p,
            p <= alpha,
            outcomes(_in_favour(Pairing.of(scores[a], scores[b], groups), metric)),
        )
        for (a, b), claim, p in zip(names, claims, corrected, strict=True)
    )
    return TestedPairs(
        metric.name,
        tuple(order),
        tuple(float(scores[name]) for name in order),
        _letters(order, pairs),
        pairs,
        correction,
        alpha,
    )


_LOWER_IS_BETTER: dict[Alternative, Alternative] = {
    "two-sided": "two-sided",
    "greater": "less",
    "less": "greater",
}
"""Which difference means that the first system is better, or worse, by metrics such as crossing
brackets."""


def _in_favour(pairing: Pairing, metric: Metric) -> Pairing:
    """Return a pairing whose differences are positive where the first system is better."""
    return pairing if metric.higher_is_better else pairing.mirrored()


def _claims(
    test: str,
    scores: Mapping[str, Score],
    names: Sequence[tuple[str, str]],
    side: Alternative,
    groups: ArrayLike | None,
    jobs: Jobs,
    draws: Mapping[str, Any],
) -> list[Claim]:
    """Return what the test says about each pair of systems; `draws` say how it draws."""
    chosen = find_test(test, alternative=side, **draws)
    if test == "bootstrap":  # the draws are most of its work, and the same for all pairs
        resamples = Resamples(scores, groups=groups, **draws)
        return [resamples.claim(*systems, side) for systems in names]
    material = (chosen.material(scores[a], scores[b], groups) for a, b in names)
    return list(engine_for(jobs).map(partial(_claim, chosen.function), material))


def _claim(function: Callable[..., Claim], material: tuple[Any, ...]) -> Claim:
    return function(*material)


def _contains_0(interval: Interval | None) -> bool:
    return interval is not None and interval.low <= 0 <= interval.high


def _letters(order: list[str], pairs: tuple[TestedPair, ...]) -> tuple[str, ...]:
    place = {name: number for number, name in enumerate(order)}
    different = np.zeros((len(order), len(order)), np.bool_)
    for pair in pairs:
        one, other = place[pair.one], place[pair.other]
        different[one, other] = different[other, one] = pair.different
    return tuple(letters(different))

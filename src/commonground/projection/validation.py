"""The result of a validation: the scores of the runs of each system, and what they tell.

Runs have a mean and a spread, and two systems can be told apart by a t-test of two samples, as
their runs are in no pairs (Spreyer 2010, section 5 and Table 7). How runs are made is told in
``training_runs.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, ClassVar

import msgspec
import numpy as np

from commonground.errors import InputError, UsageError
from commonground.evaluation.decoding import Number, decoded
from commonground.evaluation.result import MEMORY, Result
from commonground.metrics.registry import explained
from commonground.statistics.run_claims import RunTests, run_claims
from commonground.statistics.runs import Runs

__all__ = ["Validation", "together"]


def _refuse_incomplete(
    scores: Mapping[str, Mapping[str, tuple[float, ...]]], confidence: float
) -> None:
    """Refuse scores of which some systems lack a metric or a run."""
    metrics = {tuple(each) for each in scores.values()}
    if len(metrics) != 1 or not metrics.pop():
        raise ValueError("its systems do not have the same metrics")
    if len({len(runs) for each in scores.values() for runs in each.values()}) != 1:
        raise ValueError("its systems do not have the same number of runs")
    for each in scores.values():
        for metric, runs in each.items():
            explained(metric)
            Runs.of(runs).interval(confidence)


@dataclass(frozen=True, repr=False)
class Validation(Result):
    """The scores of the runs of each system, by metric: ``scores[system][metric]``, one per run.

    `how` tells how the runs were made: samples or folds.
    """

    kind: ClassVar[str] = "validation"
    verb: ClassVar[str] = "validate"

    signature: str
    how: str
    scores: Mapping[str, Mapping[str, tuple[float, ...]]]
    confidence: float = 0.95

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that there are scores by."""
        return tuple(next(iter(self.scores.values())))

    def runs(self, metric: str) -> dict[str, Runs]:
        """Return the runs of each system by a metric, with mean and standard deviation."""
        if metric not in self.metrics:
            raise UsageError(f"there are no runs for {metric!r}; there are for {self.metrics}")
        return {name: Runs.of(scores[metric]) for name, scores in self.scores.items()}

    def testable(self, metric: str) -> bool:
        """Tell whether t-tests of all pairs are defined: of no pair are all runs the same.

        >>> same = (1.0, 1.0)
        >>> scores = {"a": {"uas": (0.8, 0.7), "upos": same}, "b": {"uas": same, "upos": same}}
        >>> result = Validation("", "folds", scores)
        >>> result.testable("uas"), result.testable("upos")
        (True, False)
        """
        runs = self.runs(metric).values()
        return len(runs) > 1 and sum(not each.sd for each in runs) < 2

    def claims(self, metric: str, test: str = "student", correction: str = "none") -> RunTests:
        """Test all pairs of systems: Student's t-test, or ``welch``, or ``permutation``."""
        return run_claims(
            self.runs(metric),
            metric=metric,
            test=test,
            correction=correction,
            confidence=self.confidence,
        )

    def correlation(self, metric: str) -> float | None:
        """Return Pearson's r of the systems' means and standard deviations; None for under three.

        Where it is negative, the better parsers vary less.
        """
        runs = list(self.runs(metric).values())
        if len(runs) < 3:
            return None
        r = np.corrcoef([run.mean for run in runs], [run.sd for run in runs])[0, 1]
        return float(r) if np.isfinite(r) else None

    def ranking(self, metric: str, alpha: float = 0.01, test: str = "student") -> str:
        """Return the systems in the order of their means: ``>`` where they differ, else ``≈``.

        Two systems of which no run differs from the next cannot be tested, and are ``≈`` too.

        >>> scores = {"a": (0.8, 0.81, 0.79), "b": (0.8, 0.82, 0.79), "c": (0.6, 0.61, 0.6)}
        >>> Validation("", "samples", {n: {"uas": s} for n, s in scores.items()}).ranking("uas")
        'b ≈ a > c'
        """
        runs = self.runs(metric)
        order = sorted(runs, key=lambda name: -runs[name].mean)
        text = order[:1]
        for one, other in pairwise(order):
            two = {one: runs[one], other: runs[other]}
            differ = (
                any(each.sd for each in two.values())
                and run_claims(two, metric=metric, test=test, correction="none").pairs[0].claim.p
                < alpha
            )
            text += [">" if differ else "≈", other]
        return " ".join(text)

    def better(self, metric: str, baseline: str, alpha: float = 0.01) -> set[str]:
        """Return the systems whose mean is greater than the baseline's (Student's t-test).

        >>> scores = {"none": (0.7, 0.71, 0.7), "a": (0.8, 0.81, 0.8), "b": (0.7, 0.72, 0.7)}
        >>> result = Validation("", "samples", {n: {"uas": s} for n, s in scores.items()})
        >>> result.better("uas", "none")
        {'a'}
        """
        runs = self.runs(metric)
        if baseline not in runs:
            raise UsageError(f"there is no system {baseline!r}; there are {', '.join(runs)}")
        greater = {name: each for name, each in runs.items() if each.mean > runs[baseline].mean}
        tests = {
            name: run_claims({name: each, baseline: runs[baseline]}, test="student", metric=metric)
            for name, each in greater.items()
        }
        return {name for name, claims in tests.items() if claims.pairs[0].claim.p < alpha}

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON has it."""
        tests = [
            entry
            for metric in self.metrics
            for test in ("student", "welch")
            if self.testable(metric)
            for entry in self.claims(metric, test).tests_json()
        ]
        return {
            "kind": self.kind,
            "signature": self.signature,
            "how": self.how,
            "confidence": self.confidence,
            "systems": [
                {
                    "name": name,
                    "metrics": {
                        metric: _described(self.runs(metric)[name], self.confidence)
                        for metric in scores
                    },
                }
                for name, scores in self.scores.items()
            ],
            "correlation": {metric: self.correlation(metric) for metric in self.metrics},
            "ranking": {metric: self.ranking(metric) for metric in self.metrics},
            "tests": tests,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = MEMORY) -> Validation:
        """Return the result that JSON holds."""
        saved = decoded(data, _ValidationJson, path)
        scores = {
            system.name: {metric: runs.scores for metric, runs in system.metrics.items()}
            for system in saved.systems
        }
        try:
            _refuse_incomplete(scores, saved.confidence)
        except (ValueError, UsageError) as error:
            raise InputError(path, 0, f"this is not a validation: {error}") from error
        return cls(saved.signature, saved.how, scores, saved.confidence)

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each run and metric."""
        return [
            {"system": name, "metric": metric, "run": number, "score": score}
            for name, metrics in self.scores.items()
            for metric, scores in metrics.items()
            for number, score in enumerate(scores, 1)
        ]

    def __repr__(self) -> str:
        lines = [
            f"{name}: "
            + ", ".join(
                f"{metric} {100 * Runs.of(s).mean:.2f} ± {100 * Runs.of(s).sd:.2f}"
                for metric, s in scores.items()
            )
            for name, scores in self.scores.items()
        ]
        return "\n".join([*lines, self.signature])


class _RunsJson(msgspec.Struct, frozen=True):
    scores: tuple[Number, ...]


class _SystemJson(msgspec.Struct, frozen=True):
    name: str
    metrics: dict[str, _RunsJson]


class _ValidationJson(msgspec.Struct, frozen=True):
    systems: Annotated[tuple[_SystemJson, ...], msgspec.Meta(min_length=1)]
    signature: str = ""
    how: str = ""
    confidence: float = 0.95


def _described(runs: Runs, confidence: float) -> dict[str, Any]:
    around = runs.interval(confidence)
    return {
        "scores": list(runs.scores),
        "mean": runs.mean,
        "sd": runs.sd,
        "interval": [around.low, around.high],
    }


def together(parts: Sequence[Validation]) -> Validation:
    """Put several validations together: the runs of a system that is in several follow one another.

    So the samples of some folds, each tested on its own fold, become the runs of one system.

    >>> one = Validation("seed:0", "2 samples", {"a": {"uas": (0.7, 0.8)}})
    >>> two = Validation("seed:1", "2 samples", {"a": {"uas": (0.6, 0.7)}, "b": {"uas": (0.5,)}})
    >>> result = together([one, two])
    >>> result.scores["a"]["uas"], list(result.scores), result.signature, result.how
    ((0.7, 0.8, 0.6, 0.7), ['a', 'b'], 'seed:0,1', '2 × 2 samples')
    """
    if not parts:
        raise UsageError("there are no runs to combine")
    if any(part.metrics != parts[0].metrics for part in parts):
        raise UsageError("runs by different metrics cannot be put together")
    scores: dict[str, dict[str, tuple[float, ...]]] = {}
    for part in parts:
        for name, by_metric in part.scores.items():
            known = scores.setdefault(name, dict.fromkeys(by_metric, ()))
            scores[name] = {metric: known[metric] + each for metric, each in by_metric.items()}
    times = max(sum(name in part.scores for part in parts) for name in scores)
    hows = "; ".join(dict.fromkeys(part.how for part in parts))
    return Validation(
        _common([part.signature for part in parts]),
        f"{times} × {hows}" if times > 1 else hows,
        scores,
        parts[0].confidence,
    )


def _common(signatures: Sequence[str]) -> str:
    """Return several signatures as one, which has all values of the entries that differ."""
    rows: dict[str, dict[str, None]] = {}
    for signature in signatures:
        for entry in signature.split("|"):
            name, colon, value = entry.partition(":")
            rows.setdefault(name + colon, {})[value] = None
    return "|".join(name + ",".join(values) for name, values in rows.items())

"""The result of a validation: the scores of the runs of each system, and what they tell.

Runs have a mean and a spread. Two systems that were trained on different sentences can be told
apart by a t-test of two samples, as their runs are in no pairs (Spreyer 2010, section 5 and Table
7). Where all systems were trained on the same sentences, each in its own scheme, run i of one and
run i of the other are a pair: the t-test is that of pairs, which asks whether the difference would
hold for other training data, and the shuffling test (the paper's comparator, Tables 3b, 5 and 6)
swaps the sentences of the test set, and asks whether it would hold for other texts. How runs are
made is told in ``training_runs.py``.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, pairwise
from typing import Annotated, Any, ClassVar, TypeVar

import msgspec
import numpy as np
from msgspec.structs import asdict

from commonground.errors import InputError, UsageError
from commonground.evaluation.decoding import Count, Number, decoded
from commonground.evaluation.metric_score import Score
from commonground.evaluation.result import MEMORY, Result
from commonground.metrics.items import Counts
from commonground.metrics.registry import explained
from commonground.statistics.claim import Claim
from commonground.statistics.pairing import Pairing
from commonground.statistics.run_claims import RUN_TESTS, RunTests, run_claims
from commonground.statistics.runs import Runs
from commonground.statistics.shuffling import shuffling

__all__ = ["TESTS", "Material", "SentenceCounts", "Validation", "check_tests", "together"]

TESTS = (*RUN_TESTS, "shuffle")
"""The tests that systems can be compared by: those of runs, and one of the test set's sentences."""

SentenceCounts = Mapping[str, tuple[int, ...]]
"""What a metric counts in each sentence of the test set, over all runs: by the column's name."""


_Of = TypeVar("_Of")


class Material(msgspec.Struct, frozen=True):
    """By which sentences a system was trained and tested: marks that are the same for the same."""

    trained: int
    tested: int


def _alike(materials: Iterable[Material]) -> bool:
    """Tell whether all systems were trained on, and tested by, the same sentences."""
    return len(set(materials)) == 1


def check_tests(tests: Sequence[str], materials: Mapping[str, Material]) -> None:
    """Refuse tests that there are not, or that systems with these materials cannot have."""
    for test in tests:
        if test not in TESTS:
            raise UsageError(f"there is no test {test!r} of runs; there are {', '.join(TESTS)}")
    marks = materials.values()
    if "paired" in tests and not _alike(marks):
        raise UsageError(
            "the runs are in no pairs, as not all systems are trained and tested on the same "
            "sentences; use student or welch"
        )
    if "shuffle" in tests and len({each.tested for each in marks}) != 1:
        raise UsageError("the shuffling test needs the same test sentences for all systems")


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

    `how` tells how the runs were made: samples or folds. `materials` tells which systems were
    trained and tested on the same sentences, `counts` what was counted in each sentence of the test
    set. Systems are compared by `tests`; as usual, by the paired and the shuffling test if the runs
    of all are in pairs, and otherwise by Student's and Welch's. They differ where all of these say
    so.
    """

    kind: ClassVar[str] = "validation"
    verb: ClassVar[str] = "validate"

    signature: str
    how: str
    scores: Mapping[str, Mapping[str, tuple[float, ...]]]
    confidence: float = 0.95
    materials: Mapping[str, Material] = field(default_factory=dict)
    counts: Mapping[str, Mapping[str, SentenceCounts]] = field(default_factory=dict)
    tests: tuple[str, ...] = ()

    @property
    def in_pairs(self) -> bool:
        """Whether run i of each system is of the same sample and test set as that of any other."""
        return set(self.materials) == set(self.scores) and _alike(self.materials.values())

    @property
    def compared_by(self) -> tuple[str, ...]:
        """The tests by which systems are compared."""
        return self.tests or (("paired", "shuffle") if self.in_pairs else ("student", "welch"))

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
        """Tell whether tests of all pairs are defined: of no pair are all runs the same.

        >>> same = (1.0, 1.0)
        >>> scores = {"a": {"uas": (0.8, 0.7), "upos": same}, "b": {"uas": same, "upos": same}}
        >>> result = Validation("", "folds", scores)
        >>> result.testable("uas"), result.testable("upos")
        (True, False)
        """
        runs = list(self.runs(metric).values())
        return len(runs) > 1 and not any(self._still(*pair) for pair in combinations(runs, 2))

    def _still(self, one: Runs, other: Runs) -> bool:
        """Tell whether a test of two systems is undefined, as nothing varies from run to run."""
        if "paired" not in self.compared_by:
            return not one.sd and not other.sd
        apart = {a - b for a, b in zip(one.scores, other.scores, strict=True)}
        return len(apart) == 1 and apart != {0.0}

    def claims(self, metric: str, test: str = "student", correction: str = "none") -> RunTests:
        """Test all pairs of systems by one of `TESTS`."""
        return self._claims(self.runs(metric), metric, test, correction)

    def _claims(
        self, runs: Mapping[str, Runs], metric: str, test: str, correction: str = "none"
    ) -> RunTests:
        check_tests((test,) if test == "shuffle" else (), self.materials)
        return run_claims(
            runs,
            metric=metric,
            test=test,
            correction=correction,
            confidence=self.confidence,
            between=partial(self._shuffled, metric) if test == "shuffle" else None,
        )

    def _shuffled(self, metric: str, one: str, other: str) -> Claim:
        """Return the shuffling test of two systems: the sentences' counts, over all runs, swap."""
        return shuffling(Pairing.of(self.score(one, metric), self.score(other, metric)))

    def score(self, name: str, metric: str) -> Score:
        """Return the score of a system over all runs, with the counts of each test sentence."""
        if name not in self.counts:
            raise UsageError(f"there are no counts of {name}, which the shuffling test needs")
        columns = {column: np.array(c) for column, c in self.counts[name][metric].items()}
        return Score(next(iter(explained(metric).values()))[0], Counts(columns))

    def differ(self, metric: str, one: str, other: str, alpha: float = 0.01) -> bool:
        """Tell whether two systems differ, by all tests; not if none of their runs differs."""
        runs = {name: each for name, each in self.runs(metric).items() if name in (one, other)}
        return not self._still(runs[one], runs[other]) and all(
            self._claims(runs, metric, test).pairs[0].claim.p < alpha for test in self.compared_by
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

    def ranking(self, metric: str, alpha: float = 0.01) -> str:
        """Return the systems in the order of their means: ``>`` where they differ, else ``≈``.

        >>> scores = {"a": (0.8, 0.81, 0.79), "b": (0.8, 0.82, 0.79), "c": (0.6, 0.61, 0.6)}
        >>> Validation("", "samples", {n: {"uas": s} for n, s in scores.items()}).ranking("uas")
        'b ≈ a > c'
        """
        runs = self.runs(metric)
        order = sorted(runs, key=lambda name: -runs[name].mean)
        text = order[:1]
        for one, other in pairwise(order):
            text += [">" if self.differ(metric, one, other, alpha) else "≈", other]
        return " ".join(text)

    def better(self, metric: str, baseline: str, alpha: float = 0.01) -> set[str]:
        """Return the systems whose mean is greater than the baseline's, and that differ from it.

        >>> scores = {"none": (0.7, 0.71, 0.7), "a": (0.8, 0.81, 0.8), "b": (0.7, 0.72, 0.7)}
        >>> result = Validation("", "samples", {n: {"uas": s} for n, s in scores.items()})
        >>> result.better("uas", "none")
        {'a'}
        """
        runs = self.runs(metric)
        if baseline not in runs:
            raise UsageError(f"there is no system {baseline!r}; there are {', '.join(runs)}")
        return {
            name
            for name, each in runs.items()
            if each.mean > runs[baseline].mean and self.differ(metric, name, baseline, alpha)
        }

    def renamed(self, names: Mapping[str, str]) -> Validation:
        """Return the same with other names for some systems."""

        def named(by_system: Mapping[str, _Of]) -> dict[str, _Of]:
            return {names.get(name, name): each for name, each in by_system.items()}

        return replace(
            self,
            scores=named(self.scores),
            materials=named(self.materials),
            counts=named(self.counts),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON has it."""
        tests = [
            entry
            for metric in self.metrics
            for test in self.compared_by
            if self.testable(metric)
            for entry in self.claims(metric, test).tests_json()
        ]
        return {
            "kind": self.kind,
            "signature": self.signature,
            "how": self.how,
            "confidence": self.confidence,
            "compared_by": list(self.compared_by),
            "systems": [
                {
                    "name": name,
                    **({"material": asdict(self.materials[name])} if self.materials else {}),
                    "metrics": {metric: self._described(name, metric) for metric in scores},
                }
                for name, scores in self.scores.items()
            ],
            "correlation": {metric: self.correlation(metric) for metric in self.metrics},
            "ranking": {metric: self.ranking(metric) for metric in self.metrics},
            "tests": tests,
        }

    def _described(self, name: str, metric: str) -> dict[str, Any]:
        runs = self.runs(metric)[name]
        around = runs.interval(self.confidence)
        counts = self.counts.get(name, {}).get(metric)
        return {
            "scores": list(runs.scores),
            "mean": runs.mean,
            "sd": runs.sd,
            "interval": [around.low, around.high],
            **({"by_sentence": {name: list(c) for name, c in counts.items()}} if counts else {}),
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
            materials = {each.name: each.material for each in saved.systems if each.material}
            check_tests(saved.compared_by, materials)
            counts = {each.name: each.counts() for each in saved.systems}
        except (ValueError, UsageError) as error:
            raise InputError(path, 0, f"this is not a validation: {error}") from error
        known = {name: each for name, each in counts.items() if each}
        return cls(
            saved.signature,
            saved.how,
            scores,
            saved.confidence,
            materials,
            known,
            saved.compared_by,
        )

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
    by_sentence: dict[str, tuple[Count, ...]] = {}


class _SystemJson(msgspec.Struct, frozen=True):
    name: str
    metrics: dict[str, _RunsJson]
    material: Material | None = None

    def counts(self) -> dict[str, SentenceCounts]:
        """Return the counts per sentence by metric, of which all columns are as long."""
        counts: dict[str, SentenceCounts] = {
            name: each.by_sentence for name, each in self.metrics.items()
        }
        if len({len(column) for each in counts.values() for column in each.values()}) > 1:
            raise ValueError(f"not all counts of {self.name} are about the same sentences")
        return counts if all(counts.values()) else {}


class _ValidationJson(msgspec.Struct, frozen=True):
    systems: Annotated[tuple[_SystemJson, ...], msgspec.Meta(min_length=1)]
    signature: str = ""
    how: str = ""
    confidence: float = 0.95
    compared_by: tuple[str, ...] = ()


def together(parts: Sequence[Validation], tests: Sequence[str] = ()) -> Validation:
    """Put several validations together: the runs of a system that is in several follow one another.

    So the samples of some folds, each tested on its own fold, become the runs of one system.
    Systems are compared by `tests`, as in :class:`Validation`.

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
    materials: dict[str, Material] = {}
    counts: dict[str, Mapping[str, SentenceCounts]] = {}
    for part in parts:
        for name, by_metric in part.scores.items():
            known = scores.setdefault(name, dict.fromkeys(by_metric, ()))
            scores[name] = {metric: known[metric] + each for metric, each in by_metric.items()}
            if name in part.materials and name in part.counts:
                materials[name], counts[name] = _joined(
                    materials.get(name), counts.get(name), part.materials[name], part.counts[name]
                )
    times = max(sum(name in part.scores for part in parts) for name in scores)
    hows = "; ".join(dict.fromkeys(part.how for part in parts))
    return Validation(
        _common([part.signature for part in parts]),
        f"{times} × {hows}" if times > 1 else hows,
        scores,
        parts[0].confidence,
        materials if materials.keys() == scores.keys() else {},
        counts if materials.keys() == scores.keys() else {},
        tuple(tests),
    )


def _joined(
    material: Material | None,
    counts: Mapping[str, SentenceCounts] | None,
    further: Material,
    more: Mapping[str, SentenceCounts],
) -> tuple[Material, Mapping[str, SentenceCounts]]:
    """Return what two parts of a system's runs were made of, and their counts per sentence.

    Those of the same test set are added, those of several follow one another.
    """
    if material is None or counts is None:
        return further, more
    same = material.tested == further.tested
    marks = (
        zlib.crc32(f"{one} {other}".encode()) if one != other else one
        for one, other in (
            (material.trained, further.trained),
            (material.tested, further.tested),
        )
    )
    return Material(*marks), {
        metric: {
            name: tuple(map(sum, zip(column, more[metric][name], strict=True)))
            if same
            else (*column, *more[metric][name])
            for name, column in columns.items()
        }
        for metric, columns in counts.items()
    }


def _common(signatures: Sequence[str]) -> str:
    """Return several signatures as one, which has all values of the entries that differ."""
    rows: dict[str, dict[str, None]] = {}
    for signature in signatures:
        for entry in signature.split("|"):
            name, colon, value = entry.partition(":")
            rows.setdefault(name + colon, {})[value] = None
    return "|".join(name + ",".join(values) for name, values in rows.items())

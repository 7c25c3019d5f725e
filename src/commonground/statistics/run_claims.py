"""Runs of systems from files: how far they spread, and which systems differ.

The scores of a system's runs are saved results, one for each run, or a file of numbers, or what a
paper prints: mean, standard deviation and number of runs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from commonground.errors import InputError, UsageError, quoted, utf8
from commonground.evaluation.combined_results import combine_results
from commonground.evaluation.result import MEMORY, Result
from commonground.evaluation.saved import read_result
from commonground.evaluation.signature import signature
from commonground.formats.storage.files import read_bytes, shown
from commonground.plurals import number_of
from commonground.statistics.claim import Alternative, Claim, Interval
from commonground.statistics.corrections import correct
from commonground.statistics.letters import letters
from commonground.statistics.runs import Runs, paired, permutation, student, welch

__all__ = [
    "PLAIN",
    "RUN_TESTS",
    "RunClaims",
    "RunPair",
    "RunTests",
    "all_runs",
    "read_runs",
    "run_claims",
]

RUN_TESTS: dict[str, Callable[..., Claim]] = {
    "student": student,
    "welch": welch,
    "permutation": permutation,
    "paired": paired,
}
"""The tests between runs, by the names that options have for them."""

PLAIN = "score"
"""What plain numbers are scores by."""

_SUMMARY = re.compile(r"([-+.\deE]+):([-+.\deE]+):(\d{1,9})")
_NUMBERS = re.compile(r"[\s,;]+")


@dataclass(frozen=True, slots=True)
class RunPair:
    """Two systems: the `claim` about the difference of their means, and its corrected p."""

    one: str
    other: str
    claim: Claim
    corrected: float
    different: bool

    def to_json(self) -> dict[str, Any]:
        """Return the pair as JSON has it."""
        return {
            "systems": [self.one, self.other],
            **self.claim.to_json(),
            "corrected_p": self.corrected,
            "different": self.different,
        }


@dataclass(frozen=True, slots=True)
class RunTests:
    """The runs of systems by a metric, the intervals of their means, and the tests of all pairs."""

    metric: str
    runs: dict[str, Runs]
    intervals: dict[str, Interval]
    pairs: tuple[RunPair, ...]
    letters: dict[str, str]
    test: str
    correction: str
    alpha: float

    @property
    def signature(self) -> str:
        """What the claims depend on, in one line."""
        claims = [pair.claim for pair in self.pairs]
        return signature(
            test=self.test,
            iterations=max((claim.iterations for claim in claims), default=0),
            seed=next((claim.seed for claim in claims if claim.seed is not None), None),
            confidence=round(1 - self.alpha, 12),
            alternative=claims[0].alternative if claims else None,
            correction=self.correction,
            units="runs",
        )

    def tests_json(self) -> list[dict[str, Any]]:
        """Return the tests of all pairs as JSON has them."""
        more = {"correction": self.correction, "alpha": self.alpha}
        return [{"metric": self.metric, **pair.to_json(), **more} for pair in self.pairs]

    def to_json(self) -> dict[str, Any]:
        """Return the runs of all systems and how they were tested, as JSON has them."""
        return {
            "metric": self.metric,
            "signature": self.signature,
            "test": self.test,
            "correction": self.correction,
            "alpha": self.alpha,
            "systems": [
                {
                    "name": name,
                    "runs": runs.count,
                    "mean": runs.mean,
                    "sd": runs.sd,
                    "standard_error": runs.standard_error,
                    "interval": [self.intervals[name].low, self.intervals[name].high],
                    "confidence": self.intervals[name].confidence,
                    "letters": self.letters[name],
                    **({"scores": list(runs.scores)} if runs.scores else {}),
                }
                for name, runs in self.runs.items()
            ],
        }


@dataclass(frozen=True)
class RunClaims(Result):
    """The runs of systems and what tests have found about them: by each metric, each test."""

    kind: ClassVar[str] = "runs"
    verb: ClassVar[str] = "test"

    all_tests: tuple[RunTests, ...]

    @property
    def by_metric(self) -> dict[str, RunTests]:
        """What the first test has found, by metric."""
        return {each.metric: each for each in reversed(self.all_tests)}

    @property
    def signature(self) -> str:
        """What the claims depend on, in one line."""
        first = self.all_tests[0]
        tests = ",".join(dict.fromkeys(each.test for each in self.all_tests))
        return first.signature.replace(f"test:{first.test}", f"test:{tests}", 1)

    def to_json(self) -> dict[str, Any]:
        """Return the claims as JSON has them."""
        return {
            "kind": self.kind,
            "signature": self.signature,
            "metrics": [each.to_json() for each in self.all_tests],
            "tests": [test for each in self.all_tests for test in each.tests_json()],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = MEMORY) -> RunClaims:
        """Return the claims that JSON holds."""
        from commonground.statistics.claims_json import run_claims_from  # noqa: PLC0415  # seldom

        return run_claims_from(data, path)


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def read_runs(sources: Mapping[str, str], *, force: bool = False) -> dict[str, dict[str, Runs]]:
    """Read the runs of systems: by metric, the runs of each system.

    The source of a system is saved results with commas between them, a file with a number for each
    run, or MEAN, SD and COUNT with colons between them. Plain numbers are scores by the metric
    ``score``. Only metrics that all systems have are there. Saved results whose scores mean
    something else are refused, unless `force` is given.

    >>> read_runs({"nl": "69.21:0.58:10", "it": "66.44:0.29:10"})["score"]["it"].mean
    66.44
    """
    known: dict[str, Result] = {}
    by_system = {name: _runs(source, known) for name, source in sources.items()}
    if known:
        combine_results(known, force=force)  # which refuses what cannot be compared
    first = next(iter(by_system.values()))
    common = [metric for metric in first if all(metric in runs for runs in by_system.values())]
    if not common:
        raise UsageError("no metric has runs of all systems")
    return {metric: {name: runs[metric] for name, runs in by_system.items()} for metric in common}


def _runs(source: str, known: dict[str, Result]) -> dict[str, Runs]:
    """Return the runs of one system, by metric; results that are read become `known`."""
    if summary := _SUMMARY.fullmatch(source):
        mean, sd = (_number(text, source) for text in summary.groups()[:2])
        return {PLAIN: Runs(mean, sd, int(summary[3]))}
    files = source.split(",")
    if len(files) == 1:
        return {PLAIN: _plain_runs(source)}
    results = {file: read_result(file) for file in files}
    for file, result in results.items():
        if len(result.scored()) > 1:
            there = ", ".join(system.name for system in result.scored())
            raise InputError(shown(file), 0, f"a run is one system, but there are {there}")
    if len(results) < len(files):
        raise UsageError(f"{source}: a file is given twice; each run needs its own")
    known |= results
    return _runs_by_metric(list(results.values()))


def _plain_runs(path: str) -> Runs:
    """Read a file of numbers, one for each run."""
    text = utf8(read_bytes(path), shown(path))
    scores = []
    for number, line in enumerate(text.splitlines(), 1):
        for word in filter(None, _NUMBERS.split(line.partition("#")[0])):
            try:
                scores.append(float(word))
            except ValueError:
                raise InputError(
                    shown(path),
                    number,
                    f"{quoted(word)} is not a number; a file of runs has one for each run, and "
                    "saved results have commas between them",
                ) from None
            if not math.isfinite(scores[-1]):
                raise InputError(shown(path), number, f"{quoted(word)} is not a score")
    if len(scores) < 2:
        raise InputError(
            shown(path),
            0,
            f"{number_of(len(scores), 'run has', 'runs have')} no spread; 2 are needed",
        )
    return Runs.of(scores)


def _number(text: str, source: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"{quoted(source)} is not MEAN:SD:COUNT") from None


def _runs_by_metric(results: Sequence[Result]) -> dict[str, Runs]:
    systems = [result.scored()[0] for result in results]
    common = [
        name
        for name in systems[0].scores
        if all(name in system.scores and not system[name].undefined for system in systems)
    ]
    return {name: Runs.of([float(system[name]) for system in systems]) for name in common}


# ── tests ────────────────────────────────────────────────────────────────────────────────────────


def all_runs(
    runs: Mapping[str, Mapping[str, Runs]],
    metrics: Sequence[str] = (),
    tests: Sequence[str] = ("welch",),
    **options: Any,
) -> RunClaims:
    """Test all pairs of systems, by some metrics or all; `options` are those of `run_claims`.

    All are those by which runs vary: tags that are always right are nothing to test.

    >>> runs = {"las": {"a": Runs(0.8, 0.01, 5), "b": Runs(0.7, 0.02, 5)}}
    >>> [each.test for each in all_runs(runs, tests=["student", "welch"]).all_tests]
    ['student', 'welch']
    """
    for metric in metrics:
        if metric not in runs:
            raise UsageError(f"not all systems have {metric} runs; all have {', '.join(runs)}")
    varying = [metric for metric in runs if _vary(runs[metric].values())]
    return RunClaims(
        tuple(
            run_claims(runs[metric], metric=metric, test=test, **options)
            for metric in metrics or varying or runs
            for test in tests
        )
    )


def _vary(systems: Iterable[Runs]) -> bool:
    """Tell whether of any two systems one has runs that differ."""
    return sum(not runs.sd for runs in systems) < 2


def run_claims(
    systems: Mapping[str, Runs],
    *,
    metric: str = PLAIN,
    test: str = "welch",
    iterations: int = 10_000,
    seed: int = 0,
    alternative: Alternative = "two-sided",
    correction: str = "holm",
    confidence: float = 0.95,
    between: Callable[[str, str], Claim] | None = None,
) -> RunTests:
    """Test all pairs of systems by the means of their runs.

    Two-sided, the systems are put in order, the best first; one-sided they stay as given. A test
    that looks at more than the scores of runs says itself what it finds `between` two systems.

    >>> result = run_claims({"a": Runs(69.21, 0.58, 10), "b": Runs(67.38, 0.60, 10)})
    >>> result.pairs[0].different, result.letters
    (True, {'a': 'a', 'b': 'b'})
    """
    if between is None and test not in RUN_TESTS:
        raise UsageError(f"there is no test {test!r} of runs; there are {', '.join(RUN_TESTS)}")
    order = list(systems)
    if alternative == "two-sided":
        order.sort(key=lambda name: -systems[name].mean)
    options: dict[str, Any] = {"alternative": alternative}
    random = {"iterations": iterations, "seed": seed}
    options |= random if test == "permutation" else {"confidence": confidence}
    names = list(combinations(order, 2))
    if between is None:

        def between(one: str, other: str) -> Claim:
            return RUN_TESTS[test](systems[one], systems[other], **options)

    claims = [between(one, other) for one, other in names]
    corrected = correct([claim.p for claim in claims], correction).tolist()
    alpha = round(1 - confidence, 12)
    pairs = tuple(
        RunPair(*pair, claim, p, p <= alpha)
        for pair, claim, p in zip(names, claims, corrected, strict=True)
    )
    apart = np.zeros((len(order), len(order)), np.bool_)
    for pair in pairs:
        one, other = order.index(pair.one), order.index(pair.other)
        apart[one, other] = apart[other, one] = pair.different
    return RunTests(
        metric,
        {name: systems[name] for name in order},
        {name: systems[name].interval(confidence) for name in order},
        pairs,
        dict(zip(order, letters(apart), strict=True)),
        test,
        correction,
        alpha,
    )

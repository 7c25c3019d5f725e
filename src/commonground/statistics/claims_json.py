"""Claims as JSON has them, decoded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from commonground.errors import InputError, UsageError
from commonground.evaluation.decoding import Count, Number, decoded, one_of, unique_names
from commonground.evaluation.evaluation_json import systems_on_files
from commonground.evaluation.scores import Evaluation
from commonground.evaluation.system_json import ScoreJson, SystemJson, metric_named
from commonground.statistics.claim import Claim, Interval
from commonground.statistics.claims import Claims
from commonground.statistics.corrections import CORRECTIONS
from commonground.statistics.outcomes import Outcomes
from commonground.statistics.pairs import TestedPair, TestedPairs
from commonground.statistics.power import Detectable
from commonground.statistics.registry import TESTS
from commonground.statistics.run_claims import PLAIN, RUN_TESTS, RunClaims, RunPair, RunTests
from commonground.statistics.runs import Runs
from commonground.statistics.test_plan import TestPlan

__all__ = ["claims_from", "run_claims_from"]

_Two = tuple[str, str]


class _Score(msgspec.Struct, frozen=True):
    name: str
    score: Number
    letters: str


class _Pair(msgspec.Struct, frozen=True):
    systems: _Two
    corrected_p: Number
    different: bool
    outcomes: Outcomes


class _Pairs(msgspec.Struct, frozen=True):
    metric: str
    test: str
    correction: str
    alpha: Number
    systems: tuple[_Score, ...]
    pairs: Annotated[tuple[dict[str, Any], ...], msgspec.Meta(min_length=1)]

    def tested(self, path: str) -> TestedPairs:
        """Return all pairs; a pair has the fields of its claim beside its own."""
        place = f"pairs of {self.metric}"
        pairs = [(decoded(p, _Pair, path, place), _claim(p, path, place)) for p in self.pairs]
        return TestedPairs(
            self.metric,
            tuple(each.name for each in self.systems),
            tuple(each.score for each in self.systems),
            tuple(each.letters for each in self.systems),
            tuple(
                TestedPair(*pair.systems, claim, pair.corrected_p, pair.different, pair.outcomes)
                for pair, claim in pairs
            ),
            self.correction,
            self.alpha,
        )


class _System(msgspec.Struct, frozen=True):
    name: str
    metrics: dict[str, ScoreJson] = {}
    skipped: tuple[str, ...] = ()
    noted: dict[str, tuple[str, ...]] = {}
    other_scheme: dict[str, Any] | None = None
    pairs: tuple[SystemJson, ...] = ()


class _Of(msgspec.Struct, frozen=True):
    """What an interval, or the smallest difference to be found, is about."""

    metric: str
    system: str = ""
    systems: _Two = ("", "")


class _Claims(msgspec.Struct, frozen=True):
    signature: str
    asked: TestPlan
    systems: Annotated[tuple[_System, ...], msgspec.Meta(min_length=1)]
    metrics: tuple[str, ...]
    pairs: tuple[_Pairs, ...]
    intervals: tuple[dict[str, Any], ...]
    differences: tuple[dict[str, Any], ...]
    detectable: tuple[dict[str, Any], ...]
    left_out: Count
    across: dict[str, Any] | None = None


def claims_from(data: Mapping[str, Any], path: str) -> Claims:
    """Return the claims that JSON holds, which was read from `path`."""
    saved = decoded(data, _Claims, path)
    names = tuple(system.name for system in saved.systems)
    unique_names(path, names)
    claims = Claims(
        saved.asked,
        names,
        {name: metric_named(name, path) for name in saved.metrics},
        {(each.metric, each.test): each.tested(path) for each in saved.pairs},
        {
            (of.system, of.metric): decoded(each, Interval, path, "intervals")
            for each in saved.intervals
            for of in [decoded(each, _Of, path, "intervals")]
        },
        {
            (of.metric, *of.systems): decoded(each, Interval, path, "differences")
            for each in saved.differences
            for of in [decoded(each, _Of, path, "differences")]
        },
        {
            decoded(each, _Of, path, "detectable").metric: _detectable(each, path)
            for each in saved.detectable
        },
        saved.left_out,
        _about(saved, path),
        # Files are the last units that there are.
        claims_from({**saved.across, "across": None}, path) if saved.across else None,
    )
    _refuse_unknown(claims, path)
    return claims


def _about(saved: _Claims, path: str) -> Evaluation | None:
    """Return the scores that the claims are about, if they were saved with these."""
    if not any(system.metrics for system in saved.systems):
        return None
    systems = [
        SystemJson(
            each.name,
            each.metrics,
            skipped=each.skipped,
            noted=each.noted,
            other_scheme=each.other_scheme,
            pairs=each.pairs,
        )
        for each in saved.systems
    ]
    for system in systems:
        if set(system.metrics) != set(saved.metrics):
            raise InputError(path, 0, f"{system.name} has scores by other metrics than the claims")
    return Evaluation.of_files(
        saved.signature.removesuffix(saved.asked.signature).removesuffix("|"),
        [system.summed(path) for system in systems],
        systems_on_files(systems, path),
    )


def _claim(data: Mapping[str, Any], path: str, place: str) -> Claim:
    return decoded(data, Claim, path, place)


def _detectable(data: Mapping[str, Any], path: str) -> Detectable:
    difference = decoded(data, Detectable, path, "detectable")
    if not difference.curve:
        raise InputError(path, 0, "detectable.curve: it has no points")
    return difference


def _refuse_unknown(claims: Claims, path: str) -> None:
    """Refuse claims about systems, metrics or tests that they do not have."""
    plan, metrics, systems = claims.asked, set(claims.metrics), set(claims.systems)
    for test in plan.tests:
        one_of(path, "test", test, TESTS)
    one_of(path, "correction", plan.correction, CORRECTIONS)
    intervals = (*claims.intervals.values(), *claims.differences.values())
    for confidence in (plan.confidence, *(each.confidence for each in intervals)):
        if not 0 < confidence < 1:
            raise InputError(path, 0, f"a confidence is between 0 and 1, not {confidence}")
    for (metric, test), pairs in claims.pairs.items():
        one_of(path, "metric", metric, metrics)
        one_of(path, "test", test, plan.tests)
        for pair in pairs.pairs:
            one_of(path, "system", pair.one, systems)
            one_of(path, "system", pair.other, systems)
    if claims.pairs and plan.tests[0] not in {test for _, test in claims.pairs}:
        raise InputError(path, 0, f"there are no pairs of the test {plan.tests[0]!r}")
    for system, metric in claims.intervals:
        one_of(path, "system", system, systems)
        one_of(path, "metric", metric, metrics)
    for each in claims.detectable.values():
        one_of(path, "test", each.test, TESTS)
    for metric in (*claims.detectable, *(metric for metric, *_ in claims.differences)):
        one_of(path, "metric", metric, metrics)


# ── runs ─────────────────────────────────────────────────────────────────────────────────────────


class _Run(msgspec.Struct, frozen=True):
    name: str
    runs: Count
    mean: Number
    sd: Number
    interval: tuple[Number, Number]
    confidence: Number
    letters: str = ""
    scores: tuple[Number, ...] = ()

    def known(self, path: str) -> Runs:
        """Return the runs, as many as are told."""
        try:
            return Runs(self.mean, self.sd, self.runs, self.scores)
        except UsageError as error:
            raise InputError(path, 0, f"{self.name}: {error}") from error

    def around(self) -> Interval:
        """Return the interval of the mean."""
        return Interval(self.mean, *self.interval, self.confidence, "t", self.runs, "run", 0)


class _RunPair(msgspec.Struct, frozen=True):
    metric: str
    systems: _Two
    corrected_p: Number
    different: bool


class _RunTests(msgspec.Struct, frozen=True):
    metric: str
    systems: Annotated[tuple[_Run, ...], msgspec.Meta(min_length=1)]
    test: str
    correction: str
    alpha: Number


class _RunClaims(msgspec.Struct, frozen=True):
    metrics: Annotated[tuple[_RunTests, ...], msgspec.Meta(min_length=1)]
    tests: tuple[dict[str, Any], ...] = ()


def run_claims_from(data: Mapping[str, Any], path: str) -> RunClaims:
    """Return the claims about runs that JSON holds, which was read from `path`."""
    saved = decoded(data, _RunClaims, path)
    tests = [(decoded(e, _RunPair, path, "tests"), _claim(e, path, "tests")) for e in saved.tests]
    tested = []
    for each in saved.metrics:
        pairs = tuple(
            RunPair(*pair.systems, claim, pair.corrected_p, pair.different)
            for pair, claim in tests
            if (pair.metric, claim.test.removesuffix("-t")) == (each.metric, each.test)
        )
        tested.append(_run_tests(each, pairs, path))
    return RunClaims(tuple(tested))


def _run_tests(saved: _RunTests, pairs: tuple[RunPair, ...], path: str) -> RunTests:
    if saved.metric != PLAIN:
        metric_named(saved.metric, path)
    one_of(path, "test", saved.test, RUN_TESTS)
    one_of(path, "correction", saved.correction, CORRECTIONS)
    names = [each.name for each in saved.systems]
    unique_names(path, names)
    for pair in pairs:
        one_of(path, "system", pair.one, names)
        one_of(path, "system", pair.other, names)
    return RunTests(
        saved.metric,
        {each.name: each.known(path) for each in saved.systems},
        {each.name: each.around() for each in saved.systems},
        pairs,
        {each.name: each.letters for each in saved.systems},
        saved.test,
        saved.correction,
        saved.alpha,
    )

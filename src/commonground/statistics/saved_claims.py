"""Claims as they were saved, read back from their JSON."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

import msgspec

from commonground.errors import InputError, UsageError
from commonground.metrics.metric import Metric
from commonground.metrics.registry import explained
from commonground.statistics.claim import Claim, Interval
from commonground.statistics.claims import Claims
from commonground.statistics.corrections import CORRECTIONS
from commonground.statistics.outcomes import Outcomes
from commonground.statistics.pairs import TestedPair, TestedPairs
from commonground.statistics.power import Detectable
from commonground.statistics.registry import TESTS
from commonground.statistics.run_claims import PLAIN, RUN_TESTS, RunClaims, RunPair
from commonground.statistics.runs import Runs
from commonground.statistics.test_plan import TestPlan

__all__ = ["claims_from", "run_claims_from"]

Json = Mapping[str, Any]
_Restored = TypeVar("_Restored")


def claims_from(data: Json, path: str) -> Claims:
    """Return the claims that JSON holds, which was read from `path`."""
    return _whole(path, lambda: _claims(data))


def run_claims_from(data: Json, path: str) -> RunClaims:
    """Return the claims about runs that JSON holds, which was read from `path`."""
    return _whole(path, lambda: _run_claims(data))


def _whole(path: str, restore: Callable[[], _Restored]) -> _Restored:
    """Return what is restored, and refuse what is not as it was written."""
    try:
        return restore()
    except (KeyError, TypeError, AttributeError, ValueError, UsageError) as error:
        raise InputError(path, 0, f"these are not whole claims: {error}") from error
    except msgspec.ValidationError as error:
        raise InputError(path, 0, f"these are not whole claims: {error}") from error


def _claims(data: Json) -> Claims:
    found = Claims(
        msgspec.convert(data["asked"], TestPlan),
        msgspec.convert(data["systems"], tuple[str, ...]),
        {name: _metric(name) for name in msgspec.convert(data["metrics"], list[str])},
        {(str(each["metric"]), str(each["test"])): _pairs(each) for each in data["pairs"]},
        {
            (str(each["system"]), str(each["metric"])): msgspec.convert(each, Interval)
            for each in data["intervals"]
        },
        {
            (str(each["metric"]), *_two(each["systems"])): msgspec.convert(each, Interval)
            for each in data["differences"]
        },
        {str(each["metric"]): msgspec.convert(each, Detectable) for each in data["detectable"]},
        msgspec.convert(data["left_out"], int),
    )
    _refuse_unknown(found)
    return found


def _refuse_unknown(claims: Claims) -> None:
    """Refuse claims about systems, metrics or tests that they do not have."""
    asked, metrics, systems = claims.asked, set(claims.metrics), set(claims.systems)
    for test in asked.tests:
        _one_of("test", test, TESTS)
    _one_of("correction", asked.correction, CORRECTIONS)
    for (metric, test), pairs in claims.pairs.items():
        _one_of("metric", metric, metrics)
        _one_of("test", test, asked.tests)
        if not pairs.pairs:
            raise ValueError(f"the test {test!r} has no pairs")
        for pair in pairs.pairs:
            _one_of("system", pair.one, systems)
            _one_of("system", pair.other, systems)
    if claims.pairs and asked.tests[0] not in {test for _, test in claims.pairs}:
        raise ValueError(f"there are no pairs of the test {asked.tests[0]!r}")
    for system, metric in claims.intervals:
        _one_of("system", system, systems)
        _one_of("metric", metric, metrics)
    for each in claims.detectable.values():
        _one_of("test", each.test, TESTS)
    for metric in (*claims.detectable, *(metric for metric, *_ in claims.differences)):
        _one_of("metric", metric, metrics)


def _one_of(what: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        raise ValueError(f"there is no {what} {name!r}")


def _metric(name: str) -> Metric:
    """Return a metric of an evaluation, or of a comparison, whose names begin with the way."""
    from commonground.evaluation.protocols import named_metrics  # noqa: PLC0415  # it imports much

    known = {metric.name: metric for metric in named_metrics(()).values()}
    return known.get(name) or next(iter(explained(name).values()))[0]


def _pairs(data: Json) -> TestedPairs:
    return TestedPairs(
        data["metric"],
        tuple(str(each["name"]) for each in data["systems"]),
        tuple(float(each["score"]) for each in data["systems"]),
        tuple(str(each["letters"]) for each in data["systems"]),
        tuple(
            TestedPair(
                *_two(each["systems"]),
                msgspec.convert(each, Claim),
                float(each["corrected_p"]),
                bool(each["different"]),
                msgspec.convert(each["outcomes"], Outcomes),
            )
            for each in data["pairs"]
        ),
        str(data["correction"]),
        float(data["alpha"]),
    )


def _run_claims(data: Json) -> RunClaims:
    systems = data["systems"]
    found = RunClaims(
        str(data["metric"]),
        {str(each["name"]): _runs(each) for each in systems},
        {str(each["name"]): _interval(each) for each in systems},
        tuple(
            RunPair(
                *_two(each["systems"]),
                msgspec.convert(each, Claim),
                float(each["corrected_p"]),
                bool(each["different"]),
            )
            for each in data["tests"]
        ),
        {str(each["name"]): str(each["letters"]) for each in systems},
        str(data["test"]),
        str(data["correction"]),
        float(data["alpha"]),
    )
    if not found.runs:
        raise ValueError("there are no systems")
    if found.metric != PLAIN:
        explained(found.metric)
    _one_of("test", found.test_name, RUN_TESTS)
    _one_of("correction", found.correction, CORRECTIONS)
    for pair in found.pairs:
        _one_of("system", pair.one, found.runs)
        _one_of("system", pair.other, found.runs)
    return found


def _runs(data: Json) -> Runs:
    scores = tuple(map(float, data.get("scores", ())))
    return Runs(float(data["mean"]), float(data["sd"]), int(data["runs"]), scores)


def _interval(data: Json) -> Interval:
    low, high = map(float, data["interval"])
    known = float(data["confidence"]), "t", int(data["runs"]), "run", 0
    return Interval(float(data["mean"]), low, high, *known)


def _two(systems: Any) -> tuple[str, str]:
    return msgspec.convert(systems, tuple[str, str])

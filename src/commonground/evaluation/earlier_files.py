"""Files of version 0.1.0, turned into the documents of today.

Version 0.1.0 wrote what tests had found between the fields of the result, and left parts of it out;
``test`` called its result an evaluation, and ``test --runs`` did not say what it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from commonground.evaluation.decoding import decoded

__all__ = ["upgraded"]

Json = Mapping[str, Any]
_Two = tuple[str, str]


class _Asked(msgspec.Struct, frozen=True):
    """What a request has to say about what a file is."""

    verb: str = ""


class _Test(msgspec.Struct, frozen=True):
    metric: str
    systems: _Two
    test: str
    difference: float
    units: int = 0
    unit: str = "sentence"
    correction: str = "none"
    alpha: float = 0.05
    interval: tuple[float, float] | None = None
    interval_method: str = ""
    confidence: float = 0.95


class _Group(msgspec.Struct, frozen=True):
    metric: str
    test: str
    letters: dict[str, str]


class _About(msgspec.Struct, frozen=True):
    metric: str


class _Score(msgspec.Struct, frozen=True):
    score: float | None = None


class _System(msgspec.Struct, frozen=True):
    name: str
    metrics: dict[str, _Score] = {}
    multiple: dict[str, Any] = {}

    def score(self, metric: str) -> Any:
        """Return the score by a metric of evaluate, or by MULTIPLE; 0 where there is none."""
        known = self.metrics.get(metric)
        value = (
            self.multiple.get(metric.removeprefix("multiple_")) if known is None else known.score
        )
        return 0.0 if value is None else value


class _Earlier(msgspec.Struct, frozen=True):
    kind: str = ""
    signature: str = ""
    request: dict[str, Any] = {}
    systems: tuple[_System, ...] = ()
    tests: tuple[dict[str, Any], ...] = ()
    groups: tuple[_Group, ...] = ()
    intervals: tuple[dict[str, Any], ...] = ()
    detectable: tuple[dict[str, Any], ...] = ()


def upgraded(data: Json, path: str) -> Json:
    """Return the document of today that says what a file of version 0.1.0 says.

    A document of today, and what is none at all, stays as it is.
    """
    kind = data.get("kind") or _kind_of(data)
    if kind not in ("evaluation", "comparison", "phenomena", "runs") or "claims" in data:
        return {**data, "kind": kind} if kind else data
    data = {**data, "kind": kind}
    saved = decoded(data, _Earlier, path)
    if kind == "runs":
        return {**data, "metrics": _runs(data, saved, path)}
    tail = _test_part(saved.signature)
    if not tail:
        return data
    claims = _claims(saved, tail, path)
    if decoded(saved.request, _Asked, path, "request").verb == "test":
        return {**data, **claims, "systems": data.get("systems"), "signature": saved.signature}
    return {**data, "claims": claims}


def _kind_of(data: Json) -> str | None:
    """Return the kind of a result that does not name it, by what it has."""
    systems = data.get("systems")
    first = systems[0] if isinstance(systems, list) and systems else None
    if isinstance(first, Mapping):
        if "multiple" in first:
            return "comparison"
        if "metrics" in first:
            return "phenomena" if "targets" in data else "evaluation"
    metrics = data.get("metrics")
    if isinstance(metrics, list) and metrics and "tests" in data:
        return "runs"
    return None


# ── claims ───────────────────────────────────────────────────────────────────────────────────────

_ASKED = {"test": "tests", "units": "resample", "interval": "method"}
"""What parts of signatures are called in JSON, where it is something else."""


def _test_part(signature: str) -> dict[str, str]:
    """Return what a signature says about tests, by name; nothing where there were none."""
    parts = [part.partition(":") for part in signature.split("|")]
    names = [name for name, _, _ in parts]
    if "test" not in names:
        return {}
    return {name: value for name, _, value in parts[names.index("test") :]}


def _asked(tail: Mapping[str, str]) -> dict[str, Any]:
    """Return what was asked for, as JSON has it."""
    plan: dict[str, Any] = {_ASKED.get(name, name): value for name, value in tail.items()}
    plan["tests"] = [] if tail["test"] == "none" else tail["test"].split(",")
    for name in ("iterations", "seed"):
        plan[name] = int(tail.get(name, "0")) if tail.get(name, "0").isdigit() else 0
    for name in ("intervals", "power"):
        plan[name] = tail.get(name) == "yes"
    try:
        plan["confidence"] = float(tail.get("confidence", "0.95"))
    except ValueError:
        plan["confidence"] = 0.95
    return plan


def _claims(saved: _Earlier, tail: Mapping[str, str], path: str) -> dict[str, Any]:
    """Return the claims as their JSON is today."""
    plan = _asked(tail)
    systems = {each.name: each for each in saved.systems}
    tests = [(each, decoded(each, _Test, path, "tests")) for each in saved.tests]
    about = [decoded(e, _About, path).metric for e in (*saved.intervals, *saved.detectable)]
    metrics = dict.fromkeys([*(test.metric for _, test in tests), *about])
    rows = dict.fromkeys((test.metric, test.test) for _, test in tests)
    return {
        "kind": "claims",
        "signature": "|".join(f"{name}:{value}" for name, value in tail.items()),
        "asked": plan,
        "systems": [{"name": name} for name in systems],
        "metrics": list(metrics),
        "pairs": [_pairs(systems, saved, tests, row, plan["tests"]) for row in rows],
        "intervals": list(saved.intervals),
        "differences": list(_differences([test for _, test in tests], plan).values()),
        "detectable": list(saved.detectable),
        "left_out": 0,
    }


def _pairs(
    systems: Mapping[str, _System],
    saved: _Earlier,
    tests: Sequence[tuple[Json, _Test]],
    row: _Two,
    names: Sequence[str],
) -> dict[str, Any]:
    """Return all pairs by a metric and a test, whose own name begins as the one in options."""
    metric, title = row
    chosen = [(each, test) for each, test in tests if (test.metric, test.test) == row]
    letters = next((g.letters for g in saved.groups if (g.metric, g.test) == row), {})
    order = letters or dict.fromkeys(name for _, test in chosen for name in test.systems)
    return {
        "metric": metric,
        "test": next((name for name in names if title.startswith(name[:5])), title),
        "correction": chosen[0][1].correction,
        "alpha": chosen[0][1].alpha,
        "systems": [
            {"name": name, "score": systems[name].score(metric), "letters": letters.get(name, "")}
            for name in order
            if name in systems
        ],
        "pairs": [_without_interval(each) for each, _ in chosen],
    }


def _without_interval(test: Json) -> Json:
    """Return a test without the interval of the difference, which stands by itself today."""
    beside = ("interval", "confidence") if "interval_method" in test else ()
    return {name: value for name, value in test.items() if name not in beside}


def _differences(tests: Sequence[_Test], plan: Json) -> dict[tuple[str, _Two], dict[str, Any]]:
    """Return the intervals of differences, each once."""
    return {
        (test.metric, test.systems): {
            "metric": test.metric,
            "systems": list(test.systems),
            "value": test.difference,
            "low": test.interval[0],
            "high": test.interval[1],
            "confidence": test.confidence,
            "method": test.interval_method,
            "units": test.units,
            "unit": test.unit,
            "iterations": plan["iterations"],
            "seed": plan["seed"],
        }
        for test in tests
        if test.interval is not None
    }


# ── runs ─────────────────────────────────────────────────────────────────────────────────────────

_RUN_TESTS = {"student-t": "student", "welch-t": "welch", "permutation": "permutation"}


def _runs(data: Json, saved: _Earlier, path: str) -> list[Any]:
    """Return the runs by metric with the test that they were compared by."""
    tests = [decoded(each, _Test, path, "tests") for each in saved.tests]
    runs = []
    for each in data["metrics"] if isinstance(data.get("metrics"), list) else []:
        known = each if isinstance(each, Mapping) else {}
        first = next((test for test in tests if test.metric == known.get("metric")), None)
        how = {"test": "welch", "correction": "none", "alpha": 0.05}
        if first is not None:
            how = {
                "test": _RUN_TESTS.get(first.test, first.test),
                "correction": first.correction,
                "alpha": first.alpha,
            }
        runs.append({**how, **known})
    return runs

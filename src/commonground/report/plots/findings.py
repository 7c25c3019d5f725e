"""What a saved result says about differences, runs, power and agreement, to be drawn.

The JSON of a result may have come from anywhere: what is no number, no text or not there is refused
by name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from commonground.errors import InputError
from commonground.report.plots.pairs import Difference
from commonground.statistics.claim import Interval
from commonground.statistics.claims import Claims
from commonground.statistics.power import Detectable, PowerPoint
from commonground.statistics.runs import Runs

__all__ = ["AgreementMap", "Findings", "ForestPlot", "RunRows", "pair_rows"]

Json = Mapping[str, Any]
_HIGHEST = 1e12
_MOST_PAIRS = 1_000


@dataclass(frozen=True, slots=True)
class ForestPlot:
    """The differences of all pairs by a metric, with the level and the correction of the tests."""

    rows: tuple[Difference, ...]
    confidence: float | None
    correction: str


def pair_rows(claims: Claims, metric: str) -> ForestPlot:
    """Return the differences between all pairs of systems by a metric, as claims tell them."""
    test = next((test for test in claims.asked.tests if (metric, test) in claims.pairs), "")
    if not test:
        return ForestPlot((), None, "")
    found = claims.pairs[metric, test]
    rows = []
    for pair in found.pairs:
        around = claims.differences.get((metric, pair.one, pair.other))
        ends = (around.low, around.high) if around else None
        value = pair.claim.difference
        rows.append(Difference(pair.one, pair.other, value, ends, pair.corrected, pair.different))
    corrected = found.correction if found.correction != "none" and len(rows) > 1 else ""
    return ForestPlot(tuple(rows), claims.asked.confidence, corrected)


@dataclass(frozen=True, slots=True)
class RunRows:
    """The runs of systems by a metric, and the intervals of their means."""

    runs: dict[str, Runs]
    intervals: dict[str, Interval]


@dataclass(frozen=True, slots=True)
class AgreementMap:
    """Analyses of the same text, and how far they agree: a table, gold by other, per metric."""

    names: tuple[str, ...]
    tables: dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Findings:
    """The JSON of a result that was read from a file, `path`."""

    path: str
    data: Json

    # ── differences ──────────────────────────────────────────────────────────────────────────────

    def tests(self) -> dict[str, ForestPlot]:
        """Return the tests of the result by metric, those by its first test."""
        found: dict[str, list[Json]] = {}
        for each in self._objects(self.data, "tests"):
            metric = self._text(each, "metric")
            others = found.setdefault(metric, [])
            if not others or self._text(each, "test") == self._text(others[0], "test"):
                others.append(each)
        return {metric: self._forest(tests) for metric, tests in found.items()}

    def _forest(self, tests: Sequence[Json]) -> ForestPlot:
        rows = tuple(self._difference(test) for test in tests)
        first = tests[0]
        level = self._number(first, "confidence") if "confidence" in first else None
        correction = self._text(first, "correction") if "correction" in first else "none"
        shown = correction if correction != "none" and len(rows) > 1 else ""
        return ForestPlot(rows, level, shown)

    def _difference(self, test: Json) -> Difference:
        one, other = self._pair(test, "systems", str)
        around = self._pair(test, "interval", float) if "interval" in test else None
        return Difference(
            one,
            other,
            self._number(test, "difference"),
            around,
            self._number(test, "corrected_p" if "corrected_p" in test else "p"),
            test.get("different") is True,
        )

    # ── runs ─────────────────────────────────────────────────────────────────────────────────────

    def runs(self) -> dict[str, RunRows]:
        """Return the training runs of the result by metric."""
        if self.data.get("kind") == "validation":
            return self._validation()
        return {
            self._text(each, "metric"): self._run_rows(self._objects(each, "systems"))
            for each in self._objects(self.data, "metrics")
        }

    def _validation(self) -> dict[str, RunRows]:
        """Return the runs of a validation, which has its metrics by system."""
        rows: dict[str, list[Json]] = {}
        for system in self._objects(self.data, "systems"):
            for metric, scores in self._object(system.get("metrics"), "'metrics'").items():
                found = self._object(scores, "a metric")
                runs = len(self._numbers(found.get("scores"), "scores"))
                more = {"confidence": self.data.get("confidence"), "runs": runs}
                rows.setdefault(metric, []).append({**found, **more, "name": system.get("name")})
        return {metric: self._run_rows(systems) for metric, systems in rows.items()}

    def _run_rows(self, systems: Sequence[Json]) -> RunRows:
        runs, intervals = {}, {}
        for system in systems:
            name, mean = self._text(system, "name"), self._number(system, "mean")
            count = int(self._number(system, "runs"))
            scores = self._numbers(system["scores"], "scores") if "scores" in system else ()
            low, high = self._pair(system, "interval", float)
            level = self._number(system, "confidence")
            runs[name] = Runs(mean, self._number(system, "sd"), count, scores)
            intervals[name] = Interval(mean, low, high, level, "t", count, "run", 0)
        return RunRows(runs, intervals)

    # ── power ────────────────────────────────────────────────────────────────────────────────────

    def detectable(self) -> dict[str, Detectable]:
        """Return by metric the smallest difference that could be shown."""
        return {
            self._text(each, "metric"): self._detectable(each)
            for each in self._objects(self.data, "detectable")
        }

    def _detectable(self, data: Json) -> Detectable:
        curve = tuple(
            PowerPoint(*(self._number(point, name) for name in ("difference", "power", "error")))
            for point in self._objects(data, "curve")
        )
        if not curve:
            self._refuse("'curve' has no points")
        return Detectable(
            difference=self._number(data, "difference") if data.get("difference") else None,
            error=self._number(data, "error") if data.get("error") else None,
            power=self._number(data, "power"),
            alpha=self._number(data, "alpha"),
            churn=self._number(data, "churn"),
            test=self._text(data, "test"),
            units=int(self._number(data, "units")),
            unit=self._text(data, "unit"),
            iterations=int(self._number(data, "iterations")),
            simulations=int(self._number(data, "simulations")),
            seed=int(self._number(data, "seed")),
            curve=curve,
        )

    # ── agreement ────────────────────────────────────────────────────────────────────────────────

    def agreement(self) -> AgreementMap | None:
        """Return how far analyses agree: of ``agreement``, or the overlap of ``compare``."""
        if isinstance(self.data.get("overlap"), Mapping):
            return self._overlap(self.data["overlap"])
        pairs = self._objects(self.data, "pairs")
        if not pairs or "gold" not in pairs[0]:
            return None
        if len(pairs) > _MOST_PAIRS:
            self._refuse(f"{len(pairs):,} pairs of analyses are too many for a figure")
        values = {
            (self._text(pair, "gold"), self._text(pair, "other"), metric): self._score(score)
            for pair in pairs
            for metric, score in self._object(pair.get("metrics"), "metrics").items()
        }
        return _tables(values)

    def _overlap(self, overlap: Json) -> AgreementMap:
        systems = self._objects(self.data, "systems")
        names = list(dict.fromkeys(str(s.get("gold", s.get("name"))) for s in systems))
        values = {}
        if len(names) ** 2 > _MOST_PAIRS:
            self._refuse(f"{len(names):,} gold standards are too many for a figure")
        for one in names:
            for other in names:
                if f"{one}+{other}" not in overlap:
                    continue
                scores = self._object(overlap[f"{one}+{other}"], "an overlap")
                for kind in ("labelled", "unlabelled"):
                    value = self._number(scores, kind)
                    values[one, other, kind] = values[other, one, kind] = value
        return _tables(values, names)

    def _score(self, data: Any) -> float:
        return self._number(self._object(data, "a score"), "score")

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    def _refuse(self, message: str) -> NoReturn:
        raise InputError(self.path, 0, message)

    def _object(self, value: Any, what: str) -> Json:
        if not isinstance(value, Mapping):
            self._refuse(f"{what} is not an object, {{…}}")
        return value

    def _objects(self, data: Json, key: str) -> list[Json]:
        """Return a list of objects, an empty one where there is none."""
        found = data.get(key, [])
        if not isinstance(found, list) or not all(isinstance(each, Mapping) for each in found):
            return []
        return found

    def _text(self, data: Json, key: str) -> str:
        value = data.get(key)
        if not isinstance(value, str):
            self._refuse(f"there is no text {key!r}")
        return value

    def _number(self, data: Json, key: str) -> float:
        return self._checked(data.get(key), key)

    def _numbers(self, values: Any, what: str) -> tuple[float, ...]:
        if not isinstance(values, list):
            self._refuse(f"{what!r} is not a list of numbers")
        return tuple(self._checked(value, what) for value in values)

    def _checked(self, value: Any, what: str) -> float:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or abs(value) > _HIGHEST:
            self._refuse(f"{what!r} is not a number that can be drawn")
        return float(value)

    def _pair(self, data: Json, key: str, kind: type) -> tuple[Any, Any]:
        values = data.get(key)
        if not isinstance(values, list) or len(values) != 2:
            self._refuse(f"{key!r} is not a list of two")
        if kind is str and not all(isinstance(value, str) for value in values):
            self._refuse(f"{key!r} has something that is not text")
        one, other = values if kind is str else self._numbers(values, key)
        return one, other


def _tables(
    values: Mapping[tuple[str, str, str], float], names: Sequence[str] = ()
) -> AgreementMap:
    """Put values by gold, other and metric into tables; an analysis agrees with itself."""
    names = names or list(dict.fromkeys(name for one, other, _ in values for name in (one, other)))
    place = {name: number for number, name in enumerate(names)}
    tables: dict[str, NDArray[np.float64]] = {}
    for (one, other, metric), value in values.items():
        table = tables.setdefault(metric, np.full((len(names), len(names)), math.nan))
        table[place[one], place[other]] = value
        np.fill_diagonal(table, 1.0)
    return AgreementMap(tuple(names), tables)

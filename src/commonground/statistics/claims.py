"""The result of tests: which systems differ, by which metric, and by how much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from commonground.evaluation.result import MEMORY, Result
from commonground.evaluation.scores import Evaluation
from commonground.evaluation.signature import short_form
from commonground.metrics.metric import Metric
from commonground.statistics.claim import Interval
from commonground.statistics.pairs import TestedPair, TestedPairs
from commonground.statistics.power import (
    Detectable,
)
from commonground.statistics.ranking import ranks
from commonground.statistics.test_plan import TestPlan

__all__ = ["Claims"]


@dataclass(frozen=True, repr=False)
class Claims(Result):
    """What was found about the differences between systems.

    `pairs` are by the metric and the test, `intervals` by the system and the metric, `differences`
    by the metric and the two systems, `detectable` by the metric. `left_out` are sentences that not
    all systems have. `about` has the scores themselves, where the claims are shown with them. Of
    several files, `across` has the same tests with files as units.
    """

    kind: ClassVar[str] = "claims"
    verb: ClassVar[str] = "test"

    asked: TestPlan
    systems: tuple[str, ...]
    metrics: dict[str, Metric]
    pairs: dict[tuple[str, str], TestedPairs]
    intervals: dict[tuple[str, str], Interval]
    differences: dict[tuple[str, str, str], Interval]
    detectable: dict[str, Detectable]
    left_out: int = 0
    about: Evaluation | None = field(default=None, repr=False)
    across: Claims | None = None

    def worse_than(self, system: str, metric: str) -> list[str]:
        """Return the systems that a system is significantly better than, by the first test."""
        tested = self.pairs.get((metric, self.asked.tests[0])) if self.asked.tests else None
        beaten = {
            worse
            for pair in (tested.pairs if tested else ())
            for better, worse in [self._ranked(pair, metric)]
            if better == system
        }
        return [name for name in self.systems if name in beaten]

    def _ranked(self, pair: TestedPair, metric: str) -> tuple[str, str]:
        """Return the better system of a pair and the worse one; two empty names without a claim."""
        if not pair.different or not pair.claim.difference:
            return "", ""
        first_better = (pair.claim.difference > 0) == self.metrics[metric].higher_is_better
        return (pair.one, pair.other) if first_better else (pair.other, pair.one)

    @property
    def signature(self) -> str:
        """What the claims depend on, in one line: besides the scores, unless they have these."""
        return self.signed(self.about.signature if self.about else "")

    def signed(self, signature: str) -> str:
        """Return the signature of the scores with what the claims depend on added."""
        return f"{signature}|{self.asked.signature}" if signature else self.asked.signature

    def __repr__(self) -> str:
        lines = [
            f"{metric}: {pair.one} – {pair.other} {pair.claim.difference:+.4f}, "
            f"p = {pair.corrected:.4g}{' *' * pair.different}"
            for (metric, _), pairs in self.pairs.items()
            for pair in pairs.pairs
        ]
        return "\n".join([*lines, short_form(self.signature)])

    def to_json(self) -> dict[str, Any]:
        """Return the claims as JSON has them; systems have their scores, if these are known."""
        return {
            "kind": self.kind,
            "signature": self.signature,
            "asked": asdict(self.asked),
            "systems": self.about.to_json()["systems"]
            if self.about
            else [{"name": name} for name in self.systems],
            "metrics": list(self.metrics),
            "tests": self.tests_json(),
            "groups": [
                {
                    "metric": metric,
                    "test": pairs.pairs[0].claim.test,
                    "letters": dict(zip(pairs.systems, pairs.letters, strict=True)),
                    **self._ranks(metric, test, pairs),
                }
                for (metric, test), pairs in self.pairs.items()
            ],
            "pairs": [{"test": test, **pairs.to_json()} for (_, test), pairs in self.pairs.items()],
            "intervals": [
                {"system": system, "metric": metric, **interval.to_json()}
                for (system, metric), interval in self.intervals.items()
            ],
            "differences": [
                {"metric": metric, "systems": [one, other], **interval.to_json()}
                for (metric, one, other), interval in self.differences.items()
            ],
            "detectable": [
                {"metric": metric, **each.to_json()} for metric, each in self.detectable.items()
            ],
            "left_out": self.left_out,
            **({"across": self.across.to_json()} if self.across else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = MEMORY) -> Claims:
        """Return the claims that JSON holds."""
        from commonground.statistics.claims_json import claims_from  # noqa: PLC0415  # seldom

        return claims_from(data, path)

    def tests_json(self) -> list[dict[str, Any]]:
        """Return the tests of all pairs as JSON has them."""
        return [
            {"metric": metric, **pair.to_json(), **self._more(metric, pairs, pair)}
            for (metric, _), pairs in self.pairs.items()
            for pair in pairs.pairs
        ]

    def _ranks(self, metric: str, test: str, pairs: TestedPairs) -> dict[str, Any]:
        """Return the first and the last rank of each system by the first test, as JSON has them."""
        if test != self.asked.tests[0]:
            return {}
        values = dict(zip(pairs.systems, pairs.scores, strict=True))
        by_name = ranks(values, self.metrics[metric], self)
        return {"ranks": {name: list(rank) for name, rank in by_name.items()}}

    def _more(self, metric: str, pairs: TestedPairs, pair: TestedPair) -> dict[str, Any]:
        """Return the correction and the interval of a difference, as JSON has them."""
        data: dict[str, Any] = {"correction": pairs.correction, "alpha": pairs.alpha}
        if interval := self.differences.get((metric, pair.one, pair.other)):
            data["interval"] = [interval.low, interval.high]
            data["interval_method"] = interval.method
            data["confidence"] = interval.confidence
        return data

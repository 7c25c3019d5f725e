"""The differences between all pairs of systems, as a figure of them has them."""

from __future__ import annotations

from dataclasses import dataclass

from commonground.report.plots.pairs import Difference
from commonground.statistics.claims import Claims

__all__ = ["ForestPlot", "pair_rows"]


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
    tested = claims.pairs[metric, test]
    rows = []
    for pair in tested.pairs:
        around = claims.differences.get((metric, pair.one, pair.other))
        ends = (around.low, around.high) if around else None
        value = pair.claim.difference
        rows.append(Difference(pair.one, pair.other, value, ends, pair.corrected, pair.different))
    corrected = tested.correction if tested.correction != "none" and len(rows) > 1 else ""
    return ForestPlot(tuple(rows), claims.asked.confidence, corrected)

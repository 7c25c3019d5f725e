"""What a test found, with everything that a reader needs to judge it.

A p-value alone says little. It stands here beside the test, the alternative, how many units were
compared and how many random draws were made; no field of these can be left out.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from commonground.errors import UsageError

__all__ = ["ALTERNATIVES", "Alternative", "Claim", "Interval", "check_alternative"]

Alternative = Literal["two-sided", "greater", "less"]
ALTERNATIVES: tuple[Alternative, ...] = get_args(Alternative)
"""The systems differ; the first one is better than the second; it is worse."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A test of a difference between two systems.

    `difference` is the first system's score less the second one's. `units` is how many there were
    of what `unit` names: sentences, documents, tokens, runs. `iterations` counts the random draws,
    or what was enumerated; 0 where the distribution is known by a formula. `exact` tells that `p`
    is no estimate and no approximation. `statistic` is what the test computed, `effective` how many
    units had a say (ties have none in many tests). The `interval` of the difference holds with a
    `confidence`, by a `method`. With the `seed` the same numbers come again.

    >>> claim = Claim("sign", 0.02, 0.25, "two-sided", units=10, unit="sentence", iterations=0)
    >>> print(claim)
    difference +0.0200, p = 0.25 (sign test, two-sided, 10 sentences)
    """

    test: str
    difference: float
    p: float
    alternative: Alternative
    units: int
    unit: str
    iterations: int
    exact: bool = False
    statistic: float | None = None
    effective: int | None = None
    interval: tuple[float, float] | None = None
    confidence: float | None = None
    method: str | None = None
    seed: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the claim as JSON has it, without what does not apply."""
        return _known(self)

    def __str__(self) -> str:
        draws = f", {self.iterations:,} iterations" if self.iterations else ""
        within = ""
        if self.interval is not None and self.confidence is not None:
            low, high = self.interval
            within = f" [{low:+.4f}, {high:+.4f}] at {100 * self.confidence:g} %"
        return (
            f"difference {self.difference:+.4f}{within}, p = {self.p:.4g} "
            f"({self.test} test, {self.alternative}, {self.units:,} {self.unit}s{draws})"
        )


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval of one score: where it would be on other units like these."""

    value: float
    low: float
    high: float
    confidence: float
    method: str
    units: int
    unit: str
    iterations: int
    seed: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the interval as JSON has it."""
        return _known(self)

    def __str__(self) -> str:
        return (
            f"{self.value:.4f} [{self.low:.4f}, {self.high:.4f}] at {100 * self.confidence:g} % "
            f"({self.method}, {self.units:,} {self.unit}s, {self.iterations:,} iterations)"
        )


def check_alternative(alternative: str) -> None:
    """Refuse a word that is no alternative."""
    if alternative not in ALTERNATIVES:
        raise UsageError(
            f"there is no alternative {alternative!r}; there are {', '.join(ALTERNATIVES)}"
        )


def _known(claim: Claim | Interval) -> dict[str, Any]:
    values = {each.name: getattr(claim, each.name) for each in fields(claim)}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value is not None
    }

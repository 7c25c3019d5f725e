"""What is asked about the differences between systems: which tests, and how they are made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

from commonground.evaluation.signature import join, rendered, signed
from commonground.statistics.bootstrap import Method
from commonground.statistics.claim import Alternative

__all__ = [
    "UNITS",
    "TestPlan",
    "Unit",
]

Unit = Literal["sentences", "documents", "files"]

UNITS: tuple[Unit, ...] = get_args(Unit)
"""What can be resampled and swapped."""


@signed
@dataclass(frozen=True, slots=True)
class TestPlan:
    """What is asked for: tests between all pairs of systems, and how they are made.

    With `intervals` every score gets one, with `power` it is simulated which difference the test
    set could show. Pairs are corrected for their number, metric by metric. Intervals are made of as
    many `resamples` as a test has `iterations`, unless they have a number of their own. Units are
    drawn `within` these files, if there are any, and scores are macro averages over them.
    """

    __test__: ClassVar[bool] = False  # pytest need not look for tests in it

    tests: tuple[str, ...] = field(default=(), metadata={"key": "test"})
    iterations: int = 10_000
    seed: int = 0
    confidence: float = 0.95
    alternative: Alternative = "two-sided"
    correction: str = "holm"
    resample: Unit = field(default="sentences", metadata={"key": "units"})
    method: Method = field(default="bca", metadata={"key": "interval"})
    intervals: bool = False
    power: bool = False
    resamples: int = field(default=0, metadata={"if set": True})
    within: tuple[str, ...] = field(default=(), metadata={"if set": True})

    @property
    def signature(self) -> str:
        """What the claims depend on, in one line."""
        return join(rendered(self))

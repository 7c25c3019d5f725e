"""What can be claimed about the systems of a result: tested as the result itself was."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from commonground.errors import UsageError
from commonground.evaluation.request import Request
from commonground.evaluation.result import Result, System
from commonground.statistics.bootstrap import METHODS
from commonground.statistics.claim import ALTERNATIVES
from commonground.statistics.claims import Claims
from commonground.statistics.corrections import CORRECTIONS
from commonground.statistics.registry import TESTS
from commonground.statistics.test_plan import UNITS, TestPlan
from commonground.statistics.testing import significance_tests
from commonground.statistics.units import with_units

__all__ = ["asked_again", "claims_about", "to_test"]

_MANY = 40
"""Tests of all pairs of more systems would take longer than all the rest, and nobody reads them."""

_MOST = 1_000_000

Files = Mapping[str, Sequence[System]]


def claims_about(result: Result) -> Claims | None:
    """Return the intervals of scores, and the tests of all pairs of systems.

    They are about the scores that are fair between the systems, which for a comparison is MULTIPLE.
    They are made as the result's own were, which gives the same numbers again; where it was not
    asked for tests, by shuffling. There are none where the systems have nothing in common.
    """
    try:
        return significance_tests(
            *to_test(result.request, result.tested(), result.files), skip=True
        )
    except UsageError:  # nothing that can be tested
        return None


def to_test(
    request: Request, systems: Sequence[System], files: Files
) -> tuple[Sequence[System], TestPlan]:
    """Return what is tested of some systems of a result, over files or sentences, and how."""
    return with_units(systems, files, asked_again(request, len(systems)), request.options.resample)


def asked_again(request: Request, systems: int) -> TestPlan:
    """Return how claims about so many systems are made: as asked for, by shuffling without that."""
    options = request.options
    several = 1 < systems <= _MANY
    given = ("shuffle",) if options.test is None else options.test
    tests = [name.strip() for text in given for name in text.split(",")]
    wanted = tuple(name for name in tests if name in TESTS) if several else ()
    chosen = {
        field: value
        for name, (field, fits) in _FITTING.items()
        if (value := getattr(options, name)) is not None and fits(value)
    }
    return TestPlan(wanted, intervals=True, **chosen)


_FITTING: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "iterations": ("iterations", lambda value: value <= _MOST),
    "seed": ("seed", lambda _: True),
    "confidence": ("confidence", lambda _: True),
    "alternative": ("alternative", lambda value: value in ALTERNATIVES),
    "correction": ("correction", lambda value: value in CORRECTIONS),
    "resample": ("resample", lambda value: value in UNITS and value != "files"),
    "interval": ("method", lambda value: value in METHODS),
}
"""The options of tests that a result was made with, and what they can be; others do not count."""

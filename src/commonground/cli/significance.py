"""Tests and intervals on the command line: what the verbs that have them share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeVar

import click

from commonground.cli.output import progress
from commonground.errors import UsageError, nearest

if TYPE_CHECKING:
    from commonground.evaluation.result import System
    from commonground.statistics.claims import Claims
    from commonground.statistics.test_plan import TestPlan

__all__ = ["claims_for", "may_test", "parts", "plan_tests", "significance_options"]

Function = TypeVar("Function", bound=Callable[..., Any])

TESTS = ("shuffle", "bootstrap", "wilcoxon", "sign", "mcnemar", "none")
"""The tests between systems that were scored on the same sentences."""

_OPTIONS = (
    click.option(
        "--test",
        "tests",
        metavar="NAME,…",
        multiple=True,
        help="Test all pairs of systems: shuffle, bootstrap, wilcoxon, sign or mcnemar. "
        "Superscripts show the first one.",
    ),
    click.option(
        "--iterations",
        type=click.IntRange(min=1),
        metavar="N",
        help="The number of random draws of a test.  [default: 10000]",
    ),
    click.option(
        "--confidence",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        metavar="P",
        help="Show a confidence interval for every score at this level, which tests use too.  "
        "[default for tests: 0.95]",
    ),
    click.option(
        "--interval",
        "method",
        type=click.Choice(["bca", "percentile"]),
        help="Show an interval for every score, computed by this method.  [default: bca]",
    ),
    click.option(
        "--alternative",
        type=click.Choice(["two-sided", "greater", "less"]),
        help="Test whether the systems differ, or the first is better, or worse.  [default: "
        "two-sided]",
    ),
    click.option(
        "--correction",
        type=click.Choice(["holm", "bh", "bonferroni", "none"]),
        help="The correction of p-values for the number of pairs.  [default: holm]",
    ),
    click.option(
        "--resample",
        type=click.Choice(["sentences", "documents", "files"]),
        help="The units to swap and draw. Those of several files are drawn within each file, and "
        "files are tested beside it.  [default: sentences]",
    ),
    click.option(
        "--power",
        is_flag=True,
        help="Estimate by simulation the smallest difference that this test set can detect.",
    ),
)

_NEEDS = {
    "alternative": ("--test",),
    "correction": ("--test",),
    "iterations": ("--test", "--confidence"),
    "resample": ("--test", "--confidence"),
}
"""What an option has no effect without."""


def significance_options(function: Function) -> Function:
    """Add the options of tests and intervals."""
    return reduce(lambda f, option: option(f), reversed(_OPTIONS), function)


def parts(texts: Sequence[str]) -> list[str]:
    """Return what stands between the commas of an option that can be given several times."""
    return [part.strip() for text in texts for part in text.split(",")]


def plan_tests(options: Mapping[str, Any], *, default: str = "") -> TestPlan | None:
    """Return what the options ask for, None for nothing; `default` is the test without any."""
    wanted = list(dict.fromkeys(parts(options["tests"]))) or ([default] if default else [])
    for name in wanted:
        if name not in TESTS:
            near = nearest(name, TESTS)
            raise UsageError(f"there is no test {name!r}; there are {', '.join(TESTS)}{near}")
    tests = tuple(name for name in wanted if name != "none")
    given = {name: options[name] for name in ("confidence", "method") if options[name] is not None}
    for name, needed in _NEEDS.items():
        there = bool(tests) or ("--confidence" in needed and (given or options["power"]))
        if options[name] is not None and not there:
            raise UsageError(f"--{name} has no effect without {' or '.join(needed)}")
    if not (tests or given or options["power"]):
        return None
    from commonground.statistics.test_plan import TestPlan

    chosen = {name: options[name] for name in _NEEDS if options[name] is not None}
    return TestPlan(
        tests,
        seed=options["seed"],
        intervals=bool(given),
        power=options["power"],
        **given,
        **chosen,
    )


def claims_for(
    systems: Sequence[System],
    asked: TestPlan | None,
    *,
    metrics: Sequence[str] = (),
    skip: bool = True,
    same_gold: bool = True,
    jobs: int = 1,
    quiet: bool = False,
) -> Claims | None:
    """Make the tests that are asked for, with a progress bar."""
    if asked is None:
        return None
    from commonground.statistics.testing import significance_tests

    count = len(metrics) or len(systems[0].scores)
    with progress("tests", total=count, quiet=quiet) as advance:
        return significance_tests(
            systems,
            asked,
            metrics=metrics,
            skip=skip,
            same_gold=same_gold,
            jobs=jobs,
            watch=advance,
        )


def may_test(options: Mapping[str, Any]) -> bool:
    """Tell whether a test is made that was not asked for; ``--test none`` refuses it."""
    return "none" not in parts(options["tests"])

"""Tests between the systems of a result: which differ, by which metric, and by how much.

What is tested are systems with counts per sentence, from an evaluation, a comparison or saved
results. Systems that were scored on different sentences are tested on those that all have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from commonground.engine import Engine, Jobs, engine_for
from commonground.errors import UsageError, setting
from commonground.evaluation.macro import by_file, over_files, within_files
from commonground.evaluation.metric_score import Score
from commonground.evaluation.result import Result, System
from commonground.metrics.metric import Metric
from commonground.metrics.names import resolved
from commonground.metrics.sentences import Sentences
from commonground.statistics.bias import bias
from commonground.statistics.claim import Interval
from commonground.statistics.claims import Claims
from commonground.statistics.common_sentences import on_common_sentences
from commonground.statistics.intervals import Resamples
from commonground.statistics.pairs import TestedPairs, all_pairs
from commonground.statistics.power import (
    Detectable,
    Process,
    counts_right_items,
    detectable,
)
from commonground.statistics.test_plan import TestPlan
from commonground.statistics.units import with_units

__all__ = [
    "document_groups",
    "significance_tests",
]


def significance_tests(
    systems: Sequence[System],
    asked: TestPlan,
    *,
    metrics: Sequence[str] = (),
    skip: bool = False,
    same_gold: bool = True,
    jobs: Jobs = 1,
    watch: Callable[[int], None] = lambda _: None,
) -> Claims:
    """Test all pairs of systems by some metrics, or by all that they have in common.

    With `skip`, sentences that not all systems have are left out; without, they are an error. So
    are systems that were scored against different gold standards, unless `same_gold` is False.
    `watch` is called with the number of metrics that are done.

    >>> from commonground import evaluate
    >>> parses = {"mine": "example:ud-parse", "best": "example:ud"}
    >>> result = evaluate("example:ud", parses, metrics=["uas", "las"])
    >>> claims = significance_tests(result.systems, TestPlan(tests=("shuffle",)))
    >>> claims.worse_than("best", "las"), claims.pairs["las", "shuffle"].pairs[0].claim.p < 0.001
    (['mine'], True)
    """
    if asked.tests and len(systems) < 2:
        raise UsageError("there is only one system; a test needs two or more")
    engine = engine_for(jobs)
    same, left_out = on_common_sentences(systems, skip=skip)
    known = _metrics(same, metrics)
    if same_gold:
        _refuse_different_golds(same, known)
    groups = document_groups(same[0].sentences, asked)
    across = _across(same, asked, known, engine) if asked.within and asked.tests else None
    if asked.within:
        same, groups = within_files(same, asked.within, documents=groups is not None), None
    fit = {test: _fit(same, known, test) for test in asked.tests}
    simulated = _simulated(same, known) if asked.power else []
    pairs: dict[tuple[str, str], TestedPairs] = {}
    power: dict[str, Detectable] = {}
    for metric in known:
        scores = {system.name: system[metric] for system in same}
        for test in asked.tests:
            if metric in fit[test]:
                pairs[metric, test] = all_pairs(
                    scores,
                    test=test,
                    iterations=asked.iterations,
                    seed=asked.seed,
                    alternative=asked.alternative,
                    correction=asked.correction,
                    confidence=asked.confidence,
                    method=asked.method,
                    groups=groups,
                    jobs=engine,
                )
        if metric in simulated:
            power[metric] = _detectable(scores, known[metric], asked, groups, engine)
        watch(1)
    intervals, differences = _intervals(same, known, pairs, asked, groups)
    pairs = {
        (metric, test): tested.supported_by(
            {(one, other): each for (of, one, other), each in differences.items() if of == metric}
        ).beyond(partial(_bias, {system.name: system for system in same}, metric))
        for (metric, test), tested in pairs.items()
    }
    if left_out:
        intervals = _own_intervals(systems, known, asked)
    names = tuple(system.name for system in systems)
    return Claims(
        asked, names, known, pairs, intervals, differences, power, left_out, across=across
    )


def _across(
    systems: Sequence[System], plan: TestPlan, metrics: Iterable[str], engine: Engine
) -> Claims | None:
    """Return what tests say whose units are files: would it hold for other treebanks?"""
    files = by_file(systems, plan.within)
    if len(files) < 2:
        return None
    changed = replace(plan, resample="files", within=(), intervals=False)
    return significance_tests(over_files(files), changed, metrics=list(metrics), jobs=engine)


def _bias(systems: Mapping[str, System], metric: str, one: str, other: str) -> float:
    """Return which difference of two systems may be due to annotation alone."""
    return bias(systems[one], systems[other], metric)


def test(result: Result, *tests: str, metrics: Sequence[str] = (), **options: Any) -> Claims:  # noqa: PT028  # a test of differences
    """Test all pairs of systems of a result; without a name, by shuffling.

    `options` are those of :class:`TestPlan`, and ``jobs``.

    >>> from commonground import evaluate
    >>> result = evaluate("example:ud", {"a": "example:ud-parse", "b": "example:ud"})
    >>> result.test("sign", metrics=["las"]).worse_than("b", "las")
    ['a']
    """
    jobs = options.pop("jobs", 1)
    known = [each.name for each in fields(TestPlan) if each.name != "tests"]
    for name in options:
        if name not in known:
            raise UsageError(f"tests have no option {name!r}; there are {', '.join(known)}")
    plan = TestPlan(tests or ("shuffle",), **options)
    systems, plan = with_units(result.tested(), result.files, plan, options.get("resample"))
    return significance_tests(systems, plan, metrics=metrics, skip=True, jobs=jobs)


def _metrics(systems: Sequence[System], wanted: Sequence[str]) -> dict[str, Metric]:
    """Return the metrics to test: those wanted, or those that all systems have something of."""
    common = [
        name
        for name in systems[0].scores
        if all(name in system.scores and not system[name].undefined for system in systems)
    ]
    metrics = {name: systems[0][name].metric for name in common}
    wanted = [resolved(name, metrics) or name for name in wanted]
    for name in wanted:
        if name not in common:
            there = ", ".join(common) or "none"
            raise UsageError(f"not all systems have {name} scores; all have {there}")
    if not common:
        raise UsageError("no metric is computed for all systems")
    return {name: systems[0][name].metric for name in wanted or common}


def document_groups(sentences: Sentences | None, plan: TestPlan) -> Sequence[str] | None:
    """Return the document of each sentence if these are what is resampled."""
    if plan.resample != "documents":
        return None
    if sentences is None or not sentences.documents:
        raise UsageError(
            "nothing names the documents: neither '# newdoc' nor ids such as NAME-12 in the gold "
            "standard"
        )
    if len(set(sentences.documents)) < 2:
        raise UsageError("all sentences are of one document; two or more can be resampled")
    return sentences.documents


def _fit(systems: Sequence[System], metrics: Iterable[str], test: str) -> list[str]:
    """Return the metrics that a test can be about; McNemar's is about single items."""
    fitting = [
        metric
        for metric in metrics
        if test != "mcnemar" or all(system[metric].right is not None for system in systems)
    ]
    if not fitting:
        raise UsageError(
            "McNemar's test needs a metric that counts the same items on both sides, such as las; "
            f"none of {', '.join(metrics)} does"
        )
    return fitting


def _simulated(systems: Sequence[System], metrics: Iterable[str]) -> list[str]:
    """Return the metrics whose power can be simulated."""
    if systems[0][next(iter(metrics))].unit == "file":
        raise UsageError("power is simulated for sentences or documents, not for files")
    simulated = [metric for metric in metrics if counts_right_items(systems[0][metric])]
    if not simulated:
        raise UsageError(
            "power can be simulated for metrics that count right items, such as las; none of "
            f"{', '.join(metrics)} does"
        )
    return simulated


def _detectable(
    scores: Mapping[str, Score],
    metric: Metric,
    plan: TestPlan,
    groups: Sequence[str] | None,
    engine: Engine,
) -> Detectable:
    """Return the smallest difference that could be shown, to a system better than the best.

    How much systems differ in what they have right is seen from the two best ones.
    """
    best = sorted(scores.values(), key=float, reverse=metric.higher_is_better)
    test = next((test for test in plan.tests if test != "mcnemar"), "shuffle")
    return detectable(
        Process.of(best[0], best[1] if len(best) > 1 else None, groups),
        test=test,
        confidence=plan.confidence,
        iterations=min(plan.iterations, 1000),
        seed=plan.seed,
        jobs=engine,
    )


def _intervals(
    systems: Sequence[System],
    metrics: Mapping[str, Metric],
    pairs: Mapping[tuple[str, str], TestedPairs],
    plan: TestPlan,
    groups: Sequence[str] | None,
) -> tuple[dict[tuple[str, str], Interval], dict[tuple[str, str, str], Interval]]:
    """Return the intervals of the scores, if asked for, and those of the differences in pairs."""
    units = len(set(groups)) if groups else len(systems[0][next(iter(metrics))].counts)
    if not plan.intervals and (not pairs or units < 2):  # nothing can be drawn from one unit
        return {}, {}
    resamples = Resamples(
        {(system.name, metric): system[metric] for system in systems for metric in metrics},
        groups=groups,
        iterations=plan.resamples or plan.iterations,
        seed=plan.seed,
        confidence=plan.confidence,
        method=plan.method,
    )
    scores = {
        (system.name, metric): resamples.score((system.name, metric))
        for system in systems
        for metric in metrics
        if plan.intervals
    }
    chosen = dict.fromkeys(
        (metric, pair.one, pair.other)
        for (metric, _), tested in pairs.items()
        for pair in tested.pairs
    )
    return scores, {
        (metric, one, other): resamples.difference((one, metric), (other, metric))
        for metric, one, other in chosen
    }


def _own_intervals(
    systems: Sequence[System], metrics: Mapping[str, Metric], plan: TestPlan
) -> dict[tuple[str, str], Interval]:
    """Return the intervals of scores, if asked for, each from all the sentences of its system.

    A score is about all of them, also where tests are about those that all systems have.
    """
    intervals: dict[tuple[str, str], Interval] = {}
    for system in systems if plan.intervals else ():
        own, _ = on_common_sentences([system], skip=True)
        groups = document_groups(own[0].sentences, plan)
        if plan.within:
            own, groups = within_files(own, plan.within, documents=groups is not None), None
        intervals |= _intervals(own, metrics, {}, plan, groups)[0]
    return intervals


def _refuse_different_golds(systems: Sequence[System], metrics: Iterable[str]) -> None:
    """Raise an error where systems were scored against different gold standards.

    Then the same sentences have different numbers of gold items, and scores cannot be compared.
    """
    for metric in metrics:
        for one, other in combinations(systems, 2):
            sides = [system[metric].counts.columns["gold"] for system in (one, other)]
            if not np.array_equal(sides[0], sides[1]):
                raise UsageError(
                    f"{one.name} and {other.name} were not scored against the same gold "
                    f"standard: the same sentences have different gold items for {metric}; "
                    f"{setting('force')} tests them anyway"
                )

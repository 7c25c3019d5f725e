"""What kinds of results have to be drawn: differences, runs, power, agreement and so on.

Each function is registered for the kinds of results that it is about (see
:mod:`commonground.dispatch`); a kind without one has nothing of that to draw.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.dispatch import can, perform, register
from commonground.errors import UsageError
from commonground.evaluation.agreement import Agreement
from commonground.evaluation.comparison_result import CompareResult
from commonground.evaluation.conventions import Conventions
from commonground.evaluation.conventions_by_system import ConventionsBySystem
from commonground.evaluation.result import Result
from commonground.phenomena.result import Phenomena
from commonground.projection.validation import Validation
from commonground.report.plots.pair_rows import ForestPlot, pair_rows
from commonground.report.plots.pairs import Difference
from commonground.statistics.claim import Interval
from commonground.statistics.claims import Claims
from commonground.statistics.power import Detectable
from commonground.statistics.run_claims import RunClaims, RunPair
from commonground.statistics.runs import Runs

__all__ = [
    "AgreementMap",
    "RunRows",
    "agreement",
    "conventions",
    "pairs",
    "phenomena",
    "power",
    "runs",
]

_MOST_ANALYSES = 32


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


def pairs(result: Result) -> dict[str, ForestPlot]:
    """Return the differences that a result has tests of, by metric; those by its first test."""
    return _of(result, "pairs to plot")


def runs(result: Result) -> dict[str, RunRows]:
    """Return the training runs of a result by metric."""
    return _of(result, "runs to plot")


def power(result: Result) -> dict[str, Detectable]:
    """Return by metric the smallest difference that could be shown."""
    return _of(result, "power to plot")


def agreement(result: Result) -> AgreementMap | None:
    """Return how far analyses agree: of ``agreement``, or the overlap of ``compare``."""
    return _of(result, "agreement to plot") or None


def phenomena(result: Result) -> Phenomena | None:
    """Return the scores of phenomena: of ``phenomena score``."""
    return _of(result, "phenomena to plot") or None


def conventions(result: Result) -> dict[str, Conventions]:
    """Return conventions and errors by the name of the parse, which a single one need not have."""
    return _of(result, "conventions to plot")


def _of(result: Result, what: str) -> Any:
    """Return what a result, or the claims beside it, has to say; nothing if it has nothing."""
    if can(what, result):
        return perform(what, result)
    return _of(result.saved_claims, what) if result.saved_claims else {}


# ── by the kind of result ────────────────────────────────────────────────────────────────────────


@register("pairs to plot", Claims)
def _pairs_of_claims(claims: Claims) -> dict[str, ForestPlot]:
    by_metric = {metric: pair_rows(claims, metric) for metric in claims.metrics}
    return {metric: plot for metric, plot in by_metric.items() if plot.rows}


@register("pairs to plot", RunClaims)
def _pairs_of_runs(claims: RunClaims) -> dict[str, ForestPlot]:
    return {
        metric: ForestPlot(
            tuple(map(_run_difference, tests.pairs)),
            tests.pairs[0].claim.confidence,
            tests.correction if tests.correction != "none" and len(tests.pairs) > 1 else "",
        )
        for metric, tests in claims.by_metric.items()
        if tests.pairs
    }


def _run_difference(pair: RunPair) -> Difference:
    claim = pair.claim
    return Difference(
        pair.one, pair.other, claim.difference, claim.interval, pair.corrected, pair.different
    )


@register("runs to plot", RunClaims)
def _runs_of_claims(claims: RunClaims) -> dict[str, RunRows]:
    return {metric: RunRows(each.runs, each.intervals) for metric, each in claims.by_metric.items()}


@register("runs to plot", Validation)
def _runs_of_validation(validation: Validation) -> dict[str, RunRows]:
    known = {metric: validation.runs(metric) for metric in validation.metrics}
    return {
        metric: RunRows(
            each, {name: runs.interval(validation.confidence) for name, runs in each.items()}
        )
        for metric, each in known.items()
    }


@register("power to plot", Claims)
def _power_of_claims(claims: Claims) -> dict[str, Detectable]:
    return claims.detectable


@register("agreement to plot", Agreement)
def _agreement(result: Agreement) -> AgreementMap:
    values = {
        (gold, other, name): score.value
        for (gold, other), scores in result.scores.items()
        for name, score in scores.items()
    }
    return _tables(values, result.names)


@register("agreement to plot", CompareResult)
def _overlap(comparison: CompareResult) -> AgreementMap:
    values = {
        (*two, kind): score.value
        for (one, other), scores in comparison.overlap.items()
        for kind, score in scores.both.items()
        for two in ((one, other), (other, one))
    }
    return _tables(values, list(comparison.golds))


@register("phenomena to plot", Phenomena)
def _phenomena(result: Phenomena) -> Phenomena:
    return result


@register("conventions to plot", Conventions)
def _conventions(result: Conventions) -> dict[str, Conventions]:
    return {"": result}


@register("conventions to plot", ConventionsBySystem)
def _conventions_by_system(result: ConventionsBySystem) -> dict[str, Conventions]:
    return result.systems


def _tables(
    values: Mapping[tuple[str, str, str], float | None], names: Sequence[str]
) -> AgreementMap:
    """Put values by gold, other and metric into tables; an analysis agrees with itself."""
    if len(names) > _MOST_ANALYSES:
        raise UsageError(f"{len(names):,} analyses are too many for a figure; choose some")
    place = {name: number for number, name in enumerate(names)}
    tables: dict[str, NDArray[np.float64]] = {}
    for (one, other, metric), value in values.items():
        table = tables.setdefault(metric, np.full((len(names), len(names)), math.nan))
        table[place[one], place[other]] = math.nan if value is None else value
        np.fill_diagonal(table, 1.0)
    return AgreementMap(tuple(names), tables)

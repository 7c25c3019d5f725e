"""The kinds of plots, each from a saved result.

Some kinds need only what a result holds; others look into the treebanks that it was made of, which
are read again as for a report.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.engine import Jobs
from commonground.errors import InputError, UsageError, setting
from commonground.evaluation.result import Result
from commonground.evaluation.saved import read_result
from commonground.evaluation.search_result import SearchResult
from commonground.report.material.claims import asked_again, to_test
from commonground.report.plots import findings
from commonground.report.plots.agreement import agreement_map
from commonground.report.plots.canvas import Size
from commonground.report.plots.confusion import confusion_matrix
from commonground.report.plots.curves import curves_of_items, length_curves
from commonground.report.plots.differences import difference_histograms, spreads
from commonground.report.plots.matches import match_counts
from commonground.report.plots.measure import Measure
from commonground.report.plots.pair_rows import pair_rows
from commonground.report.plots.pairs import forest
from commonground.report.plots.phenomena import phenomena_columns
from commonground.report.plots.power import power_line
from commonground.report.plots.registry import find_plot, plots
from commonground.report.plots.runs import run_points
from commonground.report.plots.score_lines import score_lines
from commonground.report.plots.source import Source
from commonground.report.plots.waterfall import waterfall
from commonground.statistics.common_sentences import on_common_sentences
from commonground.statistics.testing import document_groups, significance_tests

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["plot"]

_MOST_PANELS = 10


def plot(
    result: str | os.PathLike[str] | Result,
    kind: str = "",
    *,
    metric: str = "",
    systems: Sequence[str] = (),
    title: str = "",
    size: Size | None = None,
    jobs: Jobs = 1,
) -> Figure:
    """Return a figure of a result, or of a saved one; ``registry.py`` has the kinds.

    Without a `kind` it is the one that says most about such a result. It is about a `metric` (LAS
    or the like without it) and about some `systems` (all without them). ``as_svg``, ``as_pdf`` and
    ``as_png`` of :mod:`commonground.report.plots.export` write it.
    """
    shown = result if isinstance(result, Result) else read_result(result)
    draw = find_plot(kind or usual_plot(shown))
    return draw(Source(shown, metric, tuple(systems), jobs), size=size, title=title)


_USUAL = {
    "comparison": "differences",
    "agreement": "agreement",
    "conventions": "waterfall",
    "conventions_by_system": "waterfall",
    "claims": "pairs",
    "runs": "runs",
    "phenomena": "phenomena",
    "search": "matches",
}


def usual_plot(result: Result) -> str:
    """Return the kind of plot that says most about a result: how systems differ, if there are some.

    >>> import commonground as cg
    >>> usual_plot(cg.evaluate("example:ud", "example:ud-parse"))
    'length'
    """
    if result.kind == "evaluation":
        return "differences" if len(result.scored()) > 1 else "length"
    if result.kind not in _USUAL:
        known = ", ".join(plots())
        raise UsageError(f"there is no usual plot of {result.kind}; name a kind of {known}")
    return _USUAL[result.kind]


# ── scores by a number ───────────────────────────────────────────────────────────────────────────


def draw_length(source: Source, **look: Any) -> Figure:
    """Draw scores by the length of sentences."""
    return score_lines(length_curves(source.material, source.main), **look)


def draw_distance(source: Source, **look: Any) -> Figure:
    """Draw scores by the distance to the head."""
    return score_lines(curves_of_items(source.again, source.main, "distance"), **look)


def draw_depth(source: Source, **look: Any) -> Figure:
    """Draw scores by the depth in the tree."""
    return score_lines(curves_of_items(source.again, source.main, "depth"), **look)


# ── tables ───────────────────────────────────────────────────────────────────────────────────────


def draw_confusion(source: Source, **look: Any) -> Figure:
    """Draw what one system confuses with what."""
    _only_one("a confusion matrix", [system.name for system in source.systems])
    (system,) = source.again
    return confusion_matrix(system.confusion(), system.name, **look)


def _only_one(plot_of_one: str, names: Collection[str]) -> None:
    """Refuse several systems."""
    if len(names) > 1:
        raise UsageError(
            f"{plot_of_one} is of one system; {setting('systems')} chooses one of "
            f"{', '.join(names)}"
        )


def draw_agreement(source: Source, **look: Any) -> Figure:
    """Draw how far analyses agree."""
    matrix = findings.agreement(source.result)
    if matrix is None:
        raise InputError(
            source.path, 0, "this is not a result of agreement, nor of compare with an overlap"
        )
    tables = dict([source.about(matrix.tables, "agreement")]) if source.metric else matrix.tables
    places = list(source.chosen({name: n for n, name in enumerate(matrix.names)}).values())
    titled = {
        Measure.named(name).title: table[np.ix_(places, places)] for name, table in tables.items()
    }
    return agreement_map([matrix.names[place] for place in places], titled, **look)


# ── differences ──────────────────────────────────────────────────────────────────────────────────


def draw_differences(source: Source, **look: Any) -> Figure:
    """Draw how differences come out on resampled sentences."""
    plan = asked_again(source.result.request, len(source.systems))
    systems, _ = on_common_sentences(source.systems, skip=True)
    pairs = len(systems) * (len(systems) - 1) // 2
    if pairs > _MOST_PANELS:
        raise UsageError(f"{pairs} pairs are too many for a figure; choose some systems")
    scores = {system.name: system[source.main] for system in systems}
    drawn = spreads(scores, plan, document_groups(systems[0].sentences, plan))
    measure = Measure.of(systems[0][source.main].metric)
    return difference_histograms(drawn, measure, plan.confidence, **look)


def draw_pairs(source: Source, **look: Any) -> Figure:
    """Draw the tests that the result has; where it has none, they are made of its counts."""
    tests = findings.pairs(source.result)
    if tests:
        metric, differences = source.about(tests, "tests")
        names = {name: name for row in differences.rows for name in (row.one, row.other)}
        wanted = source.chosen(names)
        rows = tuple(row for row in differences.rows if row.one in wanted and row.other in wanted)
        differences = replace(differences, rows=rows)
    else:
        metric = source.main
        systems, plan = to_test(source.result.request, source.systems, source.result.files)
        claims = significance_tests(systems, plan, metrics=[metric], skip=True, jobs=source.jobs)
        differences = pair_rows(claims, metric)
    return forest(
        differences.rows,
        Measure.named(metric),
        confidence=differences.confidence,
        correction=differences.correction,
        **look,
    )


def draw_runs(source: Source, **look: Any) -> Figure:
    """Draw the scores of training runs."""
    metric, plotted = source.about(findings.runs(source.result), "runs")
    return run_points(source.chosen(plotted.runs), plotted.intervals, Measure.named(metric), **look)


def draw_power(source: Source, **look: Any) -> Figure:
    """Draw the power that the result tells; where it tells none, it is simulated."""
    known = findings.power(source.result)
    if known:
        metric, power = source.about(known, "power")
    else:
        metric = source.main
        again = asked_again(source.result.request, len(source.systems))
        plan = replace(again, tests=(), intervals=False, power=True)
        claims = significance_tests(
            source.systems, plan, metrics=[metric], skip=True, jobs=source.jobs
        )
        _, power = source.about(claims.detectable, "power")
    return power_line(power, Measure.named(metric), **look)


# ── phenomena ────────────────────────────────────────────────────────────────────────────────────


def draw_phenomena(source: Source, **look: Any) -> Figure:
    """Draw the recall of each phenomenon."""
    scores = findings.phenomena(source.result)
    if scores is None:
        raise InputError(source.path, 0, "this is not a result of phenomena score")
    return phenomena_columns(scores, systems=source.names, **look)


def draw_matches(source: Source, **look: Any) -> Figure:
    """Draw the matches of a search by what they were counted by."""
    if not isinstance(source.result, SearchResult):
        raise InputError(source.path, 0, "this is not a result of search")
    return match_counts(source.result, **look)


def draw_waterfall(source: Source, **look: Any) -> Figure:
    """Draw conventions and errors of one parse."""
    known = findings.conventions(source.result)
    if not known:
        raise InputError(
            source.path, 0, f"this is not a result of evaluate {setting('conventions')}"
        )
    wanted = source.chosen(known) if len(known) > 1 else known
    _only_one("a waterfall", wanted)
    (conventions,) = wanted.values()
    return waterfall(conventions, **look)

"""The kinds of plots, each from a saved result.

Some kinds need only what a result holds; others look into the treebanks that it was made of, which
are read again as for a report.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.engine import Jobs
from commonground.errors import InputError, UsageError, setting
from commonground.evaluation.conventions import Conventions
from commonground.evaluation.result import Result, System
from commonground.evaluation.saved import Saved, read_json
from commonground.evaluation.scores import Evaluation
from commonground.formats.storage.files import shown
from commonground.phenomena.result import Phenomena
from commonground.report.page.summary import asked_again, to_test
from commonground.report.plots.agreement import agreement_map
from commonground.report.plots.canvas import Size
from commonground.report.plots.confusion import confusion_matrix
from commonground.report.plots.curves import curves_of_items, length_curves
from commonground.report.plots.differences import difference_histograms, spreads
from commonground.report.plots.findings import pair_rows
from commonground.report.plots.measure import Measure
from commonground.report.plots.pairs import forest
from commonground.report.plots.phenomena import phenomena_columns
from commonground.report.plots.power import power_line
from commonground.report.plots.registry import find_plot
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
    kind: str,
    *,
    metric: str = "",
    systems: Sequence[str] = (),
    title: str = "",
    size: Size | None = None,
    jobs: Jobs = 1,
) -> Figure:
    """Return a figure of a result, or of a saved one; ``registry.py`` has the kinds.

    It is about a `metric` (LAS or the like without it) and about some `systems` (all without them).
    ``as_svg``, ``as_pdf`` and ``as_png`` of :mod:`commonground.report.plots.export` write it.
    """
    draw = find_plot(kind)
    scored: tuple[System, ...] = ()
    if isinstance(result, Result):
        path = result.path if isinstance(result, Saved) else "<memory>"
        data = result.to_json()
        if isinstance(result, Evaluation) and all(each.comparison for each in result.systems):
            scored = result.systems
    else:
        path, data = shown(result), read_json(result)
    source = Source(path, data, metric, tuple(systems), jobs, scored)
    return draw(source, size=size, title=title)


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
    names = [system.name for system in source.saved.systems]
    if len(names) > 1:
        raise UsageError(
            f"a confusion matrix is of one system; {setting('systems')} chooses one of "
            f"{', '.join(names)}"
        )
    (system,) = source.again
    return confusion_matrix(system.confusion(), system.name, **look)


def draw_agreement(source: Source, **look: Any) -> Figure:
    """Draw how far analyses agree."""
    found = source.findings.agreement()
    if found is None:
        raise InputError(
            source.path, 0, "this is not a result of agreement, nor of compare with an overlap"
        )
    tables = dict([source.about(found.tables, "agreement")]) if source.metric else found.tables
    places = list(source.chosen({name: n for n, name in enumerate(found.names)}).values())
    titled = {
        Measure.named(name).title: table[np.ix_(places, places)] for name, table in tables.items()
    }
    return agreement_map([found.names[place] for place in places], titled, **look)


# ── differences ──────────────────────────────────────────────────────────────────────────────────


def draw_differences(source: Source, **look: Any) -> Figure:
    """Draw how differences come out on resampled sentences."""
    asked = asked_again(source.saved)
    systems, _ = on_common_sentences(source.saved.systems, skip=True)
    pairs = len(systems) * (len(systems) - 1) // 2
    if pairs > _MOST_PANELS:
        raise UsageError(f"{pairs} pairs are too many for a figure; choose some systems")
    scores = {system.name: system[source.main] for system in systems}
    found = spreads(scores, asked, document_groups(systems[0].sentences, asked))
    measure = Measure.of(systems[0][source.main].metric)
    return difference_histograms(found, measure, asked.confidence, **look)


def draw_pairs(source: Source, **look: Any) -> Figure:
    """Draw the tests that the result has; where it has none, they are made of its counts."""
    tests = source.findings.tests()
    if tests:
        metric, found = source.about(tests, "tests")
        names = {name: name for row in found.rows for name in (row.one, row.other)}
        wanted = source.chosen(names)
        rows = tuple(row for row in found.rows if row.one in wanted and row.other in wanted)
        found = replace(found, rows=rows)
    else:
        metric = source.main
        systems, asked = to_test(source.saved, source.saved.systems, source.saved.files)
        claims = significance_tests(systems, asked, metrics=[metric], skip=True, jobs=source.jobs)
        found = pair_rows(claims, metric)
    return forest(
        found.rows,
        Measure.named(metric),
        confidence=found.confidence,
        correction=found.correction,
        **look,
    )


def draw_runs(source: Source, **look: Any) -> Figure:
    """Draw the scores of training runs."""
    metric, found = source.about(source.findings.runs(), "runs")
    return run_points(source.chosen(found.runs), found.intervals, Measure.named(metric), **look)


def draw_power(source: Source, **look: Any) -> Figure:
    """Draw the power that the result tells; where it tells none, it is simulated."""
    known = source.findings.detectable()
    if known:
        metric, found = source.about(known, "power")
    else:
        metric = source.main
        asked = replace(asked_again(source.saved), tests=(), intervals=False, power=True)
        claims = significance_tests(
            source.saved.systems, asked, metrics=[metric], skip=True, jobs=source.jobs
        )
        _, found = source.about(claims.detectable, "power")
    return power_line(found, Measure.named(metric), **look)


# ── phenomena ────────────────────────────────────────────────────────────────────────────────────


def draw_phenomena(source: Source, **look: Any) -> Figure:
    """Draw the recall of each phenomenon."""
    if source.data.get("kind") != "phenomena":
        raise InputError(source.path, 0, "this is not a result of phenomena score")
    found = Phenomena.from_json(source.data, source.path)
    return phenomena_columns(found, systems=source.systems, **look)


def draw_waterfall(source: Source, **look: Any) -> Figure:
    """Draw conventions and errors."""
    if source.data.get("kind") != "conventions":
        raise InputError(
            source.path, 0, f"this is not a result of evaluate {setting('conventions')}"
        )
    return waterfall(Conventions.from_json(source.data, source.path), **look)

"""Plots in a report: charts of its own, and, where matplotlib is installed, any other ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from commonground.errors import MissingExtraError, UsageError
from commonground.evaluation.result import System
from commonground.report.material.material import Material
from commonground.report.page.pair_chart import pair_chart
from commonground.report.page.score_chart import score_chart
from commonground.report.page.sections import Figure
from commonground.report.plots.curves import curves_of_items, length_curves
from commonground.report.plots.measure import Measure
from commonground.report.plots.pair_rows import pair_rows
from commonground.report.plots.pairs import Difference

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Plot

    from commonground.statistics.claims import Claims

__all__ = ["difference_figure", "item_figures", "length_figure", "made", "pair_figure"]


def difference_figure(claims: Claims | None, metric: str) -> Iterator[Figure]:
    """Return the plot of the differences between all pairs of systems."""
    if claims is None or metric not in claims.metrics:
        return
    differences = pair_rows(claims, metric)
    measure = Measure.of(claims.metrics[metric])
    yield from pair_figure(
        f"{measure.title}: differences between systems",
        differences.rows,
        measure,
        confidence=differences.confidence,
        correction=differences.correction,
    )


def pair_figure(
    title: str,
    rows: Sequence[Difference],
    measure: Measure,
    *,
    confidence: float | None = None,
    correction: str = "",
) -> Iterator[Figure]:
    """Return the chart of some differences, if there are any."""
    with suppress(UsageError):
        svg = pair_chart(rows, measure, confidence=confidence, correction=correction)
        yield Figure(title, svg)


def length_figure(material: Material, metric: str) -> Iterator[Figure]:
    """Return the plot of the scores by the length of sentences."""
    title = material.systems[0][metric].metric.title
    with suppress(UsageError):
        svg = score_chart(length_curves(material, metric))
        yield Figure(f"{title} by length of the sentence", svg)


def item_figures(systems: Sequence[System], metric: str) -> Iterator[Figure]:
    """Return the plots of the scores by distance and depth of what is scored."""
    title = systems[0][metric].metric.title
    for by, what in (("distance", "distance to the head"), ("depth", "depth in the tree")):
        with suppress(UsageError):
            svg = score_chart(curves_of_items(systems, metric, by))
            yield Figure(f"{title} by {what}", svg)


def made(title: str, plot: Callable[[], Plot]) -> Iterator[Figure]:
    """Return a plot as a figure; none where there is nothing to plot, or nothing to plot with."""
    from commonground.report.plots.export import as_svg  # noqa: PLC0415  # slow to import

    try:
        svg = as_svg(plot())
    except (UsageError, MissingExtraError):
        return
    yield Figure(title, svg)

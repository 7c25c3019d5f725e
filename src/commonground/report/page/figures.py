"""Plots in a report, where matplotlib is installed; without it there are none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from commonground.errors import MissingExtraError, UsageError
from commonground.evaluation.result import System
from commonground.report.material.material import Material
from commonground.report.page.sections import Figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Plot

    from commonground.statistics.claims import Claims

__all__ = ["difference_figure", "item_figures", "length_figure", "made"]


def difference_figure(claims: Claims | None, metric: str) -> Iterator[Figure]:
    """Return the plot of the differences between all pairs of systems."""
    from commonground.report.plots.findings import pair_rows  # noqa: PLC0415  # slow to import
    from commonground.report.plots.measure import Measure  # noqa: PLC0415
    from commonground.report.plots.pairs import forest  # noqa: PLC0415

    if claims is None or metric not in claims.metrics:
        return
    differences = pair_rows(claims, metric)
    measure = Measure.of(claims.metrics[metric])
    yield from made(
        f"{measure.title}: differences between systems",
        lambda: forest(
            differences.rows,
            measure,
            confidence=differences.confidence,
            correction=differences.correction,
        ),
    )


def length_figure(material: Material, metric: str) -> Iterator[Figure]:
    """Return the plot of the scores by the length of sentences."""
    from commonground.report.plots.curves import length_curves  # noqa: PLC0415  # slow to import
    from commonground.report.plots.score_lines import score_lines  # noqa: PLC0415

    title = material.systems[0][metric].metric.title
    yield from made(
        f"{title} by length of the sentence",
        lambda: score_lines(length_curves(material, metric)),
    )


def item_figures(systems: Sequence[System], metric: str) -> Iterator[Figure]:
    """Return the plots of the scores by distance and depth of what is scored."""
    from commonground.report.plots.curves import curves_of_items  # noqa: PLC0415  # slow to import
    from commonground.report.plots.score_lines import score_lines  # noqa: PLC0415

    title = systems[0][metric].metric.title
    yield from made(
        f"{title} by distance to the head",
        lambda: score_lines(curves_of_items(systems, metric, "distance")),
    )
    yield from made(
        f"{title} by depth in the tree",
        lambda: score_lines(curves_of_items(systems, metric, "depth")),
    )


def made(title: str, plot: Callable[[], Plot]) -> Iterator[Figure]:
    """Return a plot as a figure; none where there is nothing to plot, or nothing to plot with."""
    from commonground.report.plots.export import as_svg  # noqa: PLC0415  # slow to import

    try:
        svg = as_svg(plot())
    except (UsageError, MissingExtraError):
        return
    yield Figure(title, svg)

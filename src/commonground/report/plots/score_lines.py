"""Curves of scores as a figure: a line for each system, and below how much is in each bin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from commonground.report.plots.bins import Bins
from commonground.report.plots.canvas import WIDTH, Size, new_figure
from commonground.report.plots.curves import Curves
from commonground.report.plots.legend import legend_height, put_legend
from commonground.report.plots.marks import Mark, marks
from commonground.report.plots.measure import Measure
from commonground.statistics.claim import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["connected", "offset", "score_lines"]

_SPREAD = 0.5
"""Distance of the marks of the first and last system, as a share of that of two bins."""


def score_lines(curves: Curves, *, size: Size | None = None, title: str = "") -> Figure:
    """Return a figure of scores by bins, with their intervals."""
    looks = marks(list(curves.scores))
    names = [look.name for look in looks]
    about = f"{curves.about[:1].lower()}{curves.about[1:]}"
    description = f"{curves.measure.title} by {about}, of {', '.join(names)}"
    wanted = (WIDTH, 3.6 + legend_height(names, WIDTH))
    with new_figure(size or wanted, description, title) as figure:
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=[5, 1])
        handles = [
            _draw(above, look, list(points), offset(place, len(looks)), curves)
            for place, (look, points) in enumerate(zip(looks, curves.scores.values(), strict=True))
        ]
        above.grid(visible=True, axis="y")
        above.set_ylabel(curves.measure.axis)
        _keep_to_range(above, curves.measure)
        _draw_counts(below, curves)
        put_legend(figure, handles, names)
        return figure


def offset(place: int, count: int) -> float:
    """Return how far from the middle of a bin a system's marks stand.

    >>> [round(offset(place, 3), 2) for place in range(3)]
    [-0.14, 0.0, 0.14]
    """
    step = min(0.14, _SPREAD / max(1, count - 1))
    return (place - (count - 1) / 2) * step


def connected(points: Sequence[Interval | None], bins: Bins) -> list[list[tuple[int, Interval]]]:
    """Return the scores that a line connects, with their bins.

    What has no number stands by itself, before the line.
    """
    known = [(place, point) for place, point in enumerate(points) if point is not None]
    parts = [known]
    if bins.others and known and known[0][0] == 0:
        parts = [known[:1], known[1:]]
    return [part for part in parts if part]


def _draw(
    axes: Axes,
    look: Mark,
    points: Sequence[Interval | None],
    offset: float,
    curves: Curves,
) -> object:
    """Draw the line of a system."""
    handle: object = None
    for part in connected(points, curves.bins):
        at = np.array([place for place, _ in part]) + offset
        values = curves.measure.scale * np.array([[p.value, p.low, p.high] for _, p in part]).T
        bars = np.maximum(np.array([values[0] - values[1], values[2] - values[0]]), 0)
        handle = axes.errorbar(
            at,
            values[0],
            yerr=bars,
            color=look.colour,
            marker=look.marker,
            linestyle=look.line,
            elinewidth=0.9,
            capsize=2,
            capthick=0.9,
            markeredgecolor="white",
            markeredgewidth=0.4,
        )
    return handle


def _keep_to_range(axes: Axes, measure: Measure) -> None:
    """Leave room around the marks, but not where no score can be."""
    low, high = axes.get_ylim()
    room = 0.04 * max(high - low, 1e-9)
    if measure.share:
        low, high = max(low - room, -1.0), min(high + room, 101.0)
    axes.set_ylim(low, high)


def _draw_counts(axes: Axes, curves: Curves) -> None:
    counts = curves.bins.counts
    bars = axes.bar(range(len(counts)), counts, width=0.62, color="#bdbdbd", linewidth=0)
    axes.bar_label(bars, [f"{count:,}" for count in counts], fontsize=7, padding=1.5)
    axes.set_xticks(range(len(counts)), curves.bins.names)
    axes.set_xlim(-0.6, len(counts) - 0.4)
    axes.set_ylim(0, 1.45 * max(counts))
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(curves.about)
    axes.set_ylabel(curves.unit, rotation=0, ha="right", va="center", fontsize=8)

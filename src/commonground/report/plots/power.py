"""How often a test would find a difference, by its size: the power of a test set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonground.errors import UsageError
from commonground.report.plots.canvas import WIDTH, Size, new_figure
from commonground.report.plots.measure import Measure
from commonground.statistics.power import Detectable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["power_line"]

_Z = 1.96
"""Length of error bars to both sides, in standard errors, for 95 %."""


def power_line(
    power: Detectable, measure: Measure, *, size: Size | None = None, title: str = ""
) -> Figure:
    """Return a figure of the power at some differences, and where it is what was wanted."""
    scale, what = measure.scale, measure.difference
    description = (
        f"Power of the {power.test} test on {power.units:,} {power.unit}s by the size of the "
        f"{what[:1].lower()}{what[1:]}"
    )
    if not any(point.difference for point in power.curve):
        raise UsageError("there is nothing to plot: no system could be better than the best one")
    points = sorted(power.curve, key=lambda point: point.difference)
    with new_figure(size or (0.72 * WIDTH, 3.0), description, title) as figure:
        axes = figure.subplots()
        values = [100 * point.power for point in points]
        errors = [100 * _Z * point.error for point in points]
        axes.errorbar(
            [scale * point.difference for point in points],
            values,
            yerr=[
                [min(error, value) for error, value in zip(errors, values, strict=True)],
                [min(error, 100 - value) for error, value in zip(errors, values, strict=True)],
            ],
            color="#0072B2",
            marker="o",
            capsize=2.5,
            elinewidth=0.9,
        )
        if power.difference is not None:
            _mark(axes, scale * power.difference, 100 * power.power)
        _mark_false_alarms(axes, 100 * power.alpha)
        axes.set_ylim(0, 103)
        axes.set_xlim(left=-0.02 * axes.get_xlim()[1])
        axes.grid(visible=True, axis="y")
        axes.set_xlabel(what)
        axes.set_ylabel("Differences found (%)")
        return figure


def _mark_false_alarms(axes: Axes, share: float) -> None:
    """Show how often a test finds a difference where there is none."""
    axes.axhline(share, color="#404040", linewidth=0.9, linestyle=(0, (1, 1.5)))
    axes.annotate(
        f"false alarms, {share:g} %",
        (1, share),
        xycoords=("axes fraction", "data"),
        xytext=(0, 2),
        textcoords="offset points",
        ha="right",
        va="bottom",
        fontsize=7.5,
    )


def _mark(axes: Axes, difference: float, power: float) -> None:
    """Show which difference is found as often as was wanted."""
    look = {"color": "black", "linewidth": 0.9, "linestyle": (0, (4, 2)), "zorder": 1}
    axes.plot([0, difference, difference], [power, power, 0], **look)
    axes.annotate(
        f"{difference:.2f} is found {power:g} % of the time",
        (0, power),
        xytext=(2, 3),
        textcoords="offset points",
        fontsize=8,
    )

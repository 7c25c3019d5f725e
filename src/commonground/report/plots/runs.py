"""Training runs as a figure: the score of each run, their mean and its interval."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError
from commonground.report.plots.canvas import WIDTH, Size, new_figure
from commonground.report.plots.marks import Mark, marks
from commonground.report.plots.measure import Measure
from commonground.statistics.claim import Interval
from commonground.statistics.runs import Runs

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["run_points"]


def run_points(
    runs: Mapping[str, Runs],
    intervals: Mapping[str, Interval],
    measure: Measure,
    *,
    size: Size | None = None,
    title: str = "",
) -> Figure:
    """Return a figure with a row for each system: its runs, and the interval of their mean.

    Runs of which only mean and deviation are known have no points.
    """
    if not runs:
        raise UsageError("there is nothing to plot: there are no runs")
    looks = marks(list(runs))
    description = f"{measure.title} of the runs of {', '.join(look.name for look in looks)}"
    with new_figure(size or (WIDTH, 1.15 + 0.42 * len(runs)), description, title) as figure:
        axes = figure.subplots()
        handles: dict[str, Any] = {}
        level = f"{100 * next(iter(intervals.values())).confidence:g} %"
        for place, (look, (name, each)) in enumerate(zip(looks, runs.items(), strict=True)):
            points, mean = _draw(axes, look, each, intervals[name], place, measure.scale)
            if each.scores:
                handles.setdefault("a run", points)
            handles[f"mean, {level} interval"] = mean
        counts = [f"{each.count:,} runs" for each in runs.values()]
        labels = [f"{look.name}\n{count}" for look, count in zip(looks, counts, strict=True)]
        axes.set_yticks(range(len(runs)), labels)
        axes.set_ylim(len(runs) - 0.5, -0.75)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.grid(visible=True, axis="x")
        axes.set_xlabel(measure.axis)
        figure.legend(list(handles.values()), list(handles), loc="outside upper center", ncols=2)
        return figure


def _draw(
    axes: Axes, look: Mark, runs: Runs, around: Interval, place: int, scale: float
) -> tuple[Any, Any]:
    """Draw the row of a system, and return the marks of its runs and of their mean."""
    scores = scale * np.sort(np.array(runs.scores))
    (points,) = axes.plot(
        scores,
        place - 0.14 - _levels(scores),
        linestyle="",
        marker=look.marker,
        color=look.colour,
        markeredgecolor="white",
        markeredgewidth=0.4,
    )
    mean = scale * runs.mean
    bar = axes.errorbar(
        [mean],
        [place + 0.12],
        xerr=[[max(mean - scale * around.low, 0)], [max(scale * around.high - mean, 0)]],
        fmt="|",
        color="black",
        markersize=8,
        capsize=2.5,
        elinewidth=1.2,
    )
    return points, bar


def _levels(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how high each of some sorted points stands, so that close ones can be told apart.

    >>> _levels(np.array([1.0, 2.0, 2.01, 9.0])).tolist()
    [0.0, 0.0, 0.1, 0.0]
    """
    if not len(scores):
        return np.zeros(0)
    close = (scores[-1] - scores[0]) / 60
    levels = np.zeros(len(scores))
    for place in range(1, len(scores)):
        near = levels[:place][scores[place] - scores[:place] < close] if close else levels[:place]
        levels[place] = next(
            (level / 10 for level in range(4) if not np.isin(level / 10, near)), 0.0
        )
    return levels

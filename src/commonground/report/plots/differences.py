"""Two systems, pair by pair: how their difference comes out in resamples, and by chance.

A panel has two distributions. The filled one are differences on resampled sentences (see
:mod:`commonground.statistics.bootstrap`), around the difference seen: where it would be on other
sentences like these. The outlined one are differences after shuffling (see
:mod:`commonground.statistics.shuffling`), around 0: where it would be if the systems were equal.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from commonground.errors import UsageError
from commonground.evaluation.metric_score import Score
from commonground.report.plots.canvas import WIDTH, Size, new_figure
from commonground.report.plots.marks import short_names
from commonground.report.plots.measure import Measure
from commonground.report.plots.numbers import p_text, signed
from commonground.statistics.bootstrap import paired_sample
from commonground.statistics.claim import Claim
from commonground.statistics.pairing import Pairing
from commonground.statistics.shuffling import shuffled_differences, shuffling
from commonground.statistics.test_plan import TestPlan

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["PlottedSpread", "difference_histograms", "spreads"]

Values = NDArray[np.float64]

_BARS, _MOST_BARS = 26, 300
_LONGEST = 20
"""Two names of so many letters leave room for the numbers beside them."""
_FILL, _EDGE, _CHANCE = "#a6cbe3", "#0072B2", "#404040"


@dataclass(frozen=True)
class PlottedSpread:
    """Two systems: the difference of the first to the second, on resamples and after shuffling."""

    one: str
    other: str
    claim: Claim
    low: float
    high: float
    resampled: Values
    shuffled: Values


def spreads(
    scores: Mapping[str, Score], plan: TestPlan, groups: ArrayLike | None = None
) -> list[PlottedSpread]:
    """Return how the differences of all pairs of systems spread, the better system first.

    `plan` says how often they are drawn, and at which level the intervals are.
    """
    metric = next(iter(scores.values())).metric
    order = sorted(scores, key=lambda name: float(scores[name]), reverse=metric.higher_is_better)
    return [
        _spread(one, other, Pairing.of(scores[one], scores[other], groups), plan)
        for one, other in combinations(order, 2)
    ]


def _spread(one: str, other: str, pairing: Pairing, plan: TestPlan) -> PlottedSpread:
    sample = paired_sample(pairing)
    resampled = sample.resampled(plan.iterations, plan.seed)
    low, high = sample.interval(resampled, plan.confidence, plan.method)
    claim = shuffling(pairing, iterations=plan.iterations, seed=plan.seed)
    shuffled, _ = shuffled_differences(pairing, iterations=plan.iterations, seed=plan.seed)
    return PlottedSpread(one, other, claim, low, high, resampled, shuffled)


def difference_histograms(
    spreads_of_pairs: Sequence[PlottedSpread],
    measure: Measure,
    confidence: float,
    *,
    size: Size | None = None,
    title: str = "",
) -> Figure:
    """Return a figure with a panel for each pair of systems."""
    if not spreads_of_pairs:
        raise UsageError("there is nothing to plot: a difference is one between two systems")
    scale = measure.scale
    edges = _edges(spreads_of_pairs, scale)
    pairs = list(_pair_names(spreads_of_pairs))
    description = (
        f"{measure.difference} of {', '.join(pairs)}: resampled, and if the systems were equal"
    )
    wanted = (WIDTH, 1.2 + 1.15 * len(spreads_of_pairs))
    with new_figure(size or wanted, description, title) as figure:
        panels = figure.subplots(len(spreads_of_pairs), 1, sharex=True, squeeze=False)[:, 0]
        handles: list[Any] = []
        for axes, spread, names in zip(panels, spreads_of_pairs, pairs, strict=True):
            handles = _draw(axes, spread, edges, scale)
            axes.set_title(names)
            axes.set_title(_said(spread, scale), loc="right", fontsize=8)
        panels[-1].set_xlabel(measure.difference)
        figure.legend(
            handles,
            ["resampled", "if they were equal", f"difference, {100 * confidence:g} % interval"],
            loc="outside upper center",
            ncols=3,
        )
        return figure


def _pair_names(pairs: Sequence[PlottedSpread]) -> Sequence[str]:
    names = list(dict.fromkeys(name for spread in pairs for name in (spread.one, spread.other)))
    short = dict(zip(names, short_names(names, _LONGEST), strict=True))
    return [f"{short[spread.one]} − {short[spread.other]}" for spread in pairs]


def _edges(pairs: Sequence[PlottedSpread], scale: float) -> Values:
    """Return where the bars of all panels begin and end: the narrowest distribution has enough."""
    parts = [scale * part for spread in pairs for part in (spread.resampled, spread.shuffled)]
    low = min(0.0, *(float(part.min()) for part in parts))
    high = max(0.0, *(float(part.max()) for part in parts))
    spans = [float(part.max() - part.min()) for part in parts]
    narrowest = min((span for span in spans if span), default=0.02 * scale)
    width = max(narrowest / _BARS, (high - low) / _MOST_BARS)
    step = max(_step(part, width) for part in parts)
    width = step * math.ceil(width / step) if step else width
    first, last = math.floor(low / width) - 1, math.ceil(high / width) + 1
    # Values of shuffling are multiples of the step, or lie halfway between; no edge does.
    return np.arange(first, last + 1, dtype=np.float64) * width + step / 4


def _step(values: Values, width: float) -> float:
    """Return how far apart values are that lie on a grid; next to nothing where they do not.

    Differences on few sentences have few values. Bars that hold now one and now two of them would
    look like a comb.

    >>> round(_step(np.array([0.0, 1.0, 2.0, 2.0, 3.0] * 10), 0.7), 3)
    1.0
    """
    low, high = np.quantile(values, [0.01, 0.99])
    inside = np.sort(values[(values >= low) & (values <= high)])
    gaps = np.diff(inside)
    wide = gaps[gaps > width / 16]
    return float(np.median(wide)) if len(wide) else 0.0


def _draw(axes: Axes, spread: PlottedSpread, edges: Values, scale: float) -> list[Any]:
    """Draw a panel, and return what its legend is about."""
    filled, _ = np.histogram(scale * spread.resampled, edges)
    outline, _ = np.histogram(scale * spread.shuffled, edges)
    # Both are shares of their own number of draws: an exact shuffling test may have few.
    bars = axes.stairs(
        filled / len(spread.resampled),
        edges,
        fill=True,
        facecolor=_FILL,
        edgecolor=_EDGE,
        hatch="////",
        linewidth=0.6,
    )
    line = axes.stairs(outline / len(spread.shuffled), edges, color=_CHANCE, linewidth=1.1)
    top = max(filled.max() / len(spread.resampled), outline.max() / len(spread.shuffled))
    seen = scale * spread.claim.difference
    around = [[max(seen - scale * spread.low, 0)], [max(scale * spread.high - seen, 0)]]
    point = axes.errorbar(
        [seen], [1.14 * top], xerr=around, fmt="o", color="black", capsize=3, elinewidth=1.2
    )
    axes.axvline(0, color="black", linewidth=0.8, linestyle=(0, (4, 2)))
    axes.set_ylim(0, 1.28 * top)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    return [bars, line, point]


def _said(spread: PlottedSpread, scale: float) -> str:
    """Return the numbers of a panel in words."""
    low, high = signed(scale * spread.low), signed(scale * spread.high)
    return f"{signed(scale * spread.claim.difference)} [{low}, {high}], {p_text(spread.claim.p)}"

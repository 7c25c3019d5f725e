"""Scores by bins as a chart: a line for each system, and below how much is in each bin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.report.page.chart import (
    AXIS,
    GRID,
    TITLE,
    WIDTH,
    Scale,
    chart,
    legend,
    line,
    mark,
    text,
    text_width,
)
from commonground.report.plots.curves import Curves
from commonground.report.plots.marks import Mark, marks
from commonground.report.plots.score_lines import connected, offset
from commonground.statistics.claim import Interval

__all__ = ["score_chart"]

_HEIGHT, _GAP, _COUNTS = 216, 12, 44
"""The heights of the scores and of the counts, and between them."""

_NUMBERS = 9.5
"""The size of the letters above the bars."""


def score_chart(curves: Curves) -> str:
    """Return a chart of scores by bins, as :func:`~commonground.report.plots.score_lines`."""
    looks = marks(list(curves.scores))
    parts, top = legend(looks)
    top += 6
    bottom = top + _HEIGHT
    bins = len(curves.bins.counts)
    y = _scores(curves, top, bottom)
    ticks = y.ticks(8)
    named = max(text_width(value, AXIS) for _, value in ticks) + 30
    left = max(named, text_width(curves.unit, AXIS) + 12)
    x = Scale(-0.6, bins - 0.4, left, WIDTH - 4)
    for at, value in ticks:
        parts.append(line([(left, at), (x.end, at)], GRID, 0.8))
        parts.append(line([(left - 4, at), (left, at)], "black", 0.9))
        parts.append(text(left - 7, at, value, AXIS, "end"))
    parts.append(line([(left, top), (left, bottom), (x.end, bottom)], "black", 0.9))
    middle = (top + bottom) / 2
    turned = f' transform="rotate(-90 {left - named + 8:.1f} {middle:.1f})"'
    axis = text(left - named + 8, middle, curves.measure.axis, TITLE, "middle", turned)
    parts.append(axis)
    points = list(curves.scores.values())
    for place, (look, several) in enumerate(zip(looks, points, strict=True)):
        parts += _system(look, several, offset(place, len(looks)), curves, x, y)
    parts += _counts(curves, x, bottom)
    about = f"{curves.about[:1].lower()}{curves.about[1:]}"
    names = ", ".join(look.name for look in looks)
    height = bottom + _GAP + _COUNTS + 42
    return chart(parts, height, f"{curves.measure.title} by {about}, of {names}")


def _scores(curves: Curves, top: float, bottom: float) -> Scale:
    """Leave room around the marks, but not where no score can be."""
    points = [point for several in curves.scores.values() for point in several if point]
    ends = [curves.measure.scale * end for p in points for end in (p.value, p.low, p.high)]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    room = 0.09 * (high - low) or 1.0
    low, high = low - room, high + room
    if curves.measure.share:
        low, high = max(low, -1.0), min(high, 101.0)
    return Scale(low, high, bottom, top)


def _system(
    look: Mark,
    points: Sequence[Interval | None],
    shift: float,
    curves: Curves,
    x: Scale,
    y: Scale,
) -> Iterator[str]:
    """Draw the line of a system, with an interval and a mark for each score."""
    scale = curves.measure.scale
    for part in connected(points, curves.bins):
        at = [(x.at(place + shift), y.at(scale * point.value)) for place, point in part]
        yield line(at, look.colour, 1.7, look.line)
        for (where, _), (_, point) in zip(at, part, strict=True):
            low, high = y.at(scale * point.low), y.at(scale * point.high)
            yield line([(where, low), (where, high)], look.colour, 1.2)
            for end in (low, high):
                yield line([(where - 2.7, end), (where + 2.7, end)], look.colour, 1.2)
        for where, value in at:
            yield mark(look.marker, where, value, look.colour, "white")


def _counts(curves: Curves, x: Scale, top: float) -> Iterator[str]:
    """Draw how much is in each bin, under the scores."""
    base = top + _GAP + _COUNTS
    y = Scale(0, 1.45 * max(curves.bins.counts), base, top + _GAP)
    half = 0.31 * (x.at(1) - x.at(0))
    for place, (name, count) in enumerate(zip(curves.bins.names, curves.bins.counts, strict=True)):
        at, high = x.at(place), y.at(count)
        size = f'width="{2 * half:.1f}" height="{base - high:.1f}"'
        yield f'<rect x="{at - half:.1f}" y="{high:.1f}" {size} fill="#bdbdbd"/>'
        yield text(at, high - 7, f"{count:,}", _NUMBERS, "middle")
        for below in (top, base):
            yield line([(at, below), (at, below + 4)], "black", 0.9)
        yield text(at, base + 13, name, AXIS, "middle")
    yield line([(x.start, base), (x.end, base)], "black", 0.9)
    yield text(x.start - 6, base - _COUNTS / 2, curves.unit, AXIS, "end")
    yield text((x.start + x.end) / 2, base + 31, curves.about, TITLE, "middle")

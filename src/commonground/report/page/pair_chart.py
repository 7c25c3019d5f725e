"""The differences of pairs of systems with their intervals, one below the other, as a chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.report.page.chart import (
    AXIS,
    GRID,
    TITLE,
    WIDTH,
    Scale,
    chart,
    line,
    mark,
    text,
    text_width,
)
from commonground.report.plots.measure import Measure
from commonground.report.plots.pairs import Difference, difference_text, heading, named_pairs

__all__ = ["pair_chart"]

_NUMBERS = 10
"""The size of the letters of numbers beside the rows."""

_LOOKS = {True: ("#0072B2", "#0072B2"), False: ("white", "#404040")}
"""The colours of marks and of their lines: of significant differences, and of others."""

_NAMES = {True: "significant", False: "not significant"}
_TOP, _BOTTOM = 44, 40


def pair_chart(
    rows: Sequence[Difference],
    measure: Measure,
    *,
    confidence: float | None = None,
    correction: str = "",
) -> str:
    """Return a chart with a row for each pair, as :func:`~commonground.report.plots.pairs.forest`.

    >>> row = Difference("one", "two", 0.02, (0.01, 0.03), 0.001, True)
    >>> pair_chart([row], Measure("LAS", share=True)).count("one − two</text>")
    1
    """
    labels, lines = named_pairs(rows)
    texts = [difference_text(row, measure.scale) for row in rows]
    told = heading(confidence, correction)
    step = 26 if lines == 1 else 38
    left = max(text_width(label, AXIS) for label in labels) + 10
    right = WIDTH - max(text_width(each, _NUMBERS) for each in (told, *texts)) - 2
    bottom = _TOP + step * (len(rows) + 0.1)
    ends = [measure.scale * end for row in rows for end in (row.value, *(row.interval or ()))]
    room = 0.05 * (max(0, *ends) - min(0, *ends)) or 1
    x = Scale(min(0, *ends) - room, max(0, *ends) + room, left, max(right - 8, left + 60))
    parts = [*_axis(x, bottom, measure), *_legend(rows)]
    parts.append(text(right, _TOP - 0.4 * step, told, _NUMBERS, more=' font-style="italic"'))
    for place, (row, label, said) in enumerate(zip(rows, labels, texts, strict=True)):
        y = _TOP + step * (place + 0.6)
        parts.append(text(left - 8, y, label, AXIS, "end"))
        parts.append(text(right, y, said, _NUMBERS))
        parts += _difference(row, x, y, measure.scale)
        if place % 5 == 4:  # a line for the eye
            parts.append(line([(x.start, y + step / 2), (x.end, y + step / 2)], GRID, 0.8))
    names = ", ".join(label.replace("\n", " ") for label in labels)
    return chart(parts, bottom + _BOTTOM, f"{measure.difference} of {names}")


def _axis(x: Scale, bottom: float, measure: Measure) -> Iterator[str]:
    for at, value in x.ticks(6):
        yield line([(at, _TOP), (at, bottom)], GRID, 0.8)
        yield line([(at, bottom), (at, bottom + 4)], "black", 0.9)
        yield text(at, bottom + 13, value, AXIS, "middle")
    yield line([(x.at(0), _TOP), (x.at(0), bottom)], "black", 1.1, (0, (4, 2)))
    yield line([(x.start, bottom), (x.end, bottom)], "black", 0.9)
    yield text((x.start + x.end) / 2, bottom + 30, measure.difference, TITLE, "middle")


def _difference(row: Difference, x: Scale, y: float, scale: float) -> Iterator[str]:
    fill, edge = _LOOKS[row.different]
    if row.interval is not None:
        low, high = (x.at(scale * end) for end in row.interval)
        yield line([(low, y), (high, y)], edge, 1.6)
        for end in (low, high):
            yield line([(end, y - 3.3), (end, y + 3.3)], edge, 1.4)
    yield mark("s", x.at(scale * row.value), y, fill, edge)


def _legend(rows: Sequence[Difference]) -> Iterator[str]:
    """Say what the marks mean."""
    kinds = [kind for kind in (True, False) if any(row.different == kind for row in rows)]
    at = WIDTH / 2 - 62 * len(kinds)
    for kind in kinds:
        fill, edge = _LOOKS[kind]
        yield line([(at, 12), (at + 12, 12)], edge, 1.6)
        yield mark("s", at + 6, 12, fill, edge)
        yield text(at + 21, 12, _NAMES[kind], AXIS)
        at += 124

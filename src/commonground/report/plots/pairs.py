"""All pairs of systems at a glance: their differences with intervals, one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from commonground.errors import UsageError
from commonground.report.plots.canvas import LIGHT, WIDTH, Size, new_figure
from commonground.report.plots.marks import short_names, shown
from commonground.report.plots.measure import Measure
from commonground.report.plots.numbers import p_text, signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["MOST", "Difference", "difference_text", "forest", "heading", "named_pairs"]

MOST = 66
"""Maximum number of pairs in a figure, those of 12 systems."""


_ONE_LINE = 36
"""Longer pairs of names stand in two lines."""

_SQUARE: dict[str, Any] = {
    "fmt": "s",
    "markeredgewidth": 1.1,
    "elinewidth": 1.2,
    "capsize": 2.5,
    "zorder": 3,
}
_LOOKS: dict[bool, dict[str, Any]] = {
    True: {**_SQUARE, "color": "#0072B2"},
    False: {**_SQUARE, "color": "#404040", "markerfacecolor": "white"},
}
"""How differences look that are significant, and those that are not."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first system's score less the second one's, with its interval and its (corrected) p.

    Without another system, `one` says what the difference is about.
    """

    one: str
    other: str
    value: float
    interval: tuple[float, float] | None
    p: float
    different: bool


def forest(
    rows: Sequence[Difference],
    measure: Measure,
    *,
    confidence: float | None = None,
    correction: str = "",
    size: Size | None = None,
    title: str = "",
) -> Figure:
    """Return a figure with a row for each pair; intervals are at the level `confidence`.

    `correction` is the one that the p-values have, if any.
    Differences that are significant have a filled mark, the others a hollow one.
    """
    labels, lines = named_pairs(rows)
    description = f"{measure.difference} of {', '.join(_labels(rows, ' '))}"
    height = 0.27 if lines == 1 else 0.4
    with new_figure(size or (WIDTH, 1.25 + height * len(rows)), description, title) as figure:
        axes = figure.subplots()
        axes.axvline(0, color="black", linewidth=0.8, linestyle=(0, (4, 2)), zorder=1)
        for place, row in enumerate(rows):
            _draw(axes, row, place, measure.scale)
        axes.set_yticks(range(len(rows)), labels)
        axes.set_ylim(len(rows) - 0.4, -0.7)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.grid(visible=True, axis="x")
        axes.set_xlabel(measure.difference)
        _tell(axes, rows, measure.scale, heading(confidence, correction))
        _put_legend(figure, axes, rows)
        return figure


def named_pairs(rows: Sequence[Difference]) -> tuple[list[str], int]:
    """Return what rows are called, and in how many lines; refuse none at all, and too many."""
    if not rows:
        raise UsageError("there is nothing to plot: a difference is one between two systems")
    if len(rows) > MOST:
        raise UsageError(f"{len(rows):,} pairs are too many for a figure; choose some systems")
    labels = _labels(rows, " ")
    if max(map(len, labels)) <= _ONE_LINE:
        return labels, 1
    return _labels(rows, "\n"), 2


def heading(confidence: float | None, correction: str) -> str:
    """Return what stands above the numbers beside the rows.

    >>> heading(0.95, "holm")
    'difference [95 % interval], p (holm)'
    """
    level = f" [{100 * confidence:g} % interval]" if confidence else ""
    corrected = f" ({correction})" if correction else ""
    return f"difference{level}, p{corrected}"


def _labels(rows: Sequence[Difference], between: str) -> list[str]:
    """Return what rows are called: a pair of systems, or whatever the first name says alone."""
    names = list(dict.fromkeys(name for row in rows if row.other for name in (row.one, row.other)))
    short = dict(zip(names, short_names(names), strict=True))
    return [
        f"{short[row.one]}{between}− {short[row.other]}" if row.other else shown(row.one)
        for row in rows
    ]


def _draw(axes: Axes, row: Difference, place: int, scale: float) -> None:
    value = scale * row.value
    around = None
    if row.interval is not None:
        low, high = (scale * end for end in row.interval)
        around = [[max(value - low, 0)], [max(high - value, 0)]]
    axes.errorbar([value], [place], xerr=around, **_LOOKS[row.different])
    if place % 5 == 4:  # a line for the eye
        axes.axhline(place + 0.5, color=LIGHT, linewidth=0.6, zorder=0)


def _tell(axes: Axes, rows: Sequence[Difference], scale: float, title: str) -> None:
    """Write the numbers beside the rows, under a heading."""
    texts = [title, *(difference_text(row, scale) for row in rows)]
    for place, text in enumerate(texts, -1):
        axes.text(
            1.02,
            place,
            text,
            transform=axes.get_yaxis_transform(),
            va="center",
            fontsize=7.5,
            style="italic" if place < 0 else "normal",
        )


def _put_legend(figure: Figure, axes: Axes, rows: Sequence[Difference]) -> None:
    """Say what the marks mean."""
    kinds = [kind for kind in (True, False) if any(row.different == kind for row in rows)]
    names = {True: "significant", False: "not significant"}
    handles = [axes.errorbar([], [], xerr=[[], []], **_LOOKS[kind]) for kind in kinds]
    figure.legend(handles, [names[kind] for kind in kinds], loc="outside upper center", ncols=2)


def difference_text(row: Difference, scale: float) -> str:
    """Return a difference with its interval and its p-value."""
    around = ""
    if row.interval is not None:
        low, high = (signed(scale * end) for end in row.interval)
        around = f" [{low}, {high}]"
    return f"{signed(scale * row.value)}{around}, {p_text(row.p)}"

"""Conventions and errors as a figure: from UAS up to 100, a step for each construction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonground.evaluation.conventions import Conventions
from commonground.report.plots.canvas import WIDTH, Size, new_figure
from commonground.report.plots.numbers import signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["waterfall"]

_TOTAL, _CONVENTION, _ERROR = "#404040", "#56B4E9", "#D55E00"
_HATCHES = {_TOTAL: "", _CONVENTION: "////", _ERROR: "xxxx"}

Step = tuple[str, float, float, str]
"""What a row says: its name, where its bar begins and ends, and its colour."""


def waterfall(conventions: Conventions, *, size: Size | None = None, title: str = "") -> Figure:
    """Return the figure of a result: what UAS would be if each convention were that of the gold.

    The first bar is UAS, then come the conventions, the largest first; with all of them, the second
    dark bar is UAS in the scheme of the parse. The errors fill up what is left.
    """
    steps = _steps(conventions)
    description = f"Convention or error: {conventions.sentence()}"
    with new_figure(size or (WIDTH, 0.9 + 0.27 * len(steps)), description, title) as figure:
        axes = figure.subplots()
        for place, (_, start, stop, colour) in enumerate(steps):
            _draw(axes, place, start, stop, colour)
        for place, (*_, stop, _) in enumerate(steps[:-1]):
            axes.plot([stop, stop], [place, place + 1], color=_TOTAL, linewidth=0.6, zorder=1)
        axes.set_yticks(range(len(steps)), [name for name, *_ in steps])
        axes.set_ylim(len(steps) - 0.4, -0.6)
        low = min(min(start, stop) for _, start, stop, colour in steps if colour != _TOTAL)
        low = min(low, conventions.points(conventions.correct))
        axes.set_xlim(max(0.0, 10 * (low // 10) - 10), 100)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.grid(visible=True, axis="x")
        axes.set_xlabel("UAS, all words, in per cent")
        return figure


def _steps(conventions: Conventions) -> list[Step]:
    at = conventions.points(conventions.correct)
    steps: list[Step] = [("UAS", 0.0, at, _TOTAL)]
    for part in sorted(conventions.parts, key=lambda part: -part.heads):
        end = at + conventions.points(part.heads)
        steps.append((part.construction, at, end, _CONVENTION))
        at = end
    own = conventions.points(conventions.own)
    steps.append(("UAS, own scheme", 0.0, own, _TOTAL))
    steps.append(("errors", own, 100.0, _ERROR))
    return steps


def _draw(axes: Axes, place: int, start: float, stop: float, colour: str) -> None:
    whole = colour == _TOTAL
    axes.barh(
        place,
        stop - start,
        left=start,
        height=0.62,
        color=colour if whole else "white",
        edgecolor=colour,
        hatch=_HATCHES[colour],
        linewidth=0.9,
        zorder=2,
    )
    axes.text(
        1.01,
        place,
        f"{stop:.1f}" if whole else signed(stop - start),
        transform=axes.get_yaxis_transform(),
        va="center",
        fontsize=8,
        weight="bold" if whole else "normal",
    )

"""What lines and boxes mean, in a row below a drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from commonground.report.drawing import svg
from commonground.report.drawing.lettering import width
from commonground.report.drawing.style import SMALL
from commonground.report.drawing.svg import MARGIN, Picture, stacked

__all__ = ["LOST", "NODES", "LegendSample", "arc_samples", "legend"]

_SAMPLE, _SPACE = 26, 18


class LegendSample(NamedTuple):
    """A line or a box of some kind, and what it means."""

    kind: str
    meaning: str
    shape: Literal["line", "box"] = "line"


NODES = (
    LegendSample("node same", "in both"),
    LegendSample("node wrong", "parse: not in gold", "box"),
    LegendSample("node wrong renamed", "parse: other label", "box"),
    LegendSample("node right", "gold: not in the parse", "box"),
    LegendSample("node right renamed", "gold: other label", "box"),
)
LOST = (
    LegendSample("node", "in all"),
    LegendSample("node lost", "lost where all are generalized", "box"),
)


def arc_samples(above: str, below: str) -> tuple[LegendSample, ...]:
    """Return what arcs of two analyses mean, of which one is above the words."""
    return (
        LegendSample("arc same", "in both"),
        LegendSample("arc wrong", f"{above}: other head"),
        LegendSample("arc wrong renamed", f"{above}: other label"),
        LegendSample("arc right", f"{below}: other head"),
        LegendSample("arc right renamed", f"{below}: other label"),
    )


def legend(samples: Sequence[LegendSample], picture: Picture) -> Picture:
    """Return a picture with a row of samples below it: those of what it shows."""
    shown = [sample for sample in samples if f'class="{sample.kind}"' in picture.body]
    return stacked([picture, _row(shown)], gap=0) if shown else picture


def _row(samples: Sequence[LegendSample]) -> Picture:
    parts = []
    x = MARGIN
    for sample in samples:
        line = (
            svg.path(f"M{x} 9h{_SAMPLE}")
            if sample.shape == "line"
            else f'<rect x="{x + 3}" y="3" width="{_SAMPLE - 6}" height="12" rx="3"/>'
        )
        x += _SAMPLE + 5
        parts.append(svg.group([line], sample.kind))
        parts.append(svg.text(x, 13, sample.meaning, "start soft"))
        x += width(sample.meaning, SMALL) + _SPACE
    return Picture(x - _SPACE + MARGIN, 18 + MARGIN // 2, svg.group(parts), "")

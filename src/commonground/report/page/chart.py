"""The parts of the charts of a page: scales with their ticks, lines, marks, texts, a legend.

They look like the figures that matplotlib makes for papers, but are written as SVG at once, so that
a page has them without it, in a tenth of the time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from commonground.report.drawing.lettering import width
from commonground.report.drawing.svg import escaped
from commonground.report.plots.marks import Mark

__all__ = [
    "AXIS",
    "GRID",
    "TITLE",
    "WIDTH",
    "Scale",
    "chart",
    "legend",
    "line",
    "mark",
    "text",
    "text_width",
]

WIDTH = 605
"""The width of a chart in pixels."""

TITLE, AXIS, _LEGEND = 12, 11, 11
"""The sizes of the letters at an axis and at its ticks, and of those of a legend."""

GRID = "#d9d9d9"
_FONT = "DejaVu Sans, Verdana, sans-serif"
_WIDER, _SIGN = 1.22, 15
"""How much wider the letters of this font are than those that are measured, and what signs such as
the plus need besides, in hundredths of the size."""

_STROKE = 1.7
"""The width of the lines of systems; their dashes are so many times as long as they are told."""

_STEPS = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True, slots=True)
class Scale:
    """Where the values from `low` to `high` stand, between the pixels `start` and `end`.

    >>> scale = Scale(0, 10, 100, 200)
    >>> scale.at(5), scale.ticks(6)
    (150.0, [(100.0, '0'), (120.0, '2'), (140.0, '4'), (160.0, '6'), (180.0, '8'), (200.0, '10')])
    """

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the pixel of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, most: int) -> list[tuple[float, str]]:
        """Return round values, at most so many and one more, with their pixels."""
        rough = (self.high - self.low) / most
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(times * power for times in _STEPS if times * power >= rough * 0.999)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        exact = (d for d in range(15) if math.isclose(round(step, d), step, rel_tol=1e-6))
        decimals = next(exact, 15)
        return [
            (self.at(n * step), f"{n * step:.{decimals}f}".replace("-", "−"))
            for n in range(first, last + 1)
        ]


def _px(value: float) -> str:
    """Return a number of pixels, short.

    >>> _px(3.14159), _px(2.0)
    ('3.1', '2')
    """
    return f"{value:.1f}".removesuffix(".0")


def line(points: Iterable[tuple[float, float]], colour: str, stroke: float, dash: Any = "") -> str:
    """Return a line through points; `dash` is as matplotlib has it, in widths of the line."""
    steps = "L".join(f"{_px(x)} {_px(y)}" for x, y in points)
    lengths = " ".join(_px(n * stroke) for n in dash[1]) if isinstance(dash, tuple) else ""
    dashed = f' stroke-dasharray="{lengths}"' if lengths else ""
    return f'<path d="M{steps}" stroke="{colour}" stroke-width="{stroke}"{dashed}/>'


def text(
    x: float, y: float, content: str, size: float, anchor: str = "start", more: str = ""
) -> str:
    """Return a text whose middle line is at `y`; several lines are one below the other."""
    lines = content.split("\n")
    top = y + 0.36 * size - 0.6 * size * (len(lines) - 1)
    return "".join(
        f'<text x="{_px(x)}" y="{_px(top + 1.2 * size * place)}" font-size="{size}" '
        f'text-anchor="{anchor}"{more}>{escaped(one)}</text>'
        for place, one in enumerate(lines)
    )


def text_width(content: str, size: float) -> float:
    """Return about how wide a text is, that of its longest line."""
    return max(_lettering(one) for one in content.split("\n")) * size / 100


def _lettering(line: str) -> float:
    return width(line, 100) * _WIDER + _SIGN * sum(map(line.count, "+−<>=±"))


_ARM = ((-1, -3), (1, -3), (1, -1))
_PLUS = tuple(
    (x * c - y * s, x * s + y * c)
    for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1))
    for x, y in ((a / 3, b / 3) for a, b in _ARM)
)
_SHAPES = {
    "s": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "^": ((0, -1), (1, 1), (-1, 1)),
    "v": ((0, 1), (1, -1), (-1, -1)),
    "<": ((-1, 0), (1, -1), (1, 1)),
    ">": ((1, 0), (-1, -1), (-1, 1)),
    "D": ((0, -1.35), (1.35, 0), (0, 1.35), (-1.35, 0)),
    "P": _PLUS,
    "X": tuple(((x - y) * 0.7, (x + y) * 0.7) for x, y in _PLUS),
}
"""The corners of marks by the names that matplotlib has for them; any other one is a circle."""


def mark(shape: str, x: float, y: float, colour: str, edge: str, radius: float = 3.6) -> str:
    """Return a mark around a point."""
    look = f'fill="{colour}" stroke="{edge}" stroke-width="{0.6 if edge == "white" else 1.4}"'
    if shape not in _SHAPES:
        return f'<circle cx="{_px(x)}" cy="{_px(y)}" r="{_px(radius)}" {look}/>'
    corners = "L".join(f"{_px(x + a * radius)} {_px(y + b * radius)}" for a, b in _SHAPES[shape])
    return f'<path d="M{corners}z" {look}/>'


def legend(looks: Sequence[Mark]) -> tuple[list[str], int]:
    """Return what says which mark stands for whom, and its height; one system needs none."""
    if len(looks) < 2:
        return [], 0
    widest = max(text_width(look.name, _LEGEND) for look in looks) + 52
    columns = max(1, min(len(looks), int(WIDTH / widest)))
    left = (WIDTH - columns * widest) / 2 + 8
    parts = []
    for place, look in enumerate(looks):
        x, y = left + place % columns * widest, 12 + 17 * (place // columns)
        parts.append(line([(x, y), (x + 26, y)], look.colour, _STROKE, look.line))
        parts.append(mark(look.marker, x + 13, y, look.colour, "white"))
        parts.append(text(x + 33, y, look.name, _LEGEND))
    return parts, 17 * math.ceil(len(looks) / columns) + 8


def chart(parts: Iterable[str], height: float, description: str) -> str:
    """Return a chart as a file of SVG."""
    size = f'width="{WIDTH}" height="{_px(height)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {WIDTH} {_px(height)}" '
        f'font-family="{_FONT}"><title>{escaped(description)}</title>'
        f'<rect {size} fill="white"/><g fill="none">{"".join(parts)}</g></svg>\n'
    ).replace("<text ", '<text fill="black" ')

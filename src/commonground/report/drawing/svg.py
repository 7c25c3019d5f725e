"""A small writer of SVG.

A drawing is text from the beginning: elements are written where they are made. There are only
shapes and texts, no scripts, no links, no ids and nothing that is loaded; so a drawing can stand in
a page any number of times. All coordinates are whole pixels, which makes drawings short and the
same everywhere. All text from files goes through :func:`text` or :func:`escaped`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from commonground.report.drawing.lettering import shown, width
from commonground.report.drawing.style import LABEL, SHEET
from commonground.report.visible import right_to_left, visible

__all__ = [
    "MARGIN",
    "Picture",
    "Svg",
    "escaped",
    "group",
    "heading",
    "parts",
    "path",
    "stacked",
    "text",
]

MARGIN = 12
"""Around everything."""

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})

_OTHER_SIDE = {"start": "end", "end": "start"}
"""A text that runs from right to left starts at its right side."""


@lru_cache(maxsize=65536)
def escaped(content: str) -> str:
    r"""Return text as XML has it, in elements and in attributes, with nothing invisible in it.

    >>> print(escaped("<b> & \x07"))
    &lt;b&gt; &amp; \x07
    """
    return visible(content).translate(_ESCAPES)


def text(x: int, y: int, content: str, kind: str = "") -> str:
    """Return a text around (or from, or up to, as its kind has it) a point on its base line.

    >>> text(10, 20, "a<b")
    '<text x="10" y="20">a&lt;b</text>'
    """
    turned = ""
    if not content.isascii() and right_to_left(content):
        turned = ' direction="rtl"'
        kind = " ".join(_OTHER_SIDE.get(name, name) for name in kind.split())
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}"{named}{turned}>{escaped(content)}</text>'


def parts(x: int, y: int, content: Iterable[tuple[str, str]], kind: str) -> str:
    """Return a text from a point on, in parts that are each of a kind of their own.

    Such a text begins at its point: not all programs can centre a text of several parts.

    >>> parts(10, 20, [("NP", ""), ("-SBJ", "extra")], "label start")
    '<text class="label start" x="10" y="20">NP<tspan class="extra">-SBJ</tspan></text>'
    """
    inside = "".join(
        f'<tspan class="{each}">{escaped(piece)}</tspan>' if each else escaped(piece)
        for piece, each in content
    )
    return f'<text class="{kind}" x="{x}" y="{y}">{inside}</text>'


def path(steps: str, kind: str = "") -> str:
    """Return a line."""
    return f'<path class="{kind}" d="{steps}"/>' if kind else f'<path d="{steps}"/>'


def group(parts: Iterable[str], kind: str = "", x: int = 0, y: int = 0) -> str:
    """Return elements in a group of some kind, moved to a place; nothing where there are none."""
    content = "".join(parts)
    if not content:
        return ""
    named = f' class="{kind}"' if kind else ""
    moved = f' transform="translate({x} {y})"' if x or y else ""
    return f"<g{named}{moved}>{content}</g>"


class Svg(str):
    """A drawing as text, which notebooks show as what it is."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing without its frame: its size in pixels, its elements, and what it shows in words."""

    width: int
    height: int
    body: str
    title: str

    def svg(self, *, standalone: bool) -> Svg:
        """Return the drawing as an SVG element.

        A `standalone` one is a file of its own, with a style sheet and paper; others take theirs
        from the page.
        """
        width, height = max(1, self.width), max(1, self.height)  # no picture has no size at all
        size = f'width="{width}" height="{height}"'
        box = f'viewBox="0 0 {width} {height}"'
        name = f'role="img" aria-label="{escaped(shown(self.title, 300))}"'
        if not standalone:
            return Svg(f'<svg class="cg-drawing" {size} {box} {name}>{self.body}</svg>')
        return Svg(
            f'<svg xmlns="http://www.w3.org/2000/svg" class="cg-drawing" {size} {box} {name}>\n'
            f"<style>\n{SHEET}</style>\n"
            f'<rect class="paper" {size}/>\n{self.body}\n</svg>\n'
        )


def stacked(pictures: Iterable[Picture], gap: int = 12) -> Picture:
    """Return pictures one below the other.

    >>> one = Picture(30, 10, "<path/>", "one")
    >>> both = stacked([one, one])
    >>> both.width, both.height, both.title
    (30, 32, 'one; one')
    """
    bodies, titles = [], []
    y = widest = 0
    for picture in pictures:
        bodies.append(group([picture.body], y=y))
        titles.append(picture.title)
        y += picture.height + gap
        widest = max(widest, picture.width)
    return Picture(widest, max(y - gap, 0), "\n".join(bodies), "; ".join(filter(None, titles)))


def heading(content: str, kind: str = "heading") -> Picture:
    """Return a line of text that stands above a picture, or (a ``note``) below it."""
    line = shown(content, 200)
    room = width(line, LABEL) * 11 // 10  # it may be bold
    return Picture(2 * MARGIN + room, 20, text(MARGIN, 16, line, kind), "")

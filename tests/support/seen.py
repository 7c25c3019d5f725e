"""What is seen on a drawing: where its texts and lines are, read back from the SVG."""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from commonground.report.drawing.lettering import width
from commonground.report.drawing.style import FORM, LABEL, NODE, SMALL

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {
    "svg": {"class", "width", "height", "viewBox", "role", "aria-label"},
    "style": set(),
    "g": {"class", "transform"},
    "text": {"class", "x", "y", "direction"},
    "tspan": {"class"},
    "path": {"class", "d"},
    "rect": {"class", "x", "y", "width", "height", "rx"},
}
"""All elements and attributes that a drawing may have; none can load or execute anything."""


def skip_without_cairo():
    """Skip a test where CairoSVG is not there, or not the library that it needs."""
    try:
        import cairosvg  # noqa: F401  # only whether it is there
    except (ImportError, OSError):
        pytest.skip("no CairoSVG")


class Box(NamedTuple):
    """A text and the room that it takes."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    kinds: tuple[str, ...]

    def meets(self, other, slack=0.0):
        return (
            self.left + slack < other.right
            and other.left + slack < self.right
            and self.top + slack < other.bottom
            and other.top + slack < self.bottom
        )


class Seen:
    """A drawing, parsed as XML; all that is in it is allowed."""

    def __init__(self, svg):
        self.root = ET.fromstring(svg if "xmlns" in svg else svg.replace("<svg", NAMED, 1))
        self.width, self.height = (int(self.root.get(name)) for name in ("width", "height"))
        self.texts: list[Box] = []
        self.lines: list[Box] = []
        self.arcs = 0
        waiting = [(self.root, 0, 0, ())]
        while waiting:
            element, x, y, kinds = waiting.pop()
            name = element.tag.removeprefix(SVG)
            assert name in ALLOWED, name
            assert set(element.attrib) <= ALLOWED[name], element.attrib
            moved = re.fullmatch(
                r"translate\((\S+) (\S+)\)", element.get("transform", "translate(0 0)")
            )
            x, y = x + int(moved[1]), y + int(moved[2])
            kinds = (*kinds, *element.get("class", "").split())
            if name == "text":
                self.texts.append(_text(element, x, y, kinds))
            elif name == "path" and "tip" not in kinds:
                self.lines += _lines(element.get("d"), x, y, kinds)
            if name != "text":
                waiting += [(child, x, y, kinds) for child in element]

    @property
    def words(self):
        """The texts of the drawing."""
        return [box.text for box in self.texts]

    def overlaps(self):
        """Return pairs of texts that overlap."""
        results = []
        ordered = sorted(self.texts, key=lambda box: box.left)
        for place, box in enumerate(ordered):
            for other in ordered[place + 1 :]:
                if other.left > box.right:
                    break
                if box.meets(other, 1):
                    results.append((box, other))
        return results

    def cuts(self):
        """Return lines that run through texts, each with the text."""
        return [(box, line) for box in self.texts for line in self.lines if box.meets(line, 1)]

    def outside(self):
        """Return texts that are not wholly on the paper."""
        return [
            box
            for box in self.texts
            if box.left < 0 or box.right > self.width or box.top < 0 or box.bottom > self.height
        ]


NAMED = '<svg xmlns="http://www.w3.org/2000/svg"'


def _text(element, x, y, kinds):
    text = "".join(element.itertext())
    size = SMALL
    if "form" in kinds:
        size = FORM
    elif "label" in kinds:
        size = NODE if "node" in kinds else LABEL
    elif {"heading", "note"} & set(kinds):
        size = LABEL
    x, y = x + int(element.get("x")), y + int(element.get("y"))
    room = width(text, size)
    anchor = next((kind for kind in reversed(kinds) if kind in ("start", "end")), "middle")
    if {"heading", "note"} & set(kinds):
        anchor = "start"
    if element.get("direction") == "rtl":
        anchor = {"start": "end", "end": "start"}.get(anchor, anchor)
    left = {"start": x, "middle": x - room / 2, "end": x - room}[anchor]
    return Box(text, left, y - 0.72 * size, left + room, y + 0.2 * size, kinds)


def _lines(steps, dx, dy, kinds):
    """Return the straight parts of a path, and the rounded ones as straight."""
    result, here = [], (0, 0)
    for letter, numbers in re.findall(r"([MHVQLvlhz])([-\d .]*)", steps):
        n = [int(number) for number in re.findall(r"-?\d+", numbers)]
        before = here
        if letter == "M":
            here = (n[0], n[1])
            continue
        if letter == "H":
            here = (n[0], here[1])
        elif letter == "V":
            here = (here[0], n[0])
        elif letter == "v":
            here = (here[0], here[1] + n[0])
        elif letter == "h":
            here = (here[0] + n[0], here[1])
        elif letter == "Q":
            here = (n[2], n[3])
            continue
        (x, y), (to_x, to_y) = sorted([before, here])
        result.append(
            Box(
                "",
                min(x, to_x) + dx,
                min(y, to_y) + dy,
                max(x, to_x) + dx,
                max(y, to_y) + dy,
                kinds,
            )
        )
    return result

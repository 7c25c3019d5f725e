"""Which sentences of a report are drawn: the most wanted ones, as long as there is room."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest

from commonground.errors import CommonGroundError
from commonground.report.drawing import draw_difference
from commonground.report.material.material import Material, Wanted
from commonground.report.page.sections import Example, Examples, Section, TableBlock

__all__ = ["ROOM", "differences", "drawn", "shown_first"]

ROOM = 700_000
"""Maximum size of the packed drawings of a chapter, in bytes; a third more in the page."""

_LONGEST = 400
"""Longer sentences make drawings that nobody can read, of hundreds of kilobytes."""

Draw = Callable[[int, int], str | None]
"""Draws a picture of a sentence; None where there is none."""


def drawn(wanted: Iterable[Wanted], draw: Draw, room: int = ROOM) -> dict[Wanted, str]:
    """Return the drawings of sentences, of the most wanted first, until the room is used up."""
    drawings: dict[Wanted, str] = {}
    packer = zlib.compressobj()
    used = 0
    for place, picture in dict.fromkeys(wanted):
        try:
            svg = draw(place, picture)
        except CommonGroundError:  # a kind of analysis that cannot be drawn
            continue
        if svg is None:
            continue
        used += len(packer.compress(svg.encode()))
        if used > room:
            break
        drawings[place, picture] = svg
    return drawings


def differences(material: Material) -> Draw:
    """Return what draws the gold standard and the parse of a system together."""
    names = [system.name for system in material.systems]

    def draw(place: int, picture: int) -> str | None:
        both = material.both(place, names[picture])
        if both is None or max(map(len, both)) > _LONGEST:
            return None
        return draw_difference(*both, standalone=False)

    return draw


def shown_first(sections: Sequence[Section], pictures: int) -> Iterator[Wanted]:
    """Return the pictures that sections show: of lists, then the first that each cell opens, …"""
    blocks = [block for section in sections for block in section.blocks]
    lists = [block.examples for block in blocks if isinstance(block, Examples)]
    opened = [
        o.examples
        for block in blocks
        if isinstance(block, TableBlock)
        for o in block.opens.values()
    ]
    everything = range(pictures)

    def wanted(example: Example) -> Iterator[Wanted]:
        return ((example.sentence, picture) for picture in example.pictures or everything)

    for example in (example for examples in lists for example in examples):
        yield from wanted(example)
    for turn in zip_longest(*opened):
        for example in filter(None, turn):
            yield from wanted(example)

"""Arcs over a line of words: how high each runs, and the way it takes.

An arc rises from its head, runs level, and comes down on its dependent with an arrow. An arc runs
above all arcs that it spans, and no two run on the same level above the same place; so the label,
which stands on the level part, has room.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

__all__ = ["ROOT", "DrawnArc", "free_place", "half", "levels", "outline", "tip"]

ROOT = -1
"""The head of an arc from the root."""

_ROUND = 9
_TIP = 6


class DrawnArc(NamedTuple):
    """An arc from the column `head` to the column `dependent`.

    `added` is what an enhanced graph adds to the label.
    """

    head: int
    dependent: int
    label: str
    kind: str = ""
    added: str = ""


def levels(spans: Sequence[tuple[int, int]], heights: list[int]) -> list[int]:
    """Return the level, from 1, of arcs that span the slots from (with) and to (without).

    Short arcs are placed first, each above all that are there already; `heights`, the highest level
    over each slot, grow.

    >>> heights = [0, 0, 0, 0]
    >>> levels([(0, 3), (0, 1), (2, 4)], heights), heights
    ([2, 1, 1], [2, 2, 2, 1])
    """
    assigned = [0] * len(spans)
    for arc in sorted(range(len(spans)), key=lambda i: (spans[i][1] - spans[i][0], spans[i])):
        low, high = spans[arc]
        level = assigned[arc] = 1 + max(heights[low:high])
        heights[low:high] = [level] * (high - low)
    return assigned


def outline(start: int, end: int, foot: int, level: int) -> str:
    """Return the line from (start, foot) up (or down) to the level, along it, and back to the foot.

    >>> outline(10, 60, 50, 20)
    'M10 50V29Q10 20 19 20H51Q60 20 60 29V50'
    """
    run, rise = _corner(start, end, foot, level)
    return (
        f"M{start} {foot}V{level + rise}Q{start} {level} {start + run} {level}"
        f"H{end - run}Q{end} {level} {end} {level + rise}V{foot}"
    )


def half(edge: int, end: int, foot: int, level: int) -> str:
    """Return the line from the edge of a line of words along the level, and back to the foot.

    >>> half(0, 60, 50, 20)
    'M0 20H51Q60 20 60 29V50'
    """
    run, rise = _corner(edge, end, foot, level)
    return f"M{edge} {level}H{end - run}Q{end} {level} {end} {level + rise}V{foot}"


def _corner(start: int, end: int, foot: int, level: int) -> tuple[int, int]:
    """Return how far the rounded corners reach along the level and towards the foot."""
    size = min(_ROUND, abs(end - start) // 2, abs(foot - level))
    return (size if end >= start else -size), (size if foot >= level else -size)


def tip(x: int, foot: int, *, down: bool) -> str:
    """Return the tip of an arrow that comes down (or up) to a point.

    >>> tip(60, 50, down=True)
    'M60 50l-3-6h6z'
    """
    return f"M{x} {foot}l-3{-_TIP if down else f' {_TIP}'}h6z"


def free_place(start: int, end: int, needed: int, blocked: Sequence[int]) -> int:
    """Return the middle of a label on a level part, where no other arc comes through.

    Of the parts in between with the room needed it is the one nearest to the middle, or else the
    widest one.

    >>> free_place(0, 100, 20, []), free_place(0, 100, 20, [55]), free_place(0, 30, 20, [15])
    (50, 43, 10)
    """
    low, high = min(start, end), max(start, end)
    middle = (low + high) // 2
    inside = sorted(x for x in blocked if low < x < high)
    if not inside:
        return middle
    bounds = [low, *inside, high]
    parts = list(pairwise(bounds))
    room = [part for part in parts if part[1] - part[0] >= needed + 4]
    if not room:
        widest = max(parts, key=lambda part: part[1] - part[0])
        reach = min(needed, high - low) // 2
        return min(max((widest[0] + widest[1]) // 2, low + reach), high - reach)

    def nearest(part: tuple[int, int]) -> int:
        reach = needed // 2 + 2
        return min(max(middle, part[0] + reach), part[1] - reach)

    return min(map(nearest, room), key=lambda x: abs(x - middle))

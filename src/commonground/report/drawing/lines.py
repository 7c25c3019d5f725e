"""Words in lines: how far apart they stand, and where a long sentence goes on in the next line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from commonground.report.drawing.arcs import ROOT, DrawnArc
from commonground.report.drawing.lettering import width
from commonground.report.drawing.style import LABEL

__all__ = ["Line", "in_lines", "spread"]

_GAP = 14
_NARROWEST = 16
_FAR = 8
"""Arcs over more columns than this have room for any label."""

_FILLED = 0.6
"""A line of a long sentence is at least so full."""


class Line(NamedTuple):
    """The columns from `first` to before `last` of a line, and the middle of each.

    Arcs to and from other lines begin and end at the edges `left` and `right`.
    """

    first: int
    last: int
    middles: list[int]
    left: int
    right: int


def spread(boxes: Sequence[int], arcs: Sequence[DrawnArc]) -> list[int]:
    """Return the distance of each column's middle from that of the column before it.

    Neighbours stand apart by a gap, and further where the label of an arc needs the room.

    >>> spread([20, 30, 20], [])
    [0, 39, 39]
    >>> spread([20, 30, 20], [DrawnArc(0, 1, "a long label")])
    [0, 69, 39]
    """
    halves = [max(box, _NARROWEST) // 2 for box in boxes]
    steps = [0, *(a + b + _GAP for a, b in pairwise(halves))]
    for arc in sorted(arcs, key=lambda arc: abs(arc.head - arc.dependent)):
        low, high = sorted((arc.head, arc.dependent))
        if low == ROOT or high - low > _FAR:
            continue
        missing = width(arc.label + arc.added, LABEL) + 12 - sum(steps[low + 1 : high + 1])
        if missing > 0:
            share = -(-missing // (high - low))
            steps[low + 1 : high + 1] = [step + share for step in steps[low + 1 : high + 1]]
    return steps[: len(boxes)]


def in_lines(
    boxes: Sequence[int],
    arcs: Sequence[DrawnArc],
    costs: Sequence[int],
    widest: int,
    edge: int,
) -> list[Line]:
    """Return the lines of a sentence, none much wider than `widest` pixels.

    A sentence that needs several is broken where few arcs come through, which counts together with
    the `costs` of a break before each column. Its lines have a margin, `edge`, on both sides.
    """
    if not boxes:
        return []
    places = list(accumulate(spread(boxes, arcs)))
    start, end = boxes[0] // 2, boxes[-1] // 2
    if places[-1] + start + end <= widest:
        return [Line(0, len(boxes), [start + x for x in places], 0, places[-1] + start + end)]
    breaks = _breaks(boxes, places, _crossed(costs, arcs), widest - 2 * edge)
    labels: list[list[DrawnArc]] = [[] for _ in boxes]
    for arc in arcs:
        labels[arc.dependent].append(arc)
    return [
        _line(first, last, boxes, places, labels, edge) for first, last in pairwise([0, *breaks])
    ]


def _breaks(
    boxes: Sequence[int], places: Sequence[int], costs: Sequence[int], room: int
) -> list[int]:
    """Return where each line ends: of the places that fill it well enough, the cheapest."""
    breaks = []
    first = 0
    while first < len(boxes):
        left = places[first] - boxes[first] // 2
        last = fewest = first + 1
        while last < len(boxes) and places[last] + boxes[last] // 2 - left <= room:
            last += 1
            fewest += places[last - 1] - left < _FILLED * room
        if last < len(boxes):
            last = min(range(last, fewest - 1, -1), key=costs.__getitem__)
        breaks.append(last)
        first = last
    return breaks


def _line(
    first: int,
    last: int,
    boxes: Sequence[int],
    places: Sequence[int],
    labels: Sequence[Sequence[DrawnArc]],
    edge: int,
) -> Line:
    """Return a line with room at its edges for the labels of arcs that come in there."""
    middles = [boxes[first] // 2 + place - places[first] for place in places[first:last]]
    before, right = 0, middles[-1] + boxes[last - 1] // 2
    for middle, arcs in zip(middles, labels[first:last], strict=True):
        for arc in arcs:
            needed = width(arc.label + arc.added, LABEL) + 16
            if ROOT < arc.head < first:
                before = max(before, needed - middle)
            elif arc.head >= last:
                right = max(right, middle + needed)
    shift = edge + before
    return Line(first, last, [shift + middle for middle in middles], edge, shift + right)


def _crossed(costs: Sequence[int], arcs: Sequence[DrawnArc]) -> list[int]:
    """Return the costs of a break before each column, with one more for each arc that is broken.

    >>> _crossed([0, 3, 0], [DrawnArc(0, 2, ""), DrawnArc(ROOT, 1, "")])
    [0, 4, 1]
    """
    changes = [0] * (len(costs) + 1)
    for arc in arcs:
        low, high = sorted((arc.head, arc.dependent))
        if low != ROOT:
            changes[low + 1] += 1
            changes[high + 1] -= 1
    return [own + broken for own, broken in zip(costs, accumulate(changes), strict=False)]

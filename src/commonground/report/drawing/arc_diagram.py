"""Words in lines with arcs above and below them: what all drawings of dependencies share.

A sentence that is too long for one line goes on in the next. An arc to another line runs to the
edge of its line, where it is told which words it leads to, and comes in at the edge of the other
one, where it is told which word it comes from; it does not run over the lines in between. Words
have numbers then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from commonground.report.drawing import svg
from commonground.report.drawing.arcs import ROOT, DrawnArc, free_place, half, levels, outline, tip
from commonground.report.drawing.legend import LegendSample, legend
from commonground.report.drawing.lettering import shown, width
from commonground.report.drawing.lines import Line, in_lines
from commonground.report.drawing.style import FORM, LABEL, SMALL
from commonground.report.drawing.svg import MARGIN, Picture

__all__ = ["Diagram", "Joined", "WordColumn"]

_FIRST, _STEP = 17, 17
"""How far the first level runs above the words, and each further one above the one before it."""

_ROW, _FORM_ROW, _JOINED_ROW = 13, 19, 22
_PORT = 5
_EDGE = 78
_BETWEEN = 14
_NAME = 9
_MOST_ENDS = 4
_MARK_FIRST = 3
"""A line that begins with a punctuation mark is as bad as so many broken arcs."""


class WordColumn(NamedTuple):
    """A word: what stands in its rows from top to bottom (the form first), and its number.

    `kinds` are the kinds of those texts that are not like the others in their row.
    """

    texts: tuple[str, ...]
    number: str
    kinds: tuple[str, ...] = ()


class Joined(NamedTuple):
    """Columns from `first` to `last` (with it) that are written together, as a text."""

    first: int
    last: int
    text: str


@dataclass(frozen=True, slots=True)
class Diagram:
    """What is drawn: columns, arcs above and below them, and which columns are joined.

    `title` tells in words what it shows, `samples` explain the kinds of arcs.
    """

    title: str
    columns: Sequence[WordColumn]
    above: Sequence[DrawnArc]
    below: Sequence[DrawnArc] = ()
    joined: Sequence[Joined] = ()
    right_to_left: bool = False
    samples: Sequence[LegendSample] = ()

    def picture(self, widest: int) -> Picture:
        """Return the drawing, in lines that are not much wider than `widest` pixels."""
        boxes = [_box(column) for column in self.columns]
        arcs = [*self.above, *self.below]
        for arc in arcs:
            if arc.head == ROOT:  # its label stands over the word
                boxes[arc.dependent] = max(boxes[arc.dependent], width(arc.label, LABEL))
        lines = in_lines(boxes, arcs, self._costs(), widest - 2 * MARGIN, _EDGE)
        edge = _EDGE if len(lines) > 1 else 0
        room = max((line.right for line in lines), default=0)
        drawn = _Drawn(self, boxes, lines, room + 2 * MARGIN + edge)
        bodies, y = [], 0
        for number in range(len(lines)):
            body, height = drawn.line(number)
            bodies.append(svg.group([body], y=y))
            y += height + _BETWEEN
        height = y - _BETWEEN if lines else 0
        return legend(self.samples, Picture(drawn.width, height, "\n".join(bodies), self.title))

    def middles(self) -> list[int]:
        """Return where the middle of each column is if all of them stand in one line."""
        boxes = [_box(column) for column in self.columns]
        arcs = [*self.above, *self.below]
        for arc in arcs:
            if arc.head == ROOT:
                boxes[arc.dependent] = max(boxes[arc.dependent], width(arc.label, LABEL))
        (line,) = in_lines(boxes, arcs, self._costs(), 1 << 30, _EDGE) or [Line(0, 0, [], 0, 0)]
        room = line.right + 2 * MARGIN
        turned = self.right_to_left
        return [round(room - MARGIN - x if turned else MARGIN + x) for x in line.middles]

    def _costs(self) -> list[int]:
        """Return what it costs to begin a line with each column: much inside of joined ones."""
        marks = [not any(map(str.isalnum, column.texts[0])) for column in self.columns]
        costs = [_MARK_FIRST * mark for mark in marks]
        for joined in self.joined:
            for column in range(joined.first + 1, joined.last + 1):
                costs[column] += len(self.columns)
        return costs


def _box(column: WordColumn) -> int:
    form, *others = column.texts
    return max(width(form, FORM), max((width(text, SMALL) for text in others), default=0))


class _Piece(NamedTuple):
    """The part of an arc in a line: from `start` to `end`, places in the line or None for an edge.

    The slots from `low` to before `high` are those that it spans: slot i is before place i. An arc
    that leaves the line has no label there; `ends` says where it leads to, or comes from.
    """

    low: int
    high: int
    start: int | None
    end: int | None
    arc: DrawnArc
    ends: str = ""


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A diagram in lines: draws one after the other."""

    diagram: Diagram
    boxes: Sequence[int]
    lines: Sequence[Line]
    width: int
    line_of: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        for number, line in enumerate(self.lines):
            self.line_of.extend([number] * (line.last - line.first))

    def line(self, number: int) -> tuple[str, int]:
        """Return the elements of a line, and its height."""
        line = self.lines[number]
        above, top = self._side(number, self.diagram.above, up=True)
        below, bottom = self._side(number, self.diagram.below, up=False)
        first = MARGIN + top
        words, last = self._words(line, first)
        parts = [svg.group(above, y=first), *words, svg.group(below, y=last)]
        return "".join(parts), last + bottom + MARGIN

    def x(self, place: float) -> int:
        """Return where a place in a line is on the paper: from the right in some scripts."""
        return round(self.width - MARGIN - place if self.diagram.right_to_left else MARGIN + place)

    # ── words ────────────────────────────────────────────────────────────────────────────────────

    def _words(self, line: Line, top: int) -> tuple[list[str], int]:
        """Return the words of a line with what stands below them, and where that ends."""
        columns = self.diagram.columns[line.first : line.last]
        parts = []
        y = top
        for row in range(max(len(column.texts) for column in self.diagram.columns)):
            y += _ROW if row else _FORM_ROW
            texts = (
                svg.text(self.x(middle), y - 4, column.texts[row], *column.kinds[row : row + 1])
                for column, middle in zip(columns, line.middles, strict=True)
                if row < len(column.texts) and column.texts[row]
            )
            parts.append(svg.group(texts, "soft" if row else "form"))
        if len(self.lines) > 1:
            y += _ROW
            numbers = (
                svg.text(self.x(middle), y - 4, column.number)
                for column, middle in zip(columns, line.middles, strict=True)
            )
            parts.append(svg.group(numbers, "soft"))
        if self.diagram.joined:
            parts.append(svg.group(self._joined(line, y), "soft"))
            y += _JOINED_ROW
        return parts, y

    def _joined(self, line: Line, y: int) -> Iterator[str]:
        for joined in self.diagram.joined:
            first, last = max(joined.first, line.first), min(joined.last, line.last - 1)
            if first > last:
                continue
            start, end = (line.middles[column - line.first] for column in (first, last))
            start -= self.boxes[first] // 2
            end += self.boxes[last] // 2
            yield svg.path(f"M{self.x(start)} {y}v3H{self.x(end)}v-3")
            yield svg.text(self.x((start + end) / 2), y + 15, joined.text)

    # ── arcs ─────────────────────────────────────────────────────────────────────────────────────

    def _side(self, number: int, arcs: Sequence[DrawnArc], *, up: bool) -> tuple[list[str], int]:
        """Return the arcs on one side of a line, around its foot at 0, and the room they take."""
        line = self.lines[number]
        pieces = self._pieces(number, arcs)
        if not pieces:
            return [], 0
        heights = _heights(pieces, line.last - line.first)
        ends = list(self._ends(line, pieces, heights))
        verticals = [
            (x, level)
            for piece, level, (start, end) in zip(pieces, heights, ends, strict=True)
            for x, place in ((start, piece.start), (end, piece.end))
            if place is not None
        ]
        drawn = [
            self._piece(piece, level, ends_of, verticals, up=up)
            for piece, level, ends_of in zip(pieces, heights, ends, strict=True)
        ]
        # What both sides have is drawn first, so that it covers nothing of what only one has.
        order = sorted(range(len(drawn)), key=lambda place: pieces[place].arc.kind != "same")
        return [drawn[place] for place in order], _FIRST + _STEP * (max(heights) - 1) + LABEL + 3

    def _pieces(self, number: int, arcs: Sequence[DrawnArc]) -> list[_Piece]:
        """Return the parts of arcs in a line; arcs of one head that leave it share their part."""
        line = self.lines[number]
        first, length = line.first, line.last - line.first
        leaving: dict[tuple[int, bool, str], list[DrawnArc]] = {}
        others, roots = [], []
        for arc in arcs:
            head, dependent = arc.head - first, arc.dependent - first
            inside = 0 <= dependent < length
            if arc.head == ROOT:
                if inside:
                    roots.append(_Piece(dependent, dependent + 2, dependent, dependent, arc))
            elif inside and 0 <= head < length:
                low, high = sorted((head, dependent))
                others.append(_Piece(low + 1, high + 1, head, dependent, arc))
            elif inside:
                low, high = (0, dependent + 1) if head < 0 else (dependent + 1, length + 1)
                others.append(_Piece(low, high, None, dependent, arc, self._name(arc.head)))
            elif 0 <= head < length:
                leaving.setdefault((head, dependent >= length, arc.kind), []).append(arc)
        # Those that leave come first, and so run below those that come in at the same place.
        out = [self._leaving(key, length, together) for key, together in leaving.items()]
        return [*out, *others, *roots]

    def _leaving(
        self, key: tuple[int, bool, str], length: int, together: Sequence[DrawnArc]
    ) -> _Piece:
        """Return what arcs from one head to later (or earlier) lines share."""
        head, later, _ = key
        low, high = (head + 1, length + 1) if later else (0, head + 1)
        numbers = [self.diagram.columns[arc.dependent].number for arc in together]
        more = "…" if len(numbers) > _MOST_ENDS else ""
        return _Piece(low, high, head, None, together[0], " ".join(numbers[:_MOST_ENDS]) + more)

    def _name(self, column: int) -> str:
        word = self.diagram.columns[column]
        return f"{word.number} {shown(word.texts[0], _NAME)}"

    def _ends(
        self, line: Line, pieces: Sequence[_Piece], heights: Sequence[int]
    ) -> Iterator[tuple[int, int]]:
        """Return where each part of an arc begins and ends on the paper.

        Arcs leave a word at its sides and arrive in its middle; where several arrive, the higher
        ones do so further inside.
        """
        arriving: dict[int, list[int]] = {}
        for number, piece in enumerate(pieces):
            if piece.end is not None:
                arriving.setdefault(piece.end, []).append(number)
        offset = [0] * len(pieces)
        sides: dict[int, int] = {}
        for place, numbers in arriving.items():
            if len(numbers) > 1:
                numbers.sort(key=lambda n: _turn(pieces[n], heights[n]))
                for rank, each in enumerate(numbers):
                    offset[each] = _PORT * (2 * rank - len(numbers) + 1) // 2
                sides[place] = _PORT * (len(numbers) - 1) // 2
        for number, piece in enumerate(pieces):
            end = None if piece.end is None else line.middles[piece.end] + offset[number]
            if piece.arc.head == ROOT:
                start = end
            elif piece.start is None:
                start = line.left if piece.low == 0 else line.right
            else:
                away = _PORT + sides.get(piece.start, 0)
                to_left = piece.high == piece.start + 1
                start = line.middles[piece.start] + (-away if to_left else away)
            if end is None:
                end = line.left if piece.low == 0 else line.right
            assert start is not None
            yield self.x(start), self.x(end)

    def _piece(
        self,
        piece: _Piece,
        level: int,
        ends: tuple[int, int],
        verticals: Sequence[tuple[int, int]],
        *,
        up: bool,
    ) -> str:
        start, end = ends
        height = _FIRST + _STEP * (level - 1)
        foot, y = (-1, -height) if up else (1, height)
        base = y - 4 if up else y + LABEL
        arc = piece.arc
        parts = []
        if arc.head == ROOT:
            parts.append(svg.path(f"M{end} {y}V{foot}"))
        elif piece.end is None:
            parts.append(svg.path(half(end, start, foot, y)))
        elif piece.start is None:
            parts.append(svg.path(half(start, end, foot, y)))
        else:
            parts.append(svg.path(outline(start, end, foot, y)))
        if piece.end is not None:
            parts.append(svg.path(tip(end, foot, down=up), "tip"))
            blocked = [x for x, other in verticals if other > level] if start != end else []
            needed = width(arc.label + arc.added, LABEL)
            parts.append(_label(free_place(start, end, needed, blocked), base, arc))
        if piece.ends:
            at = start if piece.start is None else end
            before = (piece.low == 0) != self.diagram.right_to_left
            x, side = (at - 4, "end") if before else (at + 4, "start")
            parts.append(svg.text(x, y + 3, piece.ends, side))
        return svg.group(parts, f"arc {arc.kind}".rstrip())


def _heights(pieces: Sequence[_Piece], length: int) -> list[int]:
    """Return the level of each part; arcs from the root, which are last, end above their word."""
    others = [(piece.low, piece.high) for piece in pieces if piece.arc.head != ROOT]
    heights = [0] * (length + 1)
    above = levels(others, heights)
    for piece in pieces[len(others) :]:
        level = 1 + max(heights[piece.low : piece.high])
        heights[piece.low : piece.high] = [level] * (piece.high - piece.low)
        above.append(level)
    return above


def _turn(piece: _Piece, level: int) -> tuple[int, int]:
    """Return what puts arriving arcs in order: those from the left, the lower ones first, …"""
    assert piece.end is not None
    if piece.arc.head == ROOT:
        return 1, 0
    return (0, level) if piece.high == piece.end + 1 else (2, -level)


def _label(x: int, y: int, arc: DrawnArc) -> str:
    if not arc.added:
        return svg.text(x, y, arc.label, "label") if arc.label else ""
    x -= width(arc.label + arc.added, LABEL) // 2
    return svg.parts(x, y, [(arc.label, ""), (arc.added, "extra")], "label start")

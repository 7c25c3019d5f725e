"""A tree on one side of its words: its branches and labels, upright or sideways.

All is measured along the sentence (how far from its beginning) and away from it (how far from the
words); upright, these are x and y, and sideways, with a word on each line, y and x.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from commonground.report.drawing import svg
from commonground.report.drawing.lettering import width
from commonground.report.drawing.style import NODE, SMALL
from commonground.report.drawing.tree_layout import DrawnNode, Leaf, Link, TreeLayout

__all__ = ["ROW", "DrawnSide", "Sideways", "Upright"]

Point = tuple[int, int]

ROW = 21
"""The distance of the lines of a tree that is drawn sideways."""

_STEP, _EDGE_ROW, _TAG_ROW = 34, 12, 14
_HALF = 8
"""Half the height of a label."""

_BAR = 6
"""How far from its label the branches of a node part."""

_BETWEEN = 24
"""Sideways: the room for branches between two levels."""

_ROUND = 6


class DrawnSide(ABC):
    """A tree on one side of the words.

    `sign` tells on which one (-1 is above, or to the left), `base` where the words end there, and
    `height` how far the tree reaches.
    """

    height: int

    def __init__(self, layout: TreeLayout, sign: int) -> None:
        self.layout = layout
        self.sign = sign
        self.base = 0

    @abstractmethod
    def point(self, along: int, away: int) -> Point:
        """Return a place on the paper."""

    @abstractmethod
    def inner(self, number: int) -> int:
        """Return how far away from the words the branches of a node begin."""

    @abstractmethod
    def outer(self, child: int) -> int:
        """Return how far away from the words the branch to a node (or word, ~i) ends."""

    @abstractmethod
    def label(self, number: int, along: int) -> str:
        """Return the label of a node, in a box if its kind has one."""

    @abstractmethod
    def tag(self, leaf: Leaf, along: int) -> str:
        """Return what stands between a word and its branch."""

    def drawn(self, middles: Sequence[int]) -> str:
        """Return the elements of the tree over words with these middles."""
        tree = self.layout.tree
        places = self.layout.places(middles)
        nodes = [
            svg.group(
                [self._branches(number, places, middles), self.label(number, places[number])],
                f"node {node.kind}".rstrip(),
            )
            for number, node in enumerate(tree.nodes)
        ]
        # What both sides have is drawn first, so that it covers nothing of what only one has.
        order = sorted(range(len(nodes)), key=lambda number: tree.nodes[number].kind != "same")
        tags = (self.tag(leaf, middle) for leaf, middle in zip(tree.leaves, middles, strict=True))
        links = [self._link(link, places, middles) for link in tree.links]
        return "".join([svg.group(tags, "soft"), *(nodes[number] for number in order), *links])

    def _branches(self, number: int, places: Sequence[int], middles: Sequence[int]) -> str:
        """Return the branches of a node: a bar with rounded ends at its first and last child."""
        own, begin = places[number], self.inner(number)
        bar = begin - _BAR
        ends = sorted(
            (middles[~child] if child < 0 else places[child], self.outer(child))
            for child in self.layout.tree.nodes[number].children
        )
        parting = self.point(own, bar)
        steps = [_line(self.point(own, begin), parting)]
        for along, away in ends:
            corner, foot = self.point(along, bar), self.point(along, away)
            outside = along in (ends[0][0], ends[-1][0]) and along != own
            steps.append(_bent(parting, corner, foot) if outside else _line(corner, foot))
        return svg.path("".join(steps))

    def _link(self, link: Link, places: Sequence[int], middles: Sequence[int]) -> str:
        """Return a further edge, as a dashed curve beside the branches."""
        along = middles[~link.child] if link.child < 0 else places[link.child]
        x, y = self.point(places[link.parent], self.inner(link.parent))
        to_x, to_y = self.point(along, self.outer(link.child))
        turn_x, turn_y = (x + to_x) // 2 + (to_y - y) // 4, (y + to_y) // 2 + (x - to_x) // 4
        curve = svg.path(f"M{x} {y}Q{turn_x} {turn_y} {to_x} {to_y}")
        middle = ((x + to_x) // 2 + turn_x) // 2, ((y + to_y) // 2 + turn_y) // 2
        label = svg.text(*middle, link.label) if link.label else ""
        return svg.group([curve, label], "extra")


class Upright(DrawnSide):
    """A tree that grows upwards from its words, or downwards below them."""

    def __init__(
        self, layout: TreeLayout, sign: int, *, whole: int, margin: int, turned: bool
    ) -> None:
        """Take the width of the paper and its margin, and whether the sentence begins at right."""
        super().__init__(layout, sign)
        self.whole, self.margin, self.turned = whole, margin, turned
        tree = layout.tree
        self._tags = _TAG_ROW if any(leaf.tag for leaf in tree.leaves) else 3
        edges = any(node.edge for node in tree.nodes) or any(leaf.edge for leaf in tree.leaves)
        self._edge = _EDGE_ROW if edges else 0
        self._step = _STEP + self._edge
        self.height = max(map(self.outer, range(len(tree.nodes))), default=self._tags) + 2

    def x(self, along: int) -> int:
        """Return the place of something along the sentence."""
        return self.whole - self.margin - along if self.turned else self.margin + along

    def point(self, along: int, away: int) -> Point:
        """Return a place on the paper."""
        return self.x(along), self.base + self.sign * away

    def _middle(self, number: int) -> int:
        return self._tags + self._step * self.layout.levels[number] - _HALF

    def inner(self, number: int) -> int:
        """Return how far away from the words the branches of a node begin."""
        return self._middle(number) - _HALF

    def outer(self, child: int) -> int:
        """Return how far away from the words the branch to a node (or word) ends."""
        if child < 0:
            return self._tags + (self._edge if self.layout.tree.leaves[~child].edge else 0)
        edge = self._edge if self.layout.tree.nodes[child].edge else 0
        return self._middle(child) + _HALF + edge

    def label(self, number: int, along: int) -> str:
        """Return the label of a node, with the label of its edge further away."""
        node = self.layout.tree.nodes[number]
        x, y = self.point(along, self._middle(number))
        size = width(node.text, NODE)
        text = svg.parts(x - size // 2, y + 4, node.label, "label start")
        if node.kind and node.kind != "same":
            text = _box(x - size // 2 - 5, y - _HALF, size + 10) + text
        if node.edge:
            _, above = self.point(along, self._middle(number) + _HALF + _EDGE_ROW // 2)
            text += svg.text(x, above + 4, node.edge, "extra")
        return text

    def tag(self, leaf: Leaf, along: int) -> str:
        """Return what stands between a word and its branch."""
        x, y = self.point(along, _TAG_ROW // 2)
        tag = svg.text(x, y + 3, leaf.tag) if leaf.tag else ""
        if not leaf.edge:
            return tag
        _, above = self.point(along, self._tags + _EDGE_ROW // 2)
        return tag + svg.text(x, above + 3, leaf.edge, "extra")


class Sideways(DrawnSide):
    """A tree that grows to the left from its words, or to the right."""

    def __init__(self, layout: TreeLayout, sign: int, *, margin: int) -> None:
        """Take the margin before the first line."""
        super().__init__(layout, sign)
        self.margin = margin
        tree = layout.tree
        tags = max((_tag_width(leaf) for leaf in tree.leaves), default=0)
        widths = [0] * (1 + max(layout.levels, default=0))
        for node, level in zip(tree.nodes, layout.levels, strict=True):
            widths[level] = max(widths[level], _width(node))
        self._starts = [tags]
        for level in range(1, len(widths)):
            self._starts.append(self._starts[-1] + widths[level - 1] + _BETWEEN)
        self.height = self._starts[-1] + widths[-1]

    def point(self, along: int, away: int) -> Point:
        """Return a place on the paper."""
        return self.base + self.sign * away, self.margin + along

    def inner(self, number: int) -> int:
        """Return how far away from the words the branches of a node begin."""
        return self._starts[self.layout.levels[number]] - 4

    def outer(self, child: int) -> int:
        """Return how far away from the words the branch to a node (or word) ends."""
        if child < 0:
            return _tag_width(self.layout.tree.leaves[~child])
        return self._starts[self.layout.levels[child]] + _width(self.layout.tree.nodes[child]) + 4

    def label(self, number: int, along: int) -> str:
        """Return the label of a node, with the label of its edge in front of it."""
        node = self.layout.tree.nodes[number]
        x, y = self.point(along, self._starts[self.layout.levels[number]])
        size = _width(node)
        x -= size if self.sign < 0 else 0
        edge = [(f"{node.edge} ", "extra")] if node.edge else []
        text = svg.parts(x, y + 4, [*edge, *node.label], "label start")
        if not node.kind or node.kind == "same":
            return text
        return _box(x - 3, y - _HALF, size + 6) + text

    def tag(self, leaf: Leaf, along: int) -> str:
        """Return what stands between a word and its branch."""
        if not leaf.tag and not leaf.edge:
            return ""
        x, y = self.point(along, 2)
        x -= _tag_width(leaf) - 6 if self.sign < 0 else 0
        edge = [(f"{leaf.edge} ", "extra")] if leaf.edge else []
        return svg.parts(x, y + 4, [*edge, (leaf.tag, "")], "start")


def _width(node: DrawnNode) -> int:
    edge = width(f"{node.edge} ", NODE) if node.edge else 0
    return width(node.text, NODE) + edge


def _tag_width(leaf: Leaf) -> int:
    text = f"{leaf.edge} {leaf.tag}".strip()
    return width(text, SMALL) + 6 if text else 2


def _box(x: int, y: int, size: int) -> str:
    return f'<rect x="{x}" y="{y}" width="{size}" height="{2 * _HALF}" rx="4"/>'


def _line(start: Point, end: Point) -> str:
    return f"M{start[0]} {start[1]}{_to(start, end)}"


def _to(start: Point, end: Point) -> str:
    return f"V{end[1]}" if start[0] == end[0] else f"H{end[0]}"


def _bent(start: Point, corner: Point, end: Point) -> str:
    """Return a line to a corner and on to an end, rounded at the corner.

    >>> _bent((0, 0), (30, 0), (30, 20))
    'M0 0H24Q30 0 30 6V20'
    """
    size = min(_ROUND, _distance(start, corner) // 2, _distance(corner, end))
    before, after = _towards(corner, start, size), _towards(corner, end, size)
    return f"{_line(start, before)}Q{corner[0]} {corner[1]} {after[0]} {after[1]}{_to(after, end)}"


def _distance(one: Point, other: Point) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _towards(one: Point, other: Point, steps: int) -> Point:
    """Return the point so many steps from one to another one, which is on its row or column."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    return one[0] + steps * ((dx > 0) - (dx < 0)), one[1] + steps * ((dy > 0) - (dy < 0))

"""Trees over words: how high each node stands, and where along the sentence.

A node stands above all that lies between its first and its last word, whether that belongs to it or
not. So no two nodes stand at the same level over the same words, and where a node has a gap, the
branches of what is in the gap cross its own. A node is in the middle of its children; one with a
gap is over that child of its own which is nearest to the middle, out of the way of those branches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

__all__ = ["DrawnNode", "DrawnTree", "Leaf", "Link", "Movement", "Part", "TreeLayout", "spaced"]

Part = tuple[str, str]
"""A piece of a label, and its kind."""

_GAP = 16
_FEW = 6
"""Nodes over more words than this have room for any label."""


class Leaf(NamedTuple):
    """A word: its tag, the label of its edge, and its kind."""

    form: str
    tag: str = ""
    edge: str = ""
    kind: str = ""


class DrawnNode(NamedTuple):
    """A node: its label in parts, its children (word i is ~i), the label of its edge, its kind."""

    label: tuple[Part, ...]
    children: Sequence[int]
    edge: str = ""
    kind: str = ""

    @property
    def text(self) -> str:
        """The label as one text."""
        return "".join(text for text, _ in self.label)


class Link(NamedTuple):
    """A further edge from a node to a node (or word, ~i) that is no part of the tree."""

    parent: int
    child: int
    label: str


class Movement(NamedTuple):
    """A trace (a word), and its antecedent (a node)."""

    trace: int
    antecedent: int


@dataclass(frozen=True, slots=True)
class DrawnTree:
    """Words and nodes, in an order in which parents stand before their children."""

    leaves: Sequence[Leaf]
    nodes: Sequence[DrawnNode]
    links: Sequence[Link] = ()
    movements: Sequence[Movement] = ()


@dataclass(frozen=True, slots=True)
class TreeLayout:
    """Per node its level (from 1), its first and last word, and how many words it has."""

    tree: DrawnTree
    levels: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    last: list[int] = field(default_factory=list)
    broken: list[bool] = field(default_factory=list)

    @classmethod
    def of(cls, tree: DrawnTree) -> TreeLayout:
        """Find the levels of the nodes, from the words upwards.

        >>> s = DrawnNode((("S", ""),), [1, ~1])
        >>> vp = DrawnNode((("VP", ""),), [~0, ~2])
        >>> result = TreeLayout.of(DrawnTree([Leaf("a"), Leaf("b"), Leaf("c")], [s, vp]))
        >>> result.levels, result.broken
        ([2, 1], [False, True])
        """
        nodes = tree.nodes
        heights = [0] * len(tree.leaves)
        first, last = [0] * len(nodes), [0] * len(nodes)
        levels, words = [0] * len(nodes), [0] * len(nodes)
        for number in range(len(nodes) - 1, -1, -1):
            children = nodes[number].children
            low = min(first[child] if child >= 0 else ~child for child in children)
            high = max(last[child] if child >= 0 else ~child for child in children)
            level = 1 + max(heights[low : high + 1])
            heights[low : high + 1] = [level] * (high + 1 - low)
            first[number], last[number], levels[number] = low, high, level
            words[number] = sum(words[child] if child >= 0 else 1 for child in children)
        broken = [
            count < high + 1 - low for count, low, high in zip(words, first, last, strict=True)
        ]
        return cls(tree, levels, first, last, broken)

    def first_word(self, child: int) -> int:
        """Return the first word of a node (or word, ~i)."""
        return self.first[child] if child >= 0 else ~child

    def places(self, leaves: Sequence[int]) -> list[int]:
        """Return where each node is along the sentence, from where the words are."""
        middles = [0] * len(self.tree.nodes)
        for number in range(len(middles) - 1, -1, -1):
            children = self.tree.nodes[number].children
            at = [middles[child] if child >= 0 else leaves[~child] for child in children]
            middle = (min(at) + max(at)) // 2
            if self.broken[number]:
                middle = min(at, key=lambda place: abs(place - middle))
            middles[number] = middle
        return middles


def spaced(boxes: Sequence[int], layouts: Sequence[tuple[TreeLayout, Sequence[int]]]) -> list[int]:
    """Return the middles of words that take so much room, with space for the labels above them.

    Each layout comes with the widths of its nodes' labels.

    >>> spaced([20, 30], [])
    [10, 51]
    """
    rooms = [box + _GAP for box in boxes]
    for layout, widths in layouts:
        for number in range(len(widths) - 1, -1, -1):
            low, high = layout.first[number], layout.last[number]
            if layout.broken[number]:
                low = high = _nearest_leaf(layout, number)
            if high - low >= _FEW:
                continue
            missing = widths[number] + _GAP - sum(rooms[low : high + 1])
            if missing > 0:
                share = -(-missing // (high + 1 - low))
                rooms[low : high + 1] = [room + share for room in rooms[low : high + 1]]
    ends = list(accumulate(rooms))
    return [end - (room + _GAP) // 2 for end, room in zip(ends, rooms, strict=True)]


def _nearest_leaf(layout: TreeLayout, number: int) -> int:
    """Return a word below the middle of a node with a gap."""
    middle = (layout.first[number] + layout.last[number]) / 2
    child = number
    while child >= 0:
        child = min(
            layout.tree.nodes[child].children,
            key=lambda c: abs((~c if c < 0 else (layout.first[c] + layout.last[c]) / 2) - middle),
        )
    return ~child

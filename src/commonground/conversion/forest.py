"""Constituent trees as one numbering of items, in which heads are found and passed upwards.

The items are the words of all sentences (traces included), then the phrases, then one root per
sentence, which holds whatever stands at the top of it; brackets that a conversion adds follow. An
item is a row of the columns here, so that a step of a conversion is a mask over all trees at once,
and the depth of a tree is never the depth of a loop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents, Strings, Table
from commonground.corpus.labels import split_label
from commonground.corpus.table import sums
from commonground.kernels import load

__all__ = ["ROOT", "Arcs", "Children", "Flags", "Forest", "Items", "arcs", "lexical_heads"]

Items = NDArray[np.int64]
Flags = NDArray[np.bool_]

ROOT = ""
"""The category of the roots."""


@dataclass(frozen=True, slots=True)
class Children:
    """The items below each item: those of item i are ``order[start[i] : start[i] + count[i]]``.

    `place` is where an item stands among its siblings, from 0.
    """

    order: Items
    start: Items
    count: Items
    place: Items

    def of(self, item: int) -> list[int]:
        """Return the items below one item, from left to right."""
        begin = int(self.start[item])
        below: list[int] = self.order[begin : begin + int(self.count[item])].tolist()
        return below

    def first(self, items: Items) -> Items:
        """Return the leftmost item below each of some items that have any."""
        return np.asarray(self.order[self.start[items]])

    def last(self, items: Items) -> Items:
        """Return the rightmost item below each of some items that have any."""
        return np.asarray(self.order[self.start[items] + self.count[items] - 1])


@dataclass(frozen=True)
class Forest:
    """The items of constituent trees.

    `parent` is -1 for a root. `category` is a phrase's label or a word's tag without functions and
    indices, `function` the dash tags, joined by hyphens. `position` is the first word of an item
    (a row of the words); `full` tells which items have a word below them that is no trace.

    >>> from commonground.formats import read_text
    >>> forest = Forest.of(read_text("(S (NP-SBJ (NNS Birds)) (VP (VBP sing)))", "brackets"))
    >>> forest.category.tolist(), forest.parent.tolist()
    (['NNS', 'VBP', 'S', 'NP', 'VP', ''], [3, 4, 5, 2, 2, -1])
    >>> forest.function.tolist()
    ['', '', '', 'SBJ', '', '']
    """

    words: int
    parent: Items
    category: Strings
    function: Strings
    position: Items
    full: Flags

    @classmethod
    def of(cls, corpus: Constituents) -> Forest:
        """Return the items of a corpus."""
        words, nodes = corpus.words, corpus.nodes
        roots = words.rows + nodes.rows + np.arange(len(corpus))
        real = ~corpus.traces
        above = words.numbers("parent"), nodes.numbers("parent")
        first, size = (
            load("spans").extents(words.offsets, above[0], times, nodes.offsets, above[1])[part]
            for times, part in ((np.ones(words.rows, np.int64), 0), (real.astype(np.int64), 2))
        )
        sentences = sums(real, words.offsets)
        return cls(
            words.rows,
            np.concatenate(
                [
                    _items_above(words, nodes, roots),
                    _items_above(nodes, nodes, roots),
                    np.full(len(corpus), -1),
                ]
            ),
            _column(corpus, lambda label: split_label(label).category),
            _column(corpus, lambda label: "-".join(split_label(label).functions)),
            np.concatenate(
                [
                    np.arange(words.rows),
                    first + np.repeat(words.offsets[:-1], nodes.lengths),
                    words.offsets[:-1],
                ]
            ),
            np.concatenate([real, size > 0, sentences > 0]),
        )

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def children(self) -> Children:
        """The items below each item, in the order of the words."""
        span = np.int64(max(self.words, 1))
        order = np.argsort(self.parent * span + self.position, kind="stable")
        order = order[np.searchsorted(self.parent[order], 0) :]
        count = np.bincount(self.parent[order], minlength=len(self)).astype(np.int64)
        start = np.cumsum(count) - count
        place = np.zeros(len(self), np.int64)
        place[order] = np.arange(len(order)) - start[self.parent[order]]
        return Children(order, start, count, place)

    @property
    def roots(self) -> Items:
        """The roots, in the order of the sentences."""
        return np.flatnonzero(self.parent < 0)

    def replace(self, **columns: Items | Strings | Flags) -> Forest:
        """Return a forest with other columns."""
        return replace(self, **columns)  # type: ignore[arg-type]  # the names are those of columns


def lexical_heads(forest: Forest, head: Items) -> Items:
    """Return for each item the word that heads it, given the item below each item that heads it.

    `head` is -1 for words, and for phrases without any head; for these the result is -1.
    """
    nothing = len(head)
    up = np.where(head < 0, nothing, head)
    up[: forest.words] = np.arange(forest.words)
    up = np.append(up, nothing)
    while True:
        further = up[up]
        if np.array_equal(further, up):
            return np.where(up[:-1] == nothing, -1, up[:-1])
        up = further


@dataclass(frozen=True, slots=True)
class Arcs:
    """The dependency arc of each word: its `head`, and the `item` that the arc attaches.

    The item of a word is the largest one that it heads. The head is a word, -1 for the word that
    heads the sentence; a trace has neither, which is -2 and -1.
    """

    head: Items
    item: Items


def arcs(forest: Forest, head: Items) -> Arcs:
    """Return the arcs that the head child of each item gives.

    A word hangs on the word that heads the parent of its item.
    """
    lexical = lexical_heads(forest, head)
    above = forest.parent
    outer = (above < 0) | (head[above] != np.arange(len(forest)))
    items = np.flatnonzero(outer & forest.full & (lexical >= 0))
    item, upper = np.full(forest.words, -1, np.int64), np.full(forest.words, -2, np.int64)
    item[lexical[items]] = items
    upper[lexical[items]] = np.where(above[items] < 0, -1, lexical[above[items]])
    return Arcs(upper, item)


def _items_above(rows: Table, nodes: Table, roots: Items) -> Items:
    """Return the parents of rows as items: a node, or the root of the sentence."""
    words = int(roots[0]) - nodes.rows if len(roots) else 0
    parent = rows.numbers("parent").astype(np.int64)
    start = np.repeat(nodes.offsets[:-1], rows.lengths) + words
    return np.where(parent < 0, np.repeat(roots, rows.lengths), parent + start)


def _column(corpus: Constituents, part: Callable[[str], str]) -> Strings:
    columns = [corpus.tag.map(part), corpus.label.map(part), Strings.constant(ROOT, len(corpus))]
    return Strings.concatenate(columns)

"""The canonical order of the nodes of constituent trees, and which words each node covers.

A tree is given by two columns, the parents of its words and the parents of its nodes; both are
counted in the sentence, -1 is the top. All functions here work on the columns of a whole corpus at
once, without a loop over sentences, nodes or levels: what a node gets from its ancestors or from
its descendants is collected in steps that reach twice as far each time, so that a tree of depth d
needs log d steps over the columns, however its words are scattered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.table import Offsets, Table

__all__ = ["Arrangement", "Extents", "TreeError", "arrange", "canonical", "extents"]

Numbers = NDArray[np.integer]
Rows = NDArray[np.int64]


class TreeError(ValueError):
    """Parents that make no trees, with the rows of the nodes that are to blame.

    `circular` are the nodes that lead to no top, because a node is its own ancestor; `wordless` are
    the others that have no word below them.
    """

    def __init__(self, circular: Rows, wordless: Rows) -> None:
        super().__init__(f"{len(circular)} nodes in circles, {len(wordless)} nodes without words")
        self.circular = circular
        self.wordless = wordless


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The canonical order: row i was row ``order[i]``; the parents are those of the new rows."""

    order: Rows
    word_parent: NDArray[np.int32]
    node_parent: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Extents:
    """Per node its `first` and `last` word, from 0 in the sentence, and how many `words` it has."""

    first: Rows
    last: Rows
    words: Rows

    @property
    def continuous(self) -> NDArray[np.bool_]:
        """Which nodes cover all words from their first to their last."""
        return np.asarray(self.last - self.first + 1 == self.words)


def arrange(
    word_offsets: Offsets, word_parent: Numbers, node_offsets: Offsets, node_parent: Numbers
) -> Arrangement:
    """Return the canonical order of nodes that stand in any order in their sentences.

    A parent stands before its children and all that is below a node stands together (pre-order);
    siblings stand in the order of their first words. A parent that is no node of its sentence is a
    ValueError, nodes that make no tree are a :class:`TreeError`.

    The tree (S (NP the cat) (VP sleeps)) with its nodes in the order VP, S, NP:

    >>> one = np.array([0, 3])
    >>> a = arrange(one, np.array([2, 2, 0]), one, np.array([1, -1, 1]))
    >>> a.order.tolist(), a.node_parent.tolist(), a.word_parent.tolist()
    ([1, 2, 0], [-1, 0, 0], [1, 1, 2])
    """
    up, above = _rows(node_parent, node_offsets), _rows(word_parent, word_offsets, node_offsets)
    jumps = list(_jumps(up, int(np.diff(node_offsets).max(initial=0))))
    first = _first_words(above, len(up), jumps)
    size = _collected(np.ones(len(up), np.int64), jumps)
    # All tops are siblings here: their first words put the sentences in order as well.
    family = np.lexsort((first, up))
    before = np.cumsum(size[family]) - size[family]
    eldest = np.flatnonzero(np.diff(up[family], prepend=-2))
    before -= np.repeat(before[eldest], np.diff(eldest, append=len(up)))
    place = np.empty_like(size)
    place[family] = before + (up[family] >= 0)  # 1 for the parent itself, which stands before
    for nodes, ancestors in jumps:
        place[nodes] += place[ancestors]
    order = np.empty_like(place)
    order[place] = np.arange(len(place))
    return Arrangement(
        order,
        _in_sentence(place, above, np.repeat(node_offsets[:-1], np.diff(word_offsets))),
        _in_sentence(place, up[order], np.repeat(node_offsets[:-1], np.diff(node_offsets))),
    )


def canonical(tables: Mapping[str, Table]) -> dict[str, Table]:
    """Return the tables of constituents with the nodes in canonical order.

    The table `secondary`, if there is one, gets the new numbers of the nodes, and is put in the
    order of what its edges lead to: words first, then nodes, as they stand, and then by parent.
    """
    words, nodes = tables["words"], tables["nodes"]
    arranged = arrange(
        words.offsets, words.numbers("parent"), nodes.offsets, nodes.numbers("parent")
    )
    ordered = Table(
        nodes.offsets, **{n: column[arranged.order] for n, column in nodes.columns.items()}
    )
    result = {
        **tables,
        "words": words.replace(parent=arranged.word_parent),
        "nodes": ordered.replace(parent=arranged.node_parent),
    }
    if "secondary" in tables:
        result["secondary"] = _secondary(tables["secondary"], nodes.offsets, arranged.order)
    return result


def extents(words: Table, nodes: Table) -> Extents:
    """Return which words each node covers, from the columns `parent` of words and nodes.

    Below, the first node covers the words 0 and 2, and the second one the word in between:

    >>> words = Table([0, 3], parent=np.array([0, 1, 0]))
    >>> result = extents(words, Table([0, 2], parent=np.array([-1, -1])))
    >>> result.first.tolist(), result.last.tolist(), result.continuous.tolist()
    ([0, 1], [2, 1], [False, True])
    """
    up = _rows(nodes.numbers("parent"), nodes.offsets)
    above = _rows(words.numbers("parent"), words.offsets, nodes.offsets)
    jumps = list(_jumps(up, int(nodes.lengths.max(initial=0))))
    first = _first_words(above, len(up), jumps)
    own = np.bincount(above[above >= 0], minlength=len(up)).astype(np.int64)
    last = np.full(len(up), -1, np.int64)
    np.maximum.at(last, above[above >= 0], np.flatnonzero(above >= 0))
    for below, ancestors in jumps:
        np.maximum.at(last, ancestors, last[below])
    start = np.repeat(words.offsets[:-1], nodes.lengths)
    return Extents(first - start, last - start, _collected(own, jumps))


def _rows(parent: Numbers, offsets: Offsets, targets: Offsets | None = None) -> Rows:
    """Return parents as rows of the whole column of nodes, -1 at the top."""
    nodes = offsets if targets is None else targets
    lengths = np.diff(offsets)
    if ((parent < -1) | (parent >= np.repeat(np.diff(nodes), lengths))).any():
        raise ValueError("a parent that is no node of its sentence")
    return np.where(parent < 0, -1, parent + np.repeat(nodes[:-1], lengths)).astype(np.int64)


def _jumps(up: Rows, longest: int) -> Iterator[tuple[Rows, Rows]]:
    """Return the nodes that have an ancestor 1, 2, 4, … steps above, each time with the ancestors.

    No way up in a tree has more steps than the `longest` sentence has nodes.
    """
    far = up.copy()
    nodes = np.flatnonzero(far >= 0)
    for _ in range(longest.bit_length() + 1):
        if not len(nodes):
            return
        ancestors = far[nodes]
        yield nodes, ancestors
        further = far[ancestors]
        far[nodes] = further
        nodes = nodes[further >= 0]
    if len(nodes):
        raise TreeError(nodes, np.empty(0, np.int64))


def _first_words(above: Rows, nodes: int, jumps: list[tuple[Rows, Rows]]) -> Rows:
    """Return for each node the row of the first word below it."""
    none = len(above)
    first = np.full(nodes, none, np.int64)
    np.minimum.at(first, above[above >= 0], np.flatnonzero(above >= 0))
    for below, ancestors in jumps:
        np.minimum.at(first, ancestors, first[below])
    if (first == none).any():
        raise TreeError(np.empty(0, np.int64), np.flatnonzero(first == none))
    return first


def _collected(own: Rows, jumps: list[tuple[Rows, Rows]]) -> Rows:
    """Return for each node the sum over itself and all that is below it."""
    total = own.copy()
    for below, ancestors in jumps:
        np.add.at(total, ancestors, total[below])
    return total


def _in_sentence(place: Rows, rows: Rows, start: Rows) -> NDArray[np.int32]:
    """Return the places of rows, counted from the start of their sentences, -1 at the top."""
    if not len(place):
        return np.full(len(rows), -1, np.int32)
    return np.where(rows < 0, -1, place[rows] - start).astype(np.int32)


def _secondary(edges: Table, offsets: Offsets, order: Rows) -> Table:
    start = np.repeat(offsets[:-1], edges.lengths)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    word = edges.numbers("word")
    parent, node = (
        _in_sentence(place, np.where(rows < 0, -1, rows + start), start)
        for rows in (edges.numbers("parent"), edges.numbers("node"))
    )
    rows = np.lexsort((parent, node, word, word < 0, edges.sentence_of_row()))
    columns = {**edges.columns, "parent": parent, "node": node}
    return Table(edges.offsets, **{name: column[rows] for name, column in columns.items()})

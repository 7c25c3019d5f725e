"""Sorted function trees: function trees as ordered labelled trees, for people and for the distance.

A node with a set of labels becomes a chain of nodes, each the only child of the one before, with
the labels in alphabetical order from the top; a node without labels is none. Children stand in the
order of their first words. So every corpus of function trees whose yields do not cross has one
ordered form, also where yields are not continuous: the subtrees of a dependency tree never cross.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Functions, Strings, Table
from commonground.corpus.functions import canonical, parse_yield
from commonground.corpus.strings import Vocabulary
from commonground.corpus.table import offsets_of
from commonground.ground.algebra import CrossingError, crossings
from commonground.ground.dependencies import WILDCARD
from commonground.kernels import load

__all__ = ["OrderedTrees", "bracketed", "ordered_trees", "tree_distances", "unlabelled", "unrooted"]

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class OrderedTrees:
    """Ordered trees (or forests) in postorder: all children stand before their parent.

    `leftmost` is the first leaf below each node, counted in its tree from 0; a leaf is its own.
    """

    offsets: Numbers
    label: Strings
    yields: Strings
    leftmost: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def columns(self, labels: Vocabulary) -> tuple[Numbers, NDArray[np.int32], NDArray[np.int32]]:
        """Return the trees as the kernels take them, their labels numbered in a vocabulary."""
        codes = self.label.codes_in(labels)
        wild = self.label.where(lambda text: text == WILDCARD)
        return self.offsets, np.where(wild, -1, codes).astype(np.int32), self.leftmost


def tree_distances(one: OrderedTrees, two: OrderedTrees, *, relabel: int = 1) -> Numbers:
    """Return for each pair of trees how many edits make the second of the first.

    Nodes can be deleted and inserted at the cost of 1 and relabelled at the cost given; a wildcard
    is equal to every label. This is the distance of Zhang and Shasha (1989).

    >>> flat = Functions.of([(["a", "b"], [("1", "x"), ("2", "y")])])
    >>> deep = Functions.of([(["a", "b"], [("1-2", "z"), ("1", "x"), ("2", "w")])])
    >>> tree_distances(ordered_trees(flat), ordered_trees(deep)).tolist()
    [2]
    """
    labels = Vocabulary()
    distances: Numbers = load("tree_distance").distances(
        one.columns(labels), two.columns(labels), relabel
    )
    return distances


def ordered_trees(corpus: Functions) -> OrderedTrees:
    """Return function trees as ordered trees, or raise :class:`CrossingError` where yields cross.

    >>> tree = Functions.of([(["a", "b"], [("1-2", "r"), ("1", "y"), ("1", "x"), ("2", "z")])])
    >>> ordered_trees(tree).label.tolist(), ordered_trees(tree).leftmost.tolist()
    (['y', 'x', 'z', 'r'], [0, 0, 2, 0])
    """
    stretches = [[(a - 1, b) for a, b in parse_yield(text)] for text in corpus.yields.vocabulary]
    labelled = np.flatnonzero(corpus.label.where(bool))
    offsets = np.searchsorted(labelled, corpus.nodes.offsets)
    codes = corpus.yields.codes[labelled].tolist()
    rows: list[int] = []
    leftmost: list[int] = []
    for sentence, length in enumerate(corpus.words.lengths.tolist()):
        start, stop = offsets[sentence : sentence + 2].tolist()
        parents = _parents([stretches[code] for code in codes[start:stop]], length)
        if parents is None:
            raise CrossingError(list(crossings(corpus)))
        order, first = _postorder(parents)
        rows += [start + node for node in order]
        leftmost += first
    kept = labelled[np.array(rows, np.int64)]
    return OrderedTrees(
        offsets, corpus.label[kept], corpus.yields[kept], np.array(leftmost, np.int32)
    )


def bracketed(corpus: Functions) -> Iterator[str]:
    """Write each function tree with its words in brackets, the way people read trees.

    >>> tree = Functions.of([(["on", "Sunday"], [("1-2", "tmod"), ("1", "prep"), ("2", "*")])])
    >>> print(*bracketed(tree))
    (tmod (prep on) (* Sunday))
    """
    trees = ordered_trees(corpus)
    for sentence in range(len(corpus)):
        rows = slice(*trees.offsets[sentence : sentence + 2].tolist())
        parts: list[tuple[int, str]] = []
        covered: set[int] = set()
        for label, words in zip(trees.label[rows], trees.yields[rows], strict=True):
            mine = {w for a, b in parse_yield(words) for w in range(a, b + 1)}
            below = [part for part in parts if part[0] in mine]
            parts = [part for part in parts if part[0] not in mine]
            texts = sorted([*below, *_words(corpus, sentence, mine - covered)])
            parts.append((min(mine), f"({label} {' '.join(text for _, text in texts)})"))
            covered |= mine
        rest = set(range(1, int(corpus.words.lengths[sentence]) + 1)) - covered
        yield " ".join(text for _, text in sorted([*parts, *_words(corpus, sentence, rest)]))


def unrooted(corpus: Functions) -> Functions:
    """Return function trees without the nodes over all words of their sentence: the root.

    >>> tree = Functions.of([(["a", "b"], [("1-2", "root"), ("1", "x"), ("2", "hd")])])
    >>> unrooted(tree).yields.tolist()
    ['1', '2']
    """
    nodes = corpus.nodes
    sentence = nodes.sentence_of_row()
    kept = np.flatnonzero(~corpus.roots)
    table = Table(
        offsets_of(np.bincount(sentence[kept], minlength=len(corpus))),
        yields=corpus.yields[kept],
        label=corpus.label[kept],
    )
    return Functions({**corpus.tables, "nodes": table})


def unlabelled(corpus: Functions) -> Functions:
    """Return function trees in which every node has the one label ``_``.

    >>> tree = Functions.of([(["a", "b"], [("1-2", ""), ("1", "x"), ("1", "y")])])
    >>> list(zip(unlabelled(tree).yields, unlabelled(tree).label))
    [('1-2', '_'), ('1', '_')]
    """
    nodes = corpus.nodes.replace(label=Strings.constant("_", corpus.nodes.rows))
    return Functions({**corpus.tables, "nodes": canonical(nodes)})


def _words(corpus: Functions, sentence: int, numbers: set[int]) -> list[tuple[int, str]]:
    start = int(corpus.words.offsets[sentence]) - 1
    return [(number, corpus.form[start + number]) for number in numbers]


def _parents(stretches: list[list[tuple[int, int]]], length: int) -> list[int] | None:
    """Return the parents of nodes over stretches of words (from, to before), None if nodes cross.

    The parent of a node at the top is -1. Larger nodes stand before smaller ones that begin with
    the same word, and of nodes over the same words, each is the parent of the next.

    >>> _parents([[(0, 1), (2, 3)], [(0, 1)], [(1, 2)], [(1, 2)], [(2, 3)]], 3)
    [-1, 0, -1, 2, 0]
    """
    size = [sum(b - a for a, b in runs) for runs in stretches]
    innermost = [-1] * length  # the smallest node over each word so far
    parents = [-1] * len(stretches)
    for node in sorted(range(len(stretches)), key=lambda node: -size[node]):
        parent = parents[node] = innermost[stretches[node][0][0]]
        for a, b in stretches[node]:
            if innermost[a:b].count(parent) != b - a:
                return None
            innermost[a:b] = [node] * (b - a)
    return parents


def _postorder(parents: list[int]) -> tuple[list[int], list[int]]:
    """Return nodes in postorder, and the leftmost leaf below each of them as a place there.

    Siblings stay in their order.

    >>> _postorder([-1, 0, 1, 0])
    ([2, 1, 3, 0], [0, 0, 2, 0])
    """
    children: list[list[int]] = [[] for _ in range(len(parents) + 1)]
    for node, parent in enumerate(parents):
        children[parent].append(node)
    order: list[int] = []
    leftmost: list[int] = []
    path = [(node, -1) for node in reversed(children[-1])]
    while path:
        node, first = path.pop()
        if first < 0:
            path.append((node, len(order)))
            path += [(child, -1) for child in reversed(children[node])]
        else:
            order.append(node)
            leftmost.append(first)
    return order, leftmost

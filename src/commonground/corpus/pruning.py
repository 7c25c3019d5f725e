"""Constituent trees without some of their words and nodes; all that was below a node stays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.arrange import canonical
from commonground.corpus.constituents import Constituents
from commonground.corpus.table import Table, offsets_of

__all__ = ["pruned"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


def pruned(corpus: Constituents, words: Flags, nodes: Flags) -> Constituents:
    """Return the trees with only these words and nodes.

    What stood below a node that goes stands below the next node above it. Nodes that have no words
    left go as well, and so do secondary edges without one of their ends. A sentence that would have
    no words left keeps all of them.

    >>> from commonground.formats import read_text
    >>> corpus = read_text("(S (NP (NP (NN rain))) (VP (VBZ falls)) (. .))", "brackets")
    >>> words, nodes = corpus.tag.where(".".__ne__), corpus.label.where("VP".__ne__)
    >>> fewer = pruned(corpus, words, nodes)
    >>> fewer.form.tolist(), fewer.label.tolist(), fewer.words.numbers("parent").tolist()
    (['rain', 'falls'], ['S', 'NP', 'NP'], [2, 0])
    """
    table, phrases = corpus.words, corpus.nodes
    left = np.bincount(table.sentence_of_row()[words], minlength=len(corpus)) > 0
    words = words | ~left[table.sentence_of_row()]
    up = _rows(phrases.numbers("parent"), phrases, phrases)
    above = _rows(table.numbers("parent"), table, phrases)
    nodes = nodes & _with_words(above[words], up)
    nearest = _nearest(up, nodes)
    number = np.cumsum(nodes) - 1
    counts = np.bincount(phrases.sentence_of_row()[nodes], minlength=len(corpus))
    offsets = offsets_of(counts)

    def renumbered(rows: Numbers, table: Table, kept: Flags) -> NDArray[np.int32]:
        """Return rows of all nodes as rows of those that stay, counted in their sentences."""
        start = offsets[:-1][table.sentence_of_row()[kept]]
        return np.where(rows < 0, -1, number[rows] - start).astype(np.int32)

    fewer_words = Table(
        offsets_of(np.bincount(table.sentence_of_row()[words], minlength=len(corpus))),
        **{name: column[words] for name, column in table.columns.items()},
    ).replace(parent=renumbered(_at(nearest, above[words]), table, words))
    fewer_nodes = Table(
        offsets, **{name: column[nodes] for name, column in phrases.columns.items()}
    ).replace(parent=renumbered(_at(nearest, up[nodes]), phrases, nodes))
    tables = {**corpus.tables, "words": fewer_words, "nodes": fewer_nodes}
    tables["secondary"] = _secondary(corpus, words, nodes)
    return Constituents(canonical(tables))


def _rows(parent: NDArray[np.int32], table: Table, nodes: Table) -> Numbers:
    start = np.repeat(nodes.offsets[:-1], table.lengths)
    return np.where(parent < 0, -1, parent + start).astype(np.int64)


def _at(nearest: Numbers, rows: Numbers) -> Numbers:
    if not len(nearest):
        return np.full(len(rows), -1, np.int64)
    return np.where(rows < 0, -1, nearest[rows])


def _with_words(above: Numbers, up: Numbers) -> Flags:
    """Tell which nodes are above one of the words whose parents are given."""
    above_words = np.zeros(len(up), np.bool_)
    rows = above[above >= 0]
    while len(rows):
        rows = np.unique(rows[~above_words[rows]])
        above_words[rows] = True
        rows = up[rows][up[rows] >= 0]
    return above_words


def _nearest(up: Numbers, kept: Flags) -> Numbers:
    """Return for each node itself if it stays, or else the next node above that does, or -1."""
    nearest = np.where(kept, np.arange(len(up)), up)
    while True:
        again = (nearest >= 0) & ~kept[nearest]
        if not again.any():
            return nearest
        nearest[again] = up[nearest[again]]


def _secondary(corpus: Constituents, words: Flags, nodes: Flags) -> Table:
    """Return the secondary edges that have both ends left, with their new numbers."""
    edges = corpus.secondary
    sentence = edges.sentence_of_row()
    ends: dict[str, NDArray[np.int32]] = {}
    kept = np.ones(edges.rows, np.bool_)
    for name, table, stays in (
        ("parent", corpus.nodes, nodes),
        ("node", corpus.nodes, nodes),
        ("word", corpus.words, words),
    ):
        old = edges.numbers(name)
        before = np.concatenate([[0], np.cumsum(stays)])
        start = table.offsets[:-1][sentence]
        rows = np.where(old < 0, 0, old + start)
        there = old >= 0
        kept &= ~there | (stays[rows] if len(stays) else False)
        ends[name] = np.where(there, before[rows] - before[start], -1).astype(np.int32)
    columns = {**edges.columns, **ends}
    counts = np.bincount(sentence[kept], minlength=len(corpus))
    return Table(offsets_of(counts), **{name: column[kept] for name, column in columns.items()})

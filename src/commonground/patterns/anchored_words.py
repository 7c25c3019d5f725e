"""Which words the nodes of graphs of meaning stand for, over a whole corpus at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Graphs, Strings

__all__ = [
    "NOWHERE",
    "anchor_texts",
    "feature_lists",
    "normal_edges",
    "property_texts",
    "word_spans",
]

Rows = NDArray[np.int64]

NOWHERE = 1 << 30
"""The last word of a node without an anchor, whose first one is -1: it is before and after none."""


def word_spans(corpus: Graphs) -> tuple[Rows, Rows]:
    """Return the first and the last word (from 0) of each node.

    >>> import commonground as cg
    >>> [rows[:4].tolist() for rows in word_spans(cg.read("example:dm"))]
    [[0, 1, 2, 3], [0, 1, 2, 3]]
    """
    nodes, anchors, words = corpus.nodes, corpus.anchors, corpus.words
    row = nodes.offsets[anchors.sentence_of_row()] + anchors.numbers("node")
    start, end = np.full(nodes.rows, NOWHERE, np.int64), np.full(nodes.rows, -1, np.int64)
    np.minimum.at(start, row, anchors.numbers("start").astype(np.int64))
    np.maximum.at(end, row, anchors.numbers("end").astype(np.int64))
    sentence = nodes.sentence_of_row().astype(np.int64) * (4 * NOWHERE)
    of_word = words.sentence_of_row().astype(np.int64) * (4 * NOWHERE)
    ends, starts = (of_word + words.numbers(name) for name in ("end", "start"))
    offset = words.offsets[nodes.sentence_of_row()]
    first = np.searchsorted(ends, sentence + start, "right") - offset
    last = np.searchsorted(starts, sentence + end, "left") - 1 - offset
    there = (end >= 0) & (last >= first)
    return np.where(there, first, -1), np.where(there, last, NOWHERE)


def anchor_texts(corpus: Graphs) -> Strings:
    """Return the text that each node stands for, ``_`` for nothing.

    >>> import commonground as cg
    >>> anchor_texts(cg.read("example:eds"))[:3].tolist()
    ['The', 'old', 'dog']
    """
    texts = ["_"] * corpus.nodes.rows
    for sentence, begin in zip(corpus, corpus.nodes.offsets[:-1].tolist(), strict=True):
        text = sentence.text
        rows = (sentence.column(name, "anchors").tolist() for name in ("node", "start", "end"))
        for node, start, end in sorted(zip(*rows, strict=True)):
            before = texts[begin + node]
            piece = text[start:end]
            texts[begin + node] = piece if before == "_" else f"{before} {piece}"
    return Strings.of(texts)


def property_texts(corpus: Graphs, name: str) -> Strings | None:
    """Return the value of a property of each node, ``_`` where it has none; None if none has."""
    table = corpus.properties
    named = np.flatnonzero(table.strings("name").where(lambda text: text == name))
    if not len(named):
        return None
    texts = ["_"] * corpus.nodes.rows
    for row, value in zip(
        _rows(corpus)[named].tolist(), table.strings("value")[named], strict=True
    ):
        texts[row] = value.strip('"')
    return Strings.of(texts)


def feature_lists(corpus: Graphs) -> Strings:
    """Return all properties of each node, written as features are (``CARG=Tom|SF=prop``)."""
    lists: list[list[str]] = [[] for _ in range(corpus.nodes.rows)]
    table = corpus.properties
    pairs = zip(table.strings("name"), table.strings("value"), strict=True)
    for row, (name, value) in zip(_rows(corpus).tolist(), pairs, strict=True):
        plain = value.strip('"').replace("|", "/")  # what stands between features
        lists[row].append(f"{name}={plain}")
    return Strings.of("|".join(each) or "_" for each in lists)


def _rows(corpus: Graphs) -> Rows:
    """Return the node of each property, counted through all graphs."""
    table = corpus.properties
    rows: Rows = corpus.nodes.offsets[table.sentence_of_row()] + table.numbers("node")
    return rows


def normal_edges(corpus: Graphs) -> tuple[Rows, Rows, Strings]:
    r"""Return sources, targets and labels of edges; inverted ones of AMR are turned back.

    >>> from commonground.formats import read_text
    >>> edges = normal_edges(read_text("(d / dog :ARG0-of (b / bark-01))\n", "amr"))
    >>> [each.tolist() for each in edges]
    [[1], [0], ['ARG0']]
    """
    edges, attributes = corpus.edges, corpus.attributes
    begin = corpus.nodes.offsets[edges.sentence_of_row()]
    source, target = (begin + edges.numbers(name) for name in ("source", "target"))
    label = edges.strings("label")
    turned = np.flatnonzero(attributes.strings("name").where(lambda text: text == "normal"))
    if len(turned):
        rows = (edges.offsets[attributes.sentence_of_row()] + attributes.numbers("edge"))[turned]
        source[rows], target[rows] = target[rows], source[rows].copy()
        both = Strings.concatenate([label, attributes.strings("value")[turned]])
        codes = both.codes[: len(label)].copy()
        codes[rows] = both.codes[len(label) :]
        label = Strings(codes, both.vocabulary)
    return source.astype(np.int64), target.astype(np.int64), label

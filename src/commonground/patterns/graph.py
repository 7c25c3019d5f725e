"""What patterns look at: the nodes of a corpus, the arcs between them, and what their columns read.

Words of dependencies, phrases and words of constituents, nodes of relations and of graphs of
meaning: all become rows of one range of numbers, with the sentence that each stands in, the words
that it covers, and arcs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents, Corpus, Dependencies, Graphs, Relations, Strings
from commonground.corpus.arrange import extents
from commonground.corpus.deps import arcs_in
from commonground.corpus.graph_words import with_words
from commonground.errors import UsageError
from commonground.patterns.anchored_words import (
    anchor_texts,
    feature_lists,
    normal_edges,
    property_texts,
    word_spans,
)
from commonground.patterns.language import PatternError

__all__ = ["ArcGraph", "Graph", "ParentGraph", "Rows", "graph_of"]

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class ParentGraph:
    """Arcs of which every node has at most one from above: its `parent` (-1: none) and `label`."""

    parent: Rows
    label: Strings


@dataclass(frozen=True)
class ArcGraph:
    """Any arcs: a row for each, with its `head`, its `dependent` and its `label`."""

    head: Rows
    dependent: Rows
    label: Strings


@dataclass(frozen=True)
class Graph:
    """The nodes of a corpus as rows: `sentence`, `first` and `last` word (from 0), and arcs.

    `columns` returns a column of text by its name, or None; `arcs` those of the graph ``-`` (the
    tree) or ``=`` (the enhanced one).
    """

    corpus: Corpus
    sentence: Rows
    first: Rows
    last: Rows
    column_of: Callable[[str], Strings | None]
    arcs_of: Callable[[str], ParentGraph | ArcGraph]
    known: tuple[str, ...]
    _columns: dict[str, Strings] = field(default_factory=dict)
    _arcs: dict[str, ParentGraph | ArcGraph] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return len(self.sentence)

    def arcs(self, graph: str) -> ParentGraph | ArcGraph:
        """Return the arcs of a graph, ``-`` or ``=``."""
        if graph not in self._arcs:
            self._arcs[graph] = self.arcs_of(graph)
        return self._arcs[graph]

    def column(self, name: str) -> Strings:
        """Return a column of the nodes, by the name that patterns have for it."""
        source = "feats" if name[0].isupper() else name.partition(".")[0]
        if source in self._columns:
            return self._columns[source]
        texts = self.column_of(source)
        if texts is None:
            there = ", ".join((*self.known, "id"))
            raise PatternError(
                f"{self.corpus.kind} have no column {source!r}; there are {there}, and features "
                "such as Number"
            )
        self._columns[source] = texts
        return texts


def graph_of(corpus: Corpus) -> Graph:
    """Return what patterns look at in a corpus."""
    if isinstance(corpus, Dependencies):
        return _of_dependencies(corpus)
    if isinstance(corpus, Constituents):
        return _of_constituents(corpus)
    if isinstance(corpus, Relations):
        return _of_relations(corpus)
    if isinstance(corpus, Graphs):
        return _of_graphs(corpus)
    raise UsageError(f"patterns find nothing in {corpus.kind}; they are for trees and graphs")


def _of_dependencies(corpus: Dependencies) -> Graph:
    words = corpus.words
    place = words.row_in_sentence()

    def column(name: str) -> Strings | None:
        if name == "word":
            return corpus.form.map(str.lower)
        texts = words.columns.get(name)
        return texts if isinstance(texts, Strings) else None

    def arcs(graph: str) -> ParentGraph | ArcGraph:
        if graph == "=":
            return _enhanced(corpus)
        head = corpus.head.astype(np.int64)
        start = np.repeat(words.offsets[:-1], words.lengths)
        return ParentGraph(np.where(head > 0, start + head - 1, -1), corpus.deprel)

    texts = tuple(name for name, column in words.columns.items() if isinstance(column, Strings))
    return Graph(corpus, words.sentence_of_row(), place, place, column, arcs, ("word", *texts))


def _enhanced(corpus: Dependencies) -> ArcGraph:
    """Return the arcs of the enhanced graph between words; those of empty nodes are left out."""
    pairs = [
        [(arc.major, arc.label) for arc in arcs_in(text) if arc and not arc.minor]
        for text in corpus.deps.vocabulary
    ]
    counts = np.fromiter(map(len, pairs), np.int64, len(pairs))
    first = np.cumsum(counts) - counts
    heads = np.array([head for arcs in pairs for head, _ in arcs], np.int64)
    labels = Strings.of(label for arcs in pairs for _, label in arcs)
    codes = corpus.deps.codes
    times = counts[codes] if len(counts) else np.zeros(0, np.int64)
    dependent = np.repeat(np.arange(len(codes)), times)
    within = np.arange(len(dependent)) - np.repeat(np.cumsum(times) - times, times)
    which = (first[codes[dependent]] if len(first) else dependent) + within
    start = np.repeat(corpus.offsets[:-1], corpus.words.lengths)
    head = heads[which] if len(heads) else which
    length = np.repeat(corpus.words.lengths, corpus.words.lengths)
    there = (head > 0) & (head <= length[dependent])
    dependent, which, head = dependent[there], which[there], head[there]
    return ArcGraph(start[dependent] + head - 1, dependent, labels[which])


def _of_constituents(corpus: Constituents) -> Graph:
    words, nodes = corpus.words, corpus.nodes
    spans = extents(words, nodes)
    place = words.row_in_sentence()
    above_words = np.repeat(nodes.offsets[:-1], words.lengths)
    above_nodes = np.repeat(nodes.offsets[:-1], nodes.lengths)

    def column(name: str) -> Strings | None:
        make = _OF_PHRASES.get(name)
        return make(corpus) if make else None

    def arcs(_: str) -> ParentGraph | ArcGraph:
        up_nodes, up_words = nodes.numbers("parent"), words.numbers("parent")
        parent = np.concatenate(
            [
                np.where(up_nodes >= 0, up_nodes + above_nodes, -1),
                np.where(up_words >= 0, up_words + above_words, -1),
            ]
        )
        return ParentGraph(parent.astype(np.int64), _OF_PHRASES["edge"](corpus))

    return Graph(
        corpus,
        np.concatenate([nodes.sentence_of_row(), words.sentence_of_row()]),
        np.concatenate([spans.first, place]),
        np.concatenate([spans.last, place]),
        column,
        arcs,
        tuple(_OF_PHRASES),
    )


def _of_words(corpus: Constituents, column: Strings) -> Strings:
    """Return a column that phrases have not."""
    return Strings.concatenate([Strings.constant("_", corpus.nodes.rows), column])


def _of_both(corpus: Constituents) -> Strings:
    return Strings.concatenate([corpus.label, corpus.tag])


_OF_PHRASES: dict[str, Callable[[Constituents], Strings]] = {
    "form": lambda c: _of_words(c, c.form),
    "word": lambda c: _of_words(c, c.form.map(str.lower)),
    "lemma": lambda c: _of_words(c, c.words.strings("lemma")),
    "tag": lambda c: _of_words(c, c.tag),
    "label": _of_both,
    "function": lambda c: _of_both(c).map(_functions),
    "index": lambda c: Strings.concatenate([c.label.map(_index), c.form.map(_trace_index)]),
    "trace": lambda c: _of_words(c, c.form.map(_trace)),
    "edge": lambda c: Strings.concatenate([c.nodes.strings("edge"), c.words.strings("edge")]),
}
"""The columns of phrases and words, by name."""


def _functions(label: str) -> str:
    """Return the function tags of a label, as features have their values.

    >>> _functions("NP-SBJ-TMP-1"), _functions("NP"), _functions("-NONE-")
    ('SBJ,TMP', '_', '_')
    """
    if label.startswith("-"):
        return "_"
    tags = [tag for tag in label.split("-")[1:] if tag and not tag.isdecimal()]
    return ",".join(tag.partition("=")[0] for tag in tags) or "_"


def _index(label: str) -> str:
    """Return the index of a phrase.

    >>> _index("NP-SBJ-12"), _index("NP-SBJ")
    ('12', '_')
    """
    last = label.partition("=")[0].rpartition("-")[2]
    return last if last.isdecimal() else "_"


def _trace_index(form: str) -> str:
    return _index(form) if form.startswith("*") else "_"


def _trace(form: str) -> str:
    """Return the kind of a trace.

    >>> _trace("*RNR*-7"), _trace("star")
    ('*RNR*', '_')
    """
    return form.rpartition("*")[0] + "*" if form.startswith("*") and len(form) > 1 else "_"


def _of_relations(corpus: Relations) -> Graph:
    nodes, relations = corpus.nodes, corpus.relations
    start = np.repeat(nodes.offsets[:-1], relations.lengths)

    def column(name: str) -> Strings | None:
        if name in ("form", "text"):
            return nodes.strings("text")
        if name == "word":
            return nodes.strings("text").map(str.lower)
        texts = nodes.columns.get(name)
        return texts if isinstance(texts, Strings) else None

    def arcs(_: str) -> ParentGraph | ArcGraph:
        head, dependent = corpus.head.astype(np.int64), corpus.dependent.astype(np.int64)
        there = np.flatnonzero((head >= 0) & (dependent >= 0))
        return ArcGraph((head + start)[there], (dependent + start)[there], corpus.label[there])

    texts = tuple(name for name, column in nodes.columns.items() if isinstance(column, Strings))
    return Graph(
        corpus,
        nodes.sentence_of_row(),
        nodes.numbers("first").astype(np.int64) - 1,
        nodes.numbers("last").astype(np.int64) - 1,
        column,
        arcs,
        ("form", "word", *texts),
    )


def _of_graphs(corpus: Graphs) -> Graph:
    words = corpus.words
    if not words.rows or words.numbers("start").min() < 0:
        corpus = with_words(corpus)
    nodes = corpus.nodes

    def column(name: str) -> Strings | None:
        if name in ("label", "id"):
            return nodes.strings(name)
        if name == "top":
            return Strings.of(map(str, nodes.numbers("top").tolist()))
        if name in ("form", "text"):
            return anchor_texts(corpus)
        if name == "word":
            return anchor_texts(corpus).map(str.lower)
        return feature_lists(corpus) if name == "feats" else property_texts(corpus, name)

    def arcs(_: str) -> ParentGraph | ArcGraph:
        return ArcGraph(*normal_edges(corpus))

    properties = sorted(set(corpus.properties.strings("name")))
    known = ("label", "top", "form", "word", *(name for name in properties if name.islower()))
    return Graph(corpus, nodes.sentence_of_row(), *word_spans(corpus), column, arcs, known)

"""A trained graph-based parser: weights, labels, and how they make trees."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.kernels import load
from commonground.kernels.perceptron import Weights
from commonground.parsers.graph.features import template_sets
from commonground.parsers.graph.guesses import Guesses
from commonground.parsers.graph.labels import label_rows
from commonground.parsers.graph.parts import PART_NAMES, decoded, parts_of
from commonground.parsers.graph.pruning import batches, kept_arcs
from commonground.parsers.graph.words import Words, words_of
from commonground.parsers.model_file import ModelError, Stored
from commonground.parsers.sparse_weights import read_weights, weight_arrays
from commonground.parsers.weights import Narrow, aligned, bits_of

__all__ = ["GraphModel", "load_graph", "store_graph"]

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]


_TABLES = ("pruning", *PART_NAMES)


@dataclass(frozen=True)
class GraphModel:
    """Weights and labels. There are no weights of `pairs` or `lines` that it does not score."""

    heads: int
    labels: tuple[str, ...]
    pruning: Narrow
    arcs: Narrow
    pairs: Narrow
    lines: Narrow
    label: Weights
    stacked: bool = False
    clusters: bool = False
    _labeller: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        labeller = load("sparse").SparseClassifier(len(self.labels), self.label)
        object.__setattr__(self, "_labeller", labeller)

    def parse(self, corpus: Dependencies, guesses: Guesses | None = None) -> Dependencies:
        """Return the corpus with trees."""
        words = words_of(corpus)
        head = np.empty(corpus.words.rows, np.int32)
        start = 0
        for first, last in batches(words):
            heads = self.heads_of(words, first, last, guesses)
            head[start : start + len(heads)] = heads
            start += len(heads)
        labels = self.labels_of(corpus, words, head, guesses)
        return corpus.replace("words", head=head, deprel=labels)

    def heads_of(self, words: Words, first: int, last: int, guesses: Guesses | None) -> Codes:
        """Return the heads of the words of some sentences."""
        sets = template_sets(stacked=self.stacked, clusters=self.clusters)
        arcs = kept_arcs(words, first, last, self.pruning, self.heads)
        tables = [table for table in (self.arcs, self.pairs, self.lines) if len(table)]
        parts = parts_of(arcs, len(tables), guesses)
        scores = [
            load("linear").scores(
                *(table, words.attributes, rows.anchors, rows.extras, rows.near),
                *(templates, bits_of(table)),
            )
            for table, rows, templates in zip(tables, parts.kinds(), sets.parts, strict=False)
        ]
        return decoded(parts, scores)

    def labels_of(
        self, corpus: Dependencies, words: Words, head: Codes, guesses: Guesses | None
    ) -> Strings:
        """Return the labels of trees."""
        sets = template_sets(stacked=self.stacked, clusters=self.clusters)
        sentence, word = corpus.words.sentence_of_row(), corpus.words.row_in_sentence() + 1
        anchors, extras = label_rows(words, sentence, head.astype(np.int64), word, guesses)
        nothing = np.full(len(anchors), -1, np.int32)
        _, best = self._labeller.best((words.attributes, anchors, extras, sets.labels), nothing, 0)
        return Strings(best, self.labels)


def store_graph(parser: str, model: GraphModel) -> Stored:
    """Return what a file holds of a model."""
    metadata = {"heads": model.heads, "labels": list(model.labels)}
    metadata |= {"clusters": True} if model.clusters else {}
    arrays: dict[str, NDArray[Any]] = {name: getattr(model, name) for name in _TABLES}
    if not len(model.lines):
        del arrays["lines"]  # so that earlier versions read it, too
    arrays |= weight_arrays(model.label, classes="classes")
    return Stored(parser, metadata, arrays)


def load_graph(stored: Stored, *, stacked: bool = False) -> GraphModel:
    """Make a model from what a file holds."""
    heads, labels = stored.value("heads", int), tuple(stored.texts("labels"))
    if heads < 1 or not labels:
        raise ModelError("it has no heads or labels to choose from")
    known = {name for name in _TABLES if name != "lines" or name in stored.arrays}
    tables = {name: aligned(stored.array(name, "i2")) for name in known}
    tables.setdefault("lines", np.empty(0, np.int16))  # of a model that an earlier version made
    for name, table in tables.items():
        empty = name in ("pairs", "lines") and not len(table)
        if not empty and (len(table) < 16 or len(table) & (len(table) - 1)):
            raise ModelError(f"array {name!r} has {len(table)} entries")
    label = read_weights(stored, classes="classes")
    clusters = stored.metadata.get("clusters", False) is True
    try:
        return GraphModel(heads, labels, **tables, label=label, stacked=stacked, clusters=clusters)
    except (TypeError, ValueError) as error:
        raise ModelError(f"its labels do not fit together: {error}") from error

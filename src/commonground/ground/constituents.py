"""Constituent trees as function trees.

Every phrase and every tagged word is a node with its functions; one without any has no labels.
Where the functions stand depends on the treebank:

- relational-realizational trees: functions are nodes (:mod:`commonground.corpus.realizational`),
  and only they stay;
- edge labels (TIGER, NEGRA, Alpino), where the treebank has them: each is the function of its node;
- dash tags of Penn labels (``NP-SBJ``): all of them, or those in a list; on the tags of words only
  those in the list, as a dash stands before cases and classes there, ``(PRO-N it)``.

Traces have no words; nodes over nothing but traces are no nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents, Functions, Strings, Table
from commonground.corpus.functions import canonical, yield_text
from commonground.corpus.labels import functions_of_tag, split_label
from commonground.corpus.realizational import realizational
from commonground.corpus.strings import Vocabulary
from commonground.corpus.table import offsets_of, places_in_runs, sums
from commonground.ground.yields import yields_of
from commonground.kernels import load

__all__ = ["constituent_functions"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
LabelsOf = Callable[[str], tuple[str, ...]]


def constituent_functions(
    corpus: Constituents,
    functions: Collection[str] | None = None,
    function_nodes: Collection[str] = (),
    labels: tuple[tuple[Strings, Strings], LabelsOf] | None = None,
) -> Functions:
    """Return the function trees of constituent trees; `functions` are the dash tags that count.

    `function_nodes` are the labels of nodes that are functions themselves. Instead of all that,
    there can be `labels`: a text for each node and each word, and the functions that a text has.

    >>> from commonground.formats import read_text
    >>> text = "(S (NP-SBJ (NN John)) (VP (V loves) (NP-OBJ (NN Mary))))"
    >>> tree = constituent_functions(read_text(text, "brackets"))
    >>> list(zip(tree.yields, tree.label))
    [('1-3', ''), ('1', 'SBJ'), ('2-3', ''), ('2', ''), ('3', 'OBJ')]
    """
    times = (~corpus.traces).astype(np.int64)
    words, nodes = corpus.words, corpus.nodes
    first, stop, size = load("spans").extents(
        words.offsets, words.numbers("parent"), times, nodes.offsets, nodes.numbers("parent")
    )
    scattered = _scattered(corpus, times, np.flatnonzero((stop - first != size) & (size > 0)))
    texts = {row: yield_text(words) for row, words in scattered.items()}
    length = sums(times, words.offsets)
    offsets = offsets_of(length)
    real = np.flatnonzero(times)
    place = places_in_runs(length)
    readers = _labels(corpus, functions, function_nodes)
    if labels is not None:
        (of_nodes, of_words), read = labels
        readers = ((of_nodes, read), (of_words, read), readers[2], readers[3])
    node_labels, word_labels, keep_node, keep_word = readers
    rows, leaves = np.flatnonzero((size > 0) & keep_node), keep_word[real]
    phrases = _rows(
        nodes.sentence_of_row()[rows],
        yields_of(first + 1, np.maximum(stop, 1), texts)[rows],
        node_labels[0][rows],
        node_labels[1],
    )
    tagged = _rows(
        words.sentence_of_row()[real[leaves]],
        yields_of(place[leaves] + 1, place[leaves] + 1, {}),
        word_labels[0][real[leaves]],
        word_labels[1],
    )
    return Functions(
        {
            "words": Table(offsets, form=corpus.form[real]),
            "nodes": canonical(_joined(phrases, tagged, len(corpus))),
            "sentences": corpus.tables["sentences"],
            "origin": corpus.tables["origin"],
        }
    )


def _labels(
    corpus: Constituents, functions: Collection[str] | None, function_nodes: Collection[str]
) -> tuple[tuple[Strings, LabelsOf], tuple[Strings, LabelsOf], Flags, Flags]:
    """Return where the functions of nodes and of words stand, how to read them, and what stays."""
    words, nodes = corpus.words, corpus.nodes
    every_node, every_word = np.ones(nodes.rows, np.bool_), np.ones(words.rows, np.bool_)
    label, tag = nodes.strings("label"), words.strings("tag")
    kinds = realizational(corpus, function_nodes)
    if kinds is not None:
        return (label, _whole), (tag, _whole), kinds.function_nodes, kinds.function_words
    edges = nodes.strings("edge"), words.strings("edge")
    if any(column.where(lambda text: text != "_").any() for column in edges):
        return (edges[0], _edge), (edges[1], _edge), every_node, every_word

    def dashed(text: str) -> tuple[str, ...]:
        tags = split_label(text).functions
        return tags if functions is None else tuple(f for f in tags if f in functions)

    def on_tag(text: str) -> tuple[str, ...]:
        return functions_of_tag(text, functions)

    return (label, dashed), (tag, on_tag), every_node, tag.where(bool)


def _whole(text: str) -> tuple[str, ...]:
    return (text,)


def _edge(text: str) -> tuple[str, ...]:
    return () if text == "_" else (text,)


Rows = tuple[Numbers, Strings, Strings]


def _rows(sentence: Numbers, yields: Strings, texts: Strings, labels_of: LabelsOf) -> Rows:
    """Return a row for each label of a node, or one with the empty label."""
    vocabulary = Vocabulary()
    labels = [[vocabulary[name] for name in labels_of(text) or ("",)] for text in texts.vocabulary]
    counts = np.array([len(names) for names in labels], np.int64)
    flat = np.array([name for names in labels for name in names], np.int32)
    first = np.cumsum(counts) - counts
    repeats = counts[texts.codes] if len(counts) else np.zeros(0, np.int64)
    node = np.repeat(np.arange(len(texts)), repeats)
    place = places_in_runs(repeats)
    codes = flat[first[texts.codes][node] + place] if len(node) else np.empty(0, np.int32)
    return sentence[node], yields[node], Strings(codes, tuple(vocabulary))


def _joined(one: Rows, other: Rows, sentences: int) -> Table:
    sentence = np.concatenate([one[0], other[0]])
    order = np.argsort(sentence, kind="stable")
    return Table(
        offsets_of(np.bincount(sentence, minlength=sentences)),
        yields=Strings.concatenate([one[1], other[1]])[order],
        label=Strings.concatenate([one[2], other[2]])[order],
    )


def _scattered(corpus: Constituents, times: Numbers, broken: Numbers) -> dict[int, list[int]]:
    """Return the words of the phrases that are not continuous."""
    members: dict[int, list[int]] = {int(row): [] for row in broken}
    words, nodes = corpus.words, corpus.nodes
    sentences = np.searchsorted(nodes.offsets, broken, side="right") - 1
    for sentence in dict.fromkeys(sentences.tolist()):
        start, stop = words.offsets[sentence : sentence + 2].tolist()
        base = int(nodes.offsets[sentence])
        up = nodes.numbers("parent")[base : int(nodes.offsets[sentence + 1])].tolist()
        number = 0
        parents = words.numbers("parent")[start:stop].tolist()
        for parent, counts in zip(parents, times[start:stop].tolist(), strict=True):
            number += counts
            above = parent if counts else -1
            while above >= 0:
                if base + above in members:
                    members[base + above].append(number)
                above = up[above]
    return members

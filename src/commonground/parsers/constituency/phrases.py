"""Constituent trees as labelled spans, and back.

Phrases over the same words are one span, labelled with their chain from the top down; a phrase is
its label and the label of its edge. Traces and phrases over nothing but traces are left out. With
functions, ``NP-SBJ-1`` is an NP-SBJ; without them it is an NP, and edges are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents, Strings, Table
from commonground.corpus.labels import split_label
from commonground.corpus.table import offsets_of
from commonground.errors import InputError
from commonground.kernels import load
from commonground.parsers.model_file import ModelError, Stored

__all__ = [
    "Chain",
    "Span",
    "loaded_chains",
    "phrases_of",
    "stored_chains",
    "with_phrases",
    "without_traces",
]

Phrase = tuple[str, str]
Chain = tuple[Phrase, ...]
Span = tuple[int, int, Chain]


def without_traces(corpus: Constituents) -> Table:
    """Return the words of a corpus that are no traces."""
    words, good = corpus.words, ~corpus.traces
    counts = np.bincount(words.sentence_of_row()[good], minlength=len(corpus))
    return Table(offsets_of(counts), **{name: words[name][good] for name in words.columns})


def phrases_of(corpus: Constituents, *, functions: bool) -> list[list[Span]]:
    """Return the spans of each sentence, outer ones first.

    >>> import commonground as cg
    >>> trees = cg.read_text("(S (NP-SBJ (NN Birds)) (VP (VB sing)))", "brackets")
    >>> phrases_of(trees, functions=True)[0][:2]
    [(0, 2, (('S', '_'),)), (0, 1, (('NP-SBJ', '_'),))]
    """
    words, nodes = corpus.words, corpus.nodes
    start, end, count = load("spans").extents(
        words.offsets,
        np.asarray(words.numbers("parent"), np.int32),
        (~corpus.traces).astype(np.int64),
        nodes.offsets,
        np.asarray(nodes.numbers("parent"), np.int32),
    )
    _refuse_gaps(corpus, np.flatnonzero(count != end - start))
    label = corpus.label.map(_named if functions else _category).tolist()
    edge = nodes.strings("edge").tolist() if functions else ["_"] * nodes.rows
    spans: list[list[Span]] = []
    for sentence in range(len(corpus)):
        chains: dict[tuple[int, int], list[Phrase]] = {}
        for row in range(int(nodes.offsets[sentence]), int(nodes.offsets[sentence + 1])):
            if count[row]:
                span = int(start[row]), int(end[row])
                chains.setdefault(span, []).append((label[row], edge[row]))
        spans.append([(*span, tuple(chain)) for span, chain in chains.items()])
    return spans


def _category(label: str) -> str:
    return split_label(label).category


def _named(label: str) -> str:
    parts = split_label(label)
    return "-".join((parts.category, *parts.functions))


def _refuse_gaps(corpus: Constituents, rows: NDArray[np.int64]) -> None:
    if not len(rows):
        return
    sentence = int(corpus.nodes.sentence_of_row()[rows[0]])
    raise InputError(
        corpus.tables["origin"].strings("path")[sentence],
        int(corpus.lines[sentence]),
        f"the phrase {corpus.label[int(rows[0])]} of this sentence has a gap; trees without "
        "discontinuous phrases are needed",
    )


@dataclass(slots=True)
class _Nodes:
    """The columns of new nodes."""

    label: list[str]
    edge: list[str]
    parent: list[int]
    counts: list[int]
    of_word: list[int]


def with_phrases(corpus: Constituents, trees: Iterable[Iterable[Span]]) -> Constituents:
    """Return the words of a corpus, traces left out, with other trees."""
    words = without_traces(corpus)
    made = _Nodes([], [], [], [], [])
    for length, spans in zip(words.lengths.tolist(), trees, strict=True):
        _add_tree(made, length, sorted(spans, key=lambda span: (span[0], -span[1])))
    nodes = Table(
        offsets_of(np.array(made.counts, np.int64)),
        label=Strings.of(made.label),
        edge=Strings.of(made.edge),
        parent=np.array(made.parent, np.int32),
    )
    words = words.replace(parent=np.array(made.of_word, np.int32))
    kept = {name: corpus.tables[name] for name in ("sentences", "origin")}
    return Constituents({"words": words, "nodes": nodes, **kept})


def _add_tree(made: _Nodes, length: int, spans: list[Span]) -> None:
    first, number = len(made.label), 0
    above: list[tuple[int, int]] = []  # (end, number of the lowest node) of the open spans
    of_word = [-1] * length
    for start, end, chain in spans:
        while above and above[-1][0] <= start:
            above.pop()
        parent = above[-1][1] if above else -1
        for label, edge in chain:
            made.label.append(label)
            made.edge.append(edge)
            made.parent.append(parent)
            parent = number
            number += 1
        if chain:
            above.append((end, parent))
            of_word[start:end] = [parent] * (end - start)
    made.counts.append(len(made.label) - first)
    made.of_word += of_word


def stored_chains(chains: Iterable[Chain]) -> list[list[list[str]]]:
    """Return chains as JSON has them."""
    return [[[label, edge] for label, edge in chain] for chain in chains]


def loaded_chains(stored: Stored, name: str = "chains") -> tuple[Chain, ...]:
    """Return the chains in the metadata of a model."""
    chains: list[Chain] = []
    for chain in stored.value(name, list):
        pairs = chain if isinstance(chain, list) else [None]
        for pair in pairs:
            if not (isinstance(pair, list) and len(pair) == 2 and set(map(type, pair)) == {str}):
                raise ModelError("a label that is none")
        chains.append(tuple((label, edge) for label, edge in chain))
    return tuple(chains)

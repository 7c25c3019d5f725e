"""Enhanced graphs: how many of the arcs in DEPS are right?

An arc is a word, a head and a label; ELAS compares whole labels, EULAS labels without their
subtypes (and without the case information of enhanced graphs). The score is F1 over all arcs. Arcs
from empty nodes are left out on both sides, as in the scorer of the shared task, which expects them
to be collapsed before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.corpus.strings import Vocabulary
from commonground.metrics.comparison import ROOT, UNKNOWN, Comparison
from commonground.metrics.items import Items, Side
from commonground.metrics.matching import match
from commonground.metrics.metric import Metric

__all__ = ["METRICS", "elas", "eulas"]

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Arcs:
    """The arcs of a graph: rows of words, rows of heads (or ROOT), numbers of labels."""

    word: Numbers
    head: Numbers
    label: Numbers


def elas(pair: Comparison) -> Items:
    """Count the arcs of the enhanced graph that are right."""
    return _arcs_in_common(pair, lambda label: label)


def eulas(pair: Comparison) -> Items:
    """Count the arcs of the enhanced graph that are right up to their subtypes."""
    return _arcs_in_common(pair, _universal_path)


def _universal_path(label: str) -> str:
    # Collapsed empty nodes leave paths such as conj:and>obl:in.
    return ">".join(step.partition(":")[0] for step in label.split(">"))


def _arcs_in_common(pair: Comparison, label: Callable[[str], str]) -> Items:
    labels = Vocabulary()
    gold = _arcs(pair.gold, label, labels)
    system = _arcs(pair.system, label, labels)
    word = pair.gold_of_system[system.word]
    head = np.where(system.head >= 0, pair.gold_of_system[system.head], system.head)
    paired = np.zeros(pair.gold.words.rows, np.bool_)
    paired[pair.gold_row] = True
    size = (pair.gold.words.rows + 2, len(labels) + 1)
    known = (word != UNKNOWN) & (head != UNKNOWN)
    found = match(
        _key(gold.word, gold.head, gold.label, size),
        np.where(known, _key(word, head, system.label, size), -1 - np.arange(len(word))),
    )
    sides = (
        Side(
            gold.word, pair.gold.words.sentence_of_row()[gold.word], found[0], paired[gold.word]
        ).where(pair.gold_scored[gold.word]),
        Side(
            system.word, pair.alignment.sentence_of_system[system.word], found[1], word != UNKNOWN
        ).where(pair.system_scored[system.word]),
    )
    return Items(*sides, len(pair.gold))


def _key(word: Numbers, head: Numbers, label: Numbers, size: tuple[int, int]) -> Numbers:
    """Return one number for an arc: equal arcs have equal numbers."""
    return (word * size[0] + (head - ROOT)) * size[1] + label


def _arcs(corpus: Dependencies, label: Callable[[str], str], labels: Vocabulary) -> Arcs:
    """Read DEPS; every distinct text is parsed once."""
    parsed = [_parse(text) for text in corpus.deps.vocabulary]
    sizes = np.array([len(arcs) for arcs in parsed], np.int64)
    heads = np.array([head for arcs in parsed for head, _ in arcs], np.int64)
    names = np.array([labels[label(name)] for arcs in parsed for _, name in arcs], np.int64)
    codes = corpus.deps.codes
    counts = sizes[codes] if len(sizes) else np.zeros(0, np.int64)
    word = np.repeat(np.arange(len(codes)), counts)
    first = (np.cumsum(sizes) - sizes)[codes] if len(sizes) else counts
    place = np.arange(len(word)) - np.repeat(np.cumsum(counts) - counts, counts)
    at = np.repeat(first, counts) + place
    start = np.repeat(corpus.offsets[:-1], corpus.words.lengths)[word]
    lengths = np.repeat(corpus.words.lengths, corpus.words.lengths)[word]
    head = heads[at]
    row = np.where(head == 0, ROOT, np.where(head <= lengths, start + head - 1, UNKNOWN))
    return Arcs(word, row, names[at])


def _parse(text: str) -> list[tuple[int, str]]:
    if text == "_":
        return []
    arcs = (arc.partition(":") for arc in text.split("|"))
    return [(int(head), label) for head, _, label in arcs if head.isdecimal()]


_BOUMA = "Bouma, Seddah & Zeman (2020), IWPT 2020 shared task on parsing into enhanced UD."

METRICS = (
    Metric(
        "elas",
        "ELAS",
        elas,
        "Enhanced labelled attachment score: F1 over the arcs of the enhanced graphs, with whole "
        "labels.\n"
        f"From: {_BOUMA}\n"
        "Example: gold 2:nsubj|4:nsubj against 2:nsubj: recall 1/2, precision 1, ELAS = 0.67.",
    ),
    Metric(
        "eulas",
        "EULAS",
        eulas,
        "Enhanced labelled attachment score without subtypes: F1 over the arcs of the enhanced "
        "graphs, labels cut at the colon.\n"
        f"From: {_BOUMA}\n"
        "Example: gold 4:obl:in against 4:obl:on: ELAS = 0, EULAS = 1.",
    ),
)

"""Enhanced graphs: how many of the arcs in DEPS are right?

An arc is a word, a head and a label; ELAS compares whole labels, EULAS labels without their
subtypes (and without the case information of enhanced graphs). The score is F1 over all arcs. Arcs
from empty nodes are left out on both sides, as in the scorer of the shared task, which expects them
to be collapsed before.

Without subtypes, arcs of a word become equal (``3:obl:in|3:obl:on``). Here each one has at most one
partner on the other side, so that a graph against itself scores 1. The scorer of the shared task
counts every pair, four for these two arcs, which makes 200 %; with `repeated_arcs` so does EULAS.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.corpus.deps import arcs_in
from commonground.metrics.dependencies.comparison import ROOT, UNKNOWN, Comparison
from commonground.metrics.dependencies.labelled_arcs import (
    LabelledArcs,
    arcs_in_common,
    keys_of_arcs,
)
from commonground.metrics.items import Items
from commonground.metrics.metric import Metric
from commonground.metrics.once_per_comparison import once_per_comparison

__all__ = ["METRICS", "elas", "eulas"]

Numbers = NDArray[np.int64]


def elas(pair: Comparison) -> Items:
    """Count the arcs of the enhanced graph that are right."""
    return arcs_in_common(pair, *_graphs(pair), lambda label: label)


def eulas(pair: Comparison) -> Items:
    """Count the arcs of the enhanced graph that are right up to their subtypes."""
    shared = arcs_in_common(pair, *_graphs(pair), _universal_path)
    if not pair.settings.repeated_arcs:
        return shared
    return replace(shared, further={"correct": _pairs_in_common(pair, shared)})


def _universal_path(label: str) -> str:
    # Collapsed empty nodes leave paths such as conj:and>obl:in.
    return ">".join(step.partition(":")[0] for step in label.split(">"))


@once_per_comparison
def _graphs(pair: Comparison) -> tuple[LabelledArcs, LabelledArcs]:
    """Return the graphs of gold standard and parse."""
    return _arcs(pair.gold), _arcs(pair.system)


def _pairs_in_common(pair: Comparison, items: Items) -> Numbers:
    """Count, for each sentence, the pairs of scored arcs that are equal without subtypes."""
    gold, system = _graphs(pair)
    one, two = keys_of_arcs(pair, gold, system, _universal_path)
    scored = pair.gold_scored[gold.word]
    kinds, times = np.unique(two, return_counts=True)
    if not len(kinds):
        return np.zeros(items.sentences, np.int64)
    at = np.minimum(np.searchsorted(kinds, one), len(kinds) - 1)
    partners = np.where(kinds[at] == one, times[at], 0)[scored]
    return np.bincount(items.gold.sentence, partners, items.sentences).astype(np.int64)


def _arcs(corpus: Dependencies) -> LabelledArcs:
    """Read DEPS; every distinct text is parsed once."""
    parsed = [_parse(text) for text in corpus.deps.vocabulary]
    sizes = np.array([len(arcs) for arcs in parsed], np.int64)
    heads = np.array([head for arcs in parsed for head, _ in arcs], np.int64)
    names = Strings.of(name for arcs in parsed for _, name in arcs)
    codes = corpus.deps.codes
    counts = sizes[codes] if len(sizes) else np.zeros(0, np.int64)
    word = np.repeat(np.arange(len(codes)), counts)
    # The first arc of a word stands at the first one of its text, the others follow.
    shift = np.cumsum(counts) - counts
    first = (np.cumsum(sizes) - sizes)[codes] if len(sizes) else counts
    at = np.arange(len(word)) + np.repeat(first - shift, counts)
    sentence = corpus.words.sentence_of_row()[word]
    head = heads[at]
    row = np.where(head == 0, ROOT, corpus.offsets[sentence] + head - 1)
    row[head > corpus.words.lengths[sentence]] = UNKNOWN
    return LabelledArcs(word, row, names[at])


def _parse(text: str) -> list[tuple[int, str]]:
    """Return the heads and labels of arcs from words; those from empty nodes are left out."""
    return [(arc.major, arc.label) for arc in arcs_in(text) if arc and not arc.minor]


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
        "Example: gold 4:obl:in against 4:obl:on: ELAS = 0, EULAS = 1. Arcs that become equal have "
        "a partner each; the presets conll18 and iwpt20 count every pair of them, as the scorer "
        "of the shared task does, which can exceed 100 %.",
    ),
)

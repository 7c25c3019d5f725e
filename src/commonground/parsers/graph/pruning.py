"""Which arcs are worth a closer look: the best heads of each word by a small first-order model."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.table import places_in_runs
from commonground.kernels import load
from commonground.parsers.graph.arcs import Arcs, all_arcs, with_groups
from commonground.parsers.graph.features import PRUNING_TEMPLATES
from commonground.parsers.graph.words import Words
from commonground.parsers.weights import bits_of

__all__ = ["all_arcs_scores", "batches", "kept_arcs"]

_MOST = 200_000

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]


def batches(words: Words) -> list[tuple[int, int]]:
    """Return stretches of sentences that have not too many arcs together."""
    cuts, arcs = [0], 0
    for sentence, length in enumerate(words.lengths.tolist()):
        if arcs and arcs + length * length > _MOST:
            cuts.append(sentence)
            arcs = 0
        arcs += length * length
    cuts.append(words.sentences)
    return [(first, last) for first, last in pairwise(cuts) if last > first]


def all_arcs_scores(words: Words, arcs: Arcs, weights: Codes) -> Numbers:
    """Return what the small model thinks of arcs."""
    found: Numbers = load("linear").scores(
        weights,
        words.attributes,
        arcs.anchors,
        arcs.extras,
        arcs.near,
        PRUNING_TEMPLATES,
        bits_of(weights),
    )
    return found


def kept_arcs(
    words: Words, first: int, last: int, weights: Codes, keep: int, gold: Codes | None = None
) -> Arcs:
    """Return the arcs from the `keep` best heads of each word, from ROOT and from its neighbours.

    So there is always a projective tree. `gold` are heads by the rows of the words (-1 is unknown),
    which are kept too.
    """
    arcs = all_arcs(words, first, last)
    score = all_arcs_scores(words, arcs, weights)
    own = arcs.anchors[:, 1].astype(np.int64)
    order = np.lexsort((-score, own))
    counts = np.bincount(own)
    good = np.zeros(len(own), np.bool_)
    good[order[places_in_runs(counts) < keep]] = True
    good |= (arcs.head == 0) | (np.abs(arcs.head - arcs.word) == 1)
    if gold is not None:
        good |= gold[own] == arcs.head
    sentence = np.repeat(np.arange(first, last), np.diff(arcs.arcs))[good]
    return _selected(arcs, good, sentence - first)


def _selected(arcs: Arcs, good: NDArray[np.bool_], sentence: Numbers) -> Arcs:
    counts = np.bincount(sentence, minlength=len(arcs.arcs) - 1)
    return Arcs(
        arcs.words,
        np.concatenate([[0], np.cumsum(counts)]),
        arcs.head[good],
        arcs.word[good],
        arcs.anchors[good],
        with_groups(arcs.extras[good]),
        arcs.near[good],
        arcs.key[good],
    )

"""Which arcs are worth a closer look: the best heads of each word by a small first-order model.

The model chooses the head of each word on its own, whatever the others choose: an averaged
perceptron with a margin. So the right heads stand high in its list, also where they are not first.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.table import places_in_runs
from commonground.kernels import load
from commonground.parsers.graph.arcs import PossibleArcs, all_arcs, with_groups
from commonground.parsers.graph.features import PRUNING_TEMPLATES
from commonground.parsers.graph.words import Words
from commonground.parsers.weights import Averaged, Narrow, bits_of
from commonground.random import stream

__all__ = ["all_arcs_scores", "batches", "kept_arcs", "learned_pruning"]

_MOST = 200_000  # arcs that are looked at together
_LEARNED_TOGETHER = 2_000
_PASSES = 3
_STEP = 1 << 8  # of a perceptron, so that its average has digits
_MARGIN = 20 * _STEP

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]


def batches(words: Words, most: int = _MOST) -> list[tuple[int, int]]:
    """Return stretches of sentences that have not too many arcs together."""
    cuts, arcs = [0], 0
    for sentence, length in enumerate(words.lengths.tolist()):
        if arcs and arcs + length * length > most:
            cuts.append(sentence)
            arcs = 0
        arcs += length * length
    cuts.append(words.sentences)
    return [(first, last) for first, last in pairwise(cuts) if last > first]


def all_arcs_scores(words: Words, arcs: PossibleArcs, weights: Codes | Narrow) -> Numbers:
    """Return what the small model thinks of arcs."""
    scores: Numbers = load("linear").scores(
        weights,
        words.attributes,
        arcs.anchors,
        arcs.extras,
        arcs.near,
        PRUNING_TEMPLATES,
        bits_of(weights),
    )
    return scores


def learned_pruning(words: Words, gold: Codes, bits: int, seed: int) -> Narrow:
    """Return the weights of the small model; `gold` are heads by the rows of words, -1 unknown."""
    learned = Averaged(bits)
    groups = batches(words, _LEARNED_TOGETHER)
    for number in range(_PASSES):
        for group in stream(seed, "pruning", number).permutation(len(groups)).tolist():
            learned.tick()
            _rank_better(learned, words, all_arcs(words, *groups[group]), gold)
    return learned.average(_STEP // 16)


def _rank_better(learned: Averaged, words: Words, arcs: PossibleArcs, gold: Codes) -> None:
    """Move the weights towards the right heads, from those that come too near to them."""
    score = all_arcs_scores(words, arcs, learned.weights)
    own = arcs.anchors[:, 1].astype(np.int64)
    right = gold[own] == arcs.head
    order = np.lexsort((-(score + np.where(right, 0, _MARGIN)), own))
    first = order[np.flatnonzero(np.diff(own[order], prepend=-1))]
    wanted = np.full(len(gold), -1, np.int64)
    wanted[own[right]] = np.flatnonzero(right)
    wrong = first[(wanted[own[first]] >= 0) & ~right[first]]
    if not len(wrong):
        return
    rows = np.concatenate([wanted[own[wrong]], wrong])
    places = load("linear").near_features(
        words.attributes,
        arcs.anchors[rows],
        arcs.extras[rows],
        arcs.near[rows],
        PRUNING_TEMPLATES,
        learned.bits,
    )
    learned.add(places.ravel(), np.repeat([_STEP, -_STEP], len(wrong) * places.shape[1]))


def kept_arcs(
    words: Words, first: int, last: int, weights: Narrow, keep: int, gold: Codes | None = None
) -> PossibleArcs:
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


def _selected(arcs: PossibleArcs, good: NDArray[np.bool_], sentence: Numbers) -> PossibleArcs:
    counts = np.bincount(sentence, minlength=len(arcs.arcs) - 1)
    return PossibleArcs(
        arcs.words,
        np.concatenate([[0], np.cumsum(counts)]),
        arcs.head[good],
        arcs.word[good],
        arcs.anchors[good],
        with_groups(arcs.extras[good]),
        arcs.near[good],
        arcs.key[good],
    )

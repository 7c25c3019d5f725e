"""Which labelled arcs gold standard and parse share, where a word may have several of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Strings
from commonground.corpus.strings import Vocabulary
from commonground.metrics.dependencies.comparison import ROOT, UNKNOWN, Comparison
from commonground.metrics.items import Items, Side
from commonground.metrics.matching import match

__all__ = ["LabelledArcs", "arcs_in_common", "keys_of_arcs"]

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LabelledArcs:
    """The arcs of a graph: rows of words, rows of heads (or ROOT), labels."""

    word: Numbers
    head: Numbers
    label: Strings

    def where(self, keep: NDArray[np.bool_]) -> LabelledArcs:
        """Return only some of the arcs."""
        return LabelledArcs(self.word[keep], self.head[keep], self.label[np.flatnonzero(keep)])


def arcs_in_common(
    pair: Comparison, gold: LabelledArcs, system: LabelledArcs, label: Callable[[str], str]
) -> Items:
    """Return the arcs of both sides as items; each has at most one partner on the other side."""
    matched = match(*keys_of_arcs(pair, gold, system, label))
    word = _on_gold_words(pair, system)[0]
    paired = np.zeros(pair.gold.words.rows, np.bool_)
    paired[pair.gold_at] = True
    sides = (
        Side(
            gold.word, pair.gold.words.sentence_of_row()[gold.word], matched[0], paired[gold.word]
        ).where(pair.gold_scored[gold.word]),
        Side(
            system.word, pair.alignment.sentence_of_system[system.word], matched[1], word != UNKNOWN
        ).where(pair.system_scored[system.word]),
    )
    return Items(*sides, len(pair.gold))


def keys_of_arcs(
    pair: Comparison, gold: LabelledArcs, system: LabelledArcs, label: Callable[[str], str]
) -> tuple[Numbers, Numbers]:
    """Return one number for each arc; those of words or heads without a partner are below 0."""
    labels = Vocabulary()
    one, two = (side.label.map(label).codes_in(labels) for side in (gold, system))
    size = (pair.gold.words.rows + 2, len(labels) + 1)
    word, head = _on_gold_words(pair, system)
    known = (word != UNKNOWN) & (head != UNKNOWN)
    keys = _key(word, head, two, size)
    keys[~known] = -1 - np.flatnonzero(~known)
    return _key(gold.word, gold.head, one, size), keys


def _on_gold_words(pair: Comparison, system: LabelledArcs) -> tuple[Numbers, Numbers]:
    if pair.alignment.identical:
        return system.word, system.head
    word = pair.gold_of_system[system.word]
    return word, np.where(system.head >= 0, pair.gold_of_system[system.head], system.head)


def _key(word: Numbers, head: Numbers, label: NDArray[np.int32], size: tuple[int, int]) -> Numbers:
    """Return one number for an arc: equal arcs have equal numbers."""
    return (word * size[0] + (head - ROOT)) * size[1] + label

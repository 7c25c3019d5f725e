"""The arcs that sentences may use, as rows to be scored, in the order that decoders need.

The arcs of a sentence are in the order of their heads, those to the left before those to the right,
and on each side from near to far: `key` ascends. So the dependents that can stand between a head
and its dependent on an arc are those of the rows just before it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.table import places_in_runs
from commonground.parsers.graph.words import KIND_GROUPS, Words

__all__ = [
    "ARC_EXTRAS",
    "Lines",
    "Pairs",
    "PossibleArcs",
    "all_arcs",
    "lines_of",
    "near_of",
    "pairs_of",
    "with_groups",
]

ARC_EXTRAS = ("way", "between", "verbs", "marks", "conjunctions", "nominal", "verbal", "linking")

_BUCKETS = np.array([0, 1, 2, 3, 4, 5, 6, 6, 7, 7, 7, *[8] * 5, *[9] * 15, 10], np.int32)

LONG = 1_000
"""In sentences of more words than this, arcs between words that are far from each other are left
out."""

FAR = 200
"""How far is far."""

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PossibleArcs:
    """The arcs of some sentences: `words` and `arcs` are their offsets, `first` the first sentence.

    `head` and `word` count in the sentence, `anchors` in the rows of the table of words.
    """

    words: Numbers
    arcs: Numbers
    head: Codes
    word: Codes
    anchors: Codes
    extras: Codes
    near: Codes
    key: Numbers

    def sentence(self, number: int) -> PossibleArcs:
        """Return the arcs of one sentence."""
        rows = slice(int(self.arcs[number]), int(self.arcs[number + 1]))
        return PossibleArcs(
            np.array([0, self.words[number + 1] - self.words[number]]),
            np.array([0, rows.stop - rows.start]),
            self.head[rows],
            self.word[rows],
            self.anchors[rows],
            self.extras[rows],
            self.near[rows],
            self.key[rows],
        )

    def rows(self, head: Codes, word: Numbers) -> Numbers:
        """Return the rows of some arcs of one sentence."""
        key = _key(int(self.words[1]), head.astype(np.int64), word)
        return np.searchsorted(self.key, key)

    def tree(self, heads: Codes) -> Numbers:
        """Return the rows of the arcs to all words of one sentence, in ascending order."""
        return np.sort(self.rows(heads, np.arange(1, len(heads) + 1)))


@dataclass(frozen=True, slots=True)
class Pairs:
    """Neighbouring dependents: those of arc a from ``before[a]`` on, the first of them none."""

    before: Numbers
    anchors: Codes
    extras: Codes
    near: Codes

    def sentence(self, arcs: PossibleArcs, number: int) -> Pairs:
        """Return the pairs of one sentence."""
        first, last = int(arcs.arcs[number]), int(arcs.arcs[number + 1])
        rows = slice(int(self.before[first]), int(self.before[last]))
        before = self.before[first : last + 1] - self.before[first]
        return Pairs(before, self.anchors[rows], self.extras[rows], self.near[rows])

    def rows(self, arcs: PossibleArcs, chosen: Numbers) -> Numbers:
        """Return the rows of the pairs in a tree, whose arcs of one sentence are given."""
        head, right = arcs.head[chosen], arcs.word[chosen] > arcs.head[chosen]
        rows = self.before[chosen]
        beside = (head[1:] == head[:-1]) & (right[1:] == right[:-1]) & (head[1:] > 0)
        # The last pair of an arc is that with the arc just before it, which may not be chosen.
        back = chosen[1:] - chosen[:-1]
        last = self.before[chosen[1:] + 1]
        rows[1:] = np.where(beside, last - back, rows[1:])
        return rows


@dataclass(frozen=True, slots=True)
class Lines:
    """Arcs with the one above them: those of arc a from ``above[a]`` on, by the head's head.

    ``rank[a]`` is the place of arc a among those into its word. Arcs from ROOT have none above.
    """

    above: Numbers
    rank: Numbers
    anchors: Codes
    extras: Codes
    near: Codes

    def sentence(self, arcs: PossibleArcs, number: int) -> Lines:
        """Return the lines of one sentence."""
        first, last = int(arcs.arcs[number]), int(arcs.arcs[number + 1])
        rows = slice(int(self.above[first]), int(self.above[last]))
        above = self.above[first : last + 1] - self.above[first]
        rank = self.rank[first:last]
        return Lines(above, rank, self.anchors[rows], self.extras[rows], self.near[rows])

    def rows(self, arcs: PossibleArcs, chosen: Numbers) -> Numbers:
        """Return the rows of the lines in a tree, whose arcs of one sentence are given."""
        into = np.zeros(int(arcs.words[1]) + 1, np.int64)
        into[arcs.word[chosen]] = chosen
        below = chosen[arcs.head[chosen] > 0]
        return self.above[below] + self.rank[into[arcs.head[below]]]


def all_arcs(words: Words, first: int, last: int) -> PossibleArcs:
    """Return all arcs of the sentences from `first` to before `last`.

    In very long sentences, these are the arcs between words that are not too far from each other.
    """
    lengths = words.lengths[first:last]
    owner, above = np.repeat(np.arange(first, last), lengths + 1), places_in_runs(lengths + 1)
    n = words.lengths[owner]
    reach = np.where(n > LONG, FAR, n)
    left = np.where(above > 0, np.minimum(above - 1, reach), 0)
    right = np.where(above > 0, np.minimum(n - above, reach), n)
    counts = left + right
    rank, before = places_in_runs(counts), np.repeat(left, counts)
    head = np.repeat(above, counts)
    word = np.where(rank < before, head - 1 - rank, head + 1 + rank - before)
    return _arcs_of(words, first, last, np.repeat(owner, counts), head, word)


def _arcs_of(
    words: Words, first: int, last: int, sentence: Numbers, head: Numbers, word: Numbers
) -> PossibleArcs:
    """Return arcs as rows to be scored; they must be in order already."""
    lengths = words.lengths[first:last]
    key = _key(words.lengths[sentence], head, word)
    counts = np.bincount(sentence - first, minlength=last - first)
    anchors = np.stack([words.base[sentence] + head, words.base[sentence] + word], axis=1)
    return PossibleArcs(
        np.concatenate([[0], np.cumsum(lengths)]),
        np.concatenate([[0], np.cumsum(counts)]),
        head.astype(np.int32),
        word.astype(np.int32),
        anchors.astype(np.int32),
        _extras(words, anchors),
        near_of(anchors[:, 1] - anchors[:, 0]),
        key,
    )


def pairs_of(arcs: PossibleArcs) -> Pairs:
    """Return the pairs of neighbouring dependents that the arcs allow."""
    rows = len(arcs.head)
    sentence = np.repeat(np.arange(len(arcs.arcs) - 1), np.diff(arcs.arcs))
    right = arcs.word > arcs.head
    change = np.ones(rows, np.bool_)
    change[1:] = (
        (sentence[1:] != sentence[:-1])
        | (arcs.head[1:] != arcs.head[:-1])
        | (right[1:] != right[:-1])
    )
    first = np.maximum.accumulate(np.where(change, np.arange(rows), 0))
    counts = np.where(arcs.head > 0, np.arange(rows) - first, 0) + 1
    before = np.concatenate([[0], np.cumsum(counts)])
    arc, rank = np.repeat(np.arange(rows), counts), places_in_runs(counts)
    inner = np.where(rank > 0, arcs.anchors[first[arc] + np.maximum(rank - 1, 0), 1], 0)
    anchors = np.column_stack([arcs.anchors[arc], inner]).astype(np.int32)
    gap = np.where(rank > 0, anchors[:, 1] - anchors[:, 2], 0)
    return Pairs(before, anchors, arcs.extras[arc, :1], near_of(gap))


def lines_of(arcs: PossibleArcs) -> Lines:
    """Return all arcs with each of those that may be above them."""
    rows = len(arcs.head)
    above, own = arcs.anchors.T.astype(np.int64)
    by_word = np.argsort(own, kind="stable")
    size = int(arcs.anchors.max(initial=0)) + 1
    degree = np.bincount(own, minlength=size)
    start = np.cumsum(degree) - degree
    rank = np.empty(rows, np.int64)
    rank[by_word] = places_in_runs(degree)
    counts = np.where(arcs.head > 0, degree[above], 0)
    arc, place = np.repeat(np.arange(rows), counts), places_in_runs(counts)
    over = above[by_word[start[above[arc]] + place]]
    anchors = np.column_stack([arcs.anchors[arc], over])
    head, word = anchors[:, 0], anchors[:, 1]
    between = (np.minimum(head, word) < over) & (over < np.maximum(head, word))
    way = 1 + (word > head) + 2 * (over > head) + 4 * between
    return Lines(
        np.concatenate([[0], np.cumsum(counts)]),
        rank,
        anchors.astype(np.int32),
        way[:, None].astype(np.int32),
        near_of(word - over),
    )


def _key(n: Numbers | int, head: Numbers, word: Numbers) -> Numbers:
    """Return numbers in the order of the arcs of a sentence of n words."""
    keys: Numbers = (2 * head + (word > head)) * (n + 1) + np.abs(word - head)
    return keys


def _extras(words: Words, anchors: Numbers) -> Codes:
    """Return the first extras of arcs: direction, and what lies between."""
    low, high = anchors.min(axis=1), anchors.max(axis=1)
    way = (anchors[:, 1] > anchors[:, 0]).astype(np.int64) + 1
    counts = np.minimum(words.counts[:, high - 1] - words.counts[:, low], 3)
    first, last = (int(low.min()), int(high.max()) + 1) if len(low) else (0, 0)
    kinds = _any_between(words.kinds[first:last], low + 1 - first, high - first)
    return np.stack([way, kinds, *counts], axis=1).astype(np.int32)


def with_groups(extras: Codes) -> Codes:
    """Return the extras of arcs with the groups of tags that lie between."""
    groups = [extras[:, 1] & group for group in KIND_GROUPS]
    return np.column_stack([extras, *groups]).astype(np.int32)


def near_of(distance: Numbers) -> Codes:
    """Return the numbers that a distance adds to each feature: none, and how far it is."""
    far = _BUCKETS[np.minimum(np.abs(distance), len(_BUCKETS) - 1)]
    return np.stack([np.full(len(far), 15, np.int32), far], axis=1)


def _any_between(bits: Codes, start: Numbers, stop: Numbers) -> Codes:
    """Return the bits of all rows from `start` to before `stop`, by halves that may overlap."""
    together = np.zeros(len(start), np.int32)
    width, table = 1, bits
    gap = stop - start
    while True:
        fits = (gap >= width) & (gap < 2 * width)
        together[fits] = table[start[fits]] | table[stop[fits] - width]
        if not (gap >= 2 * width).any():
            return together
        table = np.concatenate([table[:-width] | table[width:], table[-width:]])
        width *= 2

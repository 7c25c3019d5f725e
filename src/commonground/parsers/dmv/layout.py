"""Where each parameter of a grammar stands in a corpus: the bridge to the kernel.

The kernel knows weights by position. A layout says which parameter each of them is, so that weights
are looked up, and posteriors added up, for a whole corpus at once.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import load
from commonground.parsers.dmv.grammar import PLAIN, Grammar, RuleCounts, Valences
from commonground.parsers.dmv.symbols import Symbols

__all__ = ["Expected", "GrammarLayout", "added_up"]

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Expected:
    """What is expected of a corpus under a grammar: counts, and log-probabilities of sentences.

    A sentence without a probability has −∞, and does not count.
    """

    counts: RuleCounts
    logs: Numbers

    @property
    def likelihood(self) -> float:
        """The logarithm of the probability of all sentences that have any."""
        return float(self.logs[np.isfinite(self.logs)].sum())


def added_up(places: NDArray[np.int64], weights: Numbers, count: int) -> Numbers:
    """Return the sum of the weights of each place.

    >>> added_up(np.array([0, 2, 0]), np.array([0.5, 1.0, 0.25]), 3).tolist()
    [0.75, 0.0, 1.0]
    """
    sums: NDArray[Any] = np.bincount(places, weights, count)  # its stubs know whole numbers only
    return sums


def _places_in_groups(group: NDArray[np.int64], order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the place of each number within its group, by some order.

    >>> _places_in_groups(np.array([5, 7, 5, 5]), np.array([3, 1, 1, 2])).tolist()
    [2, 0, 0, 1]
    """
    rows = np.lexsort((order, group))
    begins = np.flatnonzero(np.diff(group[rows], prepend=-1))
    sizes = np.diff(begins, append=len(rows))
    places = np.empty_like(group)
    places[rows] = np.arange(len(rows)) - np.repeat(begins, sizes)
    return places


class GrammarLayout:
    """Sentences of symbols, and the places of their weights in the parameters."""

    def __init__(
        self, symbols: Symbols, valences: Valences = PLAIN, *, unknown: bool = False
    ) -> None:
        """Lay out sentences; with `unknown`, for a grammar that has a last tag for unknown ones."""
        self.symbols, self.valences = symbols, valences
        tags = self.tags = len(symbols.tags) + unknown
        lengths = symbols.lengths
        each = np.repeat(lengths, lengths)  # for every head, how many words its sentence has
        head = np.repeat(np.arange(len(symbols.codes)), each)
        within = np.arange(len(head)) - np.repeat(np.cumsum(each) - each, each)
        other = np.repeat(np.repeat(symbols.offsets[:-1], lengths), each) + within
        self.sentence = np.repeat(np.arange(len(lengths)), lengths)
        self.square = np.repeat(np.arange(len(lengths)), lengths**2)
        codes = symbols.codes.astype(np.int64)
        # Of each pair of words for all child valences, of each word for sides and stop valences.
        child, sides = np.arange(valences.child), np.arange(2 * valences.stop)
        pair = (2 * codes[head] + (other > head)) * valences.child
        self.arc = ((pair[:, None] + child) * tags + codes[other][:, None]).ravel()
        self.stop = (len(sides) * codes[:, None] + sides).ravel()
        self.head, self.other = head, other

    def expected(self, grammar: Grammar, scale: Numbers) -> Expected:
        """Return the expected counts; `scale` is added to the logarithm of each word's arc.

        A sentence of n words is found e^(n · scale) times as probable as it is, which is put right
        again; a scale near −log P / n keeps long sentences within what numbers can say.
        """
        factor = np.exp(scale)
        stop, go = grammar.stop.ravel(), 1 - grammar.stop.ravel()
        logs, root, arc, stops, goes = load("dmv").posteriors(
            self.symbols.offsets,
            grammar.root[self.symbols.codes] * factor[self.sentence],
            grammar.attach.ravel()[self.arc] * self.of_arcs(factor[self.square]),
            stop[self.stop],
            go[self.stop],
        )
        return Expected(self.counts(root, arc, stops, goes), logs - self.symbols.lengths * scale)

    def counts(self, root: Numbers, arc: Numbers, stop: Numbers, go: Numbers) -> RuleCounts:
        """Return posteriors by position as counts of parameters."""
        tags, stops = self.tags, (self.tags, 2, self.valences.stop)
        arcs = (tags, 2, self.valences.child, tags)
        return RuleCounts(
            added_up(self.symbols.codes.astype(np.int64), root, tags),
            added_up(self.stop, stop, math.prod(stops)).reshape(stops),
            added_up(self.stop, go, math.prod(stops)).reshape(stops),
            added_up(self.arc, arc, math.prod(arcs)).reshape(arcs),
        )

    def of_arcs(self, pairs: Numbers) -> Numbers:
        """Return numbers of pairs of words as those of arcs, the same for all child valences."""
        return np.repeat(pairs, self.valences.child)

    def of_pairs(self, arcs: Numbers) -> Numbers:
        """Return numbers of arcs added up for each pair of words."""
        sums: Numbers = arcs.reshape(-1, self.valences.child).sum(1)
        return sums

    def scale(self, grammar: Grammar) -> Numbers:
        """Return a scale for each sentence, from the probability of its best tree."""
        scores, _ = self.best(grammar)
        return -np.maximum(scores, -700 * self.symbols.lengths) / self.symbols.lengths

    def best(self, grammar: Grammar) -> tuple[Numbers, NDArray[np.int32]]:
        """Return the logarithm of the best tree's probability, and the heads of all words.

        What is impossible counts as very improbable, so that there is always a tree.
        """
        root, stop, go, attach = (
            np.log(np.maximum(values, 1e-300))
            for values in (grammar.root, grammar.stop, 1 - grammar.stop, grammar.attach)
        )
        scores, heads = load("dmv").best_trees(
            self.symbols.offsets,
            root[self.symbols.codes],
            attach.ravel()[self.arc],
            stop.ravel()[self.stop],
            go.ravel()[self.stop],
        )
        return scores, heads

    def tree_counts(self, heads: NDArray[np.int32]) -> RuleCounts:
        """Return the counts of trees; heads are 1 for the first word, 0 for the root."""
        start = np.repeat(self.symbols.offsets[:-1], self.symbols.lengths)
        above = np.where(heads > 0, heads + start - 1, -1)
        pairs = np.flatnonzero(above[self.other] == self.head)
        head, other = self.head[pairs], self.other[pairs]
        side = (other > head).astype(np.int64)
        before = _places_in_groups(2 * head + side, np.abs(other - head))
        child = np.minimum(before, self.valences.child - 1)
        arc = np.zeros(len(self.arc))
        arc[pairs * self.valences.child + child] = 1
        words = len(self.symbols.codes)
        dependents = np.bincount(2 * head + side, minlength=2 * words)
        stop, go = self.stopping(lambda v: dependents >= v, dependents)
        return self.counts((heads == 0).astype(np.float64), arc, stop, go)

    def stopping(
        self, at_least: Callable[[int], NDArray[Any]], mean: NDArray[Any]
    ) -> tuple[Numbers, Numbers]:
        """Return how often heads stop and go on, by position.

        For each head and side, `at_least` says how probable so many dependents are or more, `mean`
        how many there are on average.
        """
        last = self.valences.stop - 1
        shares = [np.asarray(at_least(v), np.float64) for v in range(last + 1)]
        stop = [a - b for a, b in itertools.pairwise(shares)]
        go = [*shares[1:], mean - sum(shares[1:])]
        return np.stack([*stop, shares[last]], -1).ravel(), np.stack(go, -1).ravel()

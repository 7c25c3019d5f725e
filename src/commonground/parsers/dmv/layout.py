"""Where each parameter of a grammar stands in a corpus: the bridge to the kernel.

The kernel knows weights by position. A layout says which parameter each of them is, so that weights
are looked up, and posteriors added up, for a whole corpus at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import load
from commonground.parsers.dmv.grammar import Grammar, RuleCounts
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


class GrammarLayout:
    """Sentences of symbols, and the places of their weights in the parameters."""

    def __init__(self, symbols: Symbols, *, unknown: bool = False) -> None:
        """Lay out sentences; with `unknown`, for a grammar that has a last tag for unknown ones."""
        self.symbols = symbols
        tags = self.tags = len(symbols.tags) + unknown
        lengths = symbols.lengths
        each = np.repeat(lengths, lengths)  # for every head, how many words its sentence has
        head = np.repeat(np.arange(len(symbols.codes)), each)
        within = np.arange(len(head)) - np.repeat(np.cumsum(each) - each, each)
        other = np.repeat(np.repeat(symbols.offsets[:-1], lengths), each) + within
        self.sentence = np.repeat(np.arange(len(lengths)), lengths)
        self.square = np.repeat(np.arange(len(lengths)), lengths**2)
        codes = symbols.codes.astype(np.int64)
        self.arc = (2 * codes[head] + (other > head)) * tags + codes[other]
        self.four = (4 * codes[:, None] + np.arange(4)).ravel()
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
            grammar.attach.ravel()[self.arc] * factor[self.square],
            stop[self.four],
            go[self.four],
        )
        return Expected(self.counts(root, arc, stops, goes), logs - self.symbols.lengths * scale)

    def counts(self, root: Numbers, arc: Numbers, stop: Numbers, go: Numbers) -> RuleCounts:
        """Return posteriors by position as counts of parameters."""
        tags = self.tags
        return RuleCounts(
            added_up(self.symbols.codes.astype(np.int64), root, tags),
            added_up(self.four, stop, 4 * tags).reshape(tags, 2, 2),
            added_up(self.four, go, 4 * tags).reshape(tags, 2, 2),
            added_up(self.arc, arc, 2 * tags * tags).reshape(tags, 2, tags),
        )

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
            stop.ravel()[self.four],
            go.ravel()[self.four],
        )
        return scores, heads

    def tree_counts(self, heads: NDArray[np.int32]) -> RuleCounts:
        """Return the counts of trees; heads are 1 for the first word, 0 for the root."""
        start = np.repeat(self.symbols.offsets[:-1], self.symbols.lengths)
        above = np.where(heads > 0, heads + start - 1, -1)
        arc = (above[self.other] == self.head).astype(np.float64)
        right = (self.other > self.head) & (arc > 0)
        left = (self.other < self.head) & (arc > 0)
        words = len(self.symbols.codes)
        dependents = np.stack(
            [np.bincount(self.head[side], minlength=words) for side in (left, right)], -1
        )
        some = dependents > 0
        stop = np.stack([~some, some], -1).astype(np.float64)
        go = np.stack([some, dependents - some], -1).astype(np.float64)
        return self.counts((heads == 0).astype(np.float64), arc, stop.ravel(), go.ravel())

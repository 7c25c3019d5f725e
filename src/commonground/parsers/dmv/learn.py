"""Expectation maximisation, soft or with best trees only.

Each iteration finds how often every choice is expected to be made under the grammar (Klein &
Manning 2004), or how often the best trees make it (Viterbi EM, Spitkovsky et al. 2010c), and takes
the relative frequencies, with `smoothing` added to every count, as the next grammar. Without
smoothing the likelihood never falls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from commonground.parsers.dmv.grammar import Grammar, RuleCounts
from commonground.parsers.dmv.layout import GrammarLayout

__all__ = ["LearnedGrammar", "learn", "learn_from_best_trees"]

Watch = Callable[[int, float], None]
"""Told the number of the iteration, and the likelihood per word."""


@dataclass(frozen=True)
class LearnedGrammar:
    """A grammar, and the likelihood of the corpus before each iteration and after the last."""

    grammar: Grammar
    likelihoods: tuple[float, ...]


def learn(
    layout: GrammarLayout,
    start: Grammar,
    *,
    iterations: int = 100,
    tolerance: float = 1e-5,
    smoothing: float = 0.0,
    backoff: float = 0.0,
    watch: Watch = lambda *_: None,
) -> LearnedGrammar:
    """Return what EM makes of a grammar, until the likelihood rises by less than `tolerance`."""
    scale = layout.scale(start)
    grammar, likelihoods = start, []
    words = max(1, len(layout.symbols.codes))
    for number in range(iterations + 1):
        expected = layout.expected(grammar, scale)
        likelihoods.append(expected.likelihood)
        watch(number, likelihoods[-1] / words)
        if number == iterations or _settled(likelihoods, tolerance):
            break
        per_word = expected.logs / layout.symbols.lengths
        scale = np.where(np.isfinite(per_word), -per_word, scale)
        grammar = expected.counts.grammar(start.tags, smoothing, backoff)
    return LearnedGrammar(grammar, tuple(likelihoods))


def learn_from_best_trees(
    layout: GrammarLayout,
    start: Grammar,
    *,
    iterations: int = 100,
    smoothing: float = 1.0,
    backoff: float = 0.0,
    watch: Watch = lambda *_: None,
) -> LearnedGrammar:
    """Return what Viterbi EM makes of a grammar: until the best trees stay as they are.

    The likelihoods are those of the best trees. With smoothing they may fall.
    """
    grammar, likelihoods = start, []
    words = max(1, len(layout.symbols.codes))
    before = None
    for number in range(iterations + 1):
        scores, heads = layout.best(grammar)
        likelihoods.append(float(scores.sum()))
        watch(number, likelihoods[-1] / words)
        if number == iterations or (before is not None and np.array_equal(heads, before)):
            break
        counts = layout.tree_counts(heads)
        grammar, before = counts.grammar(start.tags, smoothing, backoff), heads
    return LearnedGrammar(grammar, tuple(likelihoods))


def best_tree_counts(layout: GrammarLayout, grammar: Grammar) -> RuleCounts:
    """Return the counts of the best trees under a grammar."""
    return layout.tree_counts(layout.best(grammar)[1])


def _settled(likelihoods: list[float], tolerance: float) -> bool:
    return len(likelihoods) > 1 and abs(likelihoods[-1] - likelihoods[-2]) <= tolerance * abs(
        likelihoods[-2]
    )

"""Which sentences to learn from, and in which order.

Spitkovsky, Alshawi & Jurafsky (2010), From baby steps to leapfrog: how "less is more" in
unsupervised dependency parsing.

- *Baby steps*: begin with sentences of one word, which need no start; the grammar of step k, with
  one added to each count, is where step k + 1 starts, on sentences of up to k + 1 words.
- *Less is more*: only sentences of up to 15 words, from the harmonic start.
- *Leapfrog*: both of these at 15 words; the best trees of both together make a grammar, from which
  large steps lead to 30 and 45 words.

EM itself adds nothing to the counts: with 0.1 added in each iteration, baby steps of up to 15 words
attach 33.9 instead of 37.0 % of the words in the dev part of the English Web Treebank.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from commonground.parsers.dmv.grammar import Grammar, uniform
from commonground.parsers.dmv.initial import initial_grammar
from commonground.parsers.dmv.layout import GrammarLayout
from commonground.parsers.dmv.learn import LearnedGrammar, best_tree_counts, learn
from commonground.parsers.dmv.symbols import Symbols

__all__ = ["LEAPS", "SWEET_SPOT", "baby_steps", "leapfrog", "less_is_more"]

SWEET_SPOT = 15
"""The length up to which "less is more"; where the two grammars meet for leapfrog."""
LEAPS = (30, 45)

Learn = Callable[[GrammarLayout, Grammar], LearnedGrammar]


def baby_steps(
    symbols: Symbols, longest: int, smoothing: float, steps: Learn = learn
) -> LearnedGrammar:
    """Return the grammar after the step of `longest` words."""
    grammar = uniform(symbols.tags)
    likelihoods: list[float] = []
    for length in range(1, longest + 1):
        if not (symbols.lengths == length).any():
            continue  # nothing new to learn from
        layout = GrammarLayout(symbols.shorter(length))
        step = steps(layout, grammar)
        likelihoods += step.likelihoods
        grammar = _smoothed(layout, step.grammar, smoothing)
    return LearnedGrammar(grammar, tuple(likelihoods))


def less_is_more(symbols: Symbols, longest: int, steps: Learn = learn) -> LearnedGrammar:
    """Return the grammar of the short sentences, from the harmonic start."""
    layout = GrammarLayout(symbols.shorter(longest))
    return steps(layout, initial_grammar(layout))


def leapfrog(
    symbols: Symbols, longest: int, smoothing: float, steps: Learn = learn
) -> LearnedGrammar:
    """Return the grammar after the last large step, which is of `longest` words."""
    meeting = min(SWEET_SPOT, longest)
    short = GrammarLayout(symbols.shorter(meeting))
    baby = baby_steps(symbols, meeting, smoothing, steps)
    batch = less_is_more(symbols, meeting, steps)
    both = best_tree_counts(short, baby.grammar) + best_tree_counts(short, batch.grammar)
    best = LearnedGrammar(
        both.grammar(symbols.tags, smoothing), baby.likelihoods + batch.likelihoods
    )
    for length in (*(leap for leap in LEAPS if meeting < leap < longest), longest):
        layout = GrammarLayout(symbols.shorter(length))
        step = steps(layout, best.grammar)
        best = replace(step, likelihoods=best.likelihoods + step.likelihoods)
    return best


def _smoothed(layout: GrammarLayout, grammar: Grammar, smoothing: float) -> Grammar:
    """Return a grammar with something added to each expected count: nothing is impossible."""
    expected = layout.expected(grammar, layout.scale(grammar))
    return expected.counts.grammar(grammar.tags, smoothing)

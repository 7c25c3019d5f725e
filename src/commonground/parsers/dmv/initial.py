"""Where learning starts from: the first grammar.

``harmonic`` (Klein & Manning 2004): every word hangs on each other word at distance d with a weight
of 1 / (d + 1), and is the root with a probability of 1/n. A head with m expected dependents on a
side has any with the probability 1 − e^(−m), as if they came independently of each other; further
ones come from the same distribution (Poisson's), and are the same whatever came before. ``smith06``
(Smith's, in the program of Gillenwater et al. 2010): the weight is 1 / d, 0.1 is added to all
counts, and the same share of the heads of all tags has a first dependent, and stops after it: 9/10
of what the counts of the least tag allow. ``uniform``: every projective tree has the same
probability in each sentence. ``random``: parameters from a symmetric Dirichlet distribution.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError, quoted
from commonground.parsers.dmv.grammar import Grammar, RuleCounts, Valences, uniform
from commonground.parsers.dmv.layout import GrammarLayout, added_up
from commonground.random import stream

__all__ = ["INITIAL", "initial_grammar"]

_ADDED = 0.1
"""What Smith's start adds to each count."""

INITIAL = ("harmonic", "smith06", "uniform", "random")


def initial_grammar(layout: GrammarLayout, how: str = "harmonic", seed: int = 0) -> Grammar:
    """Return the grammar that learning starts from."""
    tags = layout.symbols.tags
    if how == "harmonic":
        return harmonic_counts(layout).grammar(tags)
    if how == "smith06":
        return _smith_counts(layout).grammar(tags)
    if how == "uniform":
        even = uniform(tags, layout.valences)
        return layout.expected(even, layout.scale(even)).counts.grammar(tags)
    if how == "random":
        return _random(tags, layout.valences, stream(seed, "dmv initial"))
    raise UsageError(f"there is no start {quoted(how)}; there are {', '.join(INITIAL)}")


def harmonic_counts(layout: GrammarLayout) -> RuleCounts:
    """Return the counts of the harmonic start.

    >>> from commonground.parsers.dmv.symbols import Symbols
    >>> codes, offsets = np.zeros(3, np.int32), np.array([0, 3])
    >>> three = Symbols(("N",), codes, offsets, np.arange(3), np.arange(1))
    >>> harmonic_counts(GrammarLayout(three)).root.round(6).tolist()
    [1.0]
    """
    root, arc, dependents = _by_distance(layout, 1)

    def at_least(v: int) -> NDArray[np.float64]:
        """Return the probability of v dependents or more, if they are Poisson distributed."""
        if v <= 1:
            return -np.expm1(-dependents) if v else np.ones_like(dependents)
        exactly = np.exp(-dependents) * dependents ** (v - 1) / math.factorial(v - 1)
        return np.maximum(at_least(v - 1) - exactly, 0)

    stop, go = layout.stopping(at_least, dependents)
    return layout.counts(root, layout.of_arcs(arc), stop, go)


def _by_distance(
    layout: GrammarLayout, added: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return how probably each word is the root, each pair an arc, and the dependents by side.

    The weight of an arc is 1 / (distance + `added`).
    """
    head, other = layout.head, layout.other
    lengths = layout.symbols.lengths
    n = np.repeat(lengths, lengths).astype(np.float64)
    distance = np.abs(head - other).astype(np.float64)
    weight = np.where(distance > 0, 1 / np.maximum(distance + added, 1), 0.0)
    words = len(layout.symbols.codes)
    total = added_up(other, weight, words)
    mass = (1 - 1 / n) / np.where(total > 0, total, 1)
    arc = weight * mass[other]
    dependents = np.stack(
        [added_up(head, arc * side, words) for side in (other < head, other > head)], -1
    )
    return 1 / n, arc, dependents


def _smith_counts(layout: GrammarLayout) -> RuleCounts:
    """Return the counts of Smith's start."""
    root, arc, dependents = _by_distance(layout, 0)
    nothing = np.zeros(len(layout.stop))
    counts = layout.counts(root, layout.of_arcs(arc), nothing, nothing)
    tags = layout.symbols.codes
    words = np.bincount(tags, minlength=layout.tags)[:, None]
    mean, some = (
        np.stack([np.bincount(tags, side, layout.tags) for side in each.T], -1)
        for each in (dependents, dependents > 0)
    )
    some_words = some > 0
    most = np.minimum(words + _ADDED, mean + _ADDED)[some_words] / some[some_words]
    first = 0.9 * some * min(1.0, float(most.min(initial=1.0)))
    later = layout.valences.stop - 1
    stop = np.stack([words - first, *[first] * later], -1)
    go = np.stack([first, *[mean - first] * later], -1)
    return RuleCounts(
        counts.root + _ADDED,
        stop + _ADDED,
        np.maximum(go, -_ADDED) + _ADDED,
        counts.attach + _ADDED,
    )


def _random(tags: tuple[str, ...], valences: Valences, random: np.random.Generator) -> Grammar:
    count = len(tags)
    return Grammar(
        tags,
        random.dirichlet(np.ones(count)),
        random.random((count, 2, valences.stop)),
        _dirichlet(random, (count, 2, valences.child), count),
    )


def _dirichlet(
    random: np.random.Generator, shape: tuple[int, ...], count: int
) -> NDArray[np.float64]:
    return random.dirichlet(np.ones(count), shape)

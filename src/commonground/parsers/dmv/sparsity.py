r"""EM with posteriors that use few kinds of edges: posterior penalty.

Gillenwater, Ganchev, Graça, Pereira & Taskar (2010), Sparsity in dependency grammar induction. A
kind of edge (the tag of a dependent c, the tag of a head p) costs as much as its most probable edge
i of the corpus, however often it occurs:

    E-step:  q = argmin KL(q ‖ p) + σ Σ_cp max_i E_q[φ_cpi]

Its dual has a multiplier λ_i ≥ 0 for each edge that two words could have, those of a kind summing
up to σ at most, and q is the model with each such edge made less probable:

    q(tree) ∝ p(tree) Π_(i in tree) e^(−λ_i)

The gradient of the dual is the posterior of the edges, so λ is moved along it and brought back to
Σ λ ≤ σ, a few times in each E-step, beginning where it ended in the last one. The M-step is that of
EM. This is the symmetric constraint of the paper (PR-S).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import load
from commonground.parsers.dmv.grammar import Grammar, RuleCounts
from commonground.parsers.dmv.layout import GrammarLayout
from commonground.parsers.dmv.learn import LearnedGrammar, Watch

__all__ = ["KindsOfEdges", "bounded_sums", "learn_sparsely"]

Numbers = NDArray[np.float64]

_STEPS = 5
"""How often the multipliers are moved in each E-step."""


def learn_sparsely(
    layout: GrammarLayout,
    start: Grammar,
    *,
    penalty: float = 0.01,
    iterations: int = 100,
    tolerance: float = 1e-5,
    smoothing: float = 0.1,
    backoff: float = 0.0,
    watch: Watch = lambda *_: None,
) -> LearnedGrammar:
    """Return the grammar that EM learns with sparse posteriors; `penalty` is σ per sentence.

    The likelihoods are those of the dual, which are less what the kinds of edges cost.
    """
    kinds = KindsOfEdges(layout, penalty * len(layout.symbols.lengths))
    grammar, likelihoods = start, []
    words = max(1, len(layout.symbols.codes))
    for number in range(iterations + 1):
        likelihood, counts = kinds.expect(grammar)
        likelihoods.append(likelihood)
        watch(number, likelihood / words)
        rose = len(likelihoods) < 2 or abs(likelihoods[-1] - likelihoods[-2]) > tolerance * abs(
            likelihoods[-2]
        )
        if number == iterations or not rose:
            break
        grammar = counts.grammar(start.tags, smoothing, backoff)
    return LearnedGrammar(grammar, tuple(likelihoods))


class KindsOfEdges:
    """All edges that words could have, by the tags of dependent and head, and their multipliers."""

    def __init__(self, layout: GrammarLayout, most: float) -> None:
        self.layout, self.most = layout, most
        codes = layout.symbols.codes.astype(np.int64)
        self.kind = codes[layout.other] * layout.tags + codes[layout.head]
        self.kind[layout.other == layout.head] = layout.tags**2  # a word with itself: no edge
        self.multiplier = np.zeros(len(self.kind))

    def expect(self, grammar: Grammar) -> tuple[float, RuleCounts]:
        """Return the dual and the expected counts, with multipliers that were moved towards it."""
        for _ in range(_STEPS):
            *_, edges, _, _ = self._posteriors(grammar)
            edges = self.layout.of_pairs(edges)
            moved = self.multiplier + self.most * edges / _STEPS
            self.multiplier = bounded_sums(moved, self.kind, self.most)
        logs, root, edges, stop, go = self._posteriors(grammar)
        finite = float(logs[np.isfinite(logs)].sum())
        return finite, self.layout.counts(root, edges, stop, go)

    def used(self, grammar: Grammar) -> float:
        """Return Σ_cp max_i E_q[φ_cpi]: roughly how many kinds of edges are used."""
        *_, edges, _, _ = self._posteriors(grammar)
        most = np.zeros(self.layout.tags**2 + 1)
        np.maximum.at(most, self.kind, self.layout.of_pairs(edges))
        return float(most[:-1].sum())

    def _posteriors(self, grammar: Grammar) -> tuple[Numbers, ...]:
        """Return the logarithms of the sentences' sums, and posteriors by position."""
        layout, symbols = self.layout, self.layout.symbols
        root, stop, go, attach = (
            np.log(np.maximum(values, 1e-300))
            for values in (grammar.root, grammar.stop, 1 - grammar.stop, grammar.attach)
        )
        weights = (
            root[symbols.codes],
            attach.ravel()[layout.arc] - layout.of_arcs(self.multiplier),
            stop.ravel()[layout.stop],
            go.ravel()[layout.stop],
        )
        best, _ = load("dmv").best_trees(symbols.offsets, *weights)
        scale = -best / symbols.lengths
        logs, *posteriors = load("dmv").posteriors(
            symbols.offsets,
            np.exp(weights[0] + scale[layout.sentence]),
            np.exp(weights[1] + layout.of_arcs(scale[layout.square])),
            np.exp(weights[2]),
            np.exp(weights[3]),
        )
        return (logs - symbols.lengths * scale, *posteriors)


def bounded_sums(values: Numbers, kind: NDArray[np.int64], most: float) -> Numbers:
    """Return the nearest numbers ≥ 0 that sum up to `most` at most for each kind.

    All numbers of a kind are lowered by the same amount, and those below 0 become 0 (Duchi et al.
    2008).

    >>> bounded_sums(np.array([3.0, 1.0, 0.5]), np.array([0, 0, 1]), 2.0).tolist()
    [2.0, 0.0, 0.5]
    """
    values = np.maximum(values, 0.0)
    order = np.lexsort((-values, kind))
    sorted_values, sorted_kind = values[order], kind[order]
    first = np.flatnonzero(np.r_[True, sorted_kind[1:] != sorted_kind[:-1]])
    sizes = np.diff(np.r_[first, len(values)])
    begin = np.repeat(first, sizes)
    rank = np.arange(len(values)) - begin + 1
    total = np.cumsum(sorted_values)
    within = total - np.repeat(total[first] - sorted_values[first], sizes)
    lowered = (within - most) / rank
    used = sorted_values > lowered
    last = np.maximum.reduceat(np.where(used, np.arange(len(values)), -1), first)
    amount = np.maximum(lowered[last], 0.0)
    result = np.empty_like(values)
    result[order] = np.maximum(sorted_values - np.repeat(amount, sizes), 0.0)
    return result

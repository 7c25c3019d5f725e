"""Trees from a grammar: the most probable one, or the one with most heads expected to be right.

Minimum Bayes risk: the projective tree with the greatest sum of its arcs' posteriors.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError, quoted
from commonground.kernels import load
from commonground.parsers.dmv.grammar import Grammar
from commonground.parsers.dmv.layout import GrammarLayout

__all__ = ["DECODERS", "decoded"]

DECODERS = ("viterbi", "mbr")


def decoded(layout: GrammarLayout, grammar: Grammar, decoder: str = "viterbi") -> NDArray[np.int32]:
    """Return the head of every word, 1 for the first word of its sentence, 0 for the root."""
    if decoder not in DECODERS:
        raise UsageError(f"there is no decoder {quoted(decoder)}; there are viterbi and mbr")
    whole = with_unknown(grammar)
    _, best = layout.best(whole)
    return best if decoder == "viterbi" else _least_risk(layout, whole, best)


def with_unknown(grammar: Grammar) -> Grammar:
    """Return a grammar with one tag more, for those that it does not know: the mean of all tags."""
    attach = np.concatenate([grammar.attach, grammar.attach.mean(axis=0, keepdims=True)])
    return Grammar(
        (*grammar.tags, ""),
        np.append(grammar.root, grammar.root.mean()),
        np.concatenate([grammar.stop, grammar.stop.mean(axis=0, keepdims=True)]),
        np.concatenate([attach, attach.mean(axis=-1, keepdims=True)], axis=-1),
    )


def _least_risk(
    layout: GrammarLayout, grammar: Grammar, best: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Return the trees of least risk; the best ones where a sentence has no probability."""
    symbols = layout.symbols
    factor = np.exp(layout.scale(grammar))
    logs, root, arc, stop, _ = load("dmv").posteriors(
        symbols.offsets,
        grammar.root[symbols.codes] * factor[layout.sentence],
        grammar.attach.ravel()[layout.arc] * layout.of_arcs(factor[layout.square]),
        grammar.stop.ravel()[layout.stop],
        1 - grammar.stop.ravel()[layout.stop],
    )
    pairs, nothing = layout.of_pairs(arc), np.zeros_like(stop)
    _, heads = load("dmv").best_trees(symbols.offsets, root, pairs, nothing, nothing)
    return np.where(np.isfinite(logs)[layout.sentence], heads, best).astype(np.int32)

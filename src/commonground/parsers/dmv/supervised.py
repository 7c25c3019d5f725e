"""A grammar counted in a treebank: the same model, with the trees given.

Non-projective trees have no probability in this model; each arc is counted all the same, nearest
dependents first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.parsers.dmv.grammar import PLAIN, Grammar, Valences
from commonground.parsers.dmv.layout import GrammarLayout
from commonground.parsers.dmv.symbols import Symbols

__all__ = ["counted", "heads_without_punctuation"]


def counted(
    corpus: Dependencies,
    symbols: Symbols,
    smoothing: float = 0.1,
    valences: Valences = PLAIN,
    backoff: float = 0.0,
) -> Grammar:
    """Return the grammar of relative frequencies in the trees of a corpus."""
    heads = heads_without_punctuation(corpus, symbols)
    counts = GrammarLayout(symbols, valences).tree_counts(heads)
    return counts.grammar(symbols.tags, smoothing, backoff)


def heads_without_punctuation(corpus: Dependencies, symbols: Symbols) -> NDArray[np.int32]:
    """Return the heads among the words that count, from the whole trees.

    Where a head does not count itself, the nearest one above it does that counts.
    """
    if (corpus.head < 0).any():
        raise UsageError("the treebank has words without a head; counting trees needs all of them")
    start = np.repeat(corpus.offsets[:-1], corpus.words.lengths)
    above = np.where(corpus.head > 0, corpus.head + start - 1, -1)
    counts = np.zeros(corpus.words.rows + 1, np.bool_)
    counts[symbols.rows] = True
    counts[-1] = True  # the root, which is at −1
    head = above[symbols.rows]
    for _ in range(corpus.words.rows + 1):
        skipped = ~counts[head]
        if not skipped.any():
            break
        head[skipped] = above[head[skipped]]
    else:
        raise UsageError("the treebank has cycles; counting trees needs trees")
    place = np.zeros(corpus.words.rows + 1, np.int32)
    place[symbols.rows] = np.arange(len(symbols.rows)) - np.repeat(
        symbols.offsets[:-1], symbols.lengths
    )
    return np.where(head >= 0, place[head] + 1, 0).astype(np.int32)

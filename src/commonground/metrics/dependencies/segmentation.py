"""Segmentation: are the tokens, words and sentences of the text found?

A token or a sentence is right when the other side has one with exactly the same characters; a word
when it is paired with a word of the other side. The score is F1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.table import places_in_runs
from commonground.metrics.dependencies.comparison import Comparison
from commonground.metrics.items import CountedItems, Counts, Items, Side
from commonground.metrics.metric import Metric

__all__ = ["METRICS", "sentences", "tokens", "words"]

Numbers = NDArray[np.int64]


def words(pair: Comparison) -> Items:
    """Count the words that both sides have."""
    return pair.items(np.ones(len(pair.gold_row), np.bool_))


def tokens(pair: Comparison) -> Items:
    """Count the tokens that both sides have."""
    alignment = pair.alignment
    return _spans(pair, alignment.gold_tokens, alignment.system_tokens, alignment.same_tokens)


def sentences(pair: Comparison) -> Items:
    """Count the sentences that both sides have."""
    alignment = pair.alignment
    return _spans(
        pair,
        np.ones(len(pair.gold), np.int64),
        alignment.system_sentences,
        alignment.same_sentences,
    )


def _spans(pair: Comparison, gold: Numbers, system: Numbers, same: Numbers) -> Items:
    """Return so many items per sentence, the first of them right."""

    def make() -> Items:
        sides = _side(pair, gold, same), _side(pair, system, same)
        return Items(*sides, len(pair.gold), "sentences")

    mine, theirs, shared = (
        np.where(pair.scored_sentences, each, 0) for each in (gold, system, np.minimum(same, gold))
    )
    counts = {"correct": shared, "gold": mine, "system": theirs, "aligned": mine}
    return CountedItems(Counts(counts), make, "sentences")


def _side(pair: Comparison, total: Numbers, same: Numbers) -> Side:
    sentence = np.repeat(np.arange(len(total)), total)
    correct = places_in_runs(total) < np.repeat(same, total)
    side = Side(sentence, sentence, correct, np.ones(len(sentence), np.bool_))
    return side.where(pair.scored_sentences[sentence])


_ZEMAN = "Zeman et al. (2017), CoNLL 2017 shared task: multilingual parsing from raw text to UD."

METRICS = (
    Metric(
        "tokens",
        "Tokens",
        tokens,
        "Surface tokens with the same characters on both sides, as F1.\n"
        f"From: {_ZEMAN}\nExample: gold 'can not', parse 'cannot': no token is shared, 0.",
    ),
    Metric(
        "words",
        "Words",
        words,
        "Syntactic words that both sides have, as F1.\n"
        f"From: {_ZEMAN}\nExample: gold 'can not stay', parse 'cannot stay': 2·1/(3+2) = 0.4.",
    ),
    Metric(
        "sentences",
        "Sentences",
        sentences,
        "Sentences with the same characters on both sides, as F1.\n"
        f"From: {_ZEMAN}\nExample: two gold sentences joined into one by the parse: 0.",
    ),
)

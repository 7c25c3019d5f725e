"""Leaf-ancestor: how well is each word fitted into the tree?

The lineage of a word is the sequence of labels from the word up to the root. A marker ``[`` stands
before the highest phrase that begins with the word, a marker ``]`` after the highest one that ends
with it; with them, the lineages of all words tell the whole tree. For lineages s and t of a word in
gold standard and parse,

    score = 1 - d(s, t) / (|s| + |t|)

where d is the number of labels and markers that must be inserted, deleted or replaced to make t of
s. The score of a sentence or a corpus is the mean over its words. Which words and phrases count is
told in brackets.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents
from commonground.kernels import load
from commonground.metrics.constituents.brackets import BracketComparison, extents
from commonground.metrics.items import Items
from commonground.metrics.metric import Metric, Totals, ratio

__all__ = ["METRICS", "UNIT", "leaf_ancestor"]

Numbers = NDArray[np.int64]

UNIT = 10**9
"""The score of a word with the right lineage, as a whole number."""


def leaf_ancestor(pair: BracketComparison) -> Items:
    """Count the words with the right lineage, and sum their scores in the column `billionths`.

    The lineages of 'tax' are ``[ N N S`` and ``N S``, and so on; with `two`, `tax`, `revision` and
    `bills` under one N, two labels or markers are missing for 'tax' and for 'revision':

    >>> from commonground import read_text
    >>> from commonground.metrics.constituents.prepare import compared
    >>> from commonground.metrics.settings import Settings
    >>> gold = read_text("(S (N two (N tax revision) bills) were passed)")
    >>> parse = read_text("(S (N two tax revision bills) were passed)")
    >>> result = leaf_ancestor(compared(gold, parse, Settings())[0]).counts.totals
    >>> result["correct"], result["gold"], round(mean_score(result), 4)
    (4, 6, 0.8889)
    """
    one, two = (
        _tree(pair, *side)
        for side in (
            (pair.gold, pair.gold_times, pair.gold_words),
            (pair.system, pair.system_times, pair.system_words),
        )
    )
    apart, together = load("lineages").distances(one, two, pair.rules.alike.alike)
    together = np.maximum(together, 1)  # 0 labels on both sides are equal
    score = (2 * UNIT * (together - apart) + together) // (2 * together)
    sentence = pair.gold.words.sentence_of_row()[pair.gold_words]
    before = np.concatenate([[0], np.cumsum(score)])
    words = np.concatenate([[0], np.cumsum(np.bincount(sentence, minlength=len(pair.gold)))])
    return pair.word_items(apart == 0, {"billionths": np.diff(before[words])})


def mean_score(totals: Totals) -> Any:
    """Return the mean score of the words; 0/0 is 1."""
    return ratio(totals["billionths"], UNIT * totals["gold"])


def _tree(
    pair: BracketComparison, corpus: Constituents, times: Numbers, words: Numbers
) -> tuple[Numbers, ...]:
    """Return what the kernel needs: columns of the words that are compared, and of the nodes."""
    rows = corpus.words.sentence_of_row()
    first_nodes = corpus.nodes.offsets[:-1]
    above = corpus.words.numbers("parent").astype(np.int64)
    above = np.where(above < 0, -1, above + first_nodes[rows])[words]
    before = np.cumsum(times) - times
    place = (before - before[np.minimum(corpus.words.offsets[rows], len(before) - 1)])[words]
    # A word that counts twice has two places.
    place += np.arange(len(words)) - np.searchsorted(words, words)
    parent = corpus.parent.astype(np.int64)
    parent = np.where(parent < 0, -1, parent + first_nodes[corpus.nodes.sentence_of_row()])
    label = pair.codes(corpus) if pair.rules.labelled else np.zeros_like(parent)
    start, end, count = extents(corpus, times)
    counts = (count > 0) & corpus.label.where(pair.rules.counts)
    return above, place, parent, np.where(counts, label, -1), start, end


METRICS = (
    Metric(
        "leaf_ancestor",
        "Leaf-ancestor",
        leaf_ancestor,
        "Leaf-ancestor: the mean over the words of 1 - d(s, t) / (|s| + |t|), where s and t are "
        "the labels from the word up to the root in gold standard and parse, with a marker before "
        "the highest phrase that the word begins and after the highest one that it ends, and d "
        "counts the insertions, deletions and replacements between them.\n"
        "From: Sampson & Babarczy (2003), A test of the leaf-ancestor metric for parse accuracy; "
        "every edit costs 1 here, also between labels that resemble each other.\n"
        "Example: gold (S (N two (N tax revision) bills) were passed), parse (S (N two tax "
        "revision bills) were passed): 'tax' has [ N N S and N S, 1 - 2/6 = 0.667; 'revision' has "
        "N ] N S and N S, 0.667; the others are right: (4 + 2·0.667)/6 = 0.889.",
        mean_score,
    ),
)

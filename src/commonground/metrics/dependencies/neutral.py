"""Neutral Edge Direction: attachment that ignores a locally turned edge.

For a word t with head g in the gold standard and p in the parse (0 is the root), t is right when

    p = g,  or  the gold head of p is t,  or  p is the gold head of g.

The first two are the undirected score. The third forgives the word that a turned edge sends to its
grandparent: if w1 hangs on w2 and w2 on w3, turning the edge gives w2 on w1 and w1 on w3.
"""

from __future__ import annotations

import numpy as np

from commonground.metrics.dependencies.comparison import UNKNOWN, Comparison
from commonground.metrics.items import Items
from commonground.metrics.metric import Metric

__all__ = ["METRICS", "ned"]


def ned(pair: Comparison) -> Items:
    """Count the words whose head is right but for locally turned edges.

    >>> from commonground.corpus import Dependencies
    >>> from commonground.metrics.settings import Settings
    >>> from commonground.tokens import align_words
    >>> words, labels = ["I", "want", "to", "eat"], ["s", "r", "m", "x"]
    >>> gold = Dependencies.of([(words, [2, 0, 4, 2], labels)])
    >>> turned = Dependencies.of([(words, [2, 0, 2, 3], labels)])
    >>> pair = Comparison(gold, turned, align_words(gold, turned), Settings())
    >>> ned(pair).counts.totals["correct"]
    4
    """
    chosen, head = pair.chosen_head, pair.gold_head[pair.gold_at]
    turned = (chosen >= 0) & (pair.gold_head[np.maximum(chosen, 0)] == pair.gold_row)
    grandparent = np.where(head >= 0, pair.gold_head[np.maximum(head, 0)], UNKNOWN)
    skipped = (chosen == grandparent) & (chosen != UNKNOWN)
    return pair.items(pair.same_head | turned | skipped, system=pair.attached)


METRICS = (
    Metric(
        "ned",
        "NED",
        ned,
        "Neutral Edge Direction: a word t with gold head g and parse head p is right when p = g, "
        "or the gold head of p is t, or p is the gold head of g (the root counts).\nFrom: "
        "Schwartz, Abend, Reichart & Rappoport (2011), Neutralizing linguistically problematic "
        "annotations in unsupervised dependency parsing evaluation.\nExample: in 'I want to eat' "
        "the gold heads are 2 0 4 2 and the parse has 2 0 2 3, the edge between 'to' and 'eat' "
        "reversed: UAS = 0.5, undirected = 0.75, NED = 1.",
    ),
)

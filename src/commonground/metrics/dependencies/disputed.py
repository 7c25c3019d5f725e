"""Neutral Edge Direction where it is due: only in structures whose head is disputed.

NED forgives a turned edge everywhere, also where nobody doubts which word is the head (*big
house*). Schwartz (2011, §5.3) leaves it to future work to mark the disputed structures of a gold
standard explicitly; here they are those of :mod:`commonground.schemes.structures`. For a word t
with head g in the gold standard and p in the parse, t is right when

    p = g,
    or  the gold head of p is t, and the edge between t and p is disputed,
    or  p is the gold head of g, and the edge between t and g is disputed.

So UAS ≤ this score ≤ NED.
"""

from __future__ import annotations

import numpy as np

from commonground.corpus import Dependencies
from commonground.errors import UndefinedScoreError
from commonground.metrics.dependencies.comparison import UNKNOWN, Comparison
from commonground.metrics.items import Items
from commonground.metrics.metric import Metric

__all__ = ["METRICS", "ned_disputed"]


def ned_disputed(pair: Comparison) -> Items:
    """Count the words whose head is right but for turned edges in disputed structures.

    >>> from commonground.corpus import Dependencies
    >>> from commonground.metrics.settings import Settings
    >>> from commonground.tokens import align_words
    >>> words, labels = ["the", "big", "dog"], ["det", "amod", "root"]
    >>> gold = Dependencies.of([(words, [3, 3, 0], labels)])
    >>> turned = Dependencies.of([(words, [0, 1, 1], labels)])  # the determiner is the head
    >>> pair = Comparison(gold, turned, align_words(gold, turned), Settings())
    >>> ned_disputed(pair).counts.totals["correct"]
    2
    """
    from commonground.schemes.structures import disputed  # noqa: PLC0415  # as below

    arguable = disputed(pair.gold)
    if arguable is None:
        raise UndefinedScoreError(
            "the gold standard has neither Penn tags nor labels of Universal Dependencies, which "
            "show what is disputed"
        )
    chosen, head = pair.chosen_head, pair.gold_head[pair.gold_at]
    turned = (chosen >= 0) & (pair.gold_head[chosen] == pair.gold_row) & arguable[chosen]
    grandparent = np.where(head >= 0, pair.gold_head[head], UNKNOWN)
    skipped = (chosen == grandparent) & (chosen != UNKNOWN) & arguable[pair.gold_at]
    return pair.items(pair.same_head | turned | skipped)


def _family(gold: Dependencies) -> str:
    """Return what tells which structures are disputed: Penn tags, UD's labels, or nothing."""
    from commonground.schemes.structures import family_of  # noqa: PLC0415  # seldom asked for

    return family_of(gold) or "none"


METRICS = (
    Metric(
        "ned_disputed",
        "NED (disputed)",
        ned_disputed,
        "Neutral Edge Direction in disputed structures only: a word t with gold head g and parse "
        "head p is right when p = g, or when the edge between them is disputed (see 'commonground "
        "structures') and the gold head of p is t, or p is the gold head of g.\n"
        "From: the future work of Schwartz (2011), Neutralizing linguistically problematic "
        "annotations in unsupervised dependency parsing evaluation, §5.3.\n"
        "Example: in 'the big dog' the gold heads are 3 3 0 and the parse has 0 1 1: 'the' and "
        "'dog' are forgiven, since determiners are disputed, 'big' is not: 2 of 3.",
        gold_fact=_family,
    ),
)

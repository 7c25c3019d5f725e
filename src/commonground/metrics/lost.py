"""Sentences that a parse has lost: their gold items count, and none of them is right.

A submission that cannot be read, or that lacks sentences, is scored as a parse that has everything
wrong there. The items are those of a parse that is the gold standard itself, with all credit taken
away, so that precision, recall and every breakdown are 0 where something is lost.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.metrics.items import CountedItems, Counts, Items, Side

__all__ = ["LOWER_IS_BETTER", "without_credit"]

Flags = NDArray[np.bool_]

LOWER_IS_BETTER = "lower is better, so a missing sentence would get the best score"
"""Why a score in which less is better is undefined where sentences are lost."""

_KEPT = ("gold", "system", "aligned")


def without_credit(items: Items, lost: Flags) -> Items:
    """Return the items of a parse, none of them right in the sentences that are `lost`.

    Where a metric counts the cost of mistakes, all items of both sides are mistakes.

    >>> from commonground.corpus import Dependencies
    >>> from commonground.metrics.dependencies.attachment import METRICS
    >>> from commonground.metrics.dependencies.prepare import compared
    >>> from commonground.metrics.settings import Settings
    >>> gold = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])] * 2)
    >>> items = METRICS[0].items(compared(gold, gold, Settings())[0])
    >>> without_credit(items, np.array([False, True])).counts.to_json()["correct"]
    [2, 0]
    """
    if isinstance(items, CountedItems):
        counted = items
        counts = _counts(items.counts, lost)
        return CountedItems(counts, lambda: _items(counted, lost), items.table)
    return _items(items, lost)


def _items(items: Items, lost: Flags) -> Items:
    gold = _side(items.gold, lost)
    same = items.system.sentence is items.gold.sentence
    system = _side(items.system, lost)
    if same:  # counts look at it
        system = system._replace(sentence=gold.sentence)
    columns = _counts(items.counts, lost).columns
    further = {name: columns[name] for name in items.further}
    return Items(gold, system, items.sentences, items.table, further, items.corpora)


def _side(side: Side, lost: Flags) -> Side:
    return side._replace(correct=side.correct & ~lost[side.sentence])


def _counts(counts: Counts, lost: Flags) -> Counts:
    columns = {
        name: column if name in _KEPT else np.where(lost, 0, column)
        for name, column in counts.columns.items()
    }
    if "cost" in columns:
        everything = columns["gold"] + columns["system"]
        columns["cost"] = np.where(lost, everything, columns["cost"])
    return Counts(columns)

"""Word alignments: how many links are right, and how many of the gold standard are found?

A gold standard has sure links S, and possible ones; P are all of them, the sure ones too. Of the
links A of a system, whatever it calls them:

    precision  |A ∩ P| / |A|
    recall     |A ∩ S| / |S|
    F1         2 · precision · recall / (precision + recall)
    AER        1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|)

So a link that is only possible is no mistake, and need not be found. A link that stands twice in a
sentence pair counts once. The counts are ``gold`` = |S|, ``system`` = |A|, ``correct`` = |A ∩ S|
and ``possible`` = |A ∩ P|.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Alignments
from commonground.metrics.items import Items, Side
from commonground.metrics.matching import among
from commonground.metrics.metric import Metric, Totals, ratio, recall
from commonground.metrics.mismatch import equally_many
from commonground.metrics.settings import Settings

__all__ = ["METRICS", "AlignmentComparison", "aer", "compared", "links"]

Numbers = NDArray[np.int64]


def compared(
    gold: Alignments, system: Alignments, settings: Settings
) -> tuple[AlignmentComparison, tuple[str, ...]]:
    """Return the comparison of two alignments of the same pairs; none is ever skipped."""
    equally_many(gold, system)
    return AlignmentComparison(gold, system, settings), ()


class AlignmentComparison:
    """The links of a gold standard and of a system, whose pairs are the same by their order."""

    def __init__(self, gold: Alignments, system: Alignments, settings: Settings) -> None:
        self.gold = gold
        self.system = system
        self.settings = settings


def links(pair: AlignmentComparison) -> Items:
    """Count the sure links of the gold standard that are found, and the links that are right.

    >>> from commonground.formats import read_text
    >>> gold, mine = read_text("0-0 1-1 1p2", "pharaoh"), read_text("0-0 1-2 2-2", "pharaoh")
    >>> result = links(compared(gold, mine, Settings())[0]).counts.totals
    >>> result["gold"], result["system"], result["correct"], result["possible"], aer(result)
    (2, 3, 1, 2, 0.4)
    """
    one, two = _keys(pair.gold, pair.system)
    gold, system = (_distinct(side, keys) for side, keys in ((pair.gold, one), (pair.system, two)))
    right = among(two[system], np.sort(one))
    sure = gold[pair.gold.links.numbers("sure")[gold] > 0]
    recalled = among(one[sure], np.sort(two))
    sides = [
        Side(rows, corpus.links.sentence_of_row()[rows], correct, np.ones(len(rows), np.bool_))
        for corpus, rows, correct in ((pair.gold, sure, recalled), (pair.system, system, right))
    ]
    possible = np.bincount(sides[1].sentence[right], minlength=len(pair.gold)).astype(np.int64)
    return Items(sides[0], sides[1], len(pair.gold), "links", {"possible": possible})


def _keys(gold: Alignments, system: Alignments) -> tuple[Numbers, Numbers]:
    """Return a number for each link of both sides, the same for the same link of the same pair."""
    sides = (gold, system)
    places, number = np.unique(
        np.concatenate([column for side in sides for column in (side.source, side.target)]),
        return_inverse=True,
    )
    cuts = np.cumsum([side.links.rows for side in (gold, gold, system)])
    one, two, three, four = np.split(number.astype(np.int64), cuts)
    height = len(places)
    return (
        (gold.links.sentence_of_row() * height + one) * height + two,
        (system.links.sentence_of_row() * height + three) * height + four,
    )


def _distinct(corpus: Alignments, keys: Numbers) -> Numbers:
    """Return the rows of different links; one that is there twice is sure if it once is."""
    order = np.lexsort((-corpus.links.numbers("sure"), keys))
    first = np.ones(len(keys), np.bool_)
    first[1:] = keys[order][1:] != keys[order][:-1]
    return np.sort(order[first])


def precision(totals: Totals) -> Any:
    """Return |A ∩ P| / |A|; 0/0 is 1."""
    return ratio(totals["possible"], totals["system"])


def f1(totals: Totals) -> Any:
    """Return the harmonic mean of precision and recall; 0/0 is 0."""
    one, two = precision(totals), recall(totals)
    return ratio(2 * one * two, one + two, empty=0.0)


def aer(totals: Totals) -> Any:
    """Return 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|), the alignment error rate; 0/0 is 0."""
    return 1 - ratio(totals["correct"] + totals["possible"], totals["system"] + totals["gold"])


_OCH = "Och & Ney (2003), A systematic comparison of various statistical alignment models."
_EXAMPLE = """\
Example: gold 0-0 1-1 sure and 1-2 possible, system 0-0 1-2 2-2: """

METRICS = (
    Metric(
        "aer",
        "AER",
        links,
        "Alignment error rate: 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|), for the links A of the "
        "system, the sure links S of the gold standard, and P, the possible ones with them; lower "
        f"is better.\nFrom: {_OCH}\n{_EXAMPLE}1 − (1 + 2) / (3 + 2) = 0.4.",
        aer,
        higher_is_better=False,
    ),
    Metric(
        "alignment_precision",
        "Precision",
        links,
        "Precision of links: the share of the system's links that the gold standard has, sure or "
        f"possible.\nFrom: {_OCH}\n{_EXAMPLE}2 of 3 are right, 0.667.",
        precision,
    ),
    Metric(
        "alignment_recall",
        "Recall",
        links,
        "Recall of links: the share of the gold standard's sure links that the system has.\n"
        f"From: {_OCH}\n{_EXAMPLE}1 of 2 is found, 0.5.",
        recall,
    ),
    Metric(
        "alignment_f1",
        "F1",
        links,
        f"F1 of links: the harmonic mean of their precision and recall.\nFrom: {_OCH}\n{_EXAMPLE}"
        "2·0.667·0.5/(0.667+0.5) = 0.571.",
        f1,
    ),
)

"""Attachment scores: of how many words is the head right, and the label?

For a word t with head g in the gold standard and p in the parse (0 is the root):

    UAS         p = g
    LAS         p = g, and the labels are equal
    LA          the labels are equal
    undirected  p = g, or the gold head of p is t

Where both sides have the same words, the score is the share of words that are right; where words
differ, or the parse has words without a head (a partial tree), it is the F1 of precision, which is
over the heads that are there, and recall, which is over all. Coverage is the share of words with a
head. Root accuracy looks at the words on the root only,
exact match at whole sentences.
"""

from __future__ import annotations

import numpy as np

from commonground.metrics.dependencies.comparison import ROOT, Comparison
from commonground.metrics.items import Items, Side
from commonground.metrics.metric import Metric, precision, recall

__all__ = ["METRICS", "coverage", "exact", "la", "las", "root", "uas", "undirected"]


def uas(pair: Comparison) -> Items:
    """Count the words whose head is right.

    >>> from commonground.corpus import Dependencies
    >>> from commonground.metrics.dependencies.comparison import Comparison
    >>> from commonground.metrics.settings import Settings
    >>> from commonground.tokens import align_words
    >>> gold = Dependencies.of([(["I", "want", "to", "eat"], [2, 0, 4, 2], ["s", "r", "m", "x"])])
    >>> parse = Dependencies.of([(["I", "want", "to", "eat"], [2, 0, 2, 3], ["s", "r", "x", "m"])])
    >>> pair = Comparison(gold, parse, align_words(gold, parse), Settings())
    >>> [int(f(pair).counts.totals["correct"]) for f in (uas, las, la, undirected)]
    [2, 2, 2, 3]
    """
    return pair.items(pair.same_head, system=pair.attached)


def las(pair: Comparison) -> Items:
    """Count the words whose head and label are right."""
    return pair.items(pair.same_head & pair.same_label, system=pair.attached)


def la(pair: Comparison) -> Items:
    """Count the words whose label is right."""
    labelled = pair.same_label
    if pair.attached is not None:
        labelled = labelled & pair.attached[pair.system_at]
    return pair.items(labelled, system=pair.attached)


def undirected(pair: Comparison) -> Items:
    """Count the words whose arc is in the gold tree, in whatever direction."""
    chosen = pair.chosen_head
    turned = (chosen >= 0) & (pair.gold_head[np.maximum(chosen, 0)] == pair.gold_row)
    return pair.items(pair.same_head | turned, system=pair.attached)


def root(pair: Comparison) -> Items:
    """Count the words on the root that are there on both sides."""
    return pair.items(
        pair.same_head & (pair.chosen_head == ROOT),
        pair.gold_head == ROOT,
        pair.system_head == ROOT,
    )


def coverage(pair: Comparison) -> Items:
    """Count the words that have a head, right or wrong."""
    heads = pair.system.head[pair.system_at] >= 0
    return pair.items(np.asarray(heads))


def exact(pair: Comparison) -> Items:
    """Count the sentences in which every head and label is right."""
    return whole_sentences(las(pair), pair)


def exact_unlabelled(pair: Comparison) -> Items:
    """Count the sentences in which every head is right."""
    return whole_sentences(uas(pair), pair)


def whole_sentences(items: Items, pair: Comparison) -> Items:
    """Turn items into sentences, which are right when all their items are, on both sides."""
    columns = items.counts.columns
    right = (columns["correct"] == columns["gold"]) & (columns["correct"] == columns["system"])
    rows = np.arange(items.sentences)
    side = Side(rows, rows, right, np.ones(len(rows), np.bool_)).where(pair.scored_sentences)
    return Items(side, side, items.sentences, "sentences")


_BUCHHOLZ = "Buchholz & Marsi (2006), CoNLL-X shared task on multilingual dependency parsing."
_EXAMPLE = """\
Example: in 'I want to eat' the gold heads are 2 0 4 2 and the parse has 2 0 2 3: """

_PARTIAL = (
    "From: Spreyer & Kuhn (2009), Data-driven dependency parsing of new languages using incomplete "
    "and noisy training data.\n"
    "Example: in 'I want to eat' the gold heads are 2 0 4 2 and a partial tree has 2 0 _ 3: "
)

METRICS = (
    Metric(
        "uas",
        "UAS",
        uas,
        f"Unlabelled attachment score: the share of words with the right head (p = g).\n"
        f"From: {_BUCHHOLZ}\n{_EXAMPLE}2 of 4 heads are right, UAS = 0.5.",
    ),
    Metric(
        "las",
        "LAS",
        las,
        f"Labelled attachment score: the share of words with the right head and label.\n"
        f"From: {_BUCHHOLZ}\n{_EXAMPLE}with right labels on 'I' and 'want', LAS = 2/4 = 0.5.",
    ),
    Metric(
        "la",
        "LA",
        la,
        f"Label accuracy: the share of words with the right label, whatever their head.\n"
        f"From: {_BUCHHOLZ}\n{_EXAMPLE}if all labels but one are right, LA = 3/4 = 0.75.",
    ),
    Metric(
        "undirected",
        "Undirected",
        undirected,
        "Undirected attachment score: the arc between t and p is in the gold tree, in either "
        "direction (p = g, or the gold head of p is t).\nFrom: Klein & Manning (2004), "
        f"Corpus-based induction of syntactic structure.\n{_EXAMPLE}the arc from 'to' to 'eat' "
        "is in the gold tree, reversed; there is no arc between 'want' and 'to' in either "
        "direction: 3/4 = 0.75.",
    ),
    *(
        Metric(
            f"{name}_{side}",
            f"{name.upper()} {side}",
            items,
            f"{side.capitalize()} of {what}: the share of the {whose} that are right.\n"
            f"{_PARTIAL}{example}",
            formula,
        )
        for name, items, what in (
            ("uas", uas, "unlabelled attachment"),
            ("las", las, "labelled attachment"),
        )
        for side, formula, whose, example in (
            ("precision", precision, "parse's heads that are there", "2 of 3 are right, 0.667."),
            ("recall", recall, "gold standard's heads", "2 of 4 are found, 0.5."),
        )
    ),
    Metric(
        "coverage",
        "Coverage",
        coverage,
        "Coverage: the share of words that have a head in the parse, right or wrong.\n"
        f"{_PARTIAL}3 of 4 have one, 0.75.",
        recall,
    ),
    Metric(
        "root",
        "Root",
        root,
        "Root accuracy: the words on the root that both sides have there, as F1.\n"
        "From: eval.pl and MaltEval report it per label.\n"
        "Example: gold roots 1 and parse roots 1, the same word: 1.",
    ),
    Metric(
        "exact_match",
        "Exact",
        exact,
        "Exact match: the share of sentences in which every head and label is right.\n"
        "From: Yamada & Matsumoto (2003), as complete rate.\n"
        "Example: 600 sentences, 180 of them without an error: 0.3.",
    ),
    Metric(
        "exact_match_unlabelled",
        "Exact (unl.)",
        exact_unlabelled,
        "Unlabelled exact match: the share of sentences in which every head is right.\n"
        "From: Yamada & Matsumoto (2003), as complete rate.\n"
        "Example: 600 sentences, 240 of them without a wrong head: 0.4.",
    ),
)

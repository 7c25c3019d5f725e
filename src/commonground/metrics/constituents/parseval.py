"""PARSEVAL: how many brackets of the gold standard are found, and how many of the parse are right?

Let G and P be the multisets of brackets (label and words) of gold standard and parse:

    precision  |G ∩ P| / |P|
    recall     |G ∩ P| / |G|
    F1         2 |G ∩ P| / (|G| + |P|)

Unlabelled, a bracket is its words only. A bracket of the parse crosses when some gold bracket
shares words with it and neither contains the other. Tagging is the share of words with the right
tag, exact match the share of sentences with G = P. What counts as a bracket is told in brackets.py.
"""

from __future__ import annotations

from typing import Any

from commonground.metrics.constituents.brackets import BracketComparison
from commonground.metrics.items import Items
from commonground.metrics.metric import Metric, Totals, f1, precision, ratio, recall

__all__ = ["METRICS", "crossing", "exact", "labelled", "tagging", "unlabelled"]


def labelled(pair: BracketComparison) -> Items:
    """Count the brackets with the right label and the right words.

    >>> from commonground import read_text
    >>> from commonground.metrics.constituents.prepare import compared
    >>> from commonground.metrics.settings import Settings
    >>> gold = read_text("(S (NP (D the) (N cat)) (VP (V saw) (NP (D a) (N dog))))")
    >>> parse = read_text("(S (NP (D the) (N cat) (V saw)) (NP (D a) (N dog)))")
    >>> pair, _ = compared(gold, parse, Settings())
    >>> totals = labelled(pair).counts.totals
    >>> totals["correct"], totals["gold"], totals["system"]
    (2, 4, 3)
    >>> crossing(pair).counts.totals["crossing"], exact(pair).counts.totals["correct"]
    (1, 0)
    """
    return pair.labelled


def unlabelled(pair: BracketComparison) -> Items:
    """Count the brackets with the right words."""
    return pair.unlabelled


def exact(pair: BracketComparison) -> Items:
    """Count the sentences in which all brackets are right."""
    return _sentences_right(pair, labelled(pair))


def exact_unlabelled(pair: BracketComparison) -> Items:
    """Count the sentences in which all brackets have the right words."""
    return _sentences_right(pair, unlabelled(pair))


def crossing(pair: BracketComparison) -> Items:
    """Count the brackets that cross, in the column `crossing`, and the sentences without any."""
    counts = pair.crossings
    return pair.sentence_items(counts == 0, {"crossing": counts})


def at_most_two(pair: BracketComparison) -> Items:
    """Count the sentences with at most two brackets that cross."""
    return pair.sentence_items(pair.crossings <= 2)


def tagging(pair: BracketComparison) -> Items:
    """Count the words with the right tag."""
    gold, system = (side.tag.map(pair.rules.tag) for side in (pair.gold, pair.system))
    return pair.words_with(gold, system)


def _sentences_right(pair: BracketComparison, brackets: Items) -> Items:
    correct, gold, system = (brackets.counts.columns[n] for n in ("correct", "gold", "system"))
    right = (correct == gold) & (correct == system)
    # A sentence without discontinuous brackets says nothing about these.
    counted = (gold + system > 0) if pair.rules.discontinuous_only else None
    return pair.sentence_items(right, among=counted)


def average_crossing(totals: Totals) -> Any:
    """Return crossing / gold, the number of brackets that cross in a sentence; 0/0 is 0."""
    return ratio(totals["crossing"], totals["gold"], empty=0.0)


_BLACK = (
    "Black et al. (1991), A procedure for quantitatively comparing the syntactic coverage of "
    "English grammars; in this form Collins (1997) and the program evalb."
)
_EXAMPLE = """\
Example: gold (S (NP the cat) (VP saw (NP a dog))), parse (S (NP the cat saw) (NP a dog)): """

METRICS = (
    Metric(
        "parseval_precision",
        "Precision",
        labelled,
        f"PARSEVAL precision: the share of the parse's brackets (label and words) that are right, "
        f"|G ∩ P| / |P| with multisets.\nFrom: {_BLACK}\n{_EXAMPLE}S and (NP a dog) of 3 brackets "
        "are right, 2/3 = 0.667.",
        precision,
    ),
    Metric(
        "parseval_recall",
        "Recall",
        labelled,
        f"PARSEVAL recall: the share of the gold brackets (label and words) that the parse has, "
        f"|G ∩ P| / |G| with multisets.\nFrom: {_BLACK}\n{_EXAMPLE}S and (NP a dog) of 4 brackets "
        "are found, 2/4 = 0.5.",
        recall,
    ),
    Metric(
        "parseval_f1",
        "F1",
        labelled,
        f"PARSEVAL F1: 2 |G ∩ P| / (|G| + |P|) for multisets of brackets (label and words), the "
        f"harmonic mean of precision and recall.\nFrom: {_BLACK}\n{_EXAMPLE}2·2/(4+3) = 0.571.",
        f1,
    ),
    Metric(
        "parseval_unlabelled_precision",
        "Precision (unl.)",
        unlabelled,
        f"Unlabelled PARSEVAL precision: the share of the parse's brackets whose words are those "
        f"of a gold bracket.\nFrom: {_BLACK}\n{_EXAMPLE}2/3 = 0.667.",
        precision,
    ),
    Metric(
        "parseval_unlabelled_recall",
        "Recall (unl.)",
        unlabelled,
        f"Unlabelled PARSEVAL recall: the share of the gold brackets whose words are those of a "
        f"bracket of the parse.\nFrom: {_BLACK}\n{_EXAMPLE}2/4 = 0.5.",
        recall,
    ),
    Metric(
        "parseval_unlabelled_f1",
        "F1 (unl.)",
        unlabelled,
        f"Unlabelled PARSEVAL F1: the harmonic mean of unlabelled precision and recall.\n"
        f"From: {_BLACK}\n{_EXAMPLE}2·2/(4+3) = 0.571.",
        f1,
    ),
    Metric(
        "parseval_exact_match",
        "Exact",
        exact,
        f"Exact match (complete match in evalb): the share of sentences in which both sides have "
        f"the same brackets.\nFrom: {_BLACK}\n"
        "Example: 100 sentences, 40 of them without an error: 0.4.",
    ),
    Metric(
        "parseval_unlabelled_exact_match",
        "Exact (unl.)",
        exact_unlabelled,
        f"Unlabelled exact match: the share of sentences in which the brackets of both sides have "
        f"the same words.\nFrom: {_BLACK}\nExample: 100 sentences, 45 of them with all words "
        "bracketed alike: 0.45.",
    ),
    Metric(
        "crossing_brackets",
        "Crossing",
        crossing,
        f"Crossing brackets: how many brackets of the parse cross a gold bracket, per sentence; "
        f"lower is better, and 0 is best.\nFrom: {_BLACK}\n{_EXAMPLE}(NP the cat saw) crosses "
        "(VP saw a dog): 1.",
        average_crossing,
        share=False,
        higher_is_better=False,
    ),
    Metric(
        "no_crossing",
        "No crossing",
        crossing,
        f"No crossing: the share of sentences in which no bracket of the parse crosses a gold "
        f"bracket.\nFrom: {_BLACK}\nExample: 100 sentences, 70 of them without crossing: 0.7.",
    ),
    Metric(
        "two_or_less_crossing",
        "≤ 2 crossing",
        at_most_two,
        f"Two or less crossing: the share of sentences in which at most two brackets of the parse "
        f"cross a gold bracket.\nFrom: {_BLACK}\nExample: 100 sentences, 5 of them with 3 or more: "
        "0.95.",
    ),
    Metric(
        "tagging",
        "Tags",
        tagging,
        f"Tagging accuracy: the share of words that have the right part-of-speech tag.\n"
        f"From: {_BLACK}\nExample: 23 of 24 words with the right tag: 0.958.",
    ),
)

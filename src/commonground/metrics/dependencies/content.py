"""Scores over content words: CLAS, MLAS, BLEX of the CoNLL 2018 shared task.

A word with a content relation (on the gold side for recall, on the parse's for precision) is right

    CLAS  when its head and its label are right;
    MLAS  when also its part of speech and features are, and its functional children (auxiliaries,
          copulas, markers, determiners, classifiers, adpositions, conjunctions) are the same words
          with the same labels, parts of speech and features;
    BLEX  when its head, its label and its lemma are right (a lemma ``_`` in the gold standard is
          matched by any).

Labels are compared without subtypes, whatever the settings.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Strings
from commonground.metrics.dependencies.comparison import Comparison
from commonground.metrics.dependencies.morphology import same_features, same_lemma
from commonground.metrics.items import Items
from commonground.metrics.metric import Metric

__all__ = ["CONTENT", "FUNCTION", "METRICS", "blex", "clas", "mlas"]

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]

CONTENT = frozenset(
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod "
    "appos nummod acl amod conj fixed flat compound list parataxis orphan goeswith reparandum root "
    "dep".split()
)
"""The universal relations of content words."""

FUNCTION = frozenset("aux cop mark det clf case cc".split())
"""The universal relations of function words."""


def universal(label: str) -> str:
    """Return a relation without its subtype.

    >>> universal("acl:relcl")
    'acl'
    """
    return label.partition(":")[0]


def clas(pair: Comparison) -> Items:
    """Count the content words whose head and label are right."""
    return _content_words(pair, _right_arc(pair))


def mlas(pair: Comparison) -> Items:
    """Count the content words that are right with their morphology and their function words."""
    same_tag = pair.same(pair.gold.upos, pair.system.upos)
    same = same_tag & same_features(pair, universal_only=True)
    return _content_words(pair, _right_arc(pair) & same & _same_function_words(pair, same))


def blex(pair: Comparison) -> Items:
    """Count the content words whose head, label and lemma are right."""
    return _content_words(pair, _right_arc(pair) & same_lemma(pair))


def _right_arc(pair: Comparison) -> Flags:
    return pair.once(_same_arc)


def _same_arc(pair: Comparison) -> Flags:
    return pair.same_head & pair.same(
        pair.gold.deprel.map(universal), pair.system.deprel.map(universal)
    )


def _content_words(pair: Comparison, correct: Flags) -> Items:
    return pair.items(correct, pair.once(_gold_content), pair.once(_system_content))


def _gold_content(pair: Comparison) -> Flags:
    return _relation(pair.gold.deprel, CONTENT)


def _system_content(pair: Comparison) -> Flags:
    return _relation(pair.system.deprel, CONTENT)


def _relation(labels: Strings, relations: frozenset[str]) -> Flags:
    return labels.where(lambda label: universal(label) in relations)


def _same_function_words(pair: Comparison, same_morphology: Flags) -> Flags:
    """Tell for each pair whether both words have the same function words among their children.

    Words are paired in the order of the text, so the children are the same when they are equally
    many on both sides, and equally many of them are pairs that agree.
    """
    gold, system = _relation(pair.gold.deprel, FUNCTION), _relation(pair.system.deprel, FUNCTION)
    agree = _right_arc(pair) & same_morphology & gold[pair.gold_at] & system[pair.system_at]
    mine = _children(pair.gold_head[gold], pair.gold.words.rows)[pair.gold_at]
    theirs = _children(pair.system_head[system], pair.system.words.rows)[pair.system_at]
    shared = _children(pair.gold_head[pair.gold_row[agree]], pair.gold.words.rows)[pair.gold_at]
    return (mine == shared) & (theirs == shared)


def _children(heads: Numbers, length: int) -> Numbers:
    """Count how often each row is a head."""
    return np.bincount(heads[heads >= 0], minlength=length)


_ZEMAN = "Zeman et al. (2018), CoNLL 2018 shared task: multilingual parsing from raw text to UD."

METRICS = (
    Metric(
        "clas",
        "CLAS",
        clas,
        "Content-word labelled attachment score: LAS over words with a content relation, as F1; "
        "labels without subtypes.\n"
        "From: Nivre & Fang (2017), Universal Dependency evaluation.\n"
        "Example: 'the dog barks' with a wrong head for 'the' only: LAS = 2/3, CLAS = 1.",
    ),
    Metric(
        "mlas",
        "MLAS",
        mlas,
        "Morphology-aware labelled attachment score: CLAS where also UPOS, the universal features "
        "and the functional children (with their labels, tags and features) must agree.\n"
        f"From: {_ZEMAN}\n"
        "Example: 'the dog barks' with a wrong head for 'the': 'dog' has lost its determiner, so "
        "MLAS = 1/2.",
    ),
    Metric(
        "blex",
        "BLEX",
        blex,
        "Bilexical dependency score: CLAS where also the lemma of the word must agree.\n"
        f"From: {_ZEMAN}\n"
        "Example: 'the dog barks' with the lemma 'barks' for 'bark': BLEX = 1/2.",
    ),
)

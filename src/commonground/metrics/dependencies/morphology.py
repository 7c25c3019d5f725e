"""Tags, features and lemmas: of how many words are they right?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Strings
from commonground.metrics.dependencies.comparison import Comparison
from commonground.metrics.items import Items
from commonground.metrics.metric import Metric

__all__ = ["METRICS", "UNIVERSAL", "feature", "same_features", "same_lemma"]

Flags = NDArray[np.bool_]

UNIVERSAL = frozenset(
    "PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm "
    "Mood Tense Aspect Voice Evident Polarity Person Polite".split()
)
"""The features that Universal Dependencies define."""


def upos(pair: Comparison) -> Items:
    """Count the words with the right universal part of speech."""
    return pair.items(pair.same(pair.gold.upos, pair.system.upos))


def xpos(pair: Comparison) -> Items:
    """Count the words with the right part of speech of the treebank's own."""
    return pair.items(pair.same(pair.gold.xpos, pair.system.xpos))


def feats(pair: Comparison) -> Items:
    """Count the words with the right features, all of them."""
    return pair.items(same_features(pair, universal_only=pair.settings.universal_features))


def all_tags(pair: Comparison) -> Items:
    """Count the words whose tags and features are right."""
    tags = pair.same(pair.gold.upos, pair.system.upos) & pair.same(pair.gold.xpos, pair.system.xpos)
    return pair.items(tags & same_features(pair, universal_only=pair.settings.universal_features))


def lemmas(pair: Comparison) -> Items:
    """Count the words with the right lemma."""
    return pair.items(same_lemma(pair))


def same_lemma(pair: Comparison) -> Flags:
    """Tell for each pair whether the lemmas are the same; ``_`` in the gold standard is any."""
    return pair.once(_same_lemma)


def _same_lemma(pair: Comparison) -> Flags:
    unknown = pair.gold.lemma.where(lambda lemma: lemma == "_")[pair.gold_at]
    return unknown | pair.same(pair.gold.lemma, pair.system.lemma)


def same_features(pair: Comparison, *, universal_only: bool) -> Flags:
    """Tell for each pair whether the features are the same, in any order."""
    return pair.once(_same_features, universal_only)


def _same_features(pair: Comparison, universal_only: bool) -> Flags:  # noqa: FBT001  # as above
    return pair.same(
        *(_ordered(side.feats, universal_only=universal_only) for side in (pair.gold, pair.system))
    )


def _ordered(column: Strings, *, universal_only: bool) -> Strings:
    def ordered(text: str) -> str:
        features = sorted(text.split("|"))
        if universal_only:
            features = [item for item in features if item.partition("=")[0] in UNIVERSAL]
        return "|".join(features) or "_"

    return column.map(ordered)


def feature(name: str) -> Metric:
    """Return the metric of one feature: over the words that have it, as F1.

    >>> feature("Case").name
    'feats.Case'
    """

    def value(text: str) -> str:
        pairs = (item.partition("=") for item in text.split("|"))
        return next((value for key, _, value in pairs if key == name), "")

    def items(pair: Comparison) -> Items:
        gold, system = pair.gold.feats.map(value), pair.system.feats.map(value)
        return pair.items(pair.same(gold, system), gold.where(bool), system.where(bool))

    return Metric(
        f"feats.{name}",
        name,
        items,
        f"The feature {name}: over the words that have it, F1 of its values.\n"
        "From: the usual per-feature evaluation of morphological taggers.\n"
        "Example: two words with Case=Nom, one of them tagged Case=Acc: 1/2.",
    )


_ZEMAN = "Zeman et al. (2017), CoNLL 2017 shared task: multilingual parsing from raw text to UD."
_SHARE = "the share of words where it is right (F1 where words differ)"

METRICS = (
    Metric(
        "upos",
        "UPOS",
        upos,
        f"Universal part of speech: {_SHARE}.\nFrom: {_ZEMAN}\n"
        "Example: 3 of 4 words tagged right: 0.75.",
    ),
    Metric(
        "xpos",
        "XPOS",
        xpos,
        f"The treebank's own part of speech: {_SHARE}.\nFrom: {_ZEMAN}\n"
        "Example: 3 of 4 words tagged right: 0.75.",
    ),
    Metric(
        "feats",
        "Feats",
        feats,
        f"All features together: {_SHARE}; in any order, only universal ones where the "
        f"settings say so.\nFrom: {_ZEMAN}\n"
        "Example: Case=Nom|Number=Sing against Case=Nom: wrong.",
    ),
    Metric(
        "alltags",
        "AllTags",
        all_tags,
        f"UPOS, XPOS and features together: {_SHARE}.\nFrom: {_ZEMAN}\n"
        "Example: a right UPOS with a wrong XPOS is wrong.",
    ),
    Metric(
        "lemmas",
        "Lemmas",
        lemmas,
        f"Lemma: {_SHARE}; a gold lemma _ is matched by any.\nFrom: {_ZEMAN}\n"
        "Example: 'be' for 'is' where the gold has 'be': right.",
    ),
)

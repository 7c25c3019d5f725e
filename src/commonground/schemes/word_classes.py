"""The tags and features of words, as the rules of schemes speak of them: those of the hub.

Treebanks have tags and features of their own; their tag set says what they mean (see
:mod:`commonground.schemes.tag_set`). Marks are told by their form, and get the features
``PunctType`` and, where they open or close something, ``PunctSide``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.schemes.tag_set import Tagging, TagSet

__all__ = [
    "CLOSING",
    "COMMA",
    "FINAL",
    "OPENING",
    "RELATIVE",
    "VERBAL_PARTICLE",
    "WordClasses",
    "word_classes",
]

OPENING, CLOSING = "PunctSide=Ini", "PunctSide=Fin"
COMMA = "PunctType=Comm"
FINAL = ("PunctType=Peri", "PunctType=Qest", "PunctType=Excl")
_BRACKET, _QUOTE = "PunctType=Brck", "PunctType=Quot"
_CATEGORIES = {
    "Ps": (_BRACKET, OPENING),
    "Pe": (_BRACKET, CLOSING),
    "Pi": (_QUOTE, OPENING),
    "Pf": (_QUOTE, CLOSING),
}
_SPELLED = {
    **dict.fromkeys(("-LRB-", "-LSB-", "-LCB-"), (_BRACKET, OPENING)),
    **dict.fromkeys(("-RRB-", "-RSB-", "-RCB-"), (_BRACKET, CLOSING)),
    **dict.fromkeys(("``", "‚", "„"), (_QUOTE, OPENING)),
    "''": (_QUOTE, CLOSING),
    **dict.fromkeys((".", "...", "…"), ("PunctType=Peri",)),
    "?": ("PunctType=Qest",),
    "!": ("PunctType=Excl",),
    ",": (COMMA,),
    **dict.fromkeys(('"', "'"), (_QUOTE,)),
}


_MODAL = dict.fromkeys(("MD", "VM", "VMFIN", "VMINF", "VMPP"), "VerbType=Mod")
"""The tags of modal verbs in English (Penn), Italian (ISST) and German (STTS) treebanks."""
VERBAL_PARTICLE = "PartType=Vb"
_PARTICLES = {"vpart": VERBAL_PARTICLE}
"""The tag of verbal particles in Breton (Apertium), which have the label of auxiliaries."""


RELATIVE = "PronType=Rel"
"""The feature of relative words, also of those that can be interrogative."""

_RELATIVE_TAGS = frozenset("WDT WP WP$ WRB REL PR PRELS PRELAT".split())
"""The tags of relative words in English (Penn), Hindi, Italian (ISST) and German (STTS)."""
_PRONOUNS = ("PRON", "DET", "ADV")


@dataclass(frozen=True, slots=True)
class WordClasses:
    """The UPOS and the features of all words of a corpus.

    `options` has all that a word can be where its tag does not tell; None where all tags tell.
    """

    tags: list[str]
    feats: list[str]
    options: list[tuple[str, ...]] | None = None


def word_classes(corpus: Dependencies, tagging: Tagging) -> WordClasses:
    r"""Return the UPOS and the features of all words of a corpus with tags of a set.

    >>> import commonground as cg
    >>> corpus = cg.read_text("\n".join([
    ...     "1\tmy\t_\tADJ\t_\tPOSS|SING\t0\tdet\t_\t_", "2\t,\t_\tPUNCT\t_\t_\t1\tpunct\t_\t_"]))
    >>> mine = TagSet("mine", map={"ADJ|POSS": ("DET",)}, features={"SING": "Number=Sing"})
    >>> result = word_classes(corpus, Tagging(mine))
    >>> result.tags, result.feats
    (['DET', 'PUNCT'], ['POSS|SING|Number=Sing', 'PunctType=Comm'])
    """
    own = corpus.words.strings(tagging.column)
    options = _options(own, corpus, tagging.tags)
    tags = _inflected([several[0] for several in options], corpus)
    feats = _features(own, corpus, {**_MODAL, **_PARTICLES, **tagging.tags.features}, tagging.tags)
    ambiguous = any(len(several) > 1 for several in tagging.tags.map.values())
    return WordClasses(tags, _marks(corpus, tags, feats), options if ambiguous else None)


_LINKING = ("SCONJ", "CCONJ")


def _inflected(tags: list[str], corpus: Dependencies) -> list[str]:
    """Return the tags, with VERB for verbs that are tagged as conjunctions for their endings.

    Their own tags name a stem and endings (Korean *iyonghayeo*, ncpa+xsv+ecs); conjunctions have
    neither. Nouns with an ending (ncn+jcj) stay.
    """
    if corpus.upos.vocabulary and not {"SCONJ", "CCONJ"}.isdisjoint(corpus.upos.vocabulary):
        verbs = corpus.xpos.where(_is_verb_with_endings).tolist()
        if any(verbs):
            pairs = zip(tags, verbs, strict=True)
            return ["VERB" if verb and tag in _LINKING else tag for tag, verb in pairs]
    return tags


def _is_verb_with_endings(tag: str) -> bool:
    """Tell whether a tag names a verb or adjective and its endings, joined with plus signs.

    >>> [_is_verb_with_endings(tag) for tag in ("pvg+ecs", "ncpa+xsv+ecc", "ncn+jcj", "maj")]
    [True, True, False, False]
    """
    stem, _, endings = tag.lower().partition("+")
    parts = endings.split("+")
    return any(part.startswith("e") for part in parts) and (
        stem.startswith(("p", "v")) or not {"xsv", "xsm", "xsa", "jp"}.isdisjoint(parts)
    )


def _options(own: Strings, corpus: Dependencies, tags: TagSet) -> list[tuple[str, ...]]:
    keys, numbers = _combinations(own, corpus.feats)
    known = [tags.options(*key) for key in keys]
    options = list(map(known.__getitem__, numbers))
    if tags.copulas:
        copulas = corpus.form.where(lambda form: form.lower() in tags.copulas)
        for row in np.flatnonzero(copulas).tolist():
            if options[row][0] == "VERB":
                options[row] = ("AUX",)
    return options


def _features(
    own: Strings, corpus: Dependencies, meant: Mapping[str, str], tags: TagSet
) -> list[str]:
    known = []
    keys, numbers = _combinations(own, corpus.xpos, corpus.feats)
    for tag, other, features in keys:
        parts = (*tags.parts(tag), *(tags.parts(features) if "(" in features else ()))
        names = dict.fromkeys((tag, other, *features.split("|"), *parts))
        there = {entry.partition("=")[0] for entry in features.split("|")}
        entries = (entry for name in names if name in meant for entry in meant[name].split("|"))
        new = [entry for entry in entries if entry.partition("=")[0] not in there]
        if _is_relative(tag, other, features):
            new.append(RELATIVE)
        known.append(_joined(features, *dict.fromkeys(new)))
    return list(map(known.__getitem__, numbers))


def _combinations(*columns: Strings) -> tuple[list[tuple[str, ...]], list[int]]:
    """Return the combinations of texts that there are, and which of them each row has.

    >>> _combinations(Strings.of("aba"), Strings.of("cdc"))
    ([('a', 'c'), ('b', 'd')], [0, 1, 0])
    """
    numbers = np.zeros(len(columns[0]), np.int64)
    keys: list[tuple[str, ...]] = [()]
    for column in columns:
        several = len(column.vocabulary)
        there, numbers = _distinct(numbers * several + column.codes, len(keys) * several)
        keys = [(*keys[key // several], column.vocabulary[key % several]) for key in there]
    return keys, numbers.tolist()


def _distinct(values: NDArray[np.int64], end: int) -> tuple[list[int], NDArray[np.int64]]:
    """Return which values below an end there are, and the number of each one among them."""
    if end > _FEW * len(values) + _FEW:
        there, numbers = np.unique(values, return_inverse=True)
        return there.tolist(), numbers
    seen = np.zeros(end, np.bool_)
    seen[values] = True
    there = np.flatnonzero(seen)
    numbers = np.zeros(end, np.int64)
    numbers[there] = np.arange(len(there))
    return there.tolist(), numbers[values]


_FEW = 4
"""How many values for each row may be tried one by one; more are sorted."""


def _is_relative(tag: str, other: str, features: str) -> bool:
    """Tell whether a word is a relative one by its features or by the treebank's own tag.

    >>> _is_relative("DET", "_", "Case=Nom|PronType=Int,Rel"), _is_relative("PRON", "WP", "_")
    (True, True)
    >>> _is_relative("PRON", "WP", "PronType=Int"), _is_relative("ADP", "PR", "_")
    (False, False)
    """
    types = next((f for f in features.split("|") if f.startswith("PronType=")), "")
    if "Rel" in types:
        return types != RELATIVE
    return other in _RELATIVE_TAGS and tag in _PRONOUNS and types != "PronType=Int"


@lru_cache(maxsize=65536)
def _joined(features: str, *more: str) -> str:
    return "|".join([features, *more] if features != "_" else more) or "_"


_LOW, _CLOSED_LOW = ("„", "‚"), ("“", "‘")
"""Quotation marks that stand low and open, and those that close these but open elsewhere."""


def _marks(corpus: Dependencies, tags: list[str], feats: list[str]) -> list[str]:
    """Return the features, with the kinds of marks, and with the sides of paired ones.

    Straight quotation marks open and close by turns.
    """
    marked = [*feats]
    rows = np.flatnonzero(corpus.form.where(lambda form: bool(_kind(form))))
    forms, sentences = corpus.form[rows].tolist(), corpus.words.sentence_of_row()[rows].tolist()
    before, opened, low = -1, "", -1
    for row, form, sentence in zip(rows.tolist(), forms, sentences, strict=True):
        if tags[row] != "PUNCT":
            continue
        features = _kind(form)
        if form in _LOW:
            low = sentence
        elif form in _CLOSED_LOW and low == sentence:
            features, low = (_QUOTE, CLOSING), -1
        if features == (_QUOTE,):
            if sentence != before:
                before, opened = sentence, ""
            side, opened = (CLOSING, "") if opened == form else (OPENING, opened or form)
            features = (_QUOTE, side)
        marked[row] = _joined(marked[row], *features)
    return marked


@lru_cache(maxsize=65536)
def _kind(form: str) -> tuple[str, ...]:
    """Return the features of a mark; none for other words.

    >>> _kind("("), _kind('"'), _kind("a")
    (('PunctType=Brck', 'PunctSide=Ini'), ('PunctType=Quot',), ())
    """
    category = unicodedata.category(form) if len(form) == 1 else ""
    return _SPELLED.get(form, _CATEGORIES.get(category, ()))

"""The tags and features of words, as the rules of schemes speak of them: those of the hub.

Treebanks have tags and features of their own. A scheme says what they mean: ``map`` translates tags
to UPOS (``PREP`` is ``ADP``, and ``ADJ|POSS``, an adjective with that feature, is ``DET``), and
``features`` translates features, and tags in XPOS, to features of Universal Dependencies (``MD`` is
``VerbType=Mod``). Marks are told by their form, and get the features ``PunctType`` and, where they
open or close something, ``PunctSide``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

import numpy as np

from commonground.corpus import Dependencies
from commonground.schemes.scheme import Scheme

__all__ = ["CLOSING", "COMMA", "OPENING", "word_classes"]

OPENING, CLOSING = "PunctSide=Ini", "PunctSide=Fin"
COMMA = "PunctType=Comm"
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


def word_classes(corpus: Dependencies, scheme: Scheme) -> tuple[list[str], list[str]]:
    r"""Return the UPOS and the features of all words of a corpus, which has the tags of a scheme.

    >>> import commonground as cg
    >>> corpus = cg.read_text("\n".join([
    ...     "1\tmy\t_\tADJ\t_\tPOSS|SING\t0\tdet\t_\t_", "2\t,\t_\tPUNCT\t_\t_\t1\tpunct\t_\t_"]))
    >>> mine = Scheme("mine", tags={"ADJ|POSS": "DET"}, features={"SING": "Number=Sing"})
    >>> word_classes(corpus, mine)
    (['DET', 'PUNCT'], ['POSS|SING|Number=Sing', 'PunctType=Comm'])
    """
    own = corpus.words.strings(scheme.tag_column).tolist()
    feats = corpus.feats.tolist()
    tags = _tags(own, feats, scheme) if scheme.tags else own
    feats = _features(corpus, {**_MODAL, **scheme.features})
    return tags, _marks(corpus, tags, feats)


def _tags(own: list[str], feats: list[str], scheme: Scheme) -> list[str]:
    known: dict[tuple[str, str], str] = {}
    for key in set(zip(own, feats, strict=True)):
        tag, features = key
        names = (f"{tag}|{feature}" for feature in features.split("|"))
        special = next((scheme.tags[name] for name in names if name in scheme.tags), None)
        known[key] = special or scheme.tags.get(tag, tag)
    return [known[key] for key in zip(own, feats, strict=True)]


def _features(corpus: Dependencies, meant: Mapping[str, str]) -> list[str]:
    known: dict[tuple[str, str], str] = {}
    pairs = list(zip(corpus.xpos.tolist(), corpus.feats.tolist(), strict=True))
    for key in set(pairs):
        tag, features = key
        names = dict.fromkeys((tag, *features.split("|")))
        new = [meant[name] for name in names if name in meant]
        known[key] = _joined(features, *new)
    return [known[pair] for pair in pairs]


def _joined(features: str, *more: str) -> str:
    return "|".join([features, *more] if features != "_" else more) or "_"


def _marks(corpus: Dependencies, tags: list[str], feats: list[str]) -> list[str]:
    """Return the features, with the kinds of marks, and with the sides of paired ones.

    Straight quotation marks open and close by turns.
    """
    found = [*feats]
    forms, sentence = corpus.form, corpus.words.sentence_of_row()
    before, opened = -1, ""
    for row in np.flatnonzero(forms.where(lambda form: bool(_kind(form)))).tolist():
        if tags[row] != "PUNCT":
            continue
        form, features = forms[row], _kind(forms[row])
        if features == (_QUOTE,):
            if sentence[row] != before:
                before, opened = sentence[row], ""
            side, opened = (CLOSING, "") if opened == form else (OPENING, opened or form)
            features = (_QUOTE, side)
        found[row] = _joined(found[row], *features)
    return found


def _kind(form: str) -> tuple[str, ...]:
    """Return the features of a mark; none for other words.

    >>> _kind("("), _kind('"'), _kind("a")
    (('PunctType=Brck', 'PunctSide=Ini'), ('PunctType=Quot',), ())
    """
    category = unicodedata.category(form) if len(form) == 1 else ""
    return _SPELLED.get(form, _CATEGORIES.get(category, ()))

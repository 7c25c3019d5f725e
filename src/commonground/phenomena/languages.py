"""Which language a text is in, as far as patterns need to know.

Patterns name words, so they are for some languages only: those on English find nothing in a German
text, or the wrong things. A text is taken for English if the commonest English words are common in
it; the language of another is what the name of its file says (``de_gsd-ud-dev.conllu``).
"""

from __future__ import annotations

import re
from pathlib import PurePath

import numpy as np

from commonground.corpus import Strings
from commonground.corpus.strings import taken

__all__ = ["ENGLISH", "FEW", "english_words", "language_in_name"]

COMMON = frozenset(
    "the of and to a in is that for it on with was as are be this have i you".split()
)
"""The commonest words of English."""

_LONGEST = 4
"""So many letters the longest of them has."""

_LOWER = 0x20
"""The bit that makes capital letters small; it makes no other byte a letter."""

_WORDS = np.array([word.encode().ljust(_LONGEST, b"\0") for word in COMMON]).view(np.uint32)

ENGLISH = 0.1
"""English text has a share of these words of about a quarter; German has 3 per cent."""

FEW = 100
"""Fewer words than that tell nothing about their language."""

_NAME = re.compile(r"([a-z]{2,3})_[a-z0-9]+-[us]+d-")


def english_words(forms: Strings) -> int:
    """Return how many words are of the commonest English ones.

    >>> english_words(Strings.of(["The"] * 10 + ["cat"] * 90))
    10
    """
    data, breaks = forms.placed_texts()
    content = np.frombuffer(data + bytes(_LONGEST), np.uint8)
    lengths = np.diff(breaks) - 1
    short = np.flatnonzero(lengths <= _LONGEST)
    letters = content[breaks[short, np.newaxis] + 1 + np.arange(_LONGEST)] | _LOWER
    letters[np.arange(_LONGEST) >= lengths[short, np.newaxis]] = 0
    common = np.zeros(len(lengths), np.bool_)
    common[short[np.isin(letters.view(np.uint32)[:, 0], _WORDS)]] = True
    return int(taken(common, forms.codes).sum()) if len(forms) else 0


def language_in_name(path: str) -> str:
    """Return the language that the name of a UD file says, by its code; empty where it is silent.

    >>> language_in_name("ud/de_gsd-ud-dev.conllu"), language_in_name("dev.conllu")
    ('de', '')
    """
    match = _NAME.match(PurePath(path).name)
    return match[1] if match else ""

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

__all__ = ["english_share", "language_in_name"]

COMMON = frozenset(
    "the of and to a in is that for it on with was as are be this have i you".split()
)
"""The commonest words of English."""

ENGLISH = 0.1
"""English text has a share of these words of about a quarter; German has 3 per cent."""

FEW = 100
"""Fewer words than that tell nothing about their language."""

_NAME = re.compile(r"([a-z]{2,3})_[a-z0-9]+-[us]+d-")


def english_share(forms: Strings) -> float | None:
    """Return the share of the commonest English words.

    >>> english_share(Strings.of(["The"] * 10 + ["cat"] * 90))
    0.1
    >>> english_share(Strings.of(["cat"] * 2)) is None
    True
    """
    if len(forms) < FEW:
        return None
    lower = forms.joined.lower().split("\n")  # all at once
    common = np.fromiter(map(COMMON.__contains__, lower), np.bool_, len(lower))
    return int(taken(common, forms.codes).sum()) / len(forms)


def language_in_name(path: str) -> str:
    """Return the language that the name of a UD file says, by its code; empty where it is silent.

    >>> language_in_name("ud/de_gsd-ud-dev.conllu"), language_in_name("dev.conllu")
    ('de', '')
    """
    match = _NAME.match(PurePath(path).name)
    return match[1] if match else ""

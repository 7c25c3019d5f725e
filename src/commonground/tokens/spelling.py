r"""Words that are the same, though two files write them in different ways.

Brackets and slashes of the Penn Treebank (``-LRB-``, ``1\/2``) mean themselves in its own format,
whose reader takes them away; converters and parsers carry them on into formats in which they are
letters like others.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TypeVar

from commonground.corpus import Corpus
from commonground.formats.notation.escapes import WORDS
from commonground.tokens.spans import without_spaces

__all__ = ["meant", "plain", "spelled_out"]

Trees = TypeVar("Trees", bound=Corpus)


def meant(form: str) -> str:
    r"""Return the word that a form stands for.

    >>> meant("-LRB-"), meant(r"1\/2"), meant("and/or")
    ('(', '1/2', 'and/or')
    """
    return WORDS.read(form)


_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        "\u2026": "...",
        "_": "",
        "\u00ad": "",
        "\u200b": "",
        "\ufeff": "",
    }
)


@lru_cache(1 << 16)
def plain(form: str) -> str:
    """Return a form as it is compared across treebanks: plain quotes and dashes, in any case.

    White space, ``_`` (compounds have it for a space) and characters that nobody sees are left
    out, unless nothing else is there.

    >>> plain("-LRB-"), plain("\u201cA_la\u201d"), plain("``"), plain("_")
    ('(', '"ala"', '"', '_')
    """
    text = unicodedata.normalize("NFC", meant(form))
    text = without_spaces(text).translate(_SIGNS).replace("''", '"').lower()
    return text or form or "_"


def spelled_out(corpus: Trees) -> Trees:
    """Return a treebank with the words that its forms stand for."""
    forms = corpus.tables["words"].strings("form")
    spelled = WORDS.column(forms)
    return corpus if spelled is forms else corpus.replace("words", form=spelled)

r"""Words that are the same, though two files write them in different ways.

Brackets and slashes of the Penn Treebank (``-LRB-``, ``1\/2``) mean themselves in its own format,
whose reader takes them away; converters and parsers carry them on into formats in which they are
letters like others.
"""

from __future__ import annotations

from typing import TypeVar

from commonground.corpus import Corpus
from commonground.formats.notation.escapes import WORDS

__all__ = ["meant", "spelled_out"]

Trees = TypeVar("Trees", bound=Corpus)


def meant(form: str) -> str:
    r"""Return the word that a form stands for.

    >>> meant("-LRB-"), meant(r"1\/2"), meant("and/or")
    ('(', '1/2', 'and/or')
    """
    return WORDS.read(form)


def spelled_out(corpus: Trees) -> Trees:
    """Return a treebank with the words that its forms stand for."""
    forms = corpus.tables["words"].strings("form")
    found = WORDS.column(forms)
    return corpus if found is forms else corpus.replace("words", form=found)

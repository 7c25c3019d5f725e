"""Treebanks without words: what a parser learns from parts of speech alone holds in any language.

Delexicalised transfer (Zeman & Resnik 2008) trains on such trees of one language and parses the
parts of speech of another: the baseline that projected parsers have to beat.
"""

from __future__ import annotations

from commonground.corpus.dependencies import Dependencies
from commonground.corpus.strings import Strings

__all__ = ["HIDDEN", "delexicalise"]

HIDDEN = ("form", "lemma", "xpos", "feats")
"""The columns that a parser without words does not see."""


def delexicalise(corpus: Dependencies) -> Dependencies:
    """Return a treebank without words: universal parts of speech, heads and labels stay.

    >>> bare = delexicalise(Dependencies.of([(["the", "birds"], [2, 0], ["det", "root"])]))
    >>> bare.words.strings("form").tolist(), bare.head.tolist()
    (['_', '_'], [2, 0])
    """
    nothing = Strings.constant("_", corpus.words.rows)
    there = {name: nothing for name in HIDDEN if name in corpus.words.columns}
    return corpus.replace("words", **there)

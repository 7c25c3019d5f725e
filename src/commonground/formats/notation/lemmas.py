r"""Brackets in which each word stands with its lemma, as in CESS, 3LB and AnCora.

A leaf has a tag, a word and a lemma, ``(da0ms0 el el)``; a subject that is not said is the only
thing in its phrase, ``(sn.e-SUJ *0*)``. It is read as the trace that it is, the lemmas go to their
column, and the brackets of the text, which have the names of their tags, are brackets.
"""

from __future__ import annotations

import re

import numpy as np

from commonground.corpus import Strings, Table

__all__ = ["has_lemmas", "with_lemmas", "without_lemmas"]

_LEAF = re.compile(rb"\(([^\s()]+)[ \t]+([^\s()]+)[ \t]+([^\s()]+)[ \t]*\)")
_TRACE = re.compile(rb"\(([^\s()]+)[ \t]+(\*[^\s()]*\*)[ \t]*\)")
_UNTAGGED = ""
_ENOUGH = 0.95
"""The share of words that must stand with one other word, without a tag of their own."""
_FEWEST, _ALIKE = 8, 0.5
"""How many words it takes to tell, and the share of them that begin like their lemmas."""


def has_lemmas(words: Table) -> bool:
    """Tell whether words were read in twos below what is in fact their tag."""
    bare = words.strings("tag").where(_UNTAGGED.__eq__)
    traces = words.strings("form").where(lambda text: text.startswith("*"))
    if bare.sum() < max(_FEWEST, _ENOUGH * (bare | ~traces).sum()):
        return False
    phrase = np.stack([words.sentence_of_row()[bare], words.numbers("parent")[bare]])
    _, first, together = np.unique(phrase, axis=1, return_index=True, return_counts=True)
    in_twos = first[together == 2]
    if len(in_twos) < _ENOUGH * len(together):
        return False
    start = words.strings("form").map(lambda text: text[:1].casefold())[bare]
    alike = start.codes[in_twos] == start.codes[np.minimum(in_twos + 1, len(start) - 1)]
    return bool(alike.mean() >= _ALIKE)


def without_lemmas(data: bytes) -> tuple[bytes, list[str]]:
    """Return trees without lemmas, in which traces have brackets of their own, and the lemmas.

    >>> without_lemmas(b"(S (sn.e-SUJ *0*) (sn (da0ms0 los el)))")
    (b'(S (sn.e-SUJ (-NONE- *0*)) (sn (da0ms0 los)))', ['_', 'el'])
    """
    traces = _TRACE.sub(rb"(\1 (-NONE- \2 _))", data)
    lemmas = [leaf[3].decode("utf-8", "replace") for leaf in _LEAF.finditer(traces)]
    return _LEAF.sub(_without_lemma, traces), lemmas


_BRACKETS = {b"-Fpa-": b"-LRB-", b"-Fpt-": b"-RRB-"}


def _without_lemma(leaf: re.Match[bytes]) -> bytes:
    return b"(%s %s)" % (leaf[1], _BRACKETS.get(leaf[2], leaf[2]))


def with_lemmas(words: Table, lemmas: list[str]) -> Table:
    """Return words with their lemmas, as they are where there are not equally many."""
    return words.replace(lemma=Strings.of(lemmas)) if len(lemmas) == words.rows else words

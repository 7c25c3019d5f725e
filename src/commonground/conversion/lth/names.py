"""Titles, what follows a name, and appositions: functions that the Penn Treebank leaves out."""

from __future__ import annotations

import re

import numpy as np

from commonground.conversion.forest import Flags
from commonground.conversion.lth.draft import Draft

__all__ = ["mark_appositions", "mark_names"]

_TITLE = re.compile(
    r"(mr|ms|mrs|president|presidents|sen|sens|rep|dr|judge|judges|justice|chairman|st|messrs|gen|"
    r"minister|gov|mayor|cie|prof|professor|col|adm|commodore|king|director|lord|leader|cardinal|"
    r"private|commissioner|maj)\.?"
)
_BEHIND = re.compile(r"(corp|inc|co|ltd|jr|s\.a|cos|n\.v|bros|sr|phd|ph\.d)\.?|v?i+")
_NUMERAL = re.compile(r"v?i+")
_NOMINAL = ("NP", "NX", "NML", "NAC")


def mark_names(draft: Draft) -> None:
    """Mark titles before names (TITLE), and what belongs behind names (POSTHON)."""
    children = draft.children
    above = np.maximum(draft.parent, 0)
    proper = draft.is_a("NNP", "NNPS") & ~draft.phrase & (children.count[above] > 1)
    form = np.zeros(len(draft.parent), np.bool_)
    form[: draft.words] = draft.word.where(lambda word: bool(_TITLE.fullmatch(word)))
    draft.give(proper & form & (children.place == 0), "TITLE")
    upper = draft.corpus.form.where(str.isupper)
    form[: draft.words] = draft.word.where(lambda word: bool(_BEHIND.fullmatch(word)))
    numeral = draft.word.where(lambda word: bool(_NUMERAL.fullmatch(word)))
    form[: draft.words] &= ~numeral | upper
    draft.give(proper & form & (children.place == children.count[above] - 1), "POSTHON")


def mark_appositions(draft: Draft, coordination: Flags) -> None:
    """Mark what follows the first noun phrase in a noun phrase and says it again (APPO)."""
    children, phrase = draft.children, draft.phrase
    place, above = children.place, np.maximum(draft.parent, 0)
    inside = (draft.is_a(*_NOMINAL) & phrase & ~coordination)[above] & (draft.parent >= 0)
    free = draft.has("") & inside
    last = np.zeros(len(phrase), np.int64)
    parents = np.flatnonzero(children.count)
    last[parents] = children.last(parents)
    possessive = (draft.is_a("POS") | draft.reads("'s"))[last]
    first = draft.first_place(free & draft.is_a(*_NOMINAL) & phrase & ~possessive)
    after = free & (place > first[above])
    comma = draft.first_place(after & draft.is_a(",", ":") & ~phrase)
    separated = place > comma[above]
    share = (children.count == 2) & draft.reads("a")[np.maximum(draft.first_word, 0)]
    noun = after & draft.is_a("NP") & phrase
    draft.give(after & draft.is_a("ADJP", "VP") & phrase, "APPO")
    draft.give(noun & (separated | ~share), "APPO")
    draft.give(noun & ~separated & share, "DEP")
    proper = draft.is_a("NNP", "NNPS") & ~phrase
    draft.give(after & proper & separated & draft.is_a("NAC")[above], "APPO")
    _mark_places(draft, proper & inside)


def _mark_places(draft: Draft, proper: Flags) -> None:
    """Mark the second of two names in a phrase such as *Litchfield , Connecticut ,*."""
    children = draft.children
    above = np.maximum(draft.parent, 0)
    comma = draft.is_a(",") & ~draft.phrase
    four = children.count == 4
    for expected, chosen in ((0, proper), (1, comma), (2, proper), (3, comma)):
        four &= draft.any_child(chosen & (children.place == expected))
    draft.give(proper & four[above] & (children.place == 2), "APPO")

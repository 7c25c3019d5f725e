"""Brackets that flat phrases of the Penn Treebank lack, and that heads need.

- A preposition or subordinator of several words (*because of*, *so that*) is one PREP.
- A possessive marker follows the whole rest of its phrase.
- In a flat noun phrase, an adverb belongs to the adjective after it (*very old houses*), and month
  and day are a date.
- In a flat coordination, ``X and X Y`` is ``(X and X) Y`` where the two are of the same kind.
- An adverb before the last conjunct belongs to it (*rain or even snow*).
"""

from __future__ import annotations

import re

import numpy as np

from commonground.conversion.lth.coordination import conjunction_inside
from commonground.conversion.lth.draft import Draft

__all__ = ["add_brackets"]

_MONTH = re.compile(
    r"(jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?|january|february|march|april|may|june|"
    r"july|august|september|october|november|december"
)
_DAY = re.compile(r"[0-3]?[0-9]")
_DEGREE = re.compile(r".*ly|very|once|pretty|quite|rather|too|as")
_NO_DEGREE = ("only", "early", "namely")
_COMPARED = ("even", "much", "slightly", "no")
_FIRM = re.compile(r"ltd\.?|corp\.|corporation")
_PARTNERS = re.compile(r"co\.?|sons")


def add_brackets(draft: Draft) -> None:
    """Add the brackets to all trees of a draft."""
    for phrases, starts, others in (
        (("PP", "WHPP"), ("IN", "TO", "FW"), ("RP", "VBG", "VBN")),
        (("SBAR",), ("IN", "TO"), ("RB",)),
    ):
        _bracket_prepositions(draft, phrases, starts, others)
        draft.settle()
    _bracket_noun_phrases(draft)
    draft.settle()
    # A conjunct of one word is no title and no part of a name.
    above = np.maximum(draft.parent, 0)
    draft.give(draft.delimited[above] & ~draft.phrase & (draft.parent >= 0), "")


def _bracket_prepositions(
    draft: Draft, phrases: tuple[str, ...], first: tuple[str, ...], second: tuple[str, ...]
) -> None:
    """Put all words together that stand side by side around the first preposition."""
    single = ~draft.phrase & ~draft.punctuation & ~draft.is_a("-NONE-")
    candidates = draft.is_a(*phrases) & (draft.count_children(single) > 1) & draft.phrase
    for phrase in np.flatnonzero(candidates).tolist():
        children = draft.children.of(phrase)
        tags = [draft.category[child] for child in children]
        places = [i for i, tag in enumerate(tags) if tag in first]
        places = places or [i for i, tag in enumerate(tags) if tag in second]
        if not places:
            continue
        start = stop = places[0]
        while start > 0 and single[children[start - 1]]:
            start -= 1
        while stop + 1 < len(children) and single[children[stop + 1]]:
            stop += 1
        if stop > start:
            draft.bracket(phrase, children[start : stop + 1], "PREP")


def _bracket_noun_phrases(draft: Draft) -> None:
    nominal = draft.is_a("NP", "NX", "NML") & draft.phrase & (draft.children.count > 2)
    coordinated = conjunction_inside(draft)
    marked = draft.any_child(draft.is_a("POS") | draft.is_a("JJ", "JJR") | draft.is_a("CD"))
    for phrase in np.flatnonzero(nominal & (coordinated | marked)).tolist():
        _Flat(draft, phrase).bracket(coordinated=bool(coordinated[phrase]))


class _Flat:
    """One noun phrase whose children are put into brackets."""

    def __init__(self, draft: Draft, phrase: int) -> None:
        self.draft = draft
        self.phrase = phrase
        self.items = draft.children.of(phrase)
        self.tags = [draft.category[item] for item in self.items]
        self.forms = [draft.word[item] if item < draft.words else "" for item in self.items]

    def bracket(self, *, coordinated: bool) -> None:
        """Add all brackets that the phrase needs."""
        if self.tags[-1] == "POS":
            self.phrase = self.draft.bracket(self.phrase, self.items[:-1], "NP")
            for column in (self.items, self.tags, self.forms):
                del column[-1]
        self._adjectives()
        self._dates()
        if not coordinated:
            return
        self._adverbs()
        conjunctions = [i for i, tag in enumerate(self.tags) if tag in ("CC", "CONJP")]
        words = [tag for tag, form in zip(self.tags, self.forms, strict=True) if form]
        if conjunctions and any(_nominal(tag) for tag in words):
            self._conjuncts(conjunctions)

    def _group(self, start: int, stop: int, category: str, function: str = "") -> None:
        item = self.draft.bracket(self.phrase, self.items[start:stop], category, function)
        self.items[start:stop], self.tags[start:stop], self.forms[start:stop] = (
            [item],
            [category],
            [""],
        )

    def _adjectives(self) -> None:
        place = 1
        while place < len(self.items) - 1:
            degree = self.forms[place - 1]
            if self.tags[place - 1] == "RB" and degree not in _NO_DEGREE:
                tag = self.tags[place]
                if (tag == "JJ" and _DEGREE.fullmatch(degree)) or (
                    tag == "JJR" and degree in _COMPARED
                ):
                    self._group(place - 1, place + 1, "ADJP")
            place += 1

    def _dates(self) -> None:
        place = 0
        while place < len(self.items) - 2:
            if (
                self.tags[place].startswith("NN")
                and _MONTH.fullmatch(self.forms[place])
                and self.tags[place + 1] == "CD"
                and _DAY.fullmatch(self.forms[place + 1])
            ):
                self._group(place, place + 2, "NP", "TMP")
            place += 1

    def _adverbs(self) -> None:
        """Move an adverbial before the last conjunct into it."""
        place = len(self.items) - 1
        while place > 0 and self._mark(place):
            place -= 1
        if place <= 0 or self.forms[place] or self.tags[place] == "CONJP":
            return
        before = place - 1
        while before > 0 and self.tags[before] == ",":
            before -= 1
        if self.tags[before] in ("RB", "ADVP", "PP") and self.items[place] < len(self.draft.head):
            for item in self.items[before:place]:
                self.draft.put(item, self.items[place])
            for column in (self.items, self.tags, self.forms):
                del column[before:place]

    def _mark(self, place: int) -> bool:
        return bool(self.forms[place]) and bool(self.draft.punctuation[self.items[place]])

    def _separates(self, place: int) -> bool:
        return self.tags[place] in ("CC", "CONJP") or self._mark(place)

    def _conjuncts(self, conjunctions: list[int]) -> None:
        """Tell which words a conjunction in a flat phrase joins."""
        if len(self.items) == 4 and self._four():
            return
        longest = run = 0
        for place in range(len(self.items)):
            run = 0 if self._separates(place) else run + 1
            longest = max(longest, run)
        if longest == 1:
            self.draft.delimit(self.phrase)
        elif len(self.items) > 4:
            self._same_kind(conjunctions)

    def _four(self) -> bool:
        """Tell what belongs together in a coordination of four words; False: nobody knows."""
        tags, forms = self.tags, self.forms
        if tags[1] in ("CC", "CONJP"):
            if _FIRM.fullmatch(forms[3]) or tags[0] == tags[2]:
                self._pair(0)
                return True
        elif tags[2] in ("CC", "CONJP"):
            if forms[0] == "both":
                self._pair(1)
                return True
            if not forms[3] or _PARTNERS.fullmatch(forms[3]):
                self._group(0, 2, "NX")
                self.draft.delimit(self.phrase)
                return True
            if tags[1] == tags[3]:
                self._pair(1)
                return True
        return False

    def _same_kind(self, conjunctions: list[int]) -> None:
        for place in conjunctions:
            if 0 < place < len(self.tags) - 1 and self.tags[place - 1] == self.tags[place + 1]:
                self._pair(place - 1)
                return

    def _pair(self, start: int) -> None:
        """Put two conjuncts and the conjunction between them into a bracket."""
        tag = self.tags[start]
        kinds = {"J": "ADJP", "C": "QP", "R": "ADVP"}
        self._group(start, start + 3, kinds.get(tag[:1], "NX"))
        self.draft.delimit(self.items[start])


def _nominal(tag: str) -> bool:
    return tag.startswith(("NN", "JJ")) or tag in ("PRP", "DT")

"""Which word of an analysis is the one that a gold standard means.

Positions are indicators only, because parsers cut text in different ways: a word is meant if it
reads the same, case and other characters than letters and digits aside, and stands near; of several
the nearest is meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from commonground.phenomena.gold import Word

__all__ = ["WINDOW", "expression_of", "nearest", "normalised", "same_lexeme"]

WINDOW = 3
"""How far from its place in the gold standard a word may stand."""

_OTHER = re.compile(r"[\W_]+")


@lru_cache(maxsize=65536)
def normalised(text: str) -> str:
    r"""Return letters and digits of a text, in lower case; all of it where there are none.

    >>> normalised("Act"), normalised("withdrew,"), normalised("T-cell"), normalised("...")
    ('act', 'withdrew', 'tcell', '...')
    """
    return _OTHER.sub("", text).lower() or text


def wanted_forms(word: Word) -> tuple[str, ...]:
    """Return what a word may read: joined words as one, or the first of them.

    >>> wanted_forms(Word("carried+on", 12))
    ('carriedon', 'carried')
    """
    whole = normalised("".join(word.parts))
    first = normalised(word.parts[0])
    return (whole,) if whole == first else (whole, first)


def nearest(word: Word, texts: Sequence[str], places: Sequence[int], window: int) -> int | None:
    """Return which of some words is meant, by its place in the list; None where there is none.

    `places` count from 0. Joined words are looked for as one first.

    >>> nearest(Word("act-s", 1), ["The", "Acts", "acts"], [0, 1, 4], 3)
    1
    >>> nearest(Word("acts", 8), ["The", "Acts", "acts"], [0, 1, 4], 3) is None
    True
    """
    for form in wanted_forms(word):
        near = [
            (abs(place - word.position), place, number)
            for number, (text, place) in enumerate(zip(texts, places, strict=True))
            if place >= 0 and abs(place - word.position) <= window and normalised(text) == form
        ]
        if near:
            return min(near)[2]
    return None


def expression_of(word: Word) -> str:
    r"""Return a word as a part of a regular expression, which other characters do not disturb.

    >>> expression_of(Word("T-cell", 2)), expression_of(Word("carried+on", 12))
    ('T[\\W_]*cell', '(?:carried[\\W_]*on|carried)')
    """
    parts = [_spelled(part) for part in word.parts]
    return parts[0] if len(parts) == 1 else f"(?:{_BETWEEN.join(parts)}|{parts[0]})"


_BETWEEN = r"[\W_]*"


def _spelled(text: str) -> str:
    return _BETWEEN.join(map(re.escape, filter(None, _OTHER.split(text)))) or re.escape(text)


# ── lemmas ───────────────────────────────────────────────────────────────────────────────────────

_IRREGULAR = {
    form: lemma
    for lemma, forms in {
        "be": "is are was were been being am", "have": "has had having", "do": "did done does",
        "go": "went gone", "say": "said", "make": "made", "take": "took taken", "see": "saw seen",
        "come": "came", "know": "knew known", "get": "got gotten", "give": "gave given",
        "find": "found", "think": "thought", "tell": "told", "become": "became",
        "show": "shown", "leave": "left", "feel": "felt", "put": "put", "bring": "brought",
        "begin": "began begun", "keep": "kept", "hold": "held", "write": "wrote written",
        "stand": "stood", "hear": "heard", "let": "let", "mean": "meant", "set": "set",
        "meet": "met", "run": "ran", "pay": "paid", "sit": "sat", "speak": "spoke spoken",
        "lie": "lay lain", "lead": "led", "read": "read", "grow": "grew grown", "lose": "lost",
        "fall": "fell fallen", "send": "sent", "build": "built", "understand": "understood",
        "draw": "drew drawn", "break": "broke broken", "spend": "spent", "cut": "cut",
        "rise": "rose risen", "drive": "drove driven", "buy": "bought", "wear": "wore worn",
        "choose": "chose chosen", "throw": "threw thrown", "sell": "sold", "teach": "taught",
        "win": "won", "sing": "sang sung", "fly": "flew flown", "lend": "lent",
        "hide": "hid hidden",
        "eat": "ate eaten", "tear": "tore torn", "blow": "blew blown", "flee": "fled",
        "swim": "swam swum", "steal": "stole stolen", "forget": "forgot forgotten", "lay": "laid",
        "child": "children", "man": "men", "woman": "women", "person": "people", "life": "lives",
        "foot": "feet", "tooth": "teeth", "mouse": "mice", "goose": "geese", "ox": "oxen",
        "good": "better best", "bad": "worse worst", "can": "could", "will": "would",
        "I": "me", "he": "him", "she": "her", "we": "us", "they": "them",
    }.items()
    for form in forms.split()
}  # fmt: skip
"""Forms of English words that follow no rule, for formats that tell lemmas only."""

_ENDINGS = (
    ("ies", "y"), ("ied", "y"), ("es", ""), ("s", ""), ("ed", ""), ("ed", "e"), ("d", ""),
    ("ing", ""), ("ing", "e"), ("er", ""), ("er", "e"), ("est", ""), ("est", "e"), ("n't", ""),
)  # fmt: skip


def same_lexeme(lemma: str, form: str) -> bool:
    """Tell whether a form can be one of a lemma, for formats that tell lemmas only (English).

    >>> same_lexeme("involve", "involves"), same_lexeme("plan", "planned")
    (True, True)
    >>> same_lexeme("go", "went")
    True
    >>> same_lexeme("plan", "plane")
    False
    """
    lemma, form = normalised(lemma), normalised(form)
    if lemma == form or _IRREGULAR.get(form, "").lower() == lemma:
        return True
    for ending, instead in _ENDINGS:
        if form.endswith(ending) and len(form) > len(ending) + 1:
            stem = form[: -len(ending)]
            if stem + instead == lemma:
                return True
            if not instead and len(stem) > 2 and stem[-1] == stem[-2] and stem[:-1] == lemma:
                return True
    return False

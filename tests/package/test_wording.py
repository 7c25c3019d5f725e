"""The sentences that users read are plain English."""

from __future__ import annotations

import re

from user_strings import user_strings

# Turns of phrase that sound translated, or that only their authors understand, with what to write.
ODD = {
    r"\b(?:is|are|was) told\b": "is shown, is reported",
    r"\bof all numbers\b": "",
    r"\bthe words say\b": "the words spell",
    r"\bno word says\b": "no word has",
    r"\bdoes not say its\b": "has no",
    r"\bwhat of\b": "which part of",
    r"\bso (?:many|long) \w+ (?:is|are)\b": "",
    r"\bin whatever order\b": "in any order",
    r"\ball of it\b": "everything",
    r"\bnothing tells\b": "",
    r"\bfound out\b": "",
    r"\bcan be had\b": "is available",
    r"\bin other clothes\b": "",
    r"\b(?:informations?|softwares|evidences|advices)\b": "the uncountable noun",
}


def test_no_sentence_sounds_odd():
    """`python tests/support/user_strings.py` lists all sentences for review."""
    odd = [
        (place, text, better)
        for text, place in user_strings().items()
        for pattern, better in ODD.items()
        if re.search(pattern, text, re.IGNORECASE)
    ]
    assert odd == [], "\n".join(map(str, odd))


def test_no_sentence_names_a_place_of_its_development():
    places = re.compile(r"/(?:home|root|work|tmp)/\w|\bissue \d|\bTODO\b|\bFIXME\b")
    assert [text for text in user_strings() if places.search(text)] == []

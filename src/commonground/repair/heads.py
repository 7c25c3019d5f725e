"""What the text in a column of heads means."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from commonground.errors import quoted
from commonground.repair.defects import Defect
from commonground.repair.nearest_tree import MISSING

__all__ = ["Resolved", "place_of_word", "resolved_head"]

Resolved = tuple[int, int, Defect | None]
"""The place of a head (-1: none), the ID of one that is not there (else 0), and a defect."""

_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_IN_TEXT = re.compile(r"(?<![\w.])[0-9]{1,9}(?![\w])|(?<=-)[0-9]{1,9}$|^[0-9]{1,9}(?=[-:.])")
_ROOTS = frozenset({"root", "-1", "none", "null", "<root>", "[root]", "top"})


def resolved_head(  # noqa: PLR0911  # one for each way to write a head
    text: str, line: int, places: Mapping[int, int], forms: Mapping[str, Sequence[int]]
) -> Resolved:
    """Return the head that a text names, among words by their IDs and by their forms.

    >>> resolved_head("2", 1, {1: 1, 2: 2}, {})
    (2, 0, None)
    >>> resolved_head("root", 1, {1: 1}, {})[::2]
    (0, Defect(kind='head-text', line=1, message="HEAD is 'root'; 0 is meant"))
    """
    if text in ("_", ""):
        return MISSING, 0, Defect("head-missing", line, "no HEAD")
    if _NUMBER.fullmatch(text):
        number, defect = int(text), None
    elif text.strip().lower() in _ROOTS:
        return 0, 0, _meant(text, line, "0")
    elif len(found := set(_IN_TEXT.findall(text))) == 1:
        number = int(next(iter(found)))
        defect = _meant(text, line, str(number))
    else:
        place, known = place_of_word(text, forms)
        if known:
            return place, 0, _meant(text, line, f"word {place}")
        return MISSING, 0, Defect("head-text", line, f"HEAD is {quoted(text)}, not a number")
    if number == 0:
        return 0, 0, defect
    if number in places:
        return places[number], 0, defect
    message = f"HEAD is {number}, which the sentence does not have"
    return MISSING, number, Defect("head-range", line, message)


def _meant(text: str, line: int, what: str) -> Defect:
    return Defect("head-text", line, f"HEAD is {quoted(text)}; {what} is meant")


def place_of_word(text: str, forms: Mapping[str, Sequence[int]]) -> tuple[int, bool]:
    """Return the place of the only word with a form, and whether there is exactly one.

    >>> place_of_word("saw", {"saw": [2]}), place_of_word("the", {"the": [1, 4]})
    ((2, True), (-1, False))
    """
    found = forms.get(text.strip().lower(), ())
    return (found[0], True) if len(found) == 1 else (MISSING, False)


def places_by_form(forms: Sequence[str]) -> dict[str, list[int]]:
    """Return the places of all words by their forms in lower case.

    >>> places_by_form(["The", "the"])
    {'the': [1, 2]}
    """
    places: dict[str, list[int]] = {form.lower(): [] for form in Counter(forms)}
    for place, form in enumerate(forms, 1):
        places[form.lower()].append(place)
    return places

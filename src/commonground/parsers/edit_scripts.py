r"""Edit scripts: how a text becomes others, in a form that other texts can be changed by, too.

The lemma of a form, and the words of a multiword token, mostly share a stretch of characters with
it, the stem. A script says what is cut off before and after the stem, what is put in its place, and
which whole words stand before and after. It works on lower case; the case of the text is brought
back: ``Dem`` → ``In dem``.

>>> script = script_of("am", ["an", "dem"])
>>> apply(script, "Am")
['An', 'dem']
>>> applies(script, "zur")
False
>>> apply(script_of("giving", ["give"]), "living")
['live']
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["CASED", "LOWERED", "applies", "apply", "script_of"]

CASED = "=", "lower", "upper", "title"
LOWERED = "lower", "=", "title", "upper"
"""The cases in the order in which they are tried: as the text has it, all lower, all upper, or with
a capital. Where several are right, the first one is meant."""

_FIELD, _WORD = "\t", "\n"
_MOST = 64
"""Longer texts have no script of their own: finding a stem takes time that grows as the square."""


def script_of(text: str, words: Sequence[str], cases: Sequence[str] = CASED) -> str:
    r"""Return the script that makes words of a text, the empty string where there is none.

    Its fields are: the case, the words before, what is cut off before the stem and what is put
    there, what is cut off after it and what is put there, and the words after.

    >>> script_of("dalas", ["da", "las"]).split("\t")
    ['=', 'da', 'da', '', '', '', '']
    """
    if not words or not text or len(text) > _MOST or any(len(word) > _MOST for word in words):
        return ""
    lower = _lower(text)
    best = max(range(len(words)), key=lambda place: (_stem(lower, _lower(words[place]))[2], -place))
    word = _lower(words[best])
    start, at, length = _stem(lower, word)
    before, after = map(_lowered, (words[:best], words[best + 1 :]))
    cut = lower[:start], word[:at], lower[start + length :], word[at + length :]
    for case in cases:
        script = _FIELD.join([case, _WORD.join(before), *cut, _WORD.join(after)])
        if script.count(_FIELD) == 6 and apply(script, text) == list(words):
            return script
    return ""


def applies(script: str, text: str) -> bool:
    """Tell whether a text has what a script cuts off, and something besides."""
    fields = script.split(_FIELD)
    if len(fields) != 7:
        return False
    lower = _lower(text)
    kept = len(text) - len(fields[2]) - len(fields[4])
    whole = kept > 0 or (kept == 0 and bool(fields[3] or fields[5]))
    return whole and lower.startswith(fields[2]) and lower.endswith(fields[4])


def apply(script: str, text: str) -> list[str]:
    """Return the words that a script makes of a text to which it applies."""
    case, before, cut, put, cut_after, put_after, after = script.split(_FIELD)
    lower = _lower(text)
    stem = f"{put}{lower[len(cut) : len(lower) - len(cut_after)]}{put_after}"
    words = [*filter(None, before.split(_WORD)), stem, *filter(None, after.split(_WORD))]
    if case == "lower":
        return words
    if case == "upper" or (case == "=" and text.isupper() and len(text) > 1):
        return [word.upper() if len(word.upper()) == len(word) else word for word in words]
    if case == "title" or text[:1].isupper():
        words[0] = _cased(words[0], text if case == "=" and len(words) == 1 else "")
    return words


def _cased(word: str, text: str) -> str:
    """Return a word with a capital, and with those of the text as far as both are the same."""
    capitalised = word[:1].upper() + word[1:] if len(word[:1].upper()) == 1 else word
    if not text:
        return capitalised
    kept = ""
    for mine, other in zip(capitalised, text, strict=False):
        if mine.lower() != other.lower():
            break
        kept += other
    return kept + capitalised[len(kept) :]


def _lower(text: str) -> str:
    """Return a text in lower case, with as many characters (``İ`` has two)."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _lowered(words: Sequence[str]) -> list[str]:
    return [_lower(word) for word in words]


def _stem(one: str, other: str) -> tuple[int, int, int]:
    """Return the longest stretch that two texts share: where it starts in both, and its length.

    Of equally long ones it is the first.

    >>> _stem("giving", "give")
    (0, 0, 3)
    """
    best = (0, 0, 0)
    lengths = [0] * (len(other) + 1)
    for place, character in enumerate(one):
        row = [0] * (len(other) + 1)
        for at, mine in enumerate(other):
            if mine == character:
                row[at + 1] = lengths[at] + 1
                if row[at + 1] > best[2]:
                    length = row[at + 1]
                    best = (place - length + 1, at - length + 1, length)
        lengths = row
    return best

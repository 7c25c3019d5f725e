"""Classes of words that are too rare to be known by their form."""

from __future__ import annotations

__all__ = ["word_class"]

_ENDINGS = ("ing", "ed", "ly", "ion", "ity", "er", "est", "al", "y", "s")


def word_class(form: str, *, first: bool) -> str:
    """Return what can be seen of a word: capitals, digits, hyphens, its ending.

    As in the unknown-word classes of Klein & Manning (2003), without a lexicon; `first` is the
    first word of its sentence, where a capital says little.

    >>> word_class("Parsers", first=False), word_class("1,000", first=False)
    ('Ccs', 'cd')
    >>> word_class("well-known", first=True)
    'c-'
    """
    letters = [letter for letter in form if letter.isalpha()]
    kind = "c"
    if letters and all(map(str.isupper, letters)):
        kind = "CC" if len(letters) > 1 else "C"
    elif form[:1].isupper():
        kind = "cC" if first else "Cc"
    if any(map(str.isdigit, form)):
        kind += "d"
    if not letters and not any(map(str.isdigit, form)):
        kind += "."
    if "-" in form:
        return kind + "-"
    lower = form.lower()
    ending = next((end for end in _ENDINGS if lower.endswith(end) and len(form) > len(end) + 1), "")
    return kind + ending

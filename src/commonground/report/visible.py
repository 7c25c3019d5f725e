"""Text from files in which everything can be seen: nothing steers a terminal, nothing is hidden."""

from __future__ import annotations

import unicodedata

__all__ = ["right_to_left", "visible"]

_JOINERS = "\u200c\u200d"
"""They are invisible, but Persian, Indic scripts and emoji are written with them."""


def visible(text: str) -> str:
    r"""Return a text with escapes for its control, format and unassigned characters.

    A mark that would stand on a letter before it gets a circle to stand on.

    >>> print(visible("red\x1b[31m"), visible("a\u202eb"), visible("Bär"))
    red\x1b[31m a\u202eb Bär
    """
    if text.isascii() and text.isprintable():
        return text
    if unicodedata.combining(text[:1] or " "):
        text = f"◌{text}"
    return text if text.isprintable() else "".join(map(_escaped, text))


def _escaped(character: str) -> str:
    invisible = unicodedata.category(character) in ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")
    if invisible and character not in _JOINERS:
        return character.encode("unicode_escape").decode("ascii")
    return character


def right_to_left(text: str) -> bool:
    """Tell whether a text begins in a script that runs from right to left.

    >>> right_to_left("ספר"), right_to_left("1 book"), right_to_left("12")
    (True, False, False)
    """
    if text.isascii():
        return False
    kinds = (unicodedata.bidirectional(character) for character in text)
    return next((kind for kind in kinds if kind in ("L", "R", "AL")), "L") != "L"

"""What punctuation is, by its characters."""

from __future__ import annotations

import unicodedata

__all__ = ["is_punctuation"]


def is_punctuation(form: str) -> bool:
    """Tell whether all characters of a form are punctuation for Unicode.

    >>> is_punctuation("..."), is_punctuation("$"), is_punctuation(":-)")
    (True, False, True)
    """
    return all(unicodedata.category(character).startswith("P") for character in form)

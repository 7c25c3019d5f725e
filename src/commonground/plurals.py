"""Numbers of things, in the words of messages and notes."""

from __future__ import annotations

__all__ = ["number_of"]


def number_of(count: int, one: str, many: str = "") -> str:
    """Return a number and what there is of it: `one`, or `many`, which has an ``s`` if not told.

    >>> number_of(1, "sentence"), number_of(1200, "sentence")
    ('1 sentence', '1,200 sentences')
    >>> number_of(0, "word has", "words have")
    '0 words have'
    """
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"

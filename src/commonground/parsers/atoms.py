"""Texts as numbers that mean the same in every corpus: what hashed features are made of.

A text becomes 64 bits of a keyed hash of itself, so that no vocabulary has to be stored, and a word
that was never seen is like no other. How numbers are put together is in
``kernels/perceptron.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Strings

__all__ = ["NOTHING", "Atoms", "atom", "atoms", "shape"]

Atoms = NDArray[np.uint64]

NOTHING = 0
"""The number of what is not there: ``_``, or a word beyond the end of the sentence."""


@lru_cache(maxsize=1 << 18)
def atom(text: str) -> int:
    """Return the number of a text, 0 for ``_``.

    >>> atom("_"), atom("dog") == atom("dog"), atom("dog") == atom("cat")
    (0, True, False)
    """
    if text == "_":
        return NOTHING
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little") or 1


def atoms(column: Strings, of: Callable[[str], str] = str) -> Atoms:
    """Return the number of each row, or of what `of` makes of its text.

    >>> lower = atoms(Strings.of(["The", "the"]), str.lower)
    >>> bool(lower[0] == lower[1])
    True
    """
    numbers = [atom(of(text)) for text in column.vocabulary]
    return np.array(numbers or [0], np.uint64)[column.codes]


def shape(form: str) -> str:
    """Return what kinds of characters a word has: runs of upper, lower, digits, others.

    >>> shape("McDonald"), shape("U.S."), shape("1,000"), shape("gone")
    ('XxXx', 'X.X.', '0,0', 'x')
    """
    start = form[:24]
    if start.isalpha():  # as most words are; this is quicker
        if start.islower():
            return "x"
        if start[0].isupper() and start[1:].islower():
            return "Xx"
    kinds = ""
    for letter in start:
        kind = (
            "X"
            if letter.isupper()
            else "x"
            if letter.isalpha()
            else "0"
            if letter.isdigit()
            else letter
        )
        if not kinds.endswith(kind):
            kinds += kind
    return kinds

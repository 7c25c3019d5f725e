"""Yields of nodes: from columns of first and last words, or from sets of words, to texts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Strings
from commonground.corpus.strings import Vocabulary

__all__ = ["yields_of"]

Numbers = NDArray[np.int64]


def yields_of(first: Numbers, last: Numbers, scattered: Mapping[int, str]) -> Strings:
    """Return the yields of rows, from `first` to `last` (words count from 1).

    The rows that are `scattered` have the yields that are given for them instead.

    >>> yields_of(np.array([1, 1, 2]), np.array([3, 1, 4]), {2: "2,4"}).tolist()
    ['1-3', '1', '2,4']
    """
    width = int(last.max(initial=0)) + 1
    spans, codes = np.unique(first * width + last, return_inverse=True)
    texts = [_span(*divmod(span, width)) for span in spans.tolist()]
    codes = codes.astype(np.int32)
    vocabulary = Vocabulary(zip(texts, range(len(texts)), strict=True))
    for row, text in scattered.items():
        codes[row] = vocabulary[text]
    return Strings(codes, tuple(vocabulary))


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"

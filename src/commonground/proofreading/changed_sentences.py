"""The sentences of a treebank that an older version does not have in the same words and trees."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies

__all__ = ["changed_sentences"]

_COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "deprel")
"""What errors are looked for in, beside the heads; comments and MISC do not matter."""


def changed_sentences(new: Dependencies, old: Dependencies) -> NDArray[np.bool_]:
    """Tell which sentences are new, or annotated otherwise than before, wherever they stood.

    >>> birds = (["Birds", "sing"], [2, 0], ["nsubj", "root"])
    >>> other = (["Birds", "sing"], [2, 0], ["obj", "root"])
    >>> changed_sentences(Dependencies.of([birds, other]), Dependencies.of([birds])).tolist()
    [False, True]
    """
    before = set(_analyses(old))
    return np.array([each not in before for each in _analyses(new)], np.bool_)


def _analyses(corpus: Dependencies) -> Iterator[tuple[object, ...]]:
    columns = [corpus.words.strings(name).tolist() for name in _COLUMNS]
    heads, offsets = corpus.head.tolist(), corpus.offsets.tolist()
    for first, end in pairwise(offsets):
        yield (*heads[first:end], *(text for column in columns for text in column[first:end]))

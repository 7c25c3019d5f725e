"""The shape of trees, in whole columns: how deep, how long their arcs, whether anything crosses.

The measures of words and arcs have an entry per word, those of sentences an entry per sentence.
"""

from __future__ import annotations

from functools import singledispatch

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.arrange import extents
from commonground.corpus.constituents import Constituents
from commonground.corpus.corpus import Corpus
from commonground.corpus.dependencies import Dependencies
from commonground.corpus.table import Offsets
from commonground.errors import UsageError
from commonground.kernels import load

__all__ = [
    "continuous",
    "cyclic",
    "dependency_length",
    "depth",
    "nonprojective_arcs",
    "phrases",
    "projective",
    "word_depth",
]


@singledispatch
def depth(corpus: Corpus) -> NDArray[np.int32]:
    """Return how deep the tree of each sentence is.

    Dependencies: the most arcs that lead from a word to the root (see :func:`word_depth`).
    Constituents: the most phrases that stand above a word, without its tag. 0 is no tree at all.

    >>> depth(Dependencies.of([("Cats like fresh fish".split(), [2, 0, 4, 2], ["_"] * 4)])).tolist()
    [3]
    """
    raise UsageError(f"{corpus.kind} are not trees and have no depth")


@depth.register
def _(corpus: Dependencies) -> NDArray[np.int32]:
    return _greatest(word_depth(corpus), corpus.offsets)


@depth.register
def _(corpus: Constituents) -> NDArray[np.int32]:
    # A parent counts from 0 and is -1 at the top, a head from 1 and is 0 there.
    steps = load("trees").depth(corpus.parent.astype(np.int32) + 1, corpus.nodes.offsets)
    return _greatest(steps, corpus.nodes.offsets)


def word_depth(corpus: Dependencies) -> NDArray[np.int32]:
    """Return how many arcs lead from each word to the root, 1 for a word whose head is the root.

    It is -1 where the way up does not end there: on and under a cycle or an unknown head.
    """
    return load("trees").depth(*_arcs(corpus))


def cyclic(corpus: Dependencies) -> NDArray[np.bool_]:
    """Return which sentences have heads that run in a circle.

    >>> heads = [[2, 1, 0], [2, 0, 2]]
    >>> cyclic(Dependencies.of([(list("abc"), each, ["_"] * 3) for each in heads])).tolist()
    [True, False]
    """
    return np.asarray(_greatest(load("trees").cycles(*_arcs(corpus)), corpus.offsets) > 0)


def dependency_length(corpus: Dependencies) -> NDArray[np.int32]:
    """Return how far each word stands from its head, 0 where the head is the root or unknown.

    >>> birds = Dependencies.of([(["Birds", "can", "sing"], [3, 3, 0], ["_"] * 3)])
    >>> dependency_length(birds).tolist()
    [2, 1, 0]
    """
    place = corpus.words.row_in_sentence() + 1
    return np.where(corpus.head > 0, np.abs(corpus.head - place), 0).astype(np.int32)


def nonprojective_arcs(corpus: Dependencies) -> NDArray[np.bool_]:
    """Return which words have a non-projective arc: their head does not dominate all in between.

    The definition, and what it means where there is no tree, is that of
    :func:`commonground.kernels.trees.crossing`.
    """
    return load("trees").crossing(*_arcs(corpus))


def projective(corpus: Dependencies) -> NDArray[np.bool_]:
    """Return which sentences have no non-projective arc.

    >>> forms = "A hearing is scheduled on the issue today".split()
    >>> projective(Dependencies.of([(forms, [2, 4, 4, 0, 7, 7, 2, 4], ["_"] * 8)])).tolist()
    [False]
    """
    return np.asarray(_greatest(nonprojective_arcs(corpus), corpus.offsets) == 0)


def continuous(corpus: Constituents) -> NDArray[np.bool_]:
    """Return which sentences have only phrases without gaps.

    A trace is a terminal like the others here, and fills the gap in which it stands.
    """
    gaps = ~extents(corpus.words, corpus.nodes).continuous
    return np.asarray(_greatest(gaps, corpus.nodes.offsets) == 0)


def phrases(corpus: Constituents) -> NDArray[np.int64]:
    """Return how many phrases each sentence has."""
    return corpus.nodes.lengths


def _arcs(corpus: Dependencies) -> tuple[NDArray[np.int32], Offsets]:
    return np.ascontiguousarray(corpus.head, np.int32), corpus.offsets


def _greatest(column: NDArray[np.generic], offsets: Offsets) -> NDArray[np.int32]:
    """Return the greatest number of each sentence, at least 0.

    >>> _greatest(np.array([2, 5, -1]), np.array([0, 2, 2, 3])).tolist()
    [5, 0, 0]
    """
    some = np.diff(offsets) > 0
    result = np.zeros(len(some), np.int32)
    if some.any():
        result[some] = np.maximum.reduceat(column.astype(np.int32), offsets[:-1][some])
    return np.maximum(result, 0)

"""Folds: what a model says of sentences that it was not trained on.

A parser that will read predicted tags has to be trained on predicted tags, and these must come from
a tagger that has not seen the sentence; the same holds for the guesses in a stacked parser.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from commonground.corpus import Corpus

__all__ = ["folds", "jackknifed"]

C = TypeVar("C", bound=Corpus)


def folds(sentences: int, count: int) -> list[np.ndarray[Any, np.dtype[np.int64]]]:
    """Return the numbers of the sentences of each fold: stretches of equal length.

    Neighbours come from the same text, so they belong into the same fold.

    >>> [fold.tolist() for fold in folds(5, 2)]
    [[0, 1, 2], [3, 4]]
    """
    return [fold.astype(np.int64) for fold in np.array_split(np.arange(sentences), count)]


def jackknifed(corpus: C, count: int, guess: Callable[[C, C, int], C]) -> C:
    """Return a corpus in which each fold is what `guess` (train on, apply to, number) made of it.

    A corpus of fewer sentences than folds has a fold for each sentence; a single sentence can only
    be guessed by what has seen it.
    """
    if len(corpus) < 2:
        return guess(corpus, corpus, 0)
    parts = []
    for number, fold in enumerate(folds(len(corpus), min(count, len(corpus)))):
        inside = np.zeros(len(corpus), np.bool_)
        inside[fold] = True
        parts.append(guess(corpus.take(~inside), corpus.take(inside), number))
    return type(corpus).concatenate(parts)

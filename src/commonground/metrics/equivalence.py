"""Texts that count as equal although they differ: pairs, as somebody has declared them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.strings import Strings, Vocabulary

__all__ = ["Equivalence"]

Codes = NDArray[np.integer]
Flags = NDArray[np.bool_]


class Equivalence:
    """Pairs of texts that are alike, in both directions.

    Being alike is not passed on: with A like B and B like C, A is not like C. The texts in the
    pairs have the lowest codes of the vocabularies made here, so that `alike`, a square of truth
    values, tells about all of them.

    >>> labels = Equivalence([("ADVP", "PRT")])
    >>> vocabulary = labels.vocabulary()
    >>> one, two = ([vocabulary[t] for t in text.split()] for text in ("PRT NP", "ADVP VP"))
    >>> labels.same(np.array(one), np.array(two)).tolist()
    [True, False]
    """

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self.pairs = tuple(pairs)
        numbers = self.vocabulary()
        self.alike: Flags = np.eye(len(numbers), dtype=np.bool_)
        for one, two in self.pairs:
            self.alike[numbers[one], numbers[two]] = True
            self.alike[numbers[two], numbers[one]] = True

    def vocabulary(self) -> Vocabulary:
        """Return a vocabulary that begins with the texts of the pairs."""
        texts = Vocabulary()
        for text in (text for pair in self.pairs for text in pair):
            texts[text]
        return texts

    def codes(self, one: Strings, two: Strings) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return two columns in codes of one vocabulary, as :meth:`same` compares them."""
        if not self.pairs and one.vocabulary == two.vocabulary:  # so it is in a parse of a text
            return one.codes, two.codes
        vocabulary = self.vocabulary()
        return one.codes_in(vocabulary), two.codes_in(vocabulary)

    def same(self, one: Codes, two: Codes) -> Flags:
        """Tell which codes of two columns stand for the same text or for texts that are alike."""
        equal = np.asarray(one == two)
        paired = np.flatnonzero((one < len(self.alike)) & (two < len(self.alike)))
        equal[paired] = self.alike[one[paired], two[paired]]
        return equal

    def partners(self, text: str) -> frozenset[str]:
        """Return a text and all that are like it.

        >>> sorted(Equivalence([("ADVP", "PRT")]).partners("PRT"))
        ['ADVP', 'PRT']
        """
        return frozenset([text]).union(*(pair for pair in self.pairs if text in pair))

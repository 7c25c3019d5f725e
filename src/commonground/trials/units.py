"""Stretches of a text at whose ends all systems end a sentence, and what differs in each.

These are the units that are annotated and counted: whoever cuts the text into other sentences, a
unit has whole sentences of everybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.errors import UsageError
from commonground.tokens import align_words
from commonground.tokens.spans import spans_of

__all__ = ["Units", "agreeing_words", "differences", "units_of", "without_heads"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Units:
    """The units of several parses of one text.

    `of_sentence` has the unit of each sentence of each parse; there are `count` of them.
    """

    count: int
    of_sentence: tuple[Numbers, ...]

    def words(self, side: int, corpus: Dependencies) -> Numbers:
        """Return how many words of a parse each unit has."""
        counts = np.bincount(
            self.of_sentence[side], weights=corpus.words.lengths, minlength=self.count
        )
        return counts.astype(np.int64)


def units_of(corpora: Sequence[Dependencies]) -> Units:
    """Return the units of parses of one text.

    >>> one = Dependencies.of([(["Hi"], [0], ["x"]), (["you", "!"], [0, 1], ["x", "y"])])
    >>> two = Dependencies.of([(["Hi", "you", "!"], [0, 1, 2], ["x", "y", "z"])])
    >>> units = units_of([one, two])
    >>> units.count, [each.tolist() for each in units.of_sentence]
    (1, [[0, 0], [0]])
    """
    spans = [spans_of(corpus) for corpus in corpora]
    if any(each.text != spans[0].text for each in spans):
        raise UsageError("the parses are not of the same text")
    shared = spans[0].sentence_start
    for each in spans[1:]:
        shared = np.intersect1d(shared, each.sentence_start)
    places = tuple(np.searchsorted(shared, each.sentence_start, side="right") - 1 for each in spans)
    return Units(len(shared), places)


def agreeing_words(one: Dependencies, other: Dependencies) -> tuple[Flags, Flags]:
    """Tell which words of two parses have the same head and label in both (without subtypes)."""
    aligned = align_words(one, other)
    back = np.full(other.words.rows + 1, -2, np.int64)
    back[aligned.system] = aligned.gold
    heads = _rows_of_heads(one)[aligned.gold]
    others = _rows_of_heads(other)[aligned.system]
    labels = [
        np.array(each.deprel.map(_base).tolist(), object)[rows]
        for each, rows in ((one, aligned.gold), (other, aligned.system))
    ]
    same = (heads == np.where(others < 0, -1, back[others])) & (labels[0] == labels[1])
    flags = np.zeros(one.words.rows, np.bool_), np.zeros(other.words.rows, np.bool_)
    flags[0][aligned.gold[same]] = True
    flags[1][aligned.system[same]] = True
    return flags


def _base(label: str) -> str:
    return label.partition(":")[0]


def _rows_of_heads(corpus: Dependencies) -> Numbers:
    first = corpus.words.offsets[corpus.words.sentence_of_row()]
    heads = corpus.head.astype(np.int64)
    return np.where(heads > 0, first + heads - 1, np.where(heads == 0, -1, -3))


def differences(
    units: Units, sides: tuple[int, int], one: Dependencies, other: Dependencies
) -> Numbers:
    """Return how many words of each unit, on both sides together, the two analyse otherwise.

    That is what each would lose if the other one were the gold standard: G + S − 2C of LAS.
    """
    flags = agreeing_words(one, other)
    total = np.zeros(units.count, np.int64)
    for side, corpus, same in zip(sides, (one, other), flags, strict=True):
        unit = units.of_sentence[side][corpus.words.sentence_of_row()]
        total += np.bincount(unit[~same], minlength=units.count)
    return total


def without_heads(corpus: Dependencies, rows: Flags) -> Dependencies:
    """Return a treebank in which some words have no head and no label."""
    labels = np.array(corpus.deprel.tolist(), object)
    labels[rows] = "_"
    head = np.where(rows, -1, corpus.head).astype(np.int32)
    return corpus.replace("words", head=head, deprel=Strings.of(labels.tolist()))

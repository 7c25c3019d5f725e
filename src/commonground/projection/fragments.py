"""How fragmented partial trees are, and which of them are complete enough to learn from.

A fragment is a maximal connected piece of a sentence; an isolated word is one. As no heads run in a
circle, a fragment has one word at its top, without a head or on the root: so there are as many
fragments as such words. Spreyer (2010, Table 4) reports words per sentence, fragments per sentence,
and words per fragment, which is all words divided by all fragments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.evaluation.signature import signed

__all__ = ["Filter", "Fragmentation", "fragmentation", "fragments", "kept"]


@dataclass(frozen=True, slots=True)
class Fragmentation:
    """How many sentences, words and fragments there are, and how many words have a head."""

    sentences: int
    words: int
    fragments: int
    heads: int

    @property
    def words_per_sentence(self) -> float | None:
        """All words divided by all sentences."""
        return self.words / self.sentences if self.sentences else None

    @property
    def fragments_per_sentence(self) -> float | None:
        """All fragments divided by all sentences."""
        return self.fragments / self.sentences if self.sentences else None

    @property
    def words_per_fragment(self) -> float | None:
        """All words divided by all fragments."""
        return self.words / self.fragments if self.fragments else None

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as JSON has them."""
        return {
            "sentences": self.sentences,
            "words": self.words,
            "fragments": self.fragments,
            "heads": self.heads,
            "words_per_sentence": self.words_per_sentence,
            "words_per_fragment": self.words_per_fragment,
            "fragments_per_sentence": self.fragments_per_sentence,
        }


def fragments(corpus: Dependencies) -> NDArray[np.int64]:
    """Return how many fragments each sentence has.

    In the first sentence the first two words are connected, the third is alone:

    >>> trees = [(list("abc"), [2, -1, -1], ["x"] * 3), (list("ab"), [2, 0], ["x"] * 2)]
    >>> fragments(Dependencies.of(trees)).tolist()
    [2, 1]
    """
    tops = corpus.words.sentence_of_row()[corpus.head <= 0]
    return np.bincount(tops, minlength=len(corpus)).astype(np.int64)


def fragmentation(corpus: Dependencies) -> Fragmentation:
    """Return how fragmented a corpus is.

    >>> result = fragmentation(Dependencies.of([(list("abc"), [2, -1, -1], ["x"] * 3)]))
    >>> result.words_per_sentence, result.fragments_per_sentence, result.words_per_fragment
    (3.0, 2.0, 1.5)
    """
    tops, heads = int((corpus.head <= 0).sum()), int((corpus.head >= 0).sum())
    return Fragmentation(len(corpus), corpus.words.rows, tops, heads)


@signed
@dataclass(frozen=True, slots=True)
class Filter:
    """Which sentences are kept: of `least_words` or more those with at most `most_fragments`.

    Shorter sentences are all kept; without `most_fragments`, longer ones too. (Spreyer 2010: three
    fragments, four words.)
    """

    most_fragments: int | None = 3
    least_words: int = 4

    def __post_init__(self) -> None:
        if self.least_words < 0 or (self.most_fragments is not None and self.most_fragments < 1):
            raise UsageError("a filter has a number of words, and of fragments, 1 or more")


def kept(corpus: Dependencies, chosen: Filter | None = None) -> NDArray[np.bool_]:
    """Tell which sentences of a corpus a filter keeps."""
    chosen = chosen or Filter()
    if chosen.most_fragments is None:
        return np.ones(len(corpus), np.bool_)
    short = corpus.words.lengths < chosen.least_words
    return np.asarray(short | (fragments(corpus) <= chosen.most_fragments))

"""Random samples of training sentences, and folds."""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus
from commonground.errors import UsageError
from commonground.plurals import number_of
from commonground.random import stream

__all__ = ["folds", "sample_of", "sentences_mark"]

Numbers = NDArray[np.int64]


def sentences_mark(corpus: Corpus) -> int:
    """Return a number that treebanks share whose sentences have the same lengths, in this order.

    So it is the same for the same sentences, whatever their trees, tags and spelling.

    >>> from commonground.corpus import Dependencies
    >>> one, other = ([(["a", "b"], heads, ["x", "x"])] for heads in ([2, 0], [0, 1]))
    >>> sentences_mark(Dependencies.of(one)) == sentences_mark(Dependencies.of(other))
    True
    """
    return zlib.crc32(corpus.tables["words"].lengths.astype("<i8").tobytes())


def sample_of(
    corpus: Corpus,
    *,
    number: int,
    words: int | None = None,
    sentences: int | None = None,
    seed: int = 0,
    name: str = "the training data",
) -> Numbers:
    """Return the sentences of a sample, drawn without replacement, in the order of the corpus.

    A sample has so many `sentences`, or as many as it takes to have so many `words`. It is at most
    half of the corpus, as larger samples would have most sentences in common. Samples of the same
    `number` have the same sentences in all versions of a treebank, whatever their trees; those of
    other treebanks, or with another `number`, are drawn independently. The `name` is for messages.

    >>> from commonground.corpus import Dependencies
    >>> pool = Dependencies.of([(["Hi"], [0], ["root"])] * 6)
    >>> len(sample_of(pool, number=0, sentences=3))
    3
    """
    if (words is None) == (sentences is None):
        raise UsageError("give the size of samples as a number of words or of sentences, not both")
    order = stream(seed, "sample", sentences_mark(corpus), number).permutation(len(corpus))
    lengths = corpus.tables["words"].lengths
    if words is not None:
        total = int(lengths.sum())
        _refuse_large(words, total, "words", name)
        count = int(np.searchsorted(np.cumsum(lengths[order]), words)) + 1
    else:
        assert sentences is not None
        _refuse_large(sentences, len(corpus), "sentences", name)
        count = sentences
    return np.sort(order[:count]).astype(np.int64)


def _refuse_large(wanted: int, there: int, what: str, name: str) -> None:
    if wanted < 1:
        raise UsageError(f"a sample cannot have {wanted} {what}")
    if 2 * wanted > there:
        raise UsageError(
            f"{name} has {there:,} {what}; samples of {wanted:,} are more than half of them, and "
            "would overlap too much"
        )


def folds(corpus: Corpus, count: int, *, seed: int = 0) -> list[Numbers]:
    """Return the sentences of each of some folds of equal size, drawn at random.

    >>> from commonground.corpus import Dependencies
    >>> pool = Dependencies.of([(["Hi"], [0], ["root"])] * 5)
    >>> [len(fold) for fold in folds(pool, 2)]
    [3, 2]
    """
    if not 2 <= count <= len(corpus):
        raise UsageError(
            f"{number_of(len(corpus), 'sentence')} cannot be divided into {count} folds"
        )
    order = stream(seed, "folds").permutation(len(corpus))
    return [np.sort(part).astype(np.int64) for part in np.array_split(order, count)]

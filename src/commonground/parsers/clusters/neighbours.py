"""How often words stand beside each other in raw text: what clusters are made of.

Text is cut into words by a rule of thumb, as most treebanks cut it: at white space and around
punctuation, before *'s* and *n't* and after *l'*. Rarer words count as one, and so does the end of
a paragraph (of a line or a sentence, where text was cut before).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.formats.storage.chunks import read_chunks
from commonground.formats.storage.files import unpacked
from commonground.formats.storage.raw_pieces import raw_pieces
from commonground.kernels.clustering import Neighbours
from commonground.parsers.clusters.word_clusters import normalised

__all__ = ["Counted", "counted", "sentences_of", "split_words"]

_WORD = re.compile(
    r"""
    \w+(?=n['’]t\b) | n['’]t\b                          # do n't
    | \w{1,4}['’](?=\w{3})                              # l' homme
    | ['’](?:s|t|d|m|re|ve|ll)\b                        # it 's
    | \w+(?:[-.@/&+]\w+)*                               # all other words
    | \.\.+ | --+ | ``|''                               # what is one mark
    | [^\w\s]
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
_BLOCK = 1 << 24


def split_words(text: str) -> list[str]:
    """Return the words of a text.

    >>> split_words("It's Tom's well-known idea; l'homme didn't.")
    ['It', "'s", 'Tom', "'s", 'well-known', 'idea', ';', "l'", 'homme', 'did', "n't", '.']
    """
    return _WORD.findall(text)


def sentences_of(
    path: str | os.PathLike[str], format: str | None = None, *, pretokenised: bool = False
) -> Iterator[list[str]]:
    """Return the words of a file: of each paragraph of a text, or of each sentence of a treebank.

    If it is `pretokenised`, each line of a text is a sentence with spaces between the words.
    """
    if format == "text" or (format is None and unpacked(path).suffix.lower() == ".txt"):
        for piece in raw_pieces(path):
            if pretokenised:
                yield from (line.split() for line in piece.text.split("\n"))
            else:
                yield from map(split_words, _PARAGRAPH.split(piece.text))
        return
    for chunk in read_chunks(path, format, partial=True):
        if not isinstance(chunk, Dependencies):
            raise UsageError(f"clusters are made of words, and {path} has {chunk.kind}")
        forms, offsets = chunk.form.tolist(), chunk.offsets.tolist()
        for start, stop in pairwise(offsets):
            yield forms[start:stop]


@dataclass(frozen=True, slots=True)
class Counted:
    """Words, commonest first, how often each was seen, and what stands after and before each.

    Two more numbers follow those of the words: all rarer words, and the end of a sentence.
    """

    words: tuple[str, ...]
    counts: tuple[int, ...]
    after: Neighbours
    before: Neighbours
    total: int


def counted(
    sentences: Iterable[list[str]],
    *,
    least: int,
    most: int,
    watch: Callable[[int], None] = lambda _: None,
) -> Counted:
    """Return how often words stand beside each other; those seen fewer than `least` times are one.

    At most `most` words are kept, the commonest ones.
    """
    numbers: dict[str, int] = {}
    parts: list[NDArray[np.int32]] = []
    waiting: list[int] = []
    total = 0
    for sentence in sentences:
        if not sentence:
            continue
        waiting += [numbers.setdefault(normalised(word), len(numbers)) for word in sentence]
        waiting.append(-1)
        total += len(sentence)
        if len(waiting) >= 1 << 18:
            watch(len(waiting))
            parts.append(np.array(waiting, np.int32))
            waiting = []
    parts.append(np.array(waiting, np.int32))
    watch(len(waiting))
    counts = np.zeros(len(numbers) + 1, np.int64)  # the last is the end, which is -1
    for part in parts:
        counts += np.bincount(part + (part < 0) * len(counts), minlength=len(counts))
    seen = {word: int(counts[number]) for word, number in numbers.items()}
    common = sorted((w for w in seen if seen[w] >= least), key=lambda w: (-seen[w], w))[:most]
    new = np.full(len(numbers) + 1, len(common), np.int64)
    new[[numbers[word] for word in common]] = np.arange(len(common))
    new[-1] = len(common) + 1
    after, before = _beside((new[part] for part in parts), len(common) + 2)
    return Counted(tuple(common), tuple(seen[word] for word in common), after, before, total)


def _beside(parts: Iterable[NDArray[np.int64]], size: int) -> tuple[Neighbours, Neighbours]:
    """Return how often each word stands after each, and the other way round."""
    pairs: NDArray[np.int64] = np.empty(0, np.int64)
    counts: NDArray[np.int64] = np.empty(0, np.int64)
    waiting: list[NDArray[np.int64]] = []
    last = np.array([size - 1])
    for part in parts:
        joined = np.concatenate([last, part])
        last = joined[-1:]
        waiting.append(joined[:-1] * size + joined[1:])
        if sum(map(len, waiting)) >= _BLOCK:
            pairs, counts = _added(pairs, counts, waiting)
            waiting = []
    pairs, counts = _added(pairs, counts, waiting)
    first, second = np.divmod(pairs, size)
    return _sorted(first, second, counts, size), _sorted(second, first, counts, size)


def _added(
    pairs: NDArray[np.int64], counts: NDArray[np.int64], more: list[NDArray[np.int64]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    new, times = np.unique(np.concatenate([np.empty(0, np.int64), *more]), return_counts=True)
    both, inverse = np.unique(np.concatenate([pairs, new]), return_inverse=True)
    sums = np.zeros(len(both), np.int64)
    np.add.at(sums, inverse, np.concatenate([counts, times]))
    return both, sums


def _sorted(
    one: NDArray[np.int64], other: NDArray[np.int64], counts: NDArray[np.int64], size: int
) -> Neighbours:
    order = np.lexsort((other, one))
    starts = np.concatenate([[0], np.cumsum(np.bincount(one, minlength=size))])
    return starts.astype(np.int64), other[order].astype(np.int32), counts[order].astype(np.int32)

"""Sentences of one treebank that stand in another one too, exactly or nearly: leaks between splits.

Two sentences are the same if they have the same words, in any case. They are nearly the same if the
sets of their runs of three words (of two, or of one, in shorter sentences) overlap by at least a
threshold (Jaccard similarity). Candidates are found by minhashing (Broder 1997): the smallest value
of a random hash function over a set is that of another set with a probability equal to their
similarity, so that sentences which agree in all values of a band are compared. With 20 bands of 3
values a pair at the threshold of 0.7 is missed with a probability of (1 − 0.7³)²⁰ < 0.0003.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.random import stream

__all__ = ["Duplicate", "duplicates", "repeated"]

BANDS, ROWS = 20, 3
RUN = 3
_PRIME = (1 << 31) - 1
_CANDIDATES = 200
"""No sentence is compared with more candidates of a band."""

Hashes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A sentence that stands in the other treebank: its place there, and how similar it is."""

    place: int
    similarity: float

    @property
    def exact(self) -> bool:
        """Whether all words are the same, in the same order."""
        return self.similarity == 1.0


def duplicates(
    sentences: Sequence[Sequence[str]],
    others: Sequence[Sequence[str]],
    threshold: float = 0.7,
    seed: int = 0,
) -> list[Duplicate | None]:
    """Return for each sentence the most similar one among the others, if it is similar enough.

    >>> train = ["the cat sat on the mat today".split(), "birds sing".split()]
    >>> test = ["the cat sat on the mat yesterday".split(), "Birds sing".split(), ["no"]]
    >>> [d and (d.place, round(d.similarity, 2)) for d in duplicates(test, train, 0.6)]
    [(0, 0.67), (1, 1.0), None]
    """
    mine = [tuple(map(str.lower, words)) for words in sentences]
    theirs = [tuple(map(str.lower, words)) for words in others]
    exact: dict[tuple[str, ...], int] = {}
    for place, words in enumerate(theirs):
        exact.setdefault(words, place)
    both = [_runs(words) for words in (*mine, *theirs)]
    bands = _bands(both, seed)
    index: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for place in range(len(theirs)):
        for band, value in enumerate(bands[len(mine) + place].tolist()):
            index[band, value].append(place)
    return [
        Duplicate(exact[words], 1.0)
        if words in exact
        else _nearest(both, bands[number], index, number, len(mine), threshold)
        for number, words in enumerate(mine)
    ]


def repeated(
    sentences: Sequence[Sequence[str]], threshold: float = 0.7, seed: int = 0
) -> list[Duplicate | None]:
    """Return for each sentence the most similar one before it, if it is similar enough.

    >>> texts = ["the cat sat on the mat today", "birds sing", "The cat sat on the mat today"]
    >>> [d and d.place for d in repeated([text.split() for text in texts])]
    [None, None, 0]
    """
    mine = [tuple(map(str.lower, words)) for words in sentences]
    runs = [_runs(words) for words in mine]
    bands = _bands(runs, seed)
    exact: dict[tuple[str, ...], int] = {}
    index: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    found: list[Duplicate | None] = []
    for number, words in enumerate(mine):
        if words in exact:
            found.append(Duplicate(exact[words], 1.0))
            continue
        found.append(_nearest(runs, bands[number], index, number, 0, threshold))
        exact[words] = number
        for band, value in enumerate(bands[number].tolist()):
            index[band, value].append(number)
    return found


def _nearest(
    runs: Sequence[frozenset[tuple[str, ...]]],
    bands: Hashes,
    index: dict[tuple[int, int], list[int]],
    number: int,
    before: int,
    threshold: float,
) -> Duplicate | None:
    candidates = {
        place
        for band, value in enumerate(bands.tolist())
        for place in index.get((band, value), ())[:_CANDIDATES]
    }
    best: Duplicate | None = None
    for place in sorted(candidates):
        one, other = runs[number], runs[before + place]
        similarity = len(one & other) / len(one | other)
        # Other words in another order are not the same sentence, even if all runs are.
        similarity = min(similarity, 0.999)
        if similarity >= threshold and (best is None or similarity > best.similarity):
            best = Duplicate(place, similarity)
    return best


def _runs(words: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    """Return the runs of words of a sentence."""
    size = min(RUN, max(1, len(words)))
    return frozenset(words[at : at + size] for at in range(max(1, len(words) - size + 1)))


def _bands(sets: Sequence[frozenset[tuple[str, ...]]], seed: int) -> Hashes:
    """Return a number for each band of each set; equal sets have equal numbers."""
    codes: dict[tuple[str, ...], int] = {}
    flat = [codes.setdefault(run, len(codes)) for each in sets for run in sorted(each)]
    sizes = np.array([len(each) for each in sets], np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
    random = stream(seed, "minhash")
    spread = random.permutation(len(codes)).astype(np.int64) + 1
    values = spread[np.array(flat, np.int64)] if flat else np.zeros(0, np.int64)
    bands = np.zeros((len(sets), BANDS), np.int64)
    for band in range(BANDS):
        for _ in range(ROWS):
            factor, shift = random.integers(1, _PRIME, 2)
            hashed = (values * int(factor) + int(shift)) % _PRIME
            least = np.minimum.reduceat(hashed, starts) if len(sets) else hashed
            bands[:, band] = (bands[:, band] * 1_000_003 + least) % ((1 << 61) - 1)
    return bands

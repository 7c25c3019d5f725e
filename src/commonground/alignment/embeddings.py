"""The aligner that compares vectors of words in their sentences (Jalili Sabet et al. 2020).

Nothing is learned from the text. An encoder that knows both languages, on the user's disk, gives
each word a vector; s(i, j) is the cosine of those of source word i and target word j. As
probabilities, these are softmaxes over the words of the other sentence, forward for each target
word and backward for each source word:

    p(i | j) = exp(s(i, j) / t) / Σ_k exp(s(k, j) / t)      p(j | i) = exp(s(i, j) / t) / Σ_k …

Each word has its most similar word in either direction, and the directions become one alignment as
for any other aligner (``intersection`` is their argmax). Two more ways take the similarities as
they are:

- ``itermax``: the intersection; then that of the words that are left, twice at most, where links of
  a word that has one already count (1 + s) / 2 less a tenth;
- ``matching``: each word of the shorter sentence has one partner, so that the sum of similarities
  is the highest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.alignment.bitext import Bitext
from commonground.alignment.confidence import best_threshold, likely_links
from commonground.alignment.symmetrisation import links_of
from commonground.corpus import Table
from commonground.corpus.table import offsets_of
from commonground.errors import MissingExtraError, UsageError
from commonground.parsers.neural.encoder import Encoder, load_encoder

__all__ = ["LONGEST", "WAYS", "EmbeddingSettings", "embedding_links"]

Matrix = NDArray[np.float32]

LONGEST = 1000
"""Pairs with more words on a side are not aligned."""

WAYS = {
    "itermax": "the most similar words, then those among the words that are left",
    "matching": "pairs of words, none in two, of which the sum of similarities is the highest",
}
"""How similarities become links without directions."""

_ROUNDS, _LESS = 2, 0.9
_BLOCK = 200


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """How words are compared: by vectors of the `encoder` in this folder.

    They are those of a `layer` (0: two thirds of the way up); a word is the mean of its `pieces`,
    or the first of them. The lower the `temperature`, the more probable is the most similar word.
    """

    encoder: str
    layer: int = 0
    pieces: str = "mean"
    temperature: float = 0.1

    def __post_init__(self) -> None:
        if not self.temperature > 0:
            raise UsageError(f"the temperature is {self.temperature}; it is more than 0")


def embedding_links(
    bitext: Bitext,
    settings: EmbeddingSettings,
    way: str,
    confidence: float | None = None,
    *,
    jobs: int = 1,
    advance: Callable[[int], None] = lambda _: None,
) -> Table:
    """Return the links between similar words, merged in some way.

    Of these, links stay whose `confidence`, the mean of their probabilities in the two directions,
    is at least so high; without one, :func:`best_threshold` tells it.
    """
    encoder = load_encoder(settings.encoder, layer=settings.layer, pieces=settings.pieces)
    short = (bitext.source.lengths <= LONGEST) & (bitext.target.lengths <= LONGEST)
    parts, likely, expected = [], [], 0.0
    for first in range(0, max(len(bitext), 1), _BLOCK):
        block = np.arange(first, min(first + _BLOCK, len(bitext)))
        source, target = (
            side.where(short[side.sentence_of_row()]).take(block)
            for side in (bitext.source, bitext.target)
        )
        alike = _similarities(encoder, source, target, jobs, advance)
        table = _linked(alike, source, target, way)
        believed = _probabilities(alike, settings.temperature)
        starts = np.cumsum([0, *(each.size for each in alike)])[:-1]
        parts.append(table)
        likely.append(likely_links(table, believed, starts, target))
        expected += sum(float(part.sum(dtype=np.float64)) for part in believed) / 2
    sure = np.concatenate(likely)
    table = Table.concatenate(parts).replace(probability=sure)
    least = best_threshold(sure, expected) if confidence is None else confidence
    return table.where(sure >= least) if least > 0 else table


def _similarities(
    encoder: Encoder, source: Table, target: Table, jobs: int, advance: Callable[[int], None]
) -> list[Matrix]:
    """Return the cosines of the words of each pair: source words × target words."""
    ours, theirs = (encoder.vectors(words, jobs=jobs) for words in (source, target))
    for vectors in (ours, theirs):
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        np.divide(vectors, lengths, out=vectors, where=lengths > 0)
    results = []
    for n in range(source.sentences):
        here, there = (slice(*side.offsets[n : n + 2].tolist()) for side in (source, target))
        results.append(ours[here] @ theirs[there].T)
        advance(1)
    return results


def _probabilities(alike: list[Matrix], temperature: float) -> tuple[Matrix, Matrix]:
    """Return p(i | j) and p(j | i) of all cells, pair by pair."""
    sides = []
    for axis in (0, 1):
        weights = [np.exp((each - 1) / temperature) for each in alike]
        parts = [
            (each / np.maximum(each.sum(axis, keepdims=True), 1e-30)).ravel() for each in weights
        ]
        sides.append(np.concatenate([np.empty(0, np.float32), *parts]))
    return sides[0], sides[1]


def _linked(alike: list[Matrix], source: Table, target: Table, way: str) -> Table:
    """Return the links of all pairs, merged in some way."""
    if way in WAYS:
        of = itermax if way == "itermax" else matching
        found = [of(each) if each.size else np.zeros(each.shape, np.bool_) for each in alike]
        places = [np.nonzero(each) for each in found]
        columns = [
            np.concatenate([np.empty(0, np.int32), *(place[side] for place in places)])
            for side in (0, 1)
        ]
        one, two = (column.astype(np.int32) for column in columns)
        return Table(offsets_of([len(place[0]) for place in places]), source=one, target=two)
    forward, backward = (
        np.concatenate([np.empty(0, np.int32), *(_most_similar(each, axis) for each in alike)])
        for axis in (0, 1)
    )
    return links_of(forward.astype(np.int32), backward.astype(np.int32), source, target, way)


def _most_similar(alike: Matrix, axis: int) -> NDArray[np.int64]:
    """Return for each word of one side the most similar one of the other, -1 if it is empty."""
    if not alike.shape[axis]:
        return np.full(alike.shape[1 - axis], -1, np.int64)
    return alike.argmax(axis)


def itermax(alike: Matrix) -> NDArray[np.bool_]:
    """Return the links between words that are most similar to each other, in two rounds.

    >>> alike = np.array([[0.9, 0.8, 0.1], [0.1, 0.7, 0.2], [0.8, 0.6, 0.3]])
    >>> itermax(alike).astype(int).tolist()  # 0-0 at first, then 1-1, and 2-0 by way of 0-0
    [[1, 0, 0], [0, 1, 0], [1, 0, 0]]
    """
    weights = (1 + alike) / 2
    links = np.zeros(alike.shape, np.bool_)
    for _ in range(_ROUNDS):
        linked = links.any(1, keepdims=True).astype(int) + links.any(0).astype(int)
        worth = weights * np.array([1, _LESS, 0])[linked]
        rows, best, back = np.arange(len(alike)), worth.argmax(1), worth.argmax(0)
        mutual = np.equal(back[best], rows) & np.greater(worth[rows, best], 0)
        links[rows[mutual], best[mutual]] = True
    return links


def matching(alike: Matrix) -> NDArray[np.bool_]:
    """Return the pairs of words, none in two of them, that are most similar together.

    >>> matching(np.array([[0.9, 0.8], [0.8, 0.1]])).astype(int).tolist()
    [[0, 1], [1, 0]]
    """
    try:
        from scipy.optimize import linear_sum_assignment  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise MissingExtraError("the way matching", "encoders") from error
    links = np.zeros(alike.shape, np.bool_)
    links[linear_sum_assignment(alike, maximize=True)] = True
    return links

"""Tagging from left to right: the plain twin of ``_tagging.pyx``.

A word is a row of numbers; a template is a list of (offset, field) pairs: the field of the word so
many places further on, or, with field -1, the tag that was given to the word 1 or 2 places before.
A tag has pieces, such as the attributes of its FEATS; its score is the sum of theirs, so that tags
which share a piece learn from each other's words. The tagger learns with the tags that it gave
itself (Collins 2002; the perceptron is averaged and has a margin, and all arithmetic is in
integers).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.kernels.perceptron import Frozen, Weights, WeightTable, checked_weights, combined

__all__ = ["TagDecoder", "TagLearner", "checked_tagger", "checked_words"]

Fields = NDArray[np.uint64]
Numbers = NDArray[np.int32]
Templates = tuple[Numbers, Numbers, Numbers, NDArray[np.uint64]]

Tags = tuple[Numbers, Numbers]
"""Where the pieces of each tag begin in the list of all, and this list."""

_REACH = 8
"""Templates look at most so many words away."""

_BEYOND = 0xD1B54A32D192ED03
"""The number of every field beyond the ends of the sentence."""


class _Tagger:
    """Templates over words, and the pieces that each tag has."""

    def __init__(self, tags: Tags, templates: Templates) -> None:
        self.pieces = checked_tagger(tags, templates)
        firsts, pieces = (each.tolist() for each in tags)
        self.tags = [pieces[a:b] for a, b in pairwise(firsts)]
        self.atoms, self.starts, self.parts, self.seeds = (each.tolist() for each in templates)

    def features(self, words: list[list[int]], place: int, given: list[int]) -> list[int]:
        """Return the features of a word; `given` are the tags of those before it."""

        def number(offset: int, field: int) -> int:
            at = place + offset
            if not 0 <= at < len(words):
                return _BEYOND
            return given[at] + 1 if field < 0 else words[at][field]

        numbers = [number(offset, field) for offset, field in self.atoms]
        active = []
        for template, seed in enumerate(self.seeds):
            hashed = seed
            for part in self.parts[self.starts[template] : self.starts[template + 1]]:
                hashed = combined(hashed, numbers[part])
            active.append(hashed or 1)
        return active

    def scores(self, table: WeightTable | Frozen, features: list[int]) -> list[int]:
        """Return the score of each tag."""
        sums = table.scores(features, self.pieces)
        return [sum(sums[piece] for piece in tag) for tag in self.tags]


class TagLearner(_Tagger):
    """Weights that are learned by going over sentences."""

    def __init__(self, tags: Tags, templates: Templates) -> None:
        super().__init__(tags, templates)
        self.table, self.now = WeightTable(), 0

    def iterate(
        self,
        fields: Fields,
        offsets: NDArray[np.int64],
        gold: Numbers,
        sentences: NDArray[np.int64],
        margin: int,
    ) -> tuple[int, int]:
        """Go over the sentences once; return how many tags were wrong, and how many given.

        A word whose `gold` tag is -1 is tagged, but nothing is learned from it.
        """
        checked_words(fields, offsets, gold, sentences, self.atoms, len(self.tags))
        wrong = made = 0
        for sentence in sentences.tolist():
            start, stop = int(offsets[sentence]), int(offsets[sentence + 1])
            words, right = fields[start:stop].tolist(), gold[start:stop].tolist()
            given: list[int] = []
            for place in range(stop - start):
                features = self.features(words, place, given)
                scores = self.scores(self.table, features)
                best = scores.index(max(scores))
                given.append(best)
                if right[place] < 0:
                    continue
                self.now += 1
                made += 1
                wrong += best != right[place]
                rival = _rival(scores, right[place])
                if rival >= 0 and scores[right[place]] - scores[rival] < margin:
                    self.move(features, right[place], rival, 1)
                    self.move(features, rival, right[place], -1)
        return wrong, made

    def move(self, features: list[int], tag: int, other: int, delta: int) -> None:
        """Change the weights of those pieces of a tag that another one does not have."""
        for piece in self.tags[tag]:
            if piece not in self.tags[other]:
                self.table.add(features, piece, delta, self.now)

    def averaged(self) -> Weights:
        """Return the weights averaged over all decisions."""
        return self.table.averaged(self.now + 1)


def _rival(scores: list[int], right: int) -> int:
    """Return the best tag but the right one, -1 where there is no other."""
    others = [tag for tag in range(len(scores)) if tag != right]
    return max(others, key=lambda tag: (scores[tag], -tag), default=-1)


class TagDecoder(_Tagger):
    """Averaged weights that tag."""

    def __init__(self, tags: Tags, templates: Templates, weights: Weights) -> None:
        super().__init__(tags, templates)
        self.table = Frozen(checked_weights(weights, self.pieces))

    def tag(self, fields: Fields, offsets: NDArray[np.int64]) -> Numbers:
        """Return the tag of each word."""
        tags = np.zeros(len(fields), np.int32)
        checked_words(fields, offsets, tags, np.empty(0, np.int64), self.atoms, len(self.tags))
        for start, stop in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
            words = fields[start:stop].tolist()
            given: list[int] = []
            for place in range(stop - start):
                scores = self.scores(self.table, self.features(words, place, given))
                given.append(scores.index(max(scores)))
            tags[start:stop] = given
        return tags


# ── what both twins check at their entries ───────────────────────────────────────────────────────


def checked_tagger(tags: Any, templates: Any) -> int:
    """Return how many pieces there are; raise ValueError if any place would be out of range."""
    atoms, starts, parts, seeds = map(np.asarray, templates)
    firsts, pieces = map(np.asarray, tags)
    whole = len(firsts) > 1 and firsts[0] == 0 and firsts[-1] == len(pieces)
    whole = whole and bool((np.diff(firsts) > 0).all())
    if not whole or not bool(((pieces >= 0) & (pieces < 65535)).all()):
        raise ValueError("tags whose pieces do not fit together")
    good = 0 < len(seeds) <= 512
    good = good and atoms.ndim == 2 and atoms.shape[0] > 0 and atoms.shape[1] == 2
    good = good and len(starts) == len(seeds) + 1 and starts[0] == 0 and starts[-1] == len(parts)
    good = good and bool((np.diff(starts) > 0).all())
    good = good and bool(((parts >= 0) & (parts < len(atoms))).all())
    if good:
        offset, field = atoms.T
        history = (field == -1) & (offset < 0)
        good = bool((history | (field >= 0)).all()) and bool((abs(offset) <= _REACH).all())
    if not good:
        raise ValueError("templates that do not fit together")
    return int(pieces.max()) + 1


def checked_words(
    fields: Any, offsets: Any, gold: Any, sentences: Any, atoms: Any, tags: int
) -> None:
    """Raise ValueError unless the columns are those of the same words and have all fields."""
    fields, offsets, gold = np.asarray(fields), np.asarray(offsets), np.asarray(gold)
    sentences, field = np.asarray(sentences), np.asarray(atoms)[:, 1]
    good = fields.ndim == 2 and fields.shape[1] > int(field.max()) and len(offsets) > 0
    good = good and offsets[0] == 0 and offsets[-1] == len(fields) == len(gold)
    good = good and bool((np.diff(offsets) >= 0).all())
    good = good and bool(((gold >= -1) & (gold < tags)).all())
    good = good and bool(((sentences >= 0) & (sentences < len(offsets) - 1)).all())
    if not good:
        raise ValueError("columns that do not fit together")

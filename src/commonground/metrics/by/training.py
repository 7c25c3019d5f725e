"""Whether a word, the arc above it, or its whole sentence stands in the training data."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.metrics.by.property import Property
from commonground.metrics.settings import Settings

__all__ = ["PROPERTIES"]

_NAMES = ("unseen", "seen")
_UNKNOWN = "–"


def _told(seen: NDArray[np.bool_]) -> Strings:
    return Strings(seen.astype(np.int32), _NAMES)


def _word(corpus: Dependencies, settings: Settings) -> Strings:
    if settings.training is None:
        return Strings.constant(_UNKNOWN, corpus.words.rows)
    return _told(settings.training.words(corpus))


def _arc(corpus: Dependencies, settings: Settings) -> Strings:
    if settings.training is None:
        return Strings.constant(_UNKNOWN, corpus.words.rows)
    return _told(settings.training.arcs(corpus))


def _sentence(corpus: Dependencies, settings: Settings) -> Strings:
    if settings.training is None:
        return Strings.constant(_UNKNOWN, corpus.words.rows)
    return _told(settings.training.whole(corpus)[corpus.words.sentence_of_row()])


_ORDER = (*_NAMES, _UNKNOWN)
_TREES = ("dependencies",)

PROPERTIES = (
    Property("trained-word", "word in training", "words", _TREES, _word, _ORDER),
    Property("trained-arc", "arc in training", "words", _TREES, _arc, _ORDER),
    Property("trained-sentence", "sentence in training", "words", _TREES, _sentence, _ORDER),
)

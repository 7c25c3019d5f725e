"""How far a word is from its head."""

from __future__ import annotations

import numpy as np

from commonground.corpus import Dependencies, Strings
from commonground.metrics.by.property import Property, ranges, with_first
from commonground.metrics.settings import Settings

__all__ = ["PROPERTIES", "STARTS"]

STARTS = (1, 2, 3, 7, 15)
"""Where the ranges of tables and plots begin."""


def _distance(corpus: Dependencies, _: Settings) -> Strings:
    place = corpus.words.row_in_sentence() + 1
    far = ranges(np.abs(place - corpus.head), STARTS)
    rooted = with_first(far, corpus.head == 0, "root")
    missing = corpus.head < 0
    return with_first(rooted, missing, "none") if missing.any() else rooted


PROPERTIES = (
    Property("distance", "distance to the head", "words", ("dependencies",), _distance, "size"),
)

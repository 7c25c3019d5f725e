"""Whether a word stands to the left or to the right of its head."""

from __future__ import annotations

import numpy as np

from commonground.corpus import Dependencies, Strings
from commonground.metrics.by.property import Property
from commonground.metrics.settings import Settings

__all__ = ["PROPERTIES"]

_VALUES = ("root", "left", "right", "none")


def _direction(corpus: Dependencies, _: Settings) -> Strings:
    place = corpus.words.row_in_sentence() + 1
    codes = np.where(corpus.head == 0, 0, np.where(corpus.head > place, 1, 2))
    return Strings(np.where(corpus.head < 0, 3, codes).astype(np.int32), _VALUES)


PROPERTIES = (
    Property("direction", "direction of the arc", "words", ("dependencies",), _direction, _VALUES),
)

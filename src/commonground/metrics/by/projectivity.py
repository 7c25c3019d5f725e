"""Whether the arc to a word is projective: its head dominates all words in between."""

from __future__ import annotations

import numpy as np

from commonground.corpus import Dependencies, Strings
from commonground.corpus.shape import nonprojective_arcs
from commonground.metrics.by.property import Property
from commonground.metrics.settings import Settings

__all__ = ["PROPERTIES"]

_VALUES = ("projective", "non-projective")


def _projectivity(corpus: Dependencies, _: Settings) -> Strings:
    return Strings(nonprojective_arcs(corpus).astype(np.int32), _VALUES)


PROPERTIES = (
    Property(
        "projectivity",
        "projectivity of the arc",
        "words",
        ("dependencies",),
        _projectivity,
        _VALUES,
    ),
)

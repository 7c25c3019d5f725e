"""The contested construction that the edge above a word lies in."""

from __future__ import annotations

from commonground.corpus import Dependencies, Strings
from commonground.metrics.by.property import Property
from commonground.metrics.settings import Settings
from commonground.schemes.structures import structure_names

__all__ = ["PROPERTIES"]


def _construction(corpus: Dependencies, _: Settings) -> Strings:
    """Return the constructions; none where neither Penn tags nor labels of UD tell them."""
    names = structure_names(corpus)
    return Strings.constant("–", corpus.words.rows) if names is None else names


PROPERTIES = (Property("construction", "construction", "words", ("dependencies",), _construction),)

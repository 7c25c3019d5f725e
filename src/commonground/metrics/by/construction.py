"""The contested construction that the edge above a word lies in.

Labels of Universal Dependencies tell it, or Penn tags. A treebank that looks like another scheme
is read in that one first, so that the constructions of its words are known.
"""

from __future__ import annotations

from commonground.corpus import Dependencies, Strings
from commonground.metrics.by.property import Property
from commonground.metrics.settings import Settings
from commonground.schemes.learning.recognition import recognise_scheme_or_none
from commonground.schemes.structures import structure_names
from commonground.schemes.transform import transform

__all__ = ["PROPERTIES"]


def _construction(corpus: Dependencies, _: Settings) -> Strings:
    """Return the constructions; none where neither tags nor labels tell them."""
    scheme = recognise_scheme_or_none(corpus)
    if scheme is not None and scheme.enough and scheme.nearest != "ud":
        corpus = transform(corpus, scheme.nearest, "ud")[0]
    names = structure_names(corpus)
    return Strings.constant("–", corpus.words.rows) if names is None else names


PROPERTIES = (Property("construction", "construction", "words", ("dependencies",), _construction),)

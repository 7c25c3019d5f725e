"""Which node of a pattern a word is: ``pattern:V -[obj]-> N`` tells V, N and all other words apart.

Each side is searched by itself: recall is over the matches of the gold standard, precision over
those of the parse.
"""

from __future__ import annotations

from functools import partial

from commonground.corpus import Dependencies, Strings
from commonground.metrics.by.graph_pieces import pieces_by_pattern
from commonground.metrics.by.property import Property
from commonground.metrics.settings import Settings
from commonground.patterns.nodes import naming_pattern, node_of_word

__all__ = ["PREFIX", "PROPERTIES", "pattern_properties"]

PREFIX = "pattern:"
"""How the name of such a property begins; the rest is the pattern."""

PROPERTIES: tuple[Property, ...] = ()
"""There is one for every pattern, so none can be listed."""


def pattern_properties(name: str) -> tuple[Property, ...]:
    """Return the properties that a name with a pattern stands for: of words, and of pieces.

    >>> [each.title for each in pattern_properties("pattern:deprel=obj")]
    ['node of deprel=obj', 'node of deprel=obj']
    """
    text = name.removeprefix(PREFIX).strip()
    naming_pattern(text)  # what is wrong with it is said before anything is counted
    values = partial(_values, text=text)
    of_words = Property(name, f"node of {text}", "words", ("dependencies",), values)
    return of_words, pieces_by_pattern(name, text)


def _values(corpus: Dependencies, _: Settings, text: str) -> Strings:
    return node_of_word(corpus, text)

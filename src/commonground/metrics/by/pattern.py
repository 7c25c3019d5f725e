"""Which node of a pattern a word is: ``pattern:V -[obj]-> N`` tells V, N and all other words apart.

Each side is searched by itself: recall is over the matches of the gold standard, precision over
those of the parse.
"""

from __future__ import annotations

from functools import partial

from commonground.corpus import Dependencies, Strings
from commonground.metrics.by.property import Property
from commonground.metrics.settings import Settings
from commonground.patterns.nodes import naming_pattern, node_of_word

__all__ = ["PREFIX", "PROPERTIES", "pattern_property"]

PREFIX = "pattern:"
"""How the name of such a property begins; the rest is the pattern."""

PROPERTIES: tuple[Property, ...] = ()
"""There is one for every pattern, so none can be listed."""


def pattern_property(name: str) -> Property:
    """Return the property that a name with a pattern stands for.

    >>> pattern_property("pattern:deprel=obj").title
    'node of deprel=obj'
    """
    text = name.removeprefix(PREFIX).strip()
    naming_pattern(text)  # what is wrong with it is said before anything is counted
    values = partial(_values, text=text)
    return Property(name, f"node of {text}", "words", ("dependencies",), values)


def _values(corpus: Dependencies, _: Settings, text: str) -> Strings:
    return node_of_word(corpus, text)

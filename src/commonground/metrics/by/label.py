"""The labels of words, phrases and nodes."""

from __future__ import annotations

from commonground.corpus import Constituents, Dependencies, Functions, Graphs, Strings
from commonground.corpus.labels import split_label
from commonground.metrics.by.property import Property
from commonground.metrics.settings import Settings

__all__ = ["PROPERTIES"]

_EMPTY = "(empty)"
"""The outer bracket of the Penn Treebank, which counts for evalb."""


def _of_words(corpus: Dependencies, settings: Settings) -> Strings:
    return corpus.deprel.map(settings.label)


def _of_phrases(corpus: Constituents, _: Settings) -> Strings:
    return corpus.label.map(lambda label: split_label(label).category or _EMPTY)


def _of_nodes(corpus: Functions, settings: Settings) -> Strings:
    return corpus.label.map(settings.label)


def _of_pieces(corpus: Graphs, _: Settings) -> Strings:
    return corpus.tables["pieces"].strings("label")


def _component(corpus: Graphs, _: Settings) -> Strings:
    return corpus.tables["pieces"].strings("component")


PROPERTIES = (
    Property("deprel", "label", "words", ("dependencies",), _of_words),
    Property("label", "label", "words", ("dependencies",), _of_words),
    Property("label", "label", "nodes", ("constituents",), _of_phrases),
    Property("label", "label", "nodes", ("functions",), _of_nodes),
    Property("label", "label", "pieces", ("graphs",), _of_pieces),
    Property("component", "component", "pieces", ("graphs",), _component),
)

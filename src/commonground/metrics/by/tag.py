"""The parts of speech of words."""

from __future__ import annotations

from commonground.metrics.by.property import Property

__all__ = ["PROPERTIES"]

PROPERTIES = (
    Property("upos", "part of speech", "words", ("dependencies",), lambda corpus, _: corpus.upos),
    Property("xpos", "tag", "words", ("dependencies",), lambda corpus, _: corpus.xpos),
)

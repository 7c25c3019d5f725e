"""The sentence of an item, how long it is, and its document."""

from __future__ import annotations

from commonground.corpus import Corpus, Strings
from commonground.corpus.documents import documents
from commonground.metrics.by.property import Property, ranges
from commonground.metrics.settings import Settings

__all__ = ["PROPERTIES", "STARTS"]

STARTS = (1, 11, 21, 31, 41, 51)
"""Where the ranges of tables and plots begin."""


def _length(corpus: Corpus, _: Settings) -> Strings:
    words = corpus.tables.get("words") or corpus.tables["source_words"]  # of a pair, the source
    return ranges(words.lengths, STARTS)


def _document(corpus: Corpus, _: Settings) -> Strings:
    names = documents(corpus)
    return Strings.constant("–", len(corpus)) if names is None else names


PROPERTIES = (
    Property("sentence", "sentence", "sentences", (), lambda corpus, _: corpus.sent_id, "corpus"),
    Property("document", "document", "sentences", (), _document, "corpus"),
    Property("sentence-length", "length of the sentence", "sentences", (), _length, "size"),
)

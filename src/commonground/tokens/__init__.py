"""Lines up two tokenisations of the same text."""

from commonground.tokens.alignment import WordAlignment, align_words
from commonground.tokens.spans import Spans, spans_of

__all__ = ["Spans", "WordAlignment", "align_words", "spans_of"]

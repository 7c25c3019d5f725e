"""Lines up two tokenisations of the same text."""

from commonground.tokens.alignment import WordAlignment, align_words
from commonground.tokens.spans import Spans, spans_of
from commonground.tokens.spelling import meant, spelled_out

__all__ = ["Spans", "WordAlignment", "align_words", "meant", "spans_of", "spelled_out"]

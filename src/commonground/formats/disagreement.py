"""One thing that annotators of the same text see differently, and the answers that it can have."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

__all__ = [
    "ARC",
    "COMMENTS",
    "ENDS",
    "LINE",
    "SENTENCES",
    "WORDS",
    "Choice",
    "Choose",
    "Disagreement",
    "unfit",
]

COMMENTS, LINE, WORDS, SENTENCES, ENDS = "COMMENTS", "LINE", "WORDS", "SENTENCES", "LINE ENDS"
WHOLE = (COMMENTS, LINE, WORDS, SENTENCES, ENDS)
"""Questions that only the name of an annotator answers."""

ARC = "HEAD:DEPREL"
_SPACED = ("FORM", "LEMMA")
_EDGES = re.compile(r"_|\d+(\.\d+)?:[^|\s]+(\|\d+(\.\d+)?:[^|\s]+)*")


@dataclass(frozen=True)
class Disagreement:
    """One thing that annotators see differently, with the value of each of them.

    `word` is the ID of a word, token or empty node; "" where it is about a sentence or the file.
    """

    sentence: str
    word: str
    form: str
    column: str
    values: tuple[str, ...]

    @cached_property
    def key(self) -> str:
        """A name of its own, in letters only: spreadsheets take anything else for numbers."""
        text = "\x1f".join([self.sentence, self.word, self.column, *self.values])
        digest = hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()
        return "".join(chr(ord("a") + byte % 26) for byte in digest[:12])

    @property
    def whole(self) -> bool:
        """Whether only the name of an annotator can be the answer."""
        return self.column in WHOLE

    def majority(self) -> int | None:
        """Return the first annotator with the value that more than half of them have."""
        value, votes = Counter(self.values).most_common(1)[0]
        return self.values.index(value) if 2 * votes > len(self.values) else None


@dataclass(frozen=True, slots=True)
class Choice:
    """The answer to a disagreement: the place of an annotator, or a value of its own."""

    annotator: int = -1
    value: str = ""


Choose = Callable[[Disagreement], Choice]
"""Whatever answers questions."""


def unfit(question: Disagreement, value: str) -> str:
    """Return why a value of one's own does not answer a question; nothing where it does.

    >>> question = Disagreement("s1", "4", "it", "HEAD:DEPREL", ("3:obj", "5:nsubj"))
    >>> unfit(question, "nsubj")
    "'nsubj' is no arc; a head and a label are, as in 3:nsubj"
    """
    column = question.column
    number, colon, label = value.partition(":")
    spaced = any(character.isspace() for character in value) and column not in _SPACED
    checks = (
        (question.whole, f"{column} is decided for an annotator, not by another value"),
        (not value or spaced, f"{value!r} has white space, or nothing, in it"),
        (column == "HEAD" and not number.isdigit(), f"{value!r} is no head; a word's number is"),
        (
            column == ARC and not (number.isdigit() and colon and label),
            f"{value!r} is no arc; a head and a label are, as in 3:nsubj",
        ),
        (column == "DEPREL" and number.isdigit() and not label, f"{value!r} is no label"),
        (
            column == "DEPS" and not _EDGES.fullmatch(value),
            f"{value!r} are no enhanced arcs; 3:nsubj|5:nsubj are, or _",
        ),
        (
            column.startswith(("FEATS ", "MISC ")) and "|" in value,
            f"{value!r} are several entries; this is about {column.partition(' ')[2]}",
        ),
    )
    return next((why for wrong, why in checks if wrong), "")

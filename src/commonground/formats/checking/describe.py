"""What is in a file: its format, the summary of its content, some of its sentences."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from heapq import nsmallest
from operator import itemgetter
from random import Random
from typing import Any

from commonground.corpus import Corpus
from commonground.corpus.summary import Summary, lowest, summary
from commonground.formats.format import FormatOptions
from commonground.formats.storage.chunks import SMALL, chunks, read_each
from commonground.formats.storage.files import shown

__all__ = ["Description", "FormatExample", "describe"]


@dataclass(frozen=True, slots=True)
class FormatExample:
    """A sentence: its sent_id, the line where it begins, and its text."""

    sent_id: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Description:
    """What is in a file; `further` is what a function that was given said about it."""

    path: str
    format: str
    summary: Summary
    examples: tuple[FormatExample, ...]
    further: Any = None

    def as_dict(self) -> dict[str, Any]:
        """Return the description as JSON has it."""
        examples = [
            {"sent_id": example.sent_id, "line": example.line, "text": example.text}
            for example in self.examples
        ]
        return {
            "file": self.path,
            "format": self.format,
            **self.summary.as_dict(),
            "sample": examples,
        }


def describe(
    path: str | os.PathLike[str],
    format: str | None = None,  # the name that all readers use
    *,
    partial: bool = False,
    examples: int = 1,
    seed: int = 0,
    further: Callable[[Corpus], Any] = lambda _: None,
) -> Description:
    """Describe what is in a file, with a random sample of its sentences.

    `format` and `partial` are as in :func:`commonground.read`. A large file is read in pieces:
    `further` is called with the corpus of each, and what it returns of them is added up.
    """
    pieces = read_each(chunks(path, format, SMALL), FormatOptions(partial, parts=True))
    piece, corpus = next(pieces)
    sample = _Sample(examples, seed)
    sample.add(corpus)
    total, more = summary(corpus), further(corpus)
    for _, corpus in pieces:
        sample.add(corpus)
        total, more = total + summary(corpus), _sum(more, further(corpus))
    return Description(shown(path), piece.format, total, sample.sentences, more)


def _sum(one: Any, other: Any) -> Any:
    return one if other is None else one + other


class _Sample:
    """Some sentences of a file drawn at random, in whatever pieces they come."""

    def __init__(self, most: int, seed: int) -> None:
        self._most, self._random = most, Random(seed)  # noqa: S311  # no secret
        self._drawn: list[tuple[float, int, FormatExample]] = []
        self._seen = 0

    def add(self, corpus: Corpus) -> None:
        """Draw from some more sentences."""
        for number, place in lowest(self._random, len(corpus), self._most):
            sentence = corpus[place]
            example = FormatExample(sentence.sent_id, sentence.line, sentence.text)
            self._drawn.append((number, self._seen + place, example))
        self._drawn = nsmallest(self._most, self._drawn, key=itemgetter(0))
        self._seen += len(corpus)

    @property
    def sentences(self) -> tuple[FormatExample, ...]:
        """What was drawn, in the order of the file."""
        return tuple(example for _, _, example in sorted(self._drawn, key=itemgetter(1)))

"""What is in a file: its format, the summary of its content, some of its sentences."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from commonground.corpus import Corpus
from commonground.corpus.summary import Summary, sample, summary
from commonground.formats.format import FormatOptions
from commonground.formats.registry import detect, find_format
from commonground.formats.storage.encodings import or_guessed
from commonground.formats.storage.files import read_bytes, shown

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

    `format` and `partial` are as in :func:`commonground.read`; `further` is called with the corpus.
    """
    data = read_bytes(path)
    entry = find_format(format) if format else detect(data, os.fspath(path))
    corpus = or_guessed(entry.read, data, shown(path), 1, FormatOptions(partial, parts=True))
    drawn = tuple(
        FormatExample(sentence.sent_id, sentence.line, sentence.text)
        for sentence in sample(corpus, examples, seed)
    )
    return Description(shown(path), entry.name, summary(corpus), drawn, further(corpus))

r"""Plain text that is cut into words: a sentence a line, spaces between the words.

There are no trees in it, so that it is read only where words need no heads; ``parse`` gives them
some. Blank lines say nothing. Nothing in a text tells that it is one: it is what the suffix
``.txt`` means where no other format is recognised.

>>> from commonground.formats import read_text
>>> corpus = read_text("Birds sing .\n\nFish swim .\n", "text", partial=True)
>>> corpus
Dependencies(6 words, 2 sentences)
>>> corpus.form[:3].tolist(), corpus.head[:3].tolist()
(['Birds', 'sing', '.'], [-1, -1, -1])
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.errors import Problem, quoted, setting
from commonground.formats.format import Format, FormatOptions, line_cut
from commonground.formats.notation.line_reader import (
    problems_among,
    sound,
    split_at_spaces,
    text_lines,
)

__all__ = ["FORMAT"]

_SPACES = np.frombuffer(b" \t\n", np.uint8)


def _find(data: bytes, options: FormatOptions) -> Iterator[tuple[int, list[str]] | Problem]:
    """Find the words of each line that has some, with its place, and what is wrong."""
    lines, wrong = text_lines(data)
    yield from wrong
    if not options.partial:
        other = f"name the format that it is in ({setting('format')})"
        yield Problem(1, f"plain text has no heads; parse it, or {other}")
    for place, line in enumerate(lines):
        words = split_at_spaces(line)
        for word in filter(str.isspace, words):
            message = f"{quoted(word)} between spaces is white space, and no word"
            yield Problem(place + 1, message)
        if words:
            yield place, words


def read(data: bytes, path: str, line: int, options: FormatOptions) -> Dependencies:
    """Read a whole file."""
    sentences = sound(_find(data, options), path, line)
    none = [(words, [-1] * len(words), ["_"] * len(words)) for _, words in sentences]
    lines = np.array([line + place for place, _ in sentences], np.int64)
    return Dependencies({"words": Dependencies.of(none).words}, path=path, lines=lines)


def problems(data: bytes, options: FormatOptions) -> Iterator[Problem]:
    """Find everything that is wrong with the lines of a file."""
    return problems_among(_find(data, options))


def ends(block: bytes | memoryview) -> NDArray[np.int64]:
    r"""Return the places after the lines that have words.

    >>> ends(b"\na b\n \nc\n").tolist()
    [5, 9]
    """
    content = np.frombuffer(block, np.uint8)
    after = np.flatnonzero(content == ord("\n")) + 1
    seen = np.concatenate([[0], np.cumsum(~np.isin(content, _SPACES))])
    return after[np.diff(seen[after], prepend=0) > 0]


FORMAT = Format(
    name="text",
    title="plain text (a sentence a line, spaces between the words)",
    corpus=Dependencies,
    looks_like=lambda _: 0.0,
    read=read,
    problems=problems,
    cut=line_cut,
    ends=ends,
    aliases=("txt", "words"),
)

"""What the lines of a CoNLL file can say: which columns there are, and what IDs and heads mean."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

__all__ = [
    "BAD",
    "EMPTY",
    "MOST_COLUMNS",
    "NUMERIC",
    "TOKEN",
    "WORD",
    "Layout",
    "parse_head",
    "parse_id",
]

WORD, TOKEN, EMPTY, BAD = range(4)
"""The kinds of lines: a word, a multiword token, an empty node, none of these."""

NUMERIC = ("head", "phead")
"""The columns that are numbers."""

MOST_COLUMNS = 64
"""More columns than any treebank has; the compiled kernel has room for so many."""

_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_RANGE = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_DECIMAL = re.compile(r"(0|[1-9][0-9]{0,8})\.([1-9][0-9]{0,8})")


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a format: their names in the format's own words, and in the corpus.

    `specials` tells whether there are multiword tokens (``1-2``) and empty nodes (``1.1``), and
    `comments` whether there are comments; what a format does not have is not written. With `tail`
    the last column is the rest of the line, and may be absent. Without a column ``id`` words are
    numbered by their place, and no line is a comment. Lines may end after the column `least`, if
    that is not 0. `instead` names, for columns that a corpus from another format lacks, those to
    write in their place.
    """

    titles: tuple[str, ...]
    columns: tuple[str, ...]
    specials: bool = False
    comments: bool = False
    tail: bool = False
    least: int = 0
    instead: Mapping[str, str] = field(default_factory=dict)


@lru_cache(maxsize=1 << 14)
def parse_id(text: str) -> tuple[int, int, int]:
    """Return what an ID says: the kind of line, and its two numbers.

    >>> parse_id("7"), parse_id("3-4"), parse_id("5.1"), parse_id("x")
    ((0, 7, 0), (1, 3, 4), (2, 5, 1), (3, 0, 0))
    """
    if _NUMBER.fullmatch(text):
        return (WORD, int(text), 0)
    if match := _RANGE.fullmatch(text):
        return (TOKEN, int(match[1]), int(match[2]))
    if match := _DECIMAL.fullmatch(text):
        return (EMPTY, int(match[1]), int(match[2]))
    return (BAD, 0, 0)


def parse_head(text: str, column: str = "head") -> int:
    """Return what a HEAD says: its number, -1 for ``_``, -2 for what is none.

    MSTParser writes ``-`` where it has no PHEAD.

    >>> parse_head("12"), parse_head("_"), parse_head("01"), parse_head("-", "phead")
    (12, -1, -2, -1)
    """
    if text == "_" or (text == "-" and column == "phead"):
        return -1
    return int(text) if _NUMBER.fullmatch(text) else -2

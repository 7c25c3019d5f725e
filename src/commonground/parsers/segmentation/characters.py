r"""The characters of a text as rows with fields.

Every character that is not white space is a row, and so is every stretch of white space. Two or
more newlines in a stretch end a paragraph, and nothing that is learned looks across. A chunk is
what stands between white space: in most scripts a word with its punctuation.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.raw_text import is_space
from commonground.parsers.atoms import Atoms, atom

__all__ = ["FIELDS", "Characters", "Lexicon", "characters", "fields_of"]

Places = NDArray[np.int64]

FIELDS = "c k p q u l e m x y g b"
"""The character, its kind; the chunk up to here, from here on, and what kind of chunk it is; how
long the known words are that begin here, end here, and the longest one that goes across; for white
space the chunks before and after it; whether it is a letter, a digit, punctuation, …; and the same
with brackets and quotes by the side that they stand on, since what holds for ) holds for »."""

LONGEST = 16
"""Known words are looked for up to so many characters."""

_CHUNK = 40
"""Longer chunks (of scripts without spaces) are not looked at as wholes."""


@dataclass(frozen=True, slots=True)
class Characters:
    """The rows of a text.

    Each has its `place` in the text (there is one more at the end) and its character; some are
    white space. Paragraphs are rows from the first to before the second number.
    """

    text: str
    place: Places
    codes: NDArray[np.uint64]
    space: NDArray[np.bool_]
    paragraphs: list[tuple[int, int]]


def characters(text: str) -> Characters:
    r"""Return the rows of a text.

    >>> rows = characters("Oh!  No\n\nYes")
    >>> rows.place.tolist(), rows.paragraphs
    ([0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 12], [(0, 6), (7, 10)])
    """
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    distinct, inverse = np.unique(points, return_inverse=True)
    blank = np.array([is_space(chr(point)) for point in distinct.tolist()] or [False], np.bool_)
    space = blank[inverse] if len(points) else np.empty(0, np.bool_)
    kept = ~space
    kept[:1] = True
    kept[1:] |= space[1:] & ~space[:-1]
    place = np.flatnonzero(kept)
    is_blank = space[place]
    codes = np.where(is_blank, 32, points[place]).astype(np.uint64)
    lines = np.concatenate([[0], np.cumsum(points == ord("\n"))])
    ends = np.append(place[1:], len(points))
    breaks = np.flatnonzero(is_blank & (lines[ends] - lines[place] > 1)).tolist()
    edges = [-1, *breaks, len(place)]
    paragraphs = [(a + 1, b) for a, b in pairwise(edges) if a + 1 < b]
    return Characters(text, np.append(place, len(points)), codes, is_blank, paragraphs)


# ── known words ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Tokens that were seen in training, as sorted hashes for each length."""

    words: tuple[str, ...]
    hashes: tuple[Atoms, ...]

    @classmethod
    def of(cls, words: Iterable[str]) -> Lexicon:
        """Make a lexicon; words that are too long are left out."""
        kept = tuple(sorted({word for word in words if 1 < len(word) <= LONGEST}))
        by_length: list[list[int]] = [[] for _ in range(LONGEST + 1)]
        for word in kept:
            points = np.array([[ord(character)] for character in word], np.uint64)
            by_length[len(word)].append(int(_rolled(points)[-1][0]))
        return cls(kept, tuple(np.array(sorted(each), np.uint64) for each in by_length))

    @classmethod
    def seen(cls, tokens: Iterable[str], least: int = 2) -> Lexicon:
        """Make a lexicon of the tokens that were seen several times.

        One that was seen once is known only where it was learned from, and nowhere else.
        """
        counts = Counter(tokens)
        return cls.of(token for token, count in counts.items() if count >= least)

    def matches(self, codes: NDArray[np.uint64]) -> Atoms:
        """Return the known words that begin at each row, that end there, and that go across.

        The first two are their lengths, as bits, the third is the length of the longest one.
        """
        flags = np.zeros((len(codes), 3), np.uint64)
        rolled = np.zeros(len(codes), np.uint64)
        across = np.zeros(len(codes), np.uint64)
        for length in range(1, min(LONGEST, len(codes)) + 1):
            count = len(codes) - length + 1
            rolled = _combined(rolled[:count], codes[length - 1 :])
            known = self.hashes[length]
            if not len(known):
                continue
            near = np.minimum(np.searchsorted(known, rolled), len(known) - 1)
            at = np.flatnonzero(known[near] == rolled)
            bit = np.uint64(1 << length)
            flags[at, 0] |= bit
            flags[at + length - 1, 1] |= bit
            for inside in range(1, length - 1):
                across[at + inside] = length
        flags[:, 2] = across
        return flags


def _combined(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the numbers of pairs, as ``kernels.perceptron.combined`` does, for whole columns."""
    prime = np.uint64(0x9E3779B97F4A7C15)
    with np.errstate(over="ignore"):
        mixed = ((one * prime) ^ other) * prime
    return (mixed >> np.uint64(29)) | (mixed << np.uint64(35))


def _rolled(points: NDArray[np.uint64]) -> list[NDArray[np.uint64]]:
    rolled = [np.zeros(1, np.uint64)]
    for point in points:
        rolled.append(_combined(rolled[-1], point))
    return rolled


# ── fields ───────────────────────────────────────────────────────────────────────────────────────


def fields_of(rows: Characters, lexicon: Lexicon) -> Atoms:
    """Return the fields of each row."""
    fields = np.zeros((len(rows.codes), len(FIELDS.split())), np.uint64)
    distinct, inverse = np.unique(rows.codes, return_inverse=True)
    kinds = np.array([atom(_kind(int(code))) for code in distinct.tolist()] or [0], np.uint64)
    fields[:, 0] = rows.codes + np.uint64(1)
    fields[:, 1] = kinds[inverse] if len(rows.codes) else 0
    classes = np.array([ord(_kind(int(code))[0]) for code in distinct.tolist()] or [0], np.uint64)
    fields[:, 10] = classes[inverse] if len(rows.codes) else 0
    sides = np.array([_side(int(code)) for code in distinct.tolist()] or [0], np.uint64)
    fields[:, 11] = sides[inverse] if len(rows.codes) else 0
    _chunk_fields(rows, fields)
    fields[:, 5:8] = lexicon.matches(rows.codes)
    return fields


@lru_cache(maxsize=1 << 16)
def _kind(point: int) -> str:
    """Return what kind of character it is: its category, and its script for letters.

    >>> _kind(ord("a")), _kind(ord("語")), _kind(ord("."))
    ('Ll LATIN', 'Lo CJK', 'Po')
    """
    character = chr(point)
    category = unicodedata.category(character)
    if category[0] != "L":
        return category
    return f"{category} {unicodedata.name(character, '?').split()[0]}"


_SIDES = {"Ps": 1, "Pi": 1, "Pe": 2, "Pf": 2}


def _side(point: int) -> int:
    """Return whether a character opens (1) or closes (2) something, or else what class it is of.

    >>> _side(ord("(")) == _side(ord("«")), _side(ord(")")) == _side(ord("»"))
    (True, True)
    """
    category = unicodedata.category(chr(point))
    return _SIDES.get(category, ord(category[0]))


def _chunk_fields(rows: Characters, fields: Atoms) -> None:
    """Fill in what chunks tell about their characters and about the space between them."""
    breaks = np.flatnonzero(rows.space)
    starts = np.concatenate([[0], breaks + 1])
    stops = np.append(breaks, len(rows.codes))
    text, place = rows.text, rows.place
    parts, names = [], []
    empty = np.zeros((1, 3), np.uint64)
    at = place.tolist()
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        if stop - start > _CHUNK:
            parts.append(np.zeros((stop - start, 3), np.uint64))
            names.append(0)
        elif stop > start:
            numbers, name = _chunk(text[at[start] : at[start] + stop - start])
            parts.append(numbers)
            names.append(name)
        else:
            names.append(0)
        parts.append(empty)
    fields[:, 2:5] = np.concatenate(parts)[: len(fields)] if len(fields) else 0
    number = np.array(names, np.uint64)
    fields[breaks, 8], fields[breaks, 9] = number[:-1], number[1:]


@lru_cache(maxsize=1 << 16)
def _chunk(chunk: str) -> tuple[Atoms, int]:
    """Return the fields that a chunk gives its characters, and its own number."""
    lower = chunk.lower() if len(chunk.lower()) == len(chunk) else chunk
    kind = _chunk_kind(lower)
    numbers = [
        (
            atom(lower[: place + 1]),
            atom(lower[place:]),
            atom(f"{kind} {min(place, 3)} {min(len(chunk) - place, 3)}"),
        )
        for place in range(len(chunk))
    ]
    return np.array(numbers, np.uint64), atom(lower)


def _chunk_kind(chunk: str) -> str:
    """Return what kind of chunk it is, as far as single characters do not tell it.

    >>> _chunk_kind("http://a.org"), _chunk_kind("a@b.org"), _chunk_kind("3,0"), _chunk_kind("u.s.")
    ('url', 'mail', 'number', 'points')
    """
    if "://" in chunk or chunk.startswith("www."):
        return "url"
    if "@" in chunk[1:]:
        return "mail"
    if chunk[:1].isdigit():
        return "number"
    if "/" in chunk:
        return "path"
    return "points" if "." in chunk.rstrip(".") else ""

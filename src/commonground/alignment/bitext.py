r"""Sentence pairs: the words of a text and those of its translation.

They come from two files with as many sentences each (treebanks, or plain text with a sentence a
line and spaces between the words), or from one file with a pair a line: source, tab, target.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Alignments, Corpus, Dependencies, Strings, Table
from commonground.corpus.table import offsets_of
from commonground.errors import InputError, UsageError, quoted
from commonground.formats import detect, find_format
from commonground.formats.format import FormatOptions
from commonground.formats.notation.line_reader import split_at_spaces, text_lines
from commonground.formats.storage.files import read_bytes, shown
from commonground.plurals import number_of

__all__ = ["Bitext", "bitext_of", "read_bitext", "read_links", "read_words"]

TEXT = "text"
"""The name of plain text among the formats."""

_PLAIN = 0.5
"""What looks less than this like a treebank is plain text."""


@dataclass(frozen=True, slots=True)
class Bitext:
    """Sentence pairs: the words (``form``) of both sides, cut into as many sentences.

    >>> pair = Bitext.of([(["the", "birds"], ["die", "Vögel"])])
    >>> len(pair), pair.source.rows, pair.target.strings("form").tolist()
    (1, 2, ['die', 'Vögel'])
    """

    source: Table
    target: Table

    def __post_init__(self) -> None:
        if self.source.sentences != self.target.sentences:
            raise UsageError(
                f"{self.source.sentences:,} source sentences, but {self.target.sentences:,} target "
                "sentences; the sentences of a pair have the same number"
            )

    @classmethod
    def of(cls, pairs: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Bitext:
        """Make sentence pairs of lists of words."""
        both = list(pairs)
        return cls(*(_words([pair[side] for pair in both]) for side in (0, 1)))

    def __len__(self) -> int:
        return self.source.sentences

    @property
    def with_empty_side(self) -> NDArray[np.bool_]:
        """Which pairs have no word on one side."""
        return np.asarray((self.source.lengths == 0) | (self.target.lengths == 0))


def _words(sentences: Sequence[Sequence[str]]) -> Table:
    forms = Strings.of(word for sentence in sentences for word in sentence)
    return Table(offsets_of([len(sentence) for sentence in sentences]), form=forms)


def bitext_of(source: Corpus, target: Corpus) -> Bitext:
    """Return the words of two treebanks as sentence pairs."""
    return Bitext(_words_of(source, "the source"), _words_of(target, "the target"))


def _words_of(corpus: Corpus, what: str) -> Table:
    words = corpus.tables.get("words")
    if words is None:
        raise UsageError(f"{what} has {corpus.kind}, which are not divided into words")
    return Table(words.offsets, form=words.strings("form"))


def read_bitext(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str] | None = None,
    format: str | None = None,
) -> Bitext:
    """Read sentence pairs from two files, or from one with a tab between the sides of a pair.

    `format` is ``text`` or that of treebanks; without it, the content tells.
    """
    if target is None:
        return _pairs(source)
    one, two = _side(source, format), _side(target, format)
    if one.sentences != two.sentences:
        raise InputError(
            shown(target),
            0,
            f"{number_of(two.sentences, 'sentence')}, but {shown(source)} has {one.sentences:,}; "
            "the two sentences of a pair must have the same position in both files",
        )
    return Bitext(one, two)


def read_words(path: str | os.PathLike[str]) -> Corpus:
    """Read a treebank, or plain text (a sentence a line) as one whose words have no heads."""
    data = read_bytes(path)
    if not _is_plain(data, os.fspath(path)):
        entry = detect(data, os.fspath(path))
        return entry.read(data, shown(path), 1, FormatOptions(partial=True))
    sentences = [split_at_spaces(line) for line in _lines(data, path)]
    none = [(words, [-1] * len(words), ["_"] * len(words)) for words in sentences]
    lines = np.arange(1, len(sentences) + 1)
    return Dependencies({"words": Dependencies.of(none).words}, path=shown(path), lines=lines)


def read_links(path: str | os.PathLike[str]) -> Alignments:
    """Read a word alignment; a file that nothing else is known of is in the format Pharaoh.

    So lines without links are pairs without links, even where there are no other lines.
    """
    data = read_bytes(path)
    plain = _is_plain(data, os.fspath(path))
    entry = find_format("pharaoh") if plain else detect(data, os.fspath(path))
    links = entry.read(data, shown(path), 1, FormatOptions())
    if not isinstance(links, Alignments):
        raise UsageError(f"{shown(path)} has {links.kind}, not word alignments")
    return links


def _side(path: str | os.PathLike[str], format: str | None) -> Table:
    data = read_bytes(path)
    if format == TEXT or (format is None and _is_plain(data, os.fspath(path))):
        return _words([split_at_spaces(line) for line in _lines(data, path)])
    entry = find_format(format) if format else detect(data, os.fspath(path))
    return _words_of(entry.read(data, shown(path), 1, FormatOptions(partial=True)), shown(path))


def _is_plain(data: bytes, path: str) -> bool:
    """Tell whether a file is in no format of treebanks."""
    try:
        entry = detect(data, path)
    except InputError:
        return True
    return entry.looks_like(data[: 1 << 16].decode("utf-8", "replace")) < _PLAIN


def _lines(data: bytes, path: str | os.PathLike[str]) -> list[str]:
    lines, wrong = text_lines(data)
    if wrong:
        raise InputError(shown(path), wrong[0].line, wrong[0].message)
    if not lines[-1]:  # what follows the last newline
        lines.pop()
    return lines


def _pairs(path: str | os.PathLike[str]) -> Bitext:
    pairs = []
    for number, line in enumerate(_lines(read_bytes(path), path), 1):
        sides = line.split("\t")
        if len(sides) != 2:
            expected = "source, one tab and target are expected, or two files"
            raise InputError(shown(path), number, f"{quoted(line)}; {expected}")
        pairs.append((split_at_spaces(sides[0]), split_at_spaces(sides[1])))
    return Bitext.of(pairs)

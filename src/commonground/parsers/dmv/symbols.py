"""Sentences as sequences of symbols: tags, or frequent words instead of their tags.

As for WSJ10, punctuation is left out; it is put back beside its neighbour where a whole tree is
wanted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.errors import UsageError, setting
from commonground.plurals import number_of
from commonground.schemes.structures import punctuation

__all__ = [
    "COLUMNS",
    "Alphabet",
    "Symbols",
    "alphabet_of",
    "heads_with_punctuation",
    "tag_column",
    "tags_in",
]

Rows = NDArray[np.int64]

COLUMNS = ("xpos", "upos")
"""The columns that have tags; the treebank's own ones come first."""


@dataclass(frozen=True)
class Alphabet:
    """How words become symbols: their tag in a `column`, or ``word/TAG`` for frequent words.

    `words` are the symbols of frequent words; an alphabet without any is not lexicalised.
    """

    column: str = "xpos"
    words: frozenset[str] = frozenset()

    def symbols(self, corpus: Dependencies) -> list[str]:
        """Return the symbol of each word."""
        tags = corpus.words.strings(self.column).tolist()
        if not self.words:
            return tags
        lexical = (f"{form.lower()}/{tag}" for form, tag in zip(corpus.form, tags, strict=True))
        return [
            word if word in self.words else tag for word, tag in zip(lexical, tags, strict=True)
        ]


def alphabet_of(corpus: Dependencies, column: str = "", frequent: int = 0) -> Alphabet:
    """Return the alphabet of a corpus; words seen `frequent` times or more stand for themselves.

    Without a `column`, it is the treebank's own tags where there are any, else the universal ones.
    """
    plain = Alphabet(column or tag_column(corpus))
    if not frequent:
        return plain
    tags = plain.symbols(corpus)
    seen = Counter(f"{form.lower()}/{tag}" for form, tag in zip(corpus.form, tags, strict=True))
    return Alphabet(plain.column, frozenset(w for w, number in seen.items() if number >= frequent))


def tags_in(corpus: Dependencies) -> str:
    """Return the column that has the tags, nothing if none has."""
    for column in COLUMNS:
        if corpus.words.strings(column).where(lambda tag: tag not in ("", "_")).any():
            return column
    return ""


def tag_column(corpus: Dependencies) -> str:
    """Return the column that has the tags."""
    if column := tags_in(corpus):
        return column
    raise UsageError("the treebank has no tags; commonground tag writes them")


@dataclass(frozen=True)
class Symbols:
    """Sentences of symbols: `codes` of `tags`, sentences between `offsets`.

    `rows` are the words of the corpus that they stand for; `sentences` the sentences that are not
    empty without punctuation (and not too long).
    """

    tags: tuple[str, ...]
    codes: NDArray[np.int32]
    offsets: Rows
    rows: Rows
    sentences: Rows

    @property
    def lengths(self) -> Rows:
        """How many symbols each sentence has."""
        return np.diff(self.offsets)

    @classmethod
    def of(
        cls,
        corpus: Dependencies,
        alphabet: Alphabet,
        known: Iterable[str] | None = None,
        longest: int | None = None,
    ) -> Symbols:
        """Return the symbols of a corpus, of sentences of at most `longest` words.

        Without `known` tags, those of the corpus are taken, in alphabetical order. What is not
        known has the code of nothing, which is the number of the known ones.
        """
        kept = ~punctuation(corpus)
        sentence = corpus.words.sentence_of_row()
        lengths = np.bincount(sentence[kept], minlength=len(corpus))
        chosen = (lengths > 0) & (lengths <= (longest or lengths.max(initial=0)))
        rows = np.flatnonzero(kept & chosen[sentence])
        texts = alphabet.symbols(corpus)
        symbols = Strings.of(texts[row] for row in rows.tolist())
        if known is None:
            _refuse_missing(symbols, alphabet.column)
            known = sorted(symbols.vocabulary)
        tags = tuple(known)
        codes = _codes(symbols, {tag: code for code, tag in enumerate(tags)})
        offsets = np.concatenate([[0], np.cumsum(lengths[chosen])]).astype(np.int64)
        return cls(tags, codes, offsets, rows, np.flatnonzero(chosen))

    def shorter(self, longest: int) -> Symbols:
        """Return only the sentences of at most so many symbols."""
        keep = self.lengths <= longest
        word = np.repeat(keep, self.lengths)
        offsets = np.concatenate([[0], np.cumsum(self.lengths[keep])]).astype(np.int64)
        return Symbols(self.tags, self.codes[word], offsets, self.rows[word], self.sentences[keep])


def _refuse_missing(symbols: Strings, column: str) -> None:
    missing = int(symbols.where(lambda tag: tag in ("", "_")).sum())
    if missing:
        raise UsageError(
            f"{number_of(missing, 'word has', 'words have')} no tag in the column {column}; "
            f"another {setting('tag_column')} may have them, or commonground tag writes them"
        )
    if not len(symbols):
        raise UsageError("no sentence is left: all are too long, or only punctuation")


def _codes(symbols: Strings, codes: Mapping[str, int]) -> NDArray[np.int32]:
    return symbols.values(lambda tag: codes.get(tag, len(codes))).astype(np.int32)


def heads_with_punctuation(
    corpus: Dependencies, rows: Rows, heads: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Return a head for every word, given those of the words at some rows, among these.

    Heads are counted from 1 within the words of the sentence that are there. Every other word hangs
    on its neighbour: the nearest word before it that has a head, else the nearest one after it.
    Where a sentence has none, its first word is the root and has the others below it.

    >>> corpus = Dependencies.of([(["(", "Yes", "!", ")"], [0] * 4, [""] * 4)])
    >>> heads_with_punctuation(corpus, np.array([1]), np.array([0], np.int32)).tolist()
    [2, 0, 2, 2]
    """
    sentence, first = corpus.words.sentence_of_row(), corpus.offsets[:-1]
    every_head = np.full(corpus.words.rows, -1, np.int32)
    begin = np.searchsorted(rows, first)
    place = rows - first[sentence[rows]] + 1
    inner = np.where(heads > 0, begin[sentence[rows]] + heads - 1, 0)
    every_head[rows] = np.where(heads > 0, place[inner], 0) if len(rows) else 0
    for row in np.flatnonzero(every_head < 0).tolist():
        here = int(sentence[row])
        every_head[row] = _neighbour(row, here, corpus.offsets, rows, begin) - first[here] + 1
    return every_head


def _neighbour(row: int, sentence: int, offsets: Rows, rows: Rows, begin: Rows) -> int:
    """Return the row that a word hangs on; one before its sentence where it is the root itself."""
    start, stop = int(offsets[sentence]), int(offsets[sentence + 1])
    at = int(np.searchsorted(rows, row))
    if at > begin[sentence]:
        return int(rows[at - 1])
    if at < len(rows) and rows[at] < stop:
        return int(rows[at])
    return start - 1 if row == start else start

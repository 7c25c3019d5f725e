"""What is known of each word and its arc, as columns of numbers with names.

Questions about words (:mod:`commonground.proofreading.shares`) are asked in terms of these columns,
and answered with their texts: ``upos=NOUN``, ``head.upos=VERB``, ``direction=left``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings

__all__ = ["ArcColumns", "Column", "combined"]

Codes = NDArray[np.int64]

_FAR = 9
"""Distances from here on are the same."""


@dataclass(frozen=True, slots=True)
class Column:
    """A number for each word, and what it reads; -1 is nothing."""

    name: str
    codes: Codes
    texts: Sequence[str]

    def text(self, row: int) -> str:
        """Return what the column says of a word: ``upos=NOUN``."""
        code = int(self.codes[row])
        return f"{self.name}={self.texts[code] if code >= 0 else 'none'}"


def combined(columns: Sequence[NDArray[np.integer]]) -> Codes:
    """Return one number for each row, the same where all columns are.

    >>> combined([np.array([0, 1, 0]), np.array([5, 5, 5])]).tolist()
    [0, 1, 0]
    """
    key = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        if not len(column):
            continue
        least = int(column.min())
        key = key * (int(column.max()) - least + 1) + (column.astype(np.int64) - least)
        key = np.unique(key, return_inverse=True)[1].astype(np.int64)
    return key


class ArcColumns:
    """The columns of a treebank, each made when it is first asked for."""

    def __init__(self, corpus: Dependencies) -> None:
        words = corpus.words
        self.corpus = corpus
        self.rows = words.rows
        self.sentence = words.sentence_of_row()
        self.place = words.row_in_sentence() + 1
        self.head = corpus.head.astype(np.int64)
        self.first = corpus.offsets[:-1][self.sentence]
        self.length = words.lengths[self.sentence]
        self.above = np.where(self.head > 0, self.first + self.head - 1, -1)
        """The row of each word's head, -1 where it has none."""
        self._made: dict[str, Column] = {}

    def __getitem__(self, name: str) -> Column:
        """Return a column by its name."""
        if name not in self._made:
            self._made[name] = self._column(name)
        return self._made[name]

    def codes(self, names: Iterable[str]) -> Codes:
        """Return several columns as one."""
        key = ("+", *names)
        text = "\t".join(key)
        if text not in self._made:
            together = combined([self[name].codes for name in key[1:]])
            self._made[text] = Column(text, together, ())
        return self._made[text].codes

    def _column(self, name: str) -> Column:
        where, dot, what = name.rpartition(".")
        if where == "head":
            return self._of_head(name, self[what])
        if where in ("next", "previous"):
            return self._beside(name, self[what], 1 if where == "next" else -1)
        if dot:
            return self._child(name, where, self[what])
        made = getattr(self, f"_{name}", None)
        if made is not None:
            return made
        return _of_strings(name, self.corpus.words.strings(name))

    def _of_head(self, name: str, column: Column) -> Column:
        codes = np.where(self.above >= 0, column.codes[self.above], -1)
        return Column(name, codes, column.texts)

    def _beside(self, name: str, column: Column, step: int) -> Column:
        inside = (self.place + step >= 1) & (self.place + step <= self.length)
        rows = np.clip(np.arange(self.rows) + step, 0, max(self.rows - 1, 0))
        return Column(name, np.where(inside, column.codes[rows], -1), column.texts)

    def _child(self, name: str, label: str, column: Column) -> Column:
        """Return what the last dependent with a label reads: ``case.lemma``."""
        codes = np.full(self.rows, -1, np.int64)
        rows = np.flatnonzero(self._has_label(label) & (self.above >= 0))
        codes[self.above[rows]] = column.codes[rows]
        return Column(name, codes, column.texts)

    def _has_label(self, label: str) -> NDArray[np.bool_]:
        column = self["relation"]
        code = column.texts.index(label) if label in column.texts else -2
        has: NDArray[np.bool_] = column.codes == code
        return has

    @cached_property
    def _relation(self) -> Column:
        """The label without its subtype."""
        return _of_strings("relation", self.corpus.deprel.map(lambda label: label.split(":")[0]))

    @cached_property
    def _form(self) -> Column:
        return _of_strings("form", self.corpus.form.map(str.lower))

    @cached_property
    def _direction(self) -> Column:
        """Where the head stands, seen from the word."""
        side = np.where(self.head > 0, np.where(self.head > self.place, 2, 1), 0)
        return Column("head's side", side.astype(np.int64), ("root", "left", "right"))

    @cached_property
    def _offset(self) -> Column:
        """How far away the head is, and where."""
        away = np.clip(self.head - self.place, -_FAR, _FAR)
        codes = np.where(self.head > 0, away + _FAR, 2 * _FAR + 1).astype(np.int64)
        texts = [f"{number:+d}" for number in range(-_FAR, _FAR + 1)]
        return Column("offset", codes, [*texts, "root"])

    @cached_property
    def _children(self) -> Column:
        """Which relations the dependents have that tell what a word is."""
        told = ("nsubj", "csubj", "cop", "aux", "obj", "det", "expl")
        bits = np.zeros(self.rows, np.int64)
        for number, label in enumerate(told):
            rows = np.flatnonzero(self._has_label(label) & (self.above >= 0))
            bits[np.unique(self.above[rows])] |= 1 << number
        texts = [
            "+".join(label for number, label in enumerate(told) if code >> number & 1) or "none"
            for code in range(1 << len(told))
        ]
        return Column("children", bits, texts)


def _of_strings(name: str, strings: Strings) -> Column:
    """Return a column of texts; equal texts have equal numbers."""
    return Column(name, strings.codes.astype(np.int64), strings.vocabulary)

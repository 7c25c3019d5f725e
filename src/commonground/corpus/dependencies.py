"""Dependency trees in columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.corpus import Corpus, numbers_column, own_table, strings_column
from commonground.corpus.strings import Strings
from commonground.corpus.table import Table

__all__ = ["COLUMNS", "Dependencies"]

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
"""The columns that every word has; ``_`` is nothing, as in CoNLL-U."""

TEXT_COLUMNS = tuple(name for name in COLUMNS if name != "head")


class Dependencies(Corpus):
    """A dependency treebank.

    ``words``: a row per syntactic word, with the columns of CoNLL-U and any further ones
    (``phead``, ``pdeprel``, ``pred``, those of CoNLL-U Plus). ``head`` counts from 1 in the
    sentence, 0 is the root, -1 is unknown (a partial tree).

    ``tokens``: a row per multiword token, which stands for the words ``first`` to ``last``.

    ``empties``: a row per empty node, the ``minor``-th one after the word ``major`` (5.1 has major
    5 and minor 1). Its ``head`` is -1, but in treebanks whose empty nodes are in the basic tree.

    >>> d = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])])
    >>> d
    Dependencies(2 words, 1 sentences)
    >>> d.head.tolist(), d[0].deprel
    ([2, 0], ['nsubj', 'root'])
    """

    __slots__ = ()

    kind: ClassVar[str] = "dependencies"
    required: ClassVar[dict[str, tuple[str, ...]]] = {
        "words": COLUMNS,
        "tokens": ("first", "last", "form"),
        "empties": ("major", "minor", "form"),
    }

    words = own_table("A row per syntactic word.")
    tokens = own_table("A row per multiword token.")
    empties = own_table("A row per empty node of the enhanced graph.")
    form = strings_column("words", "The words.")
    lemma = strings_column("words", "The lemmas.")
    upos = strings_column("words", "The universal (or coarse) parts of speech.")
    xpos = strings_column("words", "The treebank's own (or fine) parts of speech.")
    feats = strings_column("words", "The morphological features, joined by ``|``.")
    head = numbers_column(
        "words", "The head of each word: 1 is the first word, 0 the root, -1 none."
    )
    deprel = strings_column("words", "The label of each word's arc.")
    deps = strings_column("words", "The enhanced graph, ``head:label`` joined by ``|``.")
    misc = strings_column("words", "Everything else.")

    @classmethod
    def completed(cls, tables: dict[str, Table]) -> dict[str, Table]:
        """Return the tables with the standard columns, multiword tokens and empty nodes added."""
        words = tables["words"]
        none, number = np.zeros(words.sentences + 1, np.int64), np.empty(0, np.int32)
        tokens = tables.get("tokens", Table(none, first=number, last=number))
        empties = tables.get("empties", Table(none, major=number, minor=number))
        return {
            **tables,
            "words": _with_texts(words).completed(head=np.full(words.rows, -1, np.int32)),
            "tokens": _with_texts(tokens),
            "empties": _with_texts(empties).completed(head=np.full(empties.rows, -1, np.int32)),
        }

    @classmethod
    def of(
        cls, sentences: Sequence[tuple[Sequence[str], Sequence[int], Sequence[str]]]
    ) -> Dependencies:
        """Make a treebank of (forms, heads, labels), one triple per sentence."""
        offsets = np.concatenate([[0], np.cumsum([len(forms) for forms, _, _ in sentences])])
        words = Table(
            offsets.astype(np.int64),
            form=Strings.of(form for forms, _, _ in sentences for form in forms),
            head=np.array([h for _, heads, _ in sentences for h in heads], np.int32),
            deprel=Strings.of(label for _, _, labels in sentences for label in labels),
        )
        return cls({"words": words})

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Where each sentence begins in the columns of the words."""
        return self.words.offsets

    def lines_of_words(self) -> NDArray[np.int64]:
        """Return the line of its file on which each word stands, 0 where it comes from no file."""
        place = self.words.row_in_sentence() + np.repeat(self._first_lines(), self.words.lengths)
        for table, at, shift in ((self.tokens, "first", 1), (self.empties, "major", 0)):
            if table.rows:
                sentence = table.sentence_of_row()
                later = np.zeros(self.words.rows + 1, np.int64)
                start = self.offsets[sentence] + table.numbers(at) - shift
                np.add.at(later, start, 1)
                np.add.at(later, self.offsets[sentence + 1], -1)
                place = place + np.cumsum(later)[:-1]
        return np.where(np.repeat(self.lines, self.words.lengths) > 0, place, 0)

    def lines_of_empties(self) -> NDArray[np.int64]:
        """Return the line of its file on which each empty node stands, 0 where there is no file."""
        sentence = self.empties.sentence_of_row()
        after, minor = self.empties.numbers("major"), self.empties.numbers("minor")
        line = self._first_lines()[sentence] - 1
        has_word = after > 0
        line[has_word] = self.lines_of_words()[(self.offsets[sentence] + after - 1)[has_word]]
        return np.where(self.lines[sentence] > 0, line + minor, 0)

    def _first_lines(self) -> NDArray[np.int64]:
        """Return the line after the comments of each sentence."""
        return self.lines + self.comments.values(
            lambda block: block.count("\n") + 1 if block else 0
        )


def _with_texts(table: Table) -> Table:
    """Return a table with all columns of text that words have."""
    nothing = Strings.constant("_", table.rows)
    return table.completed(**dict.fromkeys(TEXT_COLUMNS, nothing))

"""What a parser has seen: the words, arcs and sentences of its training data.

A word is seen if its form is in the training data, as it is written; an arc is, if two words with
these forms stand there as head and dependent, whatever the label (the root is a head, too); a
sentence is, if all its forms are those of a sentence there, in the same order.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import PurePath
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus, Dependencies, Strings
from commonground.errors import InputError
from commonground.formats import read
from commonground.formats.storage.files import shown

__all__ = ["TrainingData"]

_BETWEEN = "\0"
"""What stands between two forms: no form has it."""


@dataclass(frozen=True, slots=True)
class TrainingData:
    """The forms, arcs and sentences of training data, which came from a file with some `name`.

    >>> data = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])])
    >>> test = Dependencies.of([(["Dogs", "sing"], [0, 1], ["root", "x"])])
    >>> seen = TrainingData.of(data, "train")
    >>> seen.words(test).tolist(), seen.arcs(test).tolist(), seen.whole(data).tolist()
    ([False, True], [False, False], [True])
    """

    name: str
    forms: frozenset[str] = field(repr=False)
    pairs: frozenset[str] = field(repr=False)
    sentences: frozenset[str] = field(repr=False)

    @classmethod
    def read(cls, path: str | os.PathLike[str], format: str | None = None) -> TrainingData:
        """Read training data: dependencies, of a file, a folder or a pattern."""
        corpus = read(path, format, partial=True)
        if not isinstance(corpus, Dependencies):
            raise InputError(
                shown(path), 0, f"training data must be dependencies, not {corpus.kind}"
            )
        return cls.of(corpus, PurePath(path).name)

    @classmethod
    def of(cls, corpus: Dependencies, name: str = "") -> TrainingData:
        """Return what there is to see in a corpus."""
        texts, _ = _arcs(corpus)
        return cls(name, frozenset(corpus.form), frozenset(texts), frozenset(_sentences(corpus)))

    def words(self, corpus: Dependencies) -> NDArray[np.bool_]:
        """Tell which words are seen."""
        return corpus.form.where(self.forms.__contains__)

    def arcs(self, corpus: Dependencies) -> NDArray[np.bool_]:
        """Tell which arcs, by their dependents, are seen."""
        texts, codes = _arcs(corpus)
        return np.array([text in self.pairs for text in texts], np.bool_)[codes]

    def whole(self, corpus: Corpus) -> NDArray[np.bool_]:
        """Tell which sentences are seen."""
        seen = [text in self.sentences for text in _sentences(corpus)]
        return np.array(seen, np.bool_)

    def signature(self) -> str:
        """Return the name, and a checksum of what there is to see."""
        seen = "\n".join(sorted(self.pairs | self.sentences))
        return f"{self.name} {crc32(seen.encode('utf-8', 'backslashreplace')):08x}"


def _arcs(corpus: Dependencies) -> tuple[list[str], NDArray[np.int64]]:
    """Return the different pairs of head and dependent, and which one each word has."""
    forms, inside = corpus.form, corpus.head > 0
    start = np.repeat(corpus.offsets[:-1], np.diff(corpus.offsets))
    row = np.where(inside, start + corpus.head - 1, 0)
    head = np.where(inside, forms.codes[row], np.minimum(corpus.head, 0) - 1)  # -1 is the root
    both = np.stack([head, forms.codes]).astype(np.int64)
    distinct, codes = np.unique(both, axis=1, return_inverse=True)
    names = {**dict(enumerate(forms.vocabulary)), -1: "", -2: _BETWEEN}
    texts = [f"{names[one]}{_BETWEEN}{names[other]}" for one, other in distinct.T.tolist()]
    return texts, np.asarray(codes).reshape(-1)


def _sentences(corpus: Corpus) -> list[str]:
    table = corpus.tables["words"]
    column: Strings = table.strings("form")
    forms = column.tolist()
    return [_BETWEEN.join(forms[first:last]) for first, last in pairwise(table.offsets.tolist())]

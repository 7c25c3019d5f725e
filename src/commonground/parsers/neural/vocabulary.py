"""Words as numbers of a vocabulary: what embeddings are looked up by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.parsers.model_file import Stored

__all__ = ["LETTERS", "Vocabulary"]

Codes = NDArray[np.int64]

COLUMNS = {"form": 2, "lemma": 2, "upos": 1, "xpos": 1, "feats": 2}
"""The columns that are looked at, and how often a text must occur to be known."""

LETTERS = 16
"""So many letters of a word are looked at: half from its beginning, half from its end."""

NOTHING, UNKNOWN, ROOT = 0, 1, 2
"""What stands beyond a sentence or word, what was not seen in training, and the root."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The known texts of each column, and the known letters; their numbers begin with 3.

    >>> trees = Dependencies.of([(["a", "b", "a"], [0, 1, 1], ["root", "dep", "dep"])])
    >>> words = Vocabulary.of(trees)
    >>> words.texts["form"], words.codes(trees)["form"].tolist()
    (('a',), [3, 1, 3])
    """

    texts: Mapping[str, tuple[str, ...]]
    letters: tuple[str, ...]

    @classmethod
    def of(cls, corpus: Dependencies) -> Vocabulary:
        """Return the vocabulary of a training corpus."""
        texts = {}
        for name, least in COLUMNS.items():
            counts = Counter(_keys(corpus, name))
            texts[name] = tuple(sorted(text for text, n in counts.items() if n >= least))
        letters = Counter(letter for form in corpus.words.strings("form") for letter in form)
        return cls(texts, tuple(sorted(letter for letter, n in letters.items() if n > 1)))

    @property
    def sizes(self) -> dict[str, int]:
        """How many numbers there are of each kind."""
        known = {name: len(texts) for name, texts in self.texts.items()}
        return {name: size + 3 for name, size in {**known, "letters": len(self.letters)}.items()}

    def codes(self, corpus: Dependencies) -> dict[str, Codes]:
        """Return the numbers of the words of a corpus, column by column; ``letters`` is a table."""
        columns = {}
        for name, texts in self.texts.items():
            places = {text: number for number, text in enumerate(texts, 3)}
            numbers = [places.get(key, UNKNOWN) for key in _keys(corpus, name)]
            columns[name] = np.array(numbers, np.int64)
        places = {letter: number for number, letter in enumerate(self.letters, 3)}
        forms = corpus.words.strings("form")
        table = np.zeros((len(forms.vocabulary), LETTERS), np.int64)
        for row, form in enumerate(forms.vocabulary):
            half = LETTERS // 2
            shown = form if len(form) <= LETTERS else form[:half] + form[-half:]
            table[row, : len(shown)] = [places.get(letter, UNKNOWN) for letter in shown]
        columns["letters"] = table[forms.codes]
        return columns

    def stored(self) -> dict[str, Any]:
        """Return what the metadata of a model have of it."""
        texts = {f"known_{name}": list(texts) for name, texts in self.texts.items()}
        return {**texts, "letters": list(self.letters)}

    @classmethod
    def read(cls, stored: Stored) -> Vocabulary:
        """Make a vocabulary from the metadata of a model."""
        texts = {name: tuple(stored.texts(f"known_{name}")) for name in COLUMNS}
        return cls(texts, tuple(stored.texts("letters")))


def _keys(corpus: Dependencies, name: str) -> list[str]:
    """Return the texts of a column; words in lower case."""
    column = corpus.words.strings(name)
    lower = name in {"form", "lemma"}
    keys = [text.lower() if lower else text for text in column.vocabulary]
    return [keys[code] for code in column.codes.tolist()]

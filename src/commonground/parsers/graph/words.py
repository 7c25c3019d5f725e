"""The words of a corpus as a table of numbers, with ROOT and the edges of sentences as rows.

Each sentence has two rows of nothing, ROOT, its words, and two rows of nothing; what is two words
away from any word is a row of its own sentence. The row of word w (0 is ROOT) in sentence s is
``base[s] + w``; row 0 is nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.parsers.atoms import atom, atoms, shape

__all__ = ["ATTRIBUTES", "KIND_GROUPS", "Words", "words_of"]

ATTRIBUTES = ("form", "lemma", "upos", "xpos", "feats", "prefix", "suffix", "shape")

_EDGE = 5
_UPOS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()
_KINDS = 31
_GROUPS = (
    "ADJ NOUN NUM PRON PROPN".split(),
    "ADV AUX PART SCONJ VERB".split(),
    "ADP CCONJ DET PUNCT SYM".split(),
)
KIND_GROUPS = tuple(sum(1 << _UPOS.index(tag) for tag in group) for group in _GROUPS)
"""The bits of tags that are looked at together: nominal, verbal and linking ones."""

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Words:
    """The attributes of all rows, where sentences stand in them, and what can lie between words.

    `kinds` has a bit for the kind of tag that a word has; `counts` are the numbers of verbs, of
    punctuation and of conjunctions up to a row, as far as their tags and forms show.
    """

    attributes: Codes
    base: Numbers
    lengths: Numbers
    kinds: Codes
    counts: Numbers

    @property
    def sentences(self) -> int:
        """How many sentences there are."""
        return len(self.base)


def words_of(corpus: Dependencies) -> Words:
    """Return the words of a corpus as numbers.

    >>> words = words_of(Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])]))
    >>> words.attributes.shape, words.base.tolist()
    ((7, 8), [2])
    """
    lengths = corpus.words.lengths
    base = np.cumsum(lengths + _EDGE) - lengths - _EDGE + 2
    rows = corpus.words.row_in_sentence() + 1 + np.repeat(base, lengths)
    size = int(lengths.sum() + _EDGE * len(lengths)) or 1
    tag = _coarse(corpus)
    columns = [
        atoms(corpus.form),
        atoms(corpus.lemma, str.lower),
        atoms(corpus.upos),
        atoms(corpus.xpos),
        atoms(corpus.feats),
        atoms(corpus.form, lambda form: form[:3].lower()),
        atoms(corpus.form, lambda form: form[-3:].lower()),
        atoms(corpus.form, shape),
    ]
    attributes = np.zeros((size, len(columns)), np.uint64)
    attributes[base] = atom("\nROOT")
    attributes[rows] = np.stack(columns, axis=1)
    kinds = np.zeros(size, np.int32)
    kinds[rows] = tag.values(_kind)
    counted = np.zeros((3, size), np.bool_)
    counted[0, rows] = tag.where(lambda text: text[:1] in "Vv" or text == "AUX")
    counted[1, rows] = corpus.form.where(lambda form: not any(map(str.isalnum, form)))
    counted[2, rows] = tag.where(lambda text: text in ("CCONJ", "CC", "CONJ", "KON", "C"))
    counts = np.cumsum(counted, axis=1, dtype=np.int64)
    return Words(attributes.astype(np.uint32).view(np.int32), base, lengths, kinds, counts)


def _coarse(corpus: Dependencies) -> Strings:
    """Return the coarse tags where there are any, the fine ones otherwise."""
    return corpus.upos if corpus.upos.where(lambda tag: tag != "_").any() else corpus.xpos


def _kind(tag: str) -> int:
    """Return the bit of a tag: its own one in Universal Dependencies, a shared one otherwise."""
    if tag in _UPOS:
        return 1 << _UPOS.index(tag)
    return 1 << (len(_UPOS) + atom(tag) % (_KINDS - len(_UPOS)))

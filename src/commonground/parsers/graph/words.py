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
from commonground.errors import InputError
from commonground.parsers.atoms import atom, atoms, shape
from commonground.parsers.clusters.word_clusters import cluster_atoms

__all__ = ["ATTRIBUTES", "KIND_GROUPS", "Words", "words_of"]

ATTRIBUTES = (
    *("form", "lemma", "upos", "xpos", "feats", "prefix", "suffix", "shape"),
    *("opener", "earlier", "closer"),
    *("few", "some", "bits"),
)
"""The opener is the lemma of the nearest word before that does not belong to a noun phrase or,
before a verb, to its auxiliaries: often its preposition or conjunction. That of the opener is the
earlier one; the closer is the nearest such word that follows. The last three are the first bits of
a word's cluster, and all."""

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
_NOMINAL = sum(
    1 << _UPOS.index(tag) for tag in "ADJ ADV DET INTJ NOUN NUM PRON PROPN SYM X".split()
)
_VERB, _VERBAL = 1 << _UPOS.index("VERB"), 1 << _UPOS.index("VERB") | 1 << _UPOS.index("AUX")

MOST_WORDS = 1 << 11
"""Memory grows with the square of the number of words, so that no sentence may have more."""

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
    ((7, 14), [2])
    """
    _refuse_long(corpus)
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
    attributes = np.zeros((size, len(ATTRIBUTES)), np.uint64)
    attributes[base] = atom("\nROOT")
    attributes[rows, : len(columns)] = np.stack(columns, axis=1)
    kinds = np.zeros(size, np.int32)
    kinds[rows] = tag.values(_kind)
    around = _around(kinds, rows)
    beyond = [*attributes[around, ATTRIBUTES.index("lemma")], *cluster_atoms(corpus)]
    attributes[rows, len(columns) :] = np.stack(beyond, axis=1)
    counted = np.zeros((3, size), np.bool_)
    counted[0, rows] = tag.where(lambda text: text[:1] in "Vv" or text == "AUX")
    counted[1, rows] = corpus.form.where(lambda form: not any(map(str.isalnum, form)))
    counted[2, rows] = tag.where(lambda text: text in ("CCONJ", "CC", "CONJ", "KON", "C"))
    counts = np.cumsum(counted, axis=1, dtype=np.int64)
    return Words(attributes.astype(np.uint32).view(np.int32), base, lengths, kinds, counts)


def _around(kinds: Codes, rows: Numbers) -> Numbers:
    """Return the rows of the opener, the earlier opener and the closer of each word."""
    place = np.arange(len(kinds))
    verbal = (kinds & _VERBAL) > 0
    before, after = [], []
    for skipped in (_NOMINAL, _NOMINAL | _VERBAL & ~_VERB):
        stands = (kinds & skipped) == 0
        last = np.maximum.accumulate(np.where(stands, place, 0))
        following = np.minimum.accumulate(np.where(stands, place, len(kinds) - 1)[::-1])[::-1]
        before.append(np.concatenate([[0], last[:-1]]))
        after.append(np.concatenate([following[1:], [len(kinds) - 1]]))
    opener, closer = np.where(verbal, before[1], before[0]), np.where(verbal, after[1], after[0])
    neighbours: Numbers = np.stack([opener[rows], opener[opener[rows]], closer[rows]])
    return neighbours


def _coarse(corpus: Dependencies) -> Strings:
    """Return the coarse tags where there are any, the fine ones otherwise."""
    return corpus.upos if corpus.upos.where(lambda tag: tag != "_").any() else corpus.xpos


def _kind(tag: str) -> int:
    """Return the bit of a tag: its own one in Universal Dependencies, a shared one otherwise."""
    if tag in _UPOS:
        return 1 << _UPOS.index(tag)
    return 1 << (len(_UPOS) + atom(tag) % (_KINDS - len(_UPOS)))


def _refuse_long(corpus: Dependencies) -> None:
    long = np.flatnonzero(corpus.words.lengths > MOST_WORDS)
    if len(long):
        sentence = int(long[0])
        raise InputError(
            corpus.tables["origin"].strings("path")[sentence],
            int(corpus.lines[sentence]),
            f"this sentence has {corpus.words.lengths[sentence]:,} words; parsers that search "
            f"whole trees take up to {MOST_WORDS:,} (arc-eager takes any number)",
        )

"""Words and the bits of their clusters, as a column that taggers and parsers read.

A cluster is a path from the root of a binary tree (Brown et al. 1992), written in bits; clusters
with the same first bits are like each other. The file is that of Liang's brown-cluster: bits, word
and count with tabs between, a line for each word.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from commonground.corpus import Corpus, Strings
from commonground.errors import InputError
from commonground.formats.storage.files import read_utf8, shown, write_bytes
from commonground.parsers.atoms import Atoms, atoms
from commonground.parsers.model_file import ModelError, Stored

__all__ = [
    "COLUMN",
    "WordClusters",
    "cluster_atoms",
    "has_clusters",
    "load_clusters",
    "normalised",
    "read_clusters",
    "unmarked",
    "write_clusters",
]

COLUMN = "cluster"
"""The column of the words in which the bits stand while a corpus is tagged and parsed."""

PREFIXES = (4, 8, 1 << 10)
"""How many bits of a cluster are looked at: few, more, and all."""

_DIGIT = re.compile(r"\d")
_BITS = re.compile(r"[01]*")
_COUNT = re.compile(r"[0-9]{1,18}")
C = TypeVar("C", bound=Corpus)


def normalised(word: str) -> str:
    """Return a word with 0 for each digit, which is how clusters are made.

    >>> normalised("B52s"), normalised("two")
    ('B00s', 'two')
    """
    return _DIGIT.sub("0", word)


@dataclass(frozen=True, slots=True)
class WordClusters:
    """The bits of each word's cluster, and how often each word was seen."""

    bits: Mapping[str, str]
    counts: Mapping[str, int] = field(default_factory=dict)

    def of(self, form: str) -> str:
        """Return the bits of a form, ``_`` where it was not seen in any spelling.

        It is taken in lower case where that was seen more often, as at the beginning of a sentence:
        capitals there make clusters of their own, which say little of a word.

        >>> clusters = WordClusters({"dog": "01", "Dog": "00", "May": "10", "00": "11"}, {"dog": 9})
        >>> [clusters.of(form) for form in ("dog", "Dog", "May", "may", "42")]
        ['01', '01', '10', '_', '11']
        """
        spellings = (form, normalised(form), normalised(form.lower()))
        known = [spelling for spelling in spellings if spelling in self.bits]
        if not known:
            return "_"
        return self.bits[max(known, key=lambda spelling: self.counts.get(spelling, 1))]

    def marked(self, corpus: C) -> C:
        """Return a corpus with the clusters of its words as a column."""
        forms = corpus.tables["words"].strings("form")
        return corpus.replace("words", **{COLUMN: forms.map(self.of)})

    def store(self) -> Stored:
        """Return what the file of a model holds of them."""
        lines = [
            f"{bits}\t{word}\t{self.counts.get(word, 1)}\n"
            for word, bits in sorted(self.bits.items())
        ]
        data = "".join(lines).encode("utf-8", "surrogatepass")
        return Stored("clusters", {}, {"paths": np.frombuffer(data, np.uint8)})


def load_clusters(stored: Stored) -> WordClusters:
    """Return the clusters that the file of a model holds."""
    data = stored.array("paths", "u1").tobytes()
    try:
        lines = data.decode("utf-8", "surrogatepass").split("\n")[:-1]
        rows = [line.split("\t") for line in lines]
        bits = {word: _checked(path) for path, word, _ in rows}
        counts = {word: int(count) for _, word, count in rows}
    except ValueError as error:
        raise ModelError("its clusters are no words with bits and counts") from error
    return WordClusters(bits, counts)


def _checked(path: str) -> str:
    if not _BITS.fullmatch(path):
        raise ValueError(path)
    return path


def unmarked(corpus: C) -> C:
    """Return a corpus without the column of clusters."""
    words = corpus.tables["words"]
    if COLUMN not in words:
        return corpus
    kept = {name: column for name, column in words.columns.items() if name != COLUMN}
    return type(corpus)({**corpus.tables, "words": type(words)(words.offsets, **kept)})


def has_clusters(corpus: Corpus) -> bool:
    """Tell whether the words of a corpus have clusters."""
    return COLUMN in corpus.tables["words"]


def cluster_atoms(corpus: Corpus) -> list[Atoms]:
    """Return the numbers of the first bits of each word's cluster, for each of `PREFIXES`.

    They are 0 where a word has none, or the corpus has no column of clusters.
    """
    words = corpus.tables["words"]
    if COLUMN not in words:
        return [np.zeros(words.rows, np.uint64) for _ in PREFIXES]
    return [_first_bits(words.strings(COLUMN), most) for most in PREFIXES]


def _first_bits(column: Strings, most: int) -> Atoms:
    return atoms(column, lambda bits: bits[:most])


# ── files ────────────────────────────────────────────────────────────────────────────────────────


def read_clusters(path: str | os.PathLike[str]) -> WordClusters:
    """Read clusters from a file: bits, word and (perhaps) count, with tabs between."""
    bits: dict[str, str] = {}
    counts: dict[str, int] = {}
    text = read_utf8(path, "clusters of words, as 'commonground clusters' writes them")
    for number, line in enumerate(text.split("\n"), 1):
        parts = line.removesuffix("\r").split("\t")
        if parts == [""]:
            continue
        if len(parts) not in (2, 3) or not _BITS.fullmatch(parts[0]) or not parts[1]:
            raise InputError(
                shown(path), number, "not a word with its cluster; write BITS TAB WORD TAB COUNT"
            )
        if len(parts) == 3 and not _COUNT.fullmatch(parts[2]):
            raise InputError(shown(path), number, f"{parts[2]!r:.40} is not how often a word is")
        bits[parts[1]] = parts[0]
        counts[parts[1]] = int(parts[2]) if len(parts) == 3 else 1
    if not bits:
        raise InputError(shown(path), 0, "there are no clusters in it")
    return WordClusters(bits, counts)


def write_clusters(clusters: WordClusters, path: str | os.PathLike[str]) -> None:
    """Write clusters to a file, whole or not at all: by bits, the commonest words first."""
    counts = clusters.counts

    def order(word: str) -> tuple[str, int, str]:
        return clusters.bits[word], -counts.get(word, 1), word

    words = sorted(clusters.bits, key=order)
    write_bytes(path, (f"{clusters.bits[w]}\t{w}\t{counts.get(w, 1)}\n".encode() for w in words))

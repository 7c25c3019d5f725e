"""The fingerprint of a corpus: a number that another corpus has only by chance.

It is made of all words, tags, heads, labels and other annotation, but not of comments, of where the
corpus was read from and of what stands in MISC. It is a sum over sentences modulo 2⁶⁴, so that the
fingerprint of a whole is the sum of those of its parts, in whatever pieces a file is read:

    row        f(Σ of its columns c of  k_c · v_c,  and its place in the sentence)
    sentence   f(Σ of its tables t of   k_t · Σ of its rows)

f is the last step of SplitMix64 (Steele, Lea & Flood 2014, Fast splittable pseudorandom number
generators); the k are odd numbers made of the names of columns and tables, v is a whole number or
the checksum of a text. An empty field counts as one that is not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.corpus import Corpus
from commonground.corpus.strings import Strings
from commonground.corpus.table import Column, Table
from commonground.kernels import load
from commonground.kernels.columns import mixed

try:
    from _blake2 import blake2b  # hashlib has it from there, and loads OpenSSL as well
except ImportError:
    from hashlib import blake2b

__all__ = ["added", "fingerprint"]

_NOT_ANNOTATION = frozenset({"sentences", "origin"})
_LEFT_OUT = frozenset({"misc"})
_EMPTY = ("_", "")
_MODULUS = 1 << 64

Numbers = NDArray[np.uint64]


def fingerprint(corpus: Corpus) -> int:
    """Return the fingerprint of a corpus, a number below 2⁶⁴.

    >>> from commonground.corpus import Dependencies
    >>> birds = (["Birds", "sing"], [2, 0], ["nsubj", "root"])
    >>> cats = (["Cats", "sleep"], [2, 0], ["nsubj", "root"])
    >>> both, one, other = map(Dependencies.of, ([birds, cats], [birds], [cats]))
    >>> fingerprint(both) == added([fingerprint(one), fingerprint(other)]), both == one
    (True, False)
    """
    total = np.zeros(len(corpus), np.uint64)
    for name, table in corpus.tables.items():
        if name not in _NOT_ANNOTATION and table.rows:
            total += np.uint64(_factor(name)) * _by_sentence(table)
    return int(mixed(total).sum(dtype=np.uint64))


def added(parts: Iterable[int]) -> int:
    """Return the fingerprint of corpora one after the other, in whatever order."""
    return sum(parts) % _MODULUS


def _by_sentence(table: Table) -> Numbers:
    columns = {name: each for name, each in table.columns.items() if name not in _LEFT_OUT}
    numbers = [name for name, each in columns.items() if not isinstance(each, Strings)]
    # Numbers are counted from 1, so that a 0 is told from a field that is not there.
    rows = np.full(table.rows, sum(map(_factor, numbers)) % _MODULUS, np.uint64)
    for name, column in columns.items():
        _add(rows, column, _factor(name))
    sums: Numbers = load("columns").mixed_sums(rows, table.offsets)
    return sums


def _add(rows: Numbers, column: Column, factor: int) -> None:
    """Add a number to each row; 0 where there is nothing, as if the column were not there."""
    if not isinstance(column, Strings):
        whole = column if column.dtype == np.int32 else column.astype(np.int64)
        load("columns").add_multiples(rows, whole, factor)
        return
    checksums = _checksums(column.vocabulary) * np.uint64(factor)
    if checksums.any():
        load("columns").add_taken(rows, checksums, column.codes)


def _checksums(texts: Sequence[str]) -> Numbers:
    """Return the CRC-32 of each text, counted from 1; 0 for what is empty."""
    try:
        checksums = np.fromiter(map(crc32, map(str.encode, texts)), np.uint64, len(texts))
    except UnicodeEncodeError:  # half of a pair of surrogates, from a program
        whole = [crc32(text.encode("utf-8", "surrogatepass")) for text in texts]
        checksums = np.array(whole, np.uint64)
    checksums += np.uint64(1)
    for empty in _EMPTY:
        if empty in texts:
            checksums[texts.index(empty)] = 0
    return checksums


def _factor(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "little") | 1

"""Scores by properties of the items: labels, tags, distances, sentence lengths.

Recall looks at the gold items with a property, precision at the parse's items that have it there.
All metrics are broken down alike, by one property or by several at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus
from commonground.corpus.strings import Vocabulary
from commonground.metrics.by import order_of, property_of, shared_by_sentence
from commonground.metrics.items import Items, Side
from commonground.metrics.metric import precision, recall
from commonground.metrics.settings import Settings

__all__ = ["Bucket", "Cells", "buckets", "cells", "in_order"]

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Bucket:
    """The items with the same properties: their values, and the sums of the counts.

    `correct` counts the gold items of this bucket that are found, `system_correct` the parse's
    items of this bucket that are right; they differ where an item is in another bucket on the other
    side.
    """

    values: tuple[str, ...]
    counts: dict[str, int]

    @property
    def recall(self) -> float:
        """The share of the gold items here that are found."""
        return recall(self.counts)

    @property
    def precision(self) -> float:
        """The share of the parse's items here that are right."""
        return precision({**self.counts, "correct": self.counts["system_correct"]})

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


class Cells(NamedTuple):
    """The counts of items by their properties, in columns: a row per combination of values.

    `values` are those of each property, `codes` which of them a row is about.
    """

    values: list[list[str]]
    codes: list[Numbers]
    columns: dict[str, Numbers]


def buckets(cells: Cells) -> list[Bucket]:
    """Return the rows one by one, in the order of the properties' values."""
    values = (
        map(known.__getitem__, codes.tolist())
        for known, codes in zip(cells.values, cells.codes, strict=True)
    )
    counts = zip(*(column.tolist() for column in cells.columns.values()), strict=True)
    return [
        Bucket(texts, dict(zip(cells.columns, numbers, strict=True)))
        for texts, numbers in zip(zip(*values, strict=True), counts, strict=True)
    ]


def cells(
    items: Items, gold: Corpus, system: Corpus, by: Sequence[str], settings: Settings
) -> Cells:
    """Sum the counts of items by their properties."""
    vocabularies = [Vocabulary() for _ in by]

    def codes(side: Side, corpus: Corpus) -> list[Numbers]:
        return [
            _codes(side, corpus, gold, items.table, name, vocabulary, settings)
            for name, vocabulary in zip(by, vocabularies, strict=True)
        ]

    one, two = codes(items.gold, gold), codes(items.system, system)
    sizes = [len(vocabulary) for vocabulary in vocabularies]
    found, number = np.unique(
        np.concatenate([_joint(one, sizes), _joint(two, sizes)]), return_inverse=True
    )
    mine, theirs = number[: len(items.gold.rows)], number[len(items.gold.rows) :]
    columns = {
        "correct": _count(mine[items.gold.correct], len(found)),
        "gold": _count(mine, len(found)),
        "system": _count(theirs, len(found)),
        "system_correct": _count(theirs[items.system.correct], len(found)),
        "aligned": _count(mine[items.gold.aligned], len(found)),
    }
    places = np.unravel_index(found, sizes) if len(found) else [found for _ in sizes]
    return Cells([*map(list, vocabularies)], [*places], columns)


def _codes(
    side: Side,
    corpus: Corpus,
    gold: Corpus,
    table: str,
    name: str,
    vocabulary: Vocabulary,
    settings: Settings,
) -> Numbers:
    """Return the value of a property for each item of a side; sentences are the gold ones."""
    if shared_by_sentence(name):
        column, rows = property_of(gold, "sentences", name, settings), side.sentence
    else:
        column, rows = property_of(corpus, table, name, settings), side.rows
    return column.codes_in(vocabulary)[rows].astype(np.int64)


def _joint(codes: list[Numbers], sizes: list[int]) -> Numbers:
    return np.asarray(np.ravel_multi_index(tuple(codes), tuple(sizes)), np.int64)


def _count(cells: Numbers, length: int) -> Numbers:
    return np.bincount(cells, minlength=length)


# ── order ─────────────────────────────────────────────────────────────────────────────────────────


def in_order(
    buckets: Sequence[Bucket], by: Sequence[str], sentences: Sequence[str] = ()
) -> list[Bucket]:
    """Sort buckets by one property after the other: numbers by size, labels by frequency.

    Sentences are in the order of their ids in `sentences`, if that is known, else as they come.

    >>> rare, frequent = Bucket(("X",), {"gold": 1}), Bucket(("NOUN",), {"gold": 9})
    >>> [bucket.values for bucket in in_order([rare, frequent], ("upos",))]
    [('NOUN',), ('X',)]
    """
    keys = [_ranks(buckets, place, name, sentences) for place, name in enumerate(by)]
    return sorted(
        buckets,
        key=lambda bucket: [rank[v] for rank, v in zip(keys, bucket.values, strict=True)],
    )


def _ranks(
    buckets: Sequence[Bucket], place: int, name: str, sentences: Sequence[str]
) -> dict[str, int]:
    """Return the rank of each value of a property."""
    total = dict.fromkeys(sentences if name == "sentence" else (), 0)
    for bucket in buckets:
        value = bucket.values[place]
        total[value] = total.get(value, 0) + bucket.counts["gold"]
    order = order_of(name)
    values = list(total)
    if order == "size":
        values.sort(key=_size)
    elif isinstance(order, tuple):
        values.sort(key=order.index)
    elif order != "corpus":
        values.sort(key=lambda value: (-total[value], value))
    return {value: rank for rank, value in enumerate(values)}


def _size(value: str) -> int:
    """Return the number that a range begins with, 0 for none.

    >>> _size("3–6"), _size("15+"), _size("root")
    (3, 15, 0)
    """
    digits = value.partition("–")[0].removesuffix("+")
    return int(digits) if digits.isdecimal() else 0

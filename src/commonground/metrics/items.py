"""What a metric counts: items of the gold standard and of the parse, and which of them agree.

Every metric of this package compares two collections of items: words, tokens, arcs, brackets. For
each item it says whether the other side has it too. From that follow, for all metrics alike, the
counts per sentence, their sums, the breakdowns by any property of an item, and the examples behind
a cell of a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus

__all__ = ["CountedItems", "Counts", "CountsInParts", "Items", "Side", "totals"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Side(NamedTuple):
    """The items of one side: the `rows` they come from, their gold `sentence`, which are `correct`.

    `aligned` tells which items the other side can have at all (their words are on both sides).
    `totals` are the items of each sentence, where they were counted before.
    """

    rows: Numbers
    sentence: Numbers
    correct: Flags
    aligned: Flags
    totals: Numbers | None = None

    def marked(self, at: slice | Numbers, correct: Flags) -> Side:
        """Return the same items, told which of those `at` some places (or of all) are correct."""
        right = correct
        if not isinstance(at, slice):
            right = np.zeros(len(self.rows), np.bool_)
            right[at] = correct
        return self._replace(correct=right)

    def where(self, keep: Flags) -> Side:
        """Return only some of the items."""
        if keep.all():
            return self
        at = np.flatnonzero(keep)
        return Side(self.rows[at], self.sentence[at], self.correct[at], self.aligned[at])


def totals(sentence: Numbers, sentences: int) -> Numbers:
    """Return how many items each sentence has, given the sentence of each item."""
    return np.bincount(sentence, minlength=sentences).astype(np.int64, copy=False)


@dataclass(frozen=True)
class Items:
    """The items of the gold standard and of the parse, in `sentences` gold sentences.

    The rows of the items are rows of the corpora's table `table`. What is no number of items (a sum
    of partly right ones, for example) stands in `further` columns, a whole number per sentence.
    `corpora` are the gold standard and the parse that have the table, where these are not the
    compared ones, but made of them.
    """

    gold: Side
    system: Side
    sentences: int
    table: str = "words"
    further: Mapping[str, Numbers] = field(default_factory=dict)
    corpora: tuple[Corpus, Corpus] | None = None

    @cached_property
    def counts(self) -> Counts:
        """How many items each sentence has: gold, system, correct, and aligned gold ones."""
        gold = self._totals(self.gold)
        same = self.system.sentence is self.gold.sentence
        return Counts(
            {
                "correct": self._sum(gold, self.gold.correct),
                "gold": gold,
                "system": gold if same else self._totals(self.system),
                "aligned": self._sum(gold, self.gold.aligned),
                **self.further,
            }
        )

    def _totals(self, side: Side) -> Numbers:
        return totals(side.sentence, self.sentences) if side.totals is None else side.totals

    def _sum(self, gold: Numbers, flags: Flags) -> Numbers:
        """Return how many gold items of each sentence have a flag; `gold` are all of them."""
        return gold if flags.all() else totals(self.gold.sentence[flags], self.sentences)

    @property
    def right(self) -> Flags | None:
        """Which items are right, sentence by sentence; None unless both sides have the same ones.

        Then the score is the share of items that are right, and two parses of one gold standard can
        be compared item by item.
        """
        columns = self.counts.columns
        if self.further or not np.array_equal(columns["gold"], columns["system"]):
            return None
        return self.gold.correct[np.argsort(self.gold.sentence, kind="stable")]


class CountedItems(Items):
    """Items that were counted before anybody asked which ones they are; then they are made.

    Everything but the counts is that of the items which `make` returns.
    """

    def __init__(self, counts: Counts, make: Callable[[], Items], table: str = "nodes") -> None:
        self.__dict__.update(counts=counts, _make=make, table=table, sentences=len(counts))

    @cached_property
    def _made(self) -> Items:
        items: Items = self.__dict__["_make"]()
        return items

    @cached_property
    def gold(self) -> Side:
        """The items of the gold standard."""
        return self._made.gold

    @cached_property
    def system(self) -> Side:
        """The items of the parse."""
        return self._made.system

    @cached_property
    def further(self) -> Mapping[str, Numbers]:
        """Further columns."""
        return self._made.further

    @cached_property
    def corpora(self) -> tuple[Corpus, Corpus] | None:
        """What the rows of the items belong to."""
        return self._made.corpora


@dataclass(frozen=True)
class Counts:
    """Whole numbers per sentence, in named columns.

    >>> Counts({"correct": np.array([1, 2]), "gold": np.array([2, 2])}).totals
    {'correct': 3, 'gold': 4}
    """

    columns: dict[str, Numbers]

    @cached_property
    def totals(self) -> dict[str, int]:
        """The sums over all sentences."""
        return {name: int(column.sum()) for name, column in self.columns.items()}

    @property
    def parts(self) -> Mapping[str, Iterable[Numbers]]:
        """The columns part by part, which is all at once unless they come in parts."""
        return {name: (column,) for name, column in self.columns.items()}

    def summed(self) -> Counts:
        """Return the counts of all sentences as those of one.

        >>> Counts({"correct": np.array([1, 2]), "gold": np.array([2, 2])}).summed().to_json()
        {'correct': [3], 'gold': [4]}
        """
        return Counts({name: np.array([total]) for name, total in self.totals.items()})

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def to_json(self) -> dict[str, list[int]]:
        """Return the columns as JSON has them."""
        return {name: column.tolist() for name, column in self.columns.items()}


class CountsInParts(Counts):
    """Counts whose sums are known, and whose columns are put together when somebody asks for them.

    >>> counts = CountsInParts({"gold": 6}, {"gold": [np.array([1, 2]), np.array([3])]})
    >>> counts.totals, counts.to_json()
    ({'gold': 6}, {'gold': [1, 2, 3]})
    """

    def __init__(self, totals: dict[str, int], parts: Mapping[str, Iterable[Numbers]]) -> None:
        self.__dict__.update(totals=totals, _parts=parts)

    @property
    def parts(self) -> Mapping[str, Iterable[Numbers]]:
        """The columns part by part."""
        columns: Mapping[str, Iterable[Numbers]] = self.__dict__["_parts"]
        return columns

    @cached_property
    def columns(self) -> dict[str, Numbers]:
        """The columns as a whole."""
        return {name: np.concatenate(list(column)) for name, column in self.parts.items()}

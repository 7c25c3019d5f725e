"""A table: columns of equal length, cut into sentences by one array of offsets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.strings import Strings

__all__ = ["Column", "Offsets", "Table", "offsets_of", "places_in_runs", "sums"]

Offsets = NDArray[np.int64]
Column = Strings | NDArray[np.generic]


class Table:
    """Named columns over all rows of a corpus; sentence s has the rows offsets[s] to offsets[s+1].

    Columns are :class:`Strings` or numpy arrays. References between rows (a head, a parent) are
    counted from the beginning of the sentence, so that cutting and joining corpora renumbers
    nothing.

    >>> t = Table([0, 2, 3], form=Strings.of(["Birds", "sing", "Listen"]), head=np.array([2, 0, 0]))
    >>> t.sentences, t.rows, t.take(np.array([1]))["form"].tolist()
    (2, 3, ['Listen'])
    """

    __slots__ = ("_sentence", "columns", "offsets")

    def __init__(self, offsets: Offsets | Sequence[int], **columns: Column) -> None:
        self.offsets: Offsets = np.asarray(offsets, dtype=np.int64)
        self.columns: dict[str, Column] = columns
        self._sentence: NDArray[np.int64] | None = None
        rows = int(self.offsets[-1])
        wrong = [name for name, column in columns.items() if len(column) != rows]
        if wrong:
            raise ValueError(f"columns {', '.join(wrong)} do not have {rows} rows")

    @property
    def sentences(self) -> int:
        """How many sentences the table is cut into."""
        return len(self.offsets) - 1

    @property
    def rows(self) -> int:
        """How many rows there are in all sentences together."""
        return int(self.offsets[-1])

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many rows each sentence has."""
        return np.diff(self.offsets)

    def sentence_of_row(self) -> NDArray[np.int64]:
        """Return for each row the number of its sentence; do not change what you get."""
        if self._sentence is None:  # asked for again and again
            self._sentence = np.repeat(np.arange(self.sentences), self.lengths)
        return self._sentence

    def row_in_sentence(self) -> NDArray[np.int64]:
        """Return for each row its place in its sentence, from 0."""
        return places_in_runs(self.lengths)

    def strings(self, name: str) -> Strings:
        """Return a column of text."""
        column = self.columns[name]
        assert isinstance(column, Strings), f"{name} is not a column of text"
        return column

    def numbers(self, name: str) -> NDArray[np.int32]:
        """Return a column of numbers."""
        column = self.columns[name]
        assert not isinstance(column, Strings), f"{name} is not a column of numbers"
        return column  # type: ignore[return-value]  # the dtype is the corpus classes' promise

    def __getitem__(self, name: str) -> Column:
        return self.columns[name]

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    def replace(self, **columns: Column) -> Table:
        """Return a table in which some columns are other ones or new."""
        return Table(self.offsets, **{**self.columns, **columns})

    def completed(self, **columns: Column) -> Table:
        """Return a table with those of some columns that it has not."""
        missing = {name: column for name, column in columns.items() if name not in self.columns}
        return self.replace(**missing) if missing else self

    def span(self, start: int, stop: int) -> Table:
        """Return the sentences from `start` to before `stop`; the columns are views, not copies."""
        first, last = int(self.offsets[start]), int(self.offsets[stop])
        offsets = self.offsets[start : stop + 1] - first
        return Table(offsets, **{n: column[first:last] for n, column in self.columns.items()})

    def take(self, sentences: NDArray[np.integer]) -> Table:
        """Return the sentences with these numbers, in this order."""
        lengths = self.lengths[sentences]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        rows = np.arange(offsets[-1]) + np.repeat(self.offsets[sentences] - offsets[:-1], lengths)
        return Table(offsets, **{n: column[rows] for n, column in self.columns.items()})

    def where(self, rows: NDArray[np.bool_]) -> Table:
        """Return the rows that a mask has; sentences stay, be it without rows."""
        ends = np.concatenate([[0], np.cumsum(rows)])[self.offsets]
        return Table(ends, **{n: column[rows] for n, column in self.columns.items()})

    @classmethod
    def concatenate(cls, parts: Sequence[Table]) -> Table:
        """Put tables one after the other; a column that one lacks reads ``_`` or -1 there."""
        if len(parts) == 1:
            return parts[0]
        starts = np.cumsum([0] + [part.rows for part in parts])
        offsets = [part.offsets[:-1] + start for part, start in zip(parts, starts, strict=False)]
        names = dict.fromkeys(name for part in parts for name in part.columns)
        columns = {name: _joined(name, parts) for name in names}
        return cls(np.concatenate([*offsets, starts[-1:]]), **columns)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return (
            np.array_equal(self.offsets, other.offsets)
            and self.columns.keys() == other.columns.keys()
            and all(same_column(self.columns[name], other.columns[name]) for name in self.columns)
        )

    __hash__ = None  # type: ignore[assignment]  # a table is a container

    def __repr__(self) -> str:
        names = ", ".join(self.columns)
        return f"Table({self.sentences} sentences, {self.rows} rows: {names})"


def same_column(one: Column, other: Column) -> bool:
    """Tell whether two columns read the same."""
    if isinstance(one, Strings) or isinstance(other, Strings):
        return one is other or (isinstance(one, Strings) and one == other)
    return bool(np.array_equal(one, other))


def _joined(name: str, parts: Sequence[Table]) -> Column:
    present = next(part.columns[name] for part in parts if name in part.columns)
    if isinstance(present, Strings):
        return Strings.concatenate(
            [
                part.strings(name) if name in part else Strings.constant("_", part.rows)
                for part in parts
            ]
        )
    return np.concatenate(
        [
            np.asarray(part.columns[name])
            if name in part
            else np.full(part.rows, -1, dtype=present.dtype)
            for part in parts
        ]
    )


def offsets_of(lengths: Mapping[int, int] | Sequence[int] | NDArray[np.integer]) -> Offsets:
    """Return the offsets of sentences of these lengths.

    >>> offsets_of([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    return np.concatenate([[0], np.cumsum(np.asarray(lengths, dtype=np.int64))]).astype(np.int64)


def places_in_runs(lengths: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return for runs of these lengths the place of each element in its run, from 0.

    >>> places_in_runs(np.array([2, 0, 3])).tolist()
    [0, 1, 0, 1, 2]
    """
    offsets = offsets_of(lengths)
    return np.arange(offsets[-1]) - np.repeat(offsets[:-1], lengths)


def sums(values: NDArray[Any], offsets: Offsets) -> NDArray[np.int64]:
    """Return the sum of the values of each sentence, 0 for one that has none.

    >>> sums(np.array([1, 2, 5]), np.array([0, 2, 2, 3])).tolist()
    [3, 0, 5]
    """
    return np.diff(np.concatenate([[0], np.cumsum(values, dtype=np.int64)])[offsets])

"""What a property is, and how numbers become the values of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Strings
from commonground.metrics.settings import Settings

__all__ = ["Order", "Property", "numbers", "ranges", "with_first"]

Numbers = NDArray[np.int64]

Order = Literal["frequency", "size", "corpus"] | tuple[str, ...]
"""How the values of a property stand in tables: the most frequent first, numbers by size, as they
are in the corpus, or as they are named here."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property of the rows of a table: its name, its `title` in texts, and how it is found.

    It is `of` some kinds of corpora and of one of their tables, or of the ``sentences`` of any
    kind; then all items of a sentence share it. `values` makes one text per row.
    """

    name: str
    title: str
    table: str
    of: tuple[str, ...]
    values: Callable[[Any, Settings], Strings]
    order: Order = "frequency"

    def fits(self, kind: str, table: str) -> bool:
        """Tell whether the rows of a table have it, by themselves or by their sentence."""
        return self.table == "sentences" or (self.table == table and kind in self.of)


def ranges(values: Numbers, starts: tuple[int, ...]) -> Strings:
    """Put numbers into ranges that begin with `starts`.

    >>> ranges(np.array([1, 2, 5, 99]), (1, 2, 3, 7)).tolist()
    ['1', '2', '3–6', '7+']
    """
    names = [
        str(first) if last == first else f"{first}–{last}"
        for first, last in zip(starts, (start - 1 for start in starts[1:]), strict=False)
    ]
    codes = np.searchsorted(np.array(starts), values, side="right") - 1
    return Strings(np.maximum(codes, 0).astype(np.int32), (*names, f"{starts[-1]}+"))


def with_first(column: Strings, first: NDArray[np.bool_], name: str) -> Strings:
    """Give some rows a value of their own, before all others."""
    return Strings(
        np.where(first, 0, column.codes + 1).astype(np.int32), (name, *column.vocabulary)
    )


def numbers(values: Numbers) -> Strings:
    """Return numbers as texts, each a value of its own.

    >>> numbers(np.array([3, 10, 3])).tolist()
    ['3', '10', '3']
    """
    distinct, codes = np.unique(values, return_inverse=True)
    return Strings(codes.astype(np.int32), [str(value) for value in distinct.tolist()])

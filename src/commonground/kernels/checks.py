"""What must hold of the arrays that kernels are given: both twins refuse the same, in these words.

The loops of the compiled kernels go through memory without asking; so everything that they rely on
is looked at before, with whole arrays, which costs little beside the loops.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "NO_TABLE",
    "NO_TREES",
    "TOO_MANY_WORDS",
    "arcs_of_words",
    "ascending",
    "column",
    "columns",
    "equally_long",
    "offsets",
    "parents_before",
    "square",
    "which_columns",
    "within",
]

Number = TypeVar("Number", bound=np.generic)
Numbers = NDArray[np.int64]

NO_TABLE = "lines that are no table"
NO_TREES = "brackets that are no trees"
TOO_MANY_WORDS = "multiword tokens of too many words to be lined up"


def column(values: Any, kind: type[Number]) -> NDArray[Number]:
    """Return values as an array of one dimension, whose numbers are of this kind.

    >>> column([1, 2], np.int32).dtype.name
    'int32'
    >>> column([1 << 40], np.int32)
    Traceback (most recent call last):
    ValueError: a number that does not fit its column
    """
    array = np.asarray(values)
    if array.ndim != 1 or (array.dtype.kind not in "iub" and len(array)):
        raise ValueError("a column that is no row of whole numbers")
    if array.dtype != kind and len(array):
        low, high = _limits(kind)
        if int(array.min()) < low or int(array.max()) > high:
            raise ValueError("a number that does not fit its column")
    return np.ascontiguousarray(array, kind)


def columns(values: Iterable[Any], kind: type[Number]) -> tuple[NDArray[Number], ...]:
    """Return arrays of any dimensions as compiled loops go through them, row after row.

    >>> [each.shape for each in columns(([1, 2], [[1], [2]]), np.int32)]
    [(2,), (2, 1)]
    """
    return tuple(np.ascontiguousarray(each, kind) for each in values)


def _limits(kind: type[Number]) -> tuple[int, int]:
    if kind is np.bool_:
        return 0, 1
    limits = np.iinfo(kind)  # type: ignore[type-var]  # the others are whole numbers
    return int(limits.min), int(limits.max)


def offsets(values: Any, rows: int) -> Numbers:
    """Return where each of some groups of rows begins; the last number is that of all rows.

    >>> offsets([0, 2, 1], 2)
    Traceback (most recent call last):
    ValueError: offsets that do not fit their rows
    """
    starts = column(values, np.int64)
    if not len(starts) or starts[0] != 0 or starts[-1] != rows or (starts[1:] < starts[:-1]).any():
        raise ValueError("offsets that do not fit their rows")
    return starts


def equally_long(*columns: NDArray[Any]) -> None:
    """Refuse columns of different lengths."""
    if len({len(each) for each in columns}) > 1:
        raise ValueError("columns of different lengths")


def within(values: NDArray[Any], low: int, high: int | NDArray[Any], what: str) -> None:
    """Refuse numbers that are below `low`, or not below `high`.

    >>> within(np.array([0, 3]), 0, 3, "a node that is none")
    Traceback (most recent call last):
    ValueError: a node that is none
    """
    if not values.size:
        return
    # The least and the greatest need no column of answers.
    above = values.max() >= high if isinstance(high, int) else (values >= high).any()
    if above or values.min() < low:
        raise ValueError(what)


def which_columns(wanted: Any, width: int) -> NDArray[np.bool_]:
    """Return which of so many columns are wanted: all of them without a word about it.

    >>> which_columns((0, 1, 1), 3).tolist()
    [False, True, True]
    """
    chosen = np.ones(width, np.bool_) if wanted is None else column(wanted, np.bool_)
    if len(chosen) != width:
        raise ValueError("columns that the table has not")
    return chosen


def parents_before(parent: NDArray[Any], starts: NDArray[Any] | None = None) -> None:
    """Refuse nodes that stand before their parents (-1 is none), counted from `starts`.

    >>> parents_before(np.array([-1, 0, 2]))
    Traceback (most recent call last):
    ValueError: a node that stands before its parent
    """
    places = np.arange(len(parent), dtype=None if starts is None else starts.dtype)
    if starts is not None:
        places -= starts
    within(parent, -1, places, "a node that stands before its parent")


def ascending(values: Numbers, begins: Numbers, what: str) -> None:
    """Refuse numbers that descend inside a group; `begins` are the offsets of the groups.

    >>> ascending(np.array([1, 3, 2]), np.array([0, 2, 3]), "starts")
    >>> ascending(np.array([1, 3, 2]), np.array([0, 3]), "starts")
    Traceback (most recent call last):
    ValueError: starts that do not ascend
    """
    down = np.flatnonzero(values[1:] < values[:-1]) + 1
    if not np.isin(down, begins, assume_unique=False).all():
        raise ValueError(f"{what} that do not ascend")


def square(values: Any) -> NDArray[np.bool_]:
    """Return a square of truth values.

    >>> square(np.zeros((1, 2), np.bool_))
    Traceback (most recent call last):
    ValueError: a table of labels that is no square
    """
    array = np.ascontiguousarray(values, np.bool_)
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise ValueError("a table of labels that is no square")
    return array


def arcs_of_words(
    words: Numbers,
    arcs: Numbers,
    head: NDArray[np.int32],
    word: NDArray[np.int32],
    score: Numbers,
    longest: int,
) -> Numbers:
    """Refuse arcs that leave their sentence or do not fit it; return the sentence of each arc.

    >>> columns = np.array([2], np.int32), np.array([1], np.int32), np.array([5])
    >>> arcs_of_words(np.array([0, 2]), np.array([0, 1]), *columns, 10).tolist()
    [0]
    >>> arcs_of_words(np.array([0, 1]), np.array([0, 1]), *columns, 10)
    Traceback (most recent call last):
    ValueError: an arc that leaves its sentence
    """
    if len(words) != len(arcs) or not len(words) or words[0] or arcs[0]:
        raise ValueError("offsets that do not fit each other")
    if (np.diff(words) < 0).any() or (np.diff(arcs) < 0).any():
        raise ValueError("offsets that descend")
    if not len(head) == len(word) == len(score) == arcs[-1]:
        raise ValueError("the columns differ in length")
    if np.diff(words).max(initial=0) > longest:
        raise ValueError(f"a sentence of more than {longest} words")
    sentence = np.repeat(np.arange(len(words) - 1), np.diff(arcs))
    length = np.diff(words)[sentence]
    if (head < 0).any() or (head > length).any() or (word < 1).any() or (word > length).any():
        raise ValueError("an arc that leaves its sentence")
    return sentence

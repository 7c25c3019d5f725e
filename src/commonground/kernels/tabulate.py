"""Cut lines of tab-separated columns into sentences and number the texts of each column.

This is the plain twin of ``_tabulate.pyx``. Every CoNLL-like format is read with it; what the
columns mean is decided on the few distinct texts of each column, not here. All lines are cut at
once, with whole arrays: there is no Python object for a field, only for a distinct text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress, count

import numpy as np
from numpy.typing import NDArray

from commonground.kernels.checks import NO_TABLE, which_columns
from commonground.kernels.grouping import PADDING, Places, first_equal
from commonground.kernels.texts import BETWEEN_BLOCKS, Texts

__all__ = ["Vocabulary", "tabulate"]

Tabulated = tuple[
    list[NDArray[np.int32]],
    list[Texts],
    NDArray[np.int64],
    tuple[NDArray[np.int32], Texts],
    NDArray[np.int64],
]

_TAB, _NEWLINE, _HASH = b"\t\n#"
_MOST_COLUMNS = 64
"""The compiled twin has room for so many."""

_CLOSING = b"\n\n" + bytes(PADDING)
"""What is put behind the content: its last line is closed then, and a blank one follows."""


def tabulate(
    data: bytes,
    width: int,
    tail: bool,  # noqa: FBT001  # a kernel's signature
    comments: bool,  # noqa: FBT001
    wanted: Sequence[bool] | None = None,
) -> Tabulated:
    r"""Cut lines of tab-separated columns into sentences and number the texts of each column.

    Sentences are separated by blank lines and, with `comments`, may begin with comment lines
    (``#``). Every other line has `width` columns, none of them empty; with `tail` the last column
    takes the rest of the line, tabs included, and may be empty or absent. Of columns that are not
    `wanted` the texts are not numbered; they must be UTF-8 all the same.

    Returns (codes, texts, offsets, comments, lines): for each column the number of the text on each
    line and the texts in the order of their first appearance; where each sentence begins in the
    columns; the number of the comments of each sentence, and the distinct comments; on which line
    (from 1) each sentence begins. Raises ValueError when the content is not like that.

    >>> content = b"# a\n1\tHi\n2\tHi\n\n1\tHo\n"
    >>> codes, texts, offsets, blocks, lines = tabulate(content, 2, False, True)
    >>> codes[1].tolist(), texts[1].parts, offsets.tolist(), lines.tolist()
    ([0, 0, 1], ('Hi', 'Ho'), [0, 2, 3], [1, 5])
    >>> blocks[0].tolist(), blocks[1].parts
    ([0, 1], ('# a', ''))
    """
    if not 1 <= width <= _MOST_COLUMNS:
        raise ValueError(f"a table of {width} columns")
    chosen = which_columns(wanted, width)
    if not chosen.all():
        _refuse_no_text(data)
    data += _CLOSING
    content = np.frombuffer(data, np.uint8, len(data) - PADDING)
    separators = np.flatnonzero((content == _TAB) | (content == _NEWLINE))
    newlines = np.flatnonzero(content[separators] == _NEWLINE)
    stops = separators[newlines]
    starts = np.append(0, stops[:-1] + 1)
    words, heads = _words_and_heads(starts == stops, (content[starts] == _HASH) & comments)
    offsets = np.append(np.searchsorted(words, heads), len(words))
    comments_end = np.maximum(starts[heads], starts[words[offsets[:-1]]] - 1)
    before = np.append(-1, newlines[:-1])
    fields = list(_fields(separators, before[words], newlines[words], width, tail))
    distinct = Vocabulary()
    spans = _texts(data, starts[heads], comments_end)
    blocks = np.fromiter(map(distinct.__getitem__, spans), np.int32, len(spans))
    columns = [_numbered(data, start, stop) for start, stop in compress(fields, chosen)]
    codes, texts = [each for each, _ in columns], [each for _, each in columns]
    return codes, texts, offsets, (blocks, Texts.of(tuple(distinct), BETWEEN_BLOCKS)), heads + 1


def _refuse_no_text(data: bytes) -> None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(NO_TABLE) from error


def _words_and_heads(blank: NDArray[np.bool_], comment: NDArray[np.bool_]) -> tuple[Places, Places]:
    """Return which lines are words, and on which the sentences begin."""
    word = ~(blank | comment)
    if (word[:-1] & comment[1:]).any():
        raise ValueError(NO_TABLE)
    if (comment[:-1] & blank[1:]).any():
        raise ValueError(NO_TABLE)
    return np.flatnonzero(word), np.flatnonzero(np.diff(blank, prepend=True) & ~blank)


def _fields(
    separators: Places,
    before: Places,
    last: Places,
    width: int,
    tail: bool,  # noqa: FBT001
) -> Iterator[tuple[Places, Places]]:
    """Return for each column where its fields start and stop.

    The separators `before` a line and `last` in it are newlines, those between them are tabs.
    """
    surplus = last - before - width
    if (surplus < -tail).any() or (not tail and surplus.any()):
        raise ValueError(NO_TABLE)
    starts = np.where(before < 0, 0, separators[before] + 1)
    for column in range(1, width + 1):
        stops = separators[before + column if column < width else last]
        if tail and column == width:
            starts = np.minimum(starts, stops)  # an absent one would start behind the line
        elif (starts == stops).any():
            raise ValueError(NO_TABLE)
        yield starts, stops
        starts = stops + 1


def _numbered(data: bytes, starts: Places, stops: Places) -> tuple[NDArray[np.int32], Texts]:
    """Return the number of each field of a column, and the distinct texts."""
    first = first_equal(data, starts, stops - starts)
    new = np.flatnonzero(first == np.arange(len(first)))
    codes = np.empty(len(first), np.int32)
    codes[new] = np.arange(len(new))
    return codes[first], Texts.of(_texts(data, starts[new], stops[new]))


def _texts(data: bytes, starts: Places, stops: Places) -> list[str]:
    spans = zip(starts.tolist(), stops.tolist(), strict=True)
    try:
        return [data[start:stop].decode("utf-8") for start, stop in spans]
    except UnicodeDecodeError as error:
        raise ValueError(NO_TABLE) from error


class Vocabulary(defaultdict[str, int]):
    """A mapping that numbers each new text with the next free number.

    Texts are added only by asking for their numbers, so that no Python is run for a new one.

    >>> v = Vocabulary({"S": 0})
    >>> [v[x] for x in ["NP", "VP", "NP"]]
    [1, 2, 1]
    """

    __slots__ = ()

    def __init__(self, known: Mapping[str, int] | Iterable[tuple[str, int]] = ()) -> None:
        super().__init__(None, known)
        self.default_factory = count(len(self)).__next__

    def copy(self) -> Vocabulary:
        """Return the same texts with the same numbers; new ones are numbered on their own."""
        return Vocabulary(self)

    __copy__ = copy

    def __reduce__(self) -> tuple[type[Vocabulary], tuple[dict[str, int]]]:
        return Vocabulary, (dict(self),)

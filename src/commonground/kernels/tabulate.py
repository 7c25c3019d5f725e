"""Cut lines of tab-separated columns into sentences and number the texts of each column.

This is the plain twin of ``_tabulate.pyx``. Every CoNLL-like format is read with it; what the columns
mean is decided on the few distinct texts of each column, not here.
"""

from __future__ import annotations

from itertools import repeat

import numpy as np
from numpy.typing import NDArray

__all__ = ["Vocabulary", "tabulate"]

Tabulated = tuple[
    list[NDArray[np.int32]],
    list[list[str]],
    NDArray[np.int64],
    list[str],
    NDArray[np.int64],
]

_STEP = 2000
"""So many lines at a time: their fields stay in the processor's cache until they are numbered."""


def tabulate(data: bytes, width: int, tail: bool) -> Tabulated:  # noqa: FBT001  # a kernel's signature
    r"""Cut lines of tab-separated columns into sentences and number the texts of each column.

    Sentences are separated by blank lines and may begin with comment lines (``#``). Every other line
    has `width` columns, none of them empty; with `tail` the last column takes the rest of the line,
    tabs included, and may be empty or absent.

    Returns (codes, texts, offsets, comments, lines): for each column the number of the text on each
    line and the texts in the order of their first appearance; where each sentence begins in the
    columns; the comments of each sentence; on which line (from 1) each sentence begins. Raises
    ValueError when the content is not like that.

    >>> codes, texts, offsets, comments, lines = tabulate(b"# a\n1\tHi\n2\tHi\n\n1\tHo\n", 2, False)
    >>> codes[1].tolist(), texts[1], offsets.tolist(), comments, lines.tolist()
    ([0, 0, 1], ['Hi', 'Ho'], [0, 2, 3], ['# a', ''], [1, 5])
    """
    rows: list[str] = []
    offsets, comments, lines = [0], [], []
    line = 1
    for block in data.decode("utf-8").split("\n\n"):
        sentence = block.strip("\n").split("\n")
        if sentence != [""]:
            lines.append(line + len(block) - len(block.lstrip("\n")))
            head = 0
            while head < len(sentence) and sentence[head].startswith("#"):
                head += 1
            comments.append("\n".join(sentence[:head]))
            rows += sentence[head:]
            if len(rows) == offsets[-1]:
                raise ValueError(f"comments without words on line {lines[-1]}")
            offsets.append(len(rows))
        line += block.count("\n") + 2
    codes, texts = _numbered(rows, width, tail)
    return codes, texts, np.array(offsets), comments, np.array(lines, np.int64)


def _numbered(
    rows: list[str], width: int, tail: bool  # noqa: FBT001  # a kernel's signature
) -> tuple[list[NDArray[np.int32]], list[list[str]]]:
    vocabularies = [Vocabulary() for _ in range(width)]
    codes = [np.empty(len(rows), np.int32) for _ in range(width)]
    cut = _columns_with_tail if tail else _columns
    for start in range(0, len(rows), _STEP):
        columns = cut(rows[start : start + _STEP], width)
        for column, numbers, vocabulary in zip(columns, codes, vocabularies, strict=True):
            numbers[start : start + _STEP] = list(map(vocabulary.__getitem__, column))
    if any("" in vocabulary for vocabulary in vocabularies[: width - tail]):
        raise ValueError("an empty column")
    if any(text.startswith("#") for text in vocabularies[0]):
        raise ValueError("a comment inside a sentence")
    return codes, [list(vocabulary) for vocabulary in vocabularies]


def _columns(rows: list[str], width: int) -> list[list[str]]:
    if set(map(str.count, rows, repeat("\t"))) != {width - 1}:
        raise ValueError("not the same number of columns on every line")
    fields = "\t".join(rows).split("\t")
    return [fields[column::width] for column in range(width)]


def _columns_with_tail(rows: list[str], width: int) -> list[tuple[str, ...]]:
    fields = [row.split("\t", width - 1) for row in rows]
    if any(len(row) < width - 1 for row in fields):
        raise ValueError("a line with too few columns")
    return list(zip(*(row if len(row) == width else [*row, ""] for row in fields), strict=True))


class Vocabulary(dict[str, int]):
    """A mapping that numbers each new text with the next free number.

    >>> v = Vocabulary()
    >>> [v[x] for x in ["NP", "VP", "NP"]]
    [0, 1, 0]
    """

    __slots__ = ()

    def __missing__(self, text: str) -> int:
        self[text] = code = len(self)
        return code

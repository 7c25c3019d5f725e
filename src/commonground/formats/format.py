"""What a format is: how to recognise, read, check, write and cut its files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus
from commonground.errors import InputError, Problem
from commonground.kernels import load

__all__ = [
    "Format",
    "FormatOptions",
    "blank_line_cut",
    "blank_line_ends",
    "cut_after",
    "first_problem",
    "line_cut",
    "line_ends",
]


class FormatOptions(NamedTuple):
    """How to read: `partial` allows words without a head.

    With `parts`, the files beside it that a file names as its parts are read, too; not where all
    files of a folder are, so that nothing is read twice. `columns` names those that will be looked
    at: others may be read later, if at all. Without any, all are read at once.
    """

    partial: bool = False
    parts: bool = False
    columns: frozenset[str] = frozenset()


class Format(NamedTuple):
    r"""A file format.

    `read` makes a corpus of the whole content of a file (bytes in UTF-8, newlines are ``\n``) or
    raises :class:`InputError`; `path` and `line` (the number of the first line) are for messages
    and for the origin of the sentences. `problems` finds everything that is wrong with the content;
    `read` and `problems` agree: what cannot be read has a problem. `write` returns the bytes of a
    file, piece by piece. `cut` returns where a block of complete lines can be cut so that both
    sides are whole (0: nowhere), for files larger than memory. `looks_like` tells from the first
    lines of a file how likely it is in this format, from 0 to 1. `header` returns the beginning of
    a file without which the rest cannot be read. Files of a `concatenable` format can be put one
    after the other. `ends` returns where the sentences of a block end that begins with a whole one;
    it is there for formats in which that is told much faster than the block is read, so that many
    processes can share the reading of a file. `start` is what a file begins with that is written.
    `suffixes` are those of its files (for formats of this package, ``registry.py`` has them).
    """

    name: str
    title: str
    corpus: type[Corpus]
    looks_like: Callable[[str], float]
    read: Callable[[bytes, str, int, FormatOptions], Any]
    problems: Callable[[bytes, FormatOptions], Iterator[Problem]]
    cut: Callable[[bytes], int]
    write: Callable[[Any], Iterable[bytes]] | None = None
    aliases: tuple[str, ...] = ()
    header: Callable[[bytes], bytes] = lambda _: b""
    concatenable: bool = True
    ends: Callable[[memoryview], NDArray[np.int64]] | None = None
    start: bytes = b""
    suffixes: tuple[str, ...] = ()

    def written(self, piece: Any, *, first: bool) -> Iterator[bytes]:
        """Return the bytes of a piece of a corpus; only the first one has the `start` of a file."""
        assert self.write is not None, f"{self.name} cannot be written"
        parts = iter(self.write(piece))
        if self.start and not first:
            yield next(parts).removeprefix(self.start)
        yield from parts


def line_cut(block: bytes) -> int:
    """Cut after the last line."""
    return block.rfind(b"\n") + 1


def cut_after(ending: bytes) -> Callable[[bytes], int]:
    r"""Return what cuts after the last text that sentences end with.

    >>> cut_after(b"}\n")(b"{1}\n{2}\n{3"), cut_after(b"}\n")(b"{1")
    (8, 0)
    """

    def cut(block: bytes) -> int:
        place = block.rfind(ending)
        return place + len(ending) if place >= 0 else 0

    return cut


def blank_line_cut(block: bytes) -> int:
    """Cut after the last blank line."""
    return cut_after(b"\n\n")(block)


def blank_line_ends(block: bytes | memoryview) -> NDArray[np.int64]:
    r"""Return the places after the blank line of each sentence; more blank lines are no matter.

    >>> blank_line_ends(b"\n1\tHi\n\n\n1\tHo\n\n1\tHa\n").tolist()
    [7, 14]
    """
    twice: NDArray[np.int64] = load("contents").blank_lines(block)
    # Of many newlines in a row the first two end the sentence, unless nothing stands before them.
    return twice[np.diff(twice, prepend=-1) > 1] + 2


_FULL_LINE = re.compile(rb"\S[^\n]*\n")


def line_ends(block: bytes | memoryview) -> NDArray[np.int64]:
    r"""Return the places after each line that is not blank.

    >>> line_ends(b"\n{}\n \n{}\n").tolist()
    [4, 9]
    """
    return np.array([match.end() for match in _FULL_LINE.finditer(block)], np.int64)


def first_problem(path: str, line: int, problems: Iterator[Problem]) -> InputError:
    """Return the error for the first of the problems of a content that begins on `line`."""
    problem = next(problems, None)
    assert problem is not None, "what cannot be read has a problem"
    return InputError(path, line + problem.line - 1, problem.message)

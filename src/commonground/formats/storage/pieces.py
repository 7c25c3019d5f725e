"""Pieces of large files: some sentences each, cut in step with other files, read wherever needed.

Where the sentences of a file end is told much faster than the file is read. So one process can cut
a gold standard and its parses into pieces of the same sentences, without reading them, and many
processes can read the pieces.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus
from commonground.errors import InputError
from commonground.formats.format import FormatOptions, blank_line_ends
from commonground.formats.registry import detect, find_format
from commonground.formats.storage.encodings import or_guessed
from commonground.formats.storage.files import open_bytes, placed_blocks, shown
from commonground.kernels import load

__all__ = ["Cutter", "Piece", "in_step", "pieces_of"]


@dataclass(frozen=True, slots=True)
class Piece:
    """Some sentences of a file, from the sentence with the number `first` and from `line` on.

    `content` is what is to be read, or where that stands in the file: its first byte, and the byte
    after its last one. A `header` has to be read before it. Where it is known how many sentences
    these are, `count` tells it.
    """

    path: str
    format: str
    content: bytes | tuple[int, int]
    line: int = 1
    first: int = 1
    count: int | None = None
    header: bytes = b""

    def read(self, options: FormatOptions) -> Corpus:
        """Return the sentences, with the numbers that they have in the whole file."""
        read = find_format(self.format).read
        corpus = or_guessed(read, self.data, shown(self.path), self.begin, options)
        if self.count not in (None, len(corpus)):
            raise InputError(shown(self.path), self.line, "the file changed while it was read")
        return corpus.numbered(self.first)

    def in_parts(self, options: FormatOptions, size: int) -> Iterator[Corpus]:
        """Read about `size` bytes at a time, so that they stay in the cache of the processor.

        Where a part cannot be read this stops with an error: only the whole piece tells what it is,
        or which encoding it is in.
        """
        its, data = find_format(self.format), self.data
        header = self.header or its.header(data)
        whole = memoryview(data)
        line, first, begin = self.begin, self.first, 0
        for end in [*self._cuts(data, len(header), size), len(data)]:
            before = header if begin else b""
            part = Piece(self.path, self.format, data[begin:end], line, first, header=before)
            corpus: Corpus = its.read(part.data, shown(self.path), part.begin, options)
            yield corpus.numbered(first)
            line += load("contents").lines(whole[begin:end])
            first, begin = first + len(corpus), end

    def _cuts(self, data: bytes, begin: int, size: int) -> list[int]:
        """Return where the data can be cut into parts of about `size` bytes."""
        ends = find_format(self.format).ends
        wanted = np.arange(size, len(data) - size // 2, size)
        if ends is None or not len(wanted):
            return []
        if ends is blank_line_ends:  # which need not be looked for everywhere
            found = (data.find(_CLOSING, place) for place in wanted.tolist())
            return sorted({place + len(_CLOSING) for place in found if place >= 0} - {len(data)})
        places = ends(memoryview(data)[begin:]) + begin
        after = np.searchsorted(places, wanted)
        return np.unique(places[after[after < len(places) - 1]]).tolist()

    @property
    def begin(self) -> int:
        """The line that the data begins on, if the header stood right before the content."""
        return self.line - self.header.count(b"\n")

    @property
    def data(self) -> bytes:
        """What is to be read: the header and the content."""
        if isinstance(self.content, bytes):
            return self.header + self.content
        start, stop = self.content
        with open_bytes(self.path) as file:
            file.seek(start)
            return self.header + file.read(stop - start)


class Cutter:
    """Cuts a file whose format knows the `ends` of sentences into pieces of so many sentences.

    It is read in blocks of about `size` bytes, so that the pieces have about that size, too. Those
    that are `held` have their content, so that who reads them at once need not go to the file.
    """

    def __init__(self, path: str, format: str | None, size: int, *, held: bool = False) -> None:
        _keep_memory_flat()
        self.path = path
        self._size, self._held = size, held
        self._blocks = placed_blocks(path, size)
        self._data = b""
        self._place: int | None = None  # of the data in the file
        self._line, self._taken = 1, 0
        self._more = self._grow()
        while self._more and self._short(len(self._data)):
            self._more = self._grow()
        self.format = find_format(format) if format else detect(self._data, path)
        self._header = self.format.header(self._data)
        self._read_from = len(self._header)
        self._ends: NDArray[np.int64] | None = None  # of the sentences; none were looked for yet

    @property
    def whole(self) -> bool:
        """Whether the file has but one block, so that it need not be cut."""
        return not self._more and not self._taken

    @property
    def ready(self) -> int:
        """How many sentences can be taken at once; 0 at the end of the file.

        Before the end of the file one more is kept back, so that what stands behind the last
        sentence is never left alone.
        """
        ends = self._known_ends()
        while self._more and (len(ends) < 2 or self._short(int(ends[-2]))):
            self._more = self._grow()
            ends = self._scan(ends)
        return len(ends) - self._more

    def take(self, count: int) -> Piece:
        """Return the next sentences; all of the file that is left where it is the last ones."""
        ends = self._known_ends()
        last = not self._more and count == len(ends)
        end = len(self._data) if last else int(ends[count - 1])
        piece = self._piece(end, count)
        self._ends = ends[count:] - end
        return piece

    def all(self) -> Piece:
        """Return the whole file as one piece; nothing has been taken yet, and nothing can be."""
        content = b"".join([self._data, *(block for _, block in self._blocks)])
        return Piece(self.path, self.format.name, content)

    def total(self, options: FormatOptions) -> int:
        """Read the rest of the file, and return how many sentences all of it has."""
        while ready := self.ready:
            self.take(ready).read(options)
        return self._taken

    def _piece(self, end: int, count: int) -> Piece:
        """Return the data up to a place as a piece, and go on behind it."""
        place = self._place
        header = self._header if self._taken else b""
        line, first = self._line, self._taken + 1
        if self._more or end < len(self._data):
            self._line += load("contents").lines(memoryview(self._data)[:end])
        self._taken += count
        held, self._data = [self._data], b""
        data, self._data = load("contents").parted(held, end)
        content = data if place is None or self._held else (place, place + end)
        self._read_from = 0
        self._place = None if place is None else place + end
        return Piece(self.path, self.format.name, content, line, first, count, header)

    def _grow(self) -> bool:
        """Take more to the data, at least as much as there is, and tell whether there was more."""
        before = len(self._data)
        try:
            # What has just begun cannot be sent anything.
            place, data = self._blocks.send(self._data) if before else next(self._blocks)
        except StopIteration:
            return False
        if not before:
            self._place = place
        elif self._place is None or place != self._place + before:
            self._place = None
        self._data = data
        return True

    def _short(self, length: int) -> bool:
        """Tell whether so many bytes are clearly less than a block: then the file may have ended.

        Else a piece of one sentence, the one that is kept back, would remain of many files.
        """
        return length < self._size * 7 // 8

    def _known_ends(self) -> NDArray[np.int64]:
        return self._scan(np.empty(0, np.int64)) if self._ends is None else self._ends

    def _scan(self, ends: NDArray[np.int64]) -> NDArray[np.int64]:
        """Find the ends of sentences behind those that are known, and return all of them."""
        assert self.format.ends is not None
        known = int(ends[-1]) if len(ends) else self._read_from
        found = [ends, self.format.ends(memoryview(self._data)[known:]) + known]
        if not self._more:
            last = int(found[-1][-1]) if len(found[-1]) else known
            closed = self.format.ends(memoryview(self._data[last:] + _CLOSING)) + last
            found.append(np.minimum(closed, len(self._data)))
        self._ends = np.concatenate(found)
        return self._ends


_APART, _HELD = 2 << 20, 16 << 20
"""Memory of at least so many bytes is taken from the system, and given back to it.

So is what is free at the end of the heap, but only if it is more than the second number: else each
piece would take it anew, and what the system gives it has to clear first.
"""


@cache
def _keep_memory_flat() -> None:
    """Keep large pieces out of the heap of C.

    glibc takes the first large pieces from the system, and then raises its limit; later ones lie
    in the heap, whose gaps grow with the number of pieces: 10 million words took 1.1 times the
    memory of one million.
    """
    if sys.platform == "linux":
        tell = getattr(ctypes.CDLL(None), "mallopt", None)
        if tell is not None:  # other C libraries have none, and no such heap
            tell(_M_MMAP_THRESHOLD, _APART)
            tell(_M_TRIM_THRESHOLD, _HELD)


_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3

_CLOSING = b"\n\n"
"""What ends the last sentence of a file, if the file does not."""


def in_step(cutters: Sequence[Cutter]) -> Iterator[list[Piece]]:
    """Return pieces of all files, with the same sentences of each, as far as all of them have any.

    The first pieces are there even if a file has no sentence at all: reading them tells what is
    wrong with it.
    """
    ready = [cutter.ready for cutter in cutters]
    if not min(ready):
        yield [cutter.take(count) for cutter, count in zip(cutters, ready, strict=True)]
    while count := min(cutter.ready for cutter in cutters):
        yield [cutter.take(count) for cutter in cutters]


def pieces_of(path: str, format: str | None, size: int, *, held: bool = False) -> Iterator[Piece]:
    """Return pieces of about `size` bytes of a file, `held` as in :class:`Cutter`.

    A file whose format does not know where sentences end is one piece.
    """
    cutter = Cutter(path, format, size, held=held)
    if cutter.whole or cutter.format.ends is None:
        yield cutter.all()
        return
    while ready := cutter.ready:
        yield cutter.take(ready)

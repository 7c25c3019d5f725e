"""Files larger than memory, chunk by chunk, in any format that says where it can be cut."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from commonground.corpus import Corpus
from commonground.formats.format import FormatOptions
from commonground.formats.registry import detect, find_format
from commonground.formats.storage.files import block_reader
from commonground.formats.storage.pieces import Piece

__all__ = ["SMALL", "chunks", "read_chunks", "read_each"]

SMALL = 1 << 22
"""Chunks of so many bytes take little memory, and starting on one takes no time."""


def read_chunks(
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    partial: bool = False,
    size: int = 1 << 24,
) -> Iterator[Corpus]:
    """Read a treebank in pieces of about `size` bytes, for files larger than memory."""
    options = FormatOptions(partial, parts=True)
    return (corpus for _, corpus in read_each(chunks(path, format, size), options))


def read_each(pieces: Iterator[Piece], options: FormatOptions) -> Iterator[tuple[Piece, Corpus]]:
    """Read pieces of a file; their sentences get the numbers that they have in it."""
    first = 1
    for piece in pieces:
        corpus = replace(piece, first=first).read(options)
        first += len(corpus)
        yield piece, corpus


def chunks(path: str | os.PathLike[str], format: str | None, size: int) -> Iterator[Piece]:
    """Cut a file into pieces of about `size` bytes, larger where it cannot be cut before."""
    name = os.fspath(path)
    entry = find_format(format) if format else None
    header, line, parts = b"", 1, [b""]
    held = wanted = 0
    for block in block_reader(path, size):
        parts.append(block)
        held += len(block)
        if held < wanted:
            continue
        data = b"".join(parts)
        entry = entry or detect(data, name)
        cut = entry.cut(data)
        if cut:
            yield Piece(name, entry.name, data[:cut], line, header=header)
            header = header or entry.header(data)
            line += data.count(b"\n", 0, cut)
        parts = [data[cut:]]
        held = len(data) - cut
        wanted = 0 if cut else held + held // 8  # a file without cuts is not joined for each block
    data = b"".join(parts)
    if data.strip() or line == 1:
        entry = entry or detect(data, name)
        yield Piece(name, entry.name, data, line, header=header)

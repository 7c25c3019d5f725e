"""From one format to another, piece by piece, so that a file may be larger than memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial as bound

from commonground.corpus import Corpus, Dependencies, Relations
from commonground.corpus.graph import relations_of
from commonground.errors import UsageError
from commonground.formats.files import STANDARD, shown
from commonground.formats.format import Format
from commonground.formats.registry import (
    find_format,
    format_of_path,
    formats,
    read_chunks,
    write,
)

__all__ = ["convert"]


def convert(  # options, by name
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    partial: bool = False,
    enhanced: bool = False,
    watch: Callable[[Corpus], None] = lambda _: None,
) -> None:
    """Read a treebank from one file and write it to another in another format.

    The content of `source` and the suffix of `target` tell the formats that are not named. Formats
    that hold the same kind of corpus can be converted into each other, and dependencies can be
    written as relations, with `enhanced` those of the enhanced graph. `watch` is called with each
    piece after it was read.
    """
    entry = _target(target, target_format)
    turn = bound(_turned, entry=entry, source=shown(source), enhanced=enhanced)

    def pieces() -> Iterator[Corpus]:
        for piece in read_chunks(source, source_format, partial=partial):
            watch(piece)
            yield turn(piece)

    write(pieces(), target, entry.name)


def _target(target: str | os.PathLike[str], name: str | None) -> Format:
    if name is None and os.fspath(target) == STANDARD:
        raise UsageError("standard output has no suffix to tell the format; name it with --to")
    entry = find_format(name) if name else format_of_path(target)
    if entry.write is None:
        raise UsageError(f"{entry.title} can be read, but not written")
    return entry


def _turned(piece: Corpus, *, entry: Format, source: str, enhanced: bool) -> Corpus:
    """Return a piece as the kind of corpus that a format holds."""
    if isinstance(piece, entry.corpus):
        return piece
    if isinstance(piece, Dependencies) and issubclass(entry.corpus, Relations):
        return relations_of(piece, enhanced=enhanced)
    raise UsageError(
        f"{source} has {piece.kind}, but {entry.title} holds {entry.corpus.kind}; "
        f"{piece.kind} can be written as {', '.join(_possible(piece))}"
    )


def _possible(piece: Corpus) -> list[str]:
    """Return the names of the formats in which (the first sentence of) a piece can be written."""
    kinds = {type(piece): piece[:1]}
    if isinstance(piece, Dependencies):
        kinds[Relations] = relations_of(piece[:1])
    return [
        entry.name
        for entry in formats()
        if entry.write and entry.corpus in kinds and _holds(entry, kinds[entry.corpus])
    ]


def _holds(entry: Format, corpus: Corpus) -> bool:
    assert entry.write is not None
    try:
        list(entry.write(corpus))
    except UsageError:
        return False
    return True

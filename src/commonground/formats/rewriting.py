"""Files in, files out, piece by piece, so that a file may be larger than memory.

:func:`rewrite` is what every verb stands on that reads a treebank and writes another one; what it
makes of the pieces is up to the caller (:func:`commonground.convert` leads to other kinds of
corpora).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from commonground.corpus import Corpus, Dependencies, Graphs, Relations
from commonground.corpus.arcs import to_relations
from commonground.errors import CommonGroundError, UsageError, setting
from commonground.formats.format import Format
from commonground.formats.notation.bilexical import predicate_graphs
from commonground.formats.registry import (
    find_format,
    format_of_path,
    formats,
    write,
)
from commonground.formats.storage.chunks import read_chunks
from commonground.formats.storage.files import STANDARD, shown

__all__ = ["Change", "Ways", "rewrite", "rewrite_dependencies"]

Ways = Mapping[type[Corpus], Callable[[Corpus], Corpus | None]]
"""How a corpus becomes one of another kind; None where it cannot."""

Change = Callable[[Iterable[Dependencies]], Iterable[Dependencies]]
"""What is done with the pieces of a file of dependencies."""


def rewrite(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    partial: bool = False,
    enhanced: bool = False,
    watch: Callable[[Corpus], None] = lambda _: None,
    change: Callable[[Iterable[Corpus]], Iterable[Corpus]] = lambda pieces: pieces,
    ways: Ways | None = None,
) -> None:
    """Read a treebank from one file and write it, or what becomes of it, to another.

    The content of `source` and the suffix of `target` tell the formats that are not named. Formats
    that hold the same kind of corpus can be converted into each other, and dependencies can be
    written as relations, with `enhanced` those of the enhanced graph, and their predicates and
    arguments (of CoNLL-2008 and -2009) as graphs. `watch` is called with each piece after it was
    read, and what `change` makes of the pieces is written. `ways` lead to
    further kinds of corpora.
    """
    entry = _target(target, target_format)

    def relations(piece: Corpus) -> Corpus | None:
        if not isinstance(piece, Dependencies):
            return None
        return to_relations(piece, enhanced=enhanced)

    all_ways: Ways = {Relations: relations, Graphs: predicate_graphs, **(ways or {})}

    def pieces() -> Iterator[Corpus]:
        for piece in read_chunks(source, source_format, partial=partial):
            watch(piece)
            yield piece

    changed = (_turned(piece, entry, shown(source), all_ways) for piece in change(pieces()))
    write(changed, target, entry.name)


def rewrite_dependencies(
    change: Change,
    source: str,
    target: str,
    *,
    target_format: str | None = None,
    watch: Callable[[int], None] = lambda _: None,
    **reading: Any,
) -> None:
    """Read dependencies, change them, and write them; `watch` is told the sentences of each piece.

    Standard output is CoNLL-U unless another format is named.
    """

    def dependencies(pieces: Iterable[Corpus]) -> Iterator[Dependencies]:
        for piece in pieces:
            if not isinstance(piece, Dependencies):
                raise UsageError(
                    f"{shown(source)} has {piece.kind}; only dependencies can be changed"
                )
            yield piece

    rewrite(
        source,
        target,
        target_format=target_format or ("conllu" if target == STANDARD else None),
        change=lambda pieces: change(dependencies(pieces)),
        watch=lambda piece: watch(len(piece)),
        **reading,
    )


def _target(target: str | os.PathLike[str], name: str | None) -> Format:
    if name is None and os.fspath(target) == STANDARD:
        raise UsageError(
            f"standard output has no suffix to tell the format; name a {setting('target_format')}"
        )
    entry = find_format(name) if name else format_of_path(target)
    if entry.write is None:
        raise UsageError(f"{entry.title} can be read, but not written")
    return entry


def _turned(piece: Corpus, entry: Format, source: str, ways: Ways) -> Corpus:
    """Return a piece as the kind of corpus that a format holds."""
    if isinstance(piece, entry.corpus):
        return piece
    turned = ways[entry.corpus](piece) if entry.corpus in ways else None
    if turned is not None:
        return turned
    raise UsageError(
        f"{source} has {piece.kind}, but {entry.title} holds {entry.corpus.kind}; "
        f"{piece.kind} can be written as {', '.join(_possible(piece, ways))}"
    )


def _possible(piece: Corpus, ways: Ways) -> list[str]:
    """Return the names of the formats in which (the first sentence of) a piece can be written."""
    kinds = {type(piece): piece[:1]}
    for kind, way in ways.items():
        with suppress(CommonGroundError):  # it is about another kind than the one asked for
            turned = way(piece[:1])
            if turned is not None:
                kinds[kind] = turned
    return [
        entry.name
        for kind, turned in kinds.items()
        for entry in formats()
        if entry.write and entry.corpus is kind and _holds(entry, turned)
    ]


def _holds(entry: Format, corpus: Corpus) -> bool:
    assert entry.write is not None
    try:
        list(entry.write(corpus))
    except UsageError:
        return False
    return True

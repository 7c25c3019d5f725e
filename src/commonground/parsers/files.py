"""Files in, parsed or tagged files out: of any size, piece by piece, in one process or many.

A folder of files goes into another one; the pieces of all of its files are one stream of work.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import groupby
from operator import itemgetter
from typing import Any

from commonground.corpus import Constituents, Corpus
from commonground.engine import Jobs, engine_for
from commonground.errors import UsageError, setting
from commonground.formats.format import Format, FormatOptions
from commonground.formats.registry import find_format, format_of_path
from commonground.formats.storage.files import STANDARD, write_bytes
from commonground.formats.storage.folders import pairs_of, room_for
from commonground.formats.storage.pieces import Cutter, Piece
from commonground.formats.storage.raw_pieces import RawPiece, raw_pieces
from commonground.parsers.systems import System, is_named, load_system

__all__ = ["kept_system", "parse_file", "tag_file"]

SIZE = 1 << 20
"""Pieces have about so many bytes: enough for a process to be busy, little for the memory."""


def parse_file(
    model: str | os.PathLike[str],
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    **options: Any,
) -> int:
    """Parse a file with a system, and return the number of sentences.

    `model` is a model file or names another system (see :func:`load_system`).

    If `source` is a folder or a pattern, `target` is a folder that gets a file of the same name for
    each; it is created if needed. `source_format` and `target_format` name the formats if content
    and suffix do not. `jobs` is the number of processes; the output does not depend on it. `watch`
    is called with the number of sentences after each piece. Each file is written completely or not
    at all. `trust` and `memory` are those of :func:`load_system`. The model splits plain text into
    sentences and words, unless it is `pretokenised`: a sentence a line, spaces between the words.
    """
    return _rewrite("parse", model, source, target, **options)


def tag_file(
    model: str | os.PathLike[str],
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    **options: Any,
) -> int:
    """Tag a file with the tagger of a model; as :func:`parse_file` otherwise."""
    return _rewrite("tag", model, source, target, **options)


def _rewrite(  # noqa: PLR0913  # options, by name
    verb: str,
    model: str | os.PathLike[str],
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    pretokenised: bool = False,
    jobs: Jobs = 1,
    watch: Callable[[int], None] = lambda _: None,
    trust: bool = False,
    memory: float | None = None,
) -> int:
    read_model = partial(kept_system, trust=trust, memory=memory)
    path = os.fspath(model)
    if path == STANDARD:
        raise UsageError("a model cannot be read from standard input")
    trained = read_model(path)  # what is wrong with it is told before anything is read
    if verb == "parse" and trained.name == "tagger":  # it would hand on the trees that are there
        raise UsageError(f"{path} is a tagger, not a parser; apply it with 'commonground tag'")
    pairs = pairs_of(source, target, target_format)
    first, form = _opened(pairs[0][0], source_format, pretokenised=pretokenised)
    # Parses are of the kind that the parser makes, and what is tagged stays what it is; a parser
    # that takes any kind returns what it was given.
    own = trained.kind
    kind = own if verb == "parse" and own is not Corpus else form.corpus
    entries = [_target(made, target_format, _usual(kind)) for _, made in pairs]
    for entry in entries if verb == "parse" else entries[:1]:
        _refuse_unfit(entry, kind)
    tasks = (
        (place, entries[place].name, piece)
        for place, (file, _) in enumerate(pairs)
        for piece in (
            _opened(file, source_format, pretokenised=pretokenised)[0] if place else first
        )
    )
    total = 0

    def told(done: Iterable[tuple[int, bytes, int]]) -> Iterator[bytes]:
        nonlocal total
        for _, data, count in done:
            total += count
            watch(count)
            yield data

    parsed = engine_for(jobs).map(partial(_worked, verb, partial(read_model, path)), tasks)
    for place, done in groupby(parsed, key=itemgetter(0)):
        made = pairs[place][1]
        if made != os.fspath(target):
            room_for(made)
        write_bytes(made, told(done))
    return total


def _target(target: str | os.PathLike[str], name: str | None, usual: str) -> Format:
    """Return the format by its name or a file's suffix; standard output has the usual one."""
    if name is not None:
        return find_format(name)
    return find_format(usual) if os.fspath(target) == STANDARD else format_of_path(target)


def _usual(kind: type[Corpus]) -> str:
    """Return the name of the format in which trees of a kind are usually written."""
    return "brackets" if issubclass(kind, Constituents) else "conllu"


def _refuse_unfit(entry: Format, kind: type[Corpus]) -> None:
    """Refuse a format in which trees of a kind cannot be written."""
    if not issubclass(kind, entry.corpus) or entry.write is None:
        raise UsageError(
            f"{entry.title} cannot hold {kind.kind}; {setting('target_format', _usual(kind))} can"
        )


def _opened(
    path: str, name: str | None, *, pretokenised: bool
) -> tuple[Iterator[Piece | RawPiece], Format]:
    """Return the pieces of a file, and its format."""
    if name is not None and find_format(name).name == "text" and not pretokenised:
        return raw_pieces(path), find_format("text")  # which may be there only once
    cutter = Cutter(path, name, SIZE)
    if cutter.format.name == "text" and not pretokenised:
        return raw_pieces(path), cutter.format
    if pretokenised and cutter.format.name != "text":
        raise UsageError(f"{path} is {cutter.format.title}; only plain text can be pretokenised")
    return _pieces(cutter), cutter.format


def _pieces(cutter: Cutter) -> Iterator[Piece]:
    """Return a file in pieces; whole where its format does not tell where sentences end."""
    if cutter.format.ends is None or not cutter.format.concatenable:
        yield cutter.all()
        return
    count = cutter.ready
    yield cutter.take(count)
    while count := cutter.ready:
        yield cutter.take(count)


def _worked(
    verb: str, model: Callable[[], System], task: tuple[int, str, Piece | RawPiece]
) -> tuple[int, bytes, int]:
    """Return a piece of a file parsed or tagged, as a file has it, and how many sentences it has.

    A task is the place of the file, the format of the one to be written, and the piece.
    """
    place, name, piece = task
    trained = model()
    made: Corpus
    if isinstance(piece, RawPiece):
        made = trained.parse_piece(piece) if verb == "parse" else trained.tag_piece(piece)
    else:
        corpus = piece.read(FormatOptions(partial=True))
        made = trained.parse(corpus) if verb == "parse" else trained.tag(corpus)
    entry = find_format(name)
    _refuse_unfit(entry, type(made))  # the files of a folder can be of several kinds
    parts = entry.written(made, first=piece.first == 1)
    return place, b"".join(parts), len(made)


def kept_system(path: str, *, trust: bool = False, memory: float | None = None) -> System:
    """Load a system, once for all pieces; one trained anew in its place is another one."""
    if is_named(path):
        return _kept(path, trust, memory, (0, 0, 0))
    try:
        file = os.stat(path)  # noqa: PTH116  # it is a text
    except OSError:
        return load_system(
            path, trust=trust, memory=memory
        )  # which tells what is wrong, or knows it by another name
    return _kept(path, trust, memory, (file.st_ino, file.st_mtime_ns, file.st_size))


@lru_cache(maxsize=2)
def _kept(path: str, trust: bool, memory: float | None, _: tuple[int, int, int]) -> System:  # noqa: FBT001  # a key
    return load_system(path, trust=trust, memory=memory)

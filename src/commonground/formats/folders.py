"""A treebank that is several files: those of a folder or of a pattern, one after the other."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from commonground.corpus import Corpus, Strings
from commonground.errors import InputError, UsageError
from commonground.formats.files import read_bytes, shown
from commonground.formats.format import Format, Options
from commonground.formats.registry import detect, find_format
from commonground.formats.registry import read as read_file

__all__ = ["files_of", "is_many", "read"]

Named = str | os.PathLike[str]


def read(path: Named, format: str | None = None, *, partial: bool = False) -> Corpus:
    """Read a treebank: a file, or all files of a folder or of a pattern, in order, as one corpus.

    ``-`` is standard input; .gz, .xz and .zst are unpacked; a pattern is ``wsj/*.mrg`` or
    ``**/*.xml``. `format` is one of :func:`format_names`; without it the content tells. With
    `partial`, words without a head (``_``) are allowed.

    >>> read("example:ud")
    Dependencies(828 words, 9 tokens, 1 empties, 64 sentences)
    """
    if not is_many(path):
        return read_file(path, format, partial=partial)
    known = find_format(format) if format else None
    parts = list(_parts(files_of(path), known, Options(partial=partial)))
    kinds = {type(part) for part in parts}
    if len(kinds) > 1:
        names = " and ".join(sorted(kind.kind for kind in kinds))
        raise UsageError(f"{path} has files of several kinds: {names}")
    return type(parts[0]).concatenate(parts)


def _parts(files: Sequence[str], known: Format | None, options: Options) -> Iterator[Corpus]:
    """Read files one by one, small ones of a format many at a time: that is much faster."""
    waiting: list[tuple[str, bytes]] = []
    before: Format | None = None
    for file in files:
        data = read_bytes(file)
        entry = known or detect(data, file)
        alone = not entry.concatenable or len(data) > _SMALL or bool(entry.header(data))
        if waiting and (alone or entry is not before or len(waiting) == _MANY):
            yield from _together(waiting, before or entry, options)
            waiting = []
        if alone:
            yield entry.read(data, shown(file), 1, options)
        else:
            waiting.append((file, data))
        before = entry
    if waiting and before:
        yield from _together(waiting, before, options)


_SMALL, _MANY = 1 << 16, 256


def _together(
    files: Sequence[tuple[str, bytes]], entry: Format, options: Options
) -> Iterator[Corpus]:
    """Read small files as if they were one, and tell all the same where each sentence comes from.

    Where that does not work, they are read one by one, so that an error is about its file.
    """
    lines = np.cumsum([0, *(data.count(b"\n") + 2 for _, data in files)])
    try:
        found = entry.read(b"\n\n".join(data for _, data in files), "", 1, options)
    except InputError:
        found = None
    place = np.searchsorted(lines, found.lines, side="left") - 1 if found is not None else None
    if found is None or place is None or len(set(place.tolist())) < len(files):
        for file, data in files:
            yield entry.read(data, shown(file), 1, options)
        return
    paths = Strings(place.astype(np.int32), [shown(file) for file, _ in files])
    yield found.replace("origin", path=paths, line=found.lines - lines[place])


def is_many(path: Named) -> bool:
    """Tell whether a path is a folder or a pattern, and no file."""
    text = os.fspath(path)
    return os.path.isdir(text) or (glob.has_magic(text) and not os.path.exists(text))  # noqa: PTH110, PTH112  # it takes a while for many files


def _treebanks(files: list[str]) -> list[str]:
    """Return the files of a folder without those that only tell about a treebank.

    >>> _treebanks(["es-ud-dev.conllu", "es-ud-dev.txt", "LICENSE.txt", "README.md", "stats.xml"])
    ['es-ud-dev.conllu']
    """
    found = [name for name in files if not _ABOUT.fullmatch(os.path.basename(name))]  # noqa: PTH119  # as above
    annotated = [name for name in found if ".conllu" in name]
    return [name for name in found if not annotated or not name.endswith(".txt")] or files


_ABOUT = re.compile(
    r"(?:readme|licen[cs]e|contributing|changelog|copying)(?:\.\w+)?|.*\.(?:md|log)|stats\.xml",
    re.IGNORECASE,
)
"""The names of files that lie beside the treebanks of Universal Dependencies, and of others."""


def files_of(path: Named) -> list[str]:
    """Return the files of a treebank: those of a folder or of a pattern in order, or the one."""
    if not is_many(path):
        return [os.fspath(path)]
    folder = Path(path).is_dir()
    pattern = str(Path(glob.escape(os.fspath(path))) / "*") if folder else os.fspath(path)
    names = glob.iglob(pattern, recursive=True)  # noqa: PTH207  # it takes absolute patterns too
    found = sorted(name for name in names if not os.path.isdir(name))  # noqa: PTH112  # as above
    found = _treebanks(found) if folder else found
    if not found:
        what = "cannot be read: it is an empty folder" if folder else "there are no such files"
        raise InputError(os.fspath(path), 0, what)
    return found

"""A treebank that is several files: those of a folder or of a pattern, one after the other.

What is made of them goes into a folder of files with the same names (:func:`pairs_of`).
"""

from __future__ import annotations

import glob
import os
import re
import warnings
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path, PurePath

import numpy as np

from commonground.corpus import Corpus, Strings
from commonground.errors import BrokenFileWarning, InputError, UsageError
from commonground.formats.format import Format, FormatOptions
from commonground.formats.registry import detect, find_format, format_suffixes
from commonground.formats.registry import read as read_file
from commonground.formats.storage.encodings import or_guessed
from commonground.formats.storage.files import STANDARD, read_bytes, refuse_inputs, shown, unpacked

__all__ = ["BROKEN_FILES", "beginning", "files_of", "is_many", "pairs_of", "read", "room_for"]

Named = str | os.PathLike[str]

BROKEN_FILES = "COMMONGROUND_BROKEN_FILES"
"""The environment variable that says what to do with files of a folder that cannot be read: fail
(the default), or skip them; other processes see it, too."""


def read(path: Named, format: str | None = None, *, partial: bool = False) -> Corpus:
    """Read a treebank: a file, or all files of a folder or pattern, in order, as one corpus.

    ``-`` is standard input; .gz, .xz and .zst are unpacked; a pattern is ``wsj/*.mrg`` or
    ``**/*.xml``. `format` is one of :func:`format_names`; without it, the format is recognised by
    content. With `partial`, words without a head (``_``) are allowed.

    >>> read("example:ud")
    Dependencies(828 words, 9 tokens, 1 empties, 64 sentences)
    """
    if not is_many(path):
        return read_file(path, format, partial=partial)
    known = find_format(format) if format else None
    parts = list(_parts(files_of(path), known, FormatOptions(partial=partial)))
    if not parts:
        raise InputError(os.fspath(path), 0, "none of its files can be read")
    kinds = {type(part) for part in parts}
    if len(kinds) > 1:
        names = " and ".join(sorted(kind.kind for kind in kinds))
        raise UsageError(f"{path} has files of several kinds: {names}")
    return type(parts[0]).concatenate(parts)


def _parts(files: Sequence[str], known: Format | None, options: FormatOptions) -> Iterator[Corpus]:
    """Read files one by one, small ones of a format many at a time: that is much faster."""
    waiting: list[tuple[str, bytes]] = []
    before: Format | None = None
    for file in files:
        data = read_bytes(file)
        entry = known or _detected(data, file)
        if entry is None:
            continue
        alone = not entry.concatenable or len(data) > _SMALL or bool(entry.header(data))
        if waiting and (alone or entry is not before or len(waiting) == _MANY):
            yield from _together(waiting, before or entry, options)
            waiting = []
        if alone:
            yield from _one(file, data, entry, options)
        else:
            waiting.append((file, data))
        before = entry
    if waiting and before:
        yield from _together(waiting, before, options)


_SMALL, _MANY = 1 << 16, 256


def _together(
    files: Sequence[tuple[str, bytes]], entry: Format, options: FormatOptions
) -> Iterator[Corpus]:
    """Read small files as if they were one, and tell all the same where each sentence comes from.

    Where that does not work, they are read one by one, so that an error is about its file.
    """
    lines = np.cumsum([0, *(data.count(b"\n") + 2 for _, data in files)])
    try:
        corpus = entry.read(b"\n\n".join(data for _, data in files), "", 1, options)
    except InputError:
        corpus = None
    place = np.searchsorted(lines, corpus.lines, side="left") - 1 if corpus is not None else None
    if corpus is None or place is None or len(set(place.tolist())) < len(files):
        for file, data in files:
            yield from _one(file, data, entry, options)
        return
    paths = Strings(place.astype(np.int32), [shown(file) for file, _ in files])
    yield corpus.replace("origin", path=paths, line=corpus.lines - lines[place])


def _one(file: str, data: bytes, entry: Format, options: FormatOptions) -> Iterator[Corpus]:
    try:
        corpus = or_guessed(entry.read, data, shown(file), 1, options)
    except InputError as error:
        _leave_out(error)
    else:
        yield corpus


def _detected(data: bytes, file: str) -> Format | None:
    try:
        return detect(data, file)
    except InputError as error:
        _leave_out(error)
        return None


def _leave_out(error: InputError) -> None:
    """Leave a file out that cannot be read, if that is allowed; raise the error if not."""
    if os.environ.get(BROKEN_FILES) != "skip":
        raise error
    place = f"line {error.line}: " if error.line else ""
    warnings.warn(
        BrokenFileWarning(error.path, f"left out, as it cannot be read: {place}{error.message}"),
        stacklevel=2,
    )


def is_many(path: Named) -> bool:
    """Tell whether a path is a folder or a pattern, and no file."""
    text = os.fspath(path)
    return os.path.isdir(text) or (glob.has_magic(text) and not os.path.exists(text))  # noqa: PTH110, PTH112  # it takes a while for many files


def _treebanks(files: list[str]) -> list[str]:
    """Return the files of a folder without those that only tell about a treebank.

    >>> _treebanks(["es-ud-dev.conllu", "es-ud-dev.txt", "LICENSE.txt", "metadata.json"])
    ['es-ud-dev.conllu']
    """
    names = [name for name in files if not _ABOUT.fullmatch(os.path.basename(name))]  # noqa: PTH119  # as above
    annotated = [name for name in names if ".conllu" in name]
    return [name for name in names if not annotated or not name.endswith(".txt")] or files


_ABOUT = re.compile(
    r"(?:readme|licen[cs]e|contributing|changelog|copying|makefile)(?:\.\w+)?|stats\.xml"
    r"|.*\.(?:md|log|json|toml|ya?ml|html|pdf|sh|py|pl|bin|prototext)",
    re.IGNORECASE,
)
"""The names of files that lie beside the treebanks of Universal Dependencies, and of others: what
is told about them, and what tasks and programs need to go through them (``metadata.json``)."""


def files_of(path: Named) -> list[str]:
    """Return the files of a treebank: those of a folder or of a pattern in order, or the one."""
    if not is_many(path):
        return [os.fspath(path)]
    folder = Path(path).is_dir()
    pattern = str(Path(glob.escape(os.fspath(path))) / "*") if folder else os.fspath(path)
    names = glob.iglob(pattern, recursive=True)  # noqa: PTH207  # it takes absolute patterns too
    paths = sorted(name for name in names if not os.path.isdir(name))  # noqa: PTH112  # as above
    paths = _treebanks(paths) if folder else paths
    if not paths:
        what = "cannot be read: it is an empty folder" if folder else "there are no such files"
        raise InputError(os.fspath(path), 0, what)
    return paths


def pairs_of(source: Named, target: Named, target_format: str | None = None) -> list[Pair]:
    """Return the files to be read, each with the one that is to be made of it.

    Those of a folder or a pattern go into the folder `target` under their own names, as seen from
    the folder in which the pattern begins; where another format is named, with its suffix. One file
    goes to `target`, or into it where that is a folder. A file that is read is not written.
    """
    one, other = os.fspath(source), os.fspath(target)
    if not is_many(source) and (
        not Path(other).is_dir() or one == STANDARD or not Path(one).is_file()
    ):
        return [(one, other)]
    files, begin = files_of(source), beginning(source)
    if is_many(source) and other == STANDARD:
        raise UsageError(f"{one} is several files, and standard output is one; name a folder")
    if is_many(source) and not Path(other).is_dir() and _is_name_of_a_file(other):
        raise UsageError(f"{one} is several files, and {other} is one; name a folder")
    named = [_renamed(os.path.relpath(file, begin), target_format) for file in files]
    pairs = [(file, str(Path(other) / name)) for file, name in zip(files, named, strict=True)]
    _refuse_doubles(pairs)
    refuse_inputs(files, [made for _, made in pairs])
    return pairs


Pair = tuple[str, str]


def room_for(path: str) -> None:
    """Make the folder of a file that is to be written into one."""
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(path, 0, f"cannot be written: {error.strerror}") from error


def beginning(path: Named) -> str:
    """Return the folder in which a path begins: that of a file, the folder, that of a pattern.

    >>> beginning("ud/*/dev.conllu"), beginning("*.conllu"), beginning("a/b.conllu")
    ('ud', '.', 'a')
    """
    text = os.fspath(path)
    if Path(text).is_dir():
        return text
    if not is_many(text):
        return str(PurePath(text).parent)
    parts = PurePath(text).parts
    plain = next(place for place, part in enumerate(parts) if glob.has_magic(part))
    return str(PurePath(*parts[:plain]))


def _is_name_of_a_file(path: str) -> bool:
    """Tell whether there is such a file, or the suffix is that of a treebank.

    >>> _is_name_of_a_file("out.conllu.gz"), _is_name_of_a_file("out.2026")
    (True, False)
    """
    return Path(path).exists() or unpacked(path).suffix.lower() in chain(
        *format_suffixes().values()
    )


def _renamed(name: str, target_format: str | None) -> str:
    """Return the name of a file in another format; it stays where its suffix fits.

    >>> _renamed("a/dev.mrg.gz", "conllu"), _renamed("dev.conll", None)
    ('a/dev.conllu.gz', 'dev.conll')
    """
    if target_format is None:
        return name
    suffixes, path = find_format(target_format).suffixes, unpacked(name)
    if not suffixes or path.suffix.lower() in suffixes:
        return name
    packed = str(PurePath(name)).removeprefix(str(path))
    return f"{path.with_suffix(suffixes[0])}{packed}"


def _refuse_doubles(pairs: Sequence[Pair]) -> None:
    """Refuse two files that would become one."""
    seen: dict[str, str] = {}
    for source, target in pairs:
        if target in seen:
            raise UsageError(f"{seen[target]} and {source} would both become {target}")
        seen[target] = source

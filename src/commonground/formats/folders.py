"""A treebank that is a folder: all its files, one after the other."""

from __future__ import annotations

import os
from pathlib import Path

from commonground.corpus import Corpus
from commonground.errors import InputError, UsageError
from commonground.formats.registry import read

__all__ = ["files_of", "read_all"]


def read_all(
    path: str | os.PathLike[str], format: str | None = None, *, partial: bool = False
) -> Corpus:
    """Read a file, or all files of a folder in the order of their names, as one corpus."""
    if not Path(path).is_dir():
        return read(path, format, partial=partial)
    files = files_of(path)
    parts = [read(file, format, partial=partial) for file in files]
    kinds = {type(part) for part in parts}
    if len(kinds) > 1:
        names = " and ".join(sorted(kind.kind for kind in kinds))
        raise UsageError(f"{path} has files of several kinds: {names}")
    return type(parts[0]).concatenate(parts)


def files_of(path: str | os.PathLike[str]) -> list[str]:
    """Return the files of a treebank: those of a folder in the order of their names, or the one."""
    if not Path(path).is_dir():
        return [os.fspath(path)]
    inside = Path(path).iterdir()
    files = sorted(file for file in inside if file.is_file() and file.name[0] != ".")
    if not files:
        raise InputError(os.fspath(path), 0, "cannot be read: it is an empty folder")
    return list(map(os.fspath, files))

"""Older versions of a file: another file, or a revision of its git repository."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from commonground.corpus import Corpus
from commonground.errors import UsageError
from commonground.formats.format import FormatOptions
from commonground.formats.registry import detect, find_format
from commonground.formats.storage.folders import read

__all__ = ["read_version"]


def read_version(path: str, version: str, format: str | None = None) -> Corpus | None:
    """Return an older version of the treebank in `path`: a file, or a revision such as ``HEAD``.

    None, where the revision does not have this file. Of a repository only objects are read: no
    filter, driver or hook is run.

    >>> read_version("example:ud", "example:ud-parse")
    Dependencies(828 words, 9 tokens, 64 sentences)
    """
    if Path(version).exists() or version.startswith("example:"):
        return read(version, format, partial=True)
    data = _bytes_at(path, version)
    if not data:
        return None
    entry = find_format(format) if format else detect(data)
    return entry.read(data, f"{version}:{path}", 1, FormatOptions(partial=True))


def _bytes_at(path: str, revision: str) -> bytes | None:
    git = shutil.which("git")
    if git is None:
        raise UsageError(f"{revision} is no file; to read a revision, git must be installed")
    folder, name = Path(path).resolve().parent, Path(path).name
    if revision.startswith("-") or _git(git, folder, "rev-parse", f"{revision}^{{commit}}") is None:
        raise UsageError(f"{revision} is neither a file nor a revision of the repository of {path}")
    return _git(git, folder, "cat-file", "blob", f"{revision}:./{name}")


def _git(git: str, folder: Path, *words: str) -> bytes | None:
    done = subprocess.run(  # noqa: S603  # git reads objects; a revision is never an option
        [git, "-C", str(folder), *words], capture_output=True, check=False
    )
    return None if done.returncode else done.stdout

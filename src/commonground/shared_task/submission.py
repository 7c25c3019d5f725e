"""The files of a submission: a folder or a zip archive with a file for each treebank."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from commonground.errors import InputError, UsageError
from commonground.formats.storage.files import read_bytes, unpacked, write_bytes

__all__ = ["copy_submission", "refuse_team", "team_name"]

_MOST_FILES = 1000


def copy_submission(source: str, target: Path) -> list[str]:
    """Copy the files of a submission into a folder, and return their names.

    Folders in an archive do not matter; nothing is written outside of the target.
    """
    files = dict(_files(source))
    if not files:
        raise InputError(source, 0, "there are no files in this submission")
    target.mkdir(parents=True)
    for name, content in files.items():
        write_bytes(target / name, [content])
    return sorted(files)


def _files(source: str) -> Iterator[tuple[str, bytes]]:
    """Return the names and contents of the files of a submission."""
    path = Path(source)
    if path.is_dir():
        for file in sorted(path.iterdir()):
            if file.is_file() and not file.name.startswith("."):
                yield file.name, read_bytes(file)
        return
    if not path.is_file():
        raise InputError(source, 0, "there is no such folder or archive")
    if not zipfile.is_zipfile(path):
        raise InputError(source, 0, "this is neither a folder nor a zip archive")
    yield from _members(source)


def _members(source: str) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(source) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
    if len(names) > _MOST_FILES:
        raise InputError(source, 0, f"{len(names):,} files; at most {_MOST_FILES:,} are read")
    seen: dict[str, str] = {}
    for name in names:
        path = PurePosixPath(name)
        if path.name.startswith(".") or "__MACOSX" in path.parts:
            continue
        plain = re.sub(r"[^\w.@+-]+", "_", path.name)
        if plain in seen:
            raise InputError(source, 0, f"{seen[plain]} and {name} have the same name")
        seen[plain] = name
        yield plain, read_bytes(f"{source}:{name}")


def team_name(source: str) -> str:
    """Return what a team is called if nobody says: as its folder or archive.

    >>> team_name("submissions/ÚFAL.zip")
    'ÚFAL'
    """
    return unpacked(source).stem if Path(source).suffix == ".zip" else Path(source).resolve().name


def refuse_team(name: str) -> None:
    """Refuse a name of a team that cannot be the name of a folder."""
    if not re.fullmatch(r"[^\W_][\w .@+-]{0,59}", name):
        raise UsageError(f"{name!r} cannot be the name of a team; use letters, digits, - and _")

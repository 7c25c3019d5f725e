"""The folder that is served: the results in it, and the place where uploads go."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from commonground.errors import InputError

__all__ = ["Folder", "Listed", "safe_name"]

UPLOADS = "uploads"
"""The folder in the served one that uploads are written into, and nothing else."""

_SHOWN = 200
_HEAD = 1 << 16
_REVIEWED = re.compile(r'"kind"\s*:\s*"(errors|agreement)"')
_COMMAND = re.compile(r'"command"\s*:\s*("(?:[^"\\]|\\.)*")')


@dataclass(frozen=True, slots=True)
class Listed:
    """A saved result: its path in the folder, the command behind it, and when it was written.

    Whether it is one that people decide about, `reviewed` tells.
    """

    name: str
    command: str
    written: str
    reviewed: bool = False


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder with saved results."""

    path: Path

    @classmethod
    def at(cls, path: str) -> Folder:
        """Return the folder at a path, which must be there."""
        folder = Path(path)
        if not folder.is_dir():
            raise InputError(path, 0, "there is no such folder; serve needs a folder of results")
        return cls(folder.resolve())

    def results(self) -> list[Listed]:
        """Return the saved results in the folder and in its uploads, the newest first."""
        files = [*self.path.glob("*.json"), *self.path.glob(f"{UPLOADS}/*/*.json")]
        known = sorted(
            ((file.stat().st_mtime, file) for file in files if file.is_file()), reverse=True
        )
        return list(_listed(known[:_SHOWN], self.path))

    def find(self, name: str) -> Path | None:
        """Return the file of a result; None where there is none of this name in the folder."""
        try:
            file = (self.path / name).resolve()
            there = file.is_file()
        except (OSError, ValueError):  # no name of a file at all
            return None
        inside = file.is_relative_to(self.path) and file.suffix == ".json"
        return file if there and inside else None

    def new_upload(self) -> Path:
        """Make a folder for an upload, and return it."""
        uploads = self.path / UPLOADS
        uploads.mkdir(exist_ok=True)
        if uploads.resolve() != uploads:  # a link would lead out of the folder
            raise InputError(str(uploads), 0, "it is a link; uploads need a folder of their own")
        return Path(tempfile.mkdtemp(prefix="upload-", dir=uploads))


def _listed(files: list[tuple[float, Path]], folder: Path) -> Iterator[Listed]:
    for time, file in files:
        with file.open("rb") as opened:
            head = opened.read(_HEAD).decode("utf-8", "replace")
        if not any(f'"{key}"' in head for key in ("request", "signature", "grids")):
            continue  # JSON, but no result
        match = _COMMAND.search(head)
        written = datetime.fromtimestamp(time).astimezone().strftime("%Y-%m-%d %H:%M")
        command = _decoded(match[1]) if match else ""
        name, reviewed = str(file.relative_to(folder)), bool(_REVIEWED.search(head))
        yield Listed(name, command, written, reviewed)


def _decoded(text: str) -> str:
    try:
        return str(json.loads(text))
    except ValueError:
        return ""


def safe_name(name: str) -> str:
    r"""Return a name for a file that leads nowhere, like the one given.

    >>> safe_name("../../etc/pass wd"), safe_name("C:\\x\\gold.conllu"), safe_name("…")
    ('pass_wd', 'gold.conllu', 'file')
    """
    last = re.split(r"[/\\]", name)[-1]
    return re.sub(r"[^A-Za-z0-9._-]+", "_", last).strip("._-")[-80:].lstrip("._-") or "file"

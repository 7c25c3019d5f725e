"""Where the outcomes of steps are kept: a folder each, named by the digest of all it depends on.

An outcome is written beside the store and moved into it when it is whole; a digest of its files
tells whether it still is. While a step is worked on, its lock is held, so that two runs in one
folder never do the same work; the lock goes with the process, however that ends.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["ABOUT", "Store"]

ABOUT = "about.json"


class Store:
    """The outcomes of an experiment, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def place(self, digest: str) -> Path:
        """Return the folder of an outcome; it need not exist."""
        return self.folder / digest[:2] / digest[2:20]

    def about(self, digest: str) -> dict[str, Any] | None:
        """Return what is noted about an outcome, None where there is none or it is damaged."""
        place = self.place(digest)
        try:
            found = json.loads((place / ABOUT).read_text(encoding="utf-8"))
            whole = found["files"] == _digests(place)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return found if whole and isinstance(found, dict) else None

    @contextmanager
    def lock(self, digest: str) -> Iterator[None]:
        """Hold the lock of an outcome; another process that wants it waits."""
        locks = self.folder / "locks"
        locks.mkdir(parents=True, exist_ok=True)
        with (locks / digest[:20]).open("w") as file:
            try:
                import fcntl  # noqa: PLC0415  # not everywhere
            except ImportError:
                yield  # without locks two runs may do the same work; the outcome is the same
            else:
                fcntl.flock(file, fcntl.LOCK_EX)
                yield

    @contextmanager
    def making(self, digest: str, about: dict[str, Any]) -> Iterator[Path]:
        """Return an empty folder to write an outcome into; it is kept if all goes well."""
        self.folder.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".making-{os.getpid()}-", dir=self.folder))
        try:
            yield scratch
            noted = {**about, "files": _digests(scratch)}
            (scratch / ABOUT).write_text(json.dumps(noted, indent=1), encoding="utf-8")
            place = self.place(digest)
            if place.exists():
                shutil.rmtree(place)  # it was damaged
            place.parent.mkdir(parents=True, exist_ok=True)
            scratch.rename(place)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def kept(self) -> Iterator[tuple[Path, dict[str, Any]]]:
        """Return all outcomes that are whole, with what is noted about them."""
        for path in sorted(self.folder.glob(f"??/*/{ABOUT}")):
            try:
                found = json.loads(path.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                continue
            if isinstance(found, dict):
                yield path.parent, found

    def sweep(self) -> None:
        """Remove what killed runs have left."""
        for path in self.folder.glob(".making-*"):
            if not _alive(path.name.split("-")[1]):
                shutil.rmtree(path, ignore_errors=True)


def _alive(process: str) -> bool:
    """Tell whether a process with this number is there; of another machine's, nobody knows."""
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, ValueError):
        return False
    except OSError:
        return True
    return True


def _digests(folder: Path) -> dict[str, str]:
    """Return the digest of each file of an outcome."""
    found = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if path.name != ABOUT:
            with path.open("rb") as file:
                name = path.relative_to(folder).as_posix()
                found[name] = hashlib.file_digest(file, "sha256").hexdigest()
    return found

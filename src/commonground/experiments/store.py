"""Where the outcomes of steps are kept: a folder each, named by the digest of all it depends on.

An outcome is written beside the store and moved into it when it is whole; a digest of its files
tells whether it still is. Whoever works on a step holds its lease (``lease.py``), so that two runs
in one folder, on one machine or on two, never do the same work; what is being written carries the
name of the lease's owner, and is swept up once nobody holds it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from commonground.errors import CommonGroundError
from commonground.experiments.lease import Lease, acquired, holder_of

__all__ = ["ABOUT", "LostLeaseError", "Store"]

_MAKING = ".making-"
ABOUT = "about.json"


class LostLeaseError(CommonGroundError):
    """A process that was asleep for so long that another one has taken its step over."""

    def __str__(self) -> str:
        return "this process was asleep for too long, and another one has taken the step over"


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
            noted = json.loads((place / ABOUT).read_text(encoding="utf-8"))
            whole = noted["files"] == _digests(place)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return noted if whole and isinstance(noted, dict) else None

    def lease_file(self, digest: str) -> Path:
        """Return the file of the lease of an outcome."""
        return self.folder / "locks" / digest[:20]

    @contextmanager
    def lease(self, digest: str, after: str = "") -> Iterator[Lease | None]:
        """Hold the lease of an outcome, or None while another run does; see `acquired`."""
        lease = acquired(self.lease_file(digest), after)
        if lease is not None and after:
            self._remove_scratch(after)
        try:
            yield lease
        finally:
            if lease is not None:
                lease.release()

    @contextmanager
    def making(
        self, digest: str, about: dict[str, Any], lease: Lease | None = None
    ) -> Iterator[Path]:
        """Return an empty folder to write an outcome into; it is kept if all goes well.

        If the `lease` was lost meanwhile, another one makes the outcome, and this one is dropped.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        owner = "alone" if lease is None else lease.owner
        scratch = Path(tempfile.mkdtemp(prefix=f"{_MAKING}{owner}-", dir=self.folder))
        try:
            yield scratch
            noted = {**about, "files": _digests(scratch)}
            (scratch / ABOUT).write_text(json.dumps(noted, indent=1), encoding="utf-8")
            if lease is None or lease.is_held():
                self._keep(scratch, digest)
            elif self.about(digest) is None:
                raise LostLeaseError
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def _keep(self, scratch: Path, digest: str) -> None:
        place = self.place(digest)
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists():
            shutil.rmtree(place)  # it was damaged
        try:
            scratch.rename(place)
        except OSError:
            if self.about(digest) is None:  # else another one was faster, and made the same
                raise

    def kept(self) -> Iterator[tuple[Path, dict[str, Any]]]:
        """Return all outcomes that are whole, with what is noted about them."""
        for path in sorted(self.folder.glob(f"??/*/{ABOUT}")):
            try:
                noted = json.loads(path.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                continue
            if isinstance(noted, dict):
                yield path.parent, noted

    def sweep(self) -> None:
        """Remove what killed runs have left: what is being made, and nobody holds the lease.

        Of a run elsewhere nobody knows at once; whoever takes its step over removes what it left.
        """
        scratch = list(self.folder.glob(f"{_MAKING}*"))  # each has its lease before it is there
        leases = (self.folder / "locks").glob("*")
        holders = [holder for path in leases if (holder := holder_of(path))]
        living = {holder.owner for holder in holders if not holder.is_gone()}
        for path in scratch:
            if path.name.removeprefix(_MAKING).split("-")[0] not in living:
                shutil.rmtree(path, ignore_errors=True)

    def _remove_scratch(self, owner: str) -> None:
        for path in self.folder.glob(f"{_MAKING}{owner}-*"):
            shutil.rmtree(path, ignore_errors=True)


def _digests(folder: Path) -> dict[str, str]:
    """Return the digest of each file of an outcome."""
    digests = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if path.name != ABOUT:
            with path.open("rb") as file:
                name = path.relative_to(folder).as_posix()
                digests[name] = hashlib.file_digest(file, "sha256").hexdigest()
    return digests

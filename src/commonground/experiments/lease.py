"""Who is at work on a step: a lease, which holds across processes, containers and machines.

A lease is a small file that one owner creates and renews every few seconds; whoever finds that it
has not been renewed for some time takes the step over. No clock of another machine is trusted: a
watcher measures with its own how long the *count* in the file has stayed the same. Where the owner
is a process that can be seen from here (the same machine and the same PID namespace), it is known
at once whether it is still there.

A file is put into its place by ``link`` and replaced by ``rename``, which are atomic on network
file systems, too, and is read anew each time, which these file systems need to see changes. (Locks
of the system go with their process, but are seen by other machines on few file systems; of the
packages, filelock and portalocker are such locks, and flufl.lock has leases that compare the clocks
of machines.)
"""

from __future__ import annotations

import os
import platform
import secrets
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from commonground.errors import UsageError

__all__ = ["Lease", "Watcher", "acquired", "holder_of"]

_VARIABLE = "COMMONGROUND_LEASE"
_SECONDS = 30.0
"""A lease that has not been renewed for so long is over, unless the variable says otherwise."""


def lifetime() -> float:
    """Return after how many seconds a lease that is not renewed is over."""
    try:
        seconds = float(os.environ.get(_VARIABLE, _SECONDS))
    except ValueError:
        raise UsageError(f"{_VARIABLE} must be a number of seconds") from None
    return min(max(seconds, 0.1), 3600.0)


@dataclass(frozen=True, slots=True)
class Holder:
    """What a lease says: a name that no other has, the machine and process, and the count."""

    owner: str
    machine: str = ""
    process: int = 0
    started: str = ""
    count: str = ""

    def is_gone(self) -> bool:
        """Tell whether the process cannot be there any more; of one elsewhere nobody knows."""
        if self.machine != _machine() or not self.process:
            return False
        return _started(self.process) != self.started

    def text(self) -> str:
        """Return the lease as its file has it; the count is what is renewed."""
        return f"{self.owner}\n{self.machine}\n{self.process}\n{self.started}\n{self.count:0>20}\n"


def holder_of(path: Path) -> Holder | None:
    """Return who holds a lease, None if nobody does."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return None
    owner, machine, process, started, count = (*lines, *[""] * 5)[:5]
    return Holder(owner, machine, int(process) if process.isdecimal() else 0, started, count)


@cache
def _machine() -> str:
    """Return a name of the machine since it was started, and of what processes can be seen."""
    try:
        started = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        seen = os.readlink("/proc/self/ns/pid")  # noqa: PTH115  # no path
    except OSError:
        return platform.node()
    return f"{started} {seen}"


def _started(process: int) -> str:
    """Return when a process was started, by the system's count; the empty text if it is gone."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
        return text.rpartition(")")[2].split()[19]
    except FileNotFoundError:
        if Path("/proc/self/stat").exists():
            return ""
    except (OSError, IndexError):
        return "unknown"
    if os.name != "posix":  # there a signal of 0 would interrupt the process
        return "unknown"
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return ""
    except OSError:
        pass
    return "unknown"


class Lease:
    """A lease that is held, and renewed until it is released."""

    def __init__(self, path: Path, owner: str, file: int) -> None:
        self.path, self.owner = path, owner
        self._file, self._over = file, threading.Event()
        self._renewing = threading.Thread(target=self._renew, name="lease", daemon=True)
        self._renewing.start()

    def _renew(self) -> None:
        """Count on in the file; if another one has taken its place, that one is not touched."""
        count = 0
        while not self._over.wait(lifetime() / 6):
            count += 1
            with suppress(OSError):
                size = os.fstat(self._file).st_size
                os.lseek(self._file, size - 21, os.SEEK_SET)
                os.write(self._file, f"{count:0>20}".encode())
                os.fsync(self._file)

    def is_held(self) -> bool:
        """Tell whether it is still this one; it is not if the process was asleep for too long."""
        holder = holder_of(self.path)
        return holder is not None and holder.owner == self.owner

    def release(self) -> None:
        """Give the lease back."""
        self._over.set()
        self._renewing.join()  # its file must not be closed under it
        held = self.is_held()
        os.close(self._file)
        if held:
            self.path.unlink(missing_ok=True)


def acquired(path: Path, after: str = "") -> Lease | None:
    """Return a lease, None while another one holds it.

    `after` is an owner whose lease has run out; one of a process that is gone is taken over, too.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    holder = holder_of(path)
    owner = secrets.token_hex(8)
    if holder is None:
        return _placed(path, owner, replacing=False)
    if holder.owner != after and not holder.is_gone():
        return None
    # Each owner has one successor: the first to create this file.
    heir = path.with_name(f"{path.name}.after-{holder.owner[:32]}")
    try:
        os.close(os.open(heir, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        if after:  # the heir was killed in this very moment; the next one to look goes on
            heir.unlink(missing_ok=True)
        return None
    try:
        now = holder_of(path)
        if now is None or now.owner != holder.owner:
            return None
        return _placed(path, owner, replacing=True)
    finally:
        heir.unlink(missing_ok=True)


def _placed(path: Path, owner: str, *, replacing: bool) -> Lease | None:
    """Write a lease beside its place, and put it there; None if somebody was faster."""
    process = os.getpid()
    text = Holder(owner, _machine(), process, _started(process)).text()
    fresh = path.with_name(f"{path.name}.{owner}")
    fresh.write_bytes(text.encode())
    try:
        if replacing or not _linked(fresh, path):
            fresh.replace(path)
        file = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    except (FileExistsError, FileNotFoundError, PermissionError):
        return None
    finally:
        fresh.unlink(missing_ok=True)
    if os.read(file, len(owner)) != owner.encode():
        os.close(file)
        return None
    return Lease(path, owner, file)


def _linked(fresh: Path, path: Path) -> bool:
    """Put a file into its place, which must be free; tell whether the file system has links."""
    try:
        path.hardlink_to(fresh)
    except FileExistsError:
        raise
    except OSError:
        if path.exists():  # without links, there is a moment between this and the next line
            raise FileExistsError(path) from None
        return False
    return True


@dataclass
class Watcher:
    """Watches leases of others, and tells which are over."""

    _seen: dict[Path, tuple[Holder, float]] = field(default_factory=dict)

    def expired(self, path: Path) -> str:
        """Return the owner of a lease that has not been renewed for too long, else nothing."""
        holder = holder_of(path)
        if holder is None:
            self._seen.pop(path, None)
            return ""
        before = self._seen.get(path)
        if before is None or before[0] != holder:
            self._seen[path] = holder, time.monotonic()
            return ""
        return holder.owner if time.monotonic() - before[1] > lifetime() else ""

"""Bytes in and out: files, standard input and output, compression, whole or not at all."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import pairwise
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, cast

from commonground.errors import InputError, OverwrittenInputError, utf8
from commonground.kernels import load
from commonground.kernels.contents import LARGE

if TYPE_CHECKING:
    import hashlib

    from _typeshed import WriteableBuffer

__all__ = [
    "BOM",
    "COMPRESSION",
    "STANDARD",
    "block_reader",
    "digest",
    "guard_inputs",
    "note_input",
    "open_bytes",
    "overwriting",
    "placed_blocks",
    "plain",
    "read_bytes",
    "read_utf8",
    "refuse_inputs",
    "refuse_loop",
    "shown",
    "unpacked",
    "unpacked_bytes",
    "write_bytes",
]

STANDARD = "-"
"""The path that means standard input or standard output."""

_MAGIC = ((b"\x1f\x8b", ".gz"), (b"\xfd7zXZ\x00", ".xz"), (b"\x28\xb5\x2f\xfd", ".zst"))
COMPRESSION = tuple(suffix for _, suffix in _MAGIC)
"""The suffixes of packed files."""

_EXAMPLE = "example:"
_EXAMPLES = (".amr", ".conllu", ".eds", ".mrg", ".sdp", ".tsv")
BOM = b"\xef\xbb\xbf"


def shown(path: str | os.PathLike[str]) -> str:
    """Return the name of a file as messages show it."""
    return "<stdin>" if os.fspath(path) == STANDARD else os.fspath(path)


def unpacked(path: str | os.PathLike[str]) -> PurePath:
    """Return the name of a file without the suffix of its compression.

    >>> str(unpacked("dev.conllu.gz")), str(unpacked("dev.conllu"))
    ('dev.conllu', 'dev.conllu')
    """
    name = PurePath(path)
    while name.suffix.lower() in COMPRESSION:
        name = name.with_suffix("")
    return name


@contextmanager
def open_bytes(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file (or ``-``) for reading; compression is recognised by the first bytes."""
    name = os.fspath(path)
    if ".zip" in name.lower() and (member := _archive(name)):
        note_input(member[0])
        with _unpacking_errors(shown(path)):
            yield _open_member(*member)
        return
    note_input(name)
    try:
        raw: IO[bytes] = (
            sys.stdin.buffer if name == STANDARD else _located(name).open("rb")  # closed below
        )
    except OSError as error:
        raise InputError(shown(path), 0, f"cannot be read: {error.strerror}") from error
    if name != STANDARD and not stat.S_ISREG(os.fstat(raw.fileno()).st_mode):
        raw = cast("IO[bytes]", _Hashed(name, cast("io.BufferedReader", raw)))
    buffered = (
        raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(cast("io.RawIOBase", raw))
    )
    try:
        with _unpacking_errors(shown(path)):
            start = buffered.peek(8)[:8]
            if start.startswith(_ZIP):
                raise InputError(shown(path), 0, _which_member(name))
            suffix = next((suffix for magic, suffix in _MAGIC if start.startswith(magic)), "")
            yield _unpacking(buffered, suffix, shown(path)) if suffix else buffered
    finally:
        if name != STANDARD:
            buffered.close()


@contextmanager
def _unpacking_errors(name: str) -> Iterator[None]:
    """Tell of a file that cannot be read or unpacked as such."""
    try:
        yield
    except _damaged() as error:
        raise InputError(name, 0, f"damaged compressed file: {error}") from error
    except IsADirectoryError as error:
        raise InputError(name, 0, "cannot be read: it is a folder") from error
    except OSError as error:
        raise InputError(name, 0, f"cannot be read: {error.strerror or error}") from error


_ZIP = b"PK\x03\x04"


def _archive(name: str) -> tuple[str, str] | None:
    from commonground.formats.storage.archives import archive_of  # noqa: PLC0415  # only for archives

    return archive_of(name)


def _open_member(archive: str, member: str) -> IO[bytes]:
    from commonground.formats.storage.archives import open_member  # noqa: PLC0415  # as above

    return open_member(archive, member)


def _which_member(name: str) -> str:
    from commonground.formats.storage.archives import members_told  # noqa: PLC0415  # as above

    return f"it is an archive; name a file in it, {shown(name)}:FILE ({members_told(name)})"


def digest(path: str | os.PathLike[str]) -> str:
    """Return the SHA-256 of a file as it lies on the disk, compressed or not.

    A pipe holds nothing a second time: what it held is told once it has been read.

    >>> digest("example:ud") == digest(_located("example:ud"))
    True
    """
    import hashlib  # noqa: PLC0415  # only for results that are saved

    name = os.fspath(path)
    if name in _read_once and not Path(name).is_file():
        return _read_once[name].hexdigest()
    archive = _archive(name) if ".zip" in name.lower() else None
    try:
        with _located(archive[0] if archive else name).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(shown(path), 0, f"cannot be read: {error.strerror}") from error


_read_once: dict[str, hashlib._Hash] = {}
"""What pipes and devices held, by their names, as far as this process has read them."""


class _Hashed(io.RawIOBase):
    """A pipe or a device, whose content is hashed while it is read, for it is there only once."""

    def __init__(self, name: str, raw: io.BufferedReader) -> None:
        import hashlib  # noqa: PLC0415  # only for pipes

        self._raw = raw
        self._hash = _read_once[name] = hashlib.sha256()

    def readable(self) -> bool:
        """Tell that it is there to be read."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read what there is now into the buffer, and return how much that is."""
        view = memoryview(buffer)
        count = self._raw.readinto1(view)
        self._hash.update(view[:count])
        return count

    def close(self) -> None:
        """Close the pipe."""
        self._raw.close()
        super().close()


def _located(name: str) -> Path:
    """Return where a file to be read is; ``example:ud`` is a file of the bundled example."""
    if not name.startswith(_EXAMPLE):
        return Path(name)
    folder = Path(__file__).parents[2] / "example"
    bundled = sorted(path for path in folder.iterdir() if path.suffix in _EXAMPLES)
    for path in bundled:
        if name == _EXAMPLE + path.stem:
            return path
    if name.endswith(".txt") and (folder / name.removeprefix(_EXAMPLE)).is_file():
        return folder / name.removeprefix(_EXAMPLE)  # the sentences beside an example
    there = ", ".join(_EXAMPLE + path.stem for path in bundled)
    raise InputError(name, 0, f"there is no such example; there are {there}")


def _unpacking(raw: io.BufferedReader, suffix: str, name: str) -> IO[bytes]:
    from commonground.formats.storage.compression import unpacking  # noqa: PLC0415  # only for packed files

    return unpacking(raw, suffix, name)


def _damaged() -> tuple[type[Exception], ...]:
    from commonground.formats.storage.compression import damaged  # noqa: PLC0415  # only for errors

    return damaged()


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the whole content of a file: decompressed, without BOM, with plain newlines."""
    with open_bytes(path) as file:
        if not (isinstance(file, io.BufferedReader) and isinstance(file.raw, io.FileIO)):
            return plain(_decoded(file.read(), path))
        # Told how much there is, the reader does not copy all of it once more.
        most = _read(file, os.fstat(file.fileno()).st_size)
        rest = file.read()
        return plain(_decoded(most + rest if rest else most, path))


def _read(file: IO[bytes], size: int, before: bytes = b"") -> bytes:
    """Return some bytes and, behind them, the next `size` bytes of a file, fewer at its end."""
    if size < LARGE or not isinstance(file, io.BufferedReader):
        return before + file.read(size)
    result: bytes = load("contents").contents(file, size, before)
    return result


def unpacked_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the whole content of a file, decompressed, and otherwise as it is."""
    with open_bytes(path) as file:
        return file.read()


def _decoded(data: bytes, path: str | os.PathLike[str]) -> bytes:
    """Return the content of a file in UTF-8, if another encoding was named or marked."""
    if not data.startswith(_UTF16) and "COMMONGROUND_ENCODING" not in os.environ:
        return data
    from commonground.formats.storage.encodings import decoded  # noqa: PLC0415  # seldom needed

    return decoded(data, shown(path))


_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read_utf8(path: str | os.PathLike[str], expected: str) -> str:
    """Return the whole text of a file; `expected` says what should have been in it."""
    return utf8(read_bytes(path), shown(path), f"{expected} expected")


def plain(data: bytes) -> bytes:
    """Return the content of a file without BOM and with plain newlines."""
    return _lines_of_macs(_plain_newlines(data.removeprefix(BOM)))


def block_reader(path: str | os.PathLike[str], size: int = 1 << 24) -> Iterator[bytes]:
    """Return the content of a file in blocks of about `size` bytes, cut at ends of lines."""
    return (block for _, block in placed_blocks(path, size))


def placed_blocks(
    path: str | os.PathLike[str], size: int
) -> Generator[tuple[int | None, bytes], bytes | None, None]:
    """Return the blocks of :func:`block_reader`, each with its place in the file.

    The place is None where the file does not have these bytes, because it is compressed or has
    other newlines, and where nobody can go to that place, because it is a pipe. What is sent stands
    before the next block, which then has at least as many bytes; so nothing need be copied to put
    them together.
    """
    if "COMMONGROUND_ENCODING" in os.environ:  # not every encoding can be read in pieces
        yield from _blocks_of(read_bytes(path), size)
        return
    with open_bytes(path) as file:
        placed = isinstance(file, io.BufferedReader) and file.seekable()
        placed &= os.fspath(path) != STANDARD
        place, rest, whole, before = 0, b"", True, b""
        while first := file.read(1):  # nothing is copied in vain at the end
            known = len(before)
            # Who has a block alone can cut it without a copy; so no name refers to it here.
            held = [_read(file, max(size, known) - 1, before + rest + first)]
            if not place and held[0].startswith(_UTF16):
                text = _decoded(b"".join((held.pop(), file.read())), path)
                yield from _blocks_of(plain(text), size)
                return
            if not place and held[0].startswith(BOM):
                place, held = len(BOM), [held[0].removeprefix(BOM)]
            cut = held[0].rfind(b"\n", known) + 1
            if not cut:
                rest = held[0][known:]
                continue
            start, place, whole = place, place + cut - known, False
            same = placed
            block, rest = load("contents").parted(held, cut)
            if block.find(b"\r", known) >= 0:
                new = _plain_newlines(block[known:])
                same &= len(new) == cut - known
                block = before + new
            held.append(block)
            del block
            before = (yield start if same else None, held.pop()) or b""
        if rest:
            data = _lines_of_macs(rest) if whole else rest
            yield place if placed and data is rest else None, before + data


def _blocks_of(data: bytes, size: int) -> Generator[tuple[int | None, bytes], bytes | None, None]:
    """Return the blocks of a content that was decoded as a whole."""
    cuts = (data.find(b"\n", end) + 1 for end in range(size, len(data), size))
    starts = [0, *(cut or len(data) for cut in cuts), len(data)]
    before = b""
    for a, b in pairwise(starts):
        if a < b:
            before = (yield None, before + data[a:b]) or b""


def _lines_of_macs(data: bytes) -> bytes:
    """Return a whole file with plain newlines where it has none but those of old Macs."""
    return data if b"\n" in data or b"\r" not in data else data.replace(b"\r", b"\n")


def _plain_newlines(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n") if b"\r" in data else data


def write_bytes(path: str | os.PathLike[str], parts: Iterable[bytes]) -> None:
    """Write a file (or ``-``) whole or not at all; the suffix tells the compression."""
    name = os.fspath(path)
    if name == STANDARD:
        with _naming("standard output"):
            for part in parts:
                sys.stdout.buffer.write(part)
            sys.stdout.buffer.flush()
        return
    target = Path(os.path.realpath(name))  # what a link leads to is written, and the link stays
    refuse_loop(name)
    if _inputs is not None and _identity(target) in _inputs:
        raise OverwrittenInputError(name)
    if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
        with _naming(name), target.open("wb") as device:
            device.writelines(parts)
        return
    _replace(target, name, parts)


def refuse_loop(name: str) -> None:
    """Refuse to write to a link that leads back to itself."""
    if Path(os.path.realpath(name)).is_symlink():
        raise InputError(name, 0, f"cannot be written: {os.strerror(errno.ELOOP)}")


def _replace(target: Path, name: str, parts: Iterable[bytes]) -> None:
    """Write a file beside the target, and put it into its place when it is whole."""
    # Its name is known before it is there, so that an interrupt at any point finds what to remove.
    temporary = target.with_name(f".{target.name[:40]}.{os.urandom(8).hex()}")
    try:
        with _naming(name), _created(temporary, name) as raw:
            with _packing(raw, target.suffix) as file:
                for part in parts:
                    file.write(part)
            raw.flush()
            os.fsync(raw.fileno())
        temporary.chmod(_mode(target))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Say which file cannot be written, where the system does not: its disk is full, or broken."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None and error.strerror:
            raise InputError(name, 0, f"cannot be written: {error.strerror}") from error
        raise


def _created(path: Path, name: str) -> io.BufferedWriter:
    """Open a new file that nobody else may read yet."""
    try:
        return open(path, "xb", opener=lambda file, flags: os.open(file, flags, 0o600))
    except OSError as error:
        raise InputError(name, 0, f"cannot be written: {error.strerror}") from error


_inputs: set[tuple[int, int]] | None = None
"""The files that were read, where they are not to be overwritten: their devices and numbers."""


def guard_inputs(*, wanted: bool) -> None:
    """Refuse, from now on, to write a file that was read, or allow it again."""
    global _inputs  # noqa: PLW0603  # the command does this once, before it reads anything
    _inputs = set() if wanted else None


@contextmanager
def overwriting() -> Iterator[None]:
    """Allow the files that were read to be written, for as long as that is what was asked for."""
    global _inputs  # noqa: PLW0603  # as above
    before, _inputs = _inputs, None
    try:
        yield
    finally:
        _inputs = before


def note_input(name: str) -> None:
    """Note a file that is read, by this process or another one that works for it."""
    if _inputs is not None and (identity := _identity(Path(name))):
        _inputs.add(identity)


def refuse_inputs(sources: Iterable[str], targets: Iterable[str]) -> None:
    """Refuse to begin where one of several files to be written is one of those to be read."""
    for source in sources:
        note_input(source)
    for target in targets:
        if _inputs is not None and _identity(Path(target)) in _inputs:
            raise OverwrittenInputError(target)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def _mode(target: Path) -> int:
    """Return the permissions of the file to be replaced, or those of a new file."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _packing(raw: io.BufferedWriter, suffix: str) -> AbstractContextManager[IO[bytes]]:
    """Return a file that packs what is written to it, where the suffix says so."""
    if suffix not in COMPRESSION:
        return nullcontext(raw)
    from commonground.formats.storage.compression import packing  # noqa: PLC0415  # only for packed files

    return packing(raw, suffix)

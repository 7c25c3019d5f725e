"""Compressed files: .gz, .xz and .zst, unpacked as far as they are no bombs, and packed.

It is loaded only where a file is compressed.
"""

from __future__ import annotations

import gzip
import io
import lzma
import os
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, cast

from commonground.errors import InputError, MissingExtraError, UsageError

__all__ = ["bounded", "damaged", "packing", "unpacking"]


def unpacking(raw: io.BufferedReader, suffix: str, name: str) -> IO[bytes]:
    """Return the content of a packed file; the suffix says how it is packed."""
    packed = _Counted(raw)
    if suffix == ".gz":
        pieces = _pieces(cast("IO[bytes]", gzip.GzipFile(fileobj=cast("IO[bytes]", packed))))
    elif suffix == ".xz":
        pieces = _pieces(lzma.LZMAFile(cast("IO[bytes]", packed)))  # noqa: SIM115  # it owns nothing
    else:
        pieces = _frames(cast("IO[bytes]", packed))
    return cast("IO[bytes]", _Unpacked(pieces, packed, name))


def bounded(content: IO[bytes], size: int, name: str) -> IO[bytes]:
    """Return the content of a file that takes up `size` bytes in an archive."""
    packed = _Counted(content)
    packed.count = size
    return cast("IO[bytes]", _Unpacked(_pieces(content), packed, name))


_EXPANSION = "COMMONGROUND_EXPANSION"
"""The environment variable that says how many times its size a file may unpack to; 0 is any."""

_USUAL_EXPANSION = 200
_HARMLESS = 1 << 26
"""Text unpacks to ten or twenty times its size; so many bytes are unpacked in any case."""


class _Counted:
    """A packed file that counts what is read of it."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw, self.count = raw, 0

    def read(self, size: int = -1) -> bytes:
        """Return what comes next."""
        data = self._raw.read(size)
        self.count += len(data)
        return data

    def seek(self, place: int, whence: int = 0) -> int:
        """Go to a place; the readers of packed files do so at the start."""
        return self._raw.seek(place, whence)

    def tell(self) -> int:
        """Return the place in the packed file."""
        return self._raw.tell()

    def seekable(self) -> bool:
        """Tell whether places can be gone to."""
        return self._raw.seekable()


class _Unpacked:
    """The content of a packed file, piece by piece, as long as it is no bomb."""

    def __init__(self, pieces: Iterator[bytes], packed: _Counted, name: str) -> None:
        self._pieces, self._packed, self._name = pieces, packed, name
        self._count = 0
        try:
            self._most = int(os.environ.get(_EXPANSION, _USUAL_EXPANSION))
        except ValueError:
            raise UsageError(f"{_EXPANSION} must be a number") from None

    def read(self, size: int = -1) -> bytes:
        """Return at least `size` bytes unless the file ends, or all that is left."""
        parts: list[bytes] = []
        length = 0
        while size < 0 or length < size:
            piece = next(self._pieces, None)
            if piece is None:
                break
            parts.append(piece)
            length += len(piece)
            self._count += len(piece)
            if self._most and self._count > max(_HARMLESS, self._most * self._packed.count):
                raise InputError(
                    self._name,
                    0,
                    f"it unpacks to more than {self._most} times its size, which no treebank does; "
                    f"{_EXPANSION}=0 in the environment allows it",
                )
        return b"".join(parts)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    while piece := file.read(1 << 20):
        yield piece


def _frames(raw: IO[bytes]) -> Iterator[bytes]:
    """Unpack a .zst file; unlike zstandard's own reader it notices when the file is cut off."""
    zstandard = _zstandard()
    frame, begun = zstandard.ZstdDecompressor().decompressobj(), False
    while packed := raw.read(1 << 12):  # as little can be hundreds of megabytes
        while packed:
            yield frame.decompress(packed)
            begun = not frame.eof
            packed = frame.unused_data if frame.eof else b""
            if frame.eof:
                frame = zstandard.ZstdDecompressor().decompressobj()
    if begun:
        raise EOFError("it ends before its end is marked")


@contextmanager
def packing(raw: IO[bytes], suffix: str) -> Iterator[IO[bytes]]:
    """Return a file that packs what is written to it, as the suffix says."""
    if suffix == ".gz":
        # No name and no time in the header: the same content gives the same bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as file:
            yield cast("IO[bytes]", file)
    elif suffix == ".xz":
        with lzma.LZMAFile(raw, "wb") as xz:
            yield xz
    else:
        with _zstandard().ZstdCompressor().stream_writer(raw, closefd=False) as zst:
            yield zst


def _zstandard() -> Any:
    try:
        import zstandard  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise MissingExtraError("a .zst file", "zstd") from error
    return zstandard


def damaged() -> tuple[type[Exception], ...]:
    """Return what readers of compressed files raise; zstandard counts only once it is loaded."""
    zstandard = sys.modules.get("zstandard")
    return (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error, zipfile.BadZipFile) + (
        (zstandard.ZstdError,) if zstandard else ()
    )

r"""Models on disk: one file of named arrays, with a header that tells what they are.

    bytes                 what
    8                     ``\x89CGMODEL``, which no text begins with
    4                     the version of the container (1)
    8                     how long the header is
    4                     the CRC-32 of the header
    …                     the header: JSON in UTF-8, keys in order, no spaces
    …                     the arrays one after the other, each packed with zlib or as it is

All numbers are little-endian. The header describes one model: the name of its ``parser``, its
``metadata`` (settings, labels, whatever JSON can hold), its ``arrays`` (each with name, dtype,
shape, length and CRC-32 of what is stored, and whether that is packed), and its ``parts``, which
are models themselves (the tagger of a parser, the parser under a stacked one). A model that people
want to read is text instead, whose first line names the parser (``# commonground dmv 1``). Nothing
in a file is ever executed. A file that is cut off, damaged or of another kind is refused with one
line, and so is one whose arrays need more memory together than is allowed (``most_bytes``); the
same model makes the same bytes.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.errors import InputError, UsageError, setting, utf8
from commonground.formats.storage.files import open_bytes, shown, write_bytes
from commonground.parsers.model_mark import MAGIC, TEXT

__all__ = ["Stored", "most_bytes", "read_model", "write_model"]

VERSION = 1
_HEAD = struct.Struct("<8sIQI")
_DTYPES = ("|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8", "<f4", "<f8")
_MOST_HEADER = 1 << 26
"""Read as JSON, a header can take twenty times its length."""

_MEMORY = "COMMONGROUND_MODEL_MEMORY"
_USUAL_MEMORY = 2.0

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Stored:
    """A model as a file holds it.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.model"
    >>> write_model(Stored("tiny", {"labels": ["x"]}, {"w": np.arange(3)}), path)
    >>> result = read_model(path)
    >>> result.parser, result.metadata, result.arrays["w"].tolist()
    ('tiny', {'labels': ['x']}, [0, 1, 2])
    """

    parser: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, Array] = field(default_factory=dict)
    parts: Mapping[str, Stored] = field(default_factory=dict)
    text: str = ""

    def array(self, name: str, dtype: str, length: int | None = None) -> Array:
        """Return an array of one dimension, which must have this dtype (and length)."""
        array = self.arrays.get(name)
        if array is None or array.ndim != 1 or array.dtype != np.dtype(dtype):
            raise ModelError(f"its {self.parser} model has no array {name!r} of {dtype}")
        if length is not None and len(array) != length:
            raise ModelError(f"array {name!r} has {len(array)} entries, not {length}")
        return array

    def value(self, name: str, kind: type | tuple[type, ...]) -> Any:
        """Return a value of the metadata, which must be of this type."""
        value = self.metadata.get(name)
        if not isinstance(value, kind):
            raise ModelError(f"the metadata of its {self.parser} model have no right {name!r}")
        return value

    def texts(self, name: str) -> list[str]:
        """Return a list of texts in the metadata."""
        texts = self.value(name, list)
        if not all(isinstance(text, str) for text in texts):
            raise ModelError(f"{name!r} has something that is not text")
        return list(texts)

    def mapping(self, name: str) -> dict[str, str]:
        """Return a mapping from texts to texts in the metadata."""
        mapping = self.value(name, dict)
        if not all(isinstance(text, str) for text in mapping.values()):
            raise ModelError(f"{name!r} has something that is not text")
        return dict(mapping)


class ModelError(ValueError):
    """A stored model that does not fit together; the reader of the file adds its name."""


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def write_model(stored: Stored, path: str | os.PathLike[str]) -> None:
    """Write a model to a file, whole or not at all."""
    write_bytes(path, model_bytes(stored))


def model_bytes(stored: Stored) -> Iterator[bytes]:
    """Return the bytes of a model file, piece by piece."""
    if stored.text:
        yield stored.text.encode()
        return
    blobs: list[bytes] = []
    described = _described(stored, blobs)
    header = json.dumps(
        described, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode("utf-8", "surrogatepass")
    yield _HEAD.pack(MAGIC, VERSION, len(header), zlib.crc32(header)) + header
    yield from blobs


def _described(stored: Stored, blobs: list[bytes]) -> dict[str, Any]:
    """Return the header of a model, and add what its arrays are stored as."""
    arrays = []
    for name in sorted(stored.arrays):
        array = np.ascontiguousarray(stored.arrays[name])
        plain = array.astype(array.dtype.newbyteorder("<"), copy=False)
        assert plain.dtype.str in _DTYPES, f"{name} has the dtype {plain.dtype}"
        raw = plain.tobytes()
        squeezed = zlib.compress(raw, 1)
        packed = len(squeezed) < 0.9 * len(raw)
        blobs.append(squeezed if packed else raw)
        arrays.append(
            {
                "name": name,
                "dtype": plain.dtype.str,
                "shape": list(plain.shape),
                "packed": packed,
                "length": len(blobs[-1]),
                "crc": zlib.crc32(blobs[-1]),
            }
        )
    parts = {name: _described(stored.parts[name], blobs) for name in sorted(stored.parts)}
    return {
        "parser": stored.parser,
        "metadata": dict(stored.metadata),
        "arrays": arrays,
        "parts": parts,
    }


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def most_bytes(gigabytes: float | None = None) -> float:
    """Return how many bytes all arrays of a model may have together, once they are unpacked.

    Without a number of `gigabytes` it is that of ``COMMONGROUND_MODEL_MEMORY``, or 2; 0 is any.

    >>> most_bytes(0.5), most_bytes(0)
    (536870912.0, inf)
    """
    given = os.environ.get(_MEMORY, _USUAL_MEMORY) if gigabytes is None else gigabytes
    try:
        most = float(given)
    except ValueError:
        raise UsageError(f"{_MEMORY} must be a number of gigabytes") from None
    if not most >= 0:
        raise UsageError(f"a model cannot have {most} gigabytes; 0 allows any number")
    return most * (1 << 30) if most else float("inf")


def read_model(path: str | os.PathLike[str], memory: float | None = None) -> Stored:
    """Read a model from a file; its arrays may need so many gigabytes (:func:`most_bytes`)."""
    most = most_bytes(memory)
    with open_bytes(path) as file:
        start = file.read(_HEAD.size)
        if not start.startswith((TEXT, MAGIC)):  # whatever it is, it may be large
            raise InputError(shown(path), 0, "it is not a model; commonground train makes one")
        pieces, size = [start], len(start)
        while piece := file.read(1 << 22):
            pieces.append(piece)
            size += len(piece)
            if size > most + _MOST_HEADER:
                raise InputError(shown(path), 0, f"not a good model: {_too_large()}")
    content = b"".join(pieces)
    if content.startswith(TEXT):
        return _read_text(content, shown(path))
    try:
        return _read(memoryview(content), most)
    except ModelError as error:
        raise InputError(shown(path), 0, f"not a good model: {error}") from error


def _read_text(content: bytes, path: str) -> Stored:
    """Return a model that is text; the parser itself reads it."""
    text = utf8(content, path, "models are written in UTF-8")
    name, _, version = text.partition("\n")[0].removeprefix(TEXT.decode()).strip().partition(" ")
    if version != str(VERSION):
        raise InputError(path, 1, f"the model has version {version!r}; {VERSION} is read")
    return Stored(name, {"path": path}, text=text)


def _read(content: memoryview, most: float) -> Stored:
    """Read what begins as a model does; its arrays may have so many bytes."""
    if len(content) < _HEAD.size:
        raise ModelError("it is cut off")
    _, version, length, crc = _HEAD.unpack_from(content)
    if version != VERSION:
        raise ModelError(f"it has version {version}; this program reads {VERSION}")
    if length > _MOST_HEADER:
        raise ModelError("its header is damaged")
    header = bytes(content[_HEAD.size : _HEAD.size + length])
    if zlib.crc32(header) != crc:
        raise ModelError("its header is damaged or cut off")
    try:
        described = json.loads(header.decode("utf-8", "surrogatepass"))
        stored, left = _undescribed(described, _Rest(content[_HEAD.size + length :], most))
    except ModelError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise ModelError("its header does not describe a model") from error
    if len(left.content):
        raise ModelError(f"{len(left.content)} superfluous bytes at its end")
    return stored


@dataclass(frozen=True, slots=True)
class _Rest:
    """What is left of a file, and how many bytes its arrays may still have."""

    content: memoryview
    most: float


def _undescribed(described: Any, rest: _Rest) -> tuple[Stored, _Rest]:
    arrays = {}
    for entry in described["arrays"]:
        arrays[entry["name"]], rest = _array(entry, rest)
    parts = {}
    for name in sorted(described["parts"]):
        parts[name], rest = _undescribed(described["parts"][name], rest)
    if not isinstance(described["parser"], str) or not isinstance(described["metadata"], dict):
        raise TypeError
    return Stored(described["parser"], described["metadata"], arrays, parts), rest


def _array(entry: dict[str, Any], rest: _Rest) -> tuple[Array, _Rest]:
    name, length = entry["name"], _whole(entry["length"])
    if entry["dtype"] not in _DTYPES or length < 0:
        raise ModelError(f"array {name!r} is of no known kind")
    blob = rest.content[:length]
    if len(blob) < length:
        raise ModelError("it is cut off")
    if zlib.crc32(blob) != entry["crc"]:
        raise ModelError(f"array {name!r} is damaged")
    dtype, shape = np.dtype(entry["dtype"]), [_whole(size) for size in entry["shape"]]
    wanted = dtype.itemsize
    for size in shape:
        wanted *= size
    if min(shape, default=0) < 0:
        raise ModelError(f"array {name!r} has an impossible shape")
    if wanted > rest.most:
        raise ModelError(_too_large())
    raw = _unpacked(blob, wanted) if entry["packed"] else bytes(blob)
    if len(raw) != wanted:
        raise ModelError(f"array {name!r} does not have its shape")
    array = np.frombuffer(raw, dtype).reshape(shape)
    left = _Rest(rest.content[length:], rest.most - wanted)
    return array.astype(dtype.newbyteorder("="), copy=False), left


def _too_large() -> str:
    return (
        "its arrays need more memory than a model may have; "
        f"{setting('model_memory', 'GB')} or {_MEMORY} allows more"
    )


def _whole(value: Any) -> int:
    """Return a whole number; everything else is an error."""
    if type(value) is not int:
        raise TypeError
    return value


def _unpacked(blob: memoryview, wanted: int) -> bytes:
    """Return unpacked bytes; one more than wanted where there are too many."""
    try:
        return zlib.decompressobj().decompress(blob, wanted + 1)
    except zlib.error as error:
        raise ModelError(f"an array cannot be unpacked: {error}") from error

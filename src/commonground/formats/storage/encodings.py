"""Files that are not in UTF-8: in the encoding that was named, or in the one that is guessed.

Everything is read as UTF-8 first. What is not, is taken for Windows-1252 where it has characters
that only this has, or else for Latin-1, in which most older treebanks are; a warning says so.
"""

from __future__ import annotations

import codecs
import os
import warnings
from collections.abc import Callable

from commonground.corpus import Corpus
from commonground.errors import GuessedEncodingWarning, InputError, UsageError, setting
from commonground.formats.format import FormatOptions

__all__ = ["ENCODING", "decoded", "or_guessed", "set_encoding"]

ENCODING = "COMMONGROUND_ENCODING"
"""The environment variable that names the encoding of all files; other processes see it, too."""

_XML = (b"<?xml", b"<corpus", b"<alpino", b"<treebank")
"""What is XML says itself which encoding it is in."""

Reader = Callable[[bytes, str, int, FormatOptions], Corpus]


def set_encoding(name: str) -> None:
    """Read all files in some encoding from now on.

    >>> set_encoding("klingon")
    Traceback (most recent call last):
    commonground.errors.UsageError: there is no encoding 'klingon'; latin-1 and cp1252 are some
    """
    try:
        codecs.lookup(name)
        "".encode(name).decode(name)
    except (LookupError, TypeError, AttributeError, UnicodeError, ValueError):
        raise UsageError(f"there is no encoding {name!r}; latin-1 and cp1252 are some") from None
    os.environ[ENCODING] = name


def decoded(data: bytes, path: str) -> bytes:
    """Return the content of a file in UTF-8, where another encoding was named or marked."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and b"\0" in data[:1000]:
        return _in_utf8(data, "utf-16", path)
    name = os.environ.get(ENCODING)
    if not name or data.startswith(_XML):
        return data
    return _in_utf8(data, name, path)


def _in_utf8(data: bytes, name: str, path: str) -> bytes:
    try:
        return data.decode(name).encode("utf-8")
    except UnicodeError as error:
        at = getattr(error, "start", 0)
        line = data.count(b"\n", 0, at) + 1
        raise InputError(path, line, f"it is not in the encoding {name}") from error


def or_guessed(read: Reader, data: bytes, path: str, line: int, options: FormatOptions) -> Corpus:
    """Read a file; where it is not UTF-8, read it in the encoding that it may be in."""
    try:
        return read(data, path, line, options)
    except InputError:
        if data.startswith(_XML) or not _may_be_latin(data):
            raise
    name = "cp1252" if data.translate(None, _ALL_BUT_WINDOWS) else "latin-1"
    try:
        content = _in_utf8(data, name, path)
    except InputError:  # Latin-1 has every byte
        name, content = "latin-1", _in_utf8(data, "latin-1", path)
    corpus = read(content, path, line, options)
    what = (
        f"it is not in UTF-8, and is read as {_TITLES[name]}; "
        f"{setting('encoding')} says which encoding it is in"
    )
    warnings.warn(GuessedEncodingWarning(path, what), stacklevel=2)
    return corpus


def _may_be_latin(data: bytes) -> bool:
    """Tell whether some content is a text in Latin-1 or Windows-1252, and not damaged UTF-8.

    Most of what is beyond ASCII is letters there, few of which make characters of UTF-8.
    """
    if data.translate(None, _TEXT) or is_utf8(data):
        return False
    beyond = len(data.translate(None, _ASCII))
    only_windows = len(data.translate(None, _ALL_BUT_WINDOWS))
    whole = sum(not character.isascii() for character in data.decode("utf-8", "ignore"))
    return 2 * only_windows < beyond and 4 * whole < beyond


_ASCII = bytes(range(0x80))
_TEXT = bytes([*b"\t\n\v\f\r", *range(0x20, 0x7F), *range(0x80, 0x100)])
"""Bytes that texts have; where there are others, no encoding helps."""
_ALL_BUT_WINDOWS = bytes([*range(0x80), *range(0xA0, 0x100)])
_TITLES = {"cp1252": "Windows-1252", "latin-1": "Latin-1"}


def is_utf8(data: bytes) -> bool:
    r"""Tell whether some content is UTF-8.

    >>> is_utf8("é".encode()), is_utf8(b"\xe9")
    (True, False)
    """
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True

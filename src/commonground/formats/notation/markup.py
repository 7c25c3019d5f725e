"""XML as a stream of elements with their lines, for the formats that are written in it.

The standard library's expat reads it, not lxml: it is always there, it builds no tree (so nothing
recurses, however deep the elements are nested), it knows the line of each element, and it can
refuse a declaration of entities before any is expanded. Nothing outside the file is ever opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol, TypeVar
from xml.parsers import expat

from commonground.errors import Problem, UsageError, quoted

__all__ = ["Elements", "Gathering", "escaped", "gathered", "parse"]

T = TypeVar("T")

_PIECE = 1 << 16
_JUNK = expat.errors.codes[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT]
_DECLARATION = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._:-]+)[\"']")
_ENTITY = re.compile(rb"&(?!#|amp;|lt;|gt;|quot;|apos;)[^;\s<>&]*;")
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        # As they stand, these would be read as spaces.
        "\t": "&#9;",
        "\n": "&#10;",
        "\r": "&#13;",
    }
)


class Elements(Protocol):
    """What takes the elements of a file, one after the other."""

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        """Take the beginning of an element."""

    def end(self, name: str) -> None:
        """Take the end of an element."""

    def text(self, text: str) -> None:
        """Take text between two tags."""


def escaped(text: str) -> str:
    """Return a text as it is written between the quotes of an attribute.

    A character that XML cannot hold at all is a :class:`UsageError`.

    >>> escaped('a < "b"')
    'a &lt; &quot;b&quot;'
    """
    match = _FORBIDDEN.search(text)
    if match:
        raise UsageError(f"XML cannot hold the character {match.group()!a} of {quoted(text)}")
    return text.translate(_ESCAPES)


class Gathering(Elements, Protocol[T]):
    """What makes something of the elements of a file."""

    found: list[T | Problem]


def gathered(data: bytes, elements: Gathering[T]) -> Iterator[T | Problem]:
    """Return what is made of the documents of a file, and its problems; nothing of a blank file."""
    if data.strip():
        broken = parse(data, elements, several=True)
        yield from elements.found
        if broken:
            yield broken


def parse(data: bytes, elements: Elements, *, several: bool = False) -> Problem | None:
    """Hand the elements of a file over; return where it stops being XML, if it does.

    With `several`, documents may stand one after the other. What is in UTF-8 is read as UTF-8,
    whatever its first line says about its encoding.
    """
    content = _as_utf8(data)
    if isinstance(content, Problem):
        return content
    view = memoryview(content)
    lines_before = 0
    while True:
        document = _Document(elements, lines_before)
        fed = document.feed(view)
        if not isinstance(fed, int):
            return fed or _unknown_entity(content)
        lines_before += document.parser.ErrorLineNumber - 1
        if not several:
            return Problem(lines_before + 1, "another document begins where the file should end")
        view = view[fed:]


def _as_utf8(data: bytes) -> bytes | Problem:
    """Return a file in UTF-8, in which the encoding that it declares means nothing any more."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        declared = _DECLARATION.match(data)
        name = declared.group(1).decode() if declared else "utf-16"
        if not declared and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return Problem(line, "a byte is not UTF-8; save the file as UTF-8")
        try:
            return data.decode(name).encode("utf-8")
        except (LookupError, UnicodeError):
            return Problem(
                line, f"a byte is not in the encoding {quoted(name)} that line 1 declares"
            )
    return data


def _unknown_entity(content: bytes) -> Problem | None:
    """Return where an entity is used that a DTD outside the file may declare; expat drops it."""
    match = _ENTITY.search(content) if b"<!DOCTYPE" in content else None
    if match is None:
        return None
    name = quoted(match.group().decode("utf-8"))
    line = content.count(b"\n", 0, match.start()) + 1
    return Problem(line, f"the entity {name} is not declared; write out what it stands for")


class _RefusedError(Exception):
    """A declaration of an entity."""


class _Document:
    """The reader of one document."""

    def __init__(self, elements: Elements, lines_before: int) -> None:
        self.parser = parser = expat.ParserCreate("utf-8")
        self._lines_before = lines_before
        parser.buffer_text = True
        parser.EntityDeclHandler = self._entity
        parser.CharacterDataHandler = elements.text
        parser.EndElementHandler = elements.end
        parser.StartElementHandler = lambda name, attributes: elements.start(
            name, attributes, lines_before + parser.CurrentLineNumber
        )

    def feed(self, data: memoryview) -> Problem | int | None:
        """Return what is wrong, or where another document begins, or None at the end."""
        try:
            for start in range(0, len(data), _PIECE):
                self.parser.Parse(data[start : start + _PIECE], False)  # noqa: FBT003  # expat's
            self.parser.Parse(b"", True)  # noqa: FBT003  # expat's
        except expat.ExpatError as error:
            if error.code == _JUNK:
                return self.parser.ErrorByteIndex
            text = expat.errors.messages[error.code]
            message = f"broken XML: {text} in column {error.offset + 1}"
            return Problem(self._lines_before + error.lineno, message)
        except _RefusedError as error:
            return Problem(self._lines_before + self.parser.CurrentLineNumber, str(error))
        return None

    @staticmethod
    def _entity(name: str, *_: object) -> None:
        raise _RefusedError(f"the entity {quoted(name)} is declared; write out what it stands for")

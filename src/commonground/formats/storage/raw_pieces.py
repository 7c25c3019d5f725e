r"""Pieces of text of any size: whole paragraphs, with every character that the file has.

Unlike the files of formats, a text is taken as it is: newlines of all systems and the mark at its
beginning are characters of it. A piece ends where a paragraph does, with the white space after it;
a paragraph of more than a million characters is cut, at white space if it has any.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from commonground.errors import InputError
from commonground.formats.storage.files import open_bytes, shown

__all__ = ["RawPiece", "pieces_of", "raw_pieces"]

SIZE = 1 << 18
"""Pieces have about so many characters."""

MOST = 1 << 20
"""No piece has more."""

_BLOCK = 1 << 18
_RUN = re.compile(r"[\s\ufeff]+")


@dataclass(frozen=True, slots=True)
class RawPiece:
    """Some text, after so many characters and so many paragraphs of the whole."""

    path: str
    text: str
    character: int = 0
    paragraph: int = 0

    @property
    def first(self) -> int:
        """The number of its first character, from 1."""
        return self.character + 1


def raw_pieces(path: str | os.PathLike[str]) -> Iterator[RawPiece]:
    """Return the text of a file (UTF-8, packed or not) in pieces."""
    return _pieces(_decoded(path), shown(path))


def pieces_of(text: str, path: str = "<text>") -> Iterator[RawPiece]:
    r"""Return a text in pieces.

    >>> [piece.text for piece in pieces_of("One.\n\nTwo.\n")]
    ['One.\n\nTwo.\n']
    """
    return _pieces((text[at : at + SIZE] for at in range(0, len(text), SIZE)), path)


def _decoded(path: str | os.PathLike[str]) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")()
    line = 1
    with open_bytes(path) as file:
        while True:
            block = file.read(_BLOCK)
            try:
                text = decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                line += error.object[: error.start].count(b"\n")
                message = "a byte that is not UTF-8; save the file as UTF-8"
                raise InputError(shown(path), line, message) from error
            line += text.count("\n")
            if text:
                yield text
            if not block:
                return


def _pieces(blocks: Iterable[str], path: str) -> Iterator[RawPiece]:
    text, character, paragraph = "", 0, 0
    for block in blocks:
        text += block
        while len(text) >= SIZE:
            cut = _cut(text)
            if not cut:
                break
            piece = RawPiece(path, text[:cut], character, paragraph)
            yield piece
            text, character = text[cut:], character + cut
            paragraph += _paragraphs(piece.text)
    if text:
        yield RawPiece(path, text, character, paragraph)


def _cut(text: str) -> int:
    """Return where a text can be cut: after its last paragraph that has ended, 0 where none has."""
    last = line = space = 0
    for run in _RUN.finditer(text, 0, min(len(text), MOST)):
        if run.end() in (len(text), MOST):
            break  # nobody knows yet where it ends
        breaks = text.count("\n", run.start(), run.end())
        last = run.end() if breaks > 1 else last
        line = run.end() if breaks else line
        space = run.end()
    if last or len(text) < MOST:
        return last
    return line or space or MOST


def _paragraphs(text: str) -> int:
    r"""Return how many paragraphs a text has.

    >>> _paragraphs("One.\n \nTwo.\nTwo.\n"), _paragraphs(" \n\n"), _paragraphs("\n\nOne")
    (2, 0, 1)
    """
    breaks = sum(
        text.count("\n", run.start(), run.end()) > 1
        for run in _RUN.finditer(text)
        if run.start() and run.end() < len(text)
    )
    return breaks + 1 if _RUN.fullmatch(text) is None and text else 0

r"""Dependencies in the XML of the Ancient Greek and Latin Dependency Treebanks (Perseus, ALDT).

Bamman and Crane (2011), *The Ancient Greek and Latin Dependency Treebanks*; the Arethusa editor
writes it, too. It can only be read::

    <treebank version="1.6" format="aldt" xml:lang="lat">
      <sentence id="1" document_id="…" subdoc="2.1">
        <word id="1" form="Cum" lemma="cum1" postag="c--------" head="20" relation="AuxC"/>

The ``postag`` is the tag (XPOS), the ``relation`` the label. Words that the annotators added for an
ellipsis (``insertion_id``, ``artificial``) do not stand in the text; they are left out, and what
depends on them depends on the next word above. A word whose head is empty has none. The attributes
of ``<sentence>`` become comment lines: ``id`` the sent_id, any other one itself.

>>> from commonground.formats import read_text
>>> latin = read_text(
...     '<treebank version="1.6" format="aldt"><sentence id="7">'
...     '<word id="1" form="Arma" lemma="arma1" postag="n-p---na-" head="3" relation="OBJ"/>'
...     '<word id="2" form="cano" lemma="cano1" postag="v1spia---" head="0" relation="PRED"/>'
...     '<word id="3" form="[0]" head="2" relation="OBJ_CO" artificial="elliptic"/>'
...     "</sentence></treebank>"
... )
>>> latin.form.tolist(), latin.head.tolist(), latin.deprel.tolist(), latin.sent_id.tolist()
(['Arma', 'cano'], [2, 0], ['OBJ', 'PRED'], ['7'])
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from commonground.corpus import Dependencies, Strings, Table
from commonground.corpus.table import offsets_of
from commonground.errors import Problem, quoted, setting
from commonground.formats.format import Format, FormatOptions, first_problem
from commonground.formats.notation.markup import parse

__all__ = ["FORMAT"]

_NUMBER = re.compile(r"[0-9]{1,9}")
_FIRST_WORD = re.compile(r"<word\b[^>]*\b(?:relation|head)\s*=")
_COLUMNS = {"form": "form", "lemma": "lemma", "postag": "xpos", "relation": "deprel"}


def looks_like(start: str) -> float:
    """Tell from the first lines whether a file is of these treebanks.

    >>> looks_like('<treebank><sentence id="1"><word id="1" head="0" relation="PRED"/>')
    1.0
    """
    text = start.lstrip("\ufeff \t\r\n")
    named = "<treebank" in start and "<sentence" in start
    return float(text.startswith("<") and named and _FIRST_WORD.search(start) is not None)


class _Word(NamedTuple):
    """A word of the file, as its attributes have it."""

    number: str
    head: str
    texts: dict[str, str]
    line: int
    added: bool


class _PerseusReader:
    """The sentences of a file, and what is wrong with them."""

    def __init__(self) -> None:
        self.lengths: list[int] = []
        self.lines: list[int] = []
        self.comments: list[str] = []
        self.heads: list[int] = []
        self.texts: dict[str, list[str]] = {name: [] for name in _COLUMNS.values()}
        self.wrong: list[Problem] = []
        self._words: list[_Word] = []

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        """Take the beginning of an element."""
        if name == "sentence":
            self._words = []
            self.lines.append(line)
            names = {("sent_id" if key == "id" else key): text for key, text in attributes.items()}
            self.comments.append(
                "\n".join(f"# {key} = {' '.join(text.split())}" for key, text in names.items())
            )
        elif name == "word" and len(self.lines) > len(self.lengths):
            added = "insertion_id" in attributes or "artificial" in attributes
            texts = {
                column: " ".join(attributes.get(key, "").split()) or "_"
                for key, column in _COLUMNS.items()
            }
            number, head = attributes.get("id", ""), attributes.get("head", "")
            self._words.append(_Word(number, head, texts, line, added))

    def end(self, name: str) -> None:
        """Take the end of an element."""
        if name == "sentence":
            self._finish()

    def text(self, text: str) -> None:
        """Take text between two tags, which means nothing here."""

    def _finish(self) -> None:
        """Add the sentence that was read, without the words that do not stand in the text."""
        by_number: dict[str, _Word] = {}
        for word in self._words:
            if not _NUMBER.fullmatch(word.number):
                self._problem(word, f"id is {quoted(word.number)}; a number is expected")
            elif word.number in by_number:
                self._problem(word, f"two words have the id {word.number}")
            by_number[word.number] = word
        kept = [word for word in self._words if not word.added]
        place = {word.number: at for at, word in enumerate(kept, 1)}
        for word in kept:
            self.heads.append(self._head(word, by_number, place))
            for column, text in word.texts.items():
                self.texts[column].append(text)
        self.lengths.append(len(kept))

    def _head(self, word: _Word, words: dict[str, _Word], place: dict[str, int]) -> int:
        """Return the head of a word: the next word above that stands in the text."""
        head, seen = word.head, set[str]()
        while head in words and words[head].added and head not in seen:
            seen.add(head)
            head = words[head].head
        if head in ("", "-1"):
            return -1
        if head in place:
            return place[head]
        if head != "0" and not (head in words and words[head].added):
            self._problem(word, f"head is {quoted(word.head)}, and no word has that id")
        return 0

    def _problem(self, word: _Word, message: str) -> None:
        self.wrong.append(Problem(word.line, message))


def _read(data: bytes) -> _PerseusReader:
    reader = _PerseusReader()
    broken = parse(data, reader)
    if broken:
        reader.wrong.append(broken)
    elif not reader.lines:
        reader.wrong.append(Problem(1, "there is no <sentence>"))
    return reader


def read(data: bytes, path: str, line: int, options: FormatOptions) -> Dependencies:
    """Read a whole file."""
    reader = _read(data)
    if wrong := _problems(reader, options):
        raise first_problem(path, line, iter(wrong))
    columns = {name: Strings.of(texts) for name, texts in reader.texts.items()}
    words = Table(offsets_of(reader.lengths), **columns, head=np.array(reader.heads, np.int32))
    lines = np.array(reader.lines, np.int64) + (line - 1)
    return Dependencies({"words": words}, comments=reader.comments, path=path, lines=lines)


def problems(data: bytes, options: FormatOptions) -> Iterator[Problem]:
    """Find everything that is wrong with a file, up to where it stops being XML."""
    return iter(_problems(_read(data), options))


def _problems(reader: _PerseusReader, options: FormatOptions) -> list[Problem]:
    allowed = options.partial or reader.wrong
    lacking = [] if allowed else [row for row, head in enumerate(reader.heads) if head < 0]
    ends = np.cumsum(reader.lengths)
    partial = setting("partial")
    wrong = [
        Problem(
            reader.lines[int(np.searchsorted(ends, row, side="right"))],
            f"{quoted(reader.texts['form'][row])} has no head; allow partial trees ({partial}), "
            "or give every word a head",
        )
        for row in lacking
    ]
    return sorted([*reader.wrong, *wrong], key=lambda problem: problem.line)


FORMAT = Format(
    name="perseus",
    title="XML of the Ancient Greek and Latin Dependency Treebanks",
    corpus=Dependencies,
    looks_like=looks_like,
    read=read,
    problems=problems,
    cut=lambda _: 0,
    aliases=("aldt", "agdt", "arethusa"),
    concatenable=False,
)

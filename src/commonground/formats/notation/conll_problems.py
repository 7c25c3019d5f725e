"""What is wrong with a CoNLL file, line by line.

The fast reader only finds out that something is wrong; this slow one says what, and where.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from commonground.errors import Problem, quoted, setting
from commonground.formats.format import FormatOptions
from commonground.formats.notation.conll_lines import (
    BAD,
    EMPTY,
    NUMERIC,
    TOKEN,
    WORD,
    Layout,
    parse_head,
    parse_id,
)
from commonground.plurals import number_of

__all__ = ["problems"]


def problems(data: bytes, options: FormatOptions, layout: Layout) -> Iterator[Problem]:
    """Find everything that is wrong with the lines of a file."""
    sentence: list[tuple[int, list[str]]] = []
    comment = 0
    for number, raw in enumerate(data.split(b"\n"), 1):
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            yield Problem(number, f"byte {error.start + 1} is not UTF-8; save the file as UTF-8")
            text = raw.decode("utf-8", "replace")
        if not text.strip():  # white space alone is taken for the blank line that it looks like
            if text:
                yield Problem(number, "white space where a blank line or a word is expected")
            yield from _sentence(sentence, comment, options, layout)
            sentence, comment = [], 0
        elif text.startswith("#") and "id" in layout.columns:
            continue
        else:
            fields, wrong = _fields(number, text, layout)
            yield from wrong
            sentence.append((number, fields))
    yield from _sentence(sentence, comment, options, layout)


def _fields(number: int, text: str, layout: Layout) -> tuple[list[str], list[Problem]]:
    """Return the columns of a line (none where their number is wrong) and what is wrong with it."""
    width = len(layout.columns)
    fields = text.split("\t", width - 1) if layout.tail else text.split("\t")
    if layout.tail and len(fields) == width - 1:
        fields.append("")
    if len(fields) != width:
        hint = "; they must be separated by tabs" if "\t" not in text else ""
        wanted = f"{'at least ' if layout.tail else ''}{width - layout.tail} are expected"
        return [], [Problem(number, f"{number_of(len(fields), 'column')}; {wanted}{hint}")]
    return fields, [
        Problem(number, message)
        for field, name, title in zip(
            fields[: width - layout.tail], layout.columns, layout.titles, strict=False
        )
        if (message := _nothing(field, name, title))
    ]


def _nothing(field: str, name: str, title: str) -> str:
    """Return what is wrong with a column that says nothing, or the empty string."""
    if not field:
        return f"{title} is empty; write _ for nothing"
    if name == "form" and field.isspace():
        return f"{title} is only white space ({quoted(field)}); a word needs other characters"
    return ""


def _sentence(
    lines: list[tuple[int, list[str]]], comment: int, options: FormatOptions, layout: Layout
) -> Iterator[Problem]:
    if not lines:
        if comment:
            message = "comments without words; a sentence must follow them at once"
            yield Problem(comment, message)
        return
    whole = [(number, fields) for number, fields in lines if fields]
    if "id" not in layout.columns:
        for number, fields in whole:
            for message in _heads(fields, WORD, len(lines), options, layout):
                yield Problem(number, message)
        return
    at = layout.columns.index("id")
    rows = [(number, fields, parse_id(fields[at])) for number, fields in whole]
    length = sum(1 for _, _, (kind, _, _) in rows if kind == WORD)
    sequence = _Sequence(length, layout.specials)
    for number, fields, (kind, one, two) in rows:
        for line, message in sequence.next(number, quoted(fields[at]), kind, one, two):
            yield Problem(line, message)
        for message in _heads(fields, kind, length, options, layout):
            yield Problem(number, message)
    for line, message in sequence.left_over():
        yield Problem(line, message)


@dataclass(slots=True)
class _Sequence:
    """The IDs of a sentence so far, and what is wrong with the next one."""

    length: int
    specials: bool
    words: int = 0
    minor: int = 0
    covered: int = 0
    pending: tuple[int, str] | None = None  # a multiword token whose first word must come next

    def next(
        self, line: int, shown: str, kind: int, one: int, two: int
    ) -> Iterator[tuple[int, str]]:
        """Take the next ID."""
        if kind != WORD or one != self.words + 1:
            yield from self.left_over()
        self.pending = None
        if kind == BAD or (kind != WORD and not self.specials):
            allowed = "a number such as 1, 1-2 or 1.1" if self.specials else "a number from 1"
            yield line, f"ID is {shown}; {allowed} is expected"
        elif kind == WORD:
            if one != self.words + 1:
                yield line, f"ID is {shown}; {self.words + 1} is expected"
            self.words, self.minor = one, 0
        elif kind == TOKEN:
            yield from ((line, message) for message in self._token(shown, one, two))
            self.pending, self.covered = (line, shown), max(self.covered, two)
        else:
            if (one, two) != (self.words, self.minor + 1):
                yield line, f"empty node {shown}; {self.words}.{self.minor + 1} is expected"
            self.minor = two

    def _token(self, shown: str, first: int, last: int) -> Iterator[str]:
        if first != self.words + 1:
            yield f"multiword token {shown}; it must stand before word {first}"
        if last < first:
            yield f"multiword token {shown} ends before its first word"
        elif last > self.length:
            yield f"multiword token {shown}; the sentence has {number_of(self.length, 'word')}"
        if first <= self.covered:
            yield f"multiword token {shown} overlaps the one before it"

    def left_over(self) -> Iterator[tuple[int, str]]:
        """Tell of a multiword token that still waits for its first word."""
        if self.pending:
            line, shown = self.pending
            yield line, f"multiword token {shown} is not followed by its first word"


def _heads(
    fields: list[str], kind: int, length: int, options: FormatOptions, layout: Layout
) -> Iterator[str]:
    for name, title, text in zip(layout.columns, layout.titles, fields, strict=True):
        if name not in NUMERIC:
            continue
        head = parse_head(text, name)
        abstract = kind == EMPTY and name == "head" and options.partial
        if kind in (TOKEN, EMPTY) and not abstract:
            if text != "_":
                yield f"{title} is {quoted(text)}; only words have one, write _"
        elif head == -2 and text:  # an empty column is told as such
            yield f"{title} is {quoted(text)}; a number from 0 is expected"
        elif head > length:
            yield f"{title} is {head}; the sentence has {number_of(length, 'word')}"
        elif head == -1 and name == "head" and not options.partial:
            partial = setting("partial")
            yield f"{title} is _; allow partial trees ({partial}), or give every word a head"

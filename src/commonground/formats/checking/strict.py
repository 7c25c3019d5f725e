"""What a CoNLL-U file must be besides readable: level 1 of the UD validator.

Readers forgive Windows line ends, a missing blank line at the end, empty columns, white space that
cannot be seen and letters that are two characters instead of one; the people who put the file into
a treebank do not. What no reader forgives is found by ``conll_problems``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from commonground.errors import Problem, quoted, setting
from commonground.formats.codecs.conllu import TITLES
from commonground.formats.storage.files import BOM, plain
from commonground.plurals import number_of

__all__ = ["problems"]

_BLANK_LINES = re.compile(r"(?:\A|\n\n)(\n+)")
_SPACE = re.compile(r"\s")
_NUMBERS = ("ID", "HEAD")
"""The columns in which readers find white space."""

_SPACED = ("FORM", "LEMMA", "MISC")
"""The columns in which a single space can stand between other characters."""


def problems(data: bytes) -> Iterator[Problem]:
    r"""Find what readers forgive in the content of a file, as its bytes stand on the disk.

    >>> for problem in problems(b"1\tHi\thi\tINTJ\tUH\t_ \t0\troot\t_\t_\n"):
    ...     print(problem.line, problem.message)
    1 FEATS is '_ ', with white space at its end; --fix removes it
    1 no blank line after the last sentence; every sentence ends with one, --fix adds it
    """
    yield from _marks(data)
    text = plain(data).decode("utf-8", "replace")
    lines = text.split("\n")
    yield from _normalisation(text, lines)
    yield from _spaces(lines)
    yield from _blank_lines(text)


def _marks(data: bytes) -> Iterator[Problem]:
    if data.startswith(BOM):
        message = f"a byte order mark before the first character; {setting('fix')} removes it"
        yield Problem(1, message, "byte-order-mark", mechanical=True)
    windows = data.count(b"\r\n")
    if windows:
        line = data.count(b"\n", 0, data.index(b"\r\n")) + 1
        message = (
            f"{number_of(windows, 'line')} from here on with CR LF at the end; "
            f"{setting('fix')} makes it LF"
        )
        yield Problem(line, message, "non-unix-newline", mechanical=True)
    if data.count(b"\r") > windows:
        alone = re.search(rb"\r(?!\n)", data)
        line = data.count(b"\n", 0, alone.start()) + 1 if alone else 1
        message = "a carriage return inside a line; end lines with LF only"
        yield Problem(line, message, "non-unix-newline")


def _normalisation(text: str, lines: list[str]) -> Iterator[Problem]:
    if unicodedata.is_normalized("NFC", text):
        return
    for number, line in enumerate(lines, 1):
        if unicodedata.is_normalized("NFC", line):
            continue
        where, character = next(
            (title, field)
            for title, field in _titled(line)
            if not unicodedata.is_normalized("NFC", field)
        )
        message = f"{where} has {_decomposed(character)}, which is not in normal form (NFC)"
        yield Problem(
            number,
            f"{message}; {setting('fix')} repairs it",
            "unicode-normalization",
            mechanical=True,
        )


def _titled(line: str) -> list[tuple[str, str]]:
    fields = line.split("\t")
    if line.startswith("#") or len(fields) != len(TITLES):
        return [("the line", line)]
    return list(zip(TITLES, fields, strict=True))


def _decomposed(text: str) -> str:
    """Name the first characters of a text that are other ones in normal form.

    >>> _decomposed("Cafe\u0301")
    'U+0065 U+0301 for U+00E9'
    """
    normal = unicodedata.normalize("NFC", text)
    at = next(
        (i for i, (a, b) in enumerate(zip(text, normal, strict=False)) if a != b), len(normal) - 1
    )
    end = at + 1
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    shown = (f"U+{ord(c):04X}" for c in text[at:end][:4])
    right = (f"U+{ord(c):04X}" for c in unicodedata.normalize("NFC", text[at:end])[:4])
    return f"{' '.join(shown)} for {' '.join(right)}"


def _spaces(lines: list[str]) -> Iterator[Problem]:
    """Find white space where it must not be: inside most columns, and at the ends of all."""
    for number, line in enumerate(lines, 1):
        if line.isascii() and " " not in line:  # the usual line; other white space is rare
            odd = "\t\t" in f"{line}\t" or "\v" in line or "\f" in line
            if not odd:
                continue
        if line.startswith("#") or not line.strip():
            continue
        fields = line.split("\t")
        if len(fields) != len(TITLES):
            continue
        for title, field in zip(TITLES, fields, strict=True):
            if title in _NUMBERS or (field and not _SPACE.search(field)):
                continue
            yield from _space(number, title, field, token="-" in fields[0])


def _space(number: int, title: str, field: str, *, token: bool) -> Iterator[Problem]:
    if not field:
        message = f"{title} is empty; write _ for nothing"
        yield Problem(number, message, "empty-column", mechanical=title != "FORM")
        return
    stripped = field.strip()
    shown = f"{title} is {quoted(field)}"
    if not stripped:
        yield Problem(number, f"{shown}, only white space; write _ for nothing", "empty-column")
        return
    if stripped != field:
        place = "at its end" if field[-1:].isspace() else "at its beginning"
        rule = "trailing-whitespace" if field[-1:].isspace() else "leading-whitespace"
        rule = rule if title in _SPACED else "invalid-whitespace"
        message = f"{shown}, with white space {place}; {setting('fix')} removes it"
        yield Problem(number, message, rule, mechanical=True)
    if token and title in ("FORM", "LEMMA") and _SPACE.search(stripped):
        message = f"{shown}; a multiword token has no white space, or it is several tokens"
        yield Problem(number, message, "invalid-whitespace-mwt")
    elif title not in _SPACED and _SPACE.search(stripped):
        message = f"{shown}; only {', '.join(_SPACED)} may have a space inside"
        yield Problem(number, message, "invalid-whitespace")
    elif re.search(r"\s\s", stripped):
        message = f"{shown}; only one white space character may be between others"
        yield Problem(number, message, "repeated-whitespace")


def _blank_lines(text: str) -> Iterator[Problem]:
    for match in _BLANK_LINES.finditer(text):
        line = text.count("\n", 0, match.start(1)) + 1
        message = (
            "a blank line that ends no sentence; there must be one blank line after each sentence"
        )
        yield Problem(
            line,
            f"{message}, {setting('fix')} removes the others",
            "empty-sentence",
            mechanical=True,
        )
    if text and not text.endswith("\n\n") and text.strip("\n"):
        line = text.rstrip("\n").count("\n") + 1
        message = "no blank line after the last sentence; every sentence ends with one"
        yield Problem(
            line, f"{message}, {setting('fix')} adds it", "missing-empty-line", mechanical=True
        )

"""Mends in a CoNLL-U file what needs no decision: how it is written, never what it says."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from commonground.errors import InputError, UsageError
from commonground.formats.codecs.conllu import FORMAT, TITLES
from commonground.formats.registry import detect, find_format
from commonground.formats.storage.files import BOM, open_bytes, plain, shown

__all__ = ["Change", "FixResult", "fix", "fixed_bytes"]

_FORM, _HEAD, _FEATS, _DEPS, _MISC = 1, 6, 5, 8, 9
_FEATURE = re.compile(r"([^=|]+)=([^=|]+)")
_ARC = re.compile(r"([0-9]+)(?:\.([0-9]+))?:(.+)")


@dataclass(frozen=True, slots=True)
class Change:
    """One kind of change: what was done, how many lines have it, and the first of them."""

    what: str
    lines: int
    first: int


@dataclass(frozen=True, slots=True)
class FixResult:
    """A mended file: its content, and what was changed in it."""

    path: str
    data: bytes
    changes: tuple[Change, ...]


def fix(path: str | os.PathLike[str], format: str | None = None) -> FixResult:
    """Return a CoNLL-U file with everything mended that is mechanical; nothing is written.

    Line ends, the byte order mark, Unicode normal form (NFC), blank lines, white space at the ends
    of columns, ``_`` in empty columns, the order of features, of their values and of DEPS, and
    ``NoSpaceAfter=Yes``. What the file says stays what it was.
    """
    with open_bytes(path) as file:
        data = file.read()
    entry = find_format(format) if format else detect(plain(data), os.fspath(path))
    if entry.name != FORMAT.name:
        raise UsageError(f"{shown(path)} is {entry.title}; only CoNLL-U files can be repaired")
    try:
        content, changes = fixed_bytes(data)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(shown(path), line, "it is not UTF-8; save the file as UTF-8") from error
    return FixResult(shown(path), content, changes)


def fixed_bytes(data: bytes) -> tuple[bytes, tuple[Change, ...]]:
    r"""Return the mended content of a CoNLL-U file, and what was changed.

    >>> data, changes = fixed_bytes(b"1\tHi\thi\tX\t_\tB=1|A=1\t0\troot\t_\t_\r\n")
    >>> data
    b'1\tHi\thi\tX\t_\tA=1|B=1\t0\troot\t_\t_\n\n'
    >>> [change.what for change in changes]
    ['line ends: LF', 'features in alphabetical order', 'blank line after the last sentence']
    """
    noted = _Noted()
    if data.startswith(BOM):
        noted.note(1, "no byte order mark")
    text = data.removeprefix(BOM).decode("utf-8")
    lines = [
        mended
        for number, line in enumerate(text.split("\n"), 1)
        if (mended := _line(number, line, noted)) is not None
    ]
    return "\n".join(_blank_lines(lines, noted)).encode(), noted.changes()


def _plain(data: bytes) -> bytes:
    return data.removeprefix(BOM).replace(b"\r\n", b"\n")


class _Noted:
    """What was changed so far."""

    def __init__(self) -> None:
        self._lines: dict[str, list[int]] = {}

    def note(self, line: int, what: str) -> None:
        count, first = self._lines.get(what, (0, line))
        self._lines[what] = [count + 1, first]

    def changes(self) -> tuple[Change, ...]:
        return tuple(Change(what, count, first) for what, (count, first) in self._lines.items())


def _line(number: int, line: str, noted: _Noted) -> str | None:
    """Return a line as it should be, or None where it should not be there."""
    if line.endswith("\r"):
        noted.note(number, "line ends: LF")
        line = line[:-1]
    steps: tuple[tuple[str, Callable[[str], str]], ...] = (
        ("Unicode in normal form (NFC)", lambda text: unicodedata.normalize("NFC", text)),
        ("blank lines without white space", lambda text: text if text.strip() else ""),
        *(_COMMENT if line.startswith("#") else _WORD),
    )
    for what, step in steps:
        mended = step(line)
        if mended != line:
            noted.note(number, what)
            line = mended
    return line


def _blank_lines(lines: list[str], noted: _Noted) -> Iterator[str]:
    """Return the lines with one blank line after each sentence, and a newline at the end."""
    before = ""
    count = len(lines) - (bool(lines) and not lines[-1])  # after the last newline there is no line
    for number, line in enumerate(lines[:count], 1):
        if not line and not before:
            noted.note(number, "one blank line after each sentence")
            continue
        yield line
        before = line
    if before:
        noted.note(count, "blank line after the last sentence")
        yield ""
    if any(lines):
        yield ""


# ── a line of a word ─────────────────────────────────────────────────────────────────────────────


def _columns(step: Callable[[int, str], str]) -> Callable[[str], str]:
    """Return what does something with each column of a line that has ten of them."""

    def mend(line: str) -> str:
        fields = line.split("\t")
        if len(fields) != len(TITLES):
            return line
        return "\t".join(step(place, field) for place, field in enumerate(fields))

    return mend


def _column(place: int, step: Callable[[str], str]) -> Callable[[str], str]:
    return _columns(lambda at, field: step(field) if at == place else field)


def _without_tail(line: str) -> str:
    r"""Return a line without white space after its tenth column.

    >>> _without_tail("\t".join("0123456789") + "\t ").count("\t")
    9
    """
    fields = line.rstrip().split("\t")
    return line.rstrip() if len(fields) == len(TITLES) else line


def _sorted_features(text: str) -> str:
    """Return features in order, each once; what is no list of features stays as it is.

    >>> _sorted_features("Number=Sing|Case=Nom|Number=Sing"), _sorted_features("SG|M")
    ('Case=Nom|Number=Sing', 'SG|M')
    """
    features = text.split("|")
    if not all(map(_FEATURE.fullmatch, features)):
        return text
    return "|".join(sorted(dict.fromkeys(features), key=lambda feature: feature.lower()))


def _sorted_values(text: str) -> str:
    """Return features with the values of each in order, each once.

    >>> _sorted_values("Case=Nom,Acc|Number=Sing")
    'Case=Acc,Nom|Number=Sing'
    """
    features = [_FEATURE.fullmatch(feature) for feature in text.split("|")]
    if None in features:
        return text
    return "|".join(
        f"{match[1]}={','.join(sorted(dict.fromkeys(match[2].split(',')), key=str.lower))}"
        for match in features
        if match
    )


def _sorted_arcs(text: str) -> str:
    """Return DEPS in order, each arc once.

    >>> _sorted_arcs("4:nsubj|2.1:conj|2:conj|4:nsubj")
    '2:conj|2.1:conj|4:nsubj'
    """
    arcs = [_ARC.fullmatch(arc) for arc in text.split("|")]
    if None in arcs:
        return text
    ordered = {(int(a[1]), int(a[2] or 0), a[3]): a[0] for a in arcs if a}
    return "|".join(ordered[key] for key in sorted(ordered))


def _space_after(text: str) -> str:
    return "|".join("SpaceAfter=No" if t == "NoSpaceAfter=Yes" else t for t in text.split("|"))


_WORD: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("no white space after the last column", _without_tail),
    (
        "no white space at the ends of columns",
        _columns(lambda _, field: field.strip() or field),
    ),
    (
        "_ in empty columns",
        _columns(lambda at, field: field or ("" if at in (0, _FORM, _HEAD) else "_")),
    ),
    ("features in alphabetical order", _column(_FEATS, _sorted_features)),
    ("values of features in alphabetical order", _column(_FEATS, _sorted_values)),
    ("DEPS in ascending order", _column(_DEPS, _sorted_arcs)),
    ("SpaceAfter=No for NoSpaceAfter=Yes", _column(_MISC, _space_after)),
)
_COMMENT: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("no white space at the ends of comments", str.rstrip),
)

"""The fields of a line that may be a row of a tree, however they are separated."""

from __future__ import annotations

import csv
import re
from typing import NamedTuple

from commonground.repair.columns import header_of

__all__ = ["Fields", "fields_of", "is_fence"]

_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})")
_ID = re.compile(r"[0-9]{1,9}(?:[-.][0-9]{1,9})?")
_LOOSE_ID = re.compile(r"[0-9]{1,9}(?:[-.][0-9]{1,9})?[.)]?")
_BAR = re.compile(r"\s+\|\s+|^\s*\|\s*|\s*\|\s*$")
_RULE = re.compile(r"[\s|:+=-]+")
_SPACES = re.compile(r"\s{2,}")
_LEAST = 3


class Fields(NamedTuple):
    """The fields of a line, and whether they are separated by tabs, as they should be."""

    fields: list[str]
    tabs: bool


def is_fence(line: str) -> bool:
    r"""Tell whether a line begins or ends a block of code.

    >>> is_fence("```conllu"), is_fence("1\tHi")
    (True, False)
    """
    return bool(_FENCE.match(line))


def fields_of(line: str, expected: int) -> Fields | None:
    r"""Return the fields of a row, or None where a line is none; `expected` is the ID to come.

    >>> fields_of("| 1 | Hi | 0 | root |", 1)
    Fields(fields=['1', 'Hi', '0', 'root'], tabs=False)
    >>> fields_of("1 Hi hi INTJ _ _ 0 root _ _", 1).fields[6]
    '0'
    >>> fields_of("Here is the tree:", 1) is None
    True
    """
    if "\t" in line:
        fields = line.split("\t")
        clean = [_without_space(field) for field in fields]
        row = len(fields) > _LEAST or bool(_LOOSE_ID.fullmatch(clean[0]))
        return Fields(clean, tabs=clean == fields) if row else None
    text = line.strip()
    if " | " in text or text.startswith("|"):
        fields = [field.strip() for field in _BAR.split(text)]
        fields = fields[bool(not fields[0]) : len(fields) - (not fields[-1])]
        return _loose(fields, expected)
    if "," in text and _ID.match(text) and text.count(",") >= _LEAST and " " not in text:
        return _loose(next(csv.reader([text]), []), expected)
    wide = _SPACES.split(text)
    return _loose(wide if len(wide) > _LEAST else text.split(), expected, bare=True)


def _without_space(field: str) -> str:
    """Return a number, or nothing, without white space around it; other texts as they are."""
    text = field.strip()
    return text if not text or text == "_" or _LOOSE_ID.fullmatch(text) else field


def _loose(fields: list[str], expected: int, *, bare: bool = False) -> Fields | None:
    """Return fields that make a row: an ID comes first, or names of columns."""
    if len(fields) < _LEAST:
        return None
    if header_of(fields) is not None:
        return Fields(fields, tabs=False)
    if not _LOOSE_ID.fullmatch(fields[0]):
        return None
    # Prose may begin with a number; rows go on from the one before, or have nothing in a column.
    number = fields[0].rstrip(".)")
    if bare and not (number == str(expected) or number == "1" or "_" in fields):
        return None
    if bare and not any(field == "_" or field.isdigit() for field in fields[2:]):
        return None
    return Fields(fields, tabs=False)


def is_rule(line: str) -> bool:
    """Tell whether a line is the rule below the heading of a table.

    >>> is_rule("|----|:---:|")
    True
    """
    return "-" in line and bool(_RULE.fullmatch(line))

"""Brackets and white space inside of texts, in formats that need them for themselves."""

from __future__ import annotations

import re
from functools import cached_property

from commonground.corpus import Strings

__all__ = ["LABELS", "WORDS", "Escapes"]

_NAMES = {"LRB": "(", "RRB": ")", "LSB": "[", "RSB": "]", "LCB": "{", "RCB": "}"}
_NAME_OF = {bracket: name for name, bracket in _NAMES.items()}
_SYMBOLS = {chr(0x2400 + ord(space)): space for space in "\t\n\v\f\r "}
_SYMBOL_OF = {space: symbol for symbol, space in _SYMBOLS.items()}


class Escapes:
    r"""How a text is written that has signs in it which the format needs for itself.

    `signs` are those that may stand around the name of a bracket (``-LRB-``, ``#LRB#``); the first
    one is written, around the names of `brackets`. With `slashes`, ``\/`` and ``\*`` are read as
    ``/`` and ``*``.

    >>> words = Escapes("-", "()[]{}", slashes=True)
    >>> words.read(r"1\/2-LRB-a-RRB-"), words.written("(a)"), words.written("-LRB-")
    ('1/2(a)', '-LRB-a-RRB-', '-\\LRB-')
    >>> words.read(words.written(r"\/ -LRB(")) == r"\/ -LRB("
    True
    """

    def __init__(self, signs: str, brackets: str, *, slashes: bool = False) -> None:
        name, own = "[LR][RSC]B", re.escape(brackets)
        # An escaped bracket begins with the sign that ends a name: in "-LRB(" it would make one.
        ends = {sign: f"(?:{sign}|[{own}])" if sign == signs[0] else sign for sign in signs}
        read = [f"{s}({name}){s}|{s}\\\\(?=\\\\*{name}{s})" for s in signs]
        written = [f"{s}(?=\\\\*{name}{ends[s]})" for s in signs]
        if slashes:
            read.append(r"\\(?=[/*])")
            written.append(r"\\(?=[/*])")
        self._sign = signs[0]
        self._marks = ["\\", *_SYMBOLS, *(f"B{sign}" for sign in signs)]
        self._read_pattern = "|".join([*read, f"[{''.join(_SYMBOLS)}]"])
        self._written_pattern = "|".join([*written, f"[{own}]", "[\t\n\v\f\r ]"])

    @cached_property
    def _read(self) -> re.Pattern[str]:  # many files need no pattern
        return re.compile(self._read_pattern)

    @cached_property
    def _written(self) -> re.Pattern[str]:
        return re.compile(self._written_pattern)

    def read(self, text: str) -> str:
        """Return what a text in a file means."""
        return self._read.sub(_meaning, text)

    def written(self, text: str) -> str:
        """Return how a text is written in a file."""
        return self._written.sub(self._sequence, text)

    def column(self, column: Strings) -> Strings:
        """Return what the texts of a column mean."""
        # Few texts need the patterns; the others are left out by what these must contain.
        marks = [mark for mark in self._marks if mark in column.joined]
        if not marks:
            return column
        texts = column.vocabulary
        marked = {i: text for mark in marks for i, text in enumerate(texts) if mark in text}
        meanings = list(texts)
        for i, text in marked.items():
            meanings[i] = self.read(text)
        distinct = len(set(meanings)) == len(meanings)
        return Strings(column.codes, meanings) if distinct else column.map(self.read)

    def _sequence(self, match: re.Match[str]) -> str:
        text = match[0]
        if text in _NAME_OF:
            return f"{self._sign}{_NAME_OF[text]}{self._sign}"
        return _SYMBOL_OF.get(text) or text + "\\"


def _meaning(match: re.Match[str]) -> str:
    text = match[0]
    if match.lastindex:
        return _NAMES[match[match.lastindex]]
    return _SYMBOLS.get(text) or text.rstrip("\\")


WORDS = Escapes("-", "()[]{}", slashes=True)
"""The words of Penn brackets."""

LABELS = Escapes("#", "()")
"""Their labels."""

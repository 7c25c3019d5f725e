r"""Models as text that people can read, search and edit.

A line has tab-separated fields; the first is what it is about:

    # commonground dmv 1
    setting  NAME  VALUE             such as: setting  column  xpos
    tag      TAG                     all tags, in order
    root     TAG  P
    stop     TAG  left|right  none|some  P
    attach   HEAD  left|right  DEPENDENT  P

What is not there has the probability 0. Numbers are written so that they are read again exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from commonground.errors import InputError, quoted
from commonground.parsers.dmv.decode import DECODERS
from commonground.parsers.dmv.grammar import ADJACENT, SIDES, Grammar
from commonground.parsers.dmv.symbols import COLUMNS

__all__ = ["FIRST_LINE", "grammar_of", "text_of"]

FIRST_LINE = "# commonground dmv 1"

_SETTINGS = {"column": COLUMNS, "decoder": DECODERS}
"""What a model says besides its probabilities, and what can be said."""


def text_of(grammar: Grammar, settings: Mapping[str, str]) -> str:
    """Return a model as text.

    >>> even = Grammar(("N",), np.ones(1), np.full((1, 2, 2), 0.5), np.ones((1, 2, 1)))
    >>> print(text_of(even, {"column": "upos"}).expandtabs(8))
    # commonground dmv 1
    setting column  upos
    tag     N
    root    N       1.0
    stop    N       left    none    0.5
    stop    N       left    some    0.5
    stop    N       right   none    0.5
    stop    N       right   some    0.5
    attach  N       left    N       1.0
    attach  N       right   N       1.0
    <BLANKLINE>
    """
    return "".join(f"{line}\n" for line in (FIRST_LINE, *_lines(grammar, settings)))


def _lines(grammar: Grammar, settings: Mapping[str, str]) -> Iterator[str]:
    tags = grammar.tags
    yield from (f"setting\t{name}\t{value}" for name, value in settings.items())
    yield from (f"tag\t{tag}" for tag in tags)
    root, stop, attach = grammar.root.tolist(), grammar.stop.tolist(), grammar.attach.tolist()
    yield from (f"root\t{tag}\t{p!r}" for tag, p in zip(tags, root, strict=True) if p)
    for h, tag in enumerate(tags):
        for s, side in enumerate(SIDES):
            for a, adjacent in enumerate(ADJACENT):
                if stop[h][s][a]:
                    yield f"stop\t{tag}\t{side}\t{adjacent}\t{stop[h][s][a]!r}"
    for h, tag in enumerate(tags):
        for s, side in enumerate(SIDES):
            for other, p in zip(tags, attach[h][s], strict=True):
                if p:
                    yield f"attach\t{tag}\t{side}\t{other}\t{p!r}"


def grammar_of(text: str, path: str) -> tuple[Grammar, dict[str, str]]:
    """Return the grammar and the settings that a text holds; `path` is where it comes from."""
    lines = text.split("\n")
    if lines[0].rstrip("\r") != FIRST_LINE:
        raise InputError(path, 1, f"not a DMV model; its first line would be {FIRST_LINE!r}")
    reader = _ValenceReader(path)
    for number, line in enumerate(lines[1:], 2):
        stripped = line.rstrip("\r")
        if stripped and not stripped.startswith("#"):
            reader.line(number, stripped.split("\t"))
    return reader.grammar(), reader.settings


class _ValenceReader:
    """What the lines have said so far."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.settings: dict[str, str] = {}
        self.tags: dict[str, int] = {}
        self.values: dict[tuple[str, tuple[int, ...]], float] = {}

    def line(self, number: int, fields: list[str]) -> None:
        match fields:
            case ["setting", name, value]:
                self._one_of(number, name, tuple(_SETTINGS))
                self._one_of(number, value, _SETTINGS[name])
                self.settings[name] = value
            case ["tag", tag]:
                if tag in self.tags:
                    raise InputError(self.path, number, f"the tag {quoted(tag)} is there twice")
                self.tags[tag] = len(self.tags)
            case ["root", tag, p]:
                self._put(number, "root", (self._tag(number, tag),), p)
            case ["stop", tag, side, adjacent, p]:
                place = self._tag(number, tag), self._one_of(number, side, SIDES)
                self._put(number, "stop", (*place, self._one_of(number, adjacent, ADJACENT)), p)
            case ["attach", head, side, dependent, p]:
                place = self._tag(number, head), self._one_of(number, side, SIDES)
                self._put(number, "attach", (*place, self._tag(number, dependent)), p)
            case _:
                raise InputError(
                    self.path,
                    number,
                    "a line is setting NAME VALUE, tag TAG, root TAG P, stop TAG SIDE ADJ P or "
                    "attach HEAD SIDE DEPENDENT P, with tabs between",
                )

    def _tag(self, number: int, tag: str) -> int:
        if tag not in self.tags:
            raise InputError(self.path, number, f"the tag {quoted(tag)} has no line of its own yet")
        return self.tags[tag]

    def _one_of(self, number: int, word: str, known: tuple[str, ...]) -> int:
        if word not in known:
            raise InputError(self.path, number, f"{quoted(word)} is not {' or '.join(known)}")
        return known.index(word)

    def _put(self, number: int, name: str, place: tuple[int, ...], text: str) -> None:
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1:
            raise InputError(self.path, number, f"{quoted(text)} is not a probability, 0 to 1")
        if (name, place) in self.values:
            raise InputError(self.path, number, "this probability has been given before")
        self.values[name, place] = value

    def grammar(self) -> Grammar:
        count = len(self.tags)
        if not count:
            raise InputError(self.path, 0, "the model has no tags")
        if count > 10_000:
            raise InputError(self.path, 0, f"{count:,} tags; a model has 10,000 at most")
        arrays = {
            "root": np.zeros(count),
            "stop": np.zeros((count, 2, 2)),
            "attach": np.zeros((count, 2, count)),
        }
        for (name, place), value in self.values.items():
            arrays[name][place] = value
        return Grammar(tuple(self.tags), **arrays)

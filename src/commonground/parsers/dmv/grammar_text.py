r"""Models as text that people can read, search and edit.

A line has tab-separated fields; the first is what it is about:

    # commonground dmv 1
    setting  NAME  VALUE             such as: setting  column  xpos
    tag      TAG                     all tags, in order
    root     TAG  P
    stop     TAG  left|right  none|some  P
    attach   HEAD  left|right  DEPENDENT  P

What is not there has the probability 0. Numbers are written so that they are read again exactly.
With other valences than those of Klein & Manning, settings tell their numbers first, and the lines
have the number of dependents that are there already:

    setting  stop_valence  3
    setting  child_valence  3
    stop     TAG  left|right  0|1|2  P
    attach   HEAD  left|right  0|1|2  DEPENDENT  P
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from commonground.errors import InputError, quoted
from commonground.kernels.dmv import MOST_VALENCES
from commonground.parsers.dmv.decode import DECODERS
from commonground.parsers.dmv.grammar import PLAIN, SIDES, Grammar
from commonground.parsers.dmv.symbols import COLUMNS

__all__ = ["FIRST_LINE", "grammar_of", "text_of"]

FIRST_LINE = "# commonground dmv 1"

_COUNTS = tuple(map(str, range(MOST_VALENCES + 1)))

_SETTINGS = {
    "column": COLUMNS,
    "decoder": DECODERS,
    "stop_valence": _COUNTS[1:],
    "child_valence": _COUNTS[1:],
}
"""What a model says besides its probabilities, and what can be said."""


def _valence_words(values: int) -> tuple[str, ...]:
    """Return what lines say for each value of a valence."""
    return ("none", "some") if values == PLAIN.stop else _COUNTS[:values]


def text_of(grammar: Grammar, settings: Mapping[str, str]) -> str:
    """Return a model as text.

    >>> from commonground.parsers.dmv.grammar import uniform
    >>> print(text_of(uniform(("N",)), {"column": "upos"}).expandtabs(8))
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
    tags, (stops, children) = grammar.tags, grammar.valences
    yield from (f"setting\t{name}\t{value}" for name, value in settings.items())
    if (stops, children) != PLAIN:
        yield from (f"setting\tstop_valence\t{stops}", f"setting\tchild_valence\t{children}")
    yield from (f"tag\t{tag}" for tag in tags)
    child_words = [f"{word}\t" for word in _valence_words(children)] if children > 1 else [""]
    others = [f"{word}{tag}" for word in child_words for tag in tags]
    heads = [f"{tag}\t{side}" for tag in tags for side in SIDES]
    yield from _chosen("root", [""], tags, grammar.root[None])
    stop, attach = grammar.stop.reshape(-1, stops), grammar.attach.reshape(-1, len(others))
    yield from _chosen("stop", heads, _valence_words(stops), stop)
    yield from _chosen("attach", heads, others, attach)


def _chosen(
    what: str, heads: Sequence[str], choices: Sequence[str], values: NDArray[np.float64]
) -> Iterator[str]:
    """Return a line for each choice of each head that has a probability above 0."""
    for head, row in zip(heads, values.tolist(), strict=True):
        fields = (what, head) if head else (what,)
        for choice, p in zip(choices, row, strict=True):
            if p:
                yield "\t".join((*fields, choice, repr(p)))


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
        self.valences = PLAIN
        self.values: dict[tuple[str, tuple[int, ...]], float] = {}

    def line(self, number: int, fields: list[str]) -> None:
        match fields:
            case ["setting", name, value]:
                self._one_of(number, name, tuple(_SETTINGS))
                self._one_of(number, value, _SETTINGS[name])
                if name.endswith("_valence"):
                    self._count(number, name, int(value))
                else:
                    self.settings[name] = value
            case ["tag", tag]:
                if tag in self.tags:
                    raise InputError(self.path, number, f"the tag {quoted(tag)} is there twice")
                self.tags[tag] = len(self.tags)
            case ["root", tag, p]:
                self._put(number, "root", (self._tag(number, tag),), p)
            case ["stop", tag, side, valence, p]:
                words = _valence_words(self.valences.stop)
                place = self._tag(number, tag), self._one_of(number, side, SIDES)
                self._put(number, "stop", (*place, self._one_of(number, valence, words)), p)
            case ["attach", head, side, *valence, dependent, p] if len(valence) == (
                self.valences.child > 1
            ):
                words = _valence_words(self.valences.child)
                place = self._tag(number, head), self._one_of(number, side, SIDES)
                child = self._one_of(number, valence[0], words) if valence else 0
                self._put(number, "attach", (*place, child, self._tag(number, dependent)), p)
            case _:
                raise InputError(
                    self.path,
                    number,
                    "a line is setting NAME VALUE, tag TAG, root TAG P, stop TAG SIDE VALENCE P or "
                    "attach HEAD SIDE DEPENDENT P (if the child valence is above 1: attach HEAD "
                    "SIDE VALENCE DEPENDENT P), with tabs between",
                )

    def _count(self, number: int, name: str, values: int) -> None:
        if self.values:
            raise InputError(self.path, number, f"{name} must come before all probabilities")
        self.valences = self.valences._replace(**{name.removesuffix("_valence"): values})

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
            "stop": np.zeros((count, 2, self.valences.stop)),
            "attach": np.zeros((count, 2, self.valences.child, count)),
        }
        for (name, place), value in self.values.items():
            arrays[name][place] = value
        return Grammar(tuple(self.tags), **arrays)

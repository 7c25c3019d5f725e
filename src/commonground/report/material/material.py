"""The sentences of a result, and the treebanks behind them where they can be read again."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from commonground.corpus import Corpus, Sentence
from commonground.errors import CommonGroundError
from commonground.evaluation.result import System

__all__ = ["Material", "Sides", "Wanted", "read_again"]

Wanted = tuple[int, int]
"""A sentence by its place in the material, and one of its pictures: a system's, or another one."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The gold standard and the parse of a system, with the files that they were read from."""

    gold: Corpus
    parse: Corpus
    gold_path: str = ""
    parse_path: str = ""


@dataclass(frozen=True)
class Material:
    """All sentences that any system of a result has counts for, in their order.

    `sides` are the treebanks of each system, by its name. All of them have the same sentences as
    the first gold standard, unless a parse is cut into other ones. Without any, only ids and
    numbers are known, and `missing` says why.
    """

    systems: tuple[System, ...]
    sides: Mapping[str, Sides] = field(default_factory=dict)
    missing: tuple[str, ...] = ()

    def only(self, names: Sequence[str]) -> Material:
        """Return the same of some systems, in their order."""
        known = {system.name: system for system in self.systems}
        sides = {name: self.sides[name] for name in names if self.sides}
        return replace(self, systems=tuple(known[name] for name in names), sides=sides)

    @cached_property
    def ids(self) -> list[str]:
        """The ids of all sentences."""
        lists = [_ids(system) for system in self.systems]
        if all(ids == lists[0] for ids in lists):
            return list(lists[0])  # the same id may stand for several sentences
        return list(dict.fromkeys(name for ids in lists for name in ids))

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: place for place, name in reversed(list(enumerate(self.ids)))}

    def place(self, sent_id: str) -> int | None:
        """Return the place of the (first) sentence with an id."""
        return self._place.get(sent_id)

    def places(self, system: System) -> list[int]:
        """Return the place of each sentence that a system has counts for."""
        if len(self.ids) == len(_ids(system)):
            return list(range(len(self.ids)))
        return [self._place[name] for name in _ids(system)]

    @cached_property
    def _reference(self) -> Corpus | None:
        """The gold standard whose ids the result has."""
        golds = [sides.gold for sides in self.sides.values()]
        wanted = set(self.ids)
        first = golds[0] if golds else None
        return next((gold for gold in golds if wanted <= set(gold.sent_id)), first)

    @cached_property
    def _rows(self) -> list[int | None]:
        """Where each sentence stands in the treebanks."""
        known: dict[str, list[int]] = {}
        if self._reference is not None:
            for row, name in reversed(list(enumerate(self._reference.sent_id))):
                known.setdefault(name, []).append(row)
        return [known[name].pop() if known.get(name) else None for name in self.ids]

    @cached_property
    def texts(self) -> list[str]:
        """The texts of all sentences, empty where the treebanks are not there."""
        gold = self._reference
        if gold is None:
            return [""] * len(self.ids)
        own_texts = gold.metadata("text")
        return ["" if row is None else own_texts[row] or gold[row].text for row in self._rows]

    @cached_property
    def lengths(self) -> list[int] | None:
        """How many words each sentence has (0: it is not there); None without the treebanks."""
        gold = self._reference
        if gold is None or "words" not in gold.tables:
            return None
        words = gold.tables["words"].lengths.tolist()
        return [0 if row is None else words[row] for row in self._rows]

    def both(self, place: int, system: str) -> tuple[Sentence[Any], Sentence[Any]] | None:
        """Return a sentence of the gold standard and of a parse; None where they are not there."""
        row, sides = self._rows[place], self.sides.get(system)
        if row is None or sides is None or len(sides.gold) != len(sides.parse):
            return None
        return sides.gold[row], sides.parse[row]

    def command(self, system: str) -> str:
        """Return the command that draws a sentence, with ``{}`` for its id; none if unknown."""
        sides = self.sides.get(system)
        if sides is None or not sides.gold_path:
            return ""
        words = ["commonground", "view", sides.parse_path, "--against", sides.gold_path]
        return f"{shlex.join(words)} --sentence {{}}"


def _ids(system: System) -> tuple[str, ...]:
    assert system.sentences is not None, "saved results have sentences"
    return system.sentences.ids


def read_again(
    systems: tuple[System, ...], read: Callable[[], Mapping[str, Sides]], missing: Sequence[str]
) -> Material:
    """Return the material of a result; what cannot be read again is missing, and no error."""
    if missing:
        return Material(systems, missing=tuple(missing))
    try:
        return Material(systems, read())
    except CommonGroundError as error:
        return Material(systems, missing=(str(error),))

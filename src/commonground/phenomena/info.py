"""What a gold standard of phenomena holds, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from commonground.phenomena.gold import Gold, Target
from commonground.phenomena.mapping import find_mapping, mapping_names

__all__ = ["Contents", "Numbers", "contents", "expressions"]


@dataclass(frozen=True, slots=True)
class Numbers:
    """Items, targets, negative and disjunctive ones, average and largest distance."""

    items: int
    targets: int
    negative: int
    disjunctive: int
    distance: float
    farthest: int

    @classmethod
    def of(cls, targets: list[Target]) -> Numbers:
        """Count some targets."""
        apart = [target.distance for target in targets] or [0]
        return cls(
            len({target.item for target in targets}),
            len(targets),
            sum(not target.positive for target in targets),
            sum(target.disjunctive for target in targets),
            sum(apart) / len(apart),
            max(apart),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as JSON has them."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Contents:
    """What a gold standard holds: in all, and by the name of what is measured."""

    path: str
    whole: Numbers
    parts: Mapping[str, Numbers]

    def to_json(self) -> dict[str, Any]:
        """Return the contents as JSON has them."""
        return {
            "file": self.path,
            **self.whole.to_json(),
            "parts": {name: part.to_json() for name, part in self.parts.items()},
        }


def contents(gold: Gold) -> Contents:
    """Count what a gold standard holds.

    >>> from commonground.phenomena.gold import read_gold
    >>> result = contents(read_gold("example:phenomena"))
    >>> result.whole.items >= 200
    True
    """
    parts = {
        name: Numbers.of([target for target in gold.targets if target.name == name])
        for name in gold.names
    }
    return Contents(gold.path, Numbers.of(list(gold.targets)), parts)


def expressions() -> dict[str, tuple[str, str, int, int]]:
    """Return the mappings that come along: title, status, expressions and patterns of each."""
    counts = {}
    for name in mapping_names():
        mapping = find_mapping(name)
        rules = mapping.rules.values()
        counts[name] = (
            mapping.title,
            mapping.status,
            sum(len(each.expressions) for each in rules),
            sum(len(each.patterns) for each in rules),
        )
    return counts

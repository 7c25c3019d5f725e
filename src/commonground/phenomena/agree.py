"""How far two annotations of the same phenomena agree, and one annotation made of both.

An item is agreed on if both have the same targets. Where they have not, the program finds three
classes by itself (section 4.3 of the paper): another number of dependencies, as many with
conflicting elements, or the same dependencies for which one side admits more words. That a
difference goes back to a convention that was not settled, or is a mere slip, only people can tell:
``convention`` or ``slip`` in the fifth column of either file says so. These two and the admitted
words count as disagreement in the raw figures, and not in the adjusted ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from commonground.errors import UsageError
from commonground.phenomena.gold import Gold, Target, Word

__all__ = ["CLASSES", "Agreed", "Disagreement", "agree", "merged"]

CLASSES = ("number", "conflict", "alternatives", "convention", "slip")
"""The classes of differences; the first two are genuine disagreement."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An item that is not agreed on: the class of the difference, and what only one side has."""

    item: str
    phenomenon: str
    kind: str
    one: tuple[str, ...]
    other: tuple[str, ...]


@dataclass(frozen=True)
class Agreed:
    """Agreement of two annotations: items and dependencies, and all differences."""

    items: int
    same_items: int
    one: int
    other: int
    common: int
    differences: tuple[Disagreement, ...]

    @property
    def by_item(self) -> float | None:
        """The share of items that both annotate alike."""
        return self.same_items / self.items if self.items else None

    @property
    def by_dependency(self) -> float | None:
        """Twice the dependencies in common, by those of both (F1)."""
        both = self.one + self.other
        return 2 * self.common / both if both else None

    @property
    def adjusted(self) -> float | None:
        """The share of items without genuine disagreement."""
        genuine = sum(each.kind in CLASSES[:2] for each in self.differences)
        return 1 - genuine / self.items if self.items else None

    def counts(self) -> dict[str, int]:
        """Return how many items there are of each class of differences."""
        return {kind: sum(each.kind == kind for each in self.differences) for kind in CLASSES}

    def to_json(self) -> dict[str, Any]:
        """Return the agreement as JSON has it."""
        return {
            "items": self.items,
            "same_items": self.same_items,
            "by_item": self.by_item,
            "adjusted": self.adjusted,
            "dependencies": {"one": self.one, "other": self.other, "common": self.common},
            "by_dependency": self.by_dependency,
            "classes": self.counts(),
            "differences": [
                {
                    "item": each.item,
                    "phenomenon": each.phenomenon,
                    "class": each.kind,
                    "one": list(each.one),
                    "other": list(each.other),
                }
                for each in self.differences
            ],
        }


def agree(one: Gold, other: Gold) -> Agreed:
    """Compare two annotations of the same items.

    >>> from commonground.phenomena.gold import read_gold
    >>> gold = read_gold("example:phenomena")
    >>> agree(gold, gold).by_item
    1.0
    """
    items = _items(one, other)
    if not items:
        raise UsageError(f"{one.path} and {other.path} have no item in common")
    differences: list[Disagreement] = []
    common = total_one = total_other = 0
    for (item, phenomenon), (here, there) in items.items():
        first, second = set(map(_key, here)), set(map(_key, there))
        common += len(first & second)
        total_one, total_other = total_one + len(here), total_other + len(there)
        if first != second:
            differences.append(_difference(item, phenomenon, here, there))
    return Agreed(
        len(items),
        len(items) - len(differences),
        total_one,
        total_other,
        common,
        tuple(differences),
    )


def _items(one: Gold, other: Gold) -> dict[tuple[str, str], tuple[list[Target], list[Target]]]:
    """Return the targets of both by item and phenomenon, in the order of the first."""
    by_item: dict[tuple[str, str], tuple[list[Target], list[Target]]] = {}
    for side, gold in enumerate((one, other)):
        for target in gold.targets:
            by_item.setdefault((target.item, target.phenomenon), ([], []))[side].append(target)
    return by_item


def _key(target: Target) -> tuple[Any, ...]:
    return target.positive, frozenset(target.heads), target.type, frozenset(target.dependents)


def _difference(
    item: str, phenomenon: str, here: Sequence[Target], there: Sequence[Target]
) -> Disagreement:
    only = [target for target in here if _key(target) not in set(map(_key, there))]
    only_there = [target for target in there if _key(target) not in set(map(_key, here))]
    said = [t.remark.lower() for t in (*here, *there) if t.remark.lower() in CLASSES]
    kind = said[0] if said else _kind(here, there)
    return Disagreement(item, phenomenon, kind, _shown(only), _shown(only_there))


def _kind(here: Sequence[Target], there: Sequence[Target]) -> str:
    """Return the class of a difference that nobody has marked."""
    if len(here) != len(there):
        return "number"
    left = list(there)
    for target in here:
        same = next((each for each in left if _alike(target, each)), None)
        if same is None:
            return "conflict"
        left.remove(same)
    return "alternatives"


def _alike(one: Target, other: Target) -> bool:
    """Return whether a word as head and a word as dependent fulfil both targets."""
    return (
        (one.type, one.positive) == (other.type, other.positive)
        and bool(set(one.heads) & set(other.heads))
        and bool(set(one.dependents) & set(other.dependents))
    )


def _shown(targets: Sequence[Target]) -> tuple[str, ...]:
    return tuple(f"{'' if t.positive else 'not '}{t.dependency}" for t in targets)


# ── one of two ───────────────────────────────────────────────────────────────────────────────────


def merged(one: Gold, other: Gold) -> Gold:
    """Return an annotation with what either has; where words conflict, both are alternatives.

    Targets of the two sides are the same dependency if type and polarity are the same and they
    share a head or a dependent; what only one side has is kept.
    """
    targets = [
        target
        for here, there in _items(one, other).values()
        for target in _merged_item(here, there)
    ]
    return Gold(f"{one.path} + {other.path}", tuple(targets), {**other.sentences, **one.sentences})


def _merged_item(here: Sequence[Target], there: Sequence[Target]) -> Iterator[Target]:
    left = list(there)
    for target in here:
        fitting = [each for each in left if _overlap(target, each)]
        if not fitting:
            yield target
            continue
        best = max(fitting, key=lambda each: _overlap(target, each))
        left.remove(best)
        yield replace(
            target,
            heads=_union(target.heads, best.heads),
            dependents=_union(target.dependents, best.dependents),
        )
    yield from left


def _overlap(one: Target, other: Target) -> int:
    """Return how many words two targets share; 0 where they cannot be the same dependency."""
    if (one.type, one.positive) != (other.type, other.positive):
        return 0
    return len(set(one.heads) & set(other.heads)) + len(set(one.dependents) & set(other.dependents))


def _union(one: tuple[Word, ...], other: tuple[Word, ...]) -> tuple[Word, ...]:
    return tuple(dict.fromkeys((*one, *other)))

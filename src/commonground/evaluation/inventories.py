"""Which labels treebanks are compared by: their own, those of the hub, or those of a map.

Labels of different inventories have nothing in common, even where they mean the same. Where the
gold standards have different ones, all labels become those of the hub
(:mod:`commonground.ground.inventory`), unless labels were declared the same, or a map was given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from commonground.corpus import Corpus, Functions
from commonground.errors import UsageError
from commonground.ground.dependencies import HEAD
from commonground.ground.functions import functions_of
from commonground.ground.inventory import HubTrees, hub_trees, recognised
from commonground.ground.label_map import LabelMap
from commonground.metrics.settings import Settings

__all__ = ["LABELS", "Labelling", "Translated"]

LABELS = ("auto", "own", "hub")
"""Labels as they are, those of the hub, or what fits: the hub where inventories differ."""

Pair = tuple[Corpus, Corpus]


@dataclass(frozen=True)
class Translated:
    """How the labels of a gold standard were translated to the hub; see :class:`HubTrees`."""

    inventory: str
    known: int
    labels: int
    mapping: Mapping[tuple[str, str], int] = field(default_factory=dict, repr=False)

    @property
    def coverage(self) -> float:
        """The share of labels that were translated."""
        return self.known / self.labels if self.labels else 1.0

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        mapping = [
            {"label": label, "hub": hub, "count": count}
            for (label, hub), count in sorted(self.mapping.items())
        ]
        return {"inventory": self.inventory, "coverage": self.coverage, "mapping": mapping}


@dataclass
class Labelling:
    """The function trees of the gold standards and parses of some systems, as they are labelled."""

    corpora: Mapping[str, Pair]
    settings: Settings
    functions: tuple[str, ...] | None
    enhanced: bool
    asked: str = "auto"
    maps: Mapping[str, LabelMap] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.asked not in LABELS:
            raise UsageError(f"labels can be {', '.join(LABELS)}, not {self.asked!r}")
        unknown = [name for name in self.maps if name not in self.corpora]
        if unknown:
            known = ", ".join(self.corpora)
            raise UsageError(f"there is a map for {unknown[0]!r}, but the systems are {known}")
        self._made: dict[tuple[int, str], Functions] = {}
        self._hub: dict[tuple[int, str], HubTrees] = {}

    @cached_property
    def inventories(self) -> dict[str, str]:
        """The inventory of each gold standard, the empty string where none is recognised."""
        found: dict[int, str] = {}
        for gold, _ in self.corpora.values():
            if id(gold) not in found:
                found[id(gold)] = recognised(gold)
        return {name: found[id(gold)] for name, (gold, _) in self.corpora.items()}

    @cached_property
    def labels(self) -> str:
        """Whose labels are compared: ``own``, or those of the ``hub``."""
        if self.asked != "auto":
            return self.asked
        declared = self.settings.equivalent or self.settings.ignore_case or self.maps
        if declared:
            return "own"
        known = set(self.inventories.values())
        return "hub" if len(known) > 1 and any(known) else "own"

    def trees(self, name: str, side: Corpus) -> Functions:
        """Return the function trees of a gold standard or a parse of a system."""
        key = (id(side), self._way(name))
        if key not in self._made:
            self._made[key] = self._trees(name, side)
        return self._made[key]

    def _way(self, name: str) -> str:
        if name in self.maps:
            return f"map {name}"
        return self.inventories[name] if self.labels == "hub" else ""

    def _trees(self, name: str, side: Corpus) -> Functions:
        if name in self.maps:
            return self.maps[name].trees(side)
        if self.labels == "hub" and self.inventories[name]:
            return self._in_hub(name, side).trees
        return self._own(side)

    def _in_hub(self, name: str, side: Corpus) -> HubTrees:
        key = (id(side), self.inventories[name])
        if key not in self._hub:
            self._hub[key] = hub_trees(
                side,
                self.inventories[name],
                functions=self.functions,
                function_nodes=self.settings.function_nodes,
                enhanced=self.enhanced,
                plain=self._own(side),
            )
        return self._hub[key]

    def _own(self, side: Corpus) -> Functions:
        key = (id(side), "")
        if key not in self._made:
            self._made[key] = functions_of(
                side,
                functions=self.functions,
                function_nodes=self.settings.function_nodes,
                enhanced=self.enhanced,
            )
        return self._made[key]

    def translated(self) -> dict[str, Translated]:
        """Return how the labels of the gold standards were translated, where they were."""
        if self.labels != "hub":
            return {}
        found = {}
        for name, (gold, _) in self.corpora.items():
            if name in self.maps:
                continue
            hub = self._in_hub(name, gold) if self.inventories[name] else None
            count = int(self._own(gold).label.where(bool).sum())
            found[name] = (
                Translated(hub.inventory, hub.known, hub.labels, hub.mapping)
                if hub
                else Translated("", 0, count)
            )
        return found

    def is_bare(self, side: Corpus) -> bool:
        """Tell whether a treebank gives no function to anything."""
        labels = self._own(side).label.counts()
        return not any(label not in ("", HEAD) for label in labels)

"""Which labels treebanks are compared by: their own, those of the hub, or those of a map.

Labels of different inventories have nothing in common, even where they mean the same. Where the
gold standards have different ones, all labels become those of the hub
(:mod:`commonground.ground.inventory`), unless labels were declared the same, or a map was given.
Where the inventory of a gold standard is not known, a map to the labels of another one is learned
from the two (:mod:`commonground.ground.label_learning`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from statistics import fmean
from typing import Any

from commonground.corpus import Corpus, Functions
from commonground.errors import UsageError
from commonground.ground.dependencies import HEAD
from commonground.ground.functions import to_functions
from commonground.ground.inventory import HubTrees, hub_trees, recognise_inventory
from commonground.ground.label_learning import CrossFitted, cross_fitted
from commonground.ground.label_map import LabelMap, label_in_place, relabelled
from commonground.ground.related_yields import graph_relations, is_graph, tree_relations
from commonground.metrics.settings import Settings
from commonground.schemes.transform import HUB

__all__ = ["LABELS", "Labelling", "Translated"]

LABELS = ("auto", "own", "hub")
"""Labels as they are, those of the hub, or what fits: the hub where inventories differ."""

MAP = "label map"
"""What labels are read as where a map was given."""

_SHARED = 0.9
"""Treebanks whose labels are so often among those of the other, too, have the same inventory."""

Pair = tuple[Corpus, Corpus]


@dataclass(frozen=True)
class Translated:
    """How the labels of a gold standard were translated: `known` of `labels` were.

    `inventory` is what they were read as; the empty string where they stay as they are, or where
    the map was learned `by` the labels of another gold standard. Then `accuracy` is the share that
    is right on sentences which nothing was learned from.
    """

    inventory: str
    known: int
    labels: int
    mapping: Mapping[tuple[str, str], int] = field(default_factory=dict, repr=False)
    by: str = ""
    accuracy: float | None = None

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
        data = {"inventory": self.inventory, "coverage": self.coverage, "mapping": mapping}
        learned = {"learned_from": self.by, "held_out_accuracy": self.accuracy} if self.by else {}
        return {**data, **learned}


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
        self._fitted: dict[tuple[int, int], CrossFitted] = {}

    @cached_property
    def inventories(self) -> dict[str, str]:
        """The inventory of each gold standard, the empty string where none is recognised."""
        by_gold: dict[int, str] = {}
        for gold, _ in self.corpora.values():
            if id(gold) not in by_gold:
                by_gold[id(gold)] = recognise_inventory(gold)
        return {name: by_gold[id(gold)] for name, (gold, _) in self.corpora.items()}

    @cached_property
    def labels(self) -> str:
        """Whose labels are compared: ``own``, those of the ``hub``, or ``learned`` ones."""
        if self.asked != "auto":
            return self.asked
        declared = self.settings.equivalent or self.settings.ignore_case or self.maps
        if declared:
            return "own"
        known = set(self.inventories.values())
        if len(known) > 1 and any(known):
            return "hub"
        return "learned" if not any(known) and self._foreign() else "own"

    def _foreign(self) -> bool:
        """Tell whether gold standards of unknown inventories have labels that others lack."""
        counts = [self._counts(gold) for gold, _ in self.corpora.values()]
        return any(
            one and other and sum(one[each] for each in one.keys() & other) < _SHARED * one.total()
            for one, other in permutations(counts, 2)
        )

    def _counts(self, side: Corpus) -> Counter[str]:
        counts = self._own(side).label.counts()
        return Counter({label: n for label, n in counts.items() if label not in ("", HEAD)})

    @cached_property
    def model(self) -> str:
        """The system whose gold standard tells what labels of unknown inventories are.

        If no inventory is known, it is the one whose labels the others tell best.
        """
        names = sorted(self.corpora)
        known = [name for name in names if self.inventories[name]]
        if known:
            return min(known, key=lambda name: self.inventories[name] != HUB)
        learns = self.labels == "learned" and not self.settings.function_nodes
        return max(names, key=self._told) if learns else names[0]

    def _told(self, name: str) -> float:
        """Return how much better others tell the labels of a gold standard than a guess would.

        A guess always says its most frequent label. All is told by 1, nothing by 0: the mean over
        the other gold standards, on sentences which nothing was learned from.
        """
        model = self.corpora[name][0]
        counts = self._counts(model)
        others = {id(gold): gold for gold, _ in self.corpora.values() if gold is not model}
        chance = max(counts.values(), default=1) / max(counts.total(), 1)
        if chance == 1:
            return 0.0
        trees = self._own(model)
        fits = [self._fit(gold, model, trees) for gold in others.values() if not self.is_bare(gold)]
        right = [fit.known / max(fit.labels, 1) * (fit.accuracy or 0) for fit in fits]
        return (fmean(right or [0]) - chance) / (1 - chance)

    def _fit(self, gold: Corpus, model: Corpus, trees: Functions) -> CrossFitted:
        """Return the maps from the labels of a gold standard to those of another one."""
        key = id(gold), id(model)
        if key not in self._fitted:
            self._fitted[key] = cross_fitted(gold, model, trees, self.functions)
        return self._fitted[key]

    def learned(self, name: str) -> CrossFitted | None:
        """Return the maps of a system whose labels had to be learned, None for all others."""
        wanted = self.labels in ("hub", "learned") and name not in self.maps
        if not wanted or self.inventories[name] or name == self.model:
            return None
        gold, other = self.corpora[name][0], self.corpora[self.model][0]
        if gold is other or self.settings.function_nodes:
            return None
        if self.is_bare(gold) or self.is_bare(other):
            return None
        fitted = self._fit(gold, other, self.trees(self.model, other))
        return fitted if fitted.known else None

    def trees(self, name: str, side: Corpus) -> Functions:
        """Return the function trees of a gold standard or a parse of a system."""
        key = (id(side), self._way(name))
        if key not in self._made:
            self._made[key] = self._trees(name, side)
        return self._made[key]

    def relations(self, name: str, side: Corpus) -> Functions:
        """Return the relations between yields of a gold standard or a parse of a system."""
        try:
            if not is_graph(side, enhanced=self.enhanced):
                return tree_relations(side, self.trees(name, side))
            if name in self.maps:
                return relabelled(graph_relations(side, label_in_place), self.maps[name].image)
            if learned := self.learned(name):
                return learned.relabelled(graph_relations(side, label_in_place))
            plain = graph_relations(side)
        except UsageError as error:
            raise UsageError(f"{name}: {error}") from error
        if self.labels == "hub" and self.inventories[name]:
            return hub_trees(side, self.inventories[name], enhanced=True, plain=plain).trees
        return plain

    def _way(self, name: str) -> str:
        if name in self.maps:
            return f"map {name}"
        if self.learned(name):
            return f"learned {name}"
        return self.inventories[name] if self.labels == "hub" else ""

    def _trees(self, name: str, side: Corpus) -> Functions:
        if name in self.maps:
            return self.maps[name].trees(side, self.functions)
        if learned := self.learned(name):
            return learned.trees(side)
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
            self._made[key] = to_functions(
                side,
                functions=self.functions,
                function_nodes=self.settings.function_nodes,
                enhanced=self.enhanced,
            )
        return self._made[key]

    def translated(self) -> dict[str, Translated]:
        """Return how the labels of the gold standards were translated, where they were."""
        if self.labels == "own" and not self.maps:
            return {}
        return {name: self._translated(name, gold) for name, (gold, _) in self.corpora.items()}

    def _translated(self, name: str, gold: Corpus) -> Translated:
        if name in self.maps:
            map_ = self.maps[name]
            uses = {(entry.left, entry.other): entry.total for entry in map_.entries}
            return Translated(MAP, *map_.coverage(gold, self.functions), uses)
        if learned := self.learned(name):
            facts = (learned.known, learned.labels, learned.mapping)
            return Translated("", *facts, by=self.model, accuracy=learned.accuracy)
        if self.labels == "hub" and self.inventories[name]:
            hub = self._in_hub(name, gold)
            return Translated(hub.inventory, hub.known, hub.labels, hub.mapping)
        return Translated("", 0, int(self._own(gold).label.where(bool).sum()))

    def is_bare(self, side: Corpus) -> bool:
        """Tell whether a treebank gives no function to anything."""
        labels = self._own(side).label.counts()
        return not any(label not in ("", HEAD) for label in labels)

"""What an evaluation found, as values: scores with their counts, systems, and the signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError
from commonground.metrics.items import Counts, Items
from commonground.metrics.metric import Metric, precision, recall
from commonground.metrics.settings import Settings

if TYPE_CHECKING:
    from commonground.metrics.breakdown import Bucket
    from commonground.metrics.confusion import Cell

__all__ = ["Result", "Score", "System"]


@dataclass(frozen=True)
class Score:
    """A metric's score on a corpus, with the counts per sentence behind it.

    Behind these are the `items` that were counted, unless counts of several corpora were merged.
    """

    metric: Metric
    counts: Counts
    items: Items | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, metric: Metric, comparison: Any) -> Score:
        """Return the score of a comparison."""
        items = metric.items(comparison)
        return cls(metric, items.counts, items)

    @cached_property
    def value(self) -> float:
        """The score of the corpus, from the summed counts; a fraction of 1."""
        return self.metric.formula(self.counts.totals)

    @property
    def empty(self) -> bool:
        """Whether neither side had anything to count; then the score says nothing."""
        totals = self.counts.totals
        return not (totals.get("gold") or totals.get("system"))

    @property
    def precision(self) -> float:
        """The share of the parse's items that are right."""
        return precision(self.counts.totals)

    @property
    def recall(self) -> float:
        """The share of the gold standard's items that are found."""
        return recall(self.counts.totals)

    def by_sentence(self) -> NDArray[np.float64]:
        """Return the score of each sentence by itself."""
        columns = self.counts.columns
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        return np.array([self.metric.formula(dict(zip(columns, row, strict=True))) for row in rows])

    def to_json(self) -> dict[str, Any]:
        """Return the score as JSON has it."""
        totals = self.counts.totals
        sides = {"precision": self.precision, "recall": self.recall}
        shown = (
            sides
            if {"gold", "system"} <= totals.keys() and totals["gold"] != totals["system"]
            else {}
        )
        return {"score": self.value, **shown, "counts": totals}


@dataclass(frozen=True)
class System:
    """A parse and its scores, by the names of the metrics; `skipped` sentences took no part.

    `comparison` is what the metrics have looked at, unless scores of several corpora were merged.
    """

    name: str
    scores: dict[str, Score]
    skipped: tuple[str, ...] = ()
    comparison: Any = field(default=None, repr=False, compare=False)

    def __getitem__(self, metric: str) -> Score:
        return self.scores[metric]

    def breakdown(
        self, metric: str, by: Sequence[str], settings: Settings | None = None
    ) -> list[Bucket]:
        """Return the counts of a metric by properties such as ``deprel``, ``upos``, ``distance``.

        The settings should be those of the evaluation: they say which labels are the same.
        """
        from commonground.metrics.breakdown import breakdown  # noqa: PLC0415  # seldom asked for

        items, pair = self.scores[metric].items, self.comparison
        assert items is not None, "merged scores have no items"
        gold, parse = items.corpora or (pair.gold, pair.system)
        return breakdown(items, gold, parse, by, settings or Settings())

    def confusion(self, what: str = "label") -> list[Cell]:
        """Return what was taken for what: ``label``, or ``head-tag`` for the heads' tags."""
        from commonground.metrics.confusion import confusion  # noqa: PLC0415  # seldom asked for

        return confusion(self.comparison, what)

    def to_json(self) -> dict[str, Any]:
        """Return the system as JSON has it."""
        found = {"name": self.name, "metrics": {n: s.to_json() for n, s in self.scores.items()}}
        return {**found, "skipped": list(self.skipped)} if self.skipped else found


@dataclass(frozen=True)
class Result:
    """The scores of one or more parses of a gold standard.

    `signature` names everything that the numbers depend on. Scores of a single system can be asked
    for at once: ``result["las"].value``.
    """

    signature: str
    systems: tuple[System, ...]

    def __getitem__(self, name: str) -> Score:
        """Return the score of a metric; there must be only one system."""
        if len(self.systems) > 1:
            names = ", ".join(system.name for system in self.systems)
            raise UsageError(f"there are several systems ({names}); system(NAME) returns one")
        return self.systems[0][name]

    def system(self, name: str) -> System:
        """Return a system by its name."""
        return next(system for system in self.systems if system.name == name)

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON has it."""
        return {
            "signature": self.signature,
            "systems": [system.to_json() for system in self.systems],
            "tests": [],
        }

    def __repr__(self) -> str:
        lines = [
            f"{system.name}: "
            + ", ".join(f"{n} {100 * s.value:.2f}" for n, s in system.scores.items())
            for system in self.systems
        ]
        return "\n".join([*lines, self.signature])

"""What a metric is: items to count, a formula over the sums, and words that explain it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from commonground.metrics.items import Items

__all__ = ["Metric", "f1", "precision", "recall"]

Totals = Mapping[str, int]


def f1(totals: Totals) -> float:
    """Return 2 · correct / (gold + system), the harmonic mean of precision and recall; 0/0 is 1.

    >>> f1({"correct": 3, "gold": 4, "system": 4})
    0.75
    """
    both = totals["gold"] + totals["system"]
    return 2 * totals["correct"] / both if both else 1.0


def precision(totals: Totals) -> float:
    """Return correct / system; 0/0 is 1."""
    return totals["correct"] / totals["system"] if totals["system"] else 1.0


def recall(totals: Totals) -> float:
    """Return correct / gold; 0/0 is 1."""
    return totals["correct"] / totals["gold"] if totals["gold"] else 1.0


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: its `name` in options and JSON, its `title` in tables, what it counts, its formula.

    `items` makes the items of a comparison. `explanation` is the definition, where it was published
    and a worked example. `share` tells that the score is a fraction of 1, the better the higher.
    """

    name: str
    title: str
    items: Callable[[Any], Items]
    explanation: str
    formula: Callable[[Totals], float] = f1
    share: bool = True

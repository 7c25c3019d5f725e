"""What a metric is: items to count, a formula over the sums, and words that explain it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.metrics.items import Items

__all__ = ["Metric", "f1", "precision", "ratio", "recall"]

Totals = Mapping[str, Any]
"""Sums by the names of their columns: whole numbers, or arrays of them for many scores at once."""


def ratio(part: Any, whole: Any, empty: float = 1.0) -> Any:
    """Return part / whole, and `empty` for 0/0; of numbers, or of arrays of the same length.

    >>> ratio(3, 4), ratio(0, 0), ratio(0, 0, empty=0.0)
    (0.75, 1.0, 0.0)
    >>> ratio(np.array([3, 0]), np.array([4, 0])).tolist()
    [0.75, 1.0]
    """
    if isinstance(whole, np.ndarray):
        return np.divide(part, whole, out=np.full(whole.shape, empty), where=whole != 0)
    return part / whole if whole else empty


def f1(totals: Totals) -> Any:
    """Return 2 · correct / (gold + system), the harmonic mean of precision and recall; 0/0 is 1.

    >>> f1({"correct": 3, "gold": 4, "system": 4})
    0.75
    """
    return ratio(2 * totals["correct"], totals["gold"] + totals["system"])


def precision(totals: Totals) -> Any:
    """Return correct / system; 0/0 is 1."""
    return ratio(totals["correct"], totals["system"])


def recall(totals: Totals) -> Any:
    """Return correct / gold; 0/0 is 1."""
    return ratio(totals["correct"], totals["gold"])


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: its `name` in options and JSON, its `title` in tables, what it counts, its formula.

    `items` makes the items of a comparison. The `formula` makes a score of totals, or an array of
    scores of arrays of totals. `explanation` is the definition, where it was published and a worked
    example. `share` tells that the score is a fraction of 1, which is shown in per cent, and
    `higher_is_better` whether the best score is the highest or the lowest. `empty` is the score
    where neither side has an item, if the definition gives one; else it is undefined. Where the
    items depend on something that only a whole gold standard tells, `gold_fact` returns it: the
    counts of parts about which it says different things do not add up. `of` names the kinds of
    corpora that it is for (``dependencies``, …); a metric that another package adds must say so.
    """

    name: str
    title: str
    items: Callable[[Any], Items]
    explanation: str
    formula: Callable[[Totals], Any] = f1
    share: bool = True
    higher_is_better: bool = True
    empty: float | None = None
    gold_fact: Callable[[Any], str] | None = None
    of: tuple[str, ...] = ()

    @property
    def scale(self) -> int:
        """What a score is multiplied by where it is shown."""
        return 100 if self.share else 1

    def shown(self, value: float | None) -> float | None:
        """Return a score as tables show it: a share in per cent, None where it is undefined."""
        return None if value is None else self.scale * value

    @property
    def sign(self) -> int:
        """What makes the better of two scores the higher one."""
        return 1 if self.higher_is_better else -1

"""Bins of whole numbers (lengths, distances, depths) that are fine enough, and full enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.metrics.by.distance import STARTS as DISTANCES
from commonground.metrics.by.sentence import STARTS as LENGTHS

__all__ = ["DEPTHS", "DISTANCES", "LENGTHS", "Bins", "bins_of"]

Numbers = NDArray[np.int64]

DEPTHS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20)
"""Where bins begin, unless there is too little in them; those of lengths and distances are the
ones of tables."""

_ENOUGH = 30
"""A bin with fewer has a score that says little."""


@dataclass(frozen=True, slots=True)
class Bins:
    """Ranges of whole numbers: where each begins, and how many are in it.

    If there are any `others` (a root has no distance to its head), these have the first bin.
    """

    starts: tuple[int, ...]
    counts: tuple[int, ...]
    highest: int
    others: str = ""

    @property
    def names(self) -> list[str]:
        """What the bins are called."""
        ends = [start - 1 for start in self.starts[1:]]
        names = [
            str(first) if first == last else f"{first}–{last}"
            for first, last in zip(self.starts, ends, strict=False)
        ]
        if self.starts:
            last = self.starts[-1]
            names.append(f"{last}+" if self.highest > last else str(last))
        return [self.others, *names] if self.others else names

    def codes(self, values: Numbers) -> Numbers:
        """Return the bin of each value, -1 for those that have none."""
        places = np.searchsorted(np.array(self.starts, np.int64), values, side="right") - 1
        if self.others:
            return np.where(values <= 0, 0, np.maximum(places, 0) + 1)
        return np.where(values <= 0, -1, np.maximum(places, 0))


def bins_of(values: Numbers, starts: Sequence[int], others: str = "") -> Bins:
    """Return bins for the values: those that begin with `starts`, put together where they are thin.

    Values below 1 are none, or are `others` with a bin of their own.

    >>> result = bins_of(np.array([1] * 40 + [2] * 3 + [3] * 40 + [9]), (1, 2, 3, 4))
    >>> result.names, result.counts
    (['1', '2+'], (40, 44))
    """
    known = values[values > 0]
    enough = min(_ENOUGH, max(5, len(known) // 20))
    places = np.searchsorted(np.array(starts), known, side="right") - 1
    counts = np.bincount(np.maximum(places, 0), minlength=len(starts)).tolist()
    kept: list[int] = []
    sizes: list[int] = []
    for start, count in zip(starts, counts, strict=True):
        if sizes and sizes[-1] < enough:
            sizes[-1] += count
        elif count:
            kept.append(start)
            sizes.append(count)
    if len(sizes) > 1 and sizes[-1] < enough:
        last = sizes.pop()
        sizes[-1] += last
        kept.pop()
    some = len(values) - len(known)
    first = [some] if some and others else []
    highest = int(known.max()) if len(known) else 0
    return Bins(tuple(kept), (*first, *sizes), highest, others if first else "")

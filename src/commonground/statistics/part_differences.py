"""In which parts of a treebank two systems differ: by relation, distance, length of the sentence.

For each part (the words with one relation, say), let d_s be how many of its words in sentence s the
first system has right, less those of the second. The difference of their recall on the part is

    Δ  =  Σ_s d_s / n        n: the words of the part in the gold standard

and it is tested by swapping the systems in sentences at random (the sign of d_s), for all parts
with the same swaps; p is corrected by Holm's method for the number of parts. The interval is that
of the normal distribution with the variance of the d_s:

    Δ ± z · √(Σ_s (d_s − d̄)²) / n        cut at −1 and 1

>>> import numpy as np
>>> [part] = differences_by_part({"nsubj": Part(np.full(40, 2), np.full(40, 2), np.ones(40, int))})
>>> part.value, part.different
(0.5, True)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.random import stream
from commonground.statistics.corrections import holm

__all__ = ["Part", "PartDifference", "differences_by_part"]

Numbers = NDArray[np.integer]

_ITERATIONS = 2000
_SLICE = 250
_LEVEL = 0.05
_Z = 1.959964


@dataclass(frozen=True, slots=True)
class Part:
    """The words of a part in each sentence, and how many of them each of two systems has right."""

    gold: Numbers
    one: Numbers
    other: Numbers


@dataclass(frozen=True, slots=True)
class PartDifference:
    """The first system's recall on a part less the second one's, with interval and corrected p.

    `words` are those of the part; `only_one` and `only_other` the sums of d_s where it is positive,
    and where it is negative.
    """

    name: str
    words: int
    value: float
    low: float
    high: float
    p: float
    only_one: int
    only_other: int

    @property
    def different(self) -> bool:
        """Whether the systems differ: the corrected p and the interval both say so."""
        return self.p <= _LEVEL and not self.low <= 0 <= self.high


def differences_by_part(parts: Mapping[str, Part], *, seed: int = 0) -> list[PartDifference]:
    """Return the differences of two systems on parts of a treebank, in their order."""
    if not parts:
        return []
    gained = np.stack([part.one - part.other for part in parts.values()]).astype(np.float64)
    p = holm(_swapped(gained, seed))
    rows = []
    for place, (name, part) in enumerate(parts.items()):
        gains, words = gained[place], int(part.gold.sum())
        value = float(gains.sum()) / max(words, 1)
        spread = _Z * float(np.sqrt(((gains - gains.mean()) ** 2).sum())) / max(words, 1)
        rows.append(
            PartDifference(
                name,
                words,
                value,
                max(value - spread, -1.0),
                min(value + spread, 1.0),
                float(p[place]),
                int(gains[gains > 0].sum()),
                int(-gains[gains < 0].sum()),
            )
        )
    return rows


def _swapped(gained: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Return the share of random swaps that give a difference as large as the observed ones.

    Sentences on which no part differs change no sum, and whole numbers are exact in 32 bits as
    long as their sums are below 2²⁴.
    """
    observed = np.abs(gained.sum(axis=1)) - 1e-9
    counted = gained.any(axis=0)
    exact = np.abs(gained).sum(axis=1).max() < 1 << 24
    kind = np.float32 if exact else np.float64
    gains: NDArray[Any] = gained[:, counted].astype(kind)
    reached = np.zeros(len(gained))
    for swaps in _swaps(gained.shape[1], seed):
        signs: NDArray[Any] = (
            np.unpackbits(swaps[counted], axis=1, count=_SLICE).astype(kind) * 2 - 1
        )
        reached += (np.abs(gains @ signs) >= observed[:, None]).sum(axis=1)
    return (reached + 1) / (_ITERATIONS + 1)


@lru_cache(maxsize=1)
def _swaps(sentences: int, seed: int) -> list[NDArray[np.uint8]]:
    """Return random bits, a row for each sentence; all pairs of systems are swapped by the same."""
    random = stream(seed, "swaps by part")
    size = sentences, _SLICE
    return [
        np.packbits(random.integers(0, 2, size=size).astype(np.uint8), axis=1)
        for _ in range(_ITERATIONS // _SLICE)
    ]

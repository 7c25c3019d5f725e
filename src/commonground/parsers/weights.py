"""The weights of a linear model while they are learned, and their average.

Weights are whole numbers, so that learning gives the same model on every machine. The average over
all moments of learning (Freund & Schapire 1999; Collins 2002) is kept lazily: a change d at moment
c is added to a second table as c·d, and

    average = weights - (Σ c·d) / moments
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import load

__all__ = ["Averaged", "Narrow", "aligned", "bits_of"]

Narrow = NDArray[np.int16]
Numbers = NDArray[np.int64]

_LARGEST = (1 << 15) - 1
_TOGETHER = 1 << 20  # weights that are averaged at once, which takes little memory


class Averaged:
    """Weights with their average: 2^bits of them.

    >>> learned = Averaged(bits=2)
    >>> learned.tick()
    >>> learned.tick()
    >>> learned.add(np.array([3, 3, 0]), np.array([4, 4, 2]))
    >>> learned.weights.tolist(), learned.average().tolist()
    ([2, 0, 0, 8], [1, 0, 0, 4])
    """

    __slots__ = ("bits", "moments", "totals", "weights")

    def __init__(self, bits: int) -> None:
        self.bits, self.moments = bits, 0
        self.weights = aligned(np.zeros(1 << bits, np.int32))
        self.totals = np.zeros(1 << bits, np.int64)

    def tick(self) -> None:
        """Go on to the next moment: a change now counts from here on."""
        self.moments += 1

    def add(self, places: Numbers, amounts: Numbers) -> None:
        """Change the weights at these places (the same one may come several times)."""
        load("linear").add(self.weights, self.totals, places, amounts, self.moments)

    def average(self, unit: int = 1) -> Narrow:
        """Return the average of the weights over all moments so far, in whole `unit`s.

        What is larger than 16 bits can hold becomes the largest number that they do.
        """
        mean = aligned(np.zeros(len(self.weights), np.int16))
        for start in range(0, len(mean), _TOGETHER):
            part = slice(start, start + _TOGETHER)
            mean[part] = self._average(self.weights[part], self.totals[part], unit)
        return mean

    def _average(self, weights: NDArray[np.int32], totals: Numbers, unit: int) -> Numbers:
        moments = max(self.moments, 1)
        sums = weights * np.int64(self.moments + 1) - totals if self.moments else weights
        rounded = (2 * sums + moments * unit) // (2 * moments * unit)
        return np.clip(rounded, -_LARGEST, _LARGEST)


def aligned(table: NDArray[Any]) -> NDArray[Any]:
    """Return a copy whose blocks of 16 are what the computer fetches together.

    >>> aligned(np.arange(3, dtype=np.int16)).tolist()
    [0, 1, 2]
    """
    room = np.empty(table.nbytes + 64, np.uint8)
    start = -room.ctypes.data % 64
    copy = room[start : start + table.nbytes].view(table.dtype)
    copy[:] = table
    return copy


def bits_of(weights: NDArray[Any]) -> int:
    """Return how many bits the places in a table of weights have.

    >>> bits_of(np.zeros(16, np.int16))
    4
    """
    return len(weights).bit_length() - 1

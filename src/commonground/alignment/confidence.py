"""How sure the aligner is of its links, and of which ones it should be to keep them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Table

__all__ = ["best_threshold", "likely_links"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]


def likely_links(
    links: Table, believed: tuple[Floats, Floats], starts: NDArray[np.int64], target: Table
) -> Doubles:
    """Return the confidence in links: the mean of their probabilities in the two directions.

    It has as many digits as files have, so that a limit read from a file keeps the link it is of.
    """
    sentence = links.sentence_of_row()
    cell = starts[sentence] - (starts[0] if len(starts) else 0)
    cell = cell + links.numbers("source") * target.lengths[sentence] + links.numbers("target")
    likely: Doubles = (believed[0][cell].astype(np.float64) + believed[1][cell]) / 2
    return np.clip(likely, 0, 1).round(6)


def best_threshold(likely: Doubles, expected: float) -> float:
    """Return the confidence from which on links are kept so that the expected F1 is highest.

    If confidences c were probabilities, k links that are kept would have 2 Σ c / (k + E) as their
    F1, where E is the `expected` number of all links, kept or not; with sure links only, the AER is
    1 − F1. The best threshold is half of the best F1 (Lipton, Elkan & Naryanaswamy 2014).

    >>> best_threshold(np.array([0.9, 0.2, 0.8]), 2.0)
    0.8
    """
    if not len(likely):
        return 0.0
    falling = np.sort(likely)[::-1]
    kept = np.arange(1, len(falling) + 1)
    return float(falling[np.argmax(2 * np.cumsum(falling) / (kept + expected))])

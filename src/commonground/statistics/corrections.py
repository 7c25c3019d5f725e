"""Corrections of p-values for the number of tests: Bonferroni, Holm, Benjamini–Hochberg.

Of 190 pairs of equal systems, nine or ten differ at p < 0.05 by chance alone. A corrected p-value
can be compared with α as if there were one test only. With p(1) ≤ … ≤ p(m) the p-values in order:

    Bonferroni          m · p(i)                                      any error at all, crudely
    Holm                max over j ≤ i of (m − j + 1) · p(j)          any error at all
    Benjamini–Hochberg  min over j ≥ i of (m / j) · p(j)              the share of errors

each at most 1. The first two keep the probability of one or more false claims below α, whatever
the dependence between the tests, and Holm is never weaker than Bonferroni. The third keeps the
expected share of false claims among all claims below α, for tests that are independent or
positively dependent.

From: Holm (1979), A simple sequentially rejective multiple test procedure; Benjamini & Hochberg
(1995), Controlling the false discovery rate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError

__all__ = ["CORRECTIONS", "benjamini_hochberg", "bonferroni", "correct", "holm"]

P = NDArray[np.float64]


def bonferroni(p: Sequence[float] | P) -> P:
    """Return m · p for m tests, at most 1.

    >>> bonferroni([0.01, 0.5]).tolist()
    [0.02, 1.0]
    """
    values = _checked(p)
    return np.minimum(1.0, len(values) * values)


def holm(p: Sequence[float] | P) -> P:
    """Return Holm's corrected p-values, in the order of the tests.

    The smallest is multiplied by 3, the next by 2; the last would be smaller than that, and is not:

    >>> holm([0.04, 0.01, 0.03]).tolist()
    [0.06, 0.03, 0.06]
    """
    values = _checked(p)
    order = np.argsort(values, kind="stable")
    factor = np.arange(len(values), 0, -1)
    return _in_place(order, np.minimum(1.0, np.maximum.accumulate(factor * values[order])))


def benjamini_hochberg(p: Sequence[float] | P) -> P:
    """Return Benjamini and Hochberg's corrected p-values, in the order of the tests.

    >>> benjamini_hochberg([0.04, 0.01, 0.03]).tolist()
    [0.04, 0.03, 0.04]
    """
    values = _checked(p)
    order = np.argsort(values, kind="stable")[::-1]
    # 1 for the largest: m/m must not be less than 1 by a rounding.
    factor = len(values) / np.arange(len(values), 0, -1)
    return _in_place(order, np.minimum(1.0, np.minimum.accumulate(factor * values[order])))


def uncorrected(p: Sequence[float] | P) -> P:
    """Return the p-values as they are: each test is for itself."""
    return _checked(p)


CORRECTIONS: dict[str, Callable[[Sequence[float] | P], P]] = {
    "none": uncorrected,
    "bonferroni": bonferroni,
    "holm": holm,
    "bh": benjamini_hochberg,
}
"""The corrections, by the names that options have for them."""


def correct(p: Sequence[float] | P, correction: str = "holm") -> P:
    """Return corrected p-values, by the name of the correction.

    >>> correct([0.04, 0.01, 0.03], "none").tolist()
    [0.04, 0.01, 0.03]
    """
    if correction not in CORRECTIONS:
        raise UsageError(f"no correction {correction!r}; there are {', '.join(CORRECTIONS)}")
    return CORRECTIONS[correction](p)


def _checked(p: Sequence[float] | P) -> P:
    values = np.array(p, np.float64)
    if not ((values >= 0) & (values <= 1)).all():  # which is false for NaN too
        raise UsageError("a p-value is a number from 0 to 1")
    return values


def _in_place(order: NDArray[np.intp], values: P) -> P:
    ordered = np.empty(len(values))
    ordered[order] = values
    return ordered

"""The tail of the normal distribution."""

from __future__ import annotations

from math import erfc, sqrt

__all__ = ["normal_tail"]


def normal_tail(z: float) -> float:
    """Return P(Z ≥ z): erfc(z/√2) / 2, which is exact far out too, where 1 − P(Z ≤ z) is 0.

    >>> normal_tail(0), f"{normal_tail(10):.3g}"
    (0.5, '7.62e-24')
    """
    return erfc(z / sqrt(2)) / 2

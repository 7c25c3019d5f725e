"""Minimising a smooth function of many numbers: L-BFGS.

Liu & Nocedal (1989), On the limited memory BFGS method for large scale optimization. The last few
changes of place and of gradient stand for the curvature; a step is halved until the function falls
by a small part of what the slope promises (Armijo), so that the function never rises.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["minimised"]

Numbers = NDArray[np.float64]

_REMEMBERED = 10
_HALVINGS = 30


def minimised(
    function: Callable[[Numbers], tuple[float, Numbers]],
    start: Numbers,
    *,
    iterations: int = 100,
    tolerance: float = 1e-5,
    watch: Callable[[int, float], None] = lambda *_: None,
) -> tuple[Numbers, tuple[float, ...]]:
    """Return where a function is least, and its values on the way.

    The function returns its value and its gradient. It ends when the value falls by less than
    `tolerance`, relatively.

    >>> place, values = minimised(lambda x: (float((x**2).sum()), 2 * x), np.array([3.0, -1.0]))
    >>> bool(np.abs(place).max() < 1e-3), values[0]
    (True, 10.0)
    """
    place = start
    value, gradient = function(place)
    values = [value]
    memory: deque[tuple[Numbers, Numbers]] = deque(maxlen=_REMEMBERED)
    for number in range(iterations):
        watch(number, values[-1])
        direction = -_multiplied(memory, gradient)
        slope = float(direction @ gradient)
        if slope >= 0:  # nothing left to gain
            break
        step = 1.0 if memory else min(1.0, 1 / max(float(np.abs(gradient).sum()), 1e-12))
        for _ in range(_HALVINGS):
            following, after = function(place + step * direction)
            if following <= value + 1e-4 * step * slope:
                break
            step /= 2
        else:
            break
        moved, turned = step * direction, after - gradient
        if float(moved @ turned) > 1e-10:
            memory.append((moved, turned))
        place, value, gradient = place + moved, following, after
        values.append(value)
        if abs(values[-2] - value) <= tolerance * max(abs(values[-2]), 1e-12):
            break
    return place, tuple(values)


def _multiplied(memory: deque[tuple[Numbers, Numbers]], gradient: Numbers) -> Numbers:
    """Return the gradient times the inverse curvature that the memory approximates."""
    result = gradient.copy()
    shares = []
    for moved, turned in reversed(memory):
        share = float(moved @ result) / float(moved @ turned)
        result -= share * turned
        shares.append(share)
    if memory:
        moved, turned = memory[-1]
        result *= float(moved @ turned) / float(turned @ turned)
    for (moved, turned), share in zip(memory, reversed(shares), strict=True):
        result += (share - float(turned @ result) / float(moved @ turned)) * moved
    return result

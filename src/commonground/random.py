"""Random numbers that depend on the seed and on what they are for, and on nothing else.

Each test, sample and parser draws from a stream of its own, named by its purpose; what works on
large slices has a stream for each slice. However the work is cut into blocks and whatever runs
beside it, a stream gives the same numbers.
"""

from __future__ import annotations

import zlib

import numpy as np

from commonground.errors import UsageError

__all__ = ["stream"]


def stream(seed: int, purpose: str, *part: int) -> np.random.Generator:
    """Return the random numbers of a purpose, or of a part of the work on it.

    >>> one, again = (stream(7, "swaps", 2).integers(100, size=3) for _ in range(2))
    >>> bool((one == again).all())
    True
    """
    if seed < 0:
        raise UsageError(f"the seed is {seed}; 0 or more is needed")
    key = (zlib.crc32(purpose.encode()), *part)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)))

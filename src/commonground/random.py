"""Random numbers that depend on the seed and on what they are for, and on nothing else.

Each test, sample and parser draws from a stream of its own, named by its purpose; what works on
large slices has a stream for each slice. However the work is cut into blocks and whatever runs
beside it, a stream gives the same numbers.
"""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError

__all__ = ["keys_of", "stream"]


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


def keys_of(numbers: NDArray[np.integer], seed: int, purpose: str) -> NDArray[np.uint64]:
    """Return a number for each sentence, which looks like chance (SplitMix64, Steele et al. 2014).

    >>> one = keys_of(np.array([5, 6, 7]), 0, "x")
    >>> bool((one[1:] == keys_of(np.array([6, 7]), 0, "x")).all())
    True
    """
    start = np.uint64((zlib.crc32(purpose.encode()) << 32) ^ (seed & 0xFFFFFFFF))
    with np.errstate(over="ignore"):
        z = start + numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))

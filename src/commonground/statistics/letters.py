"""Groups of systems that do not differ, as letters.

A table of twenty systems has 190 pairs. A compact letter display says the same with a few letters
per system: two systems share a letter if and only if no difference between them was found. 'Does
not differ' is not transitive (A and B may not differ, B and C neither, but A and C do), so that a
system can have several letters: A ᵃ, B ᵃᵇ, C ᵇ.

From: Piepho (2004), An algorithm for a letter-based representation of all-pairwise comparisons.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from string import ascii_letters

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError

__all__ = ["groups", "letters"]


def letters(different: NDArray[np.bool_]) -> list[str]:
    """Return the letters of each system, for a symmetric matrix of the pairs that differ.

    Systems should be in order, the best first: it has the letter ``a`` then.

    >>> apart = np.zeros((3, 3), bool)
    >>> apart[0, 2] = apart[2, 0] = True
    >>> letters(apart)
    ['a', 'ab', 'b']
    """
    largest = groups(different)
    names = list(islice(_names(), len(largest)))
    return [
        "".join(name for name, group in zip(names, largest, strict=True) if system in group)
        for system in range(len(different))
    ]


def groups(different: NDArray[np.bool_]) -> list[list[int]]:
    """Return the largest groups of systems of which no two differ, those with the first ones first.

    All systems begin in one group. Each pair that differs splits every group with both of them in
    two, one without the one and one without the other (*insert*), and a group that is part of
    another is dropped (*absorb*). In the end a group whose pairs are all together in other groups
    as well is dropped too.

    >>> groups(~np.eye(2, dtype=bool)), groups(np.zeros((2, 2), bool))
    ([[0], [1]], [[0, 1]])
    """
    if not np.array_equal(different, different.T) or different.diagonal().any():
        raise UsageError("who differs from whom must be symmetric, and no system from itself")
    systems = len(different)
    together = [frozenset(range(systems))] if systems else []
    for one, other in np.argwhere(np.triu(different)).tolist():
        split = [group for group in together if one in group and other in group]
        together = [group for group in together if not (one in group and other in group)]
        for part in (group - {left} for group in split for left in (one, other)):
            if not any(part <= group for group in together):
                together = [group for group in together if not group <= part] + [part]
    return _needed(sorted(sorted(group) for group in together))


def _needed(all_groups: list[list[int]]) -> list[list[int]]:
    """Return the groups without those whose pairs are all together in other groups as well."""
    together: dict[tuple[int, int], int] = {}
    for group in all_groups:
        for pair in _pairs(group):
            together[pair] = together.get(pair, 0) + 1
    kept = []
    for group in reversed(all_groups):  # so that the best system keeps its first group
        if all(together[pair] > 1 for pair in _pairs(group)):
            for pair in _pairs(group):
                together[pair] -= 1
        else:
            kept.append(group)
    return kept[::-1]


def _pairs(group: list[int]) -> list[tuple[int, int]]:
    """Return the pairs of a group, each system with itself included."""
    return [(one, other) for one in group for other in group if one <= other]


def _names() -> Iterator[str]:
    """Return a to z, A to Z, and then a′ to Z′, a′′ and so on."""
    return (letter + "′" * primes for primes in count() for letter in ascii_letters)

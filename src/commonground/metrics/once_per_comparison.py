"""What several metrics look at is made once for each comparison."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

__all__ = ["once_per_comparison"]

Compared = TypeVar("Compared")
Made = TypeVar("Made")


def once_per_comparison(make: Callable[[Compared], Made]) -> Callable[[Compared], Made]:
    """Remember what is made of a comparison for as long as the comparison is in use."""
    made: WeakKeyDictionary[Compared, Made] = WeakKeyDictionary()

    @wraps(make)
    def remembered(comparison: Compared) -> Made:
        if comparison not in made:
            made[comparison] = make(comparison)
        return made[comparison]

    return remembered

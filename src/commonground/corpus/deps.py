"""The column DEPS: the arcs of the enhanced graph that lead to a word."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["EnhancedArc", "arcs_in"]

_ARC = re.compile(r"(0|[1-9][0-9]{0,8})(?:\.([1-9][0-9]{0,8}))?:(.+)", re.DOTALL)
"""Nine digits are more than any sentence has words, and fit into the columns of numbers."""


class EnhancedArc(NamedTuple):
    """An arc: the two parts of its head's ID (5.1 is an empty node), and its label."""

    major: int
    minor: int
    label: str


def arcs_in(text: str) -> list[EnhancedArc | None]:
    """Return the arcs of a text in DEPS, None for those that are none.

    >>> arcs_in("2:conj:and|5.1:nsubj")
    [EnhancedArc(major=2, minor=0, label='conj:and'), EnhancedArc(major=5, minor=1, label='nsubj')]
    >>> arcs_in("_"), arcs_in("nsubj")
    ([], [None])
    """
    if text == "_":
        return []
    arcs = map(_ARC.fullmatch, text.split("|"))
    return [arc and EnhancedArc(int(arc[1]), int(arc[2] or 0), arc[3]) for arc in arcs]

"""How the graph-based parsers learn, and what a treebank decides of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from commonground.corpus import Dependencies
from commonground.corpus.shape import nonprojective_arcs

__all__ = ["GraphSettings"]

_TREES = ("auto", "projective", "any")
_MANY_CROSSING = 0.01


@dataclass(frozen=True, slots=True)
class GraphSettings:
    """How a graph-based parser learns.

    `order` 2 scores neighbouring dependents, 1 only single arcs. In second order, `trees` are
    ``projective``, or ``any`` (with scores of an arc below another one), or what suits the
    treebank (``auto``): any where one arc in a hundred crosses others. `heads` is how many heads of
    a word are looked at closely, `aggressiveness` the C of MIRA, `cost` what a wrong arc is made
    better by before the best tree is looked for, `crossing` how many times as much where the right
    arc crosses others, and `margin` by how much the right label has to be ahead of others. There
    are 2^`bits` weights of arcs.
    """

    order: int = 2
    iterations: int = 8
    patience: int = 3
    heads: int = 8
    aggressiveness: float = 0.004
    cost: float = 1.0
    margin: int = 80
    bits: int = 24
    trees: str = "auto"
    crossing: float = 3.0

    def __post_init__(self) -> None:
        if self.order not in (1, 2):
            raise ValueError(f"the order is {self.order}; it can be 1 or 2")
        if not 8 <= self.bits <= 26:
            raise ValueError(f"there are {self.bits} bits; from 8 to 26 are possible")
        if self.heads < 1:
            raise ValueError(f"there are {self.heads} heads to look at; 1 is the least")
        if self.trees not in _TREES:
            raise ValueError(f"trees are {self.trees!r}; they can be {' or '.join(_TREES)}")
        if self.crossing < 1:
            raise ValueError(f"a crossing arc counts {self.crossing} times; 1 is the least")

    @property
    def kinds(self) -> int:
        """How many kinds of parts are scored: arcs, pairs, lines."""
        return 3 if self.order == 2 and self.trees == "any" else self.order

    @property
    def projective(self) -> bool:
        """Whether the trees that are learned have to be projective."""
        return self.kinds == 2

    def settled(self, corpus: Dependencies) -> Self:
        """Return the settings with the trees that suit a treebank."""
        if self.trees != "auto":
            return self
        crossing = nonprojective_arcs(corpus)
        many = len(crossing) > 0 and float(np.mean(crossing)) >= _MANY_CROSSING
        return replace(self, trees="any" if many else "projective")

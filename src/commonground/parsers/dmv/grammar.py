r"""The dependency model with valence: its parameters, and the probability of a tree.

Klein & Manning (2004), Corpus-based induction of syntactic structure. A root is drawn; then every
head draws its dependents on each side, nearest first, until it stops:

    P(tree) = P_ROOT(r) · Π_h Π_side P_STOP(h, side, some or none)
              · Π_(h → d) (1 − P_STOP(h, side, adj)) · P_ATTACH(d | h, side)

where adj is ``none`` while h has no dependent on that side, ``some`` afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError, quoted

__all__ = ["ADJACENT", "SIDES", "Grammar", "RuleCounts", "tree_probability"]

Numbers = NDArray[np.float64]

SIDES = ("left", "right")
ADJACENT = ("none", "some")
"""How many dependents a head has on a side before it stops or goes on."""


@dataclass(frozen=True)
class Grammar:
    """A model over `tags`.

    ``root[h]``, ``stop[h, side, adj]`` and ``attach[h, side, d]`` are probabilities, with sides and
    adj as in SIDES and ADJACENT; a grammar with turned parameters need not be normalised.
    """

    tags: tuple[str, ...]
    root: Numbers
    stop: Numbers
    attach: Numbers

    def __post_init__(self) -> None:
        count = len(self.tags)
        shapes = ((self.root, (count,)), (self.stop, (count, 2, 2)))
        for values, shape in (*shapes, (self.attach, (count, 2, count))):
            if values.shape != shape:
                raise ValueError(f"parameters have the shape {values.shape}, not {shape}")

    @cached_property
    def codes(self) -> dict[str, int]:
        """The number of each tag."""
        return {tag: code for code, tag in enumerate(self.tags)}

    def code(self, tag: str) -> int:
        """Return the number of a tag that the model must know."""
        if tag not in self.codes:
            raise UsageError(f"the model has no tag {quoted(tag)}; it has {' '.join(self.tags)}")
        return self.codes[tag]


@dataclass(frozen=True)
class RuleCounts:
    """How often each choice was made, or is expected to be: what a grammar is estimated from."""

    root: Numbers
    stop: Numbers
    go: Numbers
    attach: Numbers

    def __add__(self, other: RuleCounts) -> RuleCounts:
        return RuleCounts(
            self.root + other.root,
            self.stop + other.stop,
            self.go + other.go,
            self.attach + other.attach,
        )

    def grammar(self, tags: tuple[str, ...], smoothing: float = 0.0) -> Grammar:
        """Return the grammar of relative frequencies, `smoothing` added to every count.

        What was never seen at all has the same probability for every choice.

        >>> none = np.zeros((1, 2, 2))
        >>> stops, six = none + [[0, 3]] * 2, np.full((1, 2, 1), 6.0)
        >>> counts = RuleCounts(np.array([3.0]), none + 1, stops, six)
        >>> counts.grammar(("N",)).stop[0].tolist()
        [[1.0, 0.25], [1.0, 0.25]]
        """
        return Grammar(
            tags,
            _shares(self.root + smoothing),
            _shares(np.stack([self.stop, self.go], -1) + smoothing)[..., 0],
            _shares(self.attach + smoothing),
        )


def _shares(counts: Numbers) -> Numbers:
    """Return counts as shares of their sum, along the last axis."""
    total = counts.sum(axis=-1, keepdims=True)
    even = np.full(counts.shape, 1 / counts.shape[-1])
    return np.divide(counts, total, out=even, where=total > 0)


def tree_probability(grammar: Grammar, tags: list[str], heads: list[int]) -> float:
    """Return the probability of a projective tree; heads are 1 for the first word, 0 for the root.

    >>> even = Grammar(("N",), np.ones(1), np.full((1, 2, 2), 0.5), np.ones((1, 2, 1)))
    >>> tree_probability(even, ["N", "N"], [0, 1]) == 0.5**5
    True
    """
    codes = [grammar.code(tag) for tag in tags]
    probability = 1.0
    for h, code in enumerate(codes):
        if heads[h] == 0:
            probability *= float(grammar.root[code])
        near_first = (range(h - 1, -1, -1), range(h + 1, len(codes)))
        for side, places in enumerate(near_first):
            dependents = [d for d in places if heads[d] == h + 1]
            for number, d in enumerate(dependents):
                probability *= 1 - float(grammar.stop[code, side, min(number, 1)])
                probability *= float(grammar.attach[code, side, codes[d]])
            probability *= float(grammar.stop[code, side, min(len(dependents), 1)])
    return probability

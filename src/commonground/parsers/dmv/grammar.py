r"""The dependency model with valence: its parameters, and the probability of a tree.

Klein & Manning (2004), Corpus-based induction of syntactic structure. A root is drawn; then every
head draws its dependents on each side, nearest first, until it stops:

    P(tree) = P_ROOT(r) · Π_h Π_side P_STOP(h, side, v)
              · Π_(h → d) (1 − P_STOP(h, side, v)) · P_ATTACH(d | h, side, c)

where the valence v is 0 while h has no dependent on that side, 1 afterwards, and c is always 0. In
the extended model (Headden, Johnson & McClosky 2009) v and c count further: they are the number of
dependents that h has there already, up to a greatest value each.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError, quoted

__all__ = ["PLAIN", "SIDES", "Grammar", "RuleCounts", "Valences", "tree_probability", "uniform"]

Numbers = NDArray[np.float64]

SIDES = ("left", "right")


class Valences(NamedTuple):
    """How many values the valence has with which a head stops, and takes dependents."""

    stop: int
    child: int


PLAIN = Valences(2, 1)
"""The valences of Klein & Manning."""


@dataclass(frozen=True)
class Grammar:
    """A model over `tags`.

    ``root[h]``, ``stop[h, side, v]`` and ``attach[h, side, c, d]`` are probabilities, with sides as
    in SIDES and valences v and c; a grammar with turned parameters need not be normalised.
    """

    tags: tuple[str, ...]
    root: Numbers
    stop: Numbers
    attach: Numbers

    def __post_init__(self) -> None:
        count = len(self.tags)
        stop, child = self.stop.shape[-1], self.attach.shape[-2]
        shapes = ((count,), (count, 2, stop), (count, 2, child, count))
        for values, shape in zip((self.root, self.stop, self.attach), shapes, strict=True):
            if values.shape != shape:
                raise ValueError(f"parameters have the shape {values.shape}, not {shape}")

    @property
    def valences(self) -> Valences:
        """How many values both valences have."""
        return Valences(self.stop.shape[-1], self.attach.shape[-2])

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

    def grammar(
        self, tags: tuple[str, ...], smoothing: float = 0.0, backoff: float = 0.0
    ) -> Grammar:
        """Return the grammar of relative frequencies, `smoothing` added to every count.

        What was never seen at all has the same probability for every choice. A share of `backoff`
        of each probability of a dependent is its frequency below all heads: P(d | side, c).

        >>> none = np.zeros((1, 2, 2))
        >>> stops, six = none + [[0, 3]] * 2, np.full((1, 2, 1, 1), 6.0)
        >>> counts = RuleCounts(np.array([3.0]), none + 1, stops, six)
        >>> counts.grammar(("N",)).stop[0].tolist()
        [[1.0, 0.25], [1.0, 0.25]]
        """
        attach = _shares(self.attach + smoothing)
        if backoff:
            attach = (1 - backoff) * attach + backoff * _shares(self.attach.sum(0) + smoothing)
        return Grammar(
            tags,
            _shares(self.root + smoothing),
            _shares(np.stack([self.stop, self.go], -1) + smoothing)[..., 0],
            attach,
        )


def uniform(tags: tuple[str, ...], valences: Valences = PLAIN) -> Grammar:
    """Return the grammar in which all choices are equally probable."""
    count = len(tags)
    return Grammar(
        tags,
        np.ones(count) / count,
        np.full((count, 2, valences.stop), 0.5),
        np.ones((count, 2, valences.child, count)) / count,
    )


def _shares(counts: Numbers) -> Numbers:
    """Return counts as shares of their sum, along the last axis."""
    total = counts.sum(axis=-1, keepdims=True)
    even = np.full(counts.shape, 1 / counts.shape[-1])
    return np.divide(counts, total, out=even, where=total > 0)


def tree_probability(grammar: Grammar, tags: list[str], heads: list[int]) -> float:
    """Return the probability of a projective tree; heads are 1 for the first word, 0 for the root.

    >>> tree_probability(uniform(("N",)), ["N", "N"], [0, 1]) == 0.5**5
    True
    """
    codes = [grammar.code(tag) for tag in tags]
    stop, child = (valence - 1 for valence in grammar.valences)
    probability = 1.0
    for h, code in enumerate(codes):
        if heads[h] == 0:
            probability *= float(grammar.root[code])
        near_first = (range(h - 1, -1, -1), range(h + 1, len(codes)))
        for side, places in enumerate(near_first):
            dependents = [d for d in places if heads[d] == h + 1]
            for number, d in enumerate(dependents):
                probability *= 1 - float(grammar.stop[code, side, min(number, stop)])
                probability *= float(grammar.attach[code, side, min(number, child), codes[d]])
            probability *= float(grammar.stop[code, side, min(len(dependents), stop)])
    return probability

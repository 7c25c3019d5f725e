"""The parts whose scores are the score of a tree, and the search for the best tree.

    arcs     head → word
    pairs    head → word, and the dependent of the head that is next to the word, on its side
    lines    head's head → head → word

With arcs alone, the best tree of any shape is found (Chu–Liu and Edmonds), with arcs and pairs the
best projective one (Eisner; McDonald & Pereira 2006). With lines, the search starts from that tree
and gives another head to one word at a time as long as this makes the tree better, whatever arcs
cross (McDonald & Pereira 2006); the tree that it ends with is not always the best one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import load
from commonground.parsers.graph.arcs import Lines, Pairs, PossibleArcs, lines_of, pairs_of
from commonground.parsers.graph.guesses import Guesses, with_guesses

__all__ = ["PART_NAMES", "Parts", "decoded", "parts_of"]

PART_NAMES = ("arcs", "pairs", "lines")

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that trees of some sentences can have; pairs or lines may be left out."""

    arcs: PossibleArcs
    pairs: Pairs | None = None
    lines: Lines | None = None

    def kinds(self) -> list[PossibleArcs | Pairs | Lines]:
        """Return the rows of each kind that is there."""
        return [rows for rows in (self.arcs, self.pairs, self.lines) if rows is not None]

    def sentence(self, number: int) -> Parts:
        """Return the parts of one sentence."""
        return Parts(
            self.arcs.sentence(number),
            None if self.pairs is None else self.pairs.sentence(self.arcs, number),
            None if self.lines is None else self.lines.sentence(self.arcs, number),
        )

    def of_tree(self, heads: Codes) -> list[Numbers]:
        """Return the rows of the parts that the tree of one sentence has, kind by kind."""
        chosen = self.arcs.tree(heads)
        more = [rows.rows(self.arcs, chosen) for rows in (self.pairs, self.lines) if rows]
        return [chosen, *more]


def parts_of(arcs: PossibleArcs, kinds: int, guesses: Guesses | None = None) -> Parts:
    """Return the first `kinds` of parts that some arcs can make."""
    pairs = pairs_of(arcs) if kinds > 1 else None
    lines = lines_of(arcs) if kinds > 2 else None
    if guesses is not None:
        arcs, pairs = with_guesses(guesses, arcs, pairs)
    return Parts(arcs, pairs, lines)


def decoded(parts: Parts, scores: Sequence[Numbers]) -> Codes:
    """Return the heads of the best trees that are found, with the scores of each kind of part."""
    arcs, pairs, lines = parts.arcs, parts.pairs, parts.lines
    rows = arcs.words, arcs.arcs, arcs.head, arcs.word, scores[0]
    best: Codes
    if pairs is None:
        best = load("arborescence").best_trees(*rows)
        return best
    beside = *rows, pairs.before, scores[1]
    best = load("eisner").second_order(*beside)
    if lines is not None:
        best = load("reattachment").improved(beside, (lines.above, scores[2]), best)
    return best

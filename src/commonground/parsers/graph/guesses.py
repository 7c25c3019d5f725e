"""What another parser said, as features of arcs, pairs and labels (Nivre & McDonald 2008)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.parsers.atoms import atoms
from commonground.parsers.graph.arcs import Pairs, PossibleArcs
from commonground.parsers.graph.words import Words

__all__ = ["Guesses", "guesses_of", "label_guesses", "with_guesses"]

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Guesses:
    """By the rows of the words: the row of the guessed head (-1 is none), and its label."""

    head: Numbers
    label: Codes


def guesses_of(words: Words, parsed: Dependencies) -> Guesses:
    """Return the guesses in a parsed corpus."""
    base = np.repeat(words.base, words.lengths)
    rows = base + parsed.words.row_in_sentence() + 1
    head = np.full(len(words.attributes), -1, np.int64)
    head[rows] = np.where(parsed.head >= 0, base + parsed.head, -1)
    label = np.zeros(len(words.attributes), np.int32)
    label[rows] = atoms(parsed.deprel).astype(np.uint32).view(np.int32)
    return Guesses(head, label)


def with_guesses(
    guesses: Guesses, arcs: PossibleArcs, pairs: Pairs | None
) -> tuple[PossibleArcs, Pairs | None]:
    """Return arcs and pairs with the extras that tell whether another parser has them."""
    above, own = arcs.anchors[:, 0], arcs.anchors[:, 1]
    agrees = _kind(guesses, above, own)
    columns = np.stack([agrees, guesses.label[own]], axis=1).astype(np.int32)
    arcs = replace(arcs, extras=np.hstack([arcs.extras, columns]))
    if pairs is None:
        return arcs, None
    above, own, inner = pairs.anchors.T
    both = 8 * _kind(guesses, above, own) + np.where(inner > 0, 1 + _kind(guesses, above, inner), 0)
    return arcs, replace(pairs, extras=np.column_stack([pairs.extras, both]).astype(np.int32))


def label_guesses(guesses: Guesses, anchors: Codes) -> Codes:
    """Return for arcs (head, word) the guessed label, other ones where the head is another one."""
    above, own = anchors[:, 0], anchors[:, 1]
    same = guesses.head[own] == above
    return np.where(same, guesses.label[own], ~guesses.label[own]).astype(np.int32)


def _kind(guesses: Guesses, above: Codes, own: Codes) -> Numbers:
    """Return 1 where an arc is guessed, 2 where it is guessed the other way round, else 0."""
    return np.where(guesses.head[own] == above, 1, np.where(guesses.head[above] == own, 2, 0))

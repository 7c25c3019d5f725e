"""What a parser has to beat: trees that look at nothing but positions.

``right-branching``: every word heads its right neighbour, the first word is the root;
``left-branching``: its mirror image. ``random``: drawn from the uniform distribution over all
projective trees. ``nearest``: a root is drawn, and every other word hangs on its neighbour on that
side, so that all arcs are as short as can be.
"""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError, quoted
from commonground.random import stream

__all__ = ["BASELINES", "baseline_heads", "random_tree"]

Offsets = NDArray[np.int64]
Heads = NDArray[np.int32]

BASELINES = ("right-branching", "left-branching", "random", "nearest")


def baseline_heads(name: str, offsets: Offsets, seed: int = 0) -> Heads:
    """Return the heads of all words, 1 for the first word of its sentence, 0 for the root.

    >>> baseline_heads("right-branching", np.array([0, 3, 4])).tolist()
    [0, 1, 2, 0]
    >>> baseline_heads("left-branching", np.array([0, 3, 4])).tolist()
    [2, 3, 0, 0]
    """
    lengths = np.diff(offsets)
    place = np.arange(int(offsets[-1])) - np.repeat(offsets[:-1], lengths)
    if name == "right-branching":
        return place.astype(np.int32)
    if name == "left-branching":
        last = place + 1 == np.repeat(lengths, lengths)
        return np.where(last, 0, place + 2).astype(np.int32)
    if name == "nearest":
        root = stream(seed, "nearest").integers(lengths[lengths > 0])
        before = place < np.repeat(root, lengths[lengths > 0])
        at_root = place == np.repeat(root, lengths[lengths > 0])
        return np.where(at_root, 0, np.where(before, place + 2, place)).astype(np.int32)
    if name == "random":
        return _random(offsets, seed)
    raise UsageError(f"there is no baseline {quoted(name)}; there are {', '.join(BASELINES)}")


def _random(offsets: Offsets, seed: int) -> Heads:
    """Return trees drawn from all projective trees of each sentence, all equally probable.

    The root is drawn in proportion to the number of trees that it has, then its halves likewise.
    """
    heads = np.zeros(int(offsets[-1]), np.int32)
    for sentence, (first, last) in enumerate(itertools.pairwise(offsets)):
        heads[first:last] = random_tree(int(last - first), stream(seed, "random trees", sentence))
    return heads


def random_tree(n: int, random: np.random.Generator) -> list[int]:
    """Return the heads of a random projective tree of n words.

    A half of width w (a head and w words on one side) is empty, or has an outermost dependent whose
    own outer half has b words, its inner half c words, and whose head has a half of the other
    w − 1 − b − c: halves[w] = Σ halves[b] · halves[c] · halves[w − 1 − b − c].
    """
    if not n:
        return []
    halves = _halves(n)
    root = random.choice(n, p=_shares([halves[r] * halves[n - 1 - r] for r in range(n)]))
    heads = [0] * n
    todo = [(int(root), -1, int(root)), (int(root), 1, n - 1 - int(root))]
    while todo:
        head, step, width = todo.pop()
        if not width:
            continue
        splits = [(b, c) for b in range(width) for c in range(width - b)]
        weights = [halves[b] * halves[c] * halves[width - 1 - b - c] for b, c in splits]
        outer, inner = splits[int(random.choice(len(splits), p=_shares(weights)))]
        dependent = head + step * (width - outer)
        heads[dependent] = head + 1
        todo += [
            (dependent, step, outer),
            (dependent, -step, inner),
            (head, step, width - 1 - outer - inner),
        ]
    return heads


@cache
def _halves(n: int) -> list[float]:
    """Return how many halves there are of each width below n, scaled so that they stay numbers.

    The count grows by a factor that tends to 27/4, which is divided out: width w has the count
    divided by 6.75^w.

    >>> [round(h * 6.75**w) for w, h in enumerate(_halves(5))]
    [1, 1, 3, 12, 55]
    """
    counts = [1.0]
    for width in range(1, n):
        pairs = [sum(counts[b] * counts[c - b] for b in range(c + 1)) for c in range(width)]
        counts.append(sum(pairs[c] * counts[width - 1 - c] for c in range(width)) / 6.75)
    return counts


def _shares(weights: list[float]) -> NDArray[np.float64]:
    sums = np.array(weights)
    shares: NDArray[np.float64] = sums / sums.sum()
    return shares

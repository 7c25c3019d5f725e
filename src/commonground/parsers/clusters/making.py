"""Making clusters: words are exchanged between classes, then the classes are joined to a tree."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError
from commonground.kernels import load
from commonground.parsers.clusters.neighbours import Counted
from commonground.parsers.clusters.word_clusters import WordClusters

__all__ = ["PASSES", "clustered"]

PASSES = 15
"""Words are moved at most so many times."""


def clustered(
    counted: Counted,
    clusters: int,
    *,
    passes: int = PASSES,
    watch: Callable[[int], None] = lambda _: None,
) -> WordClusters:
    """Return so many clusters of words (fewer, where there are fewer words).

    In the beginning the commonest words have a cluster each, and the others follow in turn; an
    exchange that moves hardly any word is the last one.
    """
    size = len(counted.words)
    if not size:
        raise UsageError("no word is frequent enough for a cluster; there is too little text")
    clusters = min(clusters, size)
    of = np.arange(size, dtype=np.int32) % clusters
    of = np.append(of, [clusters, clusters + 1]).astype(np.int32)
    kernel = load("clustering")
    for _ in range(passes):
        new = kernel.exchanged(counted.after, counted.before, of, clusters)
        moved = int((new != of).sum())
        of = new
        watch(1)
        if 1000 * moved <= size:
            break
    used, own = np.unique(of[:-2], return_inverse=True)
    classes = np.append(own, [len(used), len(used) + 1]).astype(np.int64)
    table = _pairs(counted, classes, len(used) + 2)
    bits = tree_bits(kernel.merged(table, len(used)), len(used))
    paths = {word: bits[cluster] for word, cluster in zip(counted.words, own.tolist(), strict=True)}
    return WordClusters(paths, dict(zip(counted.words, counted.counts, strict=True)))


def _pairs(counted: Counted, of: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    starts, words, counts = counted.after
    table = np.zeros((size, size), np.int64)
    np.add.at(table, (np.repeat(of, np.diff(starts)), of[words]), counts)
    return table


def tree_bits(pairs: NDArray[np.int32], size: int) -> list[str]:
    """Return the bits of each class: which way leads to it in the tree that was made by joining.

    >>> tree_bits(np.array([[0, 2], [0, 1]]), 3)
    ['00', '1', '01']
    """
    bits = [""] * size
    for one, two in pairs[::-1].tolist():
        bits[two] = bits[one] + "1"
        bits[one] += "0"
    return bits

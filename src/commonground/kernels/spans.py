"""What the nodes of constituent trees span, which brackets two trees share, and which cross.

This is the plain twin of ``_spans.pyx``. Trees are the columns of a whole corpus, each with the
offsets of its sentences. A bracket is a stretch of words, from `start` to before `end`.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import checks

__all__ = ["crossings", "extents", "matches"]

Numbers = NDArray[np.int64]
Parents = NDArray[np.int32]
Flags = NDArray[np.bool_]
Brackets = tuple[Numbers, Numbers, Numbers]


def extents(
    word_offsets: Numbers,
    word_parent: Parents,
    times: Numbers,
    node_offsets: Numbers,
    node_parent: Parents,
) -> tuple[Numbers, Numbers, Numbers]:
    """Return for each node where its words start and end, and how many there are.

    Every word counts so many `times` (0 for a word that is left out), and words are numbered
    accordingly. A node that has no word left starts and ends at 0. Parents are counted in the
    sentence, -1 is the top; a node must stand after its parent, anything else is a ValueError.

    In (S (NP the cat) (VP sleeps)), without "the":

    >>> one = np.array([0, 3])
    >>> parents = np.array([1, 1, 2], np.int32), np.array([-1, 0, 0], np.int32)
    >>> result = extents(one, parents[0], np.array([0, 1, 1]), one, parents[1])
    >>> [column.tolist() for column in result]
    [[0, 0, 1], [2, 1, 2], [2, 1, 1]]
    """
    word_offsets, word_parent, times, node_offsets, node_parent = checked_tree(
        word_offsets, word_parent, times, node_offsets, node_parent
    )
    starts, ends, counts = np.zeros((3, len(node_parent)), np.int64)
    for sentence in range(len(word_offsets) - 1):
        words = slice(int(word_offsets[sentence]), int(word_offsets[sentence + 1]))
        nodes = slice(int(node_offsets[sentence]), int(node_offsets[sentence + 1]))
        up = node_parent[nodes].tolist()
        start, end, count = ([0] * len(up) for _ in range(3))
        place = 0
        for parent, repeat in zip(word_parent[words].tolist(), times[words].tolist(), strict=True):
            if parent >= 0 and repeat:
                start[parent] = start[parent] if count[parent] else place
                end[parent] = place + repeat
                count[parent] += repeat
            place += repeat
        for node in reversed(range(len(up))):
            parent = up[node]
            if parent >= 0 and count[node]:
                both = count[parent] > 0
                start[parent] = min(start[parent], start[node]) if both else start[node]
                end[parent] = max(end[parent], end[node])
                count[parent] += count[node]
        starts[nodes], ends[nodes], counts[nodes] = start, end, count
    return starts, ends, counts


def checked_tree(
    word_offsets: Numbers,
    word_parent: Parents,
    times: Numbers,
    node_offsets: Numbers,
    node_parent: Parents,
    often: int = 1 << 31,
) -> tuple[Numbers, Parents, Numbers, Numbers, Parents]:
    """Return the arrays of :func:`extents`, after a look at them; no word counts so `often`."""
    above, up = checks.column(word_parent, np.int32), checks.column(node_parent, np.int32)
    repeats = checks.column(times, np.int64)
    word_at, node_at = (
        checks.offsets(word_offsets, len(above)),
        checks.offsets(node_offsets, len(up)),
    )
    checks.equally_long(above, repeats)
    checks.equally_long(word_at, node_at)
    checks.within(repeats, 0, often, "a word that counts less than 0 times, or too often")
    # Small numbers, for these columns are as long as the others, and needed only here.
    small = np.int32 if max(len(above), len(up)) < 1 << 31 else np.int64
    nodes = np.repeat(np.diff(node_at).astype(small), np.diff(word_at))
    checks.within(above, -1, nodes, "a parent that is no node of its sentence")
    checks.parents_before(up, np.repeat(node_at[:-1].astype(small), np.diff(node_at)))
    return word_at, above, repeats, node_at, up


def checked_brackets(side: Brackets) -> Brackets:
    """Return the offsets of sentences and two columns, after a look at them."""
    one, two = checks.column(side[1], np.int64), checks.column(side[2], np.int64)
    checks.equally_long(one, two)
    return checks.offsets(side[0], len(one)), one, two


def matches(gold: Brackets, system: Brackets, alike: NDArray[np.bool_]) -> tuple[Flags, Flags]:
    """Tell which brackets of each side have a partner of their own on the other side.

    Each side has the offsets of its sentences and for each bracket its `place` and its `label`;
    in a sentence, places must ascend. Partners have the same place and labels that are equal, or
    that are `alike`: a square of truth values for the lowest labels. Each gold bracket in turn
    takes the first partner that is left.

    >>> one = np.array([0, 2]), np.array([3, 3]), np.array([5, 5])
    >>> two = np.array([0, 3]), np.array([3, 3, 4]), np.array([7, 5, 5])
    >>> [side.tolist() for side in matches(one, two, np.zeros((0, 0), np.bool_))]
    [[True, False], [False, True, False]]
    """
    gold, system, alike = checked_brackets(gold), checked_brackets(system), checks.square(alike)
    checks.equally_long(gold[0], system[0])
    for side in (gold, system):
        checks.ascending(side[1], side[0], "places")
        checks.within(side[2], 0, 1 << 62, "a label below 0")
    gold_found, system_found = np.zeros(len(gold[1]), np.bool_), np.zeros(len(system[1]), np.bool_)
    related = alike.tolist()
    for sentence in range(len(gold[0]) - 1):
        free: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for row in range(int(system[0][sentence]), int(system[0][sentence + 1])):
            free[int(system[1][row])].append((row, int(system[2][row])))
        for row in range(int(gold[0][sentence]), int(gold[0][sentence + 1])):
            label, there = int(gold[2][row]), free[int(gold[1][row])]
            for at, (partner, other) in enumerate(there):
                if label == other or (max(label, other) < len(related) and related[label][other]):
                    gold_found[row] = system_found[partner] = True
                    del there[at]
                    break
    return gold_found, system_found


def crossings(gold: Brackets, system: Brackets) -> Flags:
    """Tell which brackets of the system cross any bracket of the gold standard.

    Each side has the offsets of its sentences, and starts and ends.

    >>> gold = np.array([0, 2]), np.array([0, 2]), np.array([4, 4])
    >>> system = np.array([0, 3]), np.array([0, 1, 2]), np.array([4, 3, 3])
    >>> crossings(gold, system).tolist()
    [False, True, False]
    """
    gold, system = checked_brackets(gold), checked_brackets(system)
    checks.equally_long(gold[0], system[0])
    crossing = np.zeros(len(system[1]), np.bool_)
    for sentence in range(len(gold[0]) - 1):
        rows = slice(int(gold[0][sentence]), int(gold[0][sentence + 1]))
        spans = list(zip(gold[1][rows].tolist(), gold[2][rows].tolist(), strict=True))
        for row in range(int(system[0][sentence]), int(system[0][sentence + 1])):
            start, end = int(system[1][row]), int(system[2][row])
            crossing[row] = any(a < start < b < end or start < a < end < b for a, b in spans)
    return crossing

"""The nodes of function trees, counted and spelled straight from the heads of dependency trees.

This is the plain twin of ``_subtrees.pyx``. Heads are counted from 1 in their sentence, 0 is the
root, and -1 stands for no head. The subtree of a word is a node; a word with dependents is also a
node by itself, with a label of its own. A node over the whole sentence is none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import checks

__all__ = ["node_counts", "yield_texts"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Side = tuple[Any, Any]


def node_counts(
    offsets: Any, gold: Side, system: Side, head_label: int
) -> tuple[NDArray[np.int64], Flags]:
    """Count the nodes of two trees over the same words, and those that both have.

    A side is heads and labels; label 0 is none. The rows of the result are, per sentence: labelled
    nodes of the gold tree, of the other one and of both, then the same without labels. The flags
    tell which sentences were counted: those in which no heads run in a circle.

    'John loves Mary' with another label for Mary:

    >>> head = np.array([2, 0, 2], np.int32)
    >>> one, two = np.array([1, 2, 3], np.int32), np.array([1, 2, 4], np.int32)
    >>> counts, done = node_counts(np.array([0, 3]), (head, one), (head, two), 5)
    >>> counts[:, 0].tolist(), done.tolist()
    ([3, 3, 2, 3, 3, 3], [True])
    """
    offsets, gold, system = checked(offsets, gold, system, head_label)
    sentences = len(offsets) - 1
    counts = np.zeros((6, sentences), np.int64)
    done = np.zeros(sentences, np.bool_)
    for sentence in range(sentences):
        rows = slice(int(offsets[sentence]), int(offsets[sentence + 1]))
        sides = [
            _nodes(head[rows].tolist(), label[rows].tolist(), head_label)
            for head, label in (gold, system)
        ]
        one, two = sides
        if one is None or two is None:
            continue
        done[sentence] = True
        labelled = [{(node, label) for node, label in side.items() if label} for side in (one, two)]
        counts[:, sentence] = [
            len(labelled[0]),
            len(labelled[1]),
            len(labelled[0] & labelled[1]),
            len(one),
            len(two),
            len(one.keys() & two.keys()),
        ]
    return counts, done


def _nodes(head: list[int], label: list[int], head_label: int) -> dict[tuple[int, ...], int] | None:
    """Return the label of each node (its words, in order), None where there is a cycle."""
    members = _subtrees(head)
    if members is None:
        return None
    nodes = {}
    for word, subtree in enumerate(members):
        if len(subtree) < len(head):
            nodes[tuple(subtree)] = label[word]
        if len(subtree) > 1:
            nodes[word,] = head_label
    return nodes


def _subtrees(head: list[int]) -> list[list[int]] | None:
    """Return the words of each subtree, None where there is a cycle."""
    subtrees: list[list[int]] = [[] for _ in head]
    for word in range(len(head)):
        above, steps = word, 0
        while above >= 0:
            subtrees[above].append(word)
            above, steps = head[above] - 1, steps + 1
            if steps > len(head):
                return None
    return subtrees


def yield_texts(offsets: Any, heads: Any, wanted: Any) -> list[str]:
    """Return the words of some subtrees, as yields are written; those wanted are rows in order.

    >>> yield_texts(np.array([0, 4]), np.array([0, 1, 1, 2], np.int32), np.array([0, 1]))
    ['1-4', '2,4']
    """
    offsets, head, rows = checked_words(offsets, heads, wanted)
    texts: list[str] = []
    sentence = np.searchsorted(offsets, rows, side="right") - 1
    for place in dict.fromkeys(sentence.tolist()):
        start, stop = offsets[place : place + 2].tolist()
        members = _subtrees(head[start:stop].tolist())
        if members is None:
            raise ValueError("words on a cycle")
        texts += [_text(members[row - start]) for row in rows[sentence == place].tolist()]
    return texts


def _text(words: list[int]) -> str:
    parts: list[list[int]] = []
    for word in sorted(words):
        if parts and parts[-1][1] == word:
            parts[-1][1] = word + 1
        else:
            parts.append([word + 1, word + 1])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def checked(offsets: Any, gold: Side, system: Side, head_label: int) -> tuple[Numbers, Side, Side]:
    """Return the columns that the counting relies on, refuse others."""
    sides = []
    for head, label in (gold, system):
        one, two = checks.column(head, np.int32), checks.column(label, np.int32)
        checks.equally_long(one, two)
        sides.append((one, two))
    checks.equally_long(sides[0][0], sides[1][0])
    starts = checks.offsets(offsets, len(sides[0][0]))
    lengths = np.repeat(np.diff(starts), np.diff(starts))
    for head, label in sides:
        checks.within(head, -1, lengths + 1, "a head that is no word of its sentence")
        checks.within(label, 0, 1 << 31, "a label below 0")
    if head_label < 0:
        raise ValueError("a label below 0")
    return starts, sides[0], sides[1]


def checked_words(
    offsets: Any, heads: Any, wanted: Any
) -> tuple[Numbers, NDArray[np.int32], Numbers]:
    """Return the columns that the spelling relies on, refuse others."""
    head, rows = checks.column(heads, np.int32), checks.column(wanted, np.int64)
    starts = checks.offsets(offsets, len(head))
    lengths = np.repeat(np.diff(starts), np.diff(starts))
    checks.within(head, -1, lengths + 1, "a head that is no word of its sentence")
    checks.within(rows, 0, len(head), "a word that is none")
    if (rows[1:] < rows[:-1]).any():
        raise ValueError("words that are not in order")
    return starts, head, rows

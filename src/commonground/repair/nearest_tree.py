"""The nearest tree to heads that are none: as few heads as possible are changed.

Heads that lead to the root stay. Every circle needs one change and gets one: it is cut at the word
that is labelled as the root, else at its longest arc (long arcs are wrong most often), else at its
first word. Of several roots one stays: the one labelled as such, else the one with the most words
below it, else the first; the others hang on it. So the number of changes is the least possible: one
for each word without a head, for each circle, and for each root but one; without a root, one of
these changes makes one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["MISSING", "TreeDefects", "cut", "nearest_tree", "tree_defects"]

MISSING = -1
"""The head of a word that has none."""

_ROOT = "root"
_FINAL_STOP = "AuxK"
"""In the Prague treebanks the final stop hangs on the technical root, beside the predicate."""


@dataclass(frozen=True, slots=True)
class TreeDefects:
    """What keeps heads from being a tree; words are counted from 1.

    There are circles of two words or more, words that head themselves, roots where there are
    several, and there may be no root at all.
    """

    circles: tuple[tuple[int, ...], ...] = ()
    own: tuple[int, ...] = ()
    roots: tuple[int, ...] = ()
    rootless: bool = False


def tree_defects(heads: Sequence[int], labels: Sequence[str]) -> TreeDefects:
    """Return what keeps heads (0 for the root, -1 for none) from being a tree.

    >>> tree_defects([2, 1, 0, 0, 5], ["a", "b", "root", "c", "d"])
    TreeDefects(circles=((1, 2),), own=(5,), roots=(3, 4), rootless=False)
    """
    circles = _circles(heads)
    roots = [word for word, head in enumerate(heads, 1) if head == 0]
    stops = [word for word in roots if labels[word - 1] == _FINAL_STOP]
    several = roots if len(roots) - min(len(stops), len(roots) - 1) > 1 else []
    return TreeDefects(
        tuple(circle for circle in circles if len(circle) > 1),
        tuple(circle[0] for circle in circles if len(circle) == 1),
        tuple(several),
        bool(heads) and not roots and MISSING not in heads,
    )


def _circles(heads: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the words of each circle, from the first of them from head to head."""
    state = [0] * (len(heads) + 1)  # 0 not seen, else the number of the walk that came by
    state[0] = -1
    circles = []
    for start in range(1, len(heads) + 1):
        way, at = [], start
        while at > 0 and not state[at]:
            state[at] = start
            way.append(at)
            at = heads[at - 1]
        if at > 0 and state[at] == start:
            circle = way[way.index(at) :]
            first = circle.index(min(circle))
            circles.append((*circle[first:], *circle[:first]))
    return sorted(circles)


def cut(heads: Sequence[int], labels: Sequence[str]) -> list[int]:
    """Return heads without circles and with at most one root; what is cut has no head.

    >>> cut([3, 0, 1, 0], ["a", "x", "b", "root"])
    [-1, -1, 1, 0]
    """
    kept = list(heads)
    for circle in _circles(kept):
        kept[_weakest(circle, kept, labels) - 1] = MISSING
    several = tree_defects(kept, labels).roots
    if several:
        chosen = _main(several, kept, labels)
        for word in several:
            if word != chosen and labels[word - 1] != _FINAL_STOP:
                kept[word - 1] = MISSING
    return kept


def _weakest(circle: Sequence[int], heads: Sequence[int], labels: Sequence[str]) -> int:
    return max(
        circle,
        key=lambda word: (labels[word - 1] == _ROOT, abs(word - heads[word - 1]), -word),
    )


def _main(words: Sequence[int], heads: Sequence[int], labels: Sequence[str]) -> int:
    """Return the one of several tops that is most likely the root."""
    sizes = _sizes(heads)
    return max(words, key=lambda word: (labels[word - 1] == _ROOT, sizes[word], -word))


def _sizes(heads: Sequence[int]) -> list[int]:
    """Return how many words are below each word; there are no circles."""
    sizes = [1] * (len(heads) + 1)
    waiting = [0] * (len(heads) + 1)
    for head in heads:
        waiting[max(head, 0)] += 1
    ready = [word for word in range(1, len(heads) + 1) if not waiting[word]]
    while ready:
        word = ready.pop()
        head = heads[word - 1]
        if head > 0:
            sizes[head] += sizes[word]
            waiting[head] -= 1
            if not waiting[head]:
                ready.append(head)
    return sizes


def nearest_tree(heads: Sequence[int], labels: Sequence[str]) -> list[int]:
    """Return the heads of the nearest tree; a word without a head hangs on the word before it.

    Where that is below the word itself, or there is none, it hangs on the root; roots that are too
    many do so, too. Without a root, the word without a head that has the most words below it is
    one.

    >>> nearest_tree([-1, 1, -1, 3], ["_"] * 4)
    [0, 1, 2, 3]
    >>> nearest_tree([2, 1, 4, 0, -1], ["a", "b", "c", "root", "d"])
    [4, 1, 4, 0, 4]
    """
    roots = tree_defects(heads, labels).roots
    tree = cut(heads, labels)
    loose = [word for word, head in enumerate(tree, 1) if head == MISSING]
    if not loose:
        return tree
    if 0 not in tree:
        root = _main(loose, tree, labels)
        tree[root - 1] = 0
        loose.remove(root)
    root = next(
        (w for w, h in enumerate(tree, 1) if h == 0 and labels[w - 1] != _FINAL_STOP),
        tree.index(0) + 1,
    )
    top = _Tops(tree)
    for word in loose:
        before = word - 1
        head = before if before and word not in roots and top.of(before) != word else root
        tree[word - 1] = head
        top.join(word, head)
    return tree


class _Tops:
    """The words at the top of what is connected, while loose words find heads."""

    def __init__(self, heads: Sequence[int]) -> None:
        self._above = [0, *(head if head > 0 else word for word, head in enumerate(heads, 1))]

    def of(self, word: int) -> int:
        """Return the top above a word."""
        above = self._above
        top = word
        while above[top] != top:
            top = above[top]
        while above[word] != top:
            above[word], word = top, above[word]
        return top

    def join(self, word: int, head: int) -> None:
        """Put what is below a loose word under its head."""
        self._above[word] = self.of(head)

"""Make trees better by giving single words other heads, crossing arcs allowed.

This is the plain twin of ``_reattachment.pyx``. Sentences, arcs and the scores of neighbouring
dependents are given as for :func:`commonground.kernels.eisner.second_order`; besides, each arc has
a score with each arc that may stand above it. No algorithm finds the best tree with such scores
fast, so a tree is improved (McDonald & Pereira 2006): of all changes that leave it a tree with one
word under ROOT, the one that gains the most is made, until none gains anything. A change is another
head for a word or, under ROOT, another word, below which the one comes that was there. Ties go to
the arc that stands first.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from commonground.kernels.eisner import LARGEST
from commonground.kernels.eisner import checked as checked_arcs

__all__ = ["improved"]

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]
Rows = tuple[Numbers, Numbers, Codes, Codes, Numbers, Numbers, Numbers]

ROUNDS = 4
"""How many changes are made at most, for each word of a sentence."""

NO_TREE = "a start that is not a tree of the arcs"


def improved(rows: Rows, lines: tuple[Numbers, Numbers], start: Codes) -> Codes:
    """Return the heads of trees that are at least as good as those that `start` has.

    The `rows` are what :func:`commonground.kernels.eisner.second_order` is given, and `lines` two
    columns, `above` and `line`. The arc a has its scores below other arcs from ``line[above[a]]``
    on: one for each arc into its head, in their order. Arcs from ROOT have none. A sentence that
    has no tree (-1) gets none.

    The third word may hang on the first or on the second one, and is better below the first.

    >>> one = np.array([0, 3]), np.array([0, 4])
    >>> arcs = np.array([0, 1, 2, 2], np.int32), np.array([2, 3, 1, 3], np.int32)
    >>> score, before, pair = np.array([0, 2, 0, 1]), np.arange(5), np.zeros(4, np.int64)
    >>> lines = np.array([0, 0, 1, 2, 3]), np.zeros(3, np.int64)
    >>> start = np.array([2, 0, 2], np.int32)
    >>> improved((*one, *arcs, score, before, pair), lines, start).tolist()
    [2, 0, 1]
    """
    checked_arcs(*rows)
    _checked_lines(rows, lines, start)
    words, arcs, head, word, score, before, pair = rows
    above, line = lines
    heads = np.array(start, np.int32)
    for sentence in range(len(words) - 1):
        own = slice(int(words[sentence]), int(words[sentence + 1]))
        if own.stop > own.start and start[own.start] >= 0:
            part = range(int(arcs[sentence]), int(arcs[sentence + 1]))
            arc = {(int(head[a]), int(word[a])): a for a in part}
            tree = _Tree(arc, (score, before, pair, above, line), start[own].tolist())
            heads[own] = tree.improved()
    return heads


def _checked_lines(rows: Rows, lines: tuple[Numbers, Numbers], start: Codes) -> None:
    """Refuse lines that do not fit the arcs, which are in order."""
    words, arcs, head, word, *_ = rows
    above, line = lines
    offset, n = np.repeat(words[:-1], np.diff(arcs)), int(words[-1])
    ends = len(above) == len(head) + 1 and above[0] == 0 and above[-1] == len(line)
    if not ends or len(start) != n:
        raise ValueError("the columns differ in length")
    degree = np.bincount(offset + word, minlength=n + 1)
    if (np.diff(above) != np.where(head > 0, degree[offset + head], 0)).any():
        raise ValueError("lines that do not fit the arcs")
    if (np.abs(line) > LARGEST).any():
        raise ValueError("a score that is too large")


class _Tree:
    """The tree of one sentence while it becomes better."""

    def __init__(
        self, arc: dict[tuple[int, int], int], scores: tuple[Numbers, ...], start: list[int]
    ) -> None:
        self.arc, self.n = arc, len(start)
        self.score, self.before, self.pair, self.above, self.line = scores
        self.heads = [-1, *start]
        into: list[list[int]] = [[] for _ in self.heads]
        for (_, m), a in arc.items():
            into[m].append(a)
        self.rank = {a: place for one in into for place, a in enumerate(one)}
        if start.count(0) != 1 or not all(map(self._hangs, range(1, self.n + 1))):
            raise ValueError(NO_TREE)
        self.root = self.heads.index(0)

    def _hangs(self, m: int) -> bool:
        """Tell whether there is a way from ROOT to a word, along arcs that are there."""
        for _ in self.heads:
            if (self.heads[m], m) not in self.arc:
                return False
            m = self.heads[m]
            if m == 0:
                return True
        return False

    def improved(self) -> list[int]:
        """Return the heads after all changes."""
        for _ in range(ROUNDS * self.n):
            gain, changes = 0, []
            for m, h, more in self._changes():
                if more[0] > gain:
                    gain, changes = more[0], [(m, h), *more[1]]
            if not changes:
                break
            for m, h in changes:
                self.heads[m] = h
            self.root = self.heads.index(0)
        return self.heads[1:]

    def _changes(self) -> Iterator[tuple[int, int, tuple[int, list[tuple[int, int]]]]]:
        """Tell what each other head of a word gains, and which heads change with it."""
        for h, m in self.arc:
            old = self.heads[m]
            if h == old or m == self.root or (h and self._below(h, m)):
                continue
            gain = self._worth(h, m) - self._worth(old, m)
            if h:
                yield m, h, (gain, [])
                continue
            self.heads[m] = 0
            lost = self._worth(0, self.root)
            ways = [g for g, w in self.arc if w == self.root and g and self._below(g, m)]
            more = [(gain + self._worth(g, self.root) - lost, [(self.root, g)]) for g in ways]
            self.heads[m] = old
            for one in more:
                yield m, 0, one

    def _below(self, m: int, top: int) -> bool:
        """Tell whether a word is `top`, or below it."""
        while m > 0 and m != top:
            m = self.heads[m]
        return m == top

    def _worth(self, h: int, m: int) -> int:
        """Return what the arc from h to m adds to the tree, whatever head m has in it."""
        total = int(self.score[self.arc[h, m]])
        total += sum(self._line(h, m, c) for c, up in enumerate(self.heads) if up == m)
        if not h:
            return total + self._pair(0, m, 0)
        step = 1 if m > h else -1
        inner, outer = self._next(h, m, -step), self._next(h, m, step)
        total += self._line(self.heads[h], h, m) + self._pair(h, m, inner)
        if outer:
            total += self._pair(h, outer, m) - self._pair(h, outer, inner)
        return total

    def _next(self, h: int, m: int, step: int) -> int:
        """Return the nearest dependent of h from m on, on the side of m; 0 is none."""
        m += step
        while 0 < m <= self.n and m != h:
            if self.heads[m] == h:
                return m
            m += step
        return 0

    def _pair(self, h: int, m: int, s: int) -> int:
        """Return the score of m as the dependent of h after s; s = 0 is none."""
        a = self.arc[h, m]
        row = self.before[a] if not s else self.before[a + 1] - (a - self.arc[h, s])
        return int(self.pair[row])

    def _line(self, g: int, h: int, m: int) -> int:
        """Return the score of the arc from h to m below that from g to h."""
        return int(self.line[self.above[self.arc[h, m]] + self.rank[self.arc[g, h]]])

"""Inside, outside and best trees of the dependency model with valence.

This is the plain twin of ``_dmv.pyx``. A sentence is weights by position: ``root[h]`` of being the
root, ``arc[h, d]`` of taking d as a dependent, ``stop[h, side, adj]`` of having no further
dependent on a side (0 left, 1 right), where adj is 0 before the first dependent there and 1 after
it, and ``go[h, side, adj]`` of having one more. The weight of a projective tree is

    root[r] · Π_h Π_side stop[h, side, adj at the end] · Π_(h→d) go[h, side, adj] · arc[h, d]

A head and its dependents on one side are a *half*. With C(h, j) the weight of all halves of h that
reach from h to j, S(h, j) = C(h, j) · stop, G(h, j) = C(h, j) · go, and T(h, d) that of a half
whose outermost dependent d has only its inner half (Eisner & Satta 1999), for the right side

    T(h, d) = arc[h, d] · Σ_(h ≤ k < d) G(h, k) · S_left(d, k + 1)
    C(h, j) = Σ_(h < d ≤ j) T(h, d) · S(d, j),    C(h, h) = 1

and likewise for the left side; the sentence weighs Σ_r root[r] · S_left(r, 0) · S_right(r, n − 1).
All of that takes O(n³) time. The posteriors are derivatives: each weight times the derivative of
the logarithm of the sentence's weight by it, found by going through the same sums backwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["best_trees", "posteriors"]

Weights = NDArray[np.float64]
Heads = NDArray[np.int32]

LEFT, RIGHT = 0, 1


def posteriors(
    offsets: NDArray[np.int64], root: Weights, arc: Weights, stop: Weights, go: Weights
) -> tuple[Weights, Weights, Weights, Weights, Weights]:
    """Return the logarithm of each sentence's weight, and the posterior of every weight.

    `offsets` say where sentences begin in `root` (a number per word), `stop` and `go` (four per
    word: side, adj); `arc` has the squares of all sentences one after the other, heads in rows. A
    sentence that weighs nothing, or more than a number can say, has the logarithm −∞ and no
    posteriors.

    Two words, and each can be the root; "stop" has the weight ½ everywhere and "go" as well:

    >>> half = np.full(8, 0.5)
    >>> log, roots, arcs, *_ = posteriors(
    ...     np.array([0, 2]), np.array([0.3, 0.6]), np.array([0, 1.0, 1.0, 0]), half, half
    ... )
    >>> log.round(4).tolist() == [round(math.log(0.9 * 0.5**5), 4)]
    True
    >>> roots.round(4).tolist(), arcs.round(4).tolist()
    ([0.3333, 0.6667], [0.0, 0.3333, 0.6667, 0.0])
    """
    squares = checked(offsets, root, arc, stop, go)
    logs = np.full(len(offsets) - 1, -np.inf)
    expected = tuple(np.zeros(len(weights)) for weights in (root, arc, stop, go))
    for sentence in range(len(logs)):
        first, last = int(offsets[sentence]), int(offsets[sentence + 1])
        square = slice(int(squares[sentence]), int(squares[sentence + 1]))
        if first == last:
            logs[sentence] = 0.0
            continue
        words, four = slice(first, last), slice(4 * first, 4 * last)
        chart = _ValenceChart(last - first, root[words], arc[square], stop[four], go[four])
        weight = chart.inside()
        if not (0 < weight < math.inf):
            continue
        parts = chart.outside(weight)
        if not all(math.isfinite(value) for part in parts for value in part):
            continue
        logs[sentence] = math.log(weight)
        for column, at, part in zip(expected, (words, square, four, four), parts, strict=True):
            column[at] = part
    roots, arcs, stops, goes = expected
    return logs, roots, arcs, stops, goes


def best_trees(
    offsets: NDArray[np.int64], root: Weights, arc: Weights, stop: Weights, go: Weights
) -> tuple[Weights, Heads]:
    """Return the greatest sum of logarithmic weights of each sentence's trees, and their heads.

    The weights are logarithms, so that they are added; heads are 1 for the first word of the
    sentence, 0 for the root. Of several best trees, the one is taken that is found first: with the
    nearest dependents, and the leftmost root.

    >>> zero = np.zeros(8)
    >>> weights = np.array([-1.0, -2.0]), np.array([0, -0.5, -0.25, 0]), zero, zero
    >>> [result.tolist() for result in best_trees(np.array([0, 2]), *weights)]
    [[-1.5], [0, 1]]
    """
    squares = checked(offsets, root, arc, stop, go)
    scores, heads = np.zeros(len(offsets) - 1), np.zeros(len(root), np.int32)
    for sentence in range(len(scores)):
        first, last = int(offsets[sentence]), int(offsets[sentence + 1])
        square = slice(int(squares[sentence]), int(squares[sentence + 1]))
        words, four = slice(first, last), slice(4 * first, 4 * last)
        if first < last:
            best = _Best(last - first, root[words], arc[square], stop[four], go[four])
            scores[sentence], heads[words] = best.tree()
    return scores, heads


def checked(
    offsets: NDArray[np.int64], root: Weights, arc: Weights, stop: Weights, go: Weights
) -> NDArray[np.int64]:
    """Return where each sentence's square of arcs begins; refuse columns that do not fit."""
    if len(offsets) < 1 or offsets[0] != 0 or (np.diff(offsets) < 0).any():
        raise ValueError("the offsets must begin with 0 and not fall")
    if offsets[-1] != len(root):
        raise ValueError("the offsets must end with the number of words")
    if len(stop) != 4 * len(root) or len(go) != 4 * len(root):
        raise ValueError("stop and go must have four weights per word")
    squares = np.concatenate([[0], np.cumsum(np.diff(offsets) ** 2)]).astype(np.int64)
    if squares[-1] != len(arc):
        raise ValueError("there must be a weight for each pair of words of a sentence")
    if any(np.isnan(weights).any() for weights in (root, arc, stop, go)):
        raise ValueError("a weight is not a number")
    return squares


class _TagSentence:
    """The weights of one sentence, as lists."""

    def __init__(self, n: int, root: Weights, arc: Weights, stop: Weights, go: Weights) -> None:
        self.n = n
        self.root = root.tolist()
        self.arc = arc.reshape(n, n).tolist()
        self.stop = stop.reshape(n, 2, 2).tolist()
        self.go = go.reshape(n, 2, 2).tolist()


class _ValenceChart(_TagSentence):
    """The sums of one sentence, side by side: those of the left side are mirrored right ones."""

    def __init__(self, n: int, *weights: Weights) -> None:
        super().__init__(n, *weights)
        # By side, head and the other end of the half.
        self.c, self.s, self.g, self.t = (_cells(n) for _ in range(4))

    def inside(self) -> float:
        n, s = self.n, self.s
        for h in range(n):
            for side in (LEFT, RIGHT):
                self._close(side, h, h, 1.0)
        for width in range(1, n):
            for i in range(n - width):
                j = i + width
                for side, h, d, step in ((RIGHT, i, j, 1), (LEFT, j, i, -1)):
                    g, inner = self.g[side][h], s[1 - side][d]
                    self.t[side][h][d] = self.arc[h][d] * sum(
                        g[k] * inner[k + step] for k in range(h, d, step)
                    )
                for side, h, end, step in ((RIGHT, i, j, 1), (LEFT, j, i, -1)):
                    t = self.t[side][h]
                    total = sum(t[d] * s[side][d][end] for d in range(h + step, end + step, step))
                    self._close(side, h, end, total)
        return sum(self.root[r] * s[LEFT][r][0] * s[RIGHT][r][n - 1] for r in range(n))

    def _close(self, side: int, h: int, end: int, weight: float) -> None:
        adj = int(h != end)
        self.c[side][h][end] = weight
        self.s[side][h][end] = weight * self.stop[h][side][adj]
        self.g[side][h][end] = weight * self.go[h][side][adj]

    def outside(self, weight: float) -> tuple[list[float], list[float], list[float], list[float]]:
        """Return the posteriors of root, arc, stop and go."""
        n, s, g, t = self.n, self.s, self.g, self.t
        ds, dg, dt = (_cells(n) for _ in range(3))
        roots = []
        for r in range(n):
            ds[LEFT][r][0] += self.root[r] / weight * s[RIGHT][r][n - 1]
            ds[RIGHT][r][n - 1] += self.root[r] / weight * s[LEFT][r][0]
            roots.append(self.root[r] * s[LEFT][r][0] * s[RIGHT][r][n - 1] / weight)
        arcs = [[0.0] * n for _ in range(n)]
        stops, goes = ([[[0.0, 0.0], [0.0, 0.0]] for _ in range(n)] for _ in range(2))
        for width in range(n - 1, -1, -1):
            for i in range(n - width):
                j = i + width
                for side, h, end, step in ((RIGHT, i, j, 1), (LEFT, j, i, -1)):
                    adj = int(h != end)
                    stops[h][side][adj] += ds[side][h][end] * s[side][h][end]
                    goes[h][side][adj] += dg[side][h][end] * g[side][h][end]
                    dc = (
                        ds[side][h][end] * self.stop[h][side][adj]
                        + dg[side][h][end] * self.go[h][side][adj]
                    )
                    for d in range(h + step, end + step, step) if width else ():
                        dt[side][h][d] += dc * s[side][d][end]
                        ds[side][d][end] += dc * t[side][h][d]
                for side, h, d, step in ((RIGHT, i, j, 1), (LEFT, j, i, -1)) if width else ():
                    arcs[h][d] = dt[side][h][d] * t[side][h][d]
                    e = dt[side][h][d] * self.arc[h][d]
                    for k in range(h, d, step):
                        dg[side][h][k] += e * s[1 - side][d][k + step]
                        ds[1 - side][d][k + step] += e * g[side][h][k]
        return roots, _flat(arcs), _flat(_flat(stops)), _flat(_flat(goes))


def _cells(n: int) -> list[list[list[float]]]:
    return [[[0.0] * n for _ in range(n)] for _ in (LEFT, RIGHT)]


def _flat(rows: list[list[Any]]) -> list[Any]:
    return [value for row in rows for value in row]


class _Best(_TagSentence):
    """The best tree of one sentence: the same recursion with max and + instead of + and ·."""

    def __init__(self, n: int, *weights: Weights) -> None:
        super().__init__(n, *weights)
        self.c, self.t = _cells(n), _cells(n)
        self.outermost: dict[tuple[int, int, int], int] = {}
        self.split: dict[tuple[int, int, int], int] = {}

    def tree(self) -> tuple[float, list[int]]:
        n = self.n
        for width in range(1, n):
            for i in range(n - width):
                j = i + width
                for side, h, d, step in ((RIGHT, i, j, 1), (LEFT, j, i, -1)):
                    joined = ((self._meet(side, h, d, k, step), k) for k in range(h, d, step))
                    best, self.split[side, h, d] = _first_best(joined)
                    self.t[side][h][d] = best + self.arc[h][d]
                for side, h, end, step in ((RIGHT, i, j, 1), (LEFT, j, i, -1)):
                    ends = range(h + step, end + step, step)
                    halves = ((self.t[side][h][d] + self._sealed(side, d, end), d) for d in ends)
                    self.c[side][h][end], self.outermost[side, h, end] = _first_best(halves)
        whole = (
            (self.root[r] + self._sealed(LEFT, r, 0) + self._sealed(RIGHT, r, n - 1), r)
            for r in range(n)
        )
        best, root = _first_best(whole)
        return best, self._heads(root)

    def _sealed(self, side: int, h: int, end: int) -> float:
        return self.c[side][h][end] + self.stop[h][side][int(h != end)]

    def _meet(self, side: int, h: int, d: int, k: int, step: int) -> float:
        more = self.c[side][h][k] + self.go[h][side][int(h != k)]
        return more + self._sealed(1 - side, d, k + step)

    def _heads(self, root: int) -> list[int]:
        heads = [0] * self.n
        todo = [(LEFT, root, 0), (RIGHT, root, self.n - 1)]
        while todo:
            side, h, end = todo.pop()
            if h == end:
                continue
            d = self.outermost[side, h, end]
            k = self.split[side, h, d]
            heads[d] = h + 1
            todo += [(side, d, end), (side, h, k), (1 - side, d, k + (1 if side == RIGHT else -1))]
        return heads


def _first_best(weighted: Iterable[tuple[float, int]]) -> tuple[float, int]:
    """Return the greatest weight with its place; the first one where several are equal."""
    return max(weighted, key=itemgetter(0))

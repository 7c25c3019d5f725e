"""Inside, outside and best trees of the dependency model with valence.

This is the plain twin of ``_dmv.pyx``. A sentence is weights by position: ``root[h]`` of being the
root, ``arc[h, d, c]`` of taking d as a dependent, ``stop[h, side, v]`` of having no further
dependent on a side (0 left, 1 right) and ``go[h, side, v]`` of having one more. Both valences, c
and v, say how many dependents h has there already; the last one of each means "or more". In the
model of Klein & Manning, v is 0 or 1 and c is always 0. The weight of a projective tree is

    root[r] · Π_h Π_side stop[h, side, v at the end] · Π_(h→d) go[h, side, v] · arc[h, d, c]

A head and its dependents on one side are a *half*. With C_m(h, j) the weight of all halves of h
with m dependents (the greatest m: or more) that reach from h to j, S(h, j) = Σ_m C_m(h, j) · stop,
G_m(h, j) = C_m(h, j) · go, and T_m(h, d) that of a half whose outermost dependent d, the m-th, has
only its inner half (Eisner & Satta 1999), for the right side

    T_m(h, d) = Σ arc[h, d, n] · Σ_(h ≤ k < d) G_n(h, k) · S_left(d, k + 1),   n with m after it
    C_m(h, j) = Σ_(h < d ≤ j) T_m(h, d) · S(d, j),    C_0(h, h) = 1

and likewise for the left side; the sentence weighs Σ_r root[r] · S_left(r, 0) · S_right(r, n − 1).
Halves with no dependent reach from h to h and others do not, so that both share a table: table 0
has m = 0 and 1, table 1 m = 2, and so on. All of that takes O(n³) time. The posteriors are
derivatives: each weight times the derivative of the logarithm of the sentence's weight by it, found
by going through the same sums backwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["MOST_VALENCES", "best_trees", "posteriors"]

Weights = NDArray[np.float64]
Heads = NDArray[np.int32]

LEFT, RIGHT = 0, 1

MOST_VALENCES = 9
"""How many values a valence may have."""


class Growth(NamedTuple):
    """Which halves get one more dependent: of a `table` those that are `empty`, not so, or all.

    They come into the table `into`; the dependent is taken with the valence `child`.
    """

    table: int
    into: int
    child: int
    empty: bool | None = None


def growths(stops: int, children: int) -> list[Growth]:
    """Return how halves grow, with so many values of both valences; tables count from 0.

    >>> [tuple(each) for each in growths(2, 1)]
    [(0, 0, 0, None)]
    >>> [tuple(each) for each in growths(3, 3)]
    [(0, 0, 0, True), (0, 1, 1, False), (1, 1, 2, False)]
    """
    last = max(stops, children, 2) - 2
    if last == 0 and children == 1:
        return [Growth(0, into=0, child=0)]
    more = [
        Growth(table, into=min(table + 1, last), child=min(table + 1, children - 1), empty=False)
        for table in range(last + 1)
    ]
    return [Growth(0, into=0, child=0, empty=True), *more]


def posteriors(
    offsets: NDArray[np.int64], root: Weights, arc: Weights, stop: Weights, go: Weights
) -> tuple[Weights, Weights, Weights, Weights, Weights]:
    """Return the logarithm of each sentence's weight, and the posterior of every weight.

    `offsets` say where sentences begin in `root` (a number per word), `stop` and `go` (by side and
    valence, four per word if the valence has two values); `arc` has the squares of all sentences
    one after the other, heads in rows, with a number for each value of the other valence. A
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
    squares, stops, children = checked(offsets, root, arc, stop, go)
    logs = np.full(len(offsets) - 1, -np.inf)
    expected = tuple(np.zeros(len(weights)) for weights in (root, arc, stop, go))
    for sentence in range(len(logs)):
        if offsets[sentence] == offsets[sentence + 1]:
            logs[sentence] = 0.0
            continue
        places = _places(offsets, squares, sentence, stops, children)
        weights = [w[at] for w, at in zip((root, arc, stop, go), places, strict=True)]
        chart = _ValenceChart(stops, children, *weights)
        weight = chart.inside()
        if not (0 < weight < math.inf):
            continue
        parts = chart.outside(weight)
        if not all(math.isfinite(value) for part in parts for value in part):
            continue
        logs[sentence] = math.log(weight)
        for column, at, part in zip(expected, places, parts, strict=True):
            column[at] = part
    roots, arcs, ends, goes = expected
    return logs, roots, arcs, ends, goes


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
    squares, stops, children = checked(offsets, root, arc, stop, go)
    scores, heads = np.zeros(len(offsets) - 1), np.zeros(len(root), np.int32)
    for sentence in range(len(scores)):
        places = _places(offsets, squares, sentence, stops, children)
        weights = [w[at] for w, at in zip((root, arc, stop, go), places, strict=True)]
        if len(weights[0]):
            scores[sentence], heads[places[0]] = _Best(stops, children, *weights).tree()
    return scores, heads


def _places(
    offsets: NDArray[np.int64],
    squares: NDArray[np.int64],
    sentence: int,
    stops: int,
    children: int,
) -> tuple[slice, slice, slice, slice]:
    """Return where the weights of a sentence stand."""
    first, last = int(offsets[sentence]), int(offsets[sentence + 1])
    sides = slice(2 * stops * first, 2 * stops * last)
    square = slice(children * int(squares[sentence]), children * int(squares[sentence + 1]))
    return slice(first, last), square, sides, sides


def checked(
    offsets: NDArray[np.int64], root: Weights, arc: Weights, stop: Weights, go: Weights
) -> tuple[NDArray[np.int64], int, int]:
    """Return where each sentence's square of arcs begins, and how many values the valences have.

    Columns that do not fit are refused.
    """
    if len(offsets) < 1 or offsets[0] != 0 or (np.diff(offsets) < 0).any():
        raise ValueError("the offsets must begin with 0 and not fall")
    if offsets[-1] != len(root):
        raise ValueError("the offsets must end with the number of words")
    stops = len(stop) // (2 * len(root)) if len(root) else 2
    if len(stop) != 2 * stops * len(root) or len(go) != len(stop):
        raise ValueError("stop and go must have the same even number of weights per word")
    squares = np.concatenate([[0], np.cumsum(np.diff(offsets) ** 2)]).astype(np.int64)
    children = len(arc) // int(squares[-1]) if squares[-1] else 1
    if len(arc) != children * squares[-1]:
        raise ValueError("there must be as many weights for each pair of words of a sentence")
    if not (1 <= stops <= MOST_VALENCES and 1 <= children <= MOST_VALENCES):
        raise ValueError(f"valences have 1 to {MOST_VALENCES} values, not {stops} and {children}")
    if any(np.isnan(weights).any() for weights in (root, arc, stop, go)):
        raise ValueError("a weight is not a number")
    return squares, stops, children


class _TagSentence:
    """The weights of one sentence, as lists, and how its halves grow."""

    def __init__(
        self, stops: int, children: int, root: Weights, arc: Weights, stop: Weights, go: Weights
    ) -> None:
        n = self.n = len(root)
        self.most = stops - 1
        self.growths = growths(stops, children)
        self.tables = range(self.growths[-1].into + 1)
        self.root = root.tolist()
        self.arc = arc.reshape(n, n, children).tolist()
        self.stop = stop.reshape(n, 2, stops).tolist()
        self.go = go.reshape(n, 2, stops).tolist()

    def valence(self, table: int, *, empty: bool) -> int:
        """Return the valence of stopping or going on of a half in a table."""
        return 0 if empty else min(table + 1, self.most)


def _grown(growth: Growth, h: int, d: int, step: int) -> range:
    """Return the ends of the halves of h that get d as a dependent."""
    if growth.empty is None:
        return range(h, d, step)
    return range(h, h + step, step) if growth.empty else range(h + step, d, step)


class _ValenceChart(_TagSentence):
    """The sums of one sentence, side by side: those of the left side are mirrored right ones."""

    def __init__(self, stops: int, children: int, *weights: Weights) -> None:
        super().__init__(stops, children, *weights)
        # By table or growth, side, head and the other end of the half; `s` has no tables.
        n = self.n
        self.c, self.g, self.t = ([_cells(n) for _ in self.tables] for _ in range(3))
        self.grown = [_cells(n) for _ in self.growths]
        self.s = _cells(n)

    def inside(self) -> float:
        n, s = self.n, self.s
        for h in range(n):
            for side in (LEFT, RIGHT):
                self._close(0, side, h, h, 1.0)
        for width in range(1, n):
            for i in range(n - width):
                j = i + width
                for side, h, d, step in ((RIGHT, i, j, 1), (LEFT, j, i, -1)):
                    inner = s[1 - side][d]
                    for growth, grown in zip(self.growths, self.grown, strict=True):
                        g = self.g[growth.table][side][h]
                        ends = _grown(growth, h, d, step)
                        weight = self.arc[h][d][growth.child] * sum(
                            g[k] * inner[k + step] for k in ends
                        )
                        grown[side][h][d] = weight
                        self.t[growth.into][side][h][d] += weight
                for side, h, end, step in ((RIGHT, i, j, 1), (LEFT, j, i, -1)):
                    ends = range(h + step, end + step, step)
                    for table in self.tables:
                        t = self.t[table][side][h]
                        self._close(table, side, h, end, sum(t[d] * s[side][d][end] for d in ends))
        return sum(self.root[r] * s[LEFT][r][0] * s[RIGHT][r][n - 1] for r in range(n))

    def _close(self, table: int, side: int, h: int, end: int, weight: float) -> None:
        valence = self.valence(table, empty=h == end)
        self.c[table][side][h][end] = weight
        self.s[side][h][end] += weight * self.stop[h][side][valence]
        self.g[table][side][h][end] = weight * self.go[h][side][valence]

    def outside(self, weight: float) -> tuple[list[float], list[float], list[float], list[float]]:
        """Return the posteriors of root, arc, stop and go."""
        n, s = self.n, self.s
        ds = _cells(n)
        dg, dt = ([_cells(n) for _ in self.tables] for _ in range(2))
        roots: list[float] = []
        for r in range(n):
            ds[LEFT][r][0] += self.root[r] / weight * s[RIGHT][r][n - 1]
            ds[RIGHT][r][n - 1] += self.root[r] / weight * s[LEFT][r][0]
            roots.append(self.root[r] * s[LEFT][r][0] * s[RIGHT][r][n - 1] / weight)
        arcs, stops, goes = map(_zeros, (self.arc, self.stop, self.go))
        for width in range(n - 1, -1, -1):
            for i in range(n - width):
                j = i + width
                for side, h, end, step in ((RIGHT, i, j, 1), (LEFT, j, i, -1)):
                    for table in self.tables if width else range(1):
                        at = self.valence(table, empty=not width)
                        c, going = self.c[table][side][h][end], self.g[table][side][h][end]
                        more, stop, go = dg[table][side][h], self.stop[h][side], self.go[h][side]
                        stops[h][side][at] += ds[side][h][end] * (c * stop[at])
                        goes[h][side][at] += more[end] * going
                        dc = ds[side][h][end] * stop[at] + more[end] * go[at]
                        t, taken = self.t[table][side][h], dt[table][side][h]
                        for d in range(h + step, end + step, step) if width else ():
                            taken[d] += dc * s[side][d][end]
                            ds[side][d][end] += dc * t[d]
                for side, h, d, step in ((RIGHT, i, j, 1), (LEFT, j, i, -1)) if width else ():
                    for growth, grown in zip(self.growths, self.grown, strict=True):
                        outer = dt[growth.into][side][h][d]
                        arcs[h][d][growth.child] += outer * grown[side][h][d]
                        e = outer * self.arc[h][d][growth.child]
                        g, to = self.g[growth.table][side][h], dg[growth.table][side][h]
                        for k in _grown(growth, h, d, step):
                            to[k] += e * s[1 - side][d][k + step]
                            ds[1 - side][d][k + step] += e * g[k]
        return roots, _flat(_flat(arcs)), _flat(_flat(stops)), _flat(_flat(goes))


def _cells(n: int) -> list[list[list[float]]]:
    return [[[0.0] * n for _ in range(n)] for _ in (LEFT, RIGHT)]


def _zeros(like: list[list[list[float]]]) -> list[list[list[float]]]:
    return [[[0.0] * len(row) for row in rows] for rows in like]


def _flat(rows: list[list[Any]]) -> list[Any]:
    return [value for row in rows for value in row]


class _Best(_TagSentence):
    """The best tree of one sentence: the same recursion with max and + instead of + and ·."""

    def __init__(self, stops: int, children: int, *weights: Weights) -> None:
        super().__init__(stops, children, *weights)
        self.c, self.t = ([_cells(self.n) for _ in self.tables] for _ in range(2))
        self.outermost: dict[tuple[int, int, int, int], int] = {}
        self.split: dict[tuple[int, int, int, int], tuple[int, int]] = {}

    def tree(self) -> tuple[float, list[int]]:
        n = self.n
        for width in range(1, n):
            for i in range(n - width):
                j = i + width
                for side, h, d, step in ((RIGHT, i, j, 1), (LEFT, j, i, -1)):
                    self._take(side, h, d, step)
                for side, h, end, step in ((RIGHT, i, j, 1), (LEFT, j, i, -1)):
                    ends = range(h + step, end + step, step)
                    for table in self.tables:
                        t = self.t[table][side][h]
                        halves = ((t[d] + self._sealed(side, d, end)[0], d) for d in ends)
                        best, outermost = _first_best(halves, h + step)
                        self.c[table][side][h][end] = best
                        self.outermost[table, side, h, end] = outermost
        whole = (
            (self.root[r] + self._sealed(LEFT, r, 0)[0] + self._sealed(RIGHT, r, n - 1)[0], r)
            for r in range(n)
        )
        best, root = _first_best(whole, 0)
        return best, self._heads(root)

    def _take(self, side: int, h: int, d: int, step: int) -> None:
        """Find the best halves of h with d as their outermost dependent."""
        for table in self.tables:
            self.t[table][side][h][d] = -math.inf
            self.split[table, side, h, d] = table, h
        for growth in self.growths:
            joined = (
                (self._meet(growth, side, h, d, k, step), k) for k in _grown(growth, h, d, step)
            )
            best, k = _first_best(joined, h)
            best += self.arc[h][d][growth.child]
            if best > self.t[growth.into][side][h][d]:
                self.t[growth.into][side][h][d] = best
                self.split[growth.into, side, h, d] = growth.table, k

    def _sealed(self, side: int, h: int, end: int) -> tuple[float, int]:
        """Return the weight of the best half, and its table."""
        stop = self.stop[h][side]
        return _first_best(
            (
                (self.c[table][side][h][end] + stop[self.valence(table, empty=h == end)], table)
                for table in (self.tables if h != end else range(1))
            ),
            0,
        )

    def _meet(self, growth: Growth, side: int, h: int, d: int, k: int, step: int) -> float:
        go = self.go[h][side][self.valence(growth.table, empty=h == k)]
        more = self.c[growth.table][side][h][k] + go
        return more + self._sealed(1 - side, d, k + step)[0]

    def _heads(self, root: int) -> list[int]:
        heads = [0] * self.n
        todo = [self._half(LEFT, root, 0), self._half(RIGHT, root, self.n - 1)]
        while todo:
            table, side, h, end = todo.pop()
            if h == end:
                continue
            d = self.outermost[table, side, h, end]
            before, k = self.split[table, side, h, d]
            heads[d] = h + 1
            inner = k + (1 if side == RIGHT else -1)
            todo += [
                self._half(side, d, end),
                (before, side, h, k),
                self._half(1 - side, d, inner),
            ]
        return heads

    def _half(self, side: int, h: int, end: int) -> tuple[int, int, int, int]:
        return self._sealed(side, h, end)[1], side, h, end


def _first_best(weighted: Iterable[tuple[float, int]], without: int) -> tuple[float, int]:
    """Return the greatest weight with its place: the first of equal ones, −∞ if there is none."""
    return max(weighted, key=itemgetter(0), default=(-math.inf, without))

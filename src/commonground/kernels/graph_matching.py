"""Which nodes of two graphs correspond, so that as much as possible is the same: solved exactly.

This is the plain twin of ``_graph_matching.pyx``. A graph has nodes, each with a set of features
(its label, its properties, …), and a set of labelled edges. Nodes are paired one to one, or stay
alone; a pair is worth the weights of the features that both nodes have, and an edge of the first
graph its weight if its nodes are paired with those of an edge with the same label in the second.

The best pairs are found by branch and bound. The first graph's nodes are variables whose values are
nodes of the second (or none), the edges between two variables a term of both; no value is taken
twice. Two relaxations share the work, by moving weight from the terms to the values and back:

- the terms, by messages between two variables (MPLP, Globerson and Jaakkola 2007), which lose
  nothing on trees, and most graphs of meaning are nearly trees;
- the values, by an assignment (Kuhn 1955), which takes none twice.

Each round ends with a bound on what any pairs are worth, and with an assignment, which is improved
by moves and swaps as long as these help. Values that cannot be part of something better than the
best pairs so far are struck out. Where the bound does not come down to the best pairs, the values
of one variable are tried in turn. Everything is whole numbers (weights times `SCALE`), so that the
result depends neither on a machine nor on a seed; work is counted in steps, not in seconds, and if
`limit` is reached for a pair of graphs, the best pairs so far are returned with the bound.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import checks
from commonground.kernels.matching_bounds import Bounds
from commonground.kernels.matching_choices import SCALE, Graph, most, walk

__all__ = ["best_pairs", "checked"]

Numbers = NDArray[np.int64]
Codes = NDArray[np.int32]
Side = tuple[Numbers, Numbers, Codes, Numbers, Codes, Codes, Codes]
Weights = tuple[Codes, Codes]


def best_pairs(
    one: Side, two: Side, weights: Weights, limit: int = 100_000_000
) -> tuple[Codes, Numbers, Numbers, Numbers]:
    """Return the best partner of each node of the first side, and three sums for each pair.

    Each side has the offsets of its graphs among nodes; where the features of each node begin; the
    features, numbers that ascend for each node; the offsets of its graphs among edges; and of each
    edge the source, the target (both counted in the graph) and the label, a number; no edge occurs
    twice. The `weights` are those of features and of labels, by their numbers.

    A partner is counted in its graph, and -1 where there is none. The sums are what the pairs are
    worth, what no pairs can exceed, and the steps that it took.

    Two nodes with features 0 and 1 and an edge, and the same in another order:

    >>> column = lambda *numbers: np.array(numbers, np.int32)
    >>> ends, features = np.array([0, 2]), np.array([0, 1, 2])
    >>> one = ends, features, column(0, 1), np.array([0, 1]), column(0), column(1), column(0)
    >>> two = ends, features, column(1, 0), np.array([0, 1]), column(1), column(0), column(0)
    >>> partner, worth, bound, _ = best_pairs(one, two, (column(1, 1), column(1)))
    >>> partner.tolist(), worth.tolist(), bound.tolist()
    ([1, 0], [3], [3])
    """
    one, two, weights = checked(one, two, weights)
    graphs = len(one[0]) - 1
    partner = np.full(int(one[0][-1]), -1, np.int32)
    sums = np.zeros((3, graphs), np.int64)
    for graph in range(graphs):
        pair = _Search(_graph(one, graph), _graph(two, graph), weights, limit)
        start = int(one[0][graph])
        partner[start : start + len(pair.best)] = pair.best
        sums[:, graph] = pair.worth // SCALE, pair.bound // SCALE, pair.steps
    return partner, sums[0], sums[1], sums[2]


def checked(one: Side, two: Side, weights: Weights) -> tuple[Side, Side, Weights]:
    """Return both sides and the weights, after a look at them."""
    of_features, of_labels = (checks.column(each, np.int32) for each in weights)
    for each in (of_features, of_labels):
        checks.within(each, 0, 1 << 16, "a weight that is below 0, or too high")
    sides = tuple(_columns(side, len(of_features), len(of_labels)) for side in (one, two))
    if len(sides[0][0]) != len(sides[1][0]):
        raise ValueError("both sides must have equally many graphs")
    return sides[0], sides[1], (of_features, of_labels)


def _columns(side: Side, features: int, labels: int) -> Side:
    feature, source, target, label = (
        checks.column(side[place], np.int32) for place in (2, 4, 5, 6)
    )
    checks.equally_long(source, target, label)
    feature_at = checks.offsets(side[1], len(feature))
    node_at = checks.offsets(side[0], len(feature_at) - 1)
    edge_at = checks.offsets(side[3], len(source))
    if len(node_at) != len(edge_at):
        raise ValueError("offsets that do not fit each other")
    checks.within(feature, 0, features, "a feature without a weight")
    checks.within(label, 0, labels, "a label without a weight")
    checks.ascending(feature.astype(np.int64), feature_at, "features")
    nodes = np.repeat(np.diff(node_at), np.diff(edge_at))
    for end in (source, target):
        checks.within(end, 0, nodes, "an edge that leaves its graph")
    again = np.repeat(np.arange(len(feature_at) - 1), np.diff(feature_at))
    graph = np.repeat(np.arange(len(node_at) - 1), np.diff(edge_at))
    _distinct("a node has a feature", again, feature)
    _distinct("a graph has an edge", graph, source, target, label)
    return node_at, feature_at, feature, edge_at, source, target, label


def _distinct(what: str, *columns: NDArray[np.integer]) -> None:
    order = np.lexsort(columns)
    same = np.ones(max(len(order) - 1, 0), np.bool_)
    for each in columns:
        ordered = each[order]
        same &= ordered[1:] == ordered[:-1]
    if same.any():
        raise ValueError(f"{what} twice")


def _graph(side: Side, number: int) -> Graph:
    node_at, feature_at, feature, edge_at, *ends = side
    nodes = range(int(node_at[number]), int(node_at[number + 1]))
    edges = slice(int(edge_at[number]), int(edge_at[number + 1]))
    features = [feature[feature_at[node] : feature_at[node + 1]].tolist() for node in nodes]
    source, target, label = (end[edges].tolist() for end in ends)
    return Graph(features, list(zip(source, target, label, strict=True)))


class _Level(NamedTuple):
    """A place where the search branches: what was alive, the messages, a variable and its values.

    `open` has the values that are still to be tried, with bounds, the most promising one last.
    """

    alive: list[list[bool]]
    messages: list[list[list[int]]]
    row: int
    open: list[tuple[int, int]]


class _Search(Bounds):
    """The search for the best pairs of one pair of graphs."""

    def __init__(self, one: Graph, two: Graph, weights: Weights, limit: int) -> None:
        order = walk(one)
        of_features, of_labels = (each.tolist() for each in weights)
        super().__init__(one.in_order(order), two, of_features, of_labels)
        self.limit = limit
        self.bound = most(one, two, of_features, of_labels)
        if self.searchable:
            self._run()
        pairs = dict(zip(order, self.best, strict=True))
        self.best = [pairs[node] for node in range(self.rows)]

    def _run(self) -> None:
        """Search until the best pairs are proven, or the steps are used up."""
        stack: list[_Level] = []
        bound, left = min(self.bound, self.tightened()), 0
        while True:
            if self.better(bound):
                if self.steps < self.limit:
                    stack.append(self._branched(bound))
                else:
                    left = max(left, bound)
            while stack and not (stack[-1].open and self.better(stack[-1].open[-1][0])):
                stack.pop()
            if not stack or self.steps >= self.limit:
                break
            self._restore(stack[-1])
            bound, value = stack[-1].open.pop()
            self._fix(stack[-1].row, value)
            bound = min(bound, self.tightened())
        left = max([left, *(bound for level in stack for bound, _ in level.open)])
        self.bound = min(self.bound, max(self.worth, left))

    def _branched(self, bound: int) -> _Level:
        """Choose the variable with the fewest values, and put the most promising value last."""
        row, fewest = -1, 0
        for each in range(self.rows):
            alive = sum(self.alive[each])
            if alive > 1 and (row < 0 or alive < fewest):
                row, fewest = each, alive
        values = [k for k, alive in enumerate(self.alive[row]) if alive] if row >= 0 else []
        bounds = [(min(bound, self.total + self.loss(row, k)), k) for k in values]
        bounds.sort(key=lambda each: (each[0], -each[1]))
        messages = [[list(each) for each in term.messages] for term in self.terms]
        return _Level([list(each) for each in self.alive], messages, row, bounds)

    def _restore(self, level: _Level) -> None:
        self.alive = [list(each) for each in level.alive]
        for term, messages in zip(self.terms, level.messages, strict=True):
            term.messages = [list(each) for each in messages]

    def _fix(self, row: int, value: int) -> None:
        """Give a variable a value, and take it from all others."""
        node = self.values[row][value]
        for each, values in enumerate(self.values):
            for k, other in enumerate(values):
                if (k != value) if each == row else (other == node and node >= 0):
                    self.alive[each][k] = False

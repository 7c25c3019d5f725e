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

from collections import Counter
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import checks

__all__ = ["best_pairs", "checked"]

Numbers = NDArray[np.int64]
Codes = NDArray[np.int32]
Side = tuple[Numbers, Numbers, Codes, Numbers, Codes, Codes, Codes]
Weights = tuple[Codes, Codes]

SCALE = 1 << 12
"""What weights are multiplied by, so that parts of them can be moved."""

NONE, LEAST = -(1 << 58), -(1 << 44)
"""The worth of what is impossible, and the least that a message says."""

LARGEST = 1 << 22
"""Graphs with more pairs of nodes, or of edges with the same label, are not searched."""

ROUNDS, PATIENCE = 60, 4
"""How many rounds one step of the search has at most, and how many without an improvement."""


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


class _Graph:
    """One graph: the features of its nodes, and its edges (source, target, label)."""

    def __init__(self, features: list[list[int]], edges: list[tuple[int, int, int]]) -> None:
        self.features, self.edges = features, edges

    def in_order(self, order: list[int]) -> _Graph:
        """Return the graph with its nodes in another order."""
        place = {node: row for row, node in enumerate(order)}
        edges = [(place[source], place[target], label) for source, target, label in self.edges]
        return _Graph([self.features[node] for node in order], edges)


def _graph(side: Side, number: int) -> _Graph:
    node_at, feature_at, feature, edge_at, *ends = side
    nodes = range(int(node_at[number]), int(node_at[number + 1]))
    edges = slice(int(edge_at[number]), int(edge_at[number + 1]))
    features = [feature[feature_at[node] : feature_at[node + 1]].tolist() for node in nodes]
    source, target, label = (end[edges].tolist() for end in ends)
    return _Graph(features, list(zip(source, target, label, strict=True)))


def _walk(graph: _Graph) -> list[int]:
    """Return the nodes depth first from those with the most edges on, so that messages flow."""
    neighbours: list[set[int]] = [set() for _ in graph.features]
    for source, target, _ in graph.edges:
        neighbours[source].add(target)
        neighbours[target].add(source)
    order: list[int] = []
    seen = [False] * len(neighbours)
    for start in sorted(range(len(neighbours)), key=lambda node: (-len(neighbours[node]), node)):
        stack = [start]
        while stack:
            node = stack.pop()
            if not seen[node]:
                seen[node] = True
                order.append(node)
                stack.extend(sorted(neighbours[node], reverse=True))
    return order


class _Term:
    """The edges between two variables, of which the first is the earlier one.

    `entries` say what values of both are worth together, where anything: (value of the first, value
    of the second, worth), values being numbers among those of the variable. `same` is the number of
    the same node among the other's values, -1 where it is none of them. The `messages` say what of
    the term's worth is given to the values of each variable.
    """

    def __init__(
        self, rows: tuple[int, int], entries: list[tuple[int, int, int]], same: list[list[int]]
    ) -> None:
        self.rows, self.entries, self.same = rows, entries, same
        self.messages = [[0] * len(each) for each in same]
        self.table = {(k, other): worth for k, other, worth in entries}

    def together(self, chosen: list[int]) -> int:
        """Return what the chosen values are worth together."""
        return self.table.get((chosen[self.rows[0]], chosen[self.rows[1]]), 0)

    def passed(self, side: int, given: list[int]) -> list[int]:
        """Return for each value of the other variable the best of what is `given` and the term.

        Two values that are the same node cannot be had together.
        """
        first = second = NONE
        where = -2
        for k, each in enumerate(given):
            if each > first:
                first, second, where = each, first, k
            elif each > second:
                second = each
        results = [second if k == where else first for k in self.same[1 - side]]
        for entry in self.entries:
            k, other, worth = entry[side], entry[1 - side], entry[2]
            results[other] = max(results[other], given[k] + worth)
        return results


class _Level(NamedTuple):
    """A place where the search branches: what was alive, the messages, a variable and its values.

    `open` has the values that are still to be tried, with bounds, the most promising one last.
    """

    alive: list[list[bool]]
    messages: list[list[list[int]]]
    row: int
    open: list[tuple[int, int]]


class _Search:
    """The search for the best pairs of one pair of graphs."""

    def __init__(self, one: _Graph, two: _Graph, weights: Weights, limit: int) -> None:
        self.rows, self.columns, self.limit = len(one.features), len(two.features), limit
        self.worth = self.steps = self.total = self.value = 0
        self.price = [0] * self.columns
        self.level, self.chosen, self.last = [0] * self.rows, [-1] * self.rows, [-1] * self.rows
        self.tables: list[list[int]] = []
        order = _walk(one)
        pairs = [-1] * self.rows
        of_features, of_labels = (each.tolist() for each in weights)
        self.bound = _most(one, two, of_features, of_labels)
        if self._candidates(one.in_order(order), two, of_features, of_labels):
            self.best = [-1] * self.rows
            self._run()
            for row, node in enumerate(order):
                pairs[node] = self.best[row]
        self.best = pairs

    # ── what there is to choose from ─────────────────────────────────────────────────────────────

    def _candidates(
        self, one: _Graph, two: _Graph, of_features: list[int], of_labels: list[int]
    ) -> bool:
        """List the values of each variable and what they are worth; False if these are too many."""
        by_label: dict[int, list[tuple[int, int]]] = {}
        for source, target, label in two.edges:
            by_label.setdefault(label, []).append((source, target))
        pairs = sum(len(by_label.get(label, ())) for _, _, label in one.edges)
        if self.rows * self.columns > LARGEST or pairs > LARGEST:
            return False
        worth = [
            {
                node: sum(of_features[each] for each in features & set(others)) * SCALE
                for node, others in enumerate(two.features)
                if not features.isdisjoint(others)
            }
            for features in map(set, one.features)
        ]
        tables: dict[tuple[int, int], dict[tuple[int, int], int]] = {}
        for source, target, label in one.edges:
            weight = of_labels[label] * SCALE
            for a, b in by_label.get(label, ()):
                if (source == target) != (a == b):
                    continue
                worth[source].setdefault(a, 0)
                worth[target].setdefault(b, 0)
                if source == target:
                    worth[source][a] += weight
                    continue
                down = source < target
                table = tables.setdefault((source, target) if down else (target, source), {})
                values = (a, b) if down else (b, a)
                table[values] = table.get(values, 0) + weight
        self.values = [[*sorted(each), -1] for each in worth]
        self.own = [[*(each[value] for value in sorted(each)), 0] for each in worth]
        self.alive = [[True] * len(values) for values in self.values]
        self._terms(tables)
        return True

    def _terms(self, tables: dict[tuple[int, int], dict[tuple[int, int], int]]) -> None:
        self.number = [{value: k for k, value in enumerate(values[:-1])} for values in self.values]
        self.terms: list[_Term] = []
        for (one, two), table in sorted(tables.items()):
            first, second = self.number[one], self.number[two]
            entries = [(first[a], second[b], weight) for (a, b), weight in sorted(table.items())]
            same = [
                [second.get(value, -1) for value in self.values[one]],
                [first.get(value, -1) for value in self.values[two]],
            ]
            self.terms.append(_Term((one, two), entries, same))
        self.at: list[list[tuple[_Term, int]]] = [[] for _ in range(self.rows)]
        for term in self.terms:
            for side, row in enumerate(term.rows):
                self.at[row].append((term, side))
        self.work = sum(len(values) for values in self.values) + sum(
            len(term.entries) + sum(len(self.values[row]) for row in term.rows)
            for term in self.terms
        )

    # ── branch and bound ─────────────────────────────────────────────────────────────────────────

    def _run(self) -> None:
        """Search until the best pairs are proven, or the steps are used up."""
        stack: list[_Level] = []
        bound, left = min(self.bound, self._tightened()), 0
        while True:
            if self._better(bound):
                if self.steps < self.limit:
                    stack.append(self._branched(bound))
                else:
                    left = max(left, bound)
            while stack and not (stack[-1].open and self._better(stack[-1].open[-1][0])):
                stack.pop()
            if not stack or self.steps >= self.limit:
                break
            self._restore(stack[-1])
            bound, value = stack[-1].open.pop()
            self._fix(stack[-1].row, value)
            bound = min(bound, self._tightened())
        left = max([left, *(bound for level in stack for bound, _ in level.open)])
        self.bound = min(self.bound, max(self.worth, left))

    def _better(self, bound: int) -> bool:
        return bound // SCALE > self.worth // SCALE

    def _branched(self, bound: int) -> _Level:
        """Choose the variable with the fewest values, and put the most promising value last."""
        row, fewest = -1, 0
        for each in range(self.rows):
            alive = sum(self.alive[each])
            if alive > 1 and (row < 0 or alive < fewest):
                row, fewest = each, alive
        values = [k for k, alive in enumerate(self.alive[row]) if alive] if row >= 0 else []
        bounds = [(min(bound, self.total + self._loss(row, k)), k) for k in values]
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

    # ── bounds ───────────────────────────────────────────────────────────────────────────────────

    def _tightened(self) -> int:
        """Bring the bound down as far as it goes; note better pairs, strike out hopeless values."""
        bound, waiting = -NONE, 0
        for _ in range(ROUNDS):
            self.steps += self.work
            if not all(map(any, self.alive)):
                return NONE
            for term in self.terms:
                self._balance(term, 0)
            for term in reversed(self.terms):
                self._balance(term, 1)
            if not self._assign():
                return NONE
            self.total = self.value
            for term in self.terms:
                self.total += self._top(term)
                if self.total < LEAST:
                    return NONE
            self._improve()
            waiting = waiting + 1 if self.total > bound - SCALE // 16 else 0
            bound = min(bound, self.total)
            if not self._better(bound) or waiting == PATIENCE:
                break
            self._strike()
        return bound

    def _worths(self, row: int) -> list[int]:
        """Return what the values of a variable are worth with all messages; those dead, NONE."""
        sums = list(self.own[row])
        for term, side in self.at[row]:
            sums = [a + b for a, b in zip(sums, term.messages[side], strict=True)]
        return [each if alive else NONE for each, alive in zip(sums, self.alive[row], strict=True)]

    def _balance(self, term: _Term, side: int) -> None:
        """Share evenly between two variables what their values and the term are worth.

        One gets half of it, the other what is left, and the first what that leaves.
        """
        rest = []
        for at, row in enumerate(term.rows):
            columns = zip(self._worths(row), term.messages[at], self.values[row], strict=True)
            rest.append(
                [
                    NONE if worth == NONE else worth - message - self._price(value)
                    for worth, message, value in columns
                ]
            )
        given = term.passed(1 - side, rest[1 - side])
        half = [
            NONE if own == NONE else (own - other) // 2
            for own, other in zip(rest[side], given, strict=True)
        ]
        left = [max(each, LEAST) for each in term.passed(side, half)]
        taken = [
            -each if alive else NONE
            for each, alive in zip(left, self.alive[term.rows[1 - side]], strict=True)
        ]
        term.messages[1 - side] = left
        term.messages[side] = [max(each, LEAST) for each in term.passed(1 - side, taken)]

    def _top(self, term: _Term) -> int:
        """Return the highest worth of two values of a term beyond what its messages say."""
        given = [
            -each if alive else NONE
            for each, alive in zip(term.messages[0], self.alive[term.rows[0]], strict=True)
        ]
        rest = zip(term.passed(0, given), term.messages[1], self.alive[term.rows[1]], strict=True)
        return max(each - message for each, message, alive in rest if alive)

    def _price(self, value: int) -> int:
        return self.price[value] if value >= 0 else 0

    def _assign(self) -> bool:
        """Give each variable a value so that their worths are highest and no node is taken twice.

        From each variable in turn the shortest path leads to a node that is free. The prices of
        nodes and the `level` of each variable are the dual solution: no value is worth more than
        both together. False if there is no such assignment.
        """
        self.price = [0] * self.columns
        self.chosen = [-1] * self.rows
        self.tables = [self._worths(row) for row in range(self.rows)]
        owner = [-1] * self.columns
        for start in range(self.rows):
            if not self._augment(start, owner):
                return False
        self.value = sum(self.level) + sum(self.price)
        return True

    def _augment(self, start: int, owner: list[int]) -> bool:  # noqa: C901, PLR0912  # one walk
        distance, reached, done = [-NONE] * self.columns, [(-1, -1)] * self.columns, []
        tree, end = [(start, 0)], (-NONE, -1, -1)
        row, so_far = start, 0
        self.level[start] = max(
            worth - self._price(value)
            for worth, value in zip(self.tables[start], self.values[start], strict=True)
        )
        while True:
            for k, (worth, value) in enumerate(
                zip(self.tables[row], self.values[row], strict=True)
            ):
                if worth == NONE:
                    continue
                cost = so_far + self.level[row] + self._price(value) - worth
                if value < 0:
                    end = min(end, (cost, row, k), key=lambda each: each[0])
                elif value not in done and cost < distance[value]:
                    distance[value], reached[value] = cost, (row, k)
            node, nearest = -1, -NONE
            for value, length in enumerate(distance):
                if length < nearest and value not in done:
                    node, nearest = value, length
            if node < 0 or end[0] <= nearest:
                break
            if owner[node] < 0:
                end = nearest, *reached[node]
                break
            done.append(node)
            row, so_far = owner[node], nearest
            tree.append((row, so_far))
        length, row, k = end
        if row < 0:
            return False
        for each, so_far in tree:
            self.level[each] -= length - so_far
        for node in done:
            self.price[node] += length - distance[node]
        while True:
            before, self.chosen[row] = self.chosen[row], k
            if self.values[row][k] >= 0:
                owner[self.values[row][k]] = row
            if row == start:
                return True
            row, k = reached[self.values[row][before]]

    def _loss(self, row: int, k: int) -> int:
        """Return what has to be added to the bound if a variable gets a value: nothing, or less."""
        return self.tables[row][k] - self.level[row] - self._price(self.values[row][k])

    def _strike(self) -> None:
        """Strike out values with which nothing better than the best pairs can be reached."""
        for row, alive in enumerate(self.alive):
            for k, each in enumerate(alive):
                if each and not self._better(self.total + self._loss(row, k)):
                    alive[k] = False

    # ── pairs ────────────────────────────────────────────────────────────────────────────────────

    def _improve(self) -> None:
        """Improve the assignment by moves and swaps as long as any helps; keep it if it is best."""
        if self.chosen == self.last:
            return
        self.last = list(self.chosen)
        chosen, owner = list(self.chosen), [-1] * self.columns
        for row, k in enumerate(chosen):
            if self.values[row][k] >= 0:
                owner[self.values[row][k]] = row
        helped = True
        while helped:
            helped = False
            for row in range(self.rows):
                gain, choice = 0, -1
                for k in range(len(self.values[row])):
                    more = self._gain(chosen, owner, row, k) if k != chosen[row] else 0
                    if more > gain:
                        gain, choice = more, k
                if choice >= 0:
                    helped = True
                    self._move(chosen, owner, row, choice)
        worth = sum(own[k] for own, k in zip(self.own, chosen, strict=True))
        worth += sum(term.together(chosen) for term in self.terms)
        if worth > self.worth:
            self.worth = worth
            self.best = [values[k] for values, k in zip(self.values, chosen, strict=True)]

    def _gain(self, chosen: list[int], owner: list[int], row: int, k: int) -> int:
        """Return what is gained if a variable gets a value, and its owner, if any, the old one."""
        value, old = self.values[row][k], chosen[row]
        other = owner[value] if value >= 0 else -1
        before = self._around(chosen, row, other)
        kept = chosen[other] if other >= 0 else -1
        chosen[row] = k
        if other >= 0:
            chosen[other] = self._number(other, self.values[row][old])
        after = self._around(chosen, row, other)
        chosen[row] = old
        if other >= 0:
            chosen[other] = kept
        return after - before

    def _move(self, chosen: list[int], owner: list[int], row: int, k: int) -> None:
        old, value = self.values[row][chosen[row]], self.values[row][k]
        other = owner[value] if value >= 0 else -1
        chosen[row] = k
        if old >= 0:
            owner[old] = -1
        if other >= 0:
            chosen[other] = self._number(other, old)
            if self.values[other][chosen[other]] >= 0:
                owner[old] = other
        if value >= 0:
            owner[value] = row

    def _number(self, row: int, value: int) -> int:
        """Return the number of a node among the values of a variable, else the last one."""
        return self.number[row].get(value, len(self.values[row]) - 1)

    def _around(self, chosen: list[int], row: int, other: int) -> int:
        """Return what one or two variables are worth with all their terms."""
        worth = self.own[row][chosen[row]]
        worth += sum(term.together(chosen) for term, _ in self.at[row])
        if other >= 0:
            worth += self.own[other][chosen[other]]
            worth += sum(
                term.together(chosen) for term, _ in self.at[other] if row not in term.rows
            )
        return worth


def _most(one: _Graph, two: _Graph, of_features: list[int], of_labels: list[int]) -> int:
    """Return a bound that needs no search: what both have of each feature and of each label."""
    features, others = (Counter(chain.from_iterable(graph.features)) for graph in (one, two))
    labels, other_labels = (Counter(label for _, _, label in graph.edges) for graph in (one, two))
    most = sum(of_features[code] * count for code, count in (features & others).items())
    most += sum(of_labels[code] * count for code, count in (labels & other_labels).items())
    return most * SCALE

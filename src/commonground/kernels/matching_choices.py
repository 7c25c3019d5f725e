"""What there is to choose from when the nodes of two graphs are paired.

The first graph's nodes are variables whose values are nodes of the second (or none), the edges
between two variables a term of both. The compiled twin is ``matching_choices.pxd``.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain

__all__ = ["LARGEST", "LEAST", "NONE", "SCALE", "Choices", "Graph", "Term", "most", "walk"]

SCALE = 1 << 12
"""What weights are multiplied by, so that parts of them can be moved."""

NONE, LEAST = -(1 << 58), -(1 << 44)
"""The worth of what is impossible, and the least that a message says."""

LARGEST = 1 << 22
"""Graphs with more pairs of nodes, or of edges with the same label, are not searched."""


class Graph:
    """One graph: the features of its nodes, and its edges (source, target, label)."""

    def __init__(self, features: list[list[int]], edges: list[tuple[int, int, int]]) -> None:
        self.features, self.edges = features, edges

    def in_order(self, order: list[int]) -> Graph:
        """Return the graph with its nodes in another order."""
        place = {node: row for row, node in enumerate(order)}
        edges = [(place[source], place[target], label) for source, target, label in self.edges]
        return Graph([self.features[node] for node in order], edges)


def walk(graph: Graph) -> list[int]:
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


class Term:
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


class Choices:
    """The variables, their values, and what these are worth alone and in pairs.

    `values` has the nodes that each variable can be, the last one -1 (none); `own` what each of
    them is worth; `alive` which can still be chosen; `number` the numbers of nodes among the
    values. Where there is too much to be searched, `searchable` is False, and there is no more.
    """

    def __init__(
        self, one: Graph, two: Graph, of_features: list[int], of_labels: list[int]
    ) -> None:
        self.rows, self.columns = len(one.features), len(two.features)
        self.searchable = self._candidates(one, two, of_features, of_labels)

    def _candidates(
        self, one: Graph, two: Graph, of_features: list[int], of_labels: list[int]
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
        self.terms: list[Term] = []
        for (one, two), table in sorted(tables.items()):
            first, second = self.number[one], self.number[two]
            entries = [(first[a], second[b], weight) for (a, b), weight in sorted(table.items())]
            same = [
                [second.get(value, -1) for value in self.values[one]],
                [first.get(value, -1) for value in self.values[two]],
            ]
            self.terms.append(Term((one, two), entries, same))
        self.at: list[list[tuple[Term, int]]] = [[] for _ in range(self.rows)]
        for term in self.terms:
            for side, row in enumerate(term.rows):
                self.at[row].append((term, side))
        self.work = sum(len(values) for values in self.values) + sum(
            len(term.entries) + sum(len(self.values[row]) for row in term.rows)
            for term in self.terms
        )


def most(one: Graph, two: Graph, of_features: list[int], of_labels: list[int]) -> int:
    """Return a bound that needs no search: what both have of each feature and of each label."""
    features, others = (Counter(chain.from_iterable(graph.features)) for graph in (one, two))
    labels, other_labels = (Counter(label for _, _, label in graph.edges) for graph in (one, two))
    most = sum(of_features[code] * count for code, count in (features & others).items())
    most += sum(of_labels[code] * count for code, count in (labels & other_labels).items())
    return most * SCALE

"""How much any pairs of nodes can be worth: messages between variables, and an assignment.

The compiled twin is ``matching_bounds.pxd``.
"""

from __future__ import annotations

from commonground.kernels.matching_choices import LEAST, NONE, SCALE, Graph, Term
from commonground.kernels.matching_pairs import Pairs

__all__ = ["Bounds"]

ROUNDS, PATIENCE = 60, 4
"""How many rounds one step of the search has at most, and how many without an improvement."""


class Bounds(Pairs):
    """A bound that is brought down in rounds, each of which also improves the pairs.

    `total` is the bound of the last round; `steps` counts the work.
    """

    def __init__(
        self, one: Graph, two: Graph, of_features: list[int], of_labels: list[int]
    ) -> None:
        super().__init__(one, two, of_features, of_labels)
        self.steps = self.total = self.value = 0
        self.price, self.level = [0] * self.columns, [0] * self.rows
        self.tables: list[list[int]] = []

    def tightened(self) -> int:
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
            self.improve()
            waiting = waiting + 1 if self.total > bound - SCALE // 16 else 0
            bound = min(bound, self.total)
            if not self.better(bound) or waiting == PATIENCE:
                break
            self._strike()
        return bound

    def _worths(self, row: int) -> list[int]:
        """Return what the values of a variable are worth with all messages; those dead, NONE."""
        sums = list(self.own[row])
        for term, side in self.at[row]:
            sums = [a + b for a, b in zip(sums, term.messages[side], strict=True)]
        return [each if alive else NONE for each, alive in zip(sums, self.alive[row], strict=True)]

    def _balance(self, term: Term, side: int) -> None:
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

    def _top(self, term: Term) -> int:
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

    def loss(self, row: int, k: int) -> int:
        """Return what has to be added to the bound if a variable gets a value: nothing, or less."""
        return self.tables[row][k] - self.level[row] - self._price(self.values[row][k])

    def _strike(self) -> None:
        """Strike out values with which nothing better than the best pairs can be reached."""
        for row, alive in enumerate(self.alive):
            for k, each in enumerate(alive):
                if each and not self.better(self.total + self.loss(row, k)):
                    alive[k] = False

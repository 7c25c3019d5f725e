"""Pairs of nodes that are improved by moves and swaps.

The compiled twin is ``matching_pairs.pxd``.
"""

from __future__ import annotations

from commonground.kernels.matching_choices import SCALE, Choices, Graph

__all__ = ["Pairs"]


class Pairs(Choices):
    """The best pairs so far: the node of each variable, and what they are worth."""

    def __init__(
        self, one: Graph, two: Graph, of_features: list[int], of_labels: list[int]
    ) -> None:
        super().__init__(one, two, of_features, of_labels)
        self.worth = 0
        self.best, self.chosen, self.last = ([-1] * self.rows for _ in range(3))

    def better(self, bound: int) -> bool:
        """Tell whether a bound leaves room for something better."""
        return bound // SCALE > self.worth // SCALE

    def improve(self) -> None:
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

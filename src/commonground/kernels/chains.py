"""The best classes for chains of rows: the plain twin of ``_chains.pyx``.

A row (a character, a token, a form) has fields, as the words of a tagger do, and a menu of classes
that it can have. Templates are lists of (offset, field) pairs, the field of the row so many places
further on, but never beyond the stretch that its chain may look at. The score of a chain of classes
is that of a linear model,

    Σᵢ w(features of row i, class i) + Σᵢ w(class i-1, class i),

and the best one is found with Viterbi's algorithm; a chain of one row is a plain choice. Learning
is the structured perceptron (Collins 2002), averaged, in integers: each wrong class gets `margin`
in advance, and where the best chain is still another than the right one, the weights of both are
changed at the rows where they differ.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.kernels.perceptron import Frozen, Weights, WeightTable, checked_weights, combined

__all__ = ["ChainDecoder", "ChainLearner", "checked_chains", "checked_gold", "checked_templates"]

Fields = NDArray[np.uint64]
Numbers = NDArray[np.int32]
Places = NDArray[np.int64]
Templates = tuple[Numbers, Numbers, Numbers, NDArray[np.uint64]]
Menus = tuple[Places, Numbers]
"""Where the classes of each menu begin in a list, and the list."""

_REACH = 16
"""Templates look at most so many rows away."""

_BEYOND = 0xD1B54A32D192ED03
"""The number of every field beyond the ends of the stretch."""

_PAIR = 0x8CB92BA72F3D8DD7
"""The feature of a class is this number combined with that of the class before."""

MOST_FOLLOWED = 32
"""With more classes, chains have one row."""

LONGEST = 1 << 20

_FORBIDDEN = -(1 << 40)
"""What a pair of classes costs that cannot follow each other; where none can, one does."""


class _Chains:
    """Templates over rows, how many classes there are, and which can follow which."""

    def __init__(self, classes: int, templates: Templates, follows: NDArray[np.bool_]) -> None:
        checked_templates(classes, templates, follows)
        self.classes = classes
        self.atoms, self.starts, self.parts, self.seeds = (each.tolist() for each in templates)
        self.follows = follows.tolist()

    def features(self, fields: Fields, place: int, low: int, high: int) -> list[int]:
        """Return the features of a row; it sees the rows from `low` to before `high`."""

        def number(offset: int, field: int) -> int:
            at = place + offset
            return int(fields[at, field]) if low <= at < high else _BEYOND

        numbers = [number(offset, field) for offset, field in self.atoms]
        hashes = []
        for template, seed in enumerate(self.seeds):
            hashed = seed
            for part in self.parts[self.starts[template] : self.starts[template + 1]]:
                hashed = combined(hashed, numbers[part])
            hashes.append(hashed or 1)
        return hashes

    def pairs(self, table: WeightTable | Frozen) -> list[list[int]]:
        """Return what it adds that a class (column) follows another one (row)."""
        return [
            [
                score + (0 if may else _FORBIDDEN)
                for score, may in zip(
                    table.scores([_pair(before)], self.classes), allowed, strict=True
                )
            ]
            for before, allowed in enumerate(self.follows)
        ]


def _pair(before: int) -> int:
    return combined(_PAIR, before + 1) or 1


def _best(
    scores: list[list[int]], menus: list[list[int]], pairs: list[list[int]]
) -> tuple[list[int], int]:
    """Return the best chain of classes, and its score; of equal ones the earliest of the menus."""
    best, back = [scores[0]], [[0] * len(scores[0])]
    for row in range(1, len(scores)):
        points, totals = [], []
        for place, option in enumerate(menus[row]):
            ways = [
                total + pairs[before][option]
                for before, total in zip(menus[row - 1], best[-1], strict=True)
            ]
            points.append(ways.index(max(ways)))
            totals.append(max(ways) + scores[row][place])
        best.append(totals)
        back.append(points)
    at = best[-1].index(max(best[-1]))
    total, chain = best[-1][at], []
    for row in range(len(scores) - 1, -1, -1):
        chain.append(menus[row][at])
        at = back[row][at]
    return chain[::-1], total


class ChainLearner(_Chains):
    """Weights that are learned by going over chains."""

    def __init__(self, classes: int, templates: Templates, follows: NDArray[np.bool_]) -> None:
        super().__init__(classes, templates, follows)
        self.table, self.now = WeightTable(), 0

    def iterate(
        self,
        fields: Fields,
        chains: Places,
        menu: Numbers,
        menus: Menus,
        gold: Numbers,
        order: Places,
        margin: int,
    ) -> tuple[int, int]:
        """Go over some chains in an order; return how many rows were wrong, and how many chosen.

        A chain is a row of (start, stop, low, high): its rows, and those that they can look at.
        What counts as wrong is what was chosen with the margin.
        """
        checked_chains(fields, chains, menu, menus, self.atoms, self.classes, self.follows)
        checked_gold(chains, menu, menus, gold, order)
        lists = _lists(menus)
        wrong = made = 0
        for start, stop, low, high in chains[order].tolist():
            if start == stop:
                continue
            features = [self.features(fields, row, low, high) for row in range(start, stop)]
            options = [lists[number] for number in menu[start:stop].tolist()]
            right = gold[start:stop].tolist()
            scores = []
            for row, each in enumerate(features):
                every = self.table.scores(each, self.classes)
                scores.append([every[o] + (margin if o != right[row] else 0) for o in options[row]])
            chain, _ = _best(scores, options, self.pairs(self.table))
            self.now += 1
            made += len(chain)
            wrong += self._learn(features, chain, right)
        return wrong, made

    def _learn(self, features: list[list[int]], chain: list[int], right: list[int]) -> int:
        wrong = 0
        for row, each in enumerate(features):
            if chain[row] != right[row]:
                wrong += 1
                self.table.add(each, right[row], 1, self.now)
                self.table.add(each, chain[row], -1, self.now)
            if row and (chain[row] != right[row] or chain[row - 1] != right[row - 1]):
                self.table.add([_pair(right[row - 1])], right[row], 1, self.now)
                self.table.add([_pair(chain[row - 1])], chain[row], -1, self.now)
        return wrong

    def averaged(self) -> Weights:
        """Return the weights averaged over all chains."""
        return self.table.averaged(self.now + 1)


class ChainDecoder(_Chains):
    """Averaged weights that choose."""

    def __init__(
        self, classes: int, templates: Templates, follows: NDArray[np.bool_], weights: Weights
    ) -> None:
        super().__init__(classes, templates, follows)
        self.table = Frozen(checked_weights(weights, classes))

    def choose(self, fields: Fields, chains: Places, menu: Numbers, menus: Menus) -> Numbers:
        """Return the class of each row; -1 where a row is in no chain."""
        checked_chains(fields, chains, menu, menus, self.atoms, self.classes, self.follows)
        lists, pairs = _lists(menus), self.pairs(self.table)
        chosen = np.full(len(fields), -1, np.int32)
        for start, stop, low, high in chains.tolist():
            if start == stop:
                continue
            options = [lists[number] for number in menu[start:stop].tolist()]
            scores = []
            for row in range(start, stop):
                every = self.table.scores(self.features(fields, row, low, high), self.classes)
                scores.append([every[option] for option in options[row - start]])
            chosen[start:stop] = _best(scores, options, pairs)[0]
        return chosen


def _lists(menus: Menus) -> list[list[int]]:
    starts, options = menus[0].tolist(), menus[1].tolist()
    return [options[a:b] for a, b in pairwise(starts)]


# ── what both twins check at their entries ───────────────────────────────────────────────────────


def checked_templates(classes: int, templates: Any, follows: Any) -> None:
    """Raise ValueError unless templates and classes are such that no place is out of range."""
    atoms, starts, parts, seeds = map(np.asarray, templates)
    good = 0 < classes < 65536 and 0 < len(seeds) <= 512
    good = good and atoms.ndim == 2 and atoms.shape[0] > 0 and atoms.shape[1] == 2
    good = good and len(starts) == len(seeds) + 1 and starts[0] == 0 and starts[-1] == len(parts)
    good = good and bool((np.diff(starts) > 0).all())
    good = good and bool(((parts >= 0) & (parts < len(atoms))).all())
    if good:
        offset, field = atoms.T
        good = bool((field >= 0).all()) and bool((np.abs(offset.astype(np.int64)) <= _REACH).all())
    if not good:
        raise ValueError("templates that do not fit together")
    shape = np.shape(follows)
    if shape != (0, 0) and (shape != (classes, classes) or classes > MOST_FOLLOWED):
        raise ValueError("a table of what follows what that does not fit the classes")


def checked_chains(
    fields: Any, chains: Any, menu: Any, menus: Any, atoms: Any, classes: int, follows: Any
) -> None:
    """Raise ValueError unless chains are rows, and menus have classes."""
    fields, chains, menu = np.asarray(fields), np.asarray(chains), np.asarray(menu)
    starts, options = map(np.asarray, menus)
    field = np.asarray(atoms)[:, 1]
    good = fields.ndim == 2 and fields.shape[1] > int(field.max()) and len(menu) == len(fields)
    good = good and chains.ndim == 2 and chains.shape[1] == 4
    good = good and len(starts) > 0 and starts[0] == 0 and starts[-1] == len(options)
    good = good and bool((np.diff(starts) > 0).all())  # a menu with nothing on it is none
    good = good and bool(((options >= 0) & (options < classes)).all())
    good = good and bool(((menu >= 0) & (menu < len(starts) - 1)).all())
    if good and len(chains):
        start, stop, low, high = chains.T
        ordered = (low >= 0) & (low <= start) & (start <= stop) & (stop <= high)
        longest = int((stop - start).max()) if bool((stop >= start).all()) else LONGEST + 1
        good = bool(ordered.all()) and bool((high <= len(fields)).all()) and longest <= LONGEST
        good = good and (longest < 2 or np.size(follows) > 0)
    if not good:
        raise ValueError("columns that do not fit together")


def checked_gold(chains: Any, menu: Any, menus: Any, gold: Any, order: Any) -> None:
    """Raise ValueError unless the right class of each row that is learned from is on its menu."""
    gold, order = np.asarray(gold), np.asarray(order)
    good = len(gold) == len(menu) and bool(((order >= 0) & (order < len(chains))).all())
    if good:
        lists = [frozenset(each) for each in _lists(menus)]
        pairs = np.unique(np.stack([menu, gold]), axis=1).T if len(gold) else np.empty((0, 2))
        wrong = {(m, g) for m, g in pairs.tolist() if g not in lists[int(m)]}
        if wrong:
            learned = np.zeros(len(gold), np.bool_)
            for start, stop, _, _ in np.asarray(chains)[order].tolist():
                learned[start:stop] = True
            rows = np.flatnonzero(learned).tolist()
            good = not any((int(menu[row]), int(gold[row])) in wrong for row in rows)
    if not good:
        raise ValueError("right classes that are not on the menu")

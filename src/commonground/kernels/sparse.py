"""Choose among classes with a linear model that has a weight for each feature and class it has met.

This is the plain twin of ``_sparse.pyx``. Rows, atoms and templates are those of ``linear.py``; a
feature is the whole hash h of a template, h xor (h >> 32), or 1 where that is 0, so that features
hardly ever share weights. A model of many classes is small and quick in this way, because most
features occur with few of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.kernels.linear import Codes, Numbers, Templates, hashes_of
from commonground.kernels.perceptron import Frozen, Weights, WeightTable, checked_weights

__all__ = ["Rows", "SparseClassifier", "SparseLearner"]

Rows = tuple[Codes, Codes, Codes, Templates]
"""The attributes of words, and the anchors, extras and templates of rows."""

MOST_CLASSES = 65_535
MOST_FEW = 16
MOST_AMOUNT = 32_767
"""No more is added to a weight at once, so that weights stay numbers of 32 bits."""

_BITS = 30


def _features(rows: Rows) -> list[list[int]]:
    attributes, anchors, extras, templates = rows
    mixed = hashes_of(attributes, anchors, extras, templates, _BITS)
    features: list[list[int]] = np.maximum(mixed ^ (mixed >> np.uint64(32)), np.uint64(1)).tolist()
    return features


def _best(
    table: WeightTable | Frozen, classes: int, rows: Rows, wanted: NDArray[np.int32], margin: int
) -> tuple[Numbers, Codes]:
    features = _features(rows)
    if len(wanted) != len(features):
        raise ValueError("the columns differ in length")
    score, best = np.empty(len(features), np.int64), np.empty(len(features), np.int32)
    for row, (each, right) in enumerate(zip(features, wanted.tolist(), strict=True)):
        sums = [total + margin for total in table.scores(each, classes)]
        if 0 <= right < classes:
            sums[right] -= margin
        score[row] = max(sums)
        best[row] = sums.index(score[row])
    return score, best


def _few(
    table: WeightTable | Frozen,
    classes: int,
    rows: Rows,
    wanted: Codes,
    margin: int,
    most: int,
    least: Numbers,
) -> tuple[Numbers, Codes, Numbers]:
    features = _features(rows)
    if not len(wanted) == len(least) == len(features):
        raise ValueError("the columns differ in length")
    if not 1 <= most <= MOST_FEW:
        raise ValueError(f"from 1 to {MOST_FEW} classes can be asked for")
    chosen_few: list[tuple[int, int, int]] = []
    for row, each in enumerate(features):
        right, sums = int(wanted[row]), table.scores(each, classes)
        scores = [total + margin * (place != right) for place, total in enumerate(sums)]
        best = np.argsort([-score for score in scores], kind="stable")[:most].tolist()
        few = [place for place in best if scores[place] > least[row]]
        if 0 <= right < classes and right not in few:
            few.append(right)
        chosen_few += [(row, place, scores[place]) for place in few]
    number, chosen, score = np.array(chosen_few, np.int64).reshape(-1, 3).T
    return number.copy(), chosen.astype(np.int32), score.copy()


def _scores(table: WeightTable | Frozen, classes: int, rows: Rows) -> Codes:
    sums = [table.scores(each, classes) for each in _features(rows)]
    return np.array(sums, np.int32).reshape(-1, classes)


def _checked_classes(classes: int) -> int:
    if not 1 <= classes <= MOST_CLASSES:
        raise ValueError(f"a model has from 1 to {MOST_CLASSES} classes")
    return classes


def _checked_amount(amount: int) -> int:
    if not -MOST_AMOUNT <= amount <= MOST_AMOUNT:
        raise ValueError(f"an amount that is not between -{MOST_AMOUNT} and {MOST_AMOUNT}")
    return amount


class _Scorer:
    """Weights of features with classes, learned or being learned."""

    classes: int
    table: WeightTable | Frozen

    def best(self, rows: Rows, wanted: Codes, margin: int) -> tuple[Numbers, Codes]:
        """Return for each row the highest score of a class, and the first class that has it.

        All classes but the wanted one (none where that is -1) are made better by the margin.
        """
        return _best(self.table, self.classes, rows, wanted, margin)

    def few(
        self, rows: Rows, wanted: Codes, margin: int, most: int, least: Numbers
    ) -> tuple[Numbers, Codes, Numbers]:
        """Return the best classes of each row: the row, the class and the score of each.

        They are as many as `most` with scores above the `least` of the row, best ones first; then,
        if it is not one of them, comes the wanted one.
        """
        return _few(self.table, self.classes, rows, wanted, margin, most, least)

    def scores(self, rows: Rows) -> Codes:
        """Return the score of each row with each class."""
        return _scores(self.table, self.classes, rows)


class SparseLearner(_Scorer):
    """Weights that are learned, and their averages over all moments.

    >>> rows = np.array([[7]], np.int32), np.array([[0]], np.int32), np.empty((1, 0), np.int32)
    >>> template = np.array([[0, 0, 0]], np.int32), np.array([0, 1]), np.array([0])
    >>> learner = SparseLearner(3)
    >>> learner.tick()
    >>> learner.add((*rows, template), np.array([2], np.int32), 5)
    >>> best = learner.best((*rows, template), np.array([-1], np.int32), 0)
    >>> [column.tolist() for column in best]
    [[5], [2]]
    """

    table: WeightTable

    def __init__(self, classes: int) -> None:
        self.classes, self.now, self.table = _checked_classes(classes), 0, WeightTable()

    def tick(self) -> None:
        """Go on to the next moment."""
        self.now += 1

    def add(self, rows: Rows, classes: Codes, amount: int) -> None:
        """Add an amount to the weights of each row's features with its class; -1 has none."""
        features = _features(rows)
        _checked_amount(amount)
        if len(classes) != len(features):
            raise ValueError("the columns differ in length")
        if len(classes) and not (-1 <= int(classes.min()) <= int(classes.max()) < self.classes):
            raise ValueError("a class that is not there")
        for each, right in zip(features, classes.tolist(), strict=True):
            if right >= 0:
                self.table.add(each, right, amount, self.now)

    def averaged(self) -> Weights:
        """Return the weights averaged over all moments."""
        return self.table.averaged(self.now + 1)


class SparseClassifier(_Scorer):
    """Averaged weights that choose."""

    def __init__(self, classes: int, weights: Weights) -> None:
        self.classes = _checked_classes(classes)
        self.table = Frozen(checked_weights(weights, classes))

"""Linear models that choose a class for each row of chains, as parts of a model file.

What a row is and which classes it can have is up to the caller: characters and where they are in a
token, tokens and whether a sentence ends with them, tokens and how they are split into words, words
and how their lemmas are made. The loops are in ``kernels/chains.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground import kernels
from commonground.kernels.chains import ChainDecoder, Menus, Templates
from commonground.kernels.perceptron import Weights
from commonground.parsers.atoms import Atoms, atom
from commonground.parsers.learning import learned
from commonground.parsers.model_file import ModelError, Stored
from commonground.parsers.parser import TrainingTask
from commonground.parsers.sparse_weights import read_weights, weight_arrays
from commonground.random import stream

__all__ = ["ChainModel", "ChainRows", "Shape", "learned_chains", "menus_of", "shape_of"]

Numbers = NDArray[np.int32]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Shape:
    """What does not depend on the treebank: the templates, and which class can follow which.

    Without a table of what follows what (0 × 0), chains have one row each.
    """

    templates: Templates
    follows: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ChainRows:
    """Rows with their fields, cut into chains; see ``kernels/chains.py``."""

    fields: Atoms
    chains: Places
    menu: Numbers
    menus: Menus


@lru_cache(maxsize=8)
def templates_of(text: str, fields: str) -> Templates:
    """Return templates written as ``0.c -1.c`` (fields of the rows so many places on), `|` between.

    >>> atoms, starts, parts, seeds = templates_of("0.c | -1.c 0.k", "c k")
    >>> atoms.tolist(), starts.tolist(), parts.tolist()
    ([[0, 0], [-1, 0], [0, 1]], [0, 1, 3], [0, 1, 2])
    """
    lists = [each.split() for each in text.replace("\n", "|").split("|") if each.strip()]
    names = list(dict.fromkeys(name for each in lists for name in each))
    number = {name: place for place, name in enumerate(names)}
    known = fields.split()
    pairs = [name.split(".") for name in names]
    return (
        np.array([(int(offset), known.index(column)) for offset, column in pairs], np.int32),
        np.cumsum([0, *map(len, lists)]).astype(np.int32),
        np.array([number[name] for each in lists for name in each], np.int32),
        np.array([atom(" ".join(each)) for each in lists], np.uint64),
    )


def shape_of(text: str, fields: str, follows: NDArray[np.bool_] | None = None) -> Shape:
    """Return the shape of a model with these templates."""
    none = np.zeros((0, 0), np.bool_)
    return Shape(templates_of(text, fields), none if follows is None else follows)


def menus_of(menus: Iterable[Sequence[int]]) -> Menus:
    """Return lists of classes as the kernel reads them.

    >>> [column.tolist() for column in menus_of([[0, 1], [2]])]
    [[0, 2, 3], [0, 1, 2]]
    """
    lists = list(menus)
    starts = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    return starts, np.array([option for each in lists for option in each], np.int32)


@dataclass(frozen=True)
class ChainModel:
    """Averaged weights that choose one of so many classes for each row."""

    classes: int
    shape: Shape
    weights: Weights
    _decoder: ChainDecoder = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        decoder = kernels.load("chains").ChainDecoder(
            self.classes, self.shape.templates, self.shape.follows, self.weights
        )
        object.__setattr__(self, "_decoder", decoder)

    def choose(self, rows: ChainRows) -> Numbers:
        """Return the class of each row; -1 where a row is in no chain."""
        chosen: Numbers = self._decoder.choose(rows.fields, rows.chains, rows.menu, rows.menus)
        return chosen

    def store(self, name: str, **metadata: Any) -> Stored:
        """Return what a file holds of the model, and of what its owner knows besides."""
        return Stored(name, metadata, weight_arrays(self.weights))


def read_chains(stored: Stored, classes: int, shape: Shape) -> ChainModel:
    """Return the model that a file holds."""
    try:
        return ChainModel(classes, shape, read_weights(stored))
    except ValueError as error:
        raise ModelError(f"its {stored.parser} does not fit together: {error}") from error


class _ChainLearner:
    """Goes over chains; see ``learning.Learner``."""

    def __init__(
        self,
        classes: int,
        shape: Shape,
        rows: ChainRows,
        gold: Numbers,
        name: str,
        seed: int,
        margin: int,
    ) -> None:
        self.classes, self.shape, self.rows, self.gold = classes, shape, rows, gold
        self.name, self.seed, self.margin = name, seed, margin
        self.kernel = kernels.load("chains").ChainLearner(classes, shape.templates, shape.follows)

    def iterate(self, number: int) -> float:
        """Go over the chains in a new order."""
        random = stream(self.seed, self.name, number)
        order = random.permutation(len(self.rows.chains)).astype(np.int64)
        rows = self.rows
        wrong, made = self.kernel.iterate(
            rows.fields, rows.chains, rows.menu, rows.menus, self.gold, order, self.margin
        )
        return wrong / made if made else 0.0

    def model(self) -> ChainModel:
        """Return the averaged weights."""
        return ChainModel(self.classes, self.shape, self.kernel.averaged())


def learned_chains(
    name: str,
    task: TrainingTask,
    shape: Shape,
    classes: int,
    rows: ChainRows,
    gold: Numbers,
    *,
    iterations: int,
    margin: int,
) -> ChainModel:
    """Return what is learned from rows whose right classes are known; `name` seeds its orders."""
    learner = _ChainLearner(classes, shape, rows, gold, name, task.seed, margin)
    return learned(learner, task, iterations=iterations, patience=iterations)

"""The words of a treebank by how probably they are wrong: the evidence, weighed.

The weights were learned on what was changed in later releases of several treebanks
(``benchmarks/annotation_errors.py``; ``weights.json`` names them). They can be learned further on
the history of the treebank itself.

Of the first thousand words precision matters, of the rest that nothing is missed: there the list
takes turns between all evidence and that of parsers and guidelines alone.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.proofreading.evidence import Evidence
from commonground.proofreading.history import History
from commonground.proofreading.logistic import LogisticModel, fit
from commonground.proofreading.proposals import Candidates

__all__ = [
    "WEIGHTS",
    "Weights",
    "history_rows",
    "learned_further",
    "proposal_rows",
    "reading_order",
    "usual_weights",
]

WEIGHTS = Path(__file__).with_name("weights.json")

_FREE = 20
"""So many changes of one kind count in full; more count as their geometric mean with this."""

_PULL = 100.0
"""How strongly weights that are learned further are pulled towards the usual ones."""


_FIRST = 1000
"""So many words are ranked by all evidence alone."""


class Weights(NamedTuple):
    """The models of doubts by all evidence, by parsers and guidelines alone, and of proposals."""

    doubt: LogisticModel
    parsers: LogisticModel
    proposal: LogisticModel


@cache
def usual_weights() -> Weights:
    """Return the weights that come with the program."""
    data = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return Weights(*(LogisticModel.from_json(data[name]) for name in Weights._fields))


def reading_order(
    chance: NDArray[np.float64], other: NDArray[np.float64], first: int = _FIRST
) -> NDArray[np.int64]:
    """Return the order in which words are read: `first` by one chance, then by two in turns.

    >>> reading_order(np.array([0.9, 0.5, 0.4, 0.1]), np.array([0.1, 0.2, 0.3, 0.8]), 1).tolist()
    [0, 3, 1, 2]
    """
    one = _places(-chance)
    two = np.lexsort((one, -other)).argsort()
    turn = np.where(one < first, one - len(one), np.minimum(one, two))
    return np.lexsort((one, turn)).astype(np.int64)


def _places(numbers: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the place of each number if they are sorted, the first of equal ones first."""
    return np.argsort(np.argsort(numbers, kind="stable"), kind="stable")


def history_rows(history: History) -> NDArray[np.float64]:
    """Return what each known word counts: waves would outweigh everything else.

    Each of n changes of one kind counts √(20 / n), at most 1.
    """
    count = np.bincount(history.kind, history.changed)[history.kind]
    rows = np.where(history.changed, np.minimum(1, np.sqrt(_FREE / np.maximum(count, 1))), 1.0)
    return rows[history.known]


def proposal_rows(
    given: Candidates, history: History
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the proposals for the words that were changed, and which of them came true."""
    wanted = given.valid & history.changed[:, None]
    right = (given.head == history.head[:, None]) & (given.label == history.label[:, None])
    return given.table[wanted], right[wanted]


def learned_further(model: LogisticModel, evidence: Evidence, history: History) -> LogisticModel:
    """Return weights that fit a history, too."""
    known = history.known
    return fit(
        evidence.names, evidence.table[known], history.changed[known], history_rows(history),
        penalty=_PULL, start=model,
    )  # fmt: skip

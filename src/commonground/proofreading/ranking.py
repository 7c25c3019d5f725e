"""The words of a treebank by how probably they are wrong: the evidence, weighed.

The weights were learned on what was changed in later releases of several treebanks
(``benchmarks/annotation_errors.py``; ``weights.json`` names them). They can be learned further on
the history of the treebank itself.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from commonground.proofreading.evidence import Evidence
from commonground.proofreading.history import History
from commonground.proofreading.logistic import LogisticModel, fit
from commonground.proofreading.proposals import Candidates

__all__ = ["WEIGHTS", "history_rows", "learned_further", "proposal_rows", "usual_weights"]

WEIGHTS = Path(__file__).with_name("weights.json")

_FREE = 20
"""So many changes of one kind count in full; more count as their geometric mean with this."""

_PULL = 100.0
"""How strongly weights that are learned further are pulled towards the usual ones."""


@cache
def usual_weights() -> tuple[LogisticModel, LogisticModel]:
    """Return the model of doubts and that of proposals."""
    data = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return LogisticModel.from_json(data["doubt"]), LogisticModel.from_json(data["proposal"])


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

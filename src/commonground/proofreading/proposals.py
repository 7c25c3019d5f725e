"""What a doubtful word should be: the best of the analyses that somebody proposes.

Parsers, the guideline for marks, the usual label of the arc, and the same words elsewhere each
propose a head and a label. Which of them is right was learned on histories of treebanks, from who
proposes it and how many agree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.proofreading.arc_columns import Codes
from commonground.proofreading.evidence import Evidence
from commonground.proofreading.logistic import LogisticModel

__all__ = ["Candidates", "Proposals", "candidates", "proposals"]


@dataclass(frozen=True)
class Candidates:
    """The analyses proposed for each word (a column each), and what speaks for each of them."""

    head: Codes
    label: Codes
    valid: NDArray[np.bool_]
    names: tuple[str, ...]
    table: NDArray[np.float64]


@dataclass(frozen=True)
class Proposals:
    """The best proposal for each word, and how probable it is if the word is wrong; -1: none."""

    head: Codes
    label: Codes
    sure: NDArray[np.float64]


def candidates(evidence: Evidence) -> Candidates:
    """Gather what is proposed for each word; proposals that change nothing are not valid."""
    columns, parses = evidence.columns, evidence.parses
    own_head, own = columns.head, columns["deprel"].codes
    heads = [*parses.head.T, own_head, evidence.marks]
    labels = [*parses.label.T, parses.given_head, own]
    doubts = [np.zeros(columns.rows)] * len(heads)
    for seen in evidence.nuclei.values():
        told = seen.label >= 0
        heads.append(np.where(told, seen.head, own_head))
        labels.append(np.where(told, seen.label, own))
        doubts.append(np.where(told, seen.doubt, 0.0))
    head, label = np.stack(heads, axis=1), np.stack(labels, axis=1)
    valid = (head != own_head[:, None]) | (label != own[:, None])
    # Another root needs more than one change, and only a root is called so.
    root = parses.labels.index("root") if "root" in parses.labels else -1
    valid &= (label >= 0) & ((head == 0) == (own_head == 0)[:, None])
    if root >= 0:
        valid &= (label == root) == (head == 0)
    same_head = head[:, :, None] == parses.head[:, None, :]
    same_label = label[:, :, None] == parses.label[:, None, :]
    is_mark = (head == evidence.marks[:, None]) & (evidence.marks != own_head)[:, None]
    parts = {
        "parsers": (same_head & same_label).sum(axis=2),
        "all parsers": (same_head & same_label).all(axis=2),
        "parsers on head": same_head.sum(axis=2),
        "parsers on label": same_label.sum(axis=2),
        "head stays": head == own_head[:, None],
        "label stays": label == own[:, None],
        "label of arc": (label == parses.given_head[:, None]) & (head == own_head[:, None]),
        "marks": is_mark & (label == own[:, None]),
        "nuclei": np.stack(doubts, axis=1),
    }
    table = np.stack([part.astype(float) for part in parts.values()], axis=2)
    return Candidates(head, label, valid, tuple(parts), table)


def proposals(given: Candidates, model: LogisticModel) -> Proposals:
    """Choose the best proposal for each word."""
    size, count, kinds = given.table.shape
    sure = model.probability(given.names, given.table.reshape(-1, kinds)).reshape(size, count)
    sure = np.where(given.valid, sure, -1.0)
    best = sure.argmax(axis=1)
    rows = np.arange(size)
    there = sure[rows, best] >= 0
    return Proposals(
        np.where(there, given.head[rows, best], -1),
        np.where(there, given.label[rows, best], -1),
        np.where(there, sure[rows, best], 0.0),
    )

"""All that speaks for and against the annotation of each word, as a table of numbers.

Each row is a word, each column one kind of evidence: what parsers say that were trained on other
sentences, how usual the word is (:mod:`commonground.proofreading.shares`), the same words elsewhere
(:mod:`~commonground.proofreading.nuclei`), implications that it violates, and the guideline for
punctuation marks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.proofreading.arc_columns import ArcColumns, Codes
from commonground.proofreading.cross_parses import CrossParses
from commonground.proofreading.implications import Violations, violations
from commonground.proofreading.marks import guideline_heads
from commonground.proofreading.nuclei import Variation, variation
from commonground.proofreading.shares import QUESTIONS, Answer, answer

__all__ = ["Evidence", "collect"]

Numbers = NDArray[np.float64]

MOST = 12.0
"""Greater surprisals are the same."""


@dataclass(frozen=True)
class Evidence:
    """The evidence of all words: `names` and `table`, and what each kind was made of."""

    columns: ArcColumns
    parses: CrossParses
    names: tuple[str, ...]
    table: Numbers
    answers: dict[str, Answer]
    nuclei: dict[str, Variation]
    violated: Violations
    marks: Codes
    """Where the guidelines hang each word; the same as its head for all but marks."""

    def part(self, names: tuple[str, ...]) -> Numbers:
        """Return some columns of the table."""
        return self.table[:, [self.names.index(name) for name in names]]


def collect(corpus: Dependencies, parses: CrossParses) -> Evidence:
    """Gather the evidence for all words of a treebank."""
    columns = ArcColumns(corpus)
    answers = {question.name: answer(question, columns) for question in QUESTIONS}
    nuclei = {what: variation(columns, what) for what in ("form", "lemma")}
    violated = violations(columns)
    marks = np.where(columns["upos"].codes == _code(columns, "PUNCT"),
                     guideline_heads(corpus), columns.head)  # fmt: skip
    parts = _of_parsers(columns, parses)
    for name, reply in answers.items():
        parts[name] = np.minimum(reply.surprisal, MOST)
    for what, seen in nuclei.items():
        parts[f"nuclei of {what}s"] = seen.doubt
    parts["implications"] = violated.strength
    parts["marks"] = (marks != columns.head).astype(float)
    there = (parses.head == marks[:, None]).sum(axis=1)
    for number in range(1, parses.head.shape[1] + 1):
        parts[f"marks and {number} parsers"] = parts["marks"] * (there == number)
    table = np.stack([part.astype(float) for part in parts.values()], axis=1)
    return Evidence(columns, parses, tuple(parts), table, answers, nuclei, violated, marks)


def _code(columns: ArcColumns, tag: str) -> int:
    texts = columns["upos"].texts
    return texts.index(tag) if tag in texts else -2


def _of_parsers(columns: ArcColumns, parses: CrossParses) -> dict[str, Numbers]:
    """Return how parsers disagree with the annotation."""
    own = columns["deprel"].codes
    head = parses.head != columns.head[:, None]
    label = parses.label != own[:, None]
    wrong = head | label
    against = wrong.sum(axis=1).astype(float)
    arcs = parses.head * (len(parses.labels) + 1) + parses.label
    agreed = (arcs[:, :, None] == arcs[:, None, :]) & wrong[:, :, None]
    same_head = (parses.head[:, :, None] == parses.head[:, None, :]) & head[:, :, None]
    votes = agreed.sum(axis=2).max(axis=1)
    parts: dict[str, Numbers] = {
        "parsers": against,
        "parsers agree": votes.astype(float),
        "parsers, heads": head.sum(axis=1).astype(float),
        "parsers, labels": label.sum(axis=1).astype(float),
        "parsers agree on head": same_head.sum(axis=2).max(axis=1).astype(float),
        "label of arc": (parses.given_head != own).astype(float),
    }
    for number in range(1, parses.head.shape[1] + 1):
        parts[f"{number} parsers"] = (against == number).astype(float)
        parts[f"{number} parsers agree"] = (votes == number).astype(float)
    return parts

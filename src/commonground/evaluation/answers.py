"""What is asked about a gold standard and a parse, and what was found out.

All of it is counts, so that the answers about pieces of a pair, or about many pairs, can be merged
(see ``merging.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus
from commonground.errors import UsageError
from commonground.evaluation.evaluate import scored
from commonground.evaluation.result import System
from commonground.metrics.items import Counts
from commonground.metrics.metric import f1
from commonground.metrics.registry import PARTIAL
from commonground.metrics.settings import Settings

if TYPE_CHECKING:
    from commonground.metrics.breakdown import Bucket
    from commonground.metrics.confusion import Cell
    from commonground.metrics.sentences import Headings

__all__ = ["Answers", "By", "Flags", "Questions", "answers_about", "suited"]

By = tuple[str, ...]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Questions:
    """What is asked about every pair."""

    metrics: tuple[str, ...]
    settings: Settings
    by: tuple[By, ...]
    confusions: tuple[str, ...]
    sentences: bool
    format: str | None
    partial: bool

    def metrics_for(self, kind: str) -> tuple[str, ...]:
        """Return what is computed for a kind of corpus; partial trees have metrics of their own."""
        if not self.metrics and self.partial and kind == "dependencies":
            return PARTIAL
        return self.metrics


@dataclass(frozen=True, slots=True)
class Answers:
    """What was found out about a pair: plain values, which can be sent from process to process.

    `headings` tell which sentences the counts are about, and `right` which items are right, where
    that is asked for; else the counts are sums. `reasons` say why scores are undefined.
    """

    kind: str
    counts: dict[str, Counts]
    skipped: tuple[str, ...]
    breakdowns: dict[tuple[By, str], list[Bucket]]
    confusions: dict[str, list[Cell]]
    headings: Headings | None
    right: dict[str, Flags | None]
    reasons: dict[str, str]


def answers_about(name: str, gold: Corpus, parse: Corpus, questions: Questions) -> Answers:
    """Answer the questions about a parse with some name."""
    metrics = questions.metrics_for(gold.kind)
    system = scored(name, gold, parse, metrics, questions.settings)
    ordered = any("sentence" in by for by in questions.by)
    return Answers(
        kind=gold.kind,
        counts={
            name: score.counts if questions.sentences else score.counts.summed()
            for name, score in system.scores.items()
        },
        skipped=system.skipped,
        breakdowns={
            (by, metric): system.breakdown(metric, by)
            for by in questions.by
            for metric in suited(system, by)
        },
        confusions={what: system.confusion(what) for what in questions.confusions},
        headings=system.headings() if questions.sentences or ordered else None,
        right={n: score.right for n, score in system.scores.items() if questions.sentences},
        reasons={n: score.reason for n, score in system.scores.items() if score.reason},
    )


def suited(system: System, by: By) -> list[str]:
    """Return the metrics whose items have these properties: no token has a label, for example.

    Precision, recall and F1 have the same items, and the breakdown has all three: once is enough.
    """
    from commonground.metrics.by import properties_of  # noqa: PLC0415  # seldom asked for

    distinct: dict[object, str] = {}
    for name, score in system.scores.items():
        before = distinct.get(score.metric.items)
        if before is None or system[before].metric.formula is not f1:
            distinct[score.metric.items] = name
    known = {
        name: properties_of((items.corpora or [system.comparison.gold])[0], items.table)
        for name in distinct.values()
        if (items := system[name].items)
    }
    suited = [name for name, properties in known.items() if set(by) <= set(properties)]
    if not suited:
        there = ", ".join(dict.fromkeys(p for properties in known.values() for p in properties))
        raise UsageError(f"nothing can be broken down by {', '.join(by)}; there are {there}")
    return suited

"""What was repaired in a parse, and what scores it has before and after, beside baselines.

Three scores tell what a repair is worth: *before*, where every sentence with a defect counts as
wrong, as a strict program would have it; *as written*, where words are put right, but heads that
are missing or cannot be are wrong; and after. What a parse gains from the second to the third is
the policy's merit, not the parser's. The baselines know the tags of the gold standard, and what
their usual heads and labels are, but nothing about the sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import msgspec
import numpy as np

from commonground.corpus import Corpus, Dependencies
from commonground.dispatch import perform
from commonground.errors import InputError, UsageError
from commonground.evaluation.decoding import Count, decoded
from commonground.evaluation.evaluation_plan import EvaluationPlan
from commonground.evaluation.metric_score import Score
from commonground.evaluation.scoring import scored
from commonground.evaluation.tally import Tally, tally_of
from commonground.metrics.items import Counts
from commonground.metrics.metric import Metric
from commonground.plurals import number_of
from commonground.repair.defects import DEFECTS, told
from commonground.repair.policy import OPEN
from commonground.repair.repair import repair_bytes

__all__ = ["AS_WRITTEN", "BEFORE", "Repairs", "repaired_tally"]

BEFORE = "before"
AS_WRITTEN = "as written"

Row = Mapping[str, Counts]
"""The counts of each metric."""


@dataclass(frozen=True, slots=True)
class Repairs:
    """What was repaired by a policy: defects by class, sentences that had any, heads it changed.

    `others` are the counts of metrics for the parse before and as written, and for baselines.
    """

    policy: str
    defects: Mapping[str, int]
    flawed: int
    sentences: int
    heads: int
    words: int
    others: Mapping[str, Row]

    def line(self, name: str) -> str:
        """Return what was repaired, in one line."""
        if not self.defects:
            return f"{name}: nothing to repair"
        number = number_of(sum(self.defects.values()), "defect")
        return (
            f"{name}: repaired ({self.policy}): {number}, in {self.flawed:,} of "
            f"{number_of(self.sentences, 'sentence')}: {self.told()}; "
            f"{self.heads:,} of {number_of(self.words, 'head')} changed"
        )

    def told(self) -> str:
        """Return how many defects of which kinds there were."""
        return told(dict(self.defects))

    def fact(self) -> str:
        """Return what a signature says about it."""
        counts = "+".join(f"{kind}={number}" for kind, number in self.defects.items())
        return counts or "0"

    def score(self, row: str, metric: Metric) -> float | None:
        """Return the score of another row by a metric."""
        counts = self.others[row].get(metric.name)
        return None if counts is None else Score(metric, counts).value

    def joined(self, other: Repairs) -> Repairs:
        """Return what was repaired in two parts of a parse."""
        kinds = [kind for kind in DEFECTS if kind in self.defects or kind in other.defects]
        return replace(
            self,
            defects={k: self.defects.get(k, 0) + other.defects.get(k, 0) for k in kinds},
            flawed=self.flawed + other.flawed,
            sentences=self.sentences + other.sentences,
            heads=self.heads + other.heads,
            words=self.words + other.words,
            others={
                row: {
                    name: _added(counts, other.others[row][name]) for name, counts in each.items()
                }
                for row, each in self.others.items()
                if row in other.others
            },
        )

    def to_json(self, metrics: Mapping[str, Metric]) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "policy": self.policy,
            "defects": dict(self.defects),
            "flawed": self.flawed,
            "sentences": self.sentences,
            "heads": self.heads,
            "words": self.words,
            "others": {
                row: {
                    name: {"score": self.score(row, metrics[name]), "counts": counts.totals}
                    for name, counts in each.items()
                }
                for row, each in self.others.items()
            },
        }

    @classmethod
    def from_json(cls, data: Any, path: str) -> Repairs:
        """Return what JSON holds, which was read from `path`."""
        saved = decoded(data, _RepairsJson, path, "repairs")
        others = {
            row: {
                name: Counts({c: np.array([n], np.int64) for c, n in score.counts.items()})
                for name, score in each.items()
            }
            for row, each in saved.others.items()
        }
        numbers = (saved.flawed, saved.sentences, saved.heads, saved.words)
        return cls(saved.policy, saved.defects, *numbers, others)


class _ScoreJson(msgspec.Struct, frozen=True):
    counts: dict[str, Count]


class _RepairsJson(msgspec.Struct, frozen=True):
    policy: str
    defects: dict[str, Count]
    flawed: Count
    sentences: Count
    heads: Count
    words: Count
    others: dict[str, dict[str, _ScoreJson]] = {}


def _added(one: Counts, two: Counts) -> Counts:
    return Counts(
        {name: np.concatenate([one.columns[name], two.columns[name]]) for name in one.columns}
    ).summed()


def repaired_tally(name: str, gold: Corpus, data: bytes, path: str, plan: EvaluationPlan) -> Tally:
    """Repair a parse, given as the content of a file, and count what the plan asks of it."""
    policy = plan.reading.repair
    assert policy is not None, "somebody asked for a repair"
    made = repair_bytes(data, policy, gold=gold, path=path, format=plan.reading.format)
    corpus = made.corpus()
    tally = tally_of(name, gold, corpus, plan)
    others: dict[str, Row] = {}
    flawed = np.zeros(len(gold), np.bool_)
    flawed[list(made.flawed)] = True

    def add(row: str, parse: Callable[[], Corpus], *, lost: Any = False) -> None:
        counts = _counts(row, gold, parse, plan, lost)
        if counts:
            others[row] = counts

    add(BEFORE, lambda: _wrong_where_missing(corpus), lost=flawed)
    if isinstance(gold, Dependencies):
        written = repair_bytes(data, OPEN, gold=gold, path=path, format=plan.reading.format)
        add(AS_WRITTEN, lambda: _wrong_where_missing(written.corpus()))
    if isinstance(gold, Dependencies):
        for row, trees in perform("baseline_parses", gold).items():
            add(row, partial(_same, trees))
    repairs = Repairs(
        policy,
        made.counts,
        len(made.flawed),
        len(gold),
        made.heads,
        gold.tables["words"].rows,
        others,
    )
    return replace(tally, repairs=repairs)


def _wrong_where_missing(corpus: Corpus) -> Corpus:
    """Return trees in which words without a head are their own heads, which is never right."""
    if not isinstance(corpus, Dependencies):
        return corpus
    own = corpus.words.row_in_sentence() + 1
    return corpus.replace(
        "words", head=np.where(corpus.head < 0, own, corpus.head).astype(np.int32)
    )


def _same(corpus: Corpus) -> Corpus:
    return corpus


def _counts(
    name: str, gold: Corpus, parse: Callable[[], Corpus], plan: EvaluationPlan, lost: Any
) -> Row:
    """Return the counts of another parse; none where a metric has no use for such trees."""
    metrics: Sequence[Any] = plan.metrics_for(gold.kind)
    try:
        system = scored(name, gold, parse(), metrics, plan.settings, lost=lost)
    except (InputError, UsageError):
        return {}
    return {metric: score.counts.summed() for metric, score in system.scores.items()}

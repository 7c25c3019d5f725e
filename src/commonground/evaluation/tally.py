"""What was counted of a gold standard and a parse, and how such tallies add up.

All of it is counts: a score is a formula over sums, so that the tally of a whole is made of those
of its parts, be they pieces of a large file or the files of a folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from commonground.corpus import Corpus
from commonground.corpus.fingerprint import added, fingerprint
from commonground.errors import UsageError
from commonground.evaluation.details import Details
from commonground.evaluation.evaluation_plan import By, EvaluationPlan
from commonground.evaluation.notes import Noted, merged
from commonground.evaluation.other_scheme import OtherScheme, other_scheme_of
from commonground.evaluation.result import System
from commonground.evaluation.scoring import scored
from commonground.metrics.items import Counts
from commonground.metrics.metric import f1

if TYPE_CHECKING:
    from commonground.evaluation.repairs import Repairs
    from commonground.evaluation.spool import Spool
    from commonground.metrics.breakdown import Bucket
    from commonground.metrics.confusion import ConfusionCell

__all__ = ["Tally", "aside", "broken_tally", "joined", "of_file", "suited", "tally_of"]


@dataclass(frozen=True, slots=True)
class Tally:
    """What was counted of a pair: plain values, which can be sent from process to process.

    The counts are sums; `details` are those of each sentence, where they are asked for. `reasons`
    say why scores are undefined. Of a parse that is `broken`, which says why, nothing is right.
    `gold_facts` is what the gold standard tells as a whole, where a metric asks; parts of which it
    differs are not parts of the same whole. `gold` is the fingerprint of the gold standard, and
    `other_scheme` tells that the parse follows another scheme. The `system` with all of its items
    is there if it is to be kept; `repairs` are what was repaired in the parse before.
    """

    kind: str
    counts: dict[str, Counts]
    skipped: tuple[str, ...]
    breakdowns: dict[tuple[By, str], list[Bucket]]
    confusions: dict[str, list[ConfusionCell]]
    details: Details | None
    reasons: dict[str, str]
    noted: Noted = field(default_factory=dict)
    broken: str = ""
    gold_facts: tuple[str, ...] = ()
    gold: int = 0
    other_scheme: OtherScheme | None = None
    system: System | None = None
    repairs: Repairs | None = None


def broken_tally(name: str, gold: Corpus, plan: EvaluationPlan, reason: str) -> Tally:
    """Count what the plan asks of a parse that cannot be scored, for some reason."""
    return replace(
        tally_of(name, gold, gold, plan, lost=True),
        confusions={what: [] for what in plan.confusions},
        broken=reason,
    )


def tally_of(
    name: str, gold: Corpus, parse: Corpus, plan: EvaluationPlan, *, lost: bool = False
) -> Tally:
    """Count what the plan asks of a parse; one that is `lost` has nothing right."""
    metrics = plan.metrics_for(gold.kind)
    system = scored(name, gold, parse, metrics, plan.settings, lost=lost)
    ordered = any("sentence" in by for by in plan.by)
    checked = plan.check_scheme and not lost and not _goes_on(gold)
    return Tally(
        kind=gold.kind,
        counts={name: score.counts.summed() for name, score in system.scores.items()},
        skipped=system.skipped,
        breakdowns={
            (by, metric): system.breakdown(metric, by)
            for by in plan.by
            for metric in suited(system, by)
        },
        confusions={what: system.confusion(what) for what in plan.confusions},
        details=Details.of(system, counts=plan.sentences) if plan.sentences or ordered else None,
        reasons={n: score.reason for n, score in system.scores.items() if score.reason},
        noted={} if lost else system.noted,
        gold_facts=_gold_facts(system),
        gold=fingerprint(gold),
        other_scheme=other_scheme_of(system) if checked else None,
        system=system if plan.keep else None,
    )


def _goes_on(gold: Corpus) -> bool:
    """Tell whether this is a piece of a corpus, and not the first one."""
    origin = gold.tables["origin"]
    return "number" in origin and len(gold) > 0 and int(origin.numbers("number")[0]) > 0


def _gold_facts(system: System) -> tuple[str, ...]:
    """Return what the gold standard tells as a whole, for each metric that depends on it."""
    asking = (score.metric.gold_fact for score in system.scores.values())
    return tuple(asks(system.comparison.gold) for asks in asking if asks)


def suited(system: System, by: By) -> list[str]:
    """Return the metrics whose items have these properties: no token has a label, for example.

    Precision, recall and F1 have the same items, and the breakdown has all three: once is enough.
    """
    from commonground.metrics.by import has_property, properties_of  # noqa: PLC0415  # seldom asked for

    distinct: dict[object, str] = {}
    for name, score in system.scores.items():
        before = distinct.get(score.metric.items)
        if before is None or system[before].metric.formula is not f1:
            distinct[score.metric.items] = name
    tables = {
        name: ((items.corpora or [system.comparison.gold])[0], items.table)
        for name in distinct.values()
        if (items := system[name].items)
    }
    suited = [
        name for name, (corpus, table) in tables.items()
        if all(has_property(corpus, table, each) for each in by)
    ]  # fmt: skip
    if not suited:
        known = (name for rows in tables.values() for name in properties_of(*rows))
        there = ", ".join(dict.fromkeys(known))
        raise UsageError(f"scores cannot be broken down by {', '.join(by)}; there are {there}")
    return suited


# ── parts of a whole ─────────────────────────────────────────────────────────────────────────────


def joined(parts: Sequence[Tally]) -> Tally:
    """Return the tally of corpora one after the other, given that of each.

    The buckets of breakdowns are in no order then (see :func:`~.breakdown.in_order`).
    """
    first = parts[0]
    if len(parts) == 1:
        return first
    return Tally(
        kind=first.kind,
        counts={name: _summed([part.counts[name] for part in parts]) for name in first.counts},
        skipped=tuple(sent_id for part in parts for sent_id in part.skipped),
        breakdowns={
            key: _buckets(part.breakdowns[key] for part in parts) for key in first.breakdowns
        },
        confusions={
            what: _cells(part.confusions[what] for part in parts) for what in first.confusions
        },
        details=_details([part.details for part in parts]),
        reasons=_reasons(parts),
        noted=merged(part.noted for part in parts),
        broken="; ".join(filter(None, (part.broken for part in parts))),
        gold_facts=first.gold_facts,
        gold=added(part.gold for part in parts),
        other_scheme=next((part.other_scheme for part in parts if part.other_scheme), None),
        repairs=_repairs(parts),
    )


def _repairs(parts: Sequence[Tally]) -> Repairs | None:
    known = [part.repairs for part in parts if part.repairs]
    return reduce(lambda one, other: one.joined(other), known) if known else None


def _reasons(parts: Sequence[Tally]) -> dict[str, str]:
    """Return why scores are undefined: all parts say so, or one that is broken."""
    everywhere = [part.reasons for part in parts]
    broken = {n: why for part in parts if part.broken for n, why in part.reasons.items()}
    same = {n: why for n, why in everywhere[0].items() if all(n in each for each in everywhere)}
    return {**broken, **same}


def _summed(parts: Sequence[Counts]) -> Counts:
    columns = parts[0].columns
    return Counts(
        {name: np.concatenate([part.columns[name] for part in parts]) for name in columns}
    ).summed()


def _details(parts: Sequence[Details | None]) -> Details | None:
    known = [part for part in parts if part is not None]
    return Details.joined(known) if known else None


def _buckets(parts: Iterable[Sequence[Bucket]]) -> list[Bucket]:
    from commonground.metrics.breakdown import Bucket  # noqa: PLC0415  # seldom asked for

    sums: dict[tuple[str, ...], dict[str, int]] = {}
    for buckets in parts:
        for bucket in buckets:
            counts = sums.setdefault(bucket.values, dict.fromkeys(bucket.counts, 0))
            for name, count in bucket.counts.items():
                counts[name] += count
    return [Bucket(values, counts) for values, counts in sums.items()]


def _cells(parts: Iterable[Sequence[ConfusionCell]]) -> list[ConfusionCell]:
    from commonground.metrics.confusion import EXAMPLES, ConfusionCell  # noqa: PLC0415  # seldom asked for

    merged_cells: dict[tuple[str, str], ConfusionCell] = {}
    for cells in parts:
        for cell in cells:
            key = cell.gold, cell.system
            before = merged_cells.get(key, ConfusionCell(*key, 0, ()))
            shown = (*before.examples, *cell.examples)[:EXAMPLES]
            contexts = (*before.contexts, *cell.contexts)[:EXAMPLES]
            merged_cells[key] = ConfusionCell(*key, before.count + cell.count, shown, contexts)
    return sorted(merged_cells.values(), key=lambda cell: (-cell.count, cell.gold, cell.system))


def aside(tally: Tally, spool: Spool) -> Tally:
    """Return the same tally, with what there is of each sentence put aside."""
    return replace(tally, details=tally.details.aside(spool)) if tally.details else tally


# ── one file of many ─────────────────────────────────────────────────────────────────────────────


def of_file(name: str, tally: Tally) -> Tally:
    """Return a tally in which the ids of sentences begin with the name of their file, if any."""
    if not name:
        return tally
    return replace(
        tally,
        skipped=tuple(f"{name}:{sent_id}" for sent_id in tally.skipped),
        noted={
            what: tuple(f"{name}:{sent_id}" for sent_id in ids) for what, ids in tally.noted.items()
        },
        breakdowns={
            (by, metric): [_bucket_of_file(name, by, bucket) for bucket in buckets]
            for (by, metric), buckets in tally.breakdowns.items()
        },
        confusions={
            what: [_cell_of_file(name, cell) for cell in cells]
            for what, cells in tally.confusions.items()
        },
    )


def _bucket_of_file(name: str, by: By, bucket: Bucket) -> Bucket:
    values = zip(by, bucket.values, strict=True)
    named = tuple(f"{name}:{value}" if what == "sentence" else value for what, value in values)
    return replace(bucket, values=named)


def _cell_of_file(name: str, cell: ConfusionCell) -> ConfusionCell:
    examples = tuple((f"{name}:{sent_id}", word) for sent_id, word in cell.examples)
    return replace(cell, examples=examples)

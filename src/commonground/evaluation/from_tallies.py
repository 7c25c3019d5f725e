"""The evaluation that the tallies of pairs make, put together by system and by file.

The micro average of a score is the score of the joined tallies, the macro average the mean of the
scores of the pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from commonground.errors import UsageError
from commonground.evaluation.evaluation_plan import By, EvaluationPlan
from commonground.evaluation.metric_score import Score
from commonground.evaluation.pairs import Pair
from commonground.evaluation.result import System
from commonground.evaluation.scores import Broken, Evaluation
from commonground.evaluation.scoring import signature_of
from commonground.evaluation.tally import Tally, joined, of_file
from commonground.metrics.registry import find_metrics

if TYPE_CHECKING:
    from commonground.metrics.breakdown import Bucket
    from commonground.metrics.metric import Metric
    from commonground.metrics.sentences import Sentences

__all__ = ["evaluation"]

Merged = tuple[Tally, "Sentences | None"]
"""The tally of all pairs of a system, and the sentences that it is about, if known."""


def evaluation(
    pairs: Sequence[Pair],
    tallies: Sequence[Tally],
    plan: EvaluationPlan,
    treebanks: Sequence[Any] = (),
) -> Evaluation:
    """Return the evaluation, given the tally of each pair, and what they are of, if not files."""
    kinds = {tally.kind: pair for pair, tally in zip(pairs, tallies, strict=True)}
    if len(kinds) > 1:
        listed = ", ".join(f"{pair.gold} holds {kind}" for kind, pair in kinds.items())
        raise UsageError(f"different kinds of treebanks cannot be averaged: {listed}")
    metrics = find_metrics(tallies[0].kind, plan.metrics_for(tallies[0].kind))
    everything = list(zip(pairs, tallies, strict=True))
    broken = tuple(
        Broken(pair.system, pair.name, tally.broken) for pair, tally in everything if tally.broken
    )
    if plan.on_error == "skip":
        everything = _whole(everything, broken)
    files = list(dict.fromkeys(path for pair, _ in everything for path in (pair.gold, pair.parse)))
    facts = {"broken": f"{len(broken)} {plan.on_error}"} if broken else {}

    def scored(merged: Mapping[str, Merged]) -> Evaluation:
        systems = tuple(
            _system(name, metrics, tally, sentences if plan.sentences else None)
            for name, (tally, sentences) in merged.items()
        )
        golds = [tally.gold for tally, _ in merged.values()][:1]  # the same for all systems
        signed = signature_of(
            plan.settings, systems, plan.reading, golds=golds, treebanks=treebanks or files, **facts
        )
        return Evaluation(signed, systems)

    merged = _merged(everything)
    several = dict.fromkeys(pair.name for pair in pairs if pair.name)
    return replace(
        scored(merged),
        pairs={
            name: scored(_merged([part for part in everything if part[0].name == name]))
            for name in several
        },
        breakdowns={
            (name, *key): _in_order(tally, key, sentences)
            for key in tallies[0].breakdowns
            for name, (tally, sentences) in merged.items()
        },
        confusions={
            (name, what): tally.confusions[what]
            for what in plan.confusions
            for name, (tally, _) in merged.items()
        },
        broken=broken,
    )


def _whole(
    everything: Sequence[tuple[Pair, Tally]], broken: Sequence[Broken]
) -> list[tuple[Pair, Tally]]:
    """Leave out the systems that have something broken; there must be another one."""
    names = {each.system for each in broken}
    kept = [part for part in everything if part[0].system not in names]
    if not kept:
        raise UsageError(f"no parse can be scored; the first one: {broken[0].reason}")
    return kept


def _system(
    name: str, metrics: Iterable[Metric], tally: Tally, sentences: Sentences | None
) -> System:
    if tally.system is not None:
        known = tally.other_scheme, tally.repairs
        return replace(tally.system, name=name, other_scheme=known[0], repairs=known[1])
    details = tally.details if sentences else None
    scores = {
        metric.name: Score(
            metric,
            details.counts(metric.name, tally.counts[metric.name])
            if details
            else tally.counts[metric.name],
            judged=details.right[metric.name] if details else None,
            reason=tally.reasons.get(metric.name, ""),
        )
        for metric in metrics
    }
    return System(
        name,
        scores,
        tally.skipped,
        kept=sentences,
        noted=tally.noted,
        other_scheme=tally.other_scheme,
        repairs=tally.repairs,
    )


def _merged(parts: Iterable[tuple[Pair, Tally]]) -> dict[str, Merged]:
    """Join the tallies of the pairs of each system."""
    systems: dict[str, list[tuple[str, Tally]]] = {}
    for pair, tally in parts:
        systems.setdefault(pair.system, []).append((pair.name, tally))
    return {system: (_all_files(named), _sentences(named)) for system, named in systems.items()}


def _all_files(parts: Sequence[tuple[str, Tally]]) -> Tally:
    """Return the tally of files with some names; a file alone has no name."""
    if not parts[0][0]:
        return parts[0][1]
    return joined([of_file(name, tally) for name, tally in parts])


def _sentences(parts: Iterable[tuple[str, Tally]]) -> Sentences | None:
    """Return the sentences of corpora one after the other, where they are known."""
    known = [(name, tally.details.headings) for name, tally in parts if tally.details]
    if not known:
        return None
    from commonground.metrics.sentences import SentencesInParts  # noqa: PLC0415  # seldom asked for

    return SentencesInParts(known)


def _in_order(tally: Tally, key: tuple[By, str], sentences: Sentences | None) -> list[Bucket]:
    from commonground.metrics.breakdown import in_order  # noqa: PLC0415  # seldom asked for

    by, _ = key
    if "sentence" in by and tally.system:
        sentences = tally.system.sentences
    ids = sentences.ids if sentences and "sentence" in by else ()
    return in_order(tally.breakdowns[key], by, ids)

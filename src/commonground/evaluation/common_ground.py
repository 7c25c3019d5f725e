"""The scores of parses on the common ground of gold standards: of phrases, and of relations."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from commonground.evaluation.comparison_result import Scores
from commonground.evaluation.metric_score import Score
from commonground.evaluation.prepared_relations import PreparedRelations
from commonground.evaluation.prepared_trees import PreparedTrees
from commonground.evaluation.protocols import PROTOCOLS
from commonground.metrics.functions.common_phrases import METRICS, phrase_counts, share
from commonground.metrics.functions.common_relations import METRICS as RELATION_METRICS
from commonground.metrics.functions.common_relations import relation_counts
from commonground.metrics.functions.tedeval import NodeScoring
from commonground.metrics.items import Counts

__all__ = ["common_scores", "relation_scores"]


def common_scores(
    study: PreparedTrees, multiple: Mapping[str, Scores]
) -> dict[str, dict[str, Score]]:
    """Return the scores of each parse: attached, found, labelled, coverage and noise.

    They are the same in all versions of the protocol; the original programs have none. `multiple`
    are the scores MULTIPLE, which in 2012 count the same labelled nodes.
    """
    if study.protocol.original:
        return {name: {} for name in study.names}
    plain = PROTOCOLS["2012"]
    golds, parses = study.golds, study.parses
    if study.protocol is not plain:
        golds, parses = (study.trees_of(plain, side) for side in ("golds", "parses"))
    shared = [golds[name] for name in study.own_golds]
    counted = {name: scores.labelled.counts for name, scores in multiple.items()}
    if study.protocol is not plain:
        scoring, general = NodeScoring(), plain.common(*shared)
        counted = {
            name: scoring(parses[name], golds[study.gold_of[name]], general).counts
            for name in study.names
        }
    places = [study.own_golds.index(study.gold_of[name]) for name in study.names]
    phrases = phrase_counts(
        shared, [(parses[name], place) for name, place in zip(study.names, places, strict=True)]
    )
    by_system = {}
    for name, counts in zip(study.names, phrases, strict=True):
        columns = counted[name].columns
        counts["labelled"] = share(columns["correct"], columns["gold"])
        lost = study.lost.get(name)
        if lost is not None:
            counts |= {kind: _without_credit(kind, each, lost) for kind, each in counts.items()}
        bare = study.bare(name, *study.own_golds)
        by_system[name] = {
            kind: Score(
                metric,
                counts[kind],
                reason=(bare if kind == "labelled" else "") or _undefined(kind, counts[kind]),
            )
            for kind, metric in METRICS.items()
        }
    return by_system


def relation_scores(relations: PreparedRelations, name: str, multiple: Scores) -> dict[str, Score]:
    """Return the scores of a parse on common relations, given those of MULTIPLE."""
    own = relations.overlap(relations.gold_of[name], relations.gold_of[name])
    labelled, unlabelled = (score.counts for score in multiple.both.values())
    found = relation_counts(labelled, unlabelled, own.unlabelled.counts)
    lost = relations.lost.get(name)
    if lost is not None:
        found["noise"] = _without_credit("noise", found["noise"], lost)
    why = {kind: multiple.both[kind].undefined for kind in ("labelled", "unlabelled")}
    return {
        kind: Score(metric, found[kind], reason=why.get(kind, ""))
        for kind, metric in RELATION_METRICS.items()
    }


def _without_credit(kind: str, counts: Counts, lost: NDArray[np.bool_]) -> Counts:
    """Return counts in which the sentences that are lost have nothing right, or all wrong."""
    if kind == "coverage":  # which is about gold standards only
        return counts
    part, whole = counts.columns["correct"], counts.columns["gold"]
    return share(np.where(lost, whole if kind == "noise" else 0, part), whole)


def _undefined(kind: str, counts: Counts) -> str:
    if counts.totals["gold"] or kind in ("coverage", "noise"):
        return ""
    what = "label" if kind == "labelled" else "phrase"
    return f"the gold standards have no {what} in common"

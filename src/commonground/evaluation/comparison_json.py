"""Comparisons as JSON has them, decoded.

What was saved by sentence is there by sentence again, and can be tested; of the rest there are
sums, which is all that tables look at.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from commonground.errors import InputError
from commonground.evaluation.comparison_result import (
    CompareResult,
    ErrorCost,
    RelationScores,
    SchemeResult,
    Scores,
)
from commonground.evaluation.cross_conventions import CrossParts
from commonground.evaluation.decoding import Count, Number, decoded, one_of, unique_names
from commonground.evaluation.inventories import Translated
from commonground.evaluation.metric_score import Score
from commonground.evaluation.protocols import named_metrics
from commonground.evaluation.result import find_kind
from commonground.evaluation.system_json import ScoreJson, metric_named, saved_sentences
from commonground.metrics.functions import common_phrases, common_relations
from commonground.metrics.metric import Metric
from commonground.metrics.sentences import Sentences

__all__ = ["comparison_from"]

_KINDS = ("labelled", "unlabelled")


class _Counts(msgspec.Struct, frozen=True):
    labelled: dict[str, Count]
    unlabelled: dict[str, Count]


class _Common(msgspec.Struct, frozen=True):
    """The scores on the common ground by name, with the counts of each sentence."""

    counts: dict[str, dict[str, Count]] = {}
    by_sentence: dict[str, dict[str, list[Count]]] = {}
    undefined: dict[str, str] = {}

    def scores(
        self, path: str, sentences: int, metrics: Mapping[str, Metric] = common_phrases.METRICS
    ) -> dict[str, Score]:
        """Return the scores by some metrics, each of so many sentences."""
        by_name = {}
        for kind, counts in self.counts.items():
            one_of(path, "score on the common ground", kind, metrics)
            columns, why = self.by_sentence.get(kind, {}), self.undefined.get(kind, "")
            saved = ScoreJson(counts, columns, undefined=why)
            by_name[kind] = saved.score(metrics[kind], path, sentences)
        return by_name


class _Scores(msgspec.Struct, frozen=True):
    """Both scores of a comparison: their sums and, where saved, the counts of each sentence."""

    counts: _Counts
    by_sentence: dict[str, dict[str, list[Count]]] = {}
    undefined: dict[str, str] = {}

    def scores(self, path: str, sentences: int | None = None) -> Scores:
        """Return both by their sums, or with the counts of each of so many sentences."""
        metrics = named_metrics(self.counts.labelled)
        both: list[Score] = []
        for kind in _KINDS:
            saved = ScoreJson(
                getattr(self.counts, kind),
                self.by_sentence.get(kind, {}),
                undefined=self.undefined.get(kind, ""),
            )
            metric = metrics["single", kind]
            both.append(
                saved.summed(metric, path)
                if sentences is None
                else saved.score(metric, path, sentences)
            )
        return Scores(*both)


class _Relations(msgspec.Struct, frozen=True):
    """The scores of the relations of one system."""

    single: _Scores
    multiple: _Scores
    common: _Common
    against: dict[str, _Scores] = {}
    subsets: dict[str, _Scores] = {}

    def scores(self, path: str, sentences: int) -> RelationScores:
        """Return the scores, each of so many sentences."""
        return RelationScores(
            self.single.scores(path, sentences),
            self.multiple.scores(path, sentences),
            {name: scores.scores(path) for name, scores in self.against.items()},
            _by_set(self.subsets, path),
            self.common.scores(path, sentences, common_relations.METRICS),
        )


def _by_set(subsets: Mapping[str, _Scores], path: str) -> dict[tuple[str, ...], Scores]:
    return {tuple(names.split("+")): scores.scores(path) for names, scores in subsets.items()}


class _System(msgspec.Struct, frozen=True):
    name: str
    single: _Scores
    multiple: _Scores
    gold: str = ""
    against: dict[str, _Scores] = {}
    native: dict[str, dict[str, ScoreJson]] = {}
    subsets: dict[str, _Scores] = {}
    common: _Common = _Common()
    words: ScoreJson | None = None
    relations: _Relations | None = None
    sentences: tuple[str, ...] | None = None
    documents: tuple[str, ...] = ()

    def known_sentences(self, path: str) -> Sentences:
        """Return the sentences that the system was compared on."""
        return saved_sentences(self.sentences, self.documents, self.name, path)

    def scheme(self, path: str) -> SchemeResult:
        """Return what was found about the system."""
        count = len(self.known_sentences(path).ids)
        return SchemeResult(
            self.name,
            self.gold or self.name,
            self.single.scores(path, count),
            self.multiple.scores(path, count),
            {name: scores.scores(path) for name, scores in self.against.items()},
            {
                gold: {
                    name: score.summed(metric_named(name, path), path)
                    for name, score in scores.items()
                }
                for gold, scores in self.native.items()
            },
            _by_set(self.subsets, path),
            self.common.scores(path, count),
            self.words.summed(metric_named("words", path), path) if self.words else None,
            self.relations.scores(path, count) if self.relations else None,
        )


class _Mapped(msgspec.Struct, frozen=True):
    label: str
    hub: str
    count: Count


class _Labels(msgspec.Struct, frozen=True):
    inventory: str
    coverage: Number
    mapping: tuple[_Mapped, ...]
    learned_from: str = ""
    held_out_accuracy: Number | None = None

    def translated(self) -> Translated:
        """Return how labels became those of the hub."""
        mapping = {(each.label, each.hub): each.count for each in self.mapping}
        total = max(sum(mapping.values()), 1)
        return Translated(
            self.inventory,
            round(self.coverage * total),
            total,
            mapping,
            self.learned_from,
            self.held_out_accuracy,
        )


class _ErrorCost(msgspec.Struct, frozen=True):
    kind: str
    costs: Annotated[dict[str, Number], msgspec.Meta(min_length=1)]


class _CrossParts(msgspec.Struct, frozen=True):
    system: str
    gold: str
    structure: Count
    labels: Count
    errors: Count
    nodes: Count


class _Comparison(msgspec.Struct, frozen=True):
    signature: str
    systems: Annotated[tuple[_System, ...], msgspec.Meta(min_length=1)]
    overlap: dict[str, _Scores] = {}
    relation_overlap: dict[str, _Scores] = {}
    skipped: tuple[str, ...] = ()
    labels: dict[str, _Labels] = {}
    remarks: tuple[str, ...] = ()
    floor: dict[str, Number] = {}
    error_costs: dict[str, _ErrorCost] = {}
    conventions: tuple[_CrossParts, ...] = ()
    row_claims: dict[str, dict[str, Any]] = {}


def comparison_from(data: Mapping[str, Any], path: str) -> CompareResult:
    """Return the comparison that JSON holds, which was read from `path`."""
    saved = decoded(data, _Comparison, path)
    systems = tuple(system.scheme(path) for system in saved.systems)
    unique_names(path, [system.name for system in systems])
    golds = {system.gold for system in systems}
    for system in systems:
        if lacking := sorted(golds - {system.gold} - system.against.keys()):
            raise InputError(path, 0, f"{system.name} has no scores against {lacking[0]!r}")
    if any(system.sentences != saved.systems[0].sentences for system in saved.systems):
        raise InputError(path, 0, "its systems do not have the same sentences")
    if any(system.common.keys() != systems[0].common.keys() for system in systems):
        raise InputError(path, 0, "its systems do not have the same scores on the common ground")
    if len({system.relations is None for system in systems}) > 1:
        raise InputError(path, 0, "its systems do not all have scores of relations")
    known = [metric.name for metric in named_metrics(()).values()]
    for name in (*saved.floor, *saved.error_costs):
        one_of(path, "metric", name, known)
    claims = find_kind({"kind": "claims"})
    return CompareResult(
        saved.signature,
        systems,
        {_two(pair, golds, path): scores.scores(path) for pair, scores in saved.overlap.items()},
        saved.skipped,
        saved.systems[0].known_sentences(path),
        {name: each.translated() for name, each in saved.labels.items()},
        saved.remarks,
        saved.floor,
        {name: ErrorCost(each.kind, each.costs) for name, each in saved.error_costs.items()},
        {
            (each.system, each.gold): CrossParts(
                each.structure, each.labels, each.errors, each.nodes
            )
            for each in saved.conventions
        },
        {_two(p, golds, path): scores.scores(path) for p, scores in saved.relation_overlap.items()},
        row_claims={name: claims.from_json(e, path) for name, e in saved.row_claims.items()},
    )


def _two(pair: str, golds: set[str], path: str) -> tuple[str, str]:
    """Return the two gold standards of an overlap; their names may have a plus themselves."""
    for one in sorted(golds):
        for other in sorted(golds):
            if pair == f"{one}+{other}":
                return one, other
    raise InputError(path, 0, f"the overlap of {pair!r} is not that of two gold standards")

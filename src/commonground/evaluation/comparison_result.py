"""The result of a comparison across schemes: what was found about each system, and the overlaps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from commonground.evaluation.cross_conventions import CrossParts
from commonground.evaluation.inventories import Translated
from commonground.evaluation.metric_score import Score
from commonground.evaluation.protocols import FAIR, named_metrics
from commonground.evaluation.result import MEMORY, Result, System, find_system
from commonground.evaluation.signature import short_form
from commonground.metrics.sentences import Sentences

__all__ = [
    "CompareResult",
    "RelationScores",
    "SchemeResult",
    "Scores",
]


@dataclass(frozen=True)
class Scores:
    """TedEval of one comparison, labelled and unlabelled."""

    labelled: Score
    unlabelled: Score

    @property
    def both(self) -> dict[str, Score]:
        """The two scores by their names."""
        return {"labelled": self.labelled, "unlabelled": self.unlabelled}

    @property
    def means(self) -> dict[str, float | None]:
        """The means of the scores of sentences, None where a score is undefined."""
        return {
            name: None if score.undefined else float(np.mean(score.by_sentence()))
            for name, score in self.both.items()
        }

    def to_json(self, *, details: bool = False) -> dict[str, Any]:
        """Return both scores with their counts, with `details` those of each sentence too."""
        mean = {"mean": self.means} if details else {}
        return _scores_json(self.both, details=details) | mean


def _scores_json(scores: Mapping[str, Score], *, details: bool) -> dict[str, Any]:
    """Return scores with their counts, with `details` those of each sentence too."""
    data: dict[str, Any] = {name: score.value for name, score in scores.items()}
    why = {name: score.undefined for name, score in scores.items() if score.undefined}
    data |= {"undefined": why} if why else {}
    data["counts"] = {name: score.counts.totals for name, score in scores.items()}
    if details:
        data["by_sentence"] = {name: score.counts.to_json() for name, score in scores.items()}
    return data


_TESTED = ("uas", "las", "parseval_f1")
"""The native metrics that are tested."""


@dataclass(frozen=True)
class RelationScores:
    """What was found about the relations of one system, as about its nodes in `SchemeResult`."""

    single: Scores
    multiple: Scores
    against: dict[str, Scores]
    subsets: dict[tuple[str, ...], Scores]
    common: dict[str, Score]

    def on(self, gold: str) -> Scores:
        """Return the scores on a gold standard as it stands."""
        return self.against.get(gold, self.single)

    def to_json(self) -> dict[str, Any]:
        """Return them as JSON has them."""
        return {
            "single": self.single.to_json(details=True),
            "multiple": self.multiple.to_json(details=True),
            "common": _scores_json(self.common, details=True),
            **_further_json(self.against, self.subsets),
        }


def _further_json(
    against: Mapping[str, Scores], subsets: Mapping[tuple[str, ...], Scores]
) -> dict[str, Any]:
    return {
        "against": {name: scores.to_json() for name, scores in against.items()},
        "subsets": {"+".join(names): scores.to_json() for names, scores in subsets.items()},
    }


@dataclass(frozen=True)
class SchemeResult:
    """What was found about one system, whose gold standard is called `gold`.

    `common` has the scores on the common ground by name (see metrics/functions/common_phrases.py),
    nothing with the protocols of original programs. `against` has the scores on each other gold
    standard as it stands, `native` those of the metrics of its kind on each gold standard that it
    can be scored on, `subsets` MULTIPLE for sets of gold standards with its own one in it. `words`
    is the F1 of its segmentation into words, if that is not the one of its gold standard.
    `relations` are the scores of its relations, where these were compared.
    """

    name: str
    gold: str
    single: Scores
    multiple: Scores
    against: dict[str, Scores]
    native: dict[str, dict[str, Score]]
    subsets: dict[tuple[str, ...], Scores]
    common: dict[str, Score] = field(default_factory=dict)
    words: Score | None = None
    relations: RelationScores | None = None

    @property
    def ways(self) -> dict[str, dict[str, Score]]:
        """The scores by the way of scoring and their names."""
        ways = {"common": self.common, "single": self.single.both, "multiple": self.multiple.both}
        if found := self.relations:
            ways |= {"relations": found.common, "relations_single": found.single.both}
            ways |= {"relations_multiple": found.multiple.both}
        return ways

    def on(self, gold: str) -> Scores:
        """Return the scores on a gold standard as it stands."""
        return self.single if gold == self.gold else self.against[gold]

    def to_json(self) -> dict[str, Any]:
        """Return the system as JSON has it."""
        return {
            "name": self.name,
            "gold": self.gold,
            "single": self.single.to_json(details=True),
            "multiple": self.multiple.to_json(details=True),
            **({"common": _scores_json(self.common, details=True)} if self.common else {}),
            **({"words": self.words.to_json()} if self.words else {}),
            **_further_json(self.against, self.subsets),
            "native": {
                name: {metric: score.to_json() for metric, score in scores.items()}
                for name, scores in self.native.items()
            },
            **({"relations": self.relations.to_json()} if self.relations else {}),
        }


@dataclass(frozen=True, slots=True)
class ErrorCost:
    """What the same errors of a `kind` cost in each gold standard, as a share of a score."""

    kind: str
    costs: Mapping[str, float]

    @property
    def ratio(self) -> float:
        """The lowest of the costs by the highest; 1 is fair."""
        return min(self.costs.values()) / max(self.costs.values())

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"kind": self.kind, "costs": dict(self.costs)}


def costs_in(gold: str, costs: Mapping[str, ErrorCost]) -> dict[str, float]:
    """Return what errors cost in one gold standard, by metric."""
    return {name: each.costs[gold] for name, each in costs.items() if gold in each.costs}


@dataclass(frozen=True, repr=False)
class CompareResult(Result):
    """The scores of all systems, the overlap of their gold standards, and the signature.

    `sentences` are those that all systems were compared on. `translated` tells how the labels of
    the gold standards became those of the hub, where they did; `remarks` what of f-structures could
    not be anchored in the words. `claims` is what tests have found about MULTIPLE, and `row_claims`
    about the other rows, if they were asked for. `floor` is what a parse
    that knows nothing gets, `error_costs` what the same planted errors cost in each gold standard,
    both by metric; `conventions` what each parse loses on each other gold standard;
    `relation_overlap` the overlap of relations, where these were compared.
    """

    kind: ClassVar[str] = "comparison"
    verb: ClassVar[str] = "compare"

    signature: str
    systems: tuple[SchemeResult, ...]
    overlap: dict[tuple[str, str], Scores]
    skipped: tuple[str, ...]
    sentences: Sentences
    translated: dict[str, Translated] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    floor: Mapping[str, float] = field(default_factory=dict)
    error_costs: Mapping[str, ErrorCost] = field(default_factory=dict)
    conventions: Mapping[tuple[str, str], CrossParts] = field(default_factory=dict)
    relation_overlap: Mapping[tuple[str, str], Scores] = field(default_factory=dict)
    claims: Any = field(default=None, kw_only=True, repr=False, compare=False)
    row_claims: Mapping[str, Any] = field(
        default_factory=dict, kw_only=True, repr=False, compare=False
    )

    def __repr__(self) -> str:
        return "\n".join([*map(repr, self.tested()), short_form(self.signature)])

    def __getitem__(self, name: str) -> SchemeResult:
        return find_system({system.name: system for system in self.systems}, name)

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each system, gold standard and kind of labels."""
        rows = []
        for system in self.systems:
            on = {"all": system.multiple, system.gold: system.single, **system.against}
            rows += [
                {"system": system.name, "gold": gold, "labels": kind, "score": score.value}
                for gold, scores in on.items()
                for kind, score in scores.both.items()
            ]
            rows += [
                {"system": system.name, "gold": "common", "labels": kind, "score": score.value}
                for kind, score in system.common.items()
            ]
            for way in ("relations", "relations_single", "relations_multiple"):
                rows += [
                    {"system": system.name, "gold": way, "labels": kind, "score": score.value}
                    for kind, score in system.ways.get(way, {}).items()
                ]
        return rows

    @property
    def golds(self) -> dict[str, list[str]]:
        """The systems that have each gold standard."""
        by_gold: dict[str, list[str]] = {}
        for system in self.systems:
            by_gold.setdefault(system.gold, []).append(system.name)
        return by_gold

    def tested(self) -> tuple[System, ...]:
        """Return the systems with what can be tested between them: common ground and MULTIPLE."""
        return tuple(
            replace(system, scores={n: s for n, s in system.scores.items() if n in FAIR})
            for system in self.scored()
        )

    def scored(self) -> tuple[System, ...]:
        """Return the systems with SINGLE, which is about another gold standard for each, too."""
        metrics = named_metrics(self.systems[0].multiple.labelled.counts.columns)
        return tuple(
            System(
                system.name,
                {
                    metric.name: replace(scores[kind], metric=metric)
                    for (way, kind), metric in metrics.items()
                    for scores in [system.ways.get(way, {})]
                    if kind in scores
                },
                self.skipped,
                kept=self.sentences,
                error_costs=costs_in(system.gold, self.error_costs),
                gold_name=system.gold,
            )
            for system in self.systems
        )

    def rows(self) -> dict[str, tuple[System, ...]]:
        """Return what can be tested besides MULTIPLE: SINGLE, pairs of golds, and native metrics.

        SINGLE of systems with different gold standards tells a gap between experiments, not between
        parsers; on what two gold standards agree on, only the systems that have them are scored.
        Native metrics are those of a gold standard on the parses of its kind, of other schemes too.
        """
        metrics = named_metrics(self.systems[0].multiple.labelled.counts.columns)
        tested = {"SINGLE": [(system, system.single) for system in self.systems]}
        sets = {names for system in self.systems for names in system.subsets}
        for names in sorted(sets):
            if len(names) == 2 < len(self.golds):
                scored = [(s, s.subsets[names]) for s in self.systems if names in s.subsets]
                tested[f"MULTIPLE of {' + '.join(names)}"] = scored
        rows = {
            title: tuple(
                System(
                    system.name,
                    {
                        metric.name: replace(scores.both[kind], metric=metric)
                        for (way, kind), metric in metrics.items()
                        if way == ("single" if title == "SINGLE" else "multiple")
                    },
                    self.skipped,
                    kept=self.sentences,
                )
                for system, scores in scored
            )
            for title, scored in tested.items()
        }
        return rows | self._native_rows()

    def _native_rows(self) -> dict[str, tuple[System, ...]]:
        """Return the native metrics on each gold standard that several parses have them on."""
        by_title = {}
        for gold in self.golds:
            scored = {
                system.name: {metric: native[metric] for metric in _TESTED if metric in native}
                for system in self.systems
                if (native := system.native.get(gold, {}))
            }
            systems = tuple(
                System(name, native, self.skipped, kept=self.sentences)
                for name, native in scored.items()
                if {len(score.counts) for score in native.values()} == {len(self.sentences.ids)}
            )
            if len(systems) > 1:
                by_title[f"native metrics on {gold}"] = systems
        return by_title

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON has it."""
        data: dict[str, Any] = {
            "kind": self.kind,
            "signature": self.signature,
            "systems": [
                {**system.to_json(), **self.sentences.to_json()} for system in self.systems
            ],
            "overlap": {
                "+".join(names): scores.to_json() for names, scores in self.overlap.items()
            },
            "tests": [],
        }
        if self.relation_overlap:
            data["relation_overlap"] = {
                "+".join(names): scores.to_json() for names, scores in self.relation_overlap.items()
            }
        if self.floor:
            data["floor"] = dict(self.floor)
        if self.error_costs:
            data["error_costs"] = {name: each.to_json() for name, each in self.error_costs.items()}
        if self.translated:
            data["labels"] = {name: each.to_json() for name, each in self.translated.items()}
        if self.conventions:
            data["conventions"] = [
                {"system": system, "gold": gold, **parts.to_json()}
                for (system, gold), parts in self.conventions.items()
            ]
        if self.remarks:
            data["remarks"] = list(self.remarks)
        if self.row_claims:
            data["row_claims"] = {name: each.to_json() for name, each in self.row_claims.items()}
        return {**data, "skipped": list(self.skipped)} if self.skipped else data

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = MEMORY) -> CompareResult:
        """Return the comparison that JSON holds, SINGLE and MULTIPLE by sentence."""
        from commonground.evaluation.comparison_json import comparison_from  # noqa: PLC0415  # seldom

        return comparison_from(data, path)

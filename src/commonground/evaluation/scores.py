"""The scores of parses of one gold standard, or of many: what ``evaluate`` finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

from commonground.errors import UsageError
from commonground.evaluation.metric_score import Score
from commonground.evaluation.result import MEMORY, Result, System, find_system
from commonground.evaluation.signature import short_form
from commonground.streamed_json import whole

if TYPE_CHECKING:
    from commonground.metrics.breakdown import Bucket
    from commonground.metrics.confusion import ConfusionCell

__all__ = ["Broken", "Evaluation"]

By = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """A system with a parse that could not be scored: the name of the pair, and the reason."""

    system: str
    file: str = ""
    reason: str = ""

    def to_json(self) -> dict[str, str]:
        """Return it as JSON has it."""
        return {
            "system": self.system,
            **({"file": self.file} if self.file else {}),
            "reason": self.reason,
        }


@dataclass(frozen=True, repr=False)
class Evaluation(Result):
    """The scores of one or more parses.

    With several pairs of files, `systems` have the pooled scores (the micro average), and `pairs`
    has each pair by its name. `breakdowns` are by the system, the properties and the metric,
    `confusions` by the system and what is confused. `broken` are the parses that could not be
    scored; `claims` is what tests have found about the systems, if they were asked for. The scores
    of a single system are available directly: ``result["las"].value``.
    """

    kind: ClassVar[str] = "evaluation"
    verb: ClassVar[str] = "evaluate"

    signature: str
    systems: tuple[System, ...]
    pairs: Mapping[str, Evaluation] = field(default_factory=dict)
    breakdowns: Mapping[tuple[str, By, str], list[Bucket]] = field(default_factory=dict)
    confusions: Mapping[tuple[str, str], list[ConfusionCell]] = field(default_factory=dict)
    broken: tuple[Broken, ...] = ()
    claims: Any = field(default=None, kw_only=True, repr=False, compare=False)

    def __getitem__(self, name: str) -> Score:
        """Return the score of a metric; there must be only one system."""
        return self.only[name]

    @property
    def only(self) -> System:
        """The system, where there is only one."""
        if len(self.systems) > 1:
            names = ", ".join(system.name for system in self.systems)
            raise UsageError(f"there are several systems ({names}); system(NAME) returns one")
        return self.systems[0]

    def system(self, name: str) -> System:
        """Return a system by its name."""
        return find_system({system.name: system for system in self.systems}, name)

    def breakdown(self, by: str | Sequence[str], metric: str = "") -> dict[str, list[Bucket]]:
        """Return the buckets of each system by properties: ``result.breakdown("deprel")``.

        Several properties are a list, or have commas between them; without a metric, it is the last
        one that has such properties.
        """
        from commonground.evaluation.tally import suited  # noqa: PLC0415  # seldom asked for
        from commonground.metrics.breakdown import in_order  # noqa: PLC0415
        from commonground.metrics.by import property_names  # noqa: PLC0415

        parts = [by] if isinstance(by, str) else by
        names = tuple(name for part in parts for name in property_names(part))
        known = {m: None for system, its_by, m in self.breakdowns if its_by == names}
        if known and (metric in known or not metric):
            chosen = metric or list(known)[-1]
            return {s.name: self.breakdowns[s.name, names, chosen] for s in self.systems}
        chosen = metric or suited(self.systems[0], names)[-1]
        return {
            system.name: in_order(
                system.breakdown(chosen, names),
                names,
                system.sentences.ids if "sentence" in names and system.sentences else (),
            )
            for system in self.systems
        }

    def macro(self, system: str, metric: str) -> float | None:
        """Return the mean of the scores of the pairs that have one."""
        scores = [pair.system(system)[metric].value for pair in self.pairs.values()]
        known = [score for score in scores if score is not None]
        return sum(known) / len(known) if known else None

    def table_records(self, table: str) -> list[dict[str, Any]]:
        """Return the rows of a table; ``breakdown`` has a row for each system, metric and value.

        >>> import commonground as cg
        >>> result = cg.evaluate("example:ud", "example:ud-parse", metrics=["las"], by=["upos"])
        >>> result.table_records("breakdown")[0]["upos"]
        'NOUN'
        """
        if table.casefold() not in ("breakdown", "breakdowns"):
            return super().table_records(table)
        if not self.breakdowns:
            raise UsageError('no score was broken down; evaluate(…, by=["deprel"]) does it')
        return [
            {
                "parse": system,
                "metric": metric,
                **dict(zip(by, bucket.values, strict=True)),
                **bucket.counts,
                "precision": bucket.precision,
                "recall": bucket.recall,
                "f1": bucket.f1,
            }
            for (system, by, metric), buckets in self.breakdowns.items()
            for bucket in buckets
        ]

    @property
    def files(self) -> Mapping[str, tuple[System, ...]]:
        """The systems on each of several files, by its name."""
        return {name: pair.systems for name, pair in self.pairs.items()}

    def tested(self) -> tuple[System, ...]:
        """Return the systems: all are scored against the same gold standard."""
        return self.systems

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each system and metric, with the counts; those of pairs first."""
        rows = [
            {"file": name, **row} for name, pair in self.pairs.items() for row in pair.records()
        ]
        for system in self.systems:
            for name, score in system.scores.items():
                row = {"system": system.name, "metric": name, "score": score.value}
                counts = {f"n_{column}": total for column, total in score.counts.totals.items()}
                rows.append({**({"file": "all"} if self.pairs else {}), **row, **counts})
        return rows

    def to_json(self, *, scores: bool = False) -> dict[str, Any]:
        """Return the evaluation as JSON has it, with `scores` those of each sentence too."""
        data: dict[str, Any] = whole(self.json_in_parts(scores=scores))
        return data

    def json_in_parts(self, *, scores: bool = False) -> dict[str, Any]:
        """Return the same with what there is of each sentence in parts."""
        data: dict[str, Any] = {
            "kind": self.kind,
            "signature": self.signature,
            "systems": [
                {**system.json_in_parts(scores=scores), **self._pairs_json(system)}
                for system in self.systems
            ],
            "tests": [],
        }
        if self.broken:
            data["broken"] = [each.to_json() for each in self.broken]
        if self.breakdowns:
            data["breakdowns"] = [
                {"system": system, "metric": metric, "by": list(by), "buckets": _buckets(buckets)}
                for (system, by, metric), buckets in self.breakdowns.items()
            ]
        if self.confusions:
            data["confusions"] = [
                {"system": system, "of": what, "cells": list(map(_cell, cells))}
                for (system, what), cells in self.confusions.items()
            ]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = MEMORY) -> Self:
        """Return the evaluation that JSON holds, with the counts of each sentence.

        Of each of several files it has the sums.
        """
        from commonground.evaluation.evaluation_json import evaluation_fields  # noqa: PLC0415  # seldom

        return cls(*evaluation_fields(data, path))

    @classmethod
    def of_files(
        cls,
        signature: str,
        systems: Sequence[System],
        files: Mapping[str, Sequence[System]],
    ) -> Self:
        """Return the evaluation of systems, and of these on each of several files."""
        pairs = {name: cls(signature, tuple(each)) for name, each in files.items()}
        return cls(signature, tuple(systems), pairs)

    def _pairs_json(self, system: System) -> dict[str, Any]:
        if not self.pairs:
            return {}
        return {
            "macro": {metric: self.macro(system.name, metric) for metric in system.scores},
            "pairs": [
                {**pair.system(system.name).to_json(details=False), "name": name}
                for name, pair in self.pairs.items()
            ],
        }

    def __repr__(self) -> str:
        return "\n".join([*map(repr, self.systems), short_form(self.signature)])


def _buckets(buckets: Iterable[Bucket]) -> list[dict[str, Any]]:
    return [
        {
            "values": list(bucket.values),
            "precision": bucket.precision,
            "recall": bucket.recall,
            "f1": bucket.f1,
            "counts": bucket.counts,
        }
        for bucket in buckets
    ]


def _cell(cell: ConfusionCell) -> dict[str, Any]:
    contexts = cell.contexts or [""] * len(cell.examples)
    examples = [
        {"sentence": sentence, "word": word, **({"context": context} if context else {})}
        for (sentence, word), context in zip(cell.examples, contexts, strict=True)
    ]
    return {"gold": cell.gold, "system": cell.system, "count": cell.count, "examples": examples}

"""Evaluations as JSON has them, decoded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

from commonground.errors import InputError
from commonground.evaluation.decoding import Count, decoded, one_of, unique_names
from commonground.evaluation.result import System
from commonground.evaluation.scores import Broken, Evaluation
from commonground.evaluation.system_json import SystemJson
from commonground.metrics.breakdown import Bucket
from commonground.metrics.confusion import CONFUSIONS, ConfusionCell

__all__ = ["evaluation_fields", "systems_on_files"]

_Positive = Annotated[int, msgspec.Meta(ge=1, lt=1 << 53)]
_COUNTED = ("correct", "gold", "system", "system_correct")
"""What is counted in each bucket."""


class _Breakdown(msgspec.Struct, frozen=True):
    system: str
    metric: str
    by: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    buckets: tuple[_Bucket, ...]


class _Bucket(msgspec.Struct, frozen=True):
    values: tuple[str, ...]
    counts: dict[str, Count]


class _Example(msgspec.Struct, frozen=True):
    sentence: str
    word: Count
    context: str = ""


class _Cell(msgspec.Struct, frozen=True):
    gold: str
    system: str
    count: _Positive
    examples: tuple[_Example, ...] = ()

    def cell(self) -> ConfusionCell:
        contexts = tuple(each.context for each in self.examples)
        places = tuple((each.sentence, each.word) for each in self.examples)
        known = contexts if any(contexts) else ()
        return ConfusionCell(self.gold, self.system, self.count, places, known)


class _Confusions(msgspec.Struct, frozen=True):
    system: str
    of: str
    cells: tuple[_Cell, ...]


class _Evaluation(msgspec.Struct, frozen=True):
    signature: str
    systems: Annotated[tuple[SystemJson, ...], msgspec.Meta(min_length=1)]
    broken: tuple[Broken, ...] = ()
    breakdowns: tuple[_Breakdown, ...] = ()
    confusions: tuple[_Confusions, ...] = ()


def evaluation_fields(data: Mapping[str, Any], path: str) -> tuple[Any, ...]:
    """Return the fields of the evaluation that JSON holds, which was read from `path`."""
    saved = decoded(data, _Evaluation, path)
    systems = tuple(system.system(path) for system in saved.systems)
    unique_names(path, [system.name for system in systems])
    pairs = {
        name: Evaluation(saved.signature, each)
        for name, each in systems_on_files(saved.systems, path).items()
    }
    return (
        saved.signature,
        systems,
        pairs,
        _breakdowns(saved.breakdowns, systems, path),
        _confusions(saved.confusions, systems, path),
        saved.broken,
    )


def systems_on_files(systems: Sequence[SystemJson], path: str) -> dict[str, tuple[System, ...]]:
    """Return the systems on each of several files, by its name; what is saved of it are sums."""
    names = [pair.name for pair in systems[0].pairs]
    if any([pair.name for pair in system.pairs] != names for system in systems):
        raise InputError(path, 0, "its systems do not have the same pairs of files")
    for system in systems:
        if any(list(pair.metrics) != list(system.metrics) for pair in system.pairs):
            raise InputError(path, 0, f"{system.name} does not have the same metrics on all files")
    return {
        name: tuple(system.pairs[place].summed(path, system.name) for system in systems)
        for place, name in enumerate(names)
    }


def _breakdowns(
    saved: Sequence[_Breakdown], systems: Sequence[System], path: str
) -> dict[tuple[str, tuple[str, ...], str], list[Bucket]]:
    breakdowns = {}
    for each in saved:
        one_of(path, "metric", each.metric, systems[0].scores)
        for bucket in each.buckets:
            for name in _COUNTED:
                one_of(path, "count", name, bucket.counts)
            if len(bucket.values) != len(each.by):
                raise InputError(path, 0, f"a bucket has not one value for each of {each.by}")
        breakdowns[each.system, each.by, each.metric] = [
            Bucket(b.values, b.counts) for b in each.buckets
        ]
    for _, by, metric in list(breakdowns):
        for system in systems:
            if (system.name, by, metric) not in breakdowns:
                raise InputError(path, 0, f"{system.name} has no breakdown by {', '.join(by)}")
    return breakdowns


def _confusions(
    saved: Sequence[_Confusions], systems: Sequence[System], path: str
) -> dict[tuple[str, str], list[ConfusionCell]]:
    for each in saved:
        one_of(path, "confusion", each.of, CONFUSIONS)
        one_of(path, "system", each.system, [system.name for system in systems])
    return {(each.system, each.of): [cell.cell() for cell in each.cells] for each in saved}

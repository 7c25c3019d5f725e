"""What a scoring of phenomena found: recall per kind of dependency, phenomenon and system."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Self
from zlib import crc32

import msgspec
import numpy as np

from commonground.corpus import Corpus
from commonground.corpus.fingerprint import fingerprint
from commonground.errors import InputError, UsageError
from commonground.evaluation.decoding import decoded, one_of, unique_names
from commonground.evaluation.metric_score import Score
from commonground.evaluation.result import MEMORY, Result, System, find_system
from commonground.evaluation.signature import signature
from commonground.evaluation.system_json import SystemJson
from commonground.formats.format import FormatOptions
from commonground.formats.registry import detect, find_format, format_packages
from commonground.formats.storage.files import read_bytes, shown
from commonground.metrics.items import Counts
from commonground.metrics.phenomena import ALL, MACRO, recall_of
from commonground.metrics.sentences import Sentences
from commonground.phenomena.gold import Gold, read_gold, write_gold
from commonground.phenomena.mapping import Mapping as Rules
from commonground.phenomena.mapping import find_mapping, mapping_plugins
from commonground.phenomena.recovery import ceiling, read_trees, recovered, trees_beside
from commonground.phenomena.score import Outcome, judge, mapping_for
from commonground.phenomena.words import WINDOW

__all__ = ["UNANALYSED", "Phenomena", "Row", "Scheme", "score_phenomena"]

UNANALYSED = 0.1
"""A dependency with a lower recall is virtually unanalysed."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """What an output is read as: the `mapping`, its `status`, and what it can say at best.

    ``recoverable`` tells of each target whether it is there with what rules add, ``ceiling``
    whether the mapping finds it in gold trees; both are None where that cannot be told.
    """

    mapping: str = ""
    status: str = ""
    recoverable: Sequence[bool] | None = None
    ceiling: Sequence[bool] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A target as a result keeps it, with what became of it in each system."""

    item: str
    phenomenon: str
    name: str
    positive: bool
    dependency: str
    distance: int


@dataclass(frozen=True, repr=False)
class Phenomena(Result):
    """The recall of phenomena by one or more systems, and what became of each target.

    `rows` are the targets; ``outcomes[system]`` tells for each of them whether it was recalled, and
    why or why not; ``schemes[system]`` what it was read as, and what that can say. `claims` is what
    tests have found about the systems, if they were asked for.
    """

    kind: ClassVar[str] = "phenomena"
    verb: ClassVar[str] = "phenomena score"

    signature: str
    systems: tuple[System, ...]
    rows: tuple[Row, ...]
    outcomes: Mapping[str, Sequence[tuple[bool, str]]] = field(repr=False)
    schemes: Mapping[str, Scheme] = field(default_factory=dict, repr=False)
    claims: Any = field(default=None, kw_only=True, repr=False, compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The kinds of dependencies, each once: ``phenomena.ned.mod``."""
        return tuple(dict.fromkeys(row.name for row in self.rows))

    @property
    def phenomena(self) -> tuple[str, ...]:
        """The phenomena, each once."""
        return tuple(dict.fromkeys(row.phenomenon for row in self.rows))

    def system(self, name: str) -> System:
        """Return a system by its name."""
        return find_system({system.name: system for system in self.systems}, name)

    def ordered(self) -> list[tuple[str, list[str]]]:
        """Return the phenomena by rising difficulty, each with its kinds, as the paper's figure.

        Of the kinds of a phenomenon that one stands first on which most systems score higher.
        """
        kinds = {
            phenomenon: list(
                dict.fromkeys(row.name for row in self.rows if row.phenomenon == phenomenon)
            )
            for phenomenon in self.phenomena
        }
        for names in kinds.values():
            names.sort(key=lambda name: -self._wins(name, names))
        easy = {each: self._mean([f"{ALL}.{each}"]) for each in kinds}
        return sorted(kinds.items(), key=lambda entry: -easy[entry[0]])

    def _wins(self, name: str, others: Sequence[str]) -> float:
        """Return how often systems score higher on a kind than on others; the mean breaks ties."""
        wins = sum(
            _value(system, name) > _value(system, other)
            for system in self.systems
            for other in others
            if other != name
        )
        return wins + self._mean([name]) / 2

    def _mean(self, names: Sequence[str]) -> float:
        values = [_value(system, name) for system in self.systems for name in names]
        return sum(values) / len(values)

    def unanalysed(self) -> list[tuple[str, str, float]]:
        """Return systems with dependencies that they virtually do not analyse, and the recall.

        A phenomenon is virtually unanalysed if one of its dependencies is: the paper counts *ned*,
        whose second dependency hardly any parser has.
        """
        return [
            (system.name, name, value)
            for system in self.systems
            for name in self.names
            if (value := _value(system, name)) < UNANALYSED
        ]

    def share(self, name: str, right: Sequence[bool]) -> float | None:
        """Return the share of the targets of a kind, or of all (``phenomena``), that are right."""
        chosen = [
            each for row, each in zip(self.rows, right, strict=True) if name in (ALL, row.name)
        ]
        return sum(chosen) / len(chosen) if chosen else None

    def distances(self) -> dict[str, tuple[float, int]]:
        """Return the average and the largest distance of each kind, as in the paper's Table 3."""
        by_kind: dict[str, list[int]] = {}
        for row in self.rows:
            by_kind.setdefault(row.name, []).append(row.distance)
        return {name: (sum(each) / len(each), max(each)) for name, each in by_kind.items()}

    def tested(self) -> tuple[System, ...]:
        """Return the systems: all are scored against the same targets."""
        return self.systems

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each system and name of recall."""
        return [
            {
                "system": system.name,
                "metric": name,
                "score": score.value,
                **{f"n_{column}": score.counts.totals[column] for column in ("correct", "gold")},
            }
            for system in self.systems
            for name, score in system.scores.items()
        ]

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON has it."""
        targets = [
            {
                "item": row.item,
                "phenomenon": row.phenomenon,
                "name": row.name,
                "positive": row.positive,
                "dependency": row.dependency,
                "distance": row.distance,
                "outcomes": {
                    name: {
                        "recalled": each[place][0],
                        "why": each[place][1],
                        **self._potential(name, place),
                    }
                    for name, each in self.outcomes.items()
                },
            }
            for place, row in enumerate(self.rows)
        ]
        return {
            "kind": self.kind,
            "signature": self.signature,
            "systems": [system.to_json() for system in self.systems],
            "mappings": {
                name: {"mapping": each.mapping, "status": each.status}
                for name, each in self.schemes.items()
            },
            "targets": targets,
            "unanalysed": [
                {
                    "system": system,
                    "phenomenon": name.split(".")[1],
                    "dependency": name,
                    "recall": value,
                }
                for system, name, value in self.unanalysed()
            ],
            "tests": [],
        }

    def _potential(self, name: str, place: int) -> dict[str, bool]:
        scheme = self.schemes.get(name, Scheme())
        known = {"recoverable": scheme.recoverable, "ceiling": scheme.ceiling}
        return {key: each[place] for key, each in known.items() if each is not None}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = MEMORY) -> Self:
        """Return the result that JSON holds."""
        saved = decoded(data, _PhenomenaJson, path)
        systems = tuple(system.system(path) for system in saved.systems)
        unique_names(path, [system.name for system in systems])
        for target in saved.targets:
            for system in systems:
                one_of(path, "outcome of", system.name, target.outcomes)
        outcomes = {
            system.name: [
                (outcome.recalled, outcome.why)
                for target in saved.targets
                for outcome in [target.outcomes[system.name]]
            ]
            for system in systems
        }
        schemes = {
            name: Scheme(
                each.mapping,
                each.status,
                _told([target.outcomes[name].recoverable for target in saved.targets]),
                _told([target.outcomes[name].ceiling for target in saved.targets]),
            )
            for name, each in saved.mappings.items()
            if name in outcomes
        }
        rows = tuple(target.row() for target in saved.targets)
        result = cls(saved.signature, systems, rows, outcomes, schemes)
        needed = (ALL, MACRO, *(f"{ALL}.{each}" for each in result.phenomena), *result.names)
        for system in result.systems:
            for name in needed:
                if name not in system.scores:
                    message = f"{system.name} has no score {name!r}, of which there are targets"
                    raise InputError(path, 0, message)
        return result

    def __repr__(self) -> str:
        return "\n".join([*map(repr, self.systems), self.signature])


def _told(values: Sequence[bool | None]) -> Sequence[bool] | None:
    """Return what is told of all targets; None where it is not."""
    told = [value for value in values if value is not None]
    return told if told and len(told) == len(values) else None


class _Outcome(msgspec.Struct, frozen=True):
    recalled: bool
    why: str
    recoverable: bool | None = None
    ceiling: bool | None = None


class _Scheme(msgspec.Struct, frozen=True):
    mapping: str
    status: str


class _Target(msgspec.Struct, frozen=True):
    item: str
    phenomenon: str
    name: str
    positive: bool
    dependency: str
    distance: int
    outcomes: dict[str, _Outcome]

    def row(self) -> Row:
        """Return the target without what became of it."""
        return Row(
            self.item,
            self.phenomenon,
            self.name,
            self.positive,
            self.dependency,
            self.distance,
        )


class _PhenomenaJson(msgspec.Struct, frozen=True):
    signature: str
    systems: Annotated[tuple[SystemJson, ...], msgspec.Meta(min_length=1)]
    targets: tuple[_Target, ...]
    mappings: dict[str, _Scheme] = {}


def _value(system: System, name: str) -> float:
    return system.scores[name].value or 0.0


def score_phenomena(
    gold: Gold | str | os.PathLike[str],
    outputs: Mapping[str, Corpus | str | os.PathLike[str]],
    *,
    mappings: Mapping[str, str] | str | None = None,
    format: str | None = None,
    window: int = WINDOW,
    gold_trees: Sequence[Corpus | str | os.PathLike[str]] | None = None,
) -> Phenomena:
    """Score the outputs of parsers, by name, on the phenomena of a gold standard.

    `mappings` names the mapping for all outputs, or for each by its name; by default it is chosen
    by the kind of output. `gold_trees` are gold analyses of the sentences, in UD or brackets, from
    which the ceiling of a mapping is told; by default those that stand beside the gold standard.

    >>> result = score_phenomena("example:phenomena", {"UD": "example:phenomena-ud"})
    >>> result.system("UD")["phenomena.control.shared"].value
    1.0
    """
    standard = gold if isinstance(gold, Gold) else read_gold(gold)
    if not outputs:
        raise UsageError("there is no output to score")
    systems: list[System] = []
    outcomes: dict[str, list[tuple[bool, str]]] = {}
    used: dict[str, Rules] = {}
    schemes: dict[str, Scheme] = {}
    files = trees_beside(gold) if gold_trees is None else gold_trees
    trees = [
        ("the gold trees", each) if isinstance(each, Corpus) else (shown(each), read_trees(each))
        for each in files
    ]
    for name, output in outputs.items():
        corpus, kind = _read(output, format)
        wanted = mappings if isinstance(mappings, str) else (mappings or {}).get(name)
        used[name] = mapping_for(corpus, wanted, kind)
        path = name if isinstance(output, Corpus) else shown(output)
        judged = judge(standard, corpus, used[name], window=window, path=path)
        systems.append(_system(name, standard, judged))
        outcomes[name] = [(each.recalled, each.why) for each in judged]
        more = recovered(standard, corpus, used[name], window=window, path=path)
        best = _ceiling(standard, trees, used[name], window, named=gold_trees is not None)
        schemes[name] = Scheme(used[name].name, used[name].status, _right(more), _right(best))
    rows = tuple(
        Row(t.item, t.phenomenon, t.name, t.positive, t.dependency, t.distance)
        for t in standard.targets
    )
    packages = format_packages(outputs.values(), format)
    signed = _signature(standard, used, window, packages, [each for _, each in trees])
    return Phenomena(signed, tuple(systems), rows, outcomes, schemes)


def _ceiling(
    gold: Gold,
    trees: Sequence[tuple[str, Corpus]],
    mapping: Rules,
    window: int,
    *,
    named: bool,
) -> list[Outcome] | None:
    """Return what a mapping finds in gold trees, of the first that help.

    Trees that merely stand beside a gold standard, and are not of its sentences (any more), do not.
    """
    for path, each in trees:
        try:
            found = ceiling(gold, each, mapping, window=window, path=path)
        except InputError:
            if named:
                raise
            continue
        if found is not None:
            return found
    return None


def _right(outcomes: Sequence[Outcome] | None) -> Sequence[bool] | None:
    return None if outcomes is None else [each.recalled for each in outcomes]


def _read(output: Corpus | str | os.PathLike[str], format: str | None) -> tuple[Corpus, str]:
    """Return the corpus of an output, and the name of its format."""
    if isinstance(output, Corpus):
        return output, ""
    data = read_bytes(output)
    entry = find_format(format) if format else detect(data, os.fspath(output))
    return entry.read(data, shown(output), 1, FormatOptions(partial=True)), entry.name


def _signature(
    gold: Gold,
    used: Mapping[str, Rules],
    window: int,
    packages: Sequence[str],
    trees: Sequence[Corpus],
) -> str:
    names = tuple(dict.fromkeys(mapping.name for mapping in used.values()))
    added = [p.package for p in mapping_plugins() if find_mapping(p.name) in used.values()]
    prints = tuple(f"{fingerprint(each):016x}" for each in trees)
    facts: dict[str, Any] = {"gold-trees": prints} if prints else {}
    return signature(
        protocol="phenomena",
        gold=f"{crc32(write_gold(gold).encode()):08x}",
        items=len(gold.items),
        targets=len(gold.targets),
        window=window,
        mappings=names,
        packages=[*added, *packages],
        **facts,
    )


def _system(name: str, gold: Gold, outcomes: Sequence[Outcome]) -> System:
    """Return a system with its scores: of each kind, of each phenomenon, of all, and the mean."""
    place = {item: number for number, item in enumerate(gold.items)}
    where = np.array([place[each.target.item] for each in outcomes], np.int64)
    right = np.array([each.recalled for each in outcomes], np.bool_)
    count = len(place)

    def score(metric: str, which: np.ndarray[Any, np.dtype[np.bool_]]) -> Score:
        at = np.flatnonzero(which)
        at = at[np.argsort(where[at], kind="stable")]
        columns = _columns(where[at], right[at], count)
        return Score(recall_of(metric), Counts(columns), judged=(right[at],))

    phenomenon = np.array([each.target.phenomenon for each in outcomes], object)
    kind = np.array([each.target.name for each in outcomes], object)
    scores = {ALL: score(ALL, np.ones(len(outcomes), np.bool_))}
    macro = dict(scores[ALL].counts.columns)
    for each in gold.phenomena:
        scores[f"{ALL}.{each}"] = recall = score(f"{ALL}.{each}", phenomenon == each)
        macro[f"correct:{each}"] = recall.counts.columns["correct"]
        macro[f"gold:{each}"] = recall.counts.columns["gold"]
    scores[MACRO] = Score(recall_of(MACRO), Counts(macro))
    scores |= {each: score(each, kind == each) for each in gold.names}
    return System(name, scores, kept=Sentences(tuple(gold.items)))


def _columns(
    where: np.ndarray[Any, np.dtype[np.int64]],
    right: np.ndarray[Any, np.dtype[np.bool_]],
    count: int,
) -> dict[str, np.ndarray[Any, np.dtype[np.int64]]]:
    gold = np.bincount(where, minlength=count).astype(np.int64)
    correct = np.bincount(where[right], minlength=count).astype(np.int64)
    return {"correct": correct, "gold": gold, "system": gold}

"""Evaluations of files: one gold standard or many, and one or more parses of each.

All that is computed about a pair of files is counts, so that pairs can be worked on in several
processes and merged: the micro average of a score is the score of the merged counts, the macro
average the mean of the scores of the pairs.
"""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial as bound
from itertools import groupby
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from commonground.engine import map_ordered, workers
from commonground.errors import InputError, UsageError
from commonground.formats import read
from commonground.formats.files import STANDARD, shown
from commonground.metrics.evaluate import evaluate, signature
from commonground.metrics.items import Counts
from commonground.metrics.registry import find_metrics
from commonground.metrics.result import Result, Score, System
from commonground.metrics.settings import Settings

if TYPE_CHECKING:
    from commonground.metrics.breakdown import Bucket
    from commonground.metrics.confusion import Cell
    from commonground.metrics.sentences import Sentences

__all__ = ["Evaluation", "Pair", "evaluate_files", "find_pairs"]

By = tuple[str, ...]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Pair:
    """A gold standard and a parse of it: their files, the system, and the name of the pair."""

    gold: str
    parse: str
    system: str
    name: str = ""


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


@dataclass(frozen=True, slots=True)
class Answers:
    """What was found out about a pair: plain values, which can be sent from process to process.

    `sentences` are those that the counts are about, and `right` are the items that are right, where
    they are asked for.
    """

    kind: str
    counts: dict[str, Counts]
    skipped: tuple[str, ...]
    breakdowns: dict[tuple[By, str], list[Bucket]]
    confusions: dict[str, list[Cell]]
    sentences: Sentences | None
    right: dict[str, Flags | None]


@dataclass(frozen=True)
class Evaluation:
    """The scores of parses in files.

    `result` has the scores of the merged pairs (the micro average); `pairs` has each pair by
    itself, by its name, and is empty where there is only one. `breakdowns` are by the system, the
    properties and the metric, `confusions` by the system and what is confused.
    """

    result: Result
    pairs: dict[str, Result]
    breakdowns: dict[tuple[str, By, str], list[Bucket]]
    confusions: dict[tuple[str, str], list[Cell]]

    def macro(self, system: str, metric: str) -> float:
        """Return the mean of the scores of the pairs."""
        scores = [result.system(system)[metric].value for result in self.pairs.values()]
        return sum(scores) / len(scores)

    def to_json(self, *, scores: bool = False) -> dict[str, Any]:
        """Return the evaluation as JSON has it, with `scores` those of each sentence too."""
        found = self.result.to_json(scores=scores)
        if self.pairs:
            for system, its_json in zip(self.result.systems, found["systems"], strict=True):
                its_json.update(self._pairs_json(system))
        if self.breakdowns:
            found["breakdowns"] = [
                {"system": system, "metric": metric, "by": list(by), "buckets": _buckets(buckets)}
                for (system, by, metric), buckets in self.breakdowns.items()
            ]
        if self.confusions:
            found["confusions"] = [
                {"system": system, "of": what, "cells": list(map(_cell, cells))}
                for (system, what), cells in self.confusions.items()
            ]
        return found

    def _pairs_json(self, system: System) -> dict[str, Any]:
        return {
            "macro": {metric: self.macro(system.name, metric) for metric in system.scores},
            "pairs": [
                {**result.system(system.name).to_json(details=False), "name": name}
                for name, result in self.pairs.items()
            ],
        }


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


def _cell(cell: Cell) -> dict[str, Any]:
    examples = [{"sentence": sentence, "word": word} for sentence, word in cell.examples]
    return {"gold": cell.gold, "system": cell.system, "count": cell.count, "examples": examples}


# ── which files belong together ──────────────────────────────────────────────────────────────────


def find_pairs(gold: str, parses: Mapping[str, str]) -> list[Pair]:
    """Return the pairs of files to be compared; `parses` are paths by the names of the systems.

    Where `gold` is a folder or a pattern such as ``gold/*.conllu``, so is each parse, and files
    belong together when they have the same name, whatever the suffix. Where `gold` is one file, a
    folder or a pattern of parses stands for several systems.
    """
    if not _is_many(gold):
        files = {
            system if path == wanted else path: path
            for system, wanted in parses.items()
            for path in (_files(wanted) if _is_many(wanted) else [wanted])
        }
        return [Pair(gold, path, system) for system, path in files.items()]
    golds = _by_name(gold)
    found = []
    for system, wanted in parses.items():
        if not _is_many(wanted):
            raise UsageError(f"the gold standard is several files, but {wanted} is one parse")
        theirs = _by_name(wanted)
        for name in sorted(golds.keys() ^ theirs.keys()):
            path, other = (golds[name], wanted) if name in golds else (theirs[name], gold)
            raise InputError(path, 0, f"there is no file {name} in {other} to compare it with")
        found += [Pair(golds[name], theirs[name], system, name) for name in golds]
    order = list(golds)
    return sorted(found, key=lambda pair: order.index(pair.name))


_COMPRESSION = (".gz", ".xz", ".zst")


def _is_many(path: str) -> bool:
    return Path(path).is_dir() or (glob.has_magic(path) and not Path(path).exists())


def _files(path: str) -> list[str]:
    """Return the files of a folder or of a pattern."""
    pattern = str(Path(glob.escape(path)) / "*") if Path(path).is_dir() else path
    names = glob.iglob(pattern, recursive=True)  # noqa: PTH207  # it takes absolute patterns too
    found = sorted(name for name in names if not Path(name).is_dir())
    if not found:
        raise InputError(path, 0, "there are no such files")
    return found


def _by_name(path: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for file in _files(path):
        whole = PurePath(file)
        name = (whole.with_suffix("") if whole.suffix in _COMPRESSION else whole).stem
        if name in found:
            raise InputError(file, 0, f"{found[name]} has the same name, up to the suffix")
        found[name] = file
    return found


# ── evaluation ───────────────────────────────────────────────────────────────────────────────────


def evaluate_files(
    pairs: Sequence[Pair],
    *,
    metrics: Sequence[str] = (),
    settings: Settings | None = None,
    by: Sequence[Sequence[str]] = (),
    confusions: Sequence[str] = (),
    sentences: bool = False,
    format: str | None = None,
    partial: bool = False,
    jobs: int = 1,
    watch: Callable[[int], None] = lambda _: None,
) -> Evaluation:
    """Score the parses in files, and merge the scores of each system.

    `by` are combinations of properties to break all scores down by, `confusions` say of what
    (``label``, ``head-tag``) confusions are counted. With `sentences` it is kept which sentences
    and items the counts are about; tests and saved results need it. `format` and `partial` are as
    in :func:`commonground.read`. `watch` is called with the number of pairs that are done.
    """
    if [path for pair in pairs for path in (pair.gold, pair.parse)].count(STANDARD) > 1:
        raise UsageError("standard input can be read only once")
    settings = settings or Settings()
    questions = Questions(
        tuple(metrics) or settings.metrics,
        settings,
        tuple(map(tuple, by)),
        tuple(confusions),
        sentences,
        format,
        partial,
    )
    found: list[Answers] = []
    work = bound(_answers, questions=questions)
    for answers in map_ordered(work, _tasks(pairs, jobs), _jobs(pairs, jobs)):
        found += answers
        watch(len(answers))
    return _evaluation(pairs, found, questions)


def _jobs(pairs: Sequence[Pair], jobs: int) -> int:
    """Return the jobs that can be used: no other process can read this one's standard input."""
    return 1 if any(STANDARD in (pair.gold, pair.parse) for pair in pairs) else workers(jobs)


def _tasks(pairs: Sequence[Pair], jobs: int) -> list[list[Pair]]:
    """Return the pairs in groups; in one process, those with the same gold standard together."""
    if _jobs(pairs, jobs) > 1:
        return [[pair] for pair in pairs]
    return [list(group) for _, group in groupby(pairs, key=lambda pair: pair.gold)]


def _answers(pairs: Sequence[Pair], *, questions: Questions) -> list[Answers]:
    """Answer the questions about pairs with the same gold standard."""
    gold = read(pairs[0].gold, questions.format, partial=questions.partial)
    found = []
    for pair in pairs:
        parse = read(pair.parse, questions.format, partial=questions.partial)
        if bool(len(gold)) != bool(len(parse)):
            path, other = (pair.parse, pair.gold) if len(gold) else (pair.gold, pair.parse)
            raise InputError(shown(path), 0, f"it has no sentences, but {shown(other)} has some")
        result = evaluate(
            gold, {pair.parse: parse}, metrics=questions.metrics, settings=questions.settings
        )
        found.append(_answered(result.systems[0], gold.kind, questions))
    return found


def _answered(system: System, kind: str, questions: Questions) -> Answers:
    return Answers(
        kind=kind,
        counts={name: score.counts for name, score in system.scores.items()},
        skipped=system.skipped,
        breakdowns={
            (by, metric): system.breakdown(metric, by, questions.settings)
            for by in questions.by
            for metric in _suited(system, by)
        },
        confusions={what: system.confusion(what) for what in questions.confusions},
        sentences=system.sentences if questions.sentences else None,
        right={n: score.right for n, score in system.scores.items() if questions.sentences},
    )


def _suited(system: System, by: By) -> list[str]:
    """Return the metrics whose items have these properties: no token has a label, for example.

    Precision, recall and F1 have the same items, and the breakdown has all three: once is enough.
    """
    from commonground.metrics.properties import properties_of  # noqa: PLC0415  # seldom asked for

    distinct = {score.metric.items: name for name, score in system.scores.items()}
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


# ── merging ──────────────────────────────────────────────────────────────────────────────────────


def _evaluation(
    pairs: Sequence[Pair], found: Sequence[Answers], questions: Questions
) -> Evaluation:
    kinds = {answers.kind: pair for pair, answers in zip(pairs, found, strict=True)}
    if len(kinds) > 1:
        told = ", ".join(f"{pair.gold} holds {kind}" for kind, pair in kinds.items())
        raise UsageError(f"what holds different things cannot be averaged: {told}")
    metrics = {metric.name: metric for metric in find_metrics(found[0].kind, questions.metrics)}
    names = list(dict.fromkeys(pair.system for pair in pairs))

    def system(name: str, parts: Sequence[tuple[Pair, Answers]]) -> System:
        found = [answers for _, answers in parts]
        counts = {m: _joined([answers.counts[m] for answers in found]) for m in metrics}
        right = {m: _joined_flags([answers.right.get(m) for answers in found]) for m in metrics}
        return System(
            name,
            {m: Score(metrics[m], counts[m], judged=right[m]) for m in metrics},
            tuple(id_ for pair, answers in parts for id_ in _named(pair, answers.skipped)),
            kept=_joined_sentences(parts),
        )

    def result(parts: Sequence[tuple[Pair, Answers]]) -> Result:
        systems = tuple(
            system(name, [part for part in parts if part[0].system == name]) for name in names
        )
        return Result(signature(questions.settings, systems), systems)

    everything = list(zip(pairs, found, strict=True))
    of_system = {name: [part for part in everything if part[0].system == name] for name in names}
    several = dict.fromkeys(pair.name for pair in pairs if pair.name)
    return Evaluation(
        result=result(everything),
        pairs={name: result([p for p in everything if p[0].name == name]) for name in several},
        breakdowns={
            (name, *key): _merged_buckets(parts, *key)
            for key in found[0].breakdowns
            for name, parts in of_system.items()
        },
        confusions={
            (name, what): _merged_cells(parts, what)
            for what in questions.confusions
            for name, parts in of_system.items()
        },
    )


def _joined(parts: Sequence[Counts]) -> Counts:
    """Return the counts of corpora one after the other."""
    if len(parts) == 1:
        return parts[0]
    columns = parts[0].columns
    return Counts(
        {name: np.concatenate([part.columns[name] for part in parts]) for name in columns}
    )


def _joined_flags(parts: Sequence[Flags | None]) -> Flags | None:
    """Return the items of corpora one after the other, None where those of one are not known."""
    known = [part for part in parts if part is not None]
    return np.concatenate(known) if len(known) == len(parts) else None


def _joined_sentences(parts: Sequence[tuple[Pair, Answers]]) -> Sentences | None:
    """Return the sentences of corpora one after the other."""
    known = [(pair.name, answers.sentences) for pair, answers in parts if answers.sentences]
    if not known or not known[0][0]:
        return known[0][1] if known else None
    from commonground.metrics.sentences import Sentences  # noqa: PLC0415  # seldom asked for

    return Sentences.joined(known)


def _named(pair: Pair, ids: Sequence[str]) -> Sequence[str]:
    """Return ids of sentences with the name of the pair, where there are several."""
    return [f"{pair.name}:{sent_id}" for sent_id in ids] if pair.name else ids


def _merged_buckets(parts: Sequence[tuple[Pair, Answers]], by: By, metric: str) -> list[Bucket]:
    from commonground.metrics.breakdown import Bucket  # noqa: PLC0415  # seldom asked for

    found: dict[tuple[str, ...], dict[str, int]] = {}
    for pair, answers in parts:
        for bucket in answers.breakdowns[by, metric]:
            values = tuple(
                _named(pair, [value])[0] if name == "sentence" else value
                for name, value in zip(by, bucket.values, strict=True)
            )
            counts = found.setdefault(values, dict.fromkeys(bucket.counts, 0))
            for name, count in bucket.counts.items():
                counts[name] += count
    return in_order([Bucket(values, counts) for values, counts in found.items()], by)


_COUNTED = ("distance", "depth", "sentence-length")
_AS_THEY_COME = ("sentence", "direction")


def in_order(buckets: Sequence[Bucket], by: By) -> list[Bucket]:
    """Sort buckets by one property after the other: numbers by size, labels by frequency.

    >>> from commonground.metrics.breakdown import Bucket
    >>> rare, frequent = Bucket(("X",), {"gold": 1}), Bucket(("NOUN",), {"gold": 9})
    >>> [bucket.values for bucket in in_order([rare, frequent], ("upos",))]
    [('NOUN',), ('X',)]
    """
    keys = [_ranks(buckets, place, name) for place, name in enumerate(by)]
    return sorted(
        buckets,
        key=lambda bucket: [rank[v] for rank, v in zip(keys, bucket.values, strict=True)],
    )


def _ranks(buckets: Sequence[Bucket], place: int, name: str) -> dict[str, int]:
    """Return the rank of each value of a property."""
    total: dict[str, int] = {}
    for bucket in buckets:
        value = bucket.values[place]
        total[value] = total.get(value, 0) + bucket.counts["gold"]
    values = list(total)
    if name in _COUNTED:
        values.sort(key=_size)
    elif name not in _AS_THEY_COME:
        values.sort(key=lambda value: (-total[value], value))
    return {value: rank for rank, value in enumerate(values)}


def _size(value: str) -> int:
    """Return the number that a range begins with, 0 for none.

    >>> _size("3–6"), _size("15+"), _size("root")
    (3, 15, 0)
    """
    digits = value.partition("–")[0].removesuffix("+")
    return int(digits) if digits.isdecimal() else 0


def _merged_cells(parts: Sequence[tuple[Pair, Answers]], what: str) -> list[Cell]:
    from commonground.metrics.confusion import EXAMPLES, Cell  # noqa: PLC0415  # seldom asked for

    found: dict[tuple[str, str], Cell] = {}
    for pair, answers in parts:
        for cell in answers.confusions[what]:
            key = cell.gold, cell.system
            before = found.get(key, Cell(*key, 0, ()))
            examples = tuple((_named(pair, [name])[0], word) for name, word in cell.examples)
            shown = (*before.examples, *examples)[:EXAMPLES]
            found[key] = Cell(*key, before.count + cell.count, shown)
    return sorted(found.values(), key=lambda cell: (-cell.count, cell.gold, cell.system))

"""Averages over treebanks, in the shapes that tests know.

A treebank can be a unit, as a sentence is; or sentences stay the units, within their treebanks.

The macro average is the mean of the scores of the treebanks. As counts that add up, a treebank has
10¹² of gold and its score times 10¹² right, so that correct / gold of the sums is the mean. So all
that is made of counts per unit (shuffling, the bootstrap, signed ranks) is made for averages over
treebanks, too, and says what holds for other treebanks like these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from commonground.evaluation.metric_score import Score
from commonground.evaluation.result import System
from commonground.metrics.items import Counts
from commonground.metrics.metric import recall
from commonground.metrics.sentences import Sentences

__all__ = ["by_file", "over_files", "within_files"]

_ONE = 10**12


def over_files(files: Mapping[str, Sequence[System]]) -> tuple[System, ...]:
    """Return systems whose scores are macro averages, with one unit per file.

    `files` has the same systems on each file. A file for which a system has no score of a metric
    counts for no system.
    """
    return tuple(
        System(
            each.name,
            {name: _macro(files, place, score) for name, score in each.scores.items()},
            kept=Sentences(tuple(files)),
            error_costs=each.error_costs,
            gold_name=each.gold_name,
        )
        for place, each in enumerate(next(iter(files.values())))
    )


def by_file(systems: Sequence[System], files: Sequence[str]) -> dict[str, tuple[System, ...]]:
    """Return systems on each of several files; the ids of sentences begin with that of theirs."""
    place = _file_of_each(systems[0], files)
    there = {name: np.flatnonzero(place == number) for number, name in enumerate(files)}
    return {
        name: tuple(
            System(
                system.name,
                {metric: score.only(units) for metric, score in system.scores.items()},
                error_costs=system.error_costs,
                gold_name=system.gold_name,
            )
            for system in systems
        )
        for name, units in there.items()
        if len(units)
    }


def within_files(
    systems: Sequence[System], files: Sequence[str], *, documents: bool = False
) -> tuple[System, ...]:
    """Return systems whose scores are macro averages over files, with the sentences as units.

    The same with `documents` as units. A file for which a system has no score of a metric counts
    for no system.
    """
    parts = list(by_file(systems, files).values())
    known = systems[0].sentences
    place = _file_of_each(systems[0], files)
    names = np.array(known.documents if known and documents else [""] * len(place))
    groups = [names[place == each] for each in range(len(files)) if (place == each).any()]
    return tuple(
        System(
            system.name,
            {
                metric: _stratified(
                    [
                        part
                        for part in zip(parts, groups, strict=True)
                        if all(each[metric].value is not None for each in part[0])
                    ],
                    number,
                    metric,
                    documents=documents,
                )
                for metric in system.scores
            },
            kept=known,
            error_costs=system.error_costs,
            gold_name=system.gold_name,
        )
        for number, system in enumerate(systems)
    )


def _stratified(
    parts: Sequence[tuple[tuple[System, ...], NDArray[np.str_]]],
    number: int,
    metric: str,
    *,
    documents: bool,
) -> Score:
    scores = [systems[number][metric] for systems, _ in parts]
    columns = {
        name: [score.counts.columns[name] for score in scores] for name in scores[0].counts.columns
    }
    if documents:
        columns = {
            name: [_summed(each, names) for each, (_, names) in zip(column, parts, strict=True)]
            for name, column in columns.items()
        }
    return Score(
        scores[0].metric,
        Counts({name: np.concatenate(column) for name, column in columns.items()}),
        unit="document" if documents else "sentence",
        strata=tuple(map(len, next(iter(columns.values())))),
    )


def _summed(column: NDArray[np.int64], names: NDArray[np.str_]) -> NDArray[np.int64]:
    _, group = np.unique(names, return_inverse=True)
    return np.bincount(group, weights=column).astype(np.int64)


def _file_of_each(system: System, files: Sequence[str]) -> NDArray[np.int64]:
    """Return for each sentence the number of its file, with whose name the id begins."""
    assert system.sentences is not None, "merged scores without sentences have no files"
    numbers = np.full(len(system.sentences.ids), -1)
    ids = system.sentences.ids
    for number in sorted(range(len(files)), key=lambda each: len(files[each])):
        start = f"{files[number]}:"  # that of a longer name wins
        numbers[[place for place, each in enumerate(ids) if each.startswith(start)]] = number
    return numbers


def _macro(files: Mapping[str, Sequence[System]], place: int, score: Score) -> Score:
    name = score.metric.name
    there = np.array(
        [all(each[name].value is not None for each in systems) for systems in files.values()]
    )
    values = [systems[place][name].value or 0.0 for systems in files.values()]
    right = np.where(there, np.rint(np.array(values) * _ONE), 0).astype(np.int64)
    metric = replace(score.metric, formula=recall)
    return Score(metric, Counts({"correct": right, "gold": there * _ONE}), unit="file")

"""Averages over treebanks, in the shape that tests know: a treebank is a unit, as a sentence is.

The macro average is the mean of the scores of the treebanks. As counts that add up, a treebank has
10¹² of gold and its score times 10¹² right, so that correct / gold of the sums is the mean. So all
that is made of counts per unit (shuffling, the bootstrap, signed ranks) is made for averages over
treebanks, too, and says what holds for other treebanks like these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from commonground.evaluation.result import Score, System
from commonground.metrics.items import Counts
from commonground.metrics.metric import recall
from commonground.metrics.sentences import Sentences

__all__ = ["over_files"]

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
        )
        for place, each in enumerate(next(iter(files.values())))
    )


def _macro(files: Mapping[str, Sequence[System]], place: int, score: Score) -> Score:
    name = score.metric.name
    there = np.array(
        [all(each[name].value is not None for each in systems) for systems in files.values()]
    )
    values = [systems[place][name].value or 0.0 for systems in files.values()]
    right = np.where(there, np.rint(np.array(values) * _ONE), 0).astype(np.int64)
    metric = replace(score.metric, formula=recall)
    return Score(metric, Counts({"correct": right, "gold": there * _ONE}), unit="file")

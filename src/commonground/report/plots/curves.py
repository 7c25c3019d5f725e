"""Scores by a number that sentences or items have: their length, their distance, their depth.

A score is that of all items in a bin, with an interval from resampling sentences: words of one
sentence are no witnesses of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus, Dependencies
from commonground.errors import UsageError
from commonground.evaluation.metric_score import Score
from commonground.evaluation.result import System
from commonground.metrics.by import property_of
from commonground.metrics.items import Counts, Items, Side
from commonground.metrics.metric import Totals, ratio
from commonground.metrics.settings import Settings
from commonground.report.material.material import Material
from commonground.report.plots.bins import DEPTHS, DISTANCES, LENGTHS, Bins, bins_of
from commonground.report.plots.measure import Measure
from commonground.statistics.claim import Interval
from commonground.statistics.intervals import Resamples

__all__ = ["Curves", "curves_by_length", "curves_of_items", "length_curves"]

Numbers = NDArray[np.int64]

_ITERATIONS = 2_000
"""Quantiles of so many resamples are exact to a pixel."""


@dataclass(frozen=True)
class Curves:
    """The scores of systems by bins, None where a system has nothing in a bin.

    `about` is what the bins are of, and `unit` what is counted in them.
    """

    measure: Measure
    bins: Bins
    about: str
    unit: str
    scores: Mapping[str, Sequence[Interval | None]]


# ── by the length of sentences ───────────────────────────────────────────────────────────────────


def length_curves(material: Material, metric: str) -> Curves:
    """Return the scores by the length of sentences, in words where the treebanks are there."""
    systems = material.systems
    words = material.lengths
    if words is not None:
        known = np.array(words, np.int64)
        lengths = [known[material.places(system)] for system in systems]
        return curves_by_length(systems, metric, lengths, "Words in the sentence")
    golds = [system[metric].counts.columns["gold"] for system in systems]
    return curves_by_length(systems, metric, golds, "Scored items in the sentence")


def curves_by_length(
    systems: Sequence[System], metric: str, lengths: Sequence[Numbers], about: str
) -> Curves:
    """Return the scores of systems by the length of the sentences, from their counts alone.

    `lengths` has those of the sentences of each system, `about` says in what.
    """
    bins = bins_of(lengths[0], LENGTHS)
    _refuse_empty(bins)
    scores = _intervals(
        {
            system.name: [
                _only(system[metric], codes == place) for place in range(len(bins.counts))
            ]
            for system, codes in zip(systems, map(bins.codes, lengths), strict=True)
        }
    )
    return Curves(Measure.of(systems[0][metric].metric), bins, about, "sentences", scores)


def _only(score: Score, keep: NDArray[np.bool_]) -> Score:
    """Return the score of some sentences; the others stay, but have nothing to count."""
    columns = {name: np.where(keep, column, 0) for name, column in score.counts.columns.items()}
    return Score(score.metric, Counts(columns))


# ── by what an item has ──────────────────────────────────────────────────────────────────────────


def found_and_right(totals: Totals) -> np.ndarray | float:
    """Return F1 of a bin: gold items are there with their number, the parse's with theirs.

        2 P R / (P + R),   P = right items of the parse / its items,   R = found gold items / all

    >>> found_and_right({"correct": 1, "gold": 2, "system": 4, "system_correct": 2})
    0.5
    """
    precision = ratio(totals["system_correct"], totals["system"])
    recall = ratio(totals["correct"], totals["gold"])
    return ratio(2 * precision * recall, precision + recall, empty=0.0)


def curves_of_items(systems: Sequence[System], metric: str, by: str) -> Curves:
    """Return the scores of systems by ``distance`` or ``depth`` of their items.

    The systems must have been scored here and now: saved counts do not know single items.
    """
    sides = {system.name: _numbers(system, metric, by) for system in systems}
    gold, _ = sides[systems[0].name]
    starts, others = (DISTANCES, "root") if by == "distance" else (DEPTHS, "")
    bins = bins_of(gold, starts, others)
    _refuse_empty(bins)
    scores: dict[str, list[Score]] = {}
    for system in systems:
        binned = replace(system[metric].metric, formula=found_and_right)
        codes = [bins.codes(values) for values in sides[system.name]]
        counts = _counts(_items(system, metric), codes, len(bins.counts))
        scores[system.name] = [Score(binned, each) for each in counts]
    unit = _UNITS[_items(systems[0], metric).table]
    about = {"distance": "Distance to the head", "depth": f"Depth of the {unit[:-1]}"}[by]
    title = systems[0][metric].metric.title
    measure = Measure(title if "F1" in title else f"{title}, F1", share=True)
    return Curves(measure, bins, about, unit, _intervals(scores))


_UNITS = {"words": "words", "nodes": "phrases"}
"""What the rows of tables are called that have a distance or a depth."""


def _items(system: System, metric: str) -> Items:
    items = system[metric].items
    assert items is not None, "nothing was merged or read from a file"
    return items


def _numbers(system: System, metric: str, by: str) -> tuple[Numbers, Numbers]:
    """Return the number of each item of the gold standard, and of each item of the parse."""
    items, pair = _items(system, metric), system.comparison
    gold, parse = items.corpora or (pair.gold, pair.system)
    return (
        _numbers_of(gold, items.table, by)[items.gold.rows],
        _numbers_of(parse, items.table, by)[items.system.rows],
    )


def _numbers_of(corpus: Corpus, table: str, by: str) -> Numbers:
    """Return a number of each row of a table; below 1 where it has none."""
    if by == "depth":
        depths = property_of(corpus, table, "depth", Settings())
        return np.array([int(text) for text in depths.vocabulary], np.int64)[depths.codes]
    if table != "words" or not isinstance(corpus, Dependencies):
        raise UsageError(f"{table} have no distance to a head; words of dependencies have one")
    place = corpus.words.row_in_sentence() + 1
    return np.where(corpus.head > 0, np.abs(place - corpus.head), 0).astype(np.int64)


def _counts(items: Items, codes: Sequence[Numbers], bins: int) -> list[Counts]:
    """Return the counts per sentence in each bin."""

    def tally(side: Side, code: Numbers, keep: NDArray[np.bool_]) -> Numbers:
        chosen = keep & (code >= 0)
        cells = side.sentence[chosen] * bins + code[chosen]
        return np.bincount(cells, minlength=items.sentences * bins).reshape(-1, bins)

    every = [np.ones(len(code), np.bool_) for code in codes]
    columns = {
        "correct": tally(items.gold, codes[0], items.gold.correct),
        "gold": tally(items.gold, codes[0], every[0]),
        "system": tally(items.system, codes[1], every[1]),
        "system_correct": tally(items.system, codes[1], items.system.correct),
    }
    return [
        Counts({name: table[:, place].astype(np.int64) for name, table in columns.items()})
        for place in range(bins)
    ]


def _intervals(scores: Mapping[str, Sequence[Score]]) -> dict[str, list[Interval | None]]:
    """Return the scores of systems with their intervals, all from the same resamples of sentences.

    Those of different numbers of sentences are resampled apart.
    """
    known = {
        (name, place): score
        for name, several in scores.items()
        for place, score in enumerate(several)
        if not score.undefined
    }
    intervals: dict[tuple[str, int], Interval] = {}
    for size in {len(score.counts) for score in known.values()}:
        same = {key: score for key, score in known.items() if len(score.counts) == size}
        if size < 2:  # nothing to resample
            intervals |= {key: _alone(score) for key, score in same.items()}
            continue
        resamples = Resamples(same, iterations=_ITERATIONS)
        intervals |= {key: resamples.score(key) for key in same}
    return {
        name: [intervals.get((name, place)) for place in range(len(several))]
        for name, several in scores.items()
    }


def _alone(score: Score) -> Interval:
    value = float(score)
    return Interval(value, value, value, 0.0, "none", len(score.counts), "sentence", 0)


def _refuse_empty(bins: Bins) -> None:
    if not bins.counts:
        raise UsageError("there is nothing to plot: the result has no items")

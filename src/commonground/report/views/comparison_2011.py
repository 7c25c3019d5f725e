"""A comparison laid out as Tables 1 and 2 of Tsarfaty, Nivre & Andersson (2011).

The systems are the columns. The rows are, for each gold standard, the attachment scores and TedEval
of all systems on it as it stands; for each pair of gold standards, TedEval of the two systems on
what the two agree on; and for all of them the same. The best of a row is bold, and † marks systems
whose difference from another one of the row was not found significant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from commonground.evaluation.comparison_result import CompareResult, Scores
from commonground.evaluation.metric_score import Score, percent
from commonground.grid import Cell, Column, Grid, Note
from commonground.statistics.pairs import all_pairs

__all__ = ["experiments_grid"]

DAGGER = "†"
_NATIVE = ("uas", "las")

Row = tuple[str, str, Mapping[str, Score]]


def experiments_grid(comparison: CompareResult, test: str = "", **options: Any) -> Grid:
    """Return a comparison as the papers lay it out, each row tested by itself if a test is named.

    `options` are those of :func:`commonground.statistics.pairs.all_pairs`.
    """
    names = [system.name for system in comparison.systems]
    rows: list[list[Cell | str]] = [
        [gold, metric, *_cells(scores, names, test, options)]
        for gold, metric, scores in _rows(comparison)
    ]
    notes: list[Note | str] = ["Bold: the best of the row."]
    if test:
        alpha = 1 - float(options.get("confidence", 0.95))
        correction = options.get("correction", "holm")
        how = "uncorrected" if correction == "none" else f"corrected by {correction}"
        what = f"not significantly different from another system of the row ({test}, "
        what += f"{options.get('iterations', 10_000):,} iterations, {how}, p ≤ {alpha:g})"
        notes.append(Note(f"{what}.", DAGGER))
    columns = [Column("gold"), Column("metric"), *(Column(name, "right", 2) for name in names)]
    return Grid.of("Each parse on each gold standard", columns, rows, notes, comparison.signature)


def _rows(comparison: CompareResult) -> Iterator[Row]:
    """Return the rows: what the systems are scored on, by what, and the scores of some of them."""
    systems = comparison.systems
    for gold in comparison.golds:
        for metric in _NATIVE:
            native = {
                s.name: s.native[gold][metric] for s in systems if _has(s.native, gold, metric)
            }
            if native:
                yield gold, metric.upper(), native
        yield from _ted(gold, {s.name: s.on(gold) for s in systems})
    sets = dict.fromkeys(names for system in systems for names in system.subsets)
    place = {gold: number for number, gold in enumerate(comparison.golds)}
    for names in sorted(sets, key=lambda names: (len(names), sorted(place[n] for n in names))):
        if len(names) > 1:
            scored = {s.name: s.subsets[names] for s in systems if names in s.subsets}
            yield from _ted(" + ".join(sorted(names, key=place.__getitem__)), scored)


def _has(native: Mapping[str, Mapping[str, Score]], gold: str, metric: str) -> bool:
    return metric in native.get(gold, {})


def _ted(gold: str, scores: Mapping[str, Scores]) -> Iterator[Row]:
    yield gold, "U-TED", {name: each.unlabelled for name, each in scores.items()}
    yield gold, "L-TED", {name: each.labelled for name, each in scores.items()}


def _cells(
    scores: Mapping[str, Score], names: list[str], test: str, options: Mapping[str, Any]
) -> list[Cell]:
    defined = {name: score for name, score in scores.items() if not score.undefined}
    same = _undecided(defined, test, options) if test and len(defined) > 1 else set()
    values = {name: percent(score) for name, score in scores.items()}
    best = max((value for value in values.values() if value is not None), default=None)
    return [
        Cell(
            values.get(name),
            bold=len(defined) > 1 and values.get(name) is not None and values[name] == best,
            mark=DAGGER if name in same else "",
        )
        for name in names
    ]


def _undecided(scores: Mapping[str, Score], test: str, options: Mapping[str, Any]) -> set[str]:
    """Return the systems that do not differ significantly from another one."""
    pairs = all_pairs(scores, test=test, **options).pairs
    return {name for pair in pairs if not pair.different for name in (pair.one, pair.other)}

"""A comparison across schemes and frameworks as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from commonground.errors import setting
from commonground.evaluation.comparison_result import (
    CompareResult,
    ErrorCost,
    SchemeResult,
    Scores,
)
from commonground.evaluation.cross_conventions import CrossParts
from commonground.evaluation.inventories import MAP, Translated
from commonground.evaluation.metric_score import Score, percent
from commonground.evaluation.notes import left_out
from commonground.evaluation.protocols import named_metrics
from commonground.grid import Cell, Column, Grid
from commonground.ground.planting import KINDS
from commonground.metrics.functions.tedeval_original import OriginalRow, original_columns
from commonground.report.views.claims import claimed_comparison
from commonground.report.views.claims import grids as claim_grids
from commonground.report.views.evaluation import undefined_notes
from commonground.statistics.claims import Claims
from commonground.statistics.verdict import verdict_on

__all__ = ["grids", "original_grid"]


def grids(
    comparison: CompareResult,
    claims: Claims | None = None,
    rows: Mapping[str, Claims] | None = None,
    *,
    mean: bool = False,
    conventions: bool = False,
    verdict: bool | None = None,
) -> list[Grid]:
    """Return the tables of a comparison, with what was found about MULTIPLE.

    It begins with the `verdict` on the systems, which is not tested if it is False.

    The first one has a row per gold standard and metric and a column per system, as the tables of
    the papers have; then come the overlap of the theories and, for more than two of them, MULTIPLE
    for sets of gold standards.
    """
    claims, rows = claims or comparison.claims, rows or comparison.row_claims
    scores = claimed_comparison(_scores(comparison), claims)
    by_row = [
        replace(claim_grids(each, verdict=False)[0], title=f"Tests of {title}")
        for title, each in rows.items()
        if each.pairs
    ]
    conclusion = verdict_on(comparison, claims, tested=verdict)
    return [
        replace(scores, lead=conclusion.sentence) if conclusion else scores,
        *([_means(comparison)] if mean else []),
        *(claim_grids(claims, verdict=False) if claims else ()),
        *by_row,
        *(_conventions(comparison) if conventions else ()),
        *_overlap(comparison),
        *_subsets(comparison),
    ]


def original_grid(rows_of: Mapping[str, Sequence[OriginalRow]]) -> Grid:
    """Return what an original program tells about each sentence of each system."""
    names = original_columns([row for rows in rows_of.values() for row in rows])
    cells = [[name, *row.fields()] for name, rows in rows_of.items() for row in rows]
    return Grid.of("", ["system", *(Column(name, "right") for name in names)], cells)


def _conventions(comparison: CompareResult) -> Iterator[Grid]:
    """Return what each parse loses on the other gold standards, and what it is due to."""
    rows: list[list[str | float]] = [
        [system, gold, *(parts.points(each) for each in _due_to(parts))]
        for (system, gold), parts in comparison.conventions.items()
    ]
    titles = ("lost", "structure", "labels", "errors")
    columns = [Column("parse"), Column("on"), *(Column(title, "right", 2) for title in titles)]
    note = (
        "Points of TedEval (labelled) that a parse loses on a gold standard of another theory: "
        "structure that only one theory has, labels that differ between the theories, errors."
    )
    if rows:
        yield Grid.of("Convention or error", columns, rows, [note])


def _due_to(parts: CrossParts) -> tuple[int, ...]:
    return parts.lost, parts.structure, parts.labels, parts.errors


def _means(comparison: CompareResult) -> Grid:
    """Return the means of the scores of sentences."""
    columns = [Column("score"), *(Column(s.name, "right", 2) for s in comparison.systems)]
    rows: list[list[str | float | None]] = []
    for way in ("single", "multiple"):
        for kind in ("labelled", "unlabelled"):
            values = [getattr(system, way).means[kind] for system in comparison.systems]
            shown = [None if value is None else 100 * value for value in values]
            rows.append([f"TedEval {way.upper()} ({kind})", *shown])
    return Grid.of("Means of the sentence scores", columns, rows)


def _scores(comparison: CompareResult) -> Grid:
    names = [system.name for system in comparison.systems]
    related = [system.relations for system in comparison.systems if system.relations]
    rows: list[list[Cell | str]] = []
    for gold in comparison.golds:
        rows += [
            [gold, metric, *(_native(s, gold, metric) for s in comparison.systems)]
            for metric in _native_metrics(comparison, gold)
        ]
        rows += _segmentation(comparison, gold)
        rows += _both(gold, "TedEval", [system.on(gold) for system in comparison.systems])
        rows += _both(gold, "Relations", [each.on(gold) for each in related])
    rows += _common([system.common for system in comparison.systems])
    multiple = [system.multiple for system in comparison.systems]
    rows += _both("all", "TedEval MULTIPLE", multiple, best=True)
    rows += _common([each.common for each in related])
    rows += _both("all", "Relations, MULTIPLE", [each.multiple for each in related], best=True)
    shared = {gold: systems for gold, systems in comparison.golds.items() if len(systems) > 1}
    columns = [Column("gold"), Column("metric"), *(Column(n, "right", 2) for n in names)]
    notes = [
        "A score on a parser's own gold standard is SINGLE.",
        "Common ground is comparable across systems, MULTIPLE within the limits given in the docs.",
    ]
    notes += _control_notes(comparison)
    notes += _label_notes(comparison)
    notes += [f"{gold} is the gold standard of {', '.join(shared[gold])}." for gold in shared]
    notes += undefined_notes(s for system in comparison.tested() for s in system.scores.values())
    notes += comparison.remarks
    if comparison.skipped:
        notes.append(left_out(comparison.skipped))
    return Grid.of("Each parse on each gold standard", columns, rows, notes, comparison.signature)


_FAIR = 0.95
"""Costs of the same errors whose ratio is below this are told."""


def _control_notes(comparison: CompareResult) -> Iterator[str]:
    """Say what a parse that knows nothing gets, and where the same errors do not cost the same."""
    metrics = {metric.name: metric for metric in named_metrics(()).values()}
    if comparison.floor:
        floors = (f"{metrics[name].title} {100 * v:.2f}" for name, v in comparison.floor.items())
        yield f"A parse that knows nothing (flat or branching) gets up to: {'; '.join(floors)}."
    unfair = {name: cost for name, cost in comparison.error_costs.items() if cost.ratio < _FAIR}
    if unfair:
        golds = " : ".join(next(iter(unfair.values())).costs)
        listed = "; ".join(
            f"{metrics[name].title}, {KINDS.get(cost.kind, cost.kind)}: {_shares(cost)}"
            for name, cost in unfair.items()
        )
        yield f"What the same error costs, {golds} ({listed}). Smaller differences are not marked."


def _shares(cost: ErrorCost) -> str:
    most = max(cost.costs.values())
    return " : ".join(f"{each / most:.2f}" for each in cost.costs.values())


def _label_notes(comparison: CompareResult) -> list[str]:
    """Say how labels became those of the hub."""
    if not comparison.translated:
        return []
    mapped = any(each.inventory == MAP for each in comparison.translated.values())
    lines = [
        f"{name}: {_read_as(each, mapped=mapped)}"
        for name, each in comparison.translated.items()
        if name in comparison.golds
    ]
    where = "" if mapped else " to the hub inventory"
    notes = [f"Labels are mapped{where} ({'; '.join(lines)})."]
    if any(each.by for each in comparison.translated.values()):
        notes.append(
            "'commonground labels learn' writes a learned map to a file that can be edited, and "
            f"{setting('label_map')} uses it."
        )
    return notes


def _read_as(each: Translated, *, mapped: bool) -> str:
    """Say what the labels of a gold standard were read as, and how many of them are known.

    Where some labels are `mapped` by a file, nobody asked what the others are.
    """
    known = f"{100 * each.coverage:.1f} % known"
    if each.by:
        right = (
            "" if each.accuracy is None else f", {100 * each.accuracy:.1f} % right where held out"
        )
        return f"no known inventory, learned from {each.by}, {known}{right}"
    if each.inventory:
        return f"{each.inventory}, {known}"
    return "labels as they are" if mapped else "no known inventory, labels as they are"


def _native_metrics(comparison: CompareResult, gold: str) -> list[str]:
    metrics = (
        score.metric for s in comparison.systems for score in s.native.get(gold, {}).values()
    )
    return list(dict.fromkeys(metric.title for metric in metrics if metric.share))


def _native(system: SchemeResult, gold: str, title: str) -> Cell:
    scores = system.native.get(gold, {}).values()
    value = next((percent(score) for score in scores if score.metric.title == title), None)
    return Cell(value)


def _common(by_system: Sequence[Mapping[str, Score]]) -> Iterator[list[Cell | str]]:
    """Return the rows of the common ground; who is best is told where that means something."""
    for kind in by_system[0] if by_system else ():
        scores = [common[kind] for common in by_system]
        values = [percent(score) for score in scores]
        best = max((v for v in values if v is not None), default=None)
        if kind in ("coverage", "noise"):
            best = None
        cells = [Cell(v, bold=v is not None and v == best) for v in values]
        yield ["all", scores[0].metric.title, *cells]


def _segmentation(comparison: CompareResult, gold: str) -> Iterator[list[Cell | str]]:
    """Return how well words are segmented, if a parse has other words than its gold standard."""
    scores = {system.name: system.words for system in comparison.systems if system.gold == gold}
    metrics = [score.metric for score in scores.values() if score]
    if metrics:
        cells = [
            Cell((percent(score) if score else 100.0) if name in scores else None)
            for name, score in ((s.name, scores.get(s.name)) for s in comparison.systems)
        ]
        yield [gold, metrics[0].title, *cells]


def _both(
    gold: str, title: str, scores: Sequence[Scores], *, best: bool = False
) -> Iterator[list[Cell | str]]:
    for kind in ("labelled", "unlabelled") if scores else ():
        values = [percent(getattr(score, kind)) for score in scores]
        top = max((v for v in values if v is not None), default=None) if best else None
        bold = [v is not None and v == top for v in values]
        yield [
            gold,
            f"{title} ({kind})",
            *(Cell(v, bold=b) for v, b in zip(values, bold, strict=True)),
        ]


def _overlap(comparison: CompareResult) -> Iterator[Grid]:
    if not comparison.overlap:
        return
    tables = {"": comparison.overlap, "relations, ": comparison.relation_overlap}
    shown = {what: overlaps for what, overlaps in tables.items() if overlaps}
    rows: list[list[str | float | None]] = [
        [f"{one} – {other}", *(percent(s) for by in shown.values() for s in by[pair].both.values())]
        for pair in comparison.overlap
        for one, other in [pair]
    ]
    columns = [
        Column("gold standards"),
        *(Column(what + t, "right", 2) for what in shown for t in ("labelled", "unlabelled")),
    ]
    yield Grid.of("Overlap of the gold standards", columns, rows)


def _subsets(comparison: CompareResult) -> Iterator[Grid]:
    names = [system.name for system in comparison.systems]
    by_title = {"": [system.subsets for system in comparison.systems]}
    related = [system.relations.subsets for system in comparison.systems if system.relations]
    by_title |= {" of relations": related} if related else {}
    for what, subsets in by_title.items():
        sets = list(dict.fromkeys(chosen for each in subsets for chosen in each))
        for kind in ("labelled", "unlabelled") if len(sets) > 1 else ():
            rows: list[list[Cell | str]] = [
                [" + ".join(chosen), *(_in_subset(each, chosen, kind) for each in subsets)]
                for chosen in sorted(sets, key=lambda chosen: (len(chosen), chosen))
            ]
            columns = [Column("gold standards"), *(Column(name, "right", 2) for name in names)]
            title = f"MULTIPLE{what} for sets of gold standards, {kind}"
            yield Grid.of(title, columns, rows)


def _in_subset(
    subsets: Mapping[tuple[str, ...], Scores], chosen: tuple[str, ...], kind: str
) -> Cell:
    scores = subsets.get(chosen)
    return Cell(percent(getattr(scores, kind)) if scores else None)

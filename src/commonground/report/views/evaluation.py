"""Evaluations as tables: scores, breakdowns, confusions, sentences, explanations."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from commonground.evaluation.metric_score import Score, percent
from commonground.evaluation.notes import all_note_lines, left_out
from commonground.evaluation.result import System
from commonground.evaluation.scores import Evaluation
from commonground.grid import Cell, Column, Grid
from commonground.metrics.metric import Metric
from commonground.plurals import number_of

if TYPE_CHECKING:
    from commonground.metrics.breakdown import Bucket
    from commonground.metrics.confusion import ConfusionCell
    from commonground.statistics.claims import Claims

__all__ = [
    "TABLES",
    "explanation_grid",
    "file_grids",
    "first_grid",
    "grids",
    "score_grid",
    "undefined_notes",
]

_TITLES = {"label": "Confused labels", "head-tag": "Confused tags of heads"}


TABLES = ("scores", "repairs", "broken", "differences", "files", "by", "confusion", "sentences")
"""The groups of tables of an evaluation; differences are all that tests tell."""


def grids(
    evaluation: Evaluation,
    *,
    top: int | None = None,
    sentences: bool = False,
    files: bool = False,
    claims: Claims | None = None,
    rank_by: str = "",
    sides: bool = False,
    tables: Collection[str] = TABLES,
    verdict: bool | None = None,
    texts: Mapping[str, str] | None = None,
) -> list[Grid]:
    """Return all tables of an evaluation, or some groups of `tables`.

    With `sentences` and `files`, those with the scores of each sentence and file are among them;
    `claims` are what was found about the differences between the systems, which are ranked by the
    metric `rank_by`. Long tables have only the `top` rows, that of confusions 20 without it. With
    `sides`, breakdowns have precision and recall even where they are the same. The first table of
    several systems begins with the `verdict` on them, which is not tested if it is False. `texts`
    are those of sentences, by their ids, where the treebanks are not in memory.
    """
    several = len(evaluation.systems) > 1
    if claims := claims or evaluation.claims:
        from commonground.report.views.leaderboard import ranked_claims  # noqa: PLC0415  # as below

        claims = ranked_claims(evaluation, claims, rank_by)
    made: dict[str, Iterable[Grid]] = {
        "scores": _led(evaluation, claims, rank_by, tested=verdict) if "scores" in tables else (),
        "repairs": _repair_grids(evaluation),
        "broken": _broken_grids(evaluation),
        "differences": _claim_grids(claims) if claims else (),
        "files": file_grids(evaluation) if files and several else (),
        "by": _breakdown_grids(evaluation, top, sides=sides),
        "confusion": _confusion_grids(evaluation, _TOP if top is None else top),
        "sentences": _sentence_grids(evaluation, top, rank_by, texts) if sentences else (),
    }
    return [grid for name, each in made.items() if name in tables for grid in each]


_TOP = 20
"""Default number of confusions shown."""


# Most evaluations are of one system: what it takes to rank and test several is imported for these
# only, and what tells of repairs and broken files where there are any.


def _repair_grids(evaluation: Evaluation) -> Iterable[Grid]:
    if all(system.repairs is None for system in evaluation.systems):
        return ()
    from commonground.report.views.repairs import repair_grids  # noqa: PLC0415

    return repair_grids(evaluation.systems)


def _broken_grids(evaluation: Evaluation) -> Iterable[Grid]:
    if not evaluation.broken:
        return ()
    from commonground.report.views.leaderboard import broken_grids  # noqa: PLC0415

    return broken_grids(evaluation)


def _claim_grids(claims: Claims) -> Iterable[Grid]:
    from commonground.report.views.claims import grids as claim_grids  # noqa: PLC0415

    return claim_grids(claims, verdict=False)


# ── scores ───────────────────────────────────────────────────────────────────────────────────────


def _led(
    evaluation: Evaluation, claims: Claims | None, rank_by: str, *, tested: bool | None
) -> Iterator[Grid]:
    """Return the first table, with the verdict on several systems above it."""
    grid = first_grid(evaluation, claims, rank_by)
    if len(evaluation.systems) < 2:
        yield grid
        return
    from commonground.statistics.verdict import verdict_on  # noqa: PLC0415  # on several systems only

    verdict = verdict_on(evaluation, claims, metric=rank_by, tested=tested)
    yield replace(grid, lead=verdict.sentence) if verdict else grid


def first_grid(evaluation: Evaluation, claims: Claims | None, rank_by: str = "") -> Grid:
    """Return the scores at a glance: a leaderboard, or all files of a single system."""
    alone = len(evaluation.systems) == 1
    if alone and not claims and not rank_by:
        return score_grid(evaluation)
    from commonground.report.views.claims import claimed_scores  # noqa: PLC0415  # as above
    from commonground.report.views.leaderboard import leaderboard_grid, ranking_metric  # noqa: PLC0415

    if alone:
        if rank_by:
            ranking_metric(evaluation, rank_by)  # one that there is not is refused all the same
        return claimed_scores(score_grid(evaluation), claims)
    return leaderboard_grid(
        evaluation, claims, rank_by, list(_remarks(evaluation.systems, _metrics(evaluation)))
    )


def file_grids(evaluation: Evaluation, *, averages: bool = True) -> Iterator[Grid]:
    """Return for each metric the scores of all systems on each file, with `averages` these too."""
    names = [system.name for system in evaluation.systems]
    for metric in _metrics(evaluation):
        values = {
            name: [percent(pair.system(system)[metric.name]) for system in names]
            for name, pair in evaluation.pairs.items()
        }
        if averages:
            macro = [metric.shown(evaluation.macro(system, metric.name)) for system in names]
            values["macro average"] = macro
            values["micro average"] = [
                percent(system[metric.name]) for system in evaluation.systems
            ]
        rows: list[list[Cell | str]] = [
            [name, *(cell for (cell,) in _best([[value] for value in row], [metric]))]
            for name, row in values.items()
        ]
        columns = [Column("file"), *(Column(name, "right", 2) for name in names)]
        yield Grid.of(f"{metric.title} by file", columns, rows)


def score_grid(evaluation: Evaluation) -> Grid:
    """Return a row per parse and a column per metric, shares in per cent; the best are bold.

    Where there are several pairs of files, each has its rows, and so have the averages.
    """
    metrics = _metrics(evaluation)
    several = len(evaluation.systems) > 1 or bool(
        evaluation.broken
    )  # one that is left has its name, too
    blocks: dict[str, list[list[float | None]]] = {
        name: _values(pair, metrics) for name, pair in evaluation.pairs.items()
    }
    if evaluation.pairs:
        blocks["macro average"] = [
            [metric.shown(evaluation.macro(system.name, metric.name)) for metric in metrics]
            for system in evaluation.systems
        ]
        blocks["micro average"] = _values(evaluation, metrics)
    else:
        blocks[""] = _values(evaluation, metrics)
    names = [system.name for system in evaluation.systems]
    rows: list[list[Cell | str]] = []
    for block, values in blocks.items():
        cells = _best(values, metrics) if several else [list(map(Cell, row)) for row in values]
        for name, row in zip(names, cells, strict=True):
            first = [block, name] if evaluation.pairs and several else [block or name]
            rows.append([*first, *row])
    first = (
        ["file", "parse"]
        if evaluation.pairs and several
        else ["file" if evaluation.pairs else "parse"]
    )
    columns = [*map(Column, first), *_score_columns(metrics)]
    return Grid.of("", columns, rows, _remarks(evaluation.systems, metrics), evaluation.signature)


def _score_columns(metrics: Sequence[Metric]) -> list[Column]:
    return [Column(metric.title, "right", 2) for metric in metrics]


def _metrics(result: Evaluation) -> list[Metric]:
    return [score.metric for score in result.systems[0].scores.values()]


def _values(result: Evaluation, metrics: Sequence[Metric]) -> list[list[float | None]]:
    return [[percent(system[m.name]) for m in metrics] for system in result.systems]


def _best(values: Sequence[Sequence[float | None]], metrics: Sequence[Metric]) -> list[list[Cell]]:
    """Return the values of several systems, the best of each metric in bold."""
    best = []
    for metric, column in zip(metrics, zip(*values, strict=True), strict=True):
        known = [value for value in column if value is not None]
        best.append((max if metric.higher_is_better else min)(known, default=-1.0))
    return [
        [Cell(value, bold=value == top) for value, top in zip(row, best, strict=True)]
        for row in values
    ]


def _remarks(systems: Sequence[System], metrics: Sequence[Metric]) -> Iterator[str]:
    yield from undefined_notes(system[m.name] for m in metrics for system in systems)
    for system in systems:
        sums = [system[metric.name].counts.totals for metric in metrics]
        if still := max((each.get("open", 0) for each in sums), default=0):
            yield (
                f"{system.name}: not all pairs of nodes are proven to be the best ones; in all, "
                f"better ones could have at most {still:,} more pieces right."
            )
        if crossing := max((each.get("crossing_trees", 0) for each in sums), default=0):
            from commonground.metrics.functions.tedeval_original import aborts  # noqa: PLC0415  # rare

            yield f"{system.name}: {aborts(crossing)}"
        if system.skipped:
            yield f"{system.name}: {left_out(system.skipped)}"
    if len({frozenset(system.skipped) for system in systems}) > 1:
        yield "The parses are not scored on the same sentences; their scores are not comparable."
    yield from all_note_lines([(system.name, system.noted) for system in systems])
    yield from (system.other_scheme.line(system.name) for system in systems if system.other_scheme)
    yield from (system.repairs.line(system.name) for system in systems if system.repairs)


def undefined_notes(scores: Iterable[Score]) -> Iterator[str]:
    """Say once for each reason why scores are undefined, and which."""
    reasons: dict[str, dict[str, None]] = {}
    for score in scores:
        if score.undefined:
            reasons.setdefault(score.undefined, {})[score.metric.title] = None
    for reason, titles in reasons.items():
        yield f"–: {', '.join(titles)}: undefined, {reason}."


# ── breakdowns ───────────────────────────────────────────────────────────────────────────────────


def _breakdown_grids(evaluation: Evaluation, top: int | None, *, sides: bool) -> Iterator[Grid]:
    metrics = {metric.name: metric for metric in _metrics(evaluation)}
    systems = [system.name for system in evaluation.systems]
    for by, metric in dict.fromkeys((by, metric) for _, by, metric in evaluation.breakdowns):
        tables = {system: evaluation.breakdowns[system, by, metric] for system in systems}
        title = f"{metrics[metric].title} by {', '.join(by)}"
        places, notes = _most(tables, top)
        if len(systems) > 1 and not sides:
            yield _side_by_side(title, by, tables, places, notes)
        else:
            yield _breakdown_grid(title, by, tables, places, notes, sides_wanted=sides)


def _most(
    sides: Mapping[str, Sequence[Bucket]], top: int | None
) -> tuple[list[tuple[str, ...]], list[str]]:
    """Return the values of the `top` most frequent buckets in their order, and what is left out."""
    places: dict[tuple[str, ...], int] = {}
    for buckets in sides.values():
        for bucket in buckets:
            size = max(bucket.counts["gold"], bucket.counts["system"])
            places[bucket.values] = max(places.get(bucket.values, 0), size)
    if top is None or len(places) <= top:
        return list(places), []
    kept = set(sorted(places, key=lambda values: -places[values])[:top])
    return [v for v in places if v in kept], [f"{len(places) - top:,} rarer rows are left out."]


def _side_by_side(
    title: str,
    by: Sequence[str],
    sides: Mapping[str, Sequence[Bucket]],
    places: Sequence[tuple[str, ...]],
    notes: Sequence[str],
) -> Grid:
    """Return a row for each bucket with the F1 of all systems, the best in bold."""
    tables = {system: {b.values: b for b in buckets} for system, buckets in sides.items()}
    rows: list[list[Cell | str | int]] = []
    for values in places:
        known = [table.get(values) for table in tables.values()]
        gold = max(bucket.counts["gold"] for bucket in known if bucket)
        scores = [_bucket_scores(bucket)[2] if bucket else None for bucket in known]
        best = max(score for score in scores if score is not None)
        rows.append([*values, gold, *(Cell(score, bold=score == best) for score in scores)])
    columns = [
        *map(Column, by),
        Column("gold", "right"),
        *(Column(system, "right", 2) for system in tables),
    ]
    return Grid.of(f"{title}, F1", columns, rows, notes)


def _breakdown_grid(
    title: str,
    by: Sequence[str],
    sides: Mapping[str, Sequence[Bucket]],
    places: Sequence[tuple[str, ...]],
    notes: Sequence[str],
    *,
    sides_wanted: bool,
) -> Grid:
    """Return the rows of each bucket, one per parse; precision and recall where they differ."""
    tables = {system: {b.values: b for b in buckets} for system, buckets in sides.items()}
    several = len(tables) > 1
    buckets = [bucket for each in sides.values() for bucket in each]
    counts = _counts(buckets)
    both = sides_wanted or any(
        bucket.counts["gold"] != bucket.counts["system"] or bucket.precision != bucket.recall
        for bucket in buckets
    )
    shown = slice(0 if both else 2, 3)
    columns = [
        *map(Column, [*by, "parse"] if several else by),
        *(Column(name, "right") for name in counts),
        *(Column(name, "right", 2) for name in ("precision", "recall", "F1")[shown]),
    ]
    rows = []
    for values in places:
        for system, table in tables.items():
            if bucket := table.get(values):
                names = [*values, system] if several else values
                numbers = (bucket.counts[count] for count in counts.values())
                rows.append([*names, *numbers, *_bucket_scores(bucket)[shown]])
    return Grid.of(title, columns, rows, notes)


def _bucket_scores(bucket: Bucket) -> list[float | None]:
    """Return precision, recall and F1; there is none of a side without items."""
    precision = 100 * bucket.precision if bucket.counts["system"] else None
    recall = 100 * bucket.recall if bucket.counts["gold"] else None
    if not bucket.counts["correct"]:
        return [precision, recall, 0.0]
    return [precision, recall, None if precision is None else 100 * bucket.f1]


def _counts(buckets: Sequence[Bucket]) -> dict[str, str]:
    """Return the titles of counts; where right items change their bucket, both sides are told."""
    plain = {"gold": "gold", "system": "system", "correct": "correct"}
    if all(b.counts["correct"] == b.counts["system_correct"] for b in buckets):
        return plain
    return {**plain, "correct (system)": "system_correct"}


# ── confusions ───────────────────────────────────────────────────────────────────────────────────


def _confusion_grids(evaluation: Evaluation, top: int) -> Iterator[Grid]:
    several = len(evaluation.systems) > 1
    for (system, what), cells in evaluation.confusions.items():
        wrong = [cell for cell in cells if cell.gold != cell.system]
        total = sum(cell.count for cell in cells)
        rows = [
            (cell.gold, cell.system, cell.count, 100 * cell.count / total, _examples(cell))
            for cell in wrong[:top]
        ]
        rest = sum(cell.count for cell in wrong[top:])
        left = [f"{rest:,} words in {len(wrong) - top:,} rarer confusions"] if rest else []
        notes = left if wrong else ["nothing was confused"]
        title = f"{_TITLES[what]} of {system}" if several else _TITLES[what]
        yield Grid.of(title, _CONFUSION_COLUMNS, rows, notes)


_CONFUSION_COLUMNS = (
    Column("gold"),
    Column("parse"),
    Column("words", "right"),
    Column("%", "right", 2),
    Column("examples"),
)
_EXAMPLES = 2


def _examples(cell: ConfusionCell) -> str:
    """Return the words in their contexts, where these are known, or else their sentences."""
    if cell.contexts:
        return " / ".join(cell.contexts[:_EXAMPLES])
    return ", ".join(f"{sentence}:{word}" for sentence, word in cell.examples[:_EXAMPLES])


# ── sentences ────────────────────────────────────────────────────────────────────────────────────


def _sentence_grids(
    evaluation: Evaluation, top: int | None, rank_by: str, texts: Mapping[str, str] | None
) -> Iterator[Grid]:
    """Return the scores of each sentence, or of the `top` worst ones, the worst first."""
    from commonground.report.views.leaderboard import ranking_metric  # noqa: PLC0415  # as above

    metrics = _metrics(evaluation)
    main = ranking_metric(evaluation, rank_by)
    columns = [Column("sentence"), Column("gold", "right"), *_score_columns(metrics)]
    for system in evaluation.systems:
        assert system.sentences is not None, "they were not asked for"
        score = system[main.name]
        size = score.counts.columns.get("gold", np.zeros(len(system.sentences.ids), np.int64))
        scores = [system[m.name].by_sentence() * m.scale for m in metrics]
        numbers = (each.tolist() for each in (size, *scores))
        rows = list(zip(system.sentences.ids, *numbers, strict=True))
        notes = []
        if top is not None and len(rows) > top:
            others = ("other sentence is", "other sentences are")
            notes = [f"{number_of(len(rows) - top, *others)} left out."]
            # Of sentences with the same score the longest is the worst: it has the most errors.
            worst = np.lexsort((-size, main.sign * score.by_sentence()))[:top]
            rows = [rows[place] for place in worst.tolist()]
        title = f"{system.name} by sentence" if len(evaluation.systems) > 1 else "By sentence"
        known = _texts_of(system) if texts is None else texts
        if any(known.get(row[0]) for row in rows):
            shown = [(*row, _beginning(known.get(row[0], ""))) for row in rows]
            yield Grid.of(title, [*columns, Column("text")], shown, notes)
        else:
            yield Grid.of(title, columns, rows, notes)


_TEXT = 60


def _texts_of(system: System) -> dict[str, str]:
    """Return the texts of the sentences of a gold standard in memory."""
    return {sentence.sent_id: sentence.text for sentence in system.gold or ()}


def _beginning(text: str) -> str:
    """Return a text, or its first words where it is long."""
    return text if len(text) <= _TEXT else f"{text[: _TEXT - 2].rsplit(' ', 1)[0]} …"


# ── explanations ─────────────────────────────────────────────────────────────────────────────────


def explanation_grid(metrics: dict[str, list[Metric]]) -> Grid:
    """Return a list of metrics, for each kind of corpus."""
    kinds: dict[Metric, list[str]] = {}
    for kind, of_kind in metrics.items():
        for metric in of_kind:
            kinds.setdefault(metric, []).append(kind)
    rows = [
        [metric.name, ", ".join(of), re.split(r"[:;]\s|\n", metric.explanation)[0].rstrip(".")]
        for metric, of in kinds.items()
    ]
    return Grid.of("", ["metric", "of", "definition"], rows)

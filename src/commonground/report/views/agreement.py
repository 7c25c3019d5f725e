"""The agreement of analyses as tables."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.evaluation.agreement import Agreement
from commonground.evaluation.column_agreement import ChanceCorrected, ColumnAgreement
from commonground.evaluation.differences import NONE, Differences
from commonground.evaluation.graph_agreement import PieceAgreement, differing
from commonground.evaluation.metric_score import percent
from commonground.evaluation.notes import left_out
from commonground.grid import Cell, Column, Grid, Value
from commonground.metrics.confusion import ConfusionCell
from commonground.metrics.metric import Metric
from commonground.plurals import number_of

__all__ = ["grids"]

_BOTH_WAYS = "The result is the same whichever of the two is the gold standard."


def grids(agreement: Agreement, *, top: int = 20) -> list[Grid]:
    """Return the scores, then what was asked for beside: α, differences, confused labels.

    The scores are one table with a row per direction for two analyses, else a matrix per metric, in
    which the row is the gold standard. `top` is how many rows of the others are shown.
    """
    more = _alpha_grids(agreement)
    more += _column_grids(agreement.columns)
    more += [_difference_grid(table, top) for table in agreement.differences]
    more += [_piece_grid(table, top) for table in agreement.pieces]
    more += [_confusion_grid(*pair, cells, top) for pair, cells in agreement.confusions.items()]
    if len(agreement.names) == 2:
        return [_directions(agreement), *more]
    last = len(agreement.metrics) - 1
    matrices = [
        _matrix(agreement, metric, agreement.signature if place == last else "")
        for place, metric in enumerate(agreement.metrics)
    ]
    return [*matrices, *more]


def _alpha_grids(agreement: Agreement) -> list[Grid]:
    """Return α of each pair, with what was observed and what chance would give."""
    rows: list[list[Cell | str]] = []
    for (one, other), (labelled, unlabelled) in agreement.alphas.items():
        alphas = [Cell(each.value, decimals=4) for each in (labelled, unlabelled)]
        means = [Cell(each, decimals=2) for each in (labelled.observed, labelled.expected)]
        rows.append([one, other, *alphas, *means, Cell(labelled.spread, decimals=4)])
    titles = ("α", "α (unl.)", "observed", "expected", "±")
    columns = [Column("one"), Column("other"), *(Column(title, "right") for title in titles)]
    note = (
        "α = 1 − observed / expected squared tree distance; ± is the sampling error of the pairs."
    )
    return [Grid.of("Corrected for chance", columns, rows, [note])] if rows else []


def _column_grids(columns: Sequence[ColumnAgreement]) -> list[Grid]:
    """Return a table for each pair: how far it agrees in each column and feature."""
    pairs = dict.fromkeys((each.one, each.other) for each in columns)
    return [
        _column_grid(*pair, [each for each in columns if (each.one, each.other) == pair])
        for pair in pairs
    ]


def _column_grid(one: str, other: str, columns: Sequence[ColumnAgreement]) -> Grid:
    rows: list[list[Cell | Value]] = [
        [
            each.column,
            each.words,
            100 * each.observed,
            *(_corrected(coefficient) for coefficient in (each.kappa, each.alpha)),
            ", ".join(f"{a} – {b} {count}" for a, b, count in each.confused[:_EXAMPLES]),
        ]
        for each in columns
    ]
    titles = [
        Column("column"),
        Column("words", "right"),
        Column("agreement", "right", 2),
        Column("κ", "right"),
        Column("α", "right"),
        Column(f"confused ({one} – {other})"),
    ]
    words = "Words: those that have a value in one of the two."
    notes = [f"κ: Cohen; α: Krippendorff; intervals at 95 %, over sentences. {words}"]
    if any(each.column == "enhanced" for each in columns):
        notes.append("enhanced: arcs of the enhanced graphs, F1.")
    return Grid.of(f"Columns of {one} and {other}", titles, rows, notes)


def _corrected(coefficient: ChanceCorrected | None) -> str:
    if coefficient is None:
        return "–"
    return f"{coefficient.value:.3f} [{coefficient.low:.3f}, {coefficient.high:.3f}]"


_EXAMPLES = 3


def _difference_grid(table: Differences, top: int) -> Grid:
    """Return where most heads differ, and how many rows are left out."""
    total = max(table.heads, 1)
    rows: list[list[Value]] = [
        [
            row.value if row.value != NONE else "none of these",
            row.words,
            row.heads,
            100 * row.share,
            100 * row.heads / total,
            row.labels,
            ", ".join(
                f"{sentence}:{word} {form}" for sentence, word, form in row.examples[:_EXAMPLES]
            ),
        ]
        for row in table.rows[:top]
    ]
    columns = [
        Column(table.by),
        Column("words", "right"),
        Column("other heads", "right"),
        Column("%", "right", 1),
        Column("of all", "right", 1),
        Column("only labels", "right"),
        Column("examples (sentence:word)"),
    ]
    words = sum(row.words for row in table.rows)
    note = f"{table.heads:,} of {words:,} heads differ ({100 * table.heads / max(words, 1):.1f} %)"
    rest = sum(row.heads for row in table.rows[top:])
    left = number_of(len(table.rows) - top, "other row", "other rows") if table.rows[top:] else ""
    notes = [note, *([f"{left} left out, with {rest:,} of these heads"] if left else [])]
    return Grid.of(f"Where {table.other} differs from {table.one}", columns, rows, notes)


def _piece_grid(table: PieceAgreement, top: int) -> Grid:
    """Return the pieces of graphs that two analyses have, by a property."""
    rows: list[list[Value]] = []
    for row in table.rows[:top]:
        counts = row.counts
        size, shared = counts["gold"] + counts["system"], counts["correct"]
        same = 100 * (shared + counts["system_correct"]) / max(size, 1)
        value = row.values[0] if row.values[0] != NONE else "none of these"
        rows.append([value, counts["gold"], counts["system"], shared, differing(row), same])
    left = number_of(len(table.rows) - top, "other row", "other rows") if table.rows[top:] else ""
    columns = [
        Column(table.by),
        *(Column(title, "right") for title in (table.one, table.other, "in both", "not in both")),
        Column("agreement", "right", 2),
    ]
    notes = [f"{left} left out"] if left else []
    return Grid.of(f"Pieces of {table.one} and {table.other}", columns, rows, notes)


def _confusion_grid(one: str, other: str, cells: Sequence[ConfusionCell], top: int) -> Grid:
    differing = [cell for cell in cells if cell.gold != cell.system]
    total = max(sum(cell.count for cell in cells), 1)
    rows: list[list[Value]] = [
        [
            cell.gold,
            cell.system,
            cell.count,
            100 * cell.count / total,
            ", ".join(f"{sentence}:{word}" for sentence, word in cell.examples[:_EXAMPLES]),
        ]
        for cell in differing[:top]
    ]
    rest = sum(cell.count for cell in differing[top:])
    left = [f"{rest:,} words in {len(differing) - top:,} rarer pairs of labels"] if rest else []
    columns = [
        Column(one),
        Column(other),
        Column("words", "right"),
        Column("%", "right", 2),
        Column("examples (sentence:word)"),
    ]
    return Grid.of("Other labels", columns, rows, left)


def _directions(agreement: Agreement) -> Grid:
    rows: list[list[Cell | str]] = [
        [gold, other, *(Cell(percent(score)) for score in scores.values())]
        for (gold, other), scores in agreement.scores.items()
    ]
    titles = [Column(metric.title, "right", 2) for metric in agreement.metrics]
    columns = [Column("gold standard"), Column("other"), *titles]
    return Grid.of("Agreement", columns, rows, _notes(agreement), agreement.signature)


def _notes(agreement: Agreement) -> list[str]:
    """Return which sentences do not count, and that labels are of several inventories."""
    notes = [f"{one}, {other}: {left_out(ids)}" for (one, other), ids in agreement.left_out.items()]
    if agreement.inventories:
        names = ", ".join(agreement.inventories)
        notes.append(f"Labels of different inventories ({names}) are compared as they are.")
    return notes


def _matrix(agreement: Agreement, metric: Metric, signature: str) -> Grid:
    rows: list[list[Cell | str]] = [
        [
            gold,
            *(
                Cell(None)
                if gold == other
                else Cell(percent(agreement.scores[gold, other][metric.name]))
                for other in agreement.names
            ),
        ]
        for gold in agreement.names
    ]
    columns = [Column("gold standard"), *(Column(name, "right", 2) for name in agreement.names)]
    notes = [_BOTH_WAYS] if agreement.symmetric(metric.name) else []
    notes += _notes(agreement) if signature else []
    return Grid.of(metric.title, columns, rows, notes, signature)

"""The tables of a study, put together from the outcomes of its steps."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from commonground.experiments.plan import MatrixCell, Plan
from commonground.experiments.recipe import Place, Scalar, TableOf
from commonground.experiments.run import CellOutcome
from commonground.experiments.steps.files import at_place, read_grids
from commonground.experiments.store import Store
from commonground.formats.storage.files import write_bytes
from commonground.grid import Cell, Column, Grid, Note, Value
from commonground.report.tables import render

__all__ = ["tables_of", "write_tables"]

_SUFFIXES = {"text": "txt", "markdown": "md", "latex": "tex", "tsv": "tsv", "html": "html"}


def tables_of(
    plan: Plan, outcomes: Mapping[str, CellOutcome], folder: Path
) -> dict[str, list[Grid]]:
    """Return the tables of a recipe by their names; what failed stands in them with its reason."""
    store = Store(folder / "store")
    return {table.name: _grids(table, plan, outcomes, store) for table in plan.recipe.tables}


def write_tables(tables: Mapping[str, Sequence[Grid]], folder: Path) -> list[Path]:
    """Write each table as text, Markdown, LaTeX, TSV, CSV and HTML; return the files."""
    written = []
    for name, grids in tables.items():
        for output_format, suffix in _SUFFIXES.items():
            path = folder / "tables" / f"{name}.{suffix}"
            path.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(path, [render(list(grids), output_format).encode("utf-8")])
            written.append(path)
        path = folder / "tables" / f"{name}.csv"
        write_bytes(path, [_csv(render(list(grids), "tsv")).encode("utf-8")])
        written.append(path)
    return written


def _csv(text: str) -> str:
    r"""Return values with commas in place of tabs between them.

    >>> _csv("a\tb, c\n")
    'a,"b, c"\n'
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerows(line.split("\t") if line else [] for line in text.splitlines())
    return buffer.getvalue()


def _grids(
    table: TableOf, plan: Plan, outcomes: Mapping[str, CellOutcome], store: Store
) -> list[Grid]:
    cells = plan.of_step(table.of)
    if table.rows or table.columns or table.values:
        return [_pivot(table, plan, cells, outcomes, store)]
    return [
        grid for cell in cells for grid in _own_grids(table, cell, outcomes[cell.digest], store)
    ]


def _own_grids(table: TableOf, cell: MatrixCell, outcome: CellOutcome, store: Store) -> list[Grid]:
    """Return the tables of a result as they are, under the title of the table."""
    title = table.title or cell.step
    inside = ", ".join(map(str, cell.axes.values()))
    whole = f"{title} ({inside})" if inside else title
    if outcome.state in ("failed", "left out"):
        return [Grid.of(whole, ["outcome"], [[f"failed: {outcome.reason}"]])]
    grids = read_grids(store.place(outcome.digest))
    notes = (*((Note(table.caption),) if table.caption else ()), *map(Note, _absent(outcome)))
    named = [
        replace(grid, title=f"{whole}: {grid.title}" if grid.title and number else whole)
        for number, grid in enumerate(grids)
    ]
    return [replace(named[0], notes=(*notes, *named[0].notes)), *named[1:]] if named else named


def _pivot(
    table: TableOf,
    plan: Plan,
    cells: Sequence[MatrixCell],
    outcomes: Mapping[str, CellOutcome],
    store: Store,
) -> Grid:
    """Return a table with axes as rows and columns."""
    matrix = plan.recipe.matrix
    down = list(product(*(matrix[axis] for axis in table.rows)))
    across = [
        (values, title, place)
        for values in product(*(matrix[axis] for axis in table.columns))
        for title, place in table.values.items()
    ]
    heads = [" ".join([*map(str, values), title]).strip() for values, title, _ in across]
    reasons: list[str] = []
    rows: list[list[Cell]] = []
    for values in down:
        entries: list[Cell] = []
        for others, _, place in across:
            here = dict(zip((*table.rows, *table.columns), (*values, *others), strict=True))
            step, colon, rest = place.of.rpartition(":")
            among = plan.of_step(step) if colon else cells
            cell = next(c for c in among if all(here.get(a, v) == v for a, v in c.axes.items()))
            keys = [_in_place(key, here) for key in rest.split(".")]
            entries.append(_entry(outcomes[cell.digest], store, keys, place, reasons))
        rows.append(entries)
    if table.best:
        rows = _best_of(rows, table.best)
    body: list[list[Cell | Value]] = [
        [*map(str, values), *entries] for values, entries in zip(down, rows, strict=True)
    ]
    notes = [*([table.caption] if table.caption else []), *dict.fromkeys(reasons)]
    columns: list[Column | str] = [*table.rows, *(Column(head, "right", 2) for head in heads)]
    return Grid.of(table.title or table.name, columns, body, notes)


def _in_place(key: str, here: Mapping[str, Scalar]) -> str:
    """Return a key of a result with the values of axes for what stands in braces."""
    for axis, value in here.items():
        key = key.replace(f"{{{axis}}}", str(value))
    return key


def _entry(
    outcome: CellOutcome, store: Store, keys: Sequence[str], place: Place, reasons: list[str]
) -> Cell:
    if outcome.state in ("failed", "left out"):
        reasons.append(f"–: {outcome.cell.title}: {outcome.reason}")
        return Cell(None)
    path = store.place(outcome.digest) / "result.json"
    saved = at_place(json.loads(path.read_text(encoding="utf-8")), keys)
    if saved is None:
        reasons.extend(_absent(outcome))
    return _shown(saved, place)


def _shown(value: Any, place: Place) -> Cell:
    """Return what stands in a result: a text, a number, or a mean with its standard deviation.

    A mean is bold where the result says that it is better than that of its baseline.

    >>> _shown({"mean": 0.8125, "sd": 0.005, "better": True}, Place("uas")).value
    '81.25 ± 0.50'
    """
    if isinstance(value, dict) and {"mean", "sd"} <= value.keys():
        mean, sd = (f"{place.times * value[name]:.{place.decimals}f}" for name in ("mean", "sd"))
        return Cell(f"{mean} ± {sd}", bold=bool(value.get("better")))
    if isinstance(value, int | float):
        return Cell(place.times * value, place.decimals)
    return Cell(value if isinstance(value, str) else None)


def _absent(outcome: CellOutcome) -> list[str]:
    """Return why systems are not in a result."""
    return [f"{system} is missing: {reason}" for system, reason in outcome.lacking.items()]


def _best_of(rows: Sequence[Sequence[Cell]], way: str) -> list[list[Cell]]:
    """Return entries with the greatest of each row, or of each column, in bold."""
    if way == "row":
        return [_best(row) for row in rows]
    columns = [_best(column) for column in zip(*rows, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]


def _best(entries: Sequence[Cell]) -> list[Cell]:
    """Return the entries with the greatest in bold, if there are several."""
    known = [entry.value for entry in entries if isinstance(entry.value, float)]
    if len(known) < 2:
        return list(entries)
    most = max(known)
    return [replace(entry, bold=entry.value == most) for entry in entries]

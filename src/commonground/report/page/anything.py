"""The chapter of a result that no module knows: its tables, wherever they are.

A result that has tables to show says so under ``grids``: a list of objects with a ``title``,
``columns`` (titles, or objects with ``title``, ``align`` and ``decimals``), ``rows`` and ``notes``.
Of any other result, each list of objects is a table, and single values are facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from commonground.errors import InputError
from commonground.grid import Column, Grid
from commonground.report.page.sections import Block, Chapter, Section, TableBlock, Text

__all__ = ["anything_chapter", "grid_of"]

Json = Mapping[str, Any]

_LONGEST = 1_000
_SHOWN = 200
_OF_ALL = frozenset({"signature", "command", "request", "grids"})
"""What the page shows in a place of its own."""


def anything_chapter(path: str, data: Json) -> Chapter:
    """Return a chapter with all tables of a result."""
    request = data.get("request")
    verb = request.get("verb") if isinstance(request, Mapping) else None
    grids = data.get("grids")
    if isinstance(grids, list):
        blocks: list[Block] = [TableBlock(grid_of(grid, path)) for grid in grids]
    else:
        blocks = [TableBlock(grid) for grid in _tables(data)]
    return Chapter(
        f"Result of {verb}" if isinstance(verb, str) else f"Result in {PurePath(path).name}",
        (Section("Tables", tuple(blocks or [Text("This result has no tables.")])),),
        facts={"File": path},
        signature=_text(data, "signature"),
        command=_text(data, "command"),
    )


def _text(data: Json, key: str) -> str:
    value = data.get(key)
    return value if isinstance(value, str) else ""


def grid_of(data: Any, path: str = "<memory>") -> Grid:
    """Return the table that a result describes.

    >>> grid_of({"title": "Runs", "columns": ["run", "LAS"], "rows": [["1", 90.5]]}).title
    'Runs'
    """
    if not isinstance(data, Mapping):
        raise InputError(path, 0, "a table in 'grids' is not an object, {…}")
    columns, rows, notes = (_listed(data, key, path) for key in ("columns", "rows", "notes"))
    width = len(columns)
    if not all(isinstance(row, list) and len(row) == width for row in rows):
        raise InputError(
            path, 0, f"a table in 'grids' has a row that is not a list of {width} values"
        )
    return Grid.of(
        _said(data.get("title", "")),
        [_column(column) for column in columns],
        [[_value(value) for value in row] for row in rows],
        map(_said, notes),
    )


def _listed(data: Json, key: str, path: str) -> list[Any]:
    value = data.get(key, [])
    if not isinstance(value, list):
        raise InputError(path, 0, f"{key!r} of a table in 'grids' is not a list")
    return value


def _column(data: Any) -> Column:
    if not isinstance(data, Mapping):
        return Column(_said(data))
    align, decimals = data.get("align"), data.get("decimals")
    return Column(
        _said(data.get("title", "")),
        align if align in ("left", "right", "center") else "left",
        decimals if isinstance(decimals, int) and 0 <= decimals <= 20 else None,
    )


# ── tables that nobody has made ──────────────────────────────────────────────────────────────────


def _tables(data: Json) -> Iterator[Grid]:
    """Return the lists of objects in a value as tables, and its single values before them."""
    waiting: list[tuple[str, Any]] = [("", {k: v for k, v in data.items() if k not in _OF_ALL})]
    while waiting:
        name, value = waiting.pop(0)
        if isinstance(value, Mapping):
            single = {key: each for key, each in value.items() if _is_single(each)}
            if single:
                rows = [[key, _value(each)] for key, each in single.items()]
                yield Grid.of(name or "Values", ["name", Column("value")], rows)
            waiting += [
                (f"{name} {key}".strip(), each) for key, each in value.items() if key not in single
            ]
        elif isinstance(value, list) and value and all(isinstance(v, Mapping) for v in value):
            yield _records(name, value)


def _is_single(value: Any) -> bool:
    """Tell whether a value fits into a cell: a text, a number, or a list of these."""
    if isinstance(value, list):
        return not any(isinstance(each, list | Mapping) for each in value)
    return not isinstance(value, Mapping)


def _records(name: str, records: Sequence[Json]) -> Grid:
    """Return objects as rows; an object within one gives columns of its own."""
    flat = [_flat(record) for record in records[:_LONGEST]]
    titles = list(dict.fromkeys(title for record in flat for title in record))
    numeric = {title for title in titles if all(_is_number(r.get(title, 0)) for r in flat)}
    left = len(records) - len(flat)
    return Grid.of(
        name,
        [Column(t, "right", 4) if t in numeric else Column(t) for t in titles],
        [[_value(record.get(title)) for title in titles] for record in flat],
        [f"{left:,} more are left out."] if left else [],
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _flat(record: Json) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    waiting: list[tuple[str, Any]] = list(record.items())
    while waiting:
        name, value = waiting.pop(0)
        if _is_single(value):
            flat[name] = value
        elif isinstance(value, Mapping):
            waiting = [(f"{name} {key}", each) for key, each in value.items()] + waiting
    return flat


def _value(value: Any) -> str | int | float | None:
    """Return a value as a cell has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if value is None or isinstance(value, int | float) else _said(value)


def _said(value: Any) -> str:
    """Return any value as text of bounded length."""
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"

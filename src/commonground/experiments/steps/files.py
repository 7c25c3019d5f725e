"""What steps read of others and keep themselves: treebanks, results, and their tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from commonground.evaluation.signature import short_form
from commonground.experiments.steps.kind import Values
from commonground.grid import Cell, Column, Grid, Note

__all__ = [
    "at_place",
    "keep_grids",
    "keep_records",
    "keep_result",
    "keep_treebank",
    "kept_treebank",
    "read_grids",
    "request_of",
    "treebank",
]


def at_place(data: Any, keys: Sequence[str]) -> Any:
    """Return what stands in JSON at a place; of a list, that with this number or name.

    >>> at_place({"systems": [{"name": "a", "uas": 0.5}]}, ["systems", "a", "uas"])
    0.5
    """
    for key in keys:
        if isinstance(data, list) and key.isdigit():
            data = data[int(key)] if int(key) < len(data) else None
        elif isinstance(data, list):
            data = next((each for each in data if each.get("name") == key), None)
        else:
            data = data.get(key) if isinstance(data, dict) else None
    return data


def kept_treebank(source: Path) -> Path | None:
    """Return the file of the treebank in the folder of another outcome; an input has none."""
    kept = sorted(source.glob("treebank.*")) if source.is_dir() else []
    return kept[0] if kept else None


def treebank(source: Path) -> Any:
    """Return the treebank of an input, or of the folder of another outcome."""
    from commonground.formats.storage.folders import read

    return read(str(kept_treebank(source) or source), partial=True)


def keep_treebank(corpus: Any, folder: Path) -> None:
    """Keep a treebank, in the format of its kind."""
    from commonground.formats import write

    suffix = {"dependencies": "conllu", "constituents": "mrg"}.get(corpus.kind, "txt")
    formats = {"conllu": "conllu", "mrg": "brackets"}
    write(corpus, folder / f"treebank.{suffix}", formats.get(suffix))


def keep_result(result: Any, folder: Path, request: Any = None, **shown: Any) -> None:
    """Keep a result: its JSON, with the request that it comes of, and its tables."""
    from commonground.evaluation.result import Origin
    from commonground.evaluation.saved import write_result

    write_result(replace(result, origin=Origin(request=request)), folder / "result.json")
    keep_grids(result.grids(**shown), folder)


def request_of(verb: str, values: Values, folder: Path, treebanks: Values) -> Any:
    """Return the request that a result comes of, so that a report can read the treebanks again.

    Files of the store are named as seen from the result, which will be two folders below it.
    """
    from commonground.evaluation.option_settings import OPTION_NAMES
    from commonground.evaluation.request import Options, Request
    from commonground.formats.storage.files import digest
    from commonground.formats.storage.folders import files_of

    names: dict[str, str] = {}  # by path

    def named(path: Any) -> Any:
        if isinstance(path, Mapping):
            return {name: named(each) for name, each in path.items()}
        if isinstance(path, list):
            return tuple(map(named, path))
        kept = kept_treebank(path)
        if kept:
            names[str(kept)] = f"../../{kept.relative_to(folder.parent).as_posix()}"
            return names[str(kept)]
        given = str(path) if ":" in str(path) else str(path.absolute())
        names.update({file: file for file in files_of(given)})
        return given

    fields = {key: named(value) for key, value in treebanks.items()}
    changes = {OPTION_NAMES.get(key, key): each for key, each in values.get("settings", {}).items()}
    asked: dict[str, Any] = {n: values[n] for n in ("protocol", "subsets", "labels") if n in values}
    asked |= {"metrics": tuple(values["metrics"])} if values.get("metrics") else {}
    given_options = {**asked, **changes}.items()
    options = Options.of({key.replace("_", "-"): each for key, each in given_options})
    inputs = {name: digest(path) for path, name in names.items()}
    return Request(verb=verb, options=options, inputs=inputs, **fields)


def keep_records(data: Mapping[str, Any], folder: Path) -> None:
    """Keep numbers that a table is put together from."""
    (folder / "result.json").write_text(json.dumps(data, indent=1), encoding="utf-8")
    rows = [[f"{a} {b}", value] for a, each in data.items() for b, value in each.items()]
    keep_grids([Grid.of("", ["what", Column("value", "right", 4)], rows)], folder)


def keep_grids(grids: Sequence[Grid], folder: Path) -> None:
    """Keep the tables of a result."""
    # What is usual is known here, where the result was made.
    short = [replace(grid, signature=short_form(grid.signature)) for grid in grids]
    text = json.dumps([asdict(grid) for grid in short], indent=1)
    (folder / "grids.json").write_text(text, encoding="utf-8")


def read_grids(folder: Path) -> list[Grid]:
    """Return the tables of a result."""
    saved = json.loads((folder / "grids.json").read_text(encoding="utf-8"))
    return [
        Grid(
            grid["title"],
            tuple(Column(**column) for column in grid["columns"]),
            tuple(tuple(_cell(cell) for cell in row) for row in grid["rows"]),
            tuple(Note(**note) for note in grid["notes"]),
            grid["signature"],
        )
        for grid in saved
    ]


def _cell(data: dict[str, Any]) -> Cell:
    interval = data.pop("interval", None)
    return Cell(**data, interval=None if interval is None else tuple(interval))

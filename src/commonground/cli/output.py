"""Results and progress: what a verb shows."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

import click

from commonground.cli.options import SAFE_CELLS, SIGNATURE
from commonground.engine import Jobs, engine_for
from commonground.errors import UsageError
from commonground.grid import Grid
from commonground.report.tables import render

__all__ = ["expanded", "ink", "of_each", "on_terminal", "progress", "show"]

Result = TypeVar("Result")


def show(
    output: str,
    output_format: str,
    *,
    data: Mapping[str, Any],
    grids: Sequence[Grid],
    text: str | None = None,
) -> None:
    """Write a result: `data` as JSON, `grids` in the other formats; `text`, if any, for people."""
    from commonground.formats.storage.files import write_bytes

    if output_format == "json":
        from commonground.streamed_json import json_parts

        written = json_parts(data)
    elif output_format == "text" and text is not None:
        written = iter([_as_page(text) if _is_page(output) else text])
    else:
        grids = _with_safe_cells(grids) if _wants_safe_cells() else grids
        width = _terminal_width() if on_terminal(output) else None
        styled = _coloured(output)
        written = iter([render(_signed(grids), output_format, width=width, styled=styled)])
    write_bytes(output, (part.encode("utf-8", "backslashreplace") for part in written))


_PAGES = (".html", ".htm", ".xhtml", ".xht", ".shtml", ".svg", ".xml")


def _is_page(output: str) -> bool:
    """Tell whether a browser would take a file for a page, and what is in it for markup."""
    return output.lower().endswith(_PAGES)


def _as_page(text: str) -> str:
    from commonground.report.table_formats.html import text_page

    return text_page(text)


def _with_safe_cells(grids: Sequence[Grid]) -> Sequence[Grid]:
    from commonground.report.table_formats.tsv import with_safe_cells

    return with_safe_cells(grids)


def _wants_safe_cells() -> bool:
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(SAFE_CELLS))


def _signed(grids: Sequence[Grid]) -> list[Grid]:
    """Return tables with their signatures as the command line asks for them."""
    context = click.get_current_context(silent=True)
    if context is None or context.meta.get(SIGNATURE) != "short":
        return list(grids)
    from commonground.evaluation.signature import short_form

    return [replace(grid, signature=short_form(grid.signature)) for grid in grids]


def refuse_terminal(output: str, what: str, file: str) -> None:
    """Refuse to write to a terminal what nobody could read there."""
    if on_terminal(output):
        raise UsageError(f"{what} cannot be shown in a terminal; write it to a file with -o {file}")


def on_terminal(output: str) -> bool:
    """Tell whether an output is seen on a terminal."""
    return output == "-" and sys.stdout.isatty()


def _terminal_width() -> int:
    import shutil

    return shutil.get_terminal_size().columns


def _coloured(output: str) -> bool:
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return on_terminal(output) and wanted


_INK = {
    "form": "1",
    "phrase": "36",
    "tag": "2",
    "label": "33",
    "number": "2",
    "branch": "2",
    "wrong": "1;31",
    "right": "1;34",
}


def ink(output: str) -> Callable[[str, str], str]:
    """Return how parts of a drawing (see ``report/text_trees.py``) look where they are written."""
    if not _coloured(output):
        return lambda _, text: text
    return lambda part, text: f"\x1b[{_INK[part]}m{text}\x1b[0m"


@contextmanager
def progress(
    title: str, *, total: int | None = None, quiet: bool = False
) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error while it is a terminal; it goes when the work is done.

    The value is a function that moves the bar on; `total` is how far it can go, if that is known.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich import progress as bars
    from rich.console import Console

    with bars.Progress(
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as shown:
        task = shown.add_task(title, total=total)
        yield lambda steps: shown.advance(task, steps)


def expanded(paths: Sequence[str]) -> list[str]:
    """Return files: those of folders and patterns, and those that are files themselves."""
    from commonground.formats.storage.folders import files_of

    return [file for path in paths for file in files_of(path)]


def of_each(
    function: Callable[[str], Result], files: Sequence[str], *, jobs: Jobs, quiet: bool
) -> list[Result]:
    """Return the results of `function` for all files, with a progress bar."""
    # No other process can read the standard input of this one.
    engine = engine_for(1 if "-" in files else jobs)
    results = []
    with progress("files", total=len(files), quiet=quiet) as advance:
        for result in engine.map(function, files):
            results.append(result)
            advance(1)
    return results

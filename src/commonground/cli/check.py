"""``commonground check``: everything that is wrong with files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial as bound
from pathlib import Path
from typing import TYPE_CHECKING

import click

import commonground
from commonground.cli.options import (
    INPUT,
    format_option,
    output_options,
    partial_option,
    run_options,
)
from commonground.cli.output import expanded, of_each, show
from commonground.errors import InputError
from commonground.report.tables import Column, Grid

if TYPE_CHECKING:
    from commonground.formats.check import Checked


@click.command()
@click.argument("files", metavar="FILE…", type=INPUT, nargs=-1, required=True)
@format_option
@partial_option
@click.option(
    "--max",
    "most",
    type=click.IntRange(min=1),
    metavar="N",
    help="Show at most N problems of each file; all are counted.",
)
@output_options
@run_options("jobs", "quiet")
@click.pass_context
def command(
    context: click.Context,
    files: Sequence[str],
    input_format: str | None,
    *,
    partial: bool,
    most: int | None,
    output_format: str,
    output: str,
    jobs: int,
    quiet: bool,
) -> None:
    """Find everything that is wrong with files.

    Each problem is a line FILE:LINE: what is wrong. First the format is checked; a file that can be
    read is then checked for trees that are none: cycles, several roots, and so on. The exit code is
    2 when there are problems.

    \b
    Examples:
      commonground check example:ud example:ptb
      commonground check example:ud --output-format json -o problems.json
    """  # noqa: D301  # click's mark for lines that stay as they are
    work = bound(commonground.check, format=input_format, partial=partial)
    every = [file for given in files for file in _files(given)]
    found = of_each(work, every, jobs=jobs, quiet=quiet)
    total = sum(len(checked.problems) for checked in found)
    data = {
        "problems": total,
        "files": [
            {
                "file": checked.path,
                "format": checked.format,
                "sentences": checked.sentences,
                "count": len(checked.problems),
                "problems": [
                    {"line": problem.line, "message": problem.message}
                    for problem in checked.problems[:most]
                ],
            }
            for checked in found
        ],
    }
    show(output, output_format, data=data, grids=[_grid(found, most)], text=_text(found, most))
    context.exit(2 if total else 0)


def _files(given: str) -> list[str]:
    """Return the files that a name stands for; an empty folder is a problem of its own."""
    try:
        return list(expanded([given]))
    except InputError:
        if not Path(given).is_dir():
            raise
        return [given]


def _grid(found: Sequence[Checked], most: int | None) -> Grid:
    rows: list[list[str | int]] = [
        [checked.path, problem.line, problem.message]
        for checked in found
        for problem in checked.problems[:most]
    ]
    return Grid.of("", ["file", Column("line", "right"), "problem"], rows, [_verdict(found)])


def _text(found: Sequence[Checked], most: int | None) -> str:
    lines = []
    for checked in found:
        shown = checked.problems[:most]
        lines += [str(InputError(checked.path, p.line, p.message)) for p in shown]
        if len(shown) < len(checked.problems):
            lines.append(f"{checked.path}: {len(checked.problems) - len(shown):,} more problems")
    return "\n".join([*lines, _verdict(found), ""])


def _verdict(found: Sequence[Checked]) -> str:
    total = sum(len(checked.problems) for checked in found)
    bad = sum(1 for checked in found if checked.problems)
    files = f"{len(found):,} file{'s' * (len(found) != 1)}"
    if not total:
        return f"no problems in {files}"
    return f"{total:,} problem{'s' * (total != 1)} in {bad:,} of {files}"

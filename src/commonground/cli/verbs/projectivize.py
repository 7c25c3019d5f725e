"""``commonground projectivize``: trees for parsers that need projective ones, and back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from commonground.cli.options import report_options, run_options
from commonground.cli.output import show
from commonground.cli.rewrite_command import rewrite, rewriting_options

if TYPE_CHECKING:
    from commonground.corpus import Dependencies


@click.command()
@rewriting_options
@click.option(
    "--encoding",
    type=click.Choice(["head", "path", "head+path", "baseline"]),
    default="head",
    show_default=True,
    help="What labels record of lifted arcs; baseline records nothing.",
)
@click.option("--undo", is_flag=True, help="Restore lifted arcs from their labels.")
@report_options
@run_options("quiet")
def command(
    source: str,
    target: str,
    *,
    encoding: str,
    undo: bool,
    output_format: str,
    output: str,
    quiet: bool,
    **reading: Any,
) -> None:
    """Make trees projective, reversibly.

    Arcs are lifted until none is non-projective, and labels record where they came from
    (pseudo-projective parsing, Nivre & Nilsson 2005, as MaltParser writes it). --undo restores
    them, also in the output of a parser. A report is printed unless
    OUT is standard output; --report-file writes it to a file.

    \b
    Examples:
      commonground projectivize example:ud projective.conllu --encoding head+path
      commonground projectivize example:ud - | commonground info - --nonprojectivity
    """
    from commonground.report.views.projectivity import moves_grid
    from commonground.schemes.projectivity import (
        Moves,
        deprojectivize,
        projectivize,
    )

    total = Moves()

    def change(piece: Dependencies) -> Dependencies:
        nonlocal total
        changed, moves = (deprojectivize if undo else projectivize)(piece, encoding)
        total += moves
        return changed

    rewrite(partial(map, change), source, target, quiet=quiet, **reading)
    if target != "-" or output != "-":
        show(output, output_format, data=total.to_json(), grids=[moves_grid(total, undo=undo)])

"""``commonground unify``: all that treebanks say."""

from __future__ import annotations

from typing import Any

import click

from commonground.cli.function_trees import read_trees, show_trees, tree_options
from commonground.cli.options import INPUT, output_options, run_options
from commonground.cli.remarks import remark

CROSSING = 2
"""The exit code where trees cannot be unified."""


@click.command()
@click.argument("files", metavar="FILE…", type=INPUT, nargs=-1, required=True)
@tree_options
@output_options
@run_options("quiet")
@click.pass_context
def command(
    context: click.Context,
    /,
    files: tuple[str, ...],
    output: str,
    output_format: str,
    **reading: Any,
) -> None:
    """Merge treebanks of the same text.

    The result has all yields with all their labels. If two yields cross, no tree can have both:
    each such pair is reported on standard error, nothing is written, and the exit code is 2.

    \b
    Examples:
      commonground unify example:ud example:ud --output-format json
      commonground generalize example:ud example:ptb | commonground unify example:ud -
    """
    from commonground.ground import CrossingError, unify

    read = read_trees(files, **reading)
    try:
        trees = unify(*read.trees, equivalent=read.equivalent)
    except CrossingError as error:
        for sentence, one, other in error.found:
            remark(f"sentence {sentence}: the words {one} and {other} cross")
        context.exit(CROSSING)
    show_trees(trees, read, output, output_format)

"""``commonground generalize``: what treebanks agree on."""

from __future__ import annotations

from typing import Any

import click

from commonground.cli.function_trees import read_trees, show_trees, tree_options
from commonground.cli.options import INPUT, output_options, run_options


@click.command()
@click.argument("files", metavar="FILE…", type=INPUT, nargs=-1, required=True)
@tree_options
@output_options
@run_options("quiet")
def command(files: tuple[str, ...], output: str, output_format: str, **reading: Any) -> None:
    """Find what treebanks of the same text agree on.

    The result has the yields that all of them share, with the labels that they share. The files
    may be of any kind: dependencies, constituents, relations, function trees. If they split the
    text into different words, yields are made of the units that they have in common.

    \b
    Examples:
      commonground generalize example:ud example:ptb -o common.functions
      commonground generalize example:ud example:ud-parse --output-format json
    """
    from commonground.ground import generalize

    read = read_trees(files, **reading)
    show_trees(generalize(*read.trees, equivalent=read.equivalent), read, output, output_format)

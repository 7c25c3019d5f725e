"""``commonground label-unify``: the structure of one treebank with the labels of others."""

from __future__ import annotations

from typing import Any

import click

from commonground.cli.function_trees import read_trees, show_trees, tree_options
from commonground.cli.options import INPUT, output_options, run_options


@click.command()
@click.argument("structure", metavar="STRUCTURE", type=INPUT)
@click.argument("labels", metavar="LABELS…", type=INPUT, nargs=-1, required=True)
@tree_options
@output_options
@run_options("quiet")
def command(
    structure: str, labels: tuple[str, ...], output: str, output_format: str, **reading: Any
) -> None:
    """Add the labels of other treebanks to the nodes of one.

    The result has the nodes of STRUCTURE, each with its own labels and those that the other files
    give to the same words. For example, bare constituents get the functions of a dependency
    treebank.

    \b
    Examples:
      commonground label-unify example:ptb example:ud -o ptb.functions
      commonground label-unify example:ptb example:ud --functions TMP,LOC
    """
    from commonground.ground import label_unify

    read = read_trees([structure, *labels], **reading)
    show_trees(label_unify(*read.trees, equivalent=read.equivalent), read, output, output_format)

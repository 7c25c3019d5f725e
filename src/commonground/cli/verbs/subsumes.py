"""``commonground subsumes``: whether one treebank is more general than another."""

from __future__ import annotations

from typing import Any

import click

from commonground.cli.function_trees import read_trees, tree_options
from commonground.cli.options import INPUT, output_options, run_options
from commonground.cli.output import show
from commonground.grid import Grid

NOT_ALL = 1
"""The exit code where a sentence is not subsumed."""


@click.command()
@click.argument("general", metavar="A", type=INPUT)
@click.argument("specific", metavar="B", type=INPUT)
@tree_options
@output_options
@run_options("quiet")
@click.pass_context
def command(
    context: click.Context,
    /,
    general: str,
    specific: str,
    output: str,
    output_format: str,
    **reading: Any,
) -> None:
    """Test whether one treebank is more general than another.

    A sentence of A subsumes that of B if B has all its yields, with all their labels. The exit code
    is 0 if this holds for all sentences, and 1 otherwise.

    \b
    Examples:
      commonground generalize example:ud example:ptb | commonground subsumes - example:ptb
      commonground subsumes example:ptb example:ptb --output-format json
    """
    from commonground.ground import subsumes

    read = read_trees([general, specific], **reading)
    subsumed = subsumes(read.trees[0], read.trees[1], read.equivalent).tolist()
    names = read.trees[0].sent_id.tolist()
    rows = [[name, "yes" if truth else "no"] for name, truth in zip(names, subsumed, strict=True)]
    verdict = f"{sum(subsumed):,} of {len(subsumed):,} sentences of {general} subsume {specific}"
    data = {
        "subsumes": all(subsumed),
        "subsuming": sum(subsumed),
        "sentences": [
            {"sent_id": name, "subsumes": truth}
            for name, truth in zip(names, subsumed, strict=True)
        ],
        **read.remarks,
    }
    grid = Grid.of("", ["sentence", "subsumes"], rows, [verdict])
    show(output, output_format, data=data, grids=[grid])
    context.exit(0 if all(subsumed) else NOT_ALL)

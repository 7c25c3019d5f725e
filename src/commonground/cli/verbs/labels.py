"""``commonground labels``: what labels of different inventories have to do with each other."""

from __future__ import annotations

from typing import Any

import click

from commonground.cli.function_trees import functions_option, mismatch_option
from commonground.cli.options import (
    INPUT,
    broken_files_option,
    format_option,
    output_options,
    renamed_option,
    run_options,
)
from commonground.cli.output import show


@click.group(no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Find which labels of different inventories are the same.

    Labelled scores across schemes need a shared inventory. 'learn' finds corresponding labels in
    two treebanks of the same text. 'hub' maps the labels of a treebank to the hub, the inventory
    shared by all schemes. 'same' lists labels of two inventories that are the same in the hub.

    \b
    Examples:
      commonground labels learn example:sud example:ud
      commonground labels hub example:ptb
      commonground labels same ud-ptb
    """


@command.command("learn")
@click.argument("one", metavar="A", type=INPUT)
@click.argument("other", metavar="B", type=INPUT)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    metavar="SHARE",
    help="The share of nodes that must have the corresponding label.",
)
@click.option(
    "--least",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    metavar="N",
    help="Ignore labels on fewer than N nodes of B.",
)
@renamed_option(
    "--use-tags/--no-use-tags",
    "tags",
    former=["--tags/--no-tags"],
    default=True,
    help="Use tags where labels are ambiguous.",
)
@click.option(
    "--subtypes/--no-subtypes",
    default=True,
    help="Whether nsubj:pass and nsubj are different labels.",
)
@functions_option
@mismatch_option
@format_option
@broken_files_option
@output_options
@run_options()
def learn(
    one: str,
    other: str,
    *,
    input_format: str | None,
    output_format: str,
    output: str,
    **options: Any,
) -> None:
    """Learn which labels of treebank A correspond to which of B, on the same text.

    It counts the labels of nodes over the same words. You can edit the output and use it with
    'compare --label-map NAME=FILE'. The first lines tell how many labels a map learned from four
    fifths of the sentences knows in the last one, and how many of these it gets right.

    \b
    Examples:
      commonground labels learn example:sud example:ud -o sud-ud.labels
      commonground labels learn example:ptb example:ud --output-format markdown
    """
    import commonground
    from commonground.ground.label_learning import fit_labels
    from commonground.report.views.labels import held_out, map_grid, map_json

    corpora = [commonground.read(path, input_format, partial=True) for path in (one, other)]
    fitted = fit_labels(*corpora, **options)
    title = f"# labels of {one} over the same words as those of {other}\n# {held_out(fitted)}\n"
    show(
        output,
        output_format,
        data=map_json(fitted),
        grids=[map_grid(fitted)],
        text=title + fitted.whole.text,
    )


@command.command("hub")
@click.argument("treebank", metavar="FILE", type=INPUT)
@click.option(
    "--inventory", metavar="NAME", help="The inventory of the labels; detected by default."
)
@functions_option
@format_option
@broken_files_option
@output_options
@run_options()
def hub(
    treebank: str,
    *,
    inventory: str | None,
    functions: tuple[str, ...] | None,
    input_format: str | None,
    output_format: str,
    output: str,
) -> None:
    """Show what the labels of a treebank are in the hub, with counts.

    \b
    Examples:
      commonground labels hub example:sud
      commonground labels hub example:ptb --output-format json
    """
    import commonground
    from commonground.ground.inventory import hub_trees
    from commonground.report.views.labels import hub_grid, hub_json

    corpus = commonground.read(treebank, input_format, partial=True)
    trees = hub_trees(corpus, inventory, functions=functions)
    show(output, output_format, data=hub_json(trees), grids=[hub_grid(trees)])


@command.command("same")
@click.argument("names", metavar="A-B")
@output_options
@run_options()
def same(names: str, *, output_format: str, output: str) -> None:
    """List the labels of two inventories that are the same in the hub.

    \b
    Examples:
      commonground labels same ud-ptb
      commonground labels same ud-sud --output-format json
    """
    from commonground.errors import UsageError
    from commonground.ground.equivalences import (
        equivalence_names,
        named_equivalence,
    )
    from commonground.report.views.labels import same_grid

    relations = named_equivalence(names)
    if relations is None:
        known = ", ".join(equivalence_names())
        raise UsageError(f"{names!r} does not name two inventories; write A-B, with {known}")
    show(output, output_format, data={"same": relations}, grids=[same_grid(relations)])

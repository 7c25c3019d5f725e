"""``commonground overlap``: sentences of a test set that stand in the training data."""

from __future__ import annotations

from collections.abc import Sequence

import click

from commonground.cli.options import INPUT, format_option, output_options, run_options
from commonground.cli.output import expanded
from commonground.cli.results import show_result
from commonground.errors import UsageError


@click.command()
@click.argument("files", metavar="TRAIN… TEST", type=INPUT, nargs=-1, required=True)
@click.option(
    "--threshold",
    type=click.FloatRange(0.3, 1),
    default=0.7,
    show_default=True,
    metavar="SHARE",
    help="The share of their runs of three words that similar sentences have in common.",
)
@click.option("--top", type=click.IntRange(min=0), default=10, show_default=True, metavar="N",
              help="Show the N most similar sentences that are not the same.")  # fmt: skip
@click.option("--save-as", metavar="FILE", help="Write TEST without these sentences to FILE.")
@format_option
@output_options
@run_options("seed")
@click.pass_context
def command(
    context: click.Context,
    /,
    files: Sequence[str],
    *,
    threshold: float,
    top: int,
    save_as: str | None,
    input_format: str | None,
    seed: int,
    **_: object,
) -> None:
    """Find sentences of a test set that stand in training data.

    They stand there exactly if their words do, in any case, and nearly if enough of their runs of
    three words do. TEST may be given as TRAIN, too.

    \b
    Examples:
      commonground overlap example:ud example:ud-parse
      commonground overlap example:ud example:ud-parse --save-as clean.conllu
    """
    from commonground.evaluation.overlap import overlap
    from commonground.formats import read, write

    *train, test = files
    if not train:
        raise UsageError("two treebanks are needed: TRAIN… TEST")
    tested = read(test, input_format, partial=True)
    known = {path: read(path, input_format, partial=True) for path in train}
    result = overlap(known, tested, test, threshold=threshold, seed=seed)
    if save_as:
        write(tested[list(result.clean)], save_as)
    show_result(
        result,
        context,
        lambda: result.grids(top=top),
        treebanks={"versions": {"test": test}},
        files=lambda: expanded(files),
    )

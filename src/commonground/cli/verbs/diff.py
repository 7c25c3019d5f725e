"""``commonground diff``: what has changed between two versions of a treebank."""

from __future__ import annotations

import click

from commonground.cli.options import INPUT, format_option, output_options, run_options
from commonground.cli.output import expanded
from commonground.cli.results import show_result
from commonground.errors import UsageError


@click.command()
@click.argument("old", metavar="OLD", type=INPUT)
@click.argument("new", metavar="NEW", type=INPUT)
@click.option("--top", type=click.IntRange(min=1), default=20, show_default=True, metavar="N",
              help="Show the N most frequent kinds of changes.")  # fmt: skip
@click.option("--exit-code", is_flag=True, help="Exit with 1 if anything has changed.")
@format_option
@output_options
@run_options("quiet")
@click.pass_context
def command(
    context: click.Context,
    /,
    old: str,
    new: str,
    *,
    top: int,
    exit_code: bool,
    input_format: str | None,
    **_: object,
) -> None:
    """Say what has changed between two versions of a treebank.

    Sentences are paired by id and text, even where they were split or merged. Changes are grouped
    by kind: those of many words alike, which a decision lies behind, apart from single ones.

    \b
    Examples:
      commonground diff example:ud example:ud-parse
      commonground diff example:ud example:ud-parse --top 5 --output-format markdown
    """
    from commonground.corpus import Dependencies
    from commonground.evaluation.treebank_changes import treebank_changes
    from commonground.formats import read

    before, after = (read(path, input_format, partial=True) for path in (old, new))
    for path, corpus in ((old, before), (new, after)):
        if not isinstance(corpus, Dependencies):
            raise UsageError(f"{path} has {corpus.kind}; diff compares dependencies")
    assert isinstance(before, Dependencies)
    assert isinstance(after, Dependencies)
    changes = treebank_changes(before, after)
    show_result(
        changes,
        context,
        lambda: changes.grids(top=top),
        treebanks={"versions": {"old": old, "new": new}},
        files=lambda: expanded([old, new]),
    )
    if exit_code and changes:
        raise click.exceptions.Exit(1)

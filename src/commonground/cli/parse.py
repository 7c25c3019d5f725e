"""``commonground parse``: trees for a file."""

from __future__ import annotations

import click

from commonground.cli.options import INPUT, renamed_option, run_options
from commonground.cli.output import progress


@click.command()
@click.argument("model", metavar="MODEL", type=INPUT)
@click.argument("source", metavar="IN", type=INPUT)
@click.argument("target", metavar="OUT")
@click.option(
    "--format",
    "source_format",
    metavar="NAME",
    help="The format of IN; without it, the content tells.",
)
@renamed_option(
    "--target-format",
    former=["--to"],
    metavar="NAME",
    help="The format of OUT; without it, the suffix tells, and standard output is CoNLL-U.",
)
@run_options("jobs", "quiet")
def command(
    model: str,
    source: str,
    target: str,
    *,
    source_format: str | None,
    target_format: str | None,
    jobs: int,
    quiet: bool,
) -> None:
    """Parse a file with a trained model.

    The words of IN need no heads; a model that was trained on predicted tags tags them itself.
    Files of any size are parsed piece by piece, with --jobs in several processes; OUT is the same.

    \b
    Examples:
      commonground train example:ud -o m && commonground parse m example:ud parsed.conllu
      commonground train example:ud -o m && commonground parse m example:ud - --jobs 2
    """  # noqa: D301  # click's mark for lines that stay as they are
    from commonground.parsers.files import parse_file  # noqa: PLC0415  # not for --help

    with progress("sentences", quiet=quiet) as advance:
        parse_file(
            model,
            source,
            target,
            source_format=source_format,
            target_format=target_format,
            jobs=jobs,
            watch=advance,
        )

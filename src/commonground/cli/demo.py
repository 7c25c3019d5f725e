"""``commonground demo``: the bundled example, end to end."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

import commonground.cli
from commonground.cli.options import run_options

SYSTEMS = "ud=example:ud:example:ud-parse ptb=example:ptb:example:ptb-parse"
STEPS = (
    "info example:ud example:ptb --top 3 --sample 0",
    "check example:ud example:ptb",
    "view example:ud --sentence cg-10",
    "view example:ptb --sentence 10",
    "convert example:ud {folder}/ud.conll --to conllx",
    "convert example:ptb {folder}/ptb.xml --to tigerxml",
    "info {folder}/ud.conll {folder}/ptb.xml --top 0 --sample 0",
    "evaluate example:ud example:ud-parse",
    "evaluate example:ptb example:ptb-parse --preset evalb-new",
    f"compare {SYSTEMS}",
    "evaluate example:ud example:ud-parse --output-format json -o {folder}/evaluation.json",
    f"compare {SYSTEMS} --output-format json -o {{folder}}/comparison.json",
    "report {folder}/evaluation.json {folder}/comparison.json -o {folder}/report.html",
)
"""What the demonstration runs, one after the other."""


@click.command()
@click.option(
    "--folder",
    default="commonground-demo",
    show_default=True,
    metavar="DIR",
    help="Where the files that it writes go.",
)
@run_options()
def command(folder: str) -> None:
    """Run the bundled example, end to end.

    Every command is shown before its output, so that it can be tried again and changed. The parses
    that are evaluated were made for the demonstration, with the errors that parsers make.

    \b
    Examples:
      commonground demo
    """  # noqa: D301  # click's mark for lines that stay as they are
    Path(folder).mkdir(parents=True, exist_ok=True)
    for step in STEPS:
        line = step.format(folder=shlex.quote(folder))
        click.secho(f"$ commonground {line}", bold=True)
        code = commonground.cli.main(shlex.split(line))
        if code:
            raise click.exceptions.Exit(code)
        click.echo()
    click.echo(f"The converted files are in {folder}.")
    click.echo(f"The report is {Path(folder).resolve() / 'report.html'}; open it in a browser.")

"""``commonground demo``: the bundled example, end to end."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

import commonground.cli
from commonground.cli.options import run_options

STEPS = (
    "evaluate example:ud mine=example:ud-parse other=example:sud --quiet",
    "view example:ud --sentence cg-10",
    "experiment run demo --into {folder}",
)
"""What the demonstration runs, one after the other."""

NEXT = (
    "evaluate GOLD PARSE PARSE --test shuffle",
    "compare NAME=GOLD:PARSE NAME=GOLD:PARSE",
    "experiment show demo --text",
)
"""What to try then."""


@click.command()
@click.option(
    "--folder",
    default="commonground-demo",
    show_default=True,
    metavar="DIR",
    help="The folder for its files.",
)
@run_options()
def command(folder: str) -> None:
    """Run the bundled example, end to end.

    It scores two parses, one of them in another scheme than the gold standard, and says who is
    better and how much is only annotation. It draws a sentence and runs a recipe: two parsers are
    trained and tested against each other; then a parser is trained on the bundled corpus in each of
    four schemes and two frameworks, and all are compared on what their gold standards agree on.
    Every command is shown before its output, so that you can repeat and change it.

    \b
    Examples:
      commonground demo
    """
    for step in STEPS:
        line = step.format(folder=shlex.quote(folder))
        click.secho(f"$ commonground {line}", bold=True)
        code = commonground.cli.main(shlex.split(line))
        if code:
            raise click.exceptions.Exit(code)
        click.echo()
    click.echo("With your own files:")
    for line in NEXT:
        click.echo(f"  commonground {line}")
    click.echo(f"The report is {Path(folder).resolve() / 'report.html'}; open it in a browser.")

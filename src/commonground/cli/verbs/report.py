"""``commonground report``: saved results as a page to look at."""

from __future__ import annotations

from collections.abc import Sequence

import click

from commonground.cli.options import INPUT, run_options
from commonground.cli.output import refuse_terminal
from commonground.cli.output_files import OUTPUT


@click.command()
@click.argument("results", metavar="RESULT…", type=INPUT, nargs=-1, required=True)
@click.option("--title", default="", metavar="TEXT", help="The title of the page.")
@click.option(
    "--metric",
    default="",
    metavar="NAME",
    help="The metric for details and ranking; by default LAS, F1, or the first one.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=OUTPUT,
    default="-",
    help="Write the page to FILE, completely or not at all.",
)
@run_options()
def command(results: Sequence[str], *, title: str, metric: str, output: str) -> None:
    """Make an HTML report from saved results.

    RESULT is a file written with --output-format json by evaluate, compare or another verb, or a
    folder of results of evaluate, which become a leaderboard of all systems. The page is one
    self-contained HTML file: scores with intervals, breakdowns, confusions, the worst sentences and
    where systems disagree, with drawings. Treebanks are read again if they are unchanged; the page
    says what it cannot show.

    \b
    Examples:
      commonground evaluate example:ud example:ud-parse --output-format json | \
commonground report - -o report.html
    """
    from commonground.formats.storage.files import write_bytes
    from commonground.report.page.make import report_html

    refuse_terminal(output, "a page", "report.html")
    page = report_html(results, title=title, metric=metric)
    write_bytes(output, [page.encode("utf-8", "backslashreplace")])

"""``commonground report``: saved results as a page to look at."""

from __future__ import annotations

from collections.abc import Sequence

import click

from commonground.cli.options import INPUT, run_options
from commonground.cli.output import refuse_terminal


@click.command()
@click.argument("results", metavar="RESULT…", type=INPUT, nargs=-1, required=True)
@click.option("--title", default="", metavar="TEXT", help="The title of the page.")
@click.option(
    "--metric",
    default="",
    metavar="NAME",
    help="The metric that the details are about and systems are ranked by; by default LAS, F1, or "
    "what there is.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    default="-",
    help="Write the page to FILE, whole or not at all.",
)
@run_options()
def command(results: Sequence[str], *, title: str, metric: str, output: str) -> None:
    """Make an HTML report from saved results.

    RESULT is what evaluate, compare or another verb wrote with --output-format json, or a folder
    with results of evaluate, which become a leaderboard of all systems. The page is
    one HTML file that needs nothing else: scores with intervals, breakdowns, confusions, the worst
    sentences and where systems disagree, with drawings. Treebanks that are still there as they were
    are read again for it; the page says what it cannot show.

    \b
    Examples:
      commonground evaluate example:ud example:ud-parse --output-format json | \
commonground report - -o report.html
    """  # noqa: D301  # click's mark for lines that stay as they are
    from commonground.formats.files import write_bytes  # noqa: PLC0415  # not for --help
    from commonground.report.page.make import report_html  # noqa: PLC0415

    refuse_terminal(output, "a page", "report.html")
    page = report_html(results, title=title, metric=metric)
    write_bytes(output, [page.encode("utf-8", "backslashreplace")])

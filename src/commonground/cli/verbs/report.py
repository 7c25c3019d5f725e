"""``commonground report``: saved results as a page to look at."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from commonground.cli.options import INPUT, named, run_options
from commonground.cli.output import refuse_terminal
from commonground.cli.output_files import OUTPUT_OR_FOLDER
from commonground.errors import UsageError

if TYPE_CHECKING:
    from commonground.evaluation.scores import Evaluation


@click.command()
@click.argument("results", metavar="RESULT… | GOLD PARSE…", type=INPUT, nargs=-1, required=True)
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
    type=OUTPUT_OR_FOLDER,
    default="-",
    help="Write the page to FILE, completely or not at all; a folder (FOLDER/) gets the "
    "leaderboard and a page for each system.",
)
@click.option(
    "--baseline-system",
    "baselines",
    multiple=True,
    metavar="NAME",
    help="A system of a leaderboard that is shown without a rank. Can be given several times.",
)
@run_options()
def command(
    results: Sequence[str], *, title: str, metric: str, output: str, baselines: Sequence[str]
) -> None:
    """Make an HTML report from saved results.

    RESULT is a file written with --output-format json by evaluate, compare or another verb, or a
    folder of results of evaluate, which become a leaderboard of all systems. GOLD PARSE… are
    evaluated first, as by evaluate without options. The page is one
    self-contained HTML file: scores with intervals, breakdowns, confusions, the worst sentences and
    where systems disagree, with drawings. Treebanks are read again if they are unchanged; the page
    says what it cannot show.

    \b
    Examples:
      commonground report example:ud mine=example:ud-parse best=example:ud -o report.html
      commonground evaluate example:ud example:ud-parse --output-format json | \
commonground report - -o report.html
    """
    from commonground.formats.storage.files import write_bytes
    from commonground.report.page.make import looks_saved, report, report_html

    refuse_terminal(output, "a page", "report.html")
    if output.endswith(("/", os.sep)) or Path(output).is_dir():
        _write_pages(results, output, title=title, metric=metric, baselines=baselines)
        return
    alone = len(results) == 1 and Path(results[0]).is_dir()  # a folder that has no results
    if not alone and not any(map(looks_saved, results)):
        page: str = report(_evaluated(results), title=title, metric=metric)
    else:
        page = report_html(results, title=title, metric=metric, baselines=baselines)
    write_bytes(output, [page.encode("utf-8", "backslashreplace")])


def _evaluated(files: Sequence[str]) -> Evaluation:
    """Score parses against a gold standard; the result knows its files, as a saved one does."""
    from dataclasses import replace

    from commonground.evaluation.pairs import find_pairs
    from commonground.evaluation.request import Request
    from commonground.evaluation.result import Origin
    from commonground.evaluation.run import evaluate_files

    gold, *others = files
    if not others:
        raise UsageError(f"{gold} is no result; give a parse of it, too: report GOLD PARSE…")
    parses = named(others, "parses")
    pairs = find_pairs(gold, parses)
    result = evaluate_files(pairs, sentences=True)
    read_files = [path for pair in pairs for path in (pair.gold, pair.parse)]
    request = Request.made(read_files, verb="evaluate", gold=gold, parses=parses)
    command = shlex.join(["commonground", "report", *files])
    return replace(result, origin=Origin(request=request, command=command))


def _write_pages(results: Sequence[str], output: str, **options: Any) -> None:
    """Write the pages of a leaderboard into a folder."""
    from commonground.formats.storage.files import write_bytes
    from commonground.report.page.board_pages import board_pages

    if len(results) != 1 or not Path(results[0]).is_dir():
        raise UsageError(f"{output} is a folder; only the leaderboard of a folder has many pages")
    pages = list(board_pages(results[0], **options))
    Path(output).mkdir(parents=True, exist_ok=True)
    for name, page in pages:
        write_bytes(Path(output) / name, [page.encode("utf-8", "backslashreplace")])

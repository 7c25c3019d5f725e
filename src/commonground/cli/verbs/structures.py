"""``commonground structures``: where schemes disagree, and how often that is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial as bound

import click

from commonground.cli.options import (
    INPUT,
    format_option,
    output_options,
    partial_anyway,
    run_options,
)
from commonground.cli.output import of_each, show
from commonground.errors import UsageError


@click.command()
@click.argument("files", metavar="FILE…", type=INPUT, nargs=-1, required=True)
@click.option(
    "--family",
    type=click.Choice(["penn", "ud"]),
    help="Find structures by Penn tags or by UD labels; by default chosen by the tags and labels "
    "of FILE.",
)
@click.option(
    "--mark",
    "target",
    metavar="OUT",
    help="Write FILE to OUT with the structure of each disputed edge in MISC (Disputed=…).",
)
@format_option
@partial_anyway
@output_options
@run_options("jobs", "quiet")
def command(
    files: Sequence[str],
    *,
    family: str | None,
    target: str | None,
    input_format: str | None,
    output_format: str,
    output: str,
    jobs: int,
    quiet: bool,
) -> None:
    """Count the words in structures whose head is disputed.

    The structures are prepositional phrases, coordination, auxiliaries, infinitives and names. They
    are found by the tags of Schwartz (2011), with the published figures for the Wall Street Journal
    beside them, and by the labels of Universal Dependencies. A word takes part in a structure if it
    is at either end of one of its edges.

    \b
    Examples:
      commonground structures example:ud
      commonground structures example:ud --mark marked.conllu
      commonground structures example:ud example:ud-parse --family penn --output-format markdown
    """
    from commonground.report.views.structures import structures_grids
    from commonground.schemes.structures import frequencies_of_file

    if target:
        _mark(files, target, input_format)
        return
    work = bound(frequencies_of_file, format=input_format, partial=True, family=family)
    frequencies = of_each(work, files, jobs=jobs, quiet=quiet)
    families = list(dict.fromkeys(name for each in frequencies for name in each.anywhere))
    for place, file in enumerate(files):  # what is counted in one file is counted in all of them
        for name in (each for each in families if each not in frequencies[place].anywhere):
            other = frequencies_of_file(file, input_format, partial=True, family=name)
            frequencies[place] = frequencies[place].beside(other)
    data = {
        "files": [
            {"file": file, **each.to_json()} for file, each in zip(files, frequencies, strict=True)
        ]
    }
    show(
        output,
        output_format,
        data=data,
        grids=structures_grids(dict(zip(files, frequencies, strict=True)), families),
    )


def _mark(files: Sequence[str], target: str, input_format: str | None) -> None:
    """Write a treebank with its disputed edges marked."""
    from commonground.corpus import Dependencies
    from commonground.formats import write
    from commonground.formats.storage.folders import read
    from commonground.schemes.structures import marked

    if len(files) > 1:
        raise UsageError("--mark takes one treebank; several are given")
    corpus = read(files[0], input_format, partial=True)
    if not isinstance(corpus, Dependencies):
        raise UsageError(f"{files[0]} has {corpus.kind}; structures are found in dependencies")
    write(marked(corpus), target)

"""``commonground search``: a pattern in treebanks, its matches marked and counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from commonground.cli.options import INPUT, format_option, output_options, run_options
from commonground.cli.output import expanded, progress
from commonground.cli.output_files import OUTPUT
from commonground.cli.remarks import remark
from commonground.cli.results import show_result
from commonground.errors import UsageError

if TYPE_CHECKING:
    from commonground.engine import Jobs


@click.command()
@click.argument("arguments", metavar="FILE… PATTERN", nargs=-1, required=True)
@click.option("--count", is_flag=True, help="Only count the matches.")
@click.option(
    "--by",
    metavar="PROPERTY,…",
    default="",
    callback=lambda _, __, text: tuple(part.strip() for part in text.split(",") if part.strip()),
    help="Count the matches by what nodes read: N.lemma, or V.Tense,N.upos for both.",
)
@click.option("--first", type=click.IntRange(min=0), default=10, show_default=True, metavar="N",
              help="Show the first N matches.")  # fmt: skip
@click.option("--sample", type=click.IntRange(min=1), metavar="N",
              help="Show N matches drawn at random instead; --seed draws others.")  # fmt: skip
@click.option(
    "--save-as",
    metavar="FILE",
    type=OUTPUT,
    help="Write the sentences with a match to FILE, each node marked in MISC (Match=V).",
)
@format_option
@output_options
@run_options("jobs", "seed", "quiet")
@click.pass_context
def command(
    context: click.Context,
    /,
    arguments: Sequence[str],
    *,
    count: bool,
    by: tuple[str, ...],
    first: int,
    sample: int | None,
    save_as: str | None,
    input_format: str | None,
    seed: int,
    jobs: Jobs,
    quiet: bool,
    **_: object,
) -> None:
    """Find a pattern in treebanks, and count what matches.

    The pattern is written as for 'view --where', or as Grew-match has it (pattern { … }). Files
    and folders are read piece by piece, so they may be larger than memory.

    \b
    Examples:
      commonground search example:ud "V -[obj]-> N; N << V"
      commonground search example:ud "V -[nsubj]-> N" --by V.Tense,N.upos
      commonground search example:ud "pattern { V -[obj]-> N } without { V -> S }" --count -q
      commonground search example:ud "deprel=obl" --sample 3 --seed 7
    """
    from commonground.evaluation.search_result import SearchResult
    from commonground.patterns.files import search_files
    from commonground.patterns.grew import from_grew, is_grew
    from commonground.patterns.language import parse_pattern
    from commonground.patterns.occurrences import Query

    *names, text = arguments
    if not names:
        raise UsageError("there is no file to search; write FILE… PATTERN")
    if is_grew(text):
        text = from_grew(text)
        if not quiet:
            remark(f"the pattern is {text}")
    shown = {"first": 0} if count else {"first": first, "sample": sample or 0, "seed": seed}
    query = Query.of(parse_pattern(text), by, marks=save_as is not None, **shown)
    files = expanded([INPUT.convert(name, None, None) for name in names])
    with progress("sentences", quiet=quiet) as advance:
        seen = search_files(
            files, query, save_as=save_as, format=input_format, jobs=jobs, watch=advance
        )
    result = SearchResult(seen)
    show_result(
        result,
        context,
        lambda: result.grids(count=count),
        treebanks={"versions": {"searched": names[0]}},
        files=lambda: files,
    )

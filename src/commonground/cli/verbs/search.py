"""``commonground search``: a pattern in treebanks, its matches marked and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from commonground.cli.options import INPUT, format_option, output_options, run_options
from commonground.cli.output import expanded, progress, show
from commonground.cli.output_files import OUTPUT
from commonground.cli.remarks import remark
from commonground.errors import UsageError

if TYPE_CHECKING:
    from commonground.corpus import Corpus


@click.command()
@click.argument("arguments", metavar="FILE… PATTERN", nargs=-1, required=True)
@click.option("--count", is_flag=True, help="Only count the matches.")
@click.option(
    "--by",
    metavar="PROPERTY,…",
    default="",
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
@run_options("seed", "quiet")
def command(
    arguments: Sequence[str],
    *,
    count: bool,
    by: str,
    first: int,
    sample: int | None,
    save_as: str | None,
    input_format: str | None,
    output_format: str,
    output: str,
    seed: int,
    quiet: bool,
) -> None:
    """Find a pattern in treebanks, and count what matches.

    The pattern is written as for 'view --where', or as Grew-match has it (pattern { … }). Files
    are read piece by piece, so they may be larger than memory.

    \b
    Examples:
      commonground search example:ud "V -[obj]-> N; N << V"
      commonground search example:ud "V -[nsubj]-> N" --by V.Tense,N.upos
      commonground search example:ud "pattern { V -[obj]-> N } without { V -> S }" --count -q
      commonground search example:ud "deprel=obl" --sample 3 --seed 7
    """
    from commonground.patterns.grew import from_grew, is_grew
    from commonground.patterns.language import parse_pattern
    from commonground.patterns.occurrences import occurrences
    from commonground.report.views.search import search_grids

    *names, text = arguments
    if not names:
        raise UsageError("there is no file to search; write FILE… PATTERN")
    if is_grew(text):
        text = from_grew(text)
        if not quiet:
            remark(f"the pattern is {text}")
    pattern = parse_pattern(text)
    files = expanded([INPUT.convert(name, None, None) for name in names])
    if save_as:
        _save(files, text, save_as, input_format)
    with progress("sentences", quiet=quiet) as advance:
        seen = occurrences(
            _pieces(files, input_format, advance), pattern,
            by=[name.strip() for name in by.split(",") if name.strip()],
            first=0 if count else first, sample=0 if count else sample or 0, seed=seed,
        )  # fmt: skip
    show(output, output_format, data=seen.to_json(), grids=search_grids(seen, count=count))


def _pieces(
    files: Sequence[str], input_format: str | None, advance: Callable[[int], None]
) -> Iterator[tuple[str, Corpus]]:
    from commonground.formats.registry import read_chunks

    for file in files:
        for piece in read_chunks(file, input_format, partial=True):
            yield file, piece
            advance(len(piece))


def _save(files: Sequence[str], text: str, target: str, input_format: str | None) -> None:
    """Write the sentences with a match."""
    from commonground.formats.registry import write
    from commonground.patterns.occurrences import marked_matches

    pieces = (
        marked_matches(piece, text) for _, piece in _pieces(files, input_format, lambda _: None)
    )
    write((piece for piece in pieces if len(piece)), target)

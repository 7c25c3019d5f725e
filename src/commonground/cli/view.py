"""``commonground view``: the trees of some sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

import commonground
from commonground.cli.options import (
    INPUT,
    format_option,
    output_options,
    partial_option,
    run_options,
)
from commonground.cli.output import ink, show
from commonground.errors import InputError

if TYPE_CHECKING:
    from commonground.corpus import Corpus, Sentence

FEW = 5
"""So many sentences are shown when it is not said which."""


@click.command()
@click.argument("file", metavar="FILE", type=INPUT)
@format_option
@partial_option
@click.option(
    "--sentence",
    "ids",
    metavar="ID",
    multiple=True,
    help="Show the sentence with this sent_id or number; can be given several times.",
)
@click.option(
    "--first", type=click.IntRange(min=0), metavar="N", help="Show the first N sentences."
)
@click.option(
    "--sample", type=click.IntRange(min=0), metavar="N", help="Show N sentences, drawn at random."
)
@click.option("--ascii", "plain", is_flag=True, help="Draw with ASCII characters only.")
@output_options
@run_options("seed")
def command(
    file: str,
    input_format: str | None,
    ids: Sequence[str],
    first: int | None,
    sample: int | None,
    *,
    partial: bool,
    plain: bool,
    output_format: str,
    output: str,
    seed: int,
) -> None:
    """Show the trees of some sentences.

    Without --sentence, --first or --sample these are the first five. The trees are drawn as text;
    the other output formats list words, phrases and relations with all that is known about them.

    \b
    Examples:
      commonground view example:ud --first 2
      commonground view example:ptb --sentence 3 --ascii
      commonground view example:ud --sample 3 --seed 7
    """  # noqa: D301  # click's mark for lines that stay as they are
    from commonground.corpus.records import record  # noqa: PLC0415  # not for --help
    from commonground.report.listing import listing  # noqa: PLC0415

    corpus = commonground.read(file, input_format, partial=partial)
    if first is None and sample is None and not ids:
        first = FEW
    sentences = [_named(corpus, name, file) for name in ids]
    sentences += corpus[: first or 0]
    sentences += commonground.sample(corpus, sample or 0, seed)
    show(
        output,
        output_format,
        data={"file": file, "sentences": [record(sentence) for sentence in sentences]},
        grids=listing(sentences),
        text=_text(sentences, plain=plain, output=output) if output_format == "text" else None,
    )


def _named(corpus: Corpus, name: str, file: str) -> Sentence[Corpus]:
    try:
        return corpus[name]
    except KeyError as error:
        raise InputError(file, 0, error.args[0]) from error


def _text(sentences: Sequence[Sentence[Any]], *, plain: bool, output: str) -> str:
    from commonground.corpus.summary import text_of  # noqa: PLC0415  # not for --help
    from commonground.report.tables import printable  # noqa: PLC0415
    from commonground.report.text_trees import draw  # noqa: PLC0415

    style = ink(output)
    drawings = []
    for sentence in sentences:
        heading = f"{style('number', printable(sentence.sent_id))}  {printable(text_of(sentence))}"
        if plain:
            heading = heading.encode("ascii", "backslashreplace").decode("ascii")
        drawings.append(f"{heading}\n{draw(sentence, ascii=plain, style=style)}\n")
    return "\n".join(drawings)

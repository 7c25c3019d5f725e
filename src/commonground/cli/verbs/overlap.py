"""``commonground overlap``: sentences of a test set that stand in the training data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from commonground.cli.options import INPUT, format_option, output_options, run_options
from commonground.cli.output import show
from commonground.errors import UsageError

if TYPE_CHECKING:
    from commonground.corpus import Corpus


@click.command()
@click.argument("files", metavar="TRAIN… TEST", type=INPUT, nargs=-1, required=True)
@click.option(
    "--threshold",
    type=click.FloatRange(0.3, 1),
    default=0.7,
    show_default=True,
    metavar="SHARE",
    help="The share of their runs of three words that similar sentences have in common.",
)
@click.option("--top", type=click.IntRange(min=0), default=10, show_default=True, metavar="N",
              help="Show the N most similar sentences that are not the same.")  # fmt: skip
@click.option("--save-as", metavar="FILE", help="Write TEST without these sentences to FILE.")
@format_option
@output_options
@run_options("seed")
def command(
    files: Sequence[str],
    *,
    threshold: float,
    top: int,
    save_as: str | None,
    input_format: str | None,
    output_format: str,
    output: str,
    seed: int,
) -> None:
    """Find sentences of a test set that stand in training data.

    They stand there exactly if their words do, in any case, and nearly if enough of their runs of
    three words do. TEST may be given as TRAIN, too.

    \b
    Examples:
      commonground overlap example:ud example:ud-parse
      commonground overlap example:ud example:ud-parse --save-as clean.conllu
    """
    from commonground.formats import read, write
    from commonground.report.views.overlap import overlap_grids
    from commonground.tokens.near_duplicates import duplicates
    from commonground.tokens.sentences import surface_tokens

    *train, test = files
    if not train:
        raise UsageError("two treebanks are needed: TRAIN… TEST")
    known: list[Corpus] = [read(path, input_format, partial=True) for path in train]
    tested = read(test, input_format, partial=True)
    others = [sentence for corpus in known for sentence in surface_tokens(corpus)]
    places = [(path, name) for path, corpus in zip(train, known, strict=True)
              for name in corpus.sent_id.tolist()]  # fmt: skip
    sentences = surface_tokens(tested)
    leaks = duplicates(sentences, others, threshold, seed)
    if save_as:
        write(tested[[number for number, leak in enumerate(leaks) if leak is None]], save_as)
    names = tested.sent_id.tolist()
    rows = [
        {"sent_id": names[number], "words": len(sentences[number]), "exact": leak.exact,
         "similarity": leak.similarity, "train": places[leak.place][0],
         "train_sent_id": places[leak.place][1], "text": " ".join(sentences[number]),
         "train_text": " ".join(others[leak.place])}
        for number, leak in enumerate(leaks) if leak
    ]  # fmt: skip
    total = {"sentences": len(sentences), "words": sum(map(len, sentences))}
    data = {"test": test, "train": list(train), **total, "duplicates": rows}
    show(output, output_format, data=data, grids=overlap_grids(rows, total, top))

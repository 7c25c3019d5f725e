"""``commonground clusters``: clusters of words from raw text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import click

from commonground.cli.options import INPUT, format_alone_option, run_options
from commonground.cli.output import progress
from commonground.cli.output_files import OUTPUT
from commonground.errors import UsageError


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="TEXT...", type=INPUT)
@click.option("-o", "--output", metavar="FILE", type=OUTPUT, help="Write the clusters to FILE.")
@click.option("--number", type=click.IntRange(2, 4096), default=1000, show_default=True,
              help="How many clusters to make.")  # fmt: skip
@click.option("--min-count", type=click.IntRange(min=1), default=5, show_default=True,
              help="Leave out words that are seen less often.")  # fmt: skip
@click.option("--pretokenised", is_flag=True,
              help="Each line of a text is a sentence with spaces between the words.")  # fmt: skip
@format_alone_option
@run_options("quiet")
def command(
    files: Sequence[str],
    *,
    output: str | None,
    number: int,
    min_count: int,
    pretokenised: bool,
    input_format: str | None,
    quiet: bool,
) -> None:
    """Make clusters of words from raw text, for 'train --clusters'.

    Words with the same neighbours come into the same cluster (Brown et al. 1992). A cluster is
    written as bits; clusters with the same first bits are alike. TEXT is plain text or a treebank,
    whose words alone are used; millions of words are needed. The file has bits, word and count.

    \b
    Examples:
      commonground clusters example:ud --number 20 --min-count 2 -o ud.clusters
      commonground clusters example:ud -o c && commonground train example:ud --clusters c -o m
    """
    from commonground.parsers.clusters.making import clustered
    from commonground.parsers.clusters.neighbours import counted, sentences_of
    from commonground.parsers.clusters.word_clusters import write_clusters

    if not output:
        raise UsageError("there is no file for the clusters; name one with -o FILE")
    sentences = chain.from_iterable(
        sentences_of(path, input_format, pretokenised=pretokenised) for path in files
    )
    with progress("words", quiet=quiet) as advance:
        text = counted(sentences, least=min_count, most=1_000_000, watch=advance)
    with progress("exchanges", quiet=quiet) as advance:
        made = clustered(text, number, watch=advance)
    write_clusters(made, output)

"""``commonground dmv``: what is told and changed of a dependency model with valence."""

from __future__ import annotations

from collections.abc import Sequence

import click

from commonground.cli.options import (
    INPUT,
    format_option,
    output_options,
    run_options,
)
from commonground.cli.output import show
from commonground.cli.output_files import OUTPUT
from commonground.errors import UsageError


@click.group(no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Reverse edges of a DMV model, and find which to reverse.

    A DMV (dependency model with valence) learns without trees.

    Such a model is made by train with --parser dmv.

    \b
    Example:
      commonground train example:ud --parser dmv -o dmv.model -q && commonground dmv candidates dmv.model example:ud
    """  # noqa: E501  # an example is one line


@command.command("flip")
@click.argument("model", metavar="MODEL", type=INPUT)
@click.option(
    "--edge",
    "edges",
    metavar="EDGE",
    multiple=True,
    help="Reverse an edge: TO->VB has its head on the left, IN<-NN on the right. Can be given "
    "several times.",
)
@click.option(
    "--forbid",
    "forbidden",
    metavar="EDGE",
    multiple=True,
    help="Make an edge improbable without reversing it.",
)
@click.option(
    "--published",
    type=click.Choice(["km04", "cs09", "saj10a"]),
    help="Reverse the edges of Schwartz (2011), Table 3.1, for an algorithm.",
)
@click.option(
    "--epsilon",
    type=float,
    default=1e-6,
    show_default=True,
    metavar="P",
    help="The probability of what is nearly impossible.",
)
@click.option(
    "--on",
    "text",
    metavar="FILE",
    help="Parse this treebank; where an edge still prevails, reverse the stopping probabilities "
    "too.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=OUTPUT,
    required=True,
    help="Write the new model to FILE.",
)
@run_options()
def flip(
    model: str,
    *,
    edges: Sequence[str],
    forbidden: Sequence[str],
    published: str | None,
    epsilon: float,
    text: str | None,
    output: str,
) -> None:
    """Force a model to choose the other direction of some edges.

    The result is a model for commonground parse that is not normalised: it shows how much scores
    depend on a few arguable choices.

    \b
    Example:
      commonground train example:ud --parser dmv -o dmv.model -q && commonground dmv flip dmv.model --edge 'DT->NN' -o flipped.model
    """  # noqa: E501  # an example is one line
    from dataclasses import replace

    from commonground.formats.storage.files import write_bytes
    from commonground.parsers.dmv.flips import PUBLISHED, ParameterFlips
    from commonground.parsers.dmv.parser import read_dmv, treebank
    from commonground.parsers.dmv.studies import flip_model

    flips = ParameterFlips.parse(edges, forbidden)
    if published:
        given = PUBLISHED[published]
        flips = replace(
            flips, edges=given.edges + flips.edges, forbidden=given.forbidden + flips.forbidden
        )
    if not (flips.edges or flips.forbidden):
        raise UsageError("there is nothing to flip; give --edge, --forbid or --published")
    corpus = treebank(text) if text else None
    flipped = flip_model(read_dmv(model), flips, corpus, epsilon)
    write_bytes(output, [flipped.text().encode()])


@command.command("candidates")
@click.argument("model", metavar="MODEL", type=INPUT)
@click.argument("gold", metavar="GOLD", type=INPUT)
@click.option(
    "--window",
    type=click.IntRange(min=2),
    default=3,
    show_default=True,
    metavar="N",
    help="The length of the longest edges, in words.",
)
@click.option(
    "--top",
    metavar="N",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="Show the N most frequent kinds of edges.",
)
@format_option
@output_options
@run_options()
def candidates_command(
    model: str,
    gold: str,
    *,
    window: int,
    top: int,
    input_format: str | None,
    output_format: str,
    output: str,
) -> None:
    """Find the edges of a model that a gold standard reverses, most frequent first.

    Of each kind of edge within a few words: how often the gold standard reverses it, has no edge
    there, or has the same.

    \b
    Example:
      commonground train example:ud --parser dmv -o dmv.model -q && commonground dmv candidates dmv.model example:ud --top 5
    """  # noqa: E501  # an example is one line
    from commonground.parsers.dmv.parser import read_dmv, treebank
    from commonground.parsers.dmv.studies import candidates_of
    from commonground.report.views.dmv import candidates_grid

    rows = candidates_of(read_dmv(model), treebank(gold, input_format), window)[:top]
    data = {
        "candidates": [
            {"edge": str(row.edge), "turned": row.turned, "other": row.other, "same": row.same}
            for row in rows
        ]
    }
    show(output, output_format, data=data, grids=[candidates_grid(rows)])

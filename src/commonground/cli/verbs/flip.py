"""``commonground flip``: edges of some kind turned round."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from commonground.cli.options import renamed_option, report_options, run_options
from commonground.cli.output import show
from commonground.cli.rewrite_command import rewrite, rewriting_options

if TYPE_CHECKING:
    from commonground.corpus import Dependencies


@click.command()
@rewriting_options
@renamed_option(
    "--edges",
    "kinds",
    former=["--kind"],
    metavar="KIND",
    multiple=True,
    required=True,
    help="The edges to reverse: the name of a structure (listed by commonground structures), or "
    "conditions such as label=case,head=NOUN|PROPN,dependent=ADP,side=left. Can be given several "
    "times.",
)
@report_options
@run_options("quiet")
def command(
    source: str,
    target: str,
    *,
    kinds: Sequence[str],
    output_format: str,
    output: str,
    quiet: bool,
    **reading: Any,
) -> None:
    """Reverse edges of a given kind.

    The dependent takes the place of its head and becomes the head's head; everything else stays
    where it is. The enhanced graph follows the old heads and is dropped. NED forgives flips,
    attachment scores do not. A report is printed unless OUT is standard output; --report-file
    writes it to a file.

    \b
    Examples:
      commonground flip example:ud flipped.conllu --edges ud:infinitive
      commonground flip example:ud - --edges 'label=case,side=left' --edges penn:modal
    """
    from commonground.report.views.structures import flips_grid
    from commonground.schemes.flips import Flips, flip

    total = Flips()

    def change(piece: Dependencies) -> Dependencies:
        nonlocal total
        changed, flips = flip(piece, kinds)
        total += flips
        return changed

    rewrite(partial(map, change), source, target, quiet=quiet, **reading)
    if target != "-" or output != "-":
        show(output, output_format, data=total.to_json(), grids=[flips_grid(total)])

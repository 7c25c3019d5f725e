"""``commonground transform``: from one annotation scheme to another."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from commonground.cli.options import (
    INPUT,
    encoding_option,
    partial_option,
    renamed_option,
    report_options,
    run_options,
)
from commonground.cli.output import progress, show
from commonground.cli.output_files import OUTPUT_OR_FOLDER
from commonground.cli.remarks import remark
from commonground.errors import UsageError

if TYPE_CHECKING:
    from commonground.engine import Jobs


@click.command()
@click.argument("source", metavar="IN", type=INPUT)
@click.argument("target", metavar="OUT", type=OUTPUT_OR_FOLDER)
@click.option("--from", "old", metavar="SCHEME", required=True, help="The scheme of IN.")
@click.option("--to", "new", metavar="SCHEME", required=True, help="The scheme of OUT.")
@click.option(
    "--only",
    metavar="CONSTRUCTION,…",
    help="Change only these constructions.",
)
@click.option(
    "--report",
    "wanted",
    is_flag=True,
    help="Show what was changed, what could not be, and what the way back would lose. Implied by "
    "--report-file and --output-format.",
)
@renamed_option(
    "--tagset",
    "tag_set",
    former=["--tags"],
    metavar="SET",
    help="The tag set of IN: ud, penn, stts, alpino, tut, prague or none; detected by default.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Refuse labels that are not in the scheme, instead of reading them as the nearest one.",
)
@encoding_option
@click.option(
    "--format",
    "source_format",
    metavar="NAME",
    help="The format of IN; detected from its content by default.",
)
@click.option(
    "--target-format",
    metavar="NAME",
    help="The format of OUT; by default chosen by its suffix, or CoNLL-U on standard output.",
)
@partial_option
@report_options
@run_options("jobs", "quiet")
def command(
    source: str,
    target: str,
    *,
    old: str,
    new: str,
    only: str | None,
    wanted: bool,
    tag_set: str | None,
    strict: bool,
    source_format: str | None,
    target_format: str | None,
    partial: bool,
    output_format: str,
    output: str,
    jobs: Jobs,
    quiet: bool,
) -> None:
    """Rewrite a treebank in another annotation scheme.

    A SCHEME is a name (see commonground schemes list), a TOML file, or A+B:CONSTRUCTION,…, which is
    A with some constructions as in B. Heads and labels change, words do not. An enhanced graph that
    says more than the tree follows the old heads and is dropped. OUT is written completely or not
    at all. The files of a folder or pattern go into the folder OUT under the same names.

    A CONSTRUCTION is one of adposition, possessive, determiner, numeral, classifier, auxiliary,
    modal, copula, infinitive, subordinator, particle, relative, coordination, apposition, opening,
    name, idiom, repair, punctuation.

    \b
    Examples:
      commonground transform example:ud sud.conllu --from ud --to sud --report
      commonground transform example:ud - --from ud --to prague --only coordination
      commonground transform example:sud ud.conllu --from sud --to ud
      commonground convert example:ud a.conllu && \
commonground transform '*.conllu' sud --from ud --to sud
    """
    from commonground.report.views.schemes import report_grids
    from commonground.schemes.files import TransformPlan, transform_files
    from commonground.schemes.library import find_scheme

    wanted = wanted or output != "-" or output_format != "text"
    if wanted and target == output == "-":
        raise UsageError("OUT and the report both go to standard output; name a --report-file")
    origin, goal = find_scheme(old), find_scheme(new)
    names = None if only is None else [name.strip().lower() for name in only.split(",")]
    asked = TransformPlan(
        origin, goal, names, tag_set, strict, wanted, source_format, target_format, partial
    )
    with progress("sentences", quiet=quiet or (target == "-" and sys.stdout.isatty())) as advance:
        total = transform_files(source, target, asked, jobs=jobs, watch=advance)
    if total is not None and not quiet and not wanted:
        for line in total.label_remarks():
            remark(line)
    if wanted and total is not None:
        show(output, output_format, data=total.to_json(), grids=report_grids(total))

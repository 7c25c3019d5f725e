"""``commonground convert``: from one format to another."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

import commonground
from commonground.cli.options import INPUT, partial_option, run_options
from commonground.cli.output import progress
from commonground.cli.trees import functions_option, head_option
from commonground.errors import UsageError

if TYPE_CHECKING:
    from commonground.corpus import Corpus


@click.command()
@click.argument("source", metavar="IN", type=INPUT)
@click.argument("target", metavar="OUT")
@click.option(
    "--from",
    "--format",
    "source_format",
    metavar="NAME",
    help="The format of IN; without it, the content tells.",
)
@click.option(
    "--to",
    "target_format",
    metavar="NAME",
    help="The format of OUT; without it, the suffix tells.",
)
@click.option(
    "--enhanced",
    is_flag=True,
    help="Write the enhanced graph, where OUT has relations or function trees.",
)
@click.option(
    "--rules",
    metavar="NAME",
    help="How constituents become dependencies: collins, yamada, magerman, lth, or a file with "
    "head rules; or projection: how dependencies become constituents.",
)
@click.option(
    "--scheme",
    metavar="NAME",
    help="With --rules lth: default, oldlth, conll07, lexical, functional, or a file.",
)
@head_option
@functions_option
@partial_option
@run_options("quiet")
def command(
    source: str,
    target: str,
    source_format: str | None,
    target_format: str | None,
    *,
    enhanced: bool,
    rules: str | None,
    scheme: str | None,
    head: str,
    functions: tuple[str, ...] | None,
    partial: bool,
    quiet: bool,
) -> None:
    """Convert a treebank to another format.

    Formats that hold the same kind of trees can be converted into each other, dependencies can be
    written as relations between words, and everything but alignments as function trees; with
    --rules, constituents become dependencies and dependencies constituents. Compression follows
    the suffix (.gz, .xz, .zst). OUT is written whole or not at all.

    \b
    Examples:
      commonground convert example:ud ud.conllu.gz
      commonground convert example:ptb ptb.xml --to tigerxml
      commonground convert example:ptb ptb.functions
      commonground convert example:ptb collins.conllu --rules collins --quiet
      commonground convert example:ptb lth.conllu --rules lth --scheme lexical --quiet
      commonground convert example:ud projected.mrg --rules projection --quiet
      commonground convert example:ud - --to conllx | commonground convert - ud.conllu --from conllx
    """  # noqa: D301  # click's mark for lines that stay as they are
    if scheme is not None and rules != "lth":
        raise UsageError("a scheme is for the rules 'lth'; other rules are one scheme each")

    def seen(piece: Corpus) -> None:
        if rules is not None:
            _refuse_idle_rules(piece, source, target, target_format)
        advance(len(piece))

    silent = quiet or (target == "-" and sys.stdout.isatty())
    with progress("sentences", quiet=silent) as advance:
        remark = commonground.convert(
            source,
            target,
            source_format=source_format,
            target_format=target_format,
            partial=partial,
            enhanced=enhanced,
            head=head,
            functions=functions,
            rules=rules,
            scheme=scheme,
            watch=seen,
        )
    if remark and not quiet:
        click.echo(remark, err=True)


def _refuse_idle_rules(piece: Corpus, source: str, target: str, name: str | None) -> None:
    """Refuse rules where the trees of IN would be written without them."""
    from commonground.corpus import Functions  # noqa: PLC0415  # not for --help
    from commonground.formats.files import shown  # noqa: PLC0415
    from commonground.formats.registry import find_format, format_of_path  # noqa: PLC0415

    entry = find_format(name) if name else format_of_path(target)
    if isinstance(piece, entry.corpus) or entry.corpus is Functions:
        raise UsageError(
            f"--rules have nothing to do: {shown(source)} has {piece.kind}, which {entry.title} "
            "takes without them; they lead from constituents to dependencies, or back"
        )

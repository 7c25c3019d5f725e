"""``commonground convert``: from one format to another."""

from __future__ import annotations

import sys

import click

import commonground
from commonground.cli.function_trees import function_nodes_option, functions_option, head_option
from commonground.cli.options import (
    INPUT,
    encoding_option,
    partial_option,
    renamed_option,
    repair_option,
    run_options,
)
from commonground.cli.output import progress
from commonground.cli.output_files import OUTPUT_OR_FOLDER
from commonground.cli.remarks import remark
from commonground.errors import UsageError
from commonground.plurals import number_of

_REMARKS = 5
"""Of how many files of a folder the remarks are shown."""


@click.command()
@click.argument("source", metavar="IN", type=INPUT)
@click.argument("target", metavar="OUT", type=OUTPUT_OR_FOLDER)
@encoding_option
@renamed_option(
    "--format",
    "source_format",
    former=["--from"],
    metavar="NAME",
    help="The format of IN; detected from its content by default.",
)
@renamed_option(
    "--target-format",
    former=["--to"],
    metavar="NAME",
    help="The format of OUT; by default chosen by its suffix.",
)
@click.option(
    "--enhanced",
    is_flag=True,
    help="Write the enhanced graph, if OUT has relations or function trees.",
)
@click.option(
    "--enhance",
    is_flag=True,
    help="Make the enhanced graph of UD trees by rules; it replaces the one that is there.",
)
@click.option(
    "--rules",
    metavar="NAME",
    help="Turn constituents into dependencies: collins, yamada, magerman, lth, stanford, or a file "
    "with head rules; or dependencies into constituents: projection.",
)
@click.option(
    "--scheme",
    metavar="NAME",
    help="With --rules lth: default, oldlth, conll07, lexical, functional, or a file.",
)
@click.option(
    "--strip",
    metavar="PART,…",
    callback=lambda _, __, text: tuple(p.strip() for p in text.split(",")) if text else (),
    help="Remove parts of constituent trees: functions, traces, coindexation, unary, punctuation.",
)
@click.option(
    "--where",
    metavar="PATTERN",
    help="Write only the sentences of IN that match a pattern, such as 'V -[obj]-> N; N << V'; see "
    "docs/patterns.md.",
)
@head_option
@functions_option
@function_nodes_option
@partial_option
@repair_option
@click.option(
    "--gold",
    metavar="FILE",
    type=INPUT,
    help="With --repair: the treebank whose sentences and words OUT must have.",
)
@run_options("quiet")
def command(
    source: str,
    target: str,
    source_format: str | None,
    target_format: str | None,
    *,
    enhanced: bool,
    enhance: bool,
    rules: str | None,
    scheme: str | None,
    strip: tuple[str, ...],
    where: str | None,
    head: str | None,
    functions: tuple[str, ...] | None,
    function_nodes: tuple[str, ...],
    partial: bool,
    repair: str | None,
    gold: str | None,
    quiet: bool,
) -> None:
    """Convert a treebank to another format.

    Formats for the same kind of trees convert into each other. Dependencies can also be written as
    relations between words, and everything but alignments as function trees. With --rules,
    constituents become dependencies, or dependencies constituents. Compression follows the suffix
    (.gz, .xz, .zst). OUT is written completely or not at all. The files of a folder or pattern go
    into the folder OUT under the same names, with the suffix of --target-format if given.

    \b
    Examples:
      commonground convert example:ud ud.conllu.gz
      commonground convert example:ptb ptb.xml --target-format tigerxml
      commonground convert example:ptb ptb.functions
      commonground convert example:ptb ptb.rr
      commonground convert example:ud passives.conllu --where "V -[nsubj:pass]-> S"
      commonground convert example:ptb bare.mrg --strip functions,traces,coindexation
      commonground convert example:ptb collins.conllu --rules collins --quiet
      commonground convert example:ptb lth.conllu --rules lth --scheme lexical --quiet
      commonground convert example:ptb basic.conllu --rules stanford --quiet
      commonground convert example:ptb collapsed.sd --rules stanford --enhanced --quiet
      commonground convert example:ud graphs.conllu --enhance
      commonground convert example:ud projected.mrg --rules projection --quiet
      commonground convert example:ud-parse mended.conllu --repair open --gold example:ud --quiet
      commonground convert example:ud - --target-format conllx | commonground info -
    """
    if repair:
        context = click.get_current_context()
        idle = (enhanced, rules, scheme, strip, where, head, functions, function_nodes)
        if any(idle):
            raise UsageError("--repair only mends files; convert what it writes")
        given = context.params["target"], target_format, source_format
        _repair(source, *given, repair, gold, quiet=quiet)
        return
    if gold:
        raise UsageError("--gold has no effect without --repair")
    from commonground.formats.storage.folders import pairs_of, room_for

    silent = quiet or (target == "-" and sys.stdout.isatty())
    remarks: list[str] = []
    with progress("sentences", quiet=silent) as advance:
        for file, made in pairs_of(source, target, target_format):
            if made != target:
                room_for(made)
            told = commonground.convert(
                file,
                made,
                source_format=source_format,
                target_format=target_format,
                partial=partial,
                enhanced=enhanced,
                enhance=enhance,
                head=head,
                functions=functions,
                function_nodes=function_nodes,
                strip=strip,
                rules=rules,
                scheme=scheme,
                where=where,
                watch=lambda piece: advance(len(piece)),
            )
            if told:
                remarks.append(told if made == target else f"{file}: {told}")
    if not quiet:
        for line in remarks[:_REMARKS]:
            remark(line)
        if len(remarks) > _REMARKS:
            rest = number_of(len(remarks) - _REMARKS, "more file")
            remark(f"and similar remarks on {rest}; convert a file alone to see its own")


def _repair(
    source: str,
    target: str,
    target_format: str | None,
    source_format: str | None,
    policy: str,
    gold: str | None,
    *,
    quiet: bool,
) -> None:
    """Write a mended file, and say what was mended."""
    from commonground.formats.storage.folders import pairs_of, room_for
    from commonground.repair.defects import told
    from commonground.repair.repair import write_repaired

    right = commonground.read(gold, partial=True) if gold else None
    for file, made in pairs_of(source, target, target_format):
        if made != target:
            room_for(made)
        repaired = write_repaired(
            file, made, policy, gold=right, source_format=source_format, target_format=target_format
        )
        if not quiet:
            counts = repaired.counts
            mended = f"mended {told(counts)}" if counts else "nothing to mend"
            changed = f"; {number_of(repaired.heads, 'head')} changed" if repaired.heads else ""
            remark(f"{file}: {mended}{changed}")

"""``commonground merge``: the changes that two files make to the same one."""

from __future__ import annotations

import click

from commonground.cli.options import INPUT, run_options
from commonground.cli.output_files import OUTPUT
from commonground.cli.remarks import remark
from commonground.formats.merging import MergeConflict
from commonground.plurals import number_of

CONFLICTS = 1
"""The exit code where both have changed the same thing differently, which git asks for."""

_SHOWN = 20


@click.command()
@click.argument("base", metavar="BASE", type=INPUT)
@click.argument("ours", metavar="OURS", type=INPUT)
@click.argument("theirs", metavar="THEIRS", type=INPUT)
@click.option("-o", "--output", metavar="FILE", default="-", type=OUTPUT,
              help="Where the merged treebank goes; - is standard output.")  # fmt: skip
@click.option("--conflicts", metavar="FILE", type=OUTPUT,
              help="Write a patch to FILE that takes theirs where both differ.")  # fmt: skip
@run_options("quiet", "overwrite")
@click.pass_context
def command(
    context: click.Context,
    /,
    base: str,
    ours: str,
    theirs: str,
    *,
    output: str,
    conflicts: str | None,
    overwrite: bool,  # noqa: ARG001  # the option itself acts on it
    quiet: bool,
) -> None:
    """Merge the changes that two files make to the same treebank.

    CoNLL-U files are merged by sentences, words, columns and single features, so that two people
    can work on the same lines: one corrects tags, the other heads. If both have changed the same
    thing differently, OURS stays, the conflict is listed, and the exit code is 1. See docs/check.md
    for git.

    \b
    Example:
      commonground merge example:ud example:ud example:ud-parse -o merged.conllu -q
    """
    from commonground.formats.merging import merge_files
    from commonground.formats.storage.files import unpacked_bytes, write_bytes

    merge = merge_files(*map(unpacked_bytes, (base, ours, theirs)))
    write_bytes(output, [merge.data])
    if conflicts:
        write_bytes(conflicts, [merge.theirs.text().encode("utf-8", "surrogateescape")])
    for conflict in merge.conflicts[:_SHOWN]:
        remark(f"{ours}: {described(conflict)}")
    if not quiet:
        more = len(merge.conflicts) - _SHOWN
        rest = f", {more:,} of them not shown" if more > 0 else ""
        remark(
            f"{number_of(merge.from_ours, 'sentence')} with changes of ours, "
            f"{merge.from_theirs:,} with changes of theirs, "
            f"{number_of(len(merge.conflicts), 'conflict')}{rest}"
        )
    if merge.conflicts:
        context.exit(CONFLICTS)


def described(conflict: MergeConflict) -> str:
    """Return a conflict in one line."""
    where = f"sentence {conflict.sentence.strip()}"
    if conflict.word:
        return (
            f"{where}, word {conflict.word}: {conflict.what} was {conflict.base}, is "
            f"{conflict.ours} in ours and {conflict.theirs} in theirs"
        )
    if not conflict.ours:
        return f"{where}: removed in ours and changed in theirs, which is kept"
    what = "changed in both" if conflict.theirs else "changed in ours and removed in theirs"
    return f"{where}: {what}; ours is kept"

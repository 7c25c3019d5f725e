"""``commonground apply``: carries out patches, and what people have decided on sheets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from commonground.cli.options import INPUT, named, run_options
from commonground.cli.output_files import OUTPUT
from commonground.cli.remarks import remark
from commonground.errors import UsageError
from commonground.plurals import number_of

if TYPE_CHECKING:
    from commonground.formats.patch import Patch
    from commonground.report.decision_sheets import Sheet

UNDECIDED = 1
"""The exit code where a sheet of disagreements leaves something open."""

_SHOWN = 20


@click.command()
@click.argument("patch", metavar="PATCH|SHEET", type=INPUT)
@click.argument("files", metavar="FILE | NAME=FILE…", nargs=-1, required=True)
@click.option("-o", "--output", metavar="FILE", default="-", type=OUTPUT,
              help="Where the changed treebank goes; - is standard output.")  # fmt: skip
@click.option("--reverse", is_flag=True, help="Undo the patch.")
@click.option(
    "--skip-conflicts", is_flag=True,
    help="Carry out what fits, and tell what does not, instead of refusing all.",
)  # fmt: skip
@click.option(
    "--undecided", metavar="NAME,…",
    help="What is not decided on a sheet is as in the annotation NAME, or, with 'majority', as in "
    "more than half of them; of several, the first that can tell.",
)  # fmt: skip
@run_options("quiet")
@click.pass_context
def command(
    context: click.Context,
    /,
    patch: str,
    files: Sequence[str],
    *,
    output: str,
    reverse: bool,
    skip_conflicts: bool,
    undecided: str | None,
    quiet: bool,
) -> None:
    """Carry out a patch, or what was decided on a sheet.

    Patches come from 'diff --patch' and 'errors --patch'. They are text: sentences, words, columns,
    the old and the new value. What a patch does not name stays as it is, byte for byte. A file that has other
    values than the patch expects is refused.

    Sheets come from 'errors --sheet', for one FILE, and from 'agreement --sheet', for the same NAME=FILE… as there:
    what all annotators agree on is taken, what is decided comes from the sheet, and where something is open, it is
    listed, nothing is written, and the exit code is 1.

    \b
    Examples:
      commonground diff example:ud example:ud-parse --patch a.patch -o a.txt && commonground apply a.patch example:ud -o new.conllu -q
      commonground agreement a=example:ud b=example:ud-parse --sheet a.tsv -o a.txt -q && commonground apply a.tsv a=example:ud b=example:ud-parse --undecided majority,b -o one.conllu -q
    """  # noqa: E501  # an example is one line
    from commonground.formats.patch import HEADER, apply_patch, parse_patch
    from commonground.formats.storage.files import read_utf8, unpacked_bytes, write_bytes
    from commonground.report.decision_sheets import accepted, read_sheet

    text = read_utf8(patch, "a patch")
    wanted: Patch
    if text.startswith(HEADER) or not text.removeprefix("\ufeff").lstrip('"').startswith(
        "decision"
    ):
        wanted = parse_patch(text, patch)
    else:
        sheet = read_sheet(text, patch)
        if sheet.annotators:
            if reverse or skip_conflicts:
                raise UsageError("a sheet of disagreements is not undone, nor carried out in part")
            _adjudicate(context, sheet, files, output, undecided, quiet=quiet)
            return
        wanted = accepted(sheet)
    if len(files) > 1 or undecided:
        raise UsageError("only a sheet of 'agreement' is for several files, or has undecided rows")
    (file,) = named(files, "files").values()
    wanted = wanted.reversed() if reverse else wanted
    changed, conflicts = apply_patch(unpacked_bytes(file), wanted, file, skip=skip_conflicts)
    write_bytes(output, [changed])
    if not quiet:
        for conflict in conflicts:
            remark(f"{file}:{conflict.line}: {conflict.message}")
        done = len(wanted) - len(conflicts)
        remark(f"{number_of(done, 'change')} made" + f", {len(conflicts):,} left" * bool(conflicts))


def _adjudicate(
    context: click.Context,
    sheet: Sheet,
    files: Sequence[str],
    output: str,
    undecided: str | None,
    *,
    quiet: bool,
) -> None:
    """Write the file that decisions on disagreements make, if all is decided."""
    from commonground.formats.adjudication import adjudicated, disagreements
    from commonground.formats.storage.files import unpacked_bytes, write_bytes
    from commonground.report.decision_sheets import decisions

    paths = named(files, "annotations")
    if tuple(paths) != sheet.annotators:
        raise UsageError(
            f"the sheet is about {', '.join(sheet.annotators)}; give them as NAME=FILE, in this "
            f"order, not {', '.join(paths)}"
        )
    data = {name: unpacked_bytes(path) for name, path in paths.items()}
    made = decisions(sheet, disagreements(data))
    result = adjudicated(data, made, undecided.split(",") if undecided else ())
    for each in result.undecided[:_SHOWN]:
        where = f"{each.sentence}:{each.word}".strip(":") or "file"
        values = ", ".join(f"{a} {b}" for a, b in zip(paths, each.values, strict=True))
        remark(f"{sheet.path}: {where} {each.form}: {each.column} is not decided ({values})")
    for name in result.no_trees[:_SHOWN]:
        remark(f"{sheet.path}: {name}: the heads that were decided on do not make a tree")
    if result.undecided or result.no_trees:
        remark(
            f"{number_of(len(result.undecided), 'undecided row')}, "
            f"{number_of(len(result.no_trees), 'sentence')} without a tree; nothing was written"
        )
        context.exit(UNDECIDED)
    write_bytes(output, [result.data])
    if not quiet:
        remark(
            f"{number_of(result.asked, 'disagreement')}: {len(made):,} decided on the sheet, "
            f"{result.asked - len(made):,} by --undecided"
        )

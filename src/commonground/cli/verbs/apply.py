"""``commonground apply``: carries out a patch."""

from __future__ import annotations

import click

from commonground.cli.options import INPUT, run_options
from commonground.cli.output_files import OUTPUT
from commonground.cli.remarks import remark
from commonground.plurals import number_of


@click.command()
@click.argument("patch", metavar="PATCH", type=INPUT)
@click.argument("file", metavar="FILE", type=INPUT)
@click.option("-o", "--output", metavar="FILE", default="-", type=OUTPUT,
              help="Where the changed treebank goes; - is standard output.")  # fmt: skip
@click.option("--reverse", is_flag=True, help="Undo the patch.")
@click.option(
    "--skip-conflicts", is_flag=True,
    help="Carry out what fits, and tell what does not, instead of refusing all.",
)  # fmt: skip
@run_options("quiet")
def command(
    patch: str, file: str, *, output: str, reverse: bool, skip_conflicts: bool, quiet: bool
) -> None:
    """Carry out a patch of single columns.

    Patches come from 'diff --patch' and 'errors --patch'. They are text: sentences, words, columns,
    the old and the new value. What a patch does not name stays as it is, byte for byte. A file that has other
    values than the patch expects is refused.

    \b
    Example:
      commonground diff example:ud example:ud-parse --patch a.patch -o a.txt && commonground apply a.patch example:ud -o new.conllu -q
    """  # noqa: E501  # an example is one line
    from commonground.formats.patch import apply_patch, parse_patch
    from commonground.formats.storage.files import open_bytes, read_utf8, write_bytes

    wanted = parse_patch(read_utf8(patch, "a patch"), patch)
    wanted = wanted.reversed() if reverse else wanted
    with open_bytes(file) as opened:
        changed, conflicts = apply_patch(opened.read(), wanted, file, skip=skip_conflicts)
    write_bytes(output, [changed])
    if not quiet:
        for conflict in conflicts:
            remark(f"{file}:{conflict.line}: {conflict.message}")
        done = len(wanted) - len(conflicts)
        remark(f"{number_of(done, 'change')} made" + f", {len(conflicts):,} left" * bool(conflicts))

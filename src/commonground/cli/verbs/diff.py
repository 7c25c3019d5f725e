"""``commonground diff``: what has changed between two versions of a treebank."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from commonground.cli.options import INPUT, format_option, output_options, run_options
from commonground.cli.output import expanded
from commonground.cli.output_files import OUTPUT
from commonground.cli.results import show_result
from commonground.corpus import Dependencies
from commonground.errors import UsageError

_GIT = 7
"""How many arguments git gives: a path, and file, hash and mode of both versions."""


@click.command()
@click.argument("files", metavar="OLD NEW", type=INPUT, nargs=-1, required=True)
@click.option("--top", type=click.IntRange(min=1), default=20, show_default=True, metavar="N",
              help="Show the N most frequent kinds of changes.")  # fmt: skip
@click.option("--exit-code", is_flag=True, help="Exit with 1 if anything has changed.")
@click.option("--patch", metavar="FILE", type=OUTPUT,
              help="Also write the changes to FILE, as a patch for 'apply' (CoNLL-U).")  # fmt: skip
@click.option("--git", is_flag=True, help="Take the seven arguments of a diff driver of git.")
@format_option
@output_options
@run_options("quiet")
@click.pass_context
def command(
    context: click.Context,
    /,
    files: Sequence[str],
    *,
    top: int,
    exit_code: bool,
    patch: str | None,
    git: bool,
    input_format: str | None,
    **_: object,
) -> None:
    """Say what has changed between two versions of a treebank.

    Sentences are paired by id and text, even where they were split or merged. Changes are grouped
    by kind: those of many words alike, which a decision lies behind, apart from single ones.

    \b
    Examples:
      commonground diff example:ud example:ud-parse
      commonground diff example:ud example:ud-parse --top 5 --output-format markdown
      commonground diff example:ud example:ud-parse --patch changes.patch --quiet
    """
    from commonground.evaluation.treebank_changes import treebank_changes

    old, new = _versions(files, git=git)
    if patch:
        _write_patch(old, new, patch)
    changes = treebank_changes(*(_read(path, input_format) for path in (old, new)))
    show_result(
        changes,
        context,
        lambda: changes.grids(top=top),
        treebanks={"versions": {"old": old, "new": new}},
        files=lambda: expanded([path for path in (old, new) if path != os.devnull]),
    )
    if exit_code and changes:
        raise click.exceptions.Exit(1)


def _versions(files: Sequence[str], *, git: bool) -> tuple[str, str]:
    if git and len(files) == _GIT:
        click.echo(f"{files[0]}:")
        return files[1], files[4]
    if git or len(files) != 2:
        wanted = "the seven of git's diff drivers" if git else "OLD and NEW"
        raise UsageError(f"{len(files)} arguments; {wanted} are expected")
    return files[0], files[1]


def _read(path: str, input_format: str | None) -> Dependencies:
    from commonground.formats import read

    if path == os.devnull:  # git has it in place of a file that one version does not have
        return Dependencies.of([])
    corpus = read(path, input_format, partial=True)
    if not isinstance(corpus, Dependencies):
        raise UsageError(f"{path} has {corpus.kind}; diff compares dependencies")
    return corpus


def _write_patch(old: str, new: str, target: str) -> None:
    from commonground.formats.patch_between import patch_between
    from commonground.formats.storage.files import unpacked_bytes, write_bytes

    text = patch_between(unpacked_bytes(old), unpacked_bytes(new)).text()
    write_bytes(target, [text.encode("utf-8", "surrogateescape")])

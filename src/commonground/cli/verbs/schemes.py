"""``commonground schemes``: what annotation schemes there are, and where they differ."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from commonground.cli.options import (
    INPUT,
    format_option,
    output_options,
    renamed_option,
    run_options,
)
from commonground.cli.output import show
from commonground.cli.output_files import OUTPUT
from commonground.errors import UsageError
from commonground.grid import Note


@click.group(no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Show annotation schemes and where they differ.

    A scheme is one choice per construction: what heads an adpositional phrase, a verb group, a
    coordination? Schemes are TOML files; name a bundled one, or give the path of your own.

    \b
    Examples:
      commonground schemes list
      commonground schemes show sud
      commonground schemes diff ud sud tut
      commonground schemes learn example:sud
      commonground schemes learn example:sud --against example:ud
      commonground schemes learn example:sud --against example:ud --save mine.toml
    """


@command.command("list")
@output_options
@run_options()
def list_schemes(*, output_format: str, output: str) -> None:
    """List the schemes that can be named."""
    from commonground.report.views.packages import packages_of_names, with_packages
    from commonground.report.views.schemes import scheme_json, schemes_grid
    from commonground.schemes.library import (
        find_scheme,
        scheme_names,
        scheme_plugins,
        variant_names,
    )

    schemes = {name: find_scheme(name) for name in [*scheme_names(), *variant_names()]}
    packages = packages_of_names(scheme_plugins())
    data = {
        "schemes": [
            {**scheme_json(scheme), **packages.get(name, {})} for name, scheme in schemes.items()
        ]
    }
    grid = with_packages(schemes_grid(schemes), scheme_plugins())
    show(output, output_format, data=data, grids=[grid])


@command.command("show")
@click.argument("name", metavar="SCHEME")
@output_options
@run_options()
def show_scheme(name: str, *, output_format: str, output: str) -> None:
    """Show a scheme: its choices, its labels, its tags."""
    from commonground.report.views.schemes import scheme_grids, scheme_json
    from commonground.schemes.library import find_scheme

    scheme = find_scheme(name)
    show(output, output_format, data=scheme_json(scheme), grids=scheme_grids(scheme))


@command.command("diff")
@click.argument("names", metavar="SCHEME SCHEME…", nargs=-1, required=True)
@click.option("--all", "all_rows", is_flag=True, help="Also show what is the same in all of them.")
@output_options
@run_options()
def diff_schemes(names: Sequence[str], *, all_rows: bool, output_format: str, output: str) -> None:
    """Show where schemes differ."""
    from commonground.report.views.schemes import choices_grid, scheme_json
    from commonground.schemes.library import find_scheme

    if len(names) == 1:
        raise UsageError(f"'schemes diff' needs two schemes; 'schemes show {names[0]}' shows one")
    schemes = [find_scheme(name) for name in names]
    data = {"schemes": [scheme_json(scheme) for scheme in schemes]}
    show(output, output_format, data=data, grids=[choices_grid(schemes, all_rows=all_rows)])


@command.command("learn")
@click.argument("file", metavar="FILE", type=INPUT)
@click.option("--against", metavar="FILE", type=INPUT, help="The same words in a known scheme.")
@click.option(
    "--from",
    "source",
    metavar="SCHEME",
    help="With --against: the scheme of that file; by default ud.",
)
@renamed_option(
    "--tagset",
    "tags",
    former=["--tags"],
    metavar="SET",
    help="Without --against: the tag set of FILE; detected by default.",
)
@click.option(
    "--save",
    metavar="FILE.toml",
    type=OUTPUT,
    help="Write the scheme, to be used as --from FILE.toml or --to FILE.toml.",
)
@format_option
@output_options
@run_options()
def learn_scheme(
    file: str,
    *,
    against: str | None,
    source: str | None,
    tags: str | None,
    save: str | None,
    input_format: str | None,
    output_format: str,
    output: str,
) -> None:
    """Read the choices of an unknown scheme off a treebank.

    Heads and tags of the first 1,000 sentences show what heads what; heads and labels show which
    scheme is nearest. With --against, the other file has the same words in a known scheme, and
    only the heads of the first 200 sentences are used.

    --save writes a scheme that is like the nearest one, apart from what the treebank does
    differently: its choices and, with --against, its labels in both directions and unknown tags.
    Every fourth sentence is kept aside to try it on: where learning does not help there, the file
    says nothing, so that it is as in the nearest scheme.
    """
    from commonground.corpus import Dependencies
    from commonground.formats import read
    from commonground.formats.storage.files import write_bytes
    from commonground.report.views import schemes as tables
    from commonground.schemes.learning.kept_aside import learned_scheme
    from commonground.schemes.learning.learn import learn
    from commonground.schemes.learning.learned_file import recognised_file
    from commonground.schemes.learning.recognition import recognise_scheme

    if against is None and source is not None:
        raise UsageError("--from has no effect without --against")
    if save is not None and not save.endswith(".toml"):
        raise UsageError(f"--save writes a TOML file; name it {save}.toml")
    if against is not None and tags is not None:
        raise UsageError("--tagset has no effect with --against, which uses only heads")
    sample = read(file, input_format, partial=True)
    reference = None if against is None else read(against, input_format, partial=True)
    if not isinstance(sample, Dependencies) or not isinstance(reference, Dependencies | None):
        raise UsageError(
            "FILE must have dependencies; a scheme cannot be learned from anything else"
        )
    text = ""
    if reference is None:
        known = recognise_scheme(sample, tags)
        data, grids = tables.recognised_json(known), tables.recognised_grids(known)
        text = recognised_file(known, _name(save)) if save else ""
    else:
        learned = learn(sample, reference, source or "ud")
        data, grids = tables.learned_json(learned), tables.learned_grids(learned)
        if save:
            saved = learned_scheme(sample, reference, learned, _name(save))
            text = saved.text
            lines = saved.trial.lines()
            data["trial"] = list(lines)
            grids[-1] = replace(grids[-1], notes=(*grids[-1].notes, *map(Note, lines)))
    if save:
        write_bytes(save, [text.encode()])
    show(output, output_format, data=data, grids=grids)


def _name(path: str) -> str:
    """Return the name of a scheme that is written to a file: letters, digits, - and . of its own.

    >>> _name("out/my scheme.toml")
    'my-scheme'
    """
    return re.sub(r"[^\w.-]+", "-", Path(path).stem) or "learned"

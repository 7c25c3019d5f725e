"""``commonground parsers``: which parsers there are."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from commonground.cli.options import output_options, run_options
from commonground.cli.output import show
from commonground.cli.remarks import remark
from commonground.grid import Cell, Column, Grid

if TYPE_CHECKING:
    from commonground.parsers.parser import Parser
    from commonground.parsers.pipelines.pipeline import PipelineKind


@click.group(no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Show the parsers that can be trained, and install some.

    \b
    Examples:
      commonground parsers list
      commonground parsers list --output-format json
      commonground parsers systems
    """


@command.command("list")
@output_options
@run_options()
def list_parsers(*, output_format: str, output: str) -> None:
    """List the parsers, what they are trained on, their settings, and what is missing to run them.

    \b
    Example:
      commonground parsers list
    """
    from commonground.parsers.registry import parser_plugins, parsers
    from commonground.report.views.packages import packages_of_names, with_packages

    known, added = parsers(), parser_plugins()
    packages = packages_of_names(added)
    grid = Grid(
        "parsers",
        (Column("parser"), Column("trained on"), Column("what it is"), Column("settings")),
        tuple(_row(parser) for parser in known),
    )
    data = {"parsers": [{**_json(each), **packages.get(each.name, {})} for each in known]}
    show(output, output_format, data=data, grids=[with_packages(grid, added)])


@command.command("systems")
@output_options
@run_options()
def list_systems(*, output_format: str, output: str) -> None:
    """List the systems that can be named wherever a model is taken, and what is missing for them.

    \b
    Example:
      commonground parsers systems
    """
    from commonground.parsers.systems import system_kinds

    kinds = system_kinds()
    grid = Grid(
        "systems",
        (Column("name"), Column("what it is"), Column("needs")),
        tuple(
            tuple(map(Cell, (each.example, _system_title(each), each.missing() or "–")))
            for each in kinds
        ),
    )
    data = {
        "systems": [
            {
                "kind": each.name,
                "example": each.example,
                "title": each.title,
                "missing": each.missing(),
                "from_manual": not each.seen,
            }
            for each in kinds
        ]
    }
    show(output, output_format, data=data, grids=[grid])


def _system_title(kind: PipelineKind) -> str:
    return kind.title if kind.seen else f"{kind.title} (from the manual)"


@command.command("install")
@click.argument("name", metavar="NAME")
@run_options("quiet")
def install_parser(name: str, *, quiet: bool) -> None:
    """Install an external parser into your data folder; NAME can be malt.

    It is downloaded with pip, so this needs a network.
    """
    from commonground.parsers.outside.places import install

    folder = install(name)
    if not quiet:
        remark(f"installed {name} in {folder}")


def _row(parser: Parser) -> tuple[Cell, ...]:
    from commonground.corpus import Corpus

    settings = " ".join(f"{name}={value}" for name, value in asdict(parser.settings()).items())
    missing = parser.missing(parser.settings())
    version = parser.version()
    title = f"{parser.title}, version {version}" if version else parser.title
    title = f"{title} — {missing}" if missing else title
    kind = "any trees" if parser.corpus is Corpus else parser.corpus.kind
    trained_on = kind + (" (partial too)" if parser.partial else "")
    return tuple(map(Cell, (parser.name, trained_on, title, settings)))


def _json(parser: Parser) -> dict[str, Any]:
    return {
        "name": parser.name,
        "title": parser.title,
        "corpus": parser.corpus.kind,
        "partial": parser.partial,
        "settings": asdict(parser.settings()),
        "missing": parser.missing(parser.settings()),
        "version": parser.version(),
    }

"""``commonground trial``: systems on raw text, to a verdict."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from commonground.cli.options import INPUT, output_options, run_options, signature_option
from commonground.cli.output import progress
from commonground.cli.results import show_result
from commonground.errors import UsageError

_NAMED = re.compile(r"([\w.-]+)=(.+)", re.DOTALL)


@click.command()
@click.argument("source", metavar="GOLD|TEXT", type=INPUT)
@click.option(
    "--with",
    "systems",
    metavar="SYSTEM",
    multiple=True,
    required=True,
    help="A system, or NAME=SYSTEM: a model file, spacy:MODEL, udpipe:FILE, command:'…' "
    "('commonground parsers systems' lists what there is). Give it several times.",
)
@click.option(
    "--gold-scheme",
    metavar="SCHEME",
    default="ud",
    show_default=True,
    help="The scheme of GOLD, for the part of the losses that is convention.",
)
@click.option(
    "--timing/--no-timing",
    default=True,
    help="Whether to measure time and memory, which differ from run to run.",
)
@click.option("--trust", is_flag=True, help="Use systems that can run code: I trust their makers.")
@output_options
@signature_option
@run_options("quiet")
@click.pass_context
def command(
    context: click.Context,
    /,
    source: str,
    *,
    systems: Sequence[str],
    gold_scheme: str,
    timing: bool,
    trust: bool,
    quiet: bool,
    **_: str,
) -> None:
    """Try systems on raw text, with a gold standard or without.

    The raw text of GOLD goes through all systems, each in a process of its own. Their output is
    scored as in the CoNLL 2018 shared task, and what each loses is split into segmentation,
    convention, tags and error.

    \b
    Examples:
      commonground train example:ud -o m -q && commonground trial example:ud --with m --no-timing
      commonground train example:ud -o a -q && commonground train example:ud -o b \
--parser right-branching -q && commonground trial example:ud --with good=a --with bad=b --no-timing
    """
    from commonground.trials.trial import trial

    named = _named(systems)
    with progress("systems", total=len(named), quiet=quiet) as advance:
        result = trial(
            source, named, gold_scheme=gold_scheme, trust=trust, timing=timing, watch=advance
        )
    show_result(
        result,
        context,
        treebanks={"gold": source},
        files=lambda: [source, *_files(named.values())],
    )


def _files(systems: Iterable[str]) -> list[str]:
    """Return the systems that are files."""
    return [path for path in systems if Path(path).is_file()]


def _named(systems: Sequence[str]) -> dict[str, str]:
    """Return systems by their names: of NAME=SYSTEM the first part, of SYSTEM the whole."""
    by_name: dict[str, str] = {}
    for text in systems:
        match = None if Path(text).exists() else _NAMED.fullmatch(text)
        name, system = match.groups() if match else (text, text)
        if name in by_name:
            raise UsageError(f"two systems are called {name}; write NAME=SYSTEM to rename one")
        by_name[name] = system
    return by_name

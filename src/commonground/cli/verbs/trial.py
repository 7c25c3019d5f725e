"""``commonground trial``: systems on raw text, to a verdict."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from commonground.cli.options import (
    INPUT,
    output_options,
    run_options,
    signature_option,
)
from commonground.cli.output import progress
from commonground.cli.output_files import OUTPUT
from commonground.cli.results import show_result
from commonground.errors import UsageError

if TYPE_CHECKING:
    from commonground.evaluation.result import Result

Watch = Callable[[int], None]

_NAMED = re.compile(r"([\w.-]+)=(.+)", re.DOTALL)


@click.command()
@click.argument("source", metavar="GOLD|TEXT|TRIAL", type=INPUT)
@click.option(
    "--with",
    "systems",
    metavar="SYSTEM",
    multiple=True,
    help="A system, or NAME=SYSTEM: a model file, spacy:MODEL, udpipe:FILE, command:'…' "
    "('commonground parsers systems' lists what there is). Give it several times.",
)
@click.option(
    "--gold-scheme",
    metavar="SCHEME",
    help="The scheme of GOLD, for the part of the losses that is convention; by default ud.",
)
@click.option(
    "--annotate",
    type=click.IntRange(min=2),
    metavar="N",
    help="Without a gold standard: choose N stretches of TEXT to be annotated.",
)
@click.option(
    "--sheet",
    type=OUTPUT,
    metavar="FILE",
    help="With --annotate: write these to FILE, in CoNLL-U, with open heads.",
)
@click.option(
    "--annotated",
    type=INPUT,
    metavar="FILE",
    help="The sheet with all heads; TRIAL is the saved result (-o FILE.json) that it came with.",
)
@click.option(
    "--timing/--no-timing",
    default=True,
    help="Whether to measure time and memory, which differ from run to run.",
)
@click.option("--trust", is_flag=True, help="Use systems that can run code: I trust their makers.")
@output_options
@signature_option
@run_options("seed", "quiet")
@click.pass_context
def command(
    context: click.Context,
    /,
    source: str,
    *,
    systems: Sequence[str],
    annotated: str | None,
    **options: Any,
) -> None:
    """Try systems on raw text, with a gold standard or without.

    The raw text of GOLD goes through all systems, each in a process of its own. Their output is
    scored as in the CoNLL 2018 shared task, and what each loses is split into segmentation,
    convention, tags and error. Of a TEXT (.txt), it says where the systems disagree, and chooses
    what to annotate to decide between them; --annotated then gives the verdict.

    \b
    Examples:
      commonground train example:ud -o m -q && commonground trial example:ud --with m --no-timing
      commonground train example:ud -o a -q && commonground train example:ud -o b \
--parser right-branching -q && commonground trial example:ud --with good=a --with bad=b --no-timing
    """
    named = _named(systems)
    if annotated:
        _decide(context, source, annotated)
        return
    if not named:
        raise UsageError("there is no system to try; give --with SYSTEM, several times")
    treebanks = {"gold": source}
    files = [source, *_files(named.values())]
    with progress("systems", total=len(named), quiet=options["quiet"]) as advance:
        result = (
            _without_gold(source, named, options, advance)
            if _is_text(source)
            else _with_gold(source, named, options, advance)
        )
    show_result(result, context, treebanks=treebanks, files=lambda: files)


def _is_text(source: str) -> bool:
    """Tell whether a file is plain text."""
    from commonground.formats.storage.files import unpacked

    return unpacked(source).suffix.lower() == ".txt"


def _with_gold(
    source: str, systems: Mapping[str, str], options: Mapping[str, Any], advance: Watch
) -> Result:
    from commonground.trials.trial import trial

    for name in ("annotate", "sheet"):
        if options[name]:
            raise UsageError(f"--{name} has no effect with a gold standard, only with text (.txt)")
    return trial(
        source,
        systems,
        gold_scheme=options["gold_scheme"] or "ud",
        trust=options["trust"],
        timing=options["timing"],
        watch=advance,
    )


def _without_gold(
    source: str, systems: Mapping[str, str], options: Mapping[str, Any], advance: Watch
) -> Result:
    from commonground.formats import write
    from commonground.trials.disagreement import disagreement, sheet

    if options["gold_scheme"]:
        raise UsageError("--gold-scheme has no effect without a gold standard")
    if options["sheet"] and not options["annotate"]:
        raise UsageError("--sheet has no effect without --annotate N")
    result = disagreement(
        source,
        systems,
        annotate=options["annotate"] or 0,
        seed=options["seed"],
        trust=options["trust"],
        watch=advance,
    )
    if options["sheet"]:
        write(sheet(result), options["sheet"], "conllu")
    return result


def _decide(context: click.Context, source: str, annotated: str) -> None:
    from commonground.evaluation.saved import read_result
    from commonground.trials.decision import decision
    from commonground.trials.disagreement import Disagreement

    if context.params["systems"]:
        raise UsageError("--with has no effect with --annotated: the trial has its systems")
    saved = read_result(source)
    if not isinstance(saved, Disagreement):
        raise UsageError(f"{source} is not the saved result of a trial without a gold standard")
    result = decision(saved, annotated)
    files = [source, annotated]
    show_result(result, context, treebanks={"results": {"trial": source}}, files=lambda: files)


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

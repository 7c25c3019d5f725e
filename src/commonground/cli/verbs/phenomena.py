"""``commonground phenomena``: what parsers make of hard constructions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from commonground.cli.options import INPUT, format_option, named, output_options, run_options
from commonground.cli.output import progress, show
from commonground.cli.output_files import OUTPUT
from commonground.cli.results import show_result
from commonground.cli.significance import (
    claims_for,
    may_test,
    parts,
    plan_tests,
    significance_options,
)
from commonground.errors import UsageError


@click.group(no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Score parsers on hard constructions.

    Ten phenomena (bare relatives, tough adjectives, right node raising, expletive it, particles,
    noun + -ed, absolutives, gerunds, interleaved arguments, control), each with the dependencies
    that an analysis must have, or must not have.

    \b
    Examples:
      commonground phenomena score example:phenomena example:phenomena-ud
      commonground phenomena mine example:ud --sample 1
      commonground phenomena info example:phenomena
      commonground phenomena agree example:phenomena example:phenomena
    """


@command.command("score")
@click.argument("gold", metavar="GOLD", type=INPUT)
@click.argument("outputs", metavar="OUTPUT…", nargs=-1, required=True)
@click.option(
    "--mapping",
    "mappings",
    metavar="NAME",
    multiple=True,
    help="The relations that count: the name of a mapping or its TOML file; OUTPUT=NAME for one "
    "output. By default chosen by the format.",
)
@click.option(
    "--window",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    metavar="N",
    help="How many positions a word may be from where the gold standard has it.",
)
@click.option(
    "--gold-trees",
    metavar="FILE",
    type=INPUT,
    multiple=True,
    help="Gold trees of the sentences, UD or brackets, which tell what a mapping can find at best. "
    "By default GOLD.trees.conllu and GOLD.trees.mrg beside GOLD.tsv.",
)
@click.option("--targets", is_flag=True, help="Show for each target what matched, or why not.")
@format_option
@significance_options
@output_options
@run_options("jobs", "seed", "quiet")
@click.pass_context
def score(
    context: click.Context,
    /,
    gold: str,
    outputs: Sequence[str],
    *,
    mappings: Sequence[str],
    window: int,
    gold_trees: Sequence[str],
    targets: bool,
    input_format: str | None,
    **options: Any,
) -> None:
    """Score the outputs of parsers on phenomena.

    GOLD has one target per line: item, phenomenon, polarity and dependency, separated by tabs; or
    unbounded dependencies below their sentences. OUTPUT is a parse of the sentences, or NAME=FILE.

    \b
    Examples:
      commonground phenomena score example:phenomena example:phenomena-ud
      commonground phenomena score example:phenomena basic=example:phenomena-ud \
enhanced=example:phenomena-ud --mapping basic=ud --mapping enhanced=ud-enhanced --test shuffle
    """
    from commonground.phenomena.result import score_phenomena

    files = named(outputs, "outputs")
    result = score_phenomena(
        gold,
        files,
        mappings=_mappings(mappings, files),
        format=input_format,
        window=window,
        gold_trees=gold_trees or None,
    )
    claims = claims_for(
        result.systems, plan_tests(options), jobs=options["jobs"], quiet=options["quiet"]
    )
    result = replace(result, claims=claims)
    show_result(
        result,
        context,
        lambda: result.grids(targets=targets, verdict=may_test(options)),
        treebanks={"gold": gold, "outputs": files},
        files=lambda: [gold, *files.values(), *gold_trees],
    )


def _mappings(given: Sequence[str], files: dict[str, str]) -> dict[str, str] | str | None:
    """Return the mapping of each output, or the one for all."""
    by_output: dict[str, str] = {}
    for text in given:
        name, equals, mapping = text.partition("=")
        if not equals:
            if len(given) > 1:
                raise UsageError(
                    "several mappings are given; assign each to an output with OUTPUT=NAME"
                )
            return text
        if name not in files:
            raise UsageError(f"there is no output {name!r}; there are {', '.join(files)}")
        by_output[name] = mapping
    return by_output or None


@command.command("mine")
@click.argument("treebanks", metavar="TREEBANK…", nargs=-1, required=True)
@click.option("--only", metavar="NAME,…", multiple=True, help="Search only for these phenomena.")
@click.option(
    "--patterns",
    type=INPUT,
    metavar="FILE",
    help="Search for the patterns of this TOML file instead: a table per phenomenon.",
)
@click.option(
    "--constructions",
    is_flag=True,
    help="Search for interrogatives, conditionals, existentials, resultatives and noun-preposition-"
    "noun instead, in UD trees of the --language.",
)
@click.option(
    "--language",
    metavar="CODE",
    help="The language of the text, such as en; by default what the names of UD files say.",
)
@click.option(
    "--derivations",
    is_flag=True,
    help="TREEBANK is an [incr tsdb()] profile: search rules, lexical entries and MRS (the extra "
    "'delphin').",
)
@click.option(
    "--sample",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Show N random candidates of each phenomenon.",
)
@click.option(
    "--sheet",
    metavar="FILE",
    type=OUTPUT,
    help="Write the sample as a gold standard to correct, with the sentences and trees beside it.",
)
@format_option
@output_options
@run_options("jobs", "seed", "quiet")
def mine_treebanks(
    treebanks: Sequence[str],
    *,
    only: Sequence[str],
    patterns: str | None,
    constructions: bool,
    language: str | None,
    derivations: bool,
    sample: int,
    sheet: str | None,
    input_format: str | None,
    output_format: str,
    output: str,
    jobs: int,
    seed: int,
    quiet: bool,
) -> None:
    """Find candidates for phenomena in treebanks.

    Patterns over UD trees or Penn brackets find and count sentences that may have a phenomenon; a
    random sample can be checked by hand. The treebanks may be larger than memory.

    \b
    Examples:
      commonground phenomena mine example:ud
      commonground phenomena mine example:ud --only control,vger --sample 2 --seed 7
      commonground phenomena mine example:ptb --sample 1 --output-format tsv
      commonground phenomena mine example:ud --constructions --language en
    """
    from commonground.phenomena import mine as mining
    from commonground.phenomena.languages import language_in_name
    from commonground.phenomena.sheet import write_sheet
    from commonground.report.views.phenomena_annotation import mined_grids

    chosen = parts(only)
    if derivations:
        from commonground.phenomena.derivations import mine_profile

        if len(treebanks) > 1 or sheet or constructions:
            raise UsageError(
                "--derivations takes one profile, and cannot be combined with --sheet or "
                "--constructions"
            )
        mined = mine_profile(treebanks[0], searches=patterns, only=chosen, sample=sample, seed=seed)
    else:
        searches = mining.read_searches(patterns) if patterns else None
        if constructions:
            if patterns:
                raise UsageError("--constructions and --patterns exclude each other")
            code = language or language_in_name(treebanks[0])
            if not code:
                known = ", ".join(mining.construction_languages())
                raise UsageError(f"--constructions needs the --language of the text: {known}")
            searches = mining.construction_searches(code)
        with progress("sentences", quiet=quiet) as advance:
            mined = mining.mine(
                treebanks,
                searches=searches,
                only=chosen,
                sample=sample,
                seed=seed,
                format=input_format,
                language=language,
                jobs=jobs,
                watch=advance,
            )
        if sheet:
            write_sheet(mined, sheet)
    show(output, output_format, data=mined.to_json(), grids=mined_grids(mined))


@command.command("agree")
@click.argument("one", metavar="A", type=INPUT)
@click.argument("other", metavar="B", type=INPUT)
@click.option(
    "--merged",
    metavar="FILE",
    type=OUTPUT,
    help="Write an annotation that merges the two; where they conflict, both are alternatives.",
)
@output_options
@run_options()
def agree(one: str, other: str, *, merged: str | None, output_format: str, output: str) -> None:
    """Measure how far two annotations agree, and merge them.

    A and B are gold standards of the same items. Items with a different number of dependencies are
    distinguished from those with conflicting elements; 'convention' or 'slip' in the fifth column
    of either file marks a difference that does not count as disagreement.

    \b
    Examples:
      commonground phenomena agree example:phenomena example:phenomena
    """
    from commonground.formats.storage.files import write_bytes
    from commonground.phenomena import agree as agreement
    from commonground.phenomena.gold import read_gold, write_gold
    from commonground.report.views.phenomena_annotation import agreement_grids

    first, second = read_gold(one), read_gold(other)
    agreed = agreement.agree(first, second)
    if merged is not None:
        write_bytes(merged, [write_gold(agreement.merged(first, second)).encode()])
    show(output, output_format, data=agreed.to_json(), grids=agreement_grids(agreed))


@command.command("info")
@click.argument("gold", metavar="GOLD", type=INPUT, default="example:phenomena")
@click.option("--mappings", is_flag=True, help="List the mappings that can be named.")
@output_options
@run_options()
def info(gold: str, *, mappings: bool, output_format: str, output: str) -> None:
    """Show what is in a gold standard of phenomena.

    \b
    Examples:
      commonground phenomena info example:phenomena
      commonground phenomena info --mappings
    """
    from commonground.phenomena.gold import read_gold
    from commonground.phenomena.info import contents, expressions
    from commonground.phenomena.mapping import mapping_plugins
    from commonground.report.views.packages import packages_of_names, with_packages
    from commonground.report.views.phenomena_annotation import contents_grid, mappings_grid

    described = contents(read_gold(gold))
    tables = [contents_grid(described)]
    data = described.to_json()
    if mappings:
        known = expressions()
        tables.append(with_packages(mappings_grid(known), mapping_plugins()))
        packages = packages_of_names(mapping_plugins())
        keys = ("title", "status", "expressions", "patterns")
        data["mappings"] = {
            name: {**dict(zip(keys, each, strict=True)), **packages.get(name, {})}
            for name, each in known.items()
        }
    show(output, output_format, data=data, grids=tables)

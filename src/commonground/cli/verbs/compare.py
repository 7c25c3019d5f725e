"""``commonground compare``: parsers across schemes and frameworks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from commonground.cli.function_trees import (
    enhanced_option,
    equivalent_labels_option,
    function_nodes_option,
    functions_option,
    labels_file,
)
from commonground.cli.options import (
    broken_files_option,
    encoding_option,
    output_options,
    partial_option,
    run_options,
    signature_option,
)
from commonground.cli.output import expanded, show
from commonground.cli.results import show_result
from commonground.cli.significance import (
    claims_for,
    may_test,
    plan_tests,
    significance_options,
)
from commonground.cli.system_parses import is_system, parses_of, trust_option
from commonground.errors import UsageError


@click.command()
@click.argument("systems", metavar="[NAME=GOLD:PARSE…]", nargs=-1)
@click.option(
    "--system",
    "named",
    metavar="NAME GOLD PARSE",
    nargs=3,
    multiple=True,
    help="A system, by its name, gold standard and parse; names of files may have any colons.",
)
@click.option(
    "--subtypes/--no-subtypes",
    default=True,
    help="Whether nsubj:pass and nsubj are different labels.",
)
@click.option("--ignore-case", is_flag=True, help="Ignore the case of labels.")
@click.option(
    "--labels",
    type=click.Choice(["auto", "own", "hub"]),
    default="auto",
    show_default=True,
    help="Compare labels as they are (own) or mapped to the hub; auto: hub if the inventories "
    "differ.",
)
@click.option(
    "--label-map",
    "label_maps",
    metavar="NAME=FILE",
    multiple=True,
    help="Map the labels of a system, with a FILE from 'labels learn'.",
)
@equivalent_labels_option
@functions_option
@function_nodes_option
@enhanced_option
@click.option(
    "--protocol",
    type=click.Choice(["2012", "2011"]),
    default="2012",
    show_default=True,
    help="TedEval of 2012, or of 2011 (wildcards for heads, and relabelling).",
)
@click.option(
    "--preset",
    type=click.Choice(["tedeval-2.1", "tedeval-2.2"]),
    help="Score dependencies as this version of the original program does.",
)
@click.option(
    "--rows",
    type=click.Choice(["labelled", "unlabelled"]),
    help="With --preset: show what the program prints for each sentence.",
)
@click.option(
    "--costs",
    metavar="FILE",
    help="The costs of edits, by kind, label and pair of labels (TOML, see the docs); 1 by "
    "default.",
)
@click.option(
    "--subsets",
    type=click.Choice(["few", "all"]),
    default="few",
    show_default=True,
    help="Compute MULTIPLE for all pairs of gold standards (and all triples, if there are at most "
    "five), or for every subset.",
)
@click.option(
    "--on-mismatch",
    type=click.Choice(["fail", "skip", "zero", "realign"]),
    default="fail",
    show_default=True,
    help="What to do with sentences whose texts differ: fail, skip them, count those of a parse "
    "that failed or differs from its gold standard as wrong (zero), or realign their words.",
)
@click.option(
    "--explain-sentence",
    metavar="ID",
    help="Show how the scores of a sentence are computed: trees, edits, what is forgiven.",
)
@click.option(
    "--explain-to",
    metavar="FOLDER",
    help="Write all stages of the first ten sentences to FOLDER: function trees, what the gold "
    "standards agree on, and the edits.",
)
@click.option(
    "--relations/--no-relations",
    default=None,
    help="Also compare who is related to whom: head words, label, yield of the dependent; by "
    "default where a gold standard has graphs of meaning.",
)
@click.option("--mean", is_flag=True, help="Also show the means of the sentence scores.")
@click.option(
    "--conventions",
    is_flag=True,
    help="Also show what a parse loses on the other gold standards: structure of one theory only, "
    "other labels, errors.",
)
@click.option(
    "--test-rows",
    is_flag=True,
    help="With --test: also test SINGLE, and each pair of gold standards on what the two agree on.",
)
@significance_options
@partial_option
@encoding_option
@broken_files_option
@trust_option
@output_options
@signature_option
@run_options("jobs", "seed", "quiet")
@click.pass_context
def command(
    context: click.Context,
    /,
    systems: Sequence[str],
    *,
    named: Sequence[tuple[str, str, str]],
    subtypes: bool,
    ignore_case: bool,
    labels: str,
    label_maps: tuple[str, ...],
    equivalent_labels: str | None,
    functions: tuple[str, ...] | None,
    function_nodes: tuple[str, ...],
    enhanced: bool,
    protocol: str,
    preset: str | None,
    rows: str | None,
    costs: str | None,
    subsets: str,
    on_mismatch: str,
    explain_sentence: str | None,
    explain_to: str | None,
    relations: bool | None,
    mean: bool,
    conventions: bool,
    test_rows: bool,
    partial: bool,
    output_format: str,
    output: str,
    **tests: Any,
) -> None:
    """Compare parsers that were trained on different treebanks.

    Every system has its own gold standard, in any scheme or framework: dependencies, constituents
    or relations. All become function trees. Each parse is scored against its own gold standard
    (SINGLE), against what all gold standards agree on (MULTIPLE), and against each of the others.
    GOLD and PARSE can be folders, which are read file by file. PARSE can be a system, as for
    'evaluate': a model file, spacy:MODEL, udpipe:FILE or command:'…'. Labels of different
    inventories are mapped to one shared inventory, the hub. --test tests MULTIPLE, which is
    comparable across systems within the limits described in docs/compare.md.

    \b
    Examples:
      commonground compare --system a example:ud example:ud-parse --system b example:ud example:ud
      commonground compare ud=example:ud:example:ud-parse ptb=example:ptb:example:ptb-parse
      commonground compare a=example:ud:example:ud b=example:ptb:example:ptb --explain-sentence 7
      commonground compare a=example:ud:example:ud-parse b=example:ud:example:ud --test shuffle
      commonground compare a=example:ud:example:ud b=example:sud:example:sud --preset tedeval-2.2
    """
    from commonground.evaluation.compare import compare
    from commonground.evaluation.option_settings import settings_of
    from commonground.evaluation.signature import with_systems
    from commonground.formats import read as read_treebank
    from commonground.ground.costs import read_costs

    settings = settings_of(
        {
            "subtypes": subtypes,
            "ignore_case": ignore_case,
            "on_mismatch": on_mismatch,
            "function_nodes": function_nodes,
            "equivalent_labels": equivalent_labels,
        }
    )
    files = _named_pairs(systems, named)
    found = {
        name: parses_of(gold, {name: parse}, context, raw=on_mismatch == "realign")
        for name, (gold, parse) in files.items()
    }
    made = {name: text for each in found.values() for name, text in each.made.items()}
    pairs = {name: (gold, found[name].files[name]) for name, (gold, _) in files.items()}
    paths = dict.fromkeys(path for pair in pairs.values() for path in pair)
    read = {path: read_treebank(path, partial=partial) for path in paths}
    corpora = {name: (read[gold], read[parse]) for name, (gold, parse) in pairs.items()}
    options: dict[str, Any] = {
        "settings": settings,
        "functions": functions,
        "enhanced": enhanced,
        "protocol": preset or protocol,
        "labels": labels,
        "label_maps": _maps(label_maps),
        "costs": read_costs(costs) if costs else None,
        "relations": relations,
    }
    if rows:
        _show_rows(corpora, rows, preset or "", output, output_format)
        return
    if explain_to:
        _write_stages(corpora, explain_to, options)
    if explain_sentence:
        _explain(corpora, explain_sentence, options, output, output_format)
        return
    asked = plan_tests(tests)
    result = compare(corpora, **options, subsets=subsets, seed=tests["seed"])
    claims = claims_for(result.tested(), asked, jobs=tests["jobs"], quiet=tests["quiet"])
    if test_rows and not (asked and asked.tests):
        raise UsageError("--test-rows has no effect without --test")
    by_row = _row_claims(result, asked, tests) if test_rows else {}
    signed = with_systems(result.signature, made)
    result = replace(result, signature=signed, claims=claims, row_claims=by_row)
    maps = [text.partition("=")[2] for text in label_maps]
    models = [model for each in found.values() for model in each.models]
    read_files = [path for path in paths if all(each.read(path) for each in found.values())]
    side_files = list(filter(None, [labels_file(equivalent_labels), *maps, costs]))
    show_result(
        result,
        context,
        lambda: result.grids(mean=mean, conventions=conventions, verdict=may_test(tests)),
        treebanks={
            "systems": {name: list(pair) for name, pair in files.items()},
            "parsed_by": made or None,
        },
        files=lambda: [*expanded(read_files), *models, *side_files],
    )


def _show_rows(corpora: Any, rows: str, preset: str, output: Any, output_format: str) -> None:
    """Show what the original program prints for each sentence."""
    from commonground.evaluation.original_rows import original_rows_of
    from commonground.report.views.comparison import original_grid

    original = original_rows_of(corpora, preset, labelled=rows == "labelled")
    by_name = {name: [row.to_json() for row in each] for name, each in original.items()}
    show(output, output_format, data=by_name, grids=[original_grid(original)])


def _write_stages(corpora: Any, folder: str, options: dict[str, Any]) -> None:
    """Write how the scores of some sentences come about, stage by stage."""
    from commonground.evaluation.explained_sentence import explain_first
    from commonground.formats.storage.files import write_bytes
    from commonground.report.views.explained_sentence import explanation_files

    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    for name, text in explanation_files(explain_first(corpora, **options)).items():
        write_bytes(path / name.replace("/", "-"), [text.encode()])


def _explain(
    corpora: Any, sentence: str, options: dict[str, Any], output: Any, output_format: str
) -> None:
    """Show how the scores of a sentence come about."""
    from commonground.evaluation.explained_sentence import explain_sentence
    from commonground.formats.storage.files import write_bytes
    from commonground.report.views import explained_sentence as view

    if output_format not in ("text", "json", "html"):
        raise UsageError("--explain-sentence works with --output-format text, json or html")
    trees = explain_sentence(corpora, sentence, **options)
    if output_format == "html":
        write_bytes(output, [view.explanation_html(trees).encode()])
        return
    told = {"sentence": sentence, **view.explanation_json(trees)}
    show(output, output_format, data=told, grids=[], text=view.explanation_text(trees))


def _row_claims(result: Any, asked: Any, tests: dict[str, Any]) -> dict[str, Any]:
    """Make the tests of SINGLE, and of pairs of gold standards."""
    options = {"same_gold": False, "jobs": tests["jobs"], "quiet": tests["quiet"]}
    claims = {title: claims_for(each, asked, **options) for title, each in result.rows().items()}
    return {title: each for title, each in claims.items() if each is not None}


def _maps(texts: Sequence[str]) -> dict[str, Any]:
    from commonground.ground.label_map import read_label_map

    maps = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise UsageError(f"--label-map {text!r} is not a map; write NAME=FILE")
        maps[name] = read_label_map(path)
    return maps


def _named_pairs(
    systems: Sequence[str], named: Sequence[tuple[str, str, str]]
) -> dict[str, tuple[str, str]]:
    """Return the gold standard and the parse of each system."""
    all_of_them = [(name, (gold, parse)) for name, gold, parse in named]
    for text in systems:
        name, equals, pair = text.partition("=")
        if not (name and equals and ":" in pair):
            raise UsageError(f"{text!r} is not a system; write NAME=GOLD:PARSE")
        all_of_them.append((name, _split(pair)))
    if not all_of_them:
        raise UsageError("there are no systems to compare; write --system NAME GOLD PARSE for each")
    pairs = dict(all_of_them)
    if len(pairs) < len(all_of_them):
        names = [name for name, _ in all_of_them]
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"two systems are called {twice}")
    return pairs


_EXAMPLE = re.compile(r"example:[\w-]+")


def _split(pair: str) -> tuple[str, str]:
    """Split GOLD:PARSE at the colon that leaves two files; names may have colons themselves.

    >>> _split("example:ud:example:ud-parse"), _split("gold.conllu:parse.conllu")
    (('example:ud', 'example:ud-parse'), ('gold.conllu', 'parse.conllu'))
    """
    places = [match.start() for match in re.finditer(":", pair)]
    splits = [(pair[:place], pair[place + 1 :]) for place in places]
    for split in splits:
        if all(map(_is_there, split)):
            return split
    return splits[0]


def _is_there(side: str) -> bool:
    from commonground.formats.storage.archives import archive_of

    there = _EXAMPLE.fullmatch(side) or Path(side).exists() or archive_of(side)
    return bool(there or is_system(side))

"""``commonground evaluate``: the scores of parses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from commonground.cli.convention_tables import show_conventions
from commonground.cli.explain_metrics import explain_metric
from commonground.cli.function_trees import function_nodes_option, labels_file
from commonground.cli.help_sections import ListingOption, SectionedCommand
from commonground.cli.options import (
    INPUT,
    flag_of,
    format_option,
    named,
    output_options,
    partial_option,
    repair_option,
    run_options,
    signature_option,
)
from commonground.cli.output import progress, show
from commonground.cli.parse_remarks import refuse_nothing, warn_about_parses
from commonground.cli.remarks import remark
from commonground.cli.results import show_result
from commonground.cli.significance import (
    claims_for,
    may_test,
    parts,
    plan_tests,
    significance_options,
)
from commonground.cli.styles import STYLES, evalb_printed, in_style, refuse_what_has_no_place
from commonground.cli.system_parses import SystemParses, parses_of, trust_option
from commonground.cli.thresholds import missed_lines, thresholds_of
from commonground.errors import InputError, UsageError

if TYPE_CHECKING:
    from commonground.evaluation.pairs import Pair
    from commonground.evaluation.result import System
    from commonground.evaluation.scores import Evaluation
    from commonground.grid import Grid
    from commonground.metrics.constituents.evalb_output import Printed
    from commonground.metrics.settings import Settings
    from commonground.statistics.claims import Claims
    from commonground.statistics.test_plan import TestPlan

MISSED = 1
"""The exit code where a score is below its threshold."""
STOPPED = 2
"""The exit code where evalb would stop, since the two files do not fit; its own would be 1."""


SECTIONS = {
    "Options": (
        *("--metrics", "--preset", "--punctuation", "--on-mismatch", "--by", "--test"),
        *("--confidence", "--explain", "--output-format", "--output"),
    ),
    "What counts": (
        *("--punctuation-tags", "--min-length", "--max-length", "--where"),
        *("--subtypes", "--ignore-case", "--equivalent-labels", "--function-nodes", "--evalb-prm"),
    ),
    "What is shown": (
        *("--confusion", "--top", "--sentences", "--precision-recall", "--tables", "--rank-by"),
        *("--train", "--style", "--safe-cells", "--signature"),
    ),
    "Differences between schemes": ("--conventions", "--gold-scheme", "--attribution"),
    "Tests and intervals": (
        *("--iterations", "--interval", "--alternative", "--correction", "--resample", "--power"),
    ),
    "Files that are read": (
        "--repair",
        "--format",
        "--encoding",
        "--partial",
        "--on-error",
        "--trust",
    ),
    "The run itself": (
        "--fail-under",
        "--jobs",
        "--seed",
        "--engine",
        "--scheduler",
        "--quiet",
        "--help",
    ),
}
"""The options in the order of the help: first those that people use most."""


def _properties() -> Iterator[str]:
    from commonground.metrics.by import names_of

    yield from (name for name in names_of() if not name.startswith("trained-"))  # by --train
    yield "file"


@click.command(cls=SectionedCommand, sections=SECTIONS)
@click.argument("gold", metavar="GOLD", type=INPUT, required=False)
@click.argument("parses", metavar="PARSE…", nargs=-1)
@click.option(
    "--metrics",
    metavar="NAME,…",
    multiple=True,
    help="The metrics to compute, or all; see --explain all.",
)
@click.option(
    "--preset",
    "preset_name",
    metavar="NAME",
    help="Score as another program does: conll18, iwpt20, conllx, conll07, conll2009, ned, "
    "tedeval-2.1, tedeval-2.2, evalb (the same as evalb-collins), evalb-new, mrp2019, mrp2020, "
    "smatch, sdp2015 or edm. "
    "The options below override it.",
)
@click.option(
    "--punctuation",
    type=click.Choice(["keep", "unicode", "tag", "xpos"]),
    help="Score punctuation, or ignore it by its characters or its tag.",
)
@click.option(
    "--punctuation-tags",
    metavar="'TAG …'",
    multiple=True,
    help="The tags of punctuation, separated by spaces.",
)
@click.option(
    "--min-length",
    "shortest",
    type=click.IntRange(min=0),
    metavar="N",
    help="Score only sentences with at least N words, not counting ignored punctuation.",
)
@click.option(
    "--max-length",
    "longest",
    type=click.IntRange(min=0),
    metavar="N",
    help="Score only sentences with at most N words.",
)
@click.option(
    "--where",
    metavar="PATTERN",
    help="Score only the words of the gold standard that a pattern names, such as 'deprel=obl' or "
    "'V -[obj]-> N; N << V'; see docs/patterns.md.",
)
@click.option(
    "--subtypes/--no-subtypes",
    default=None,
    help="Whether nsubj:pass and nsubj are different labels.",
)
@click.option("--ignore-case", is_flag=True, default=None, help="Ignore the case of labels.")
@click.option(
    "--equivalent-labels",
    type=INPUT,
    metavar="FILE",
    help="Labels to treat as equal: 'A = B' or 'A B C' on a line of FILE.",
)
@click.option(
    "--on-mismatch",
    type=click.Choice(["fail", "skip", "zero", "realign"]),
    help="What to do if gold standard and parse have different sentences or words: fail, skip "
    "them, count them as wrong (zero), or align them by the characters of the text (realign).  "
    "[default: fail, or as in the preset]",
)
@click.option(
    "--on-error",
    type=click.Choice(["fail", "skip", "zero"]),
    help="What to do with a parse that cannot be scored: fail, skip its system, or count "
    "everything as wrong (zero); the reasons are shown.  [default: fail]",
)
@function_nodes_option
@click.option("--evalb-prm", type=INPUT, metavar="FILE", help="Use the evalb parameters in FILE.")
@click.option(
    "--by",
    metavar="PROPERTY,…",
    multiple=True,
    cls=ListingOption,
    listed=_properties,
    help="Break the scores down by a property; join several with commas for all combinations. "
    "There are {} (the scores of each file of a folder), and pattern:PATTERN (by the node that a "
    "word is).",
)
@click.option(
    "--confusion",
    "confusions",
    type=click.Choice(["label", "head-tag"]),
    multiple=True,
    help="Show what was confused with what.",
)
@click.option(
    "--top",
    type=click.IntRange(min=0),
    metavar="N",
    help="Show the N most frequent rows of --by and --confusion, and the N worst sentences of "
    "--sentences; JSON has them all.  [default: 20 confusions, all of the others]",
)
@click.option(
    "--precision-recall",
    is_flag=True,
    help="Show precision and recall with --by, even if they are equal or there are several parses.",
)
@click.option(
    "--tables",
    metavar="NAME,…",
    multiple=True,
    help="Show only these tables: scores, repairs, broken, differences, files, by, confusion, "
    "sentences.  [default: all, without differences in LaTeX]",
)
@click.option(
    "--train",
    type=INPUT,
    metavar="FILE",
    help="The training data: break scores down by whether words, arcs and sentences occur in "
    "it, and list these sentences.",
)
@click.option(
    "--rank-by", metavar="METRIC", help="Rank several parses by this metric.  [default: las or f1]"
)
@click.option("--sentences", is_flag=True, help="Show the scores of each sentence.")
@click.option(
    "--style",
    type=click.Choice(list(STYLES)),
    help="Print the scores of one parse exactly as this program does, with its metrics and preset.",
)
@click.option(
    "--fail-under",
    metavar="METRIC=SCORE,…",
    multiple=True,
    help="Exit with 1 if a parse scores less, as a fraction of 1; the sentences of several files "
    "are pooled.",
)
@click.option(
    "--conventions",
    is_flag=True,
    help="Show which wrong heads and labels are due to a different scheme, and which are errors.",
)
@click.option(
    "--gold-scheme",
    metavar="SCHEME",
    help="With --conventions: the scheme of GOLD; by default ud.",
)
@click.option(
    "--attribution",
    type=click.Choice(["order", "shapley"]),
    help="With --conventions: attribute wrong heads in one order (the default), or by the mean "
    "over all orders.",
)
@click.option("--explain", metavar="METRIC", help="Explain a metric, or list all.")
@significance_options
@format_option
@partial_option
@repair_option
@trust_option
@output_options
@signature_option
@run_options("jobs", "seed", "quiet")
@click.pass_context
def command(
    context: click.Context,
    /,
    gold: str | None,
    parses: Sequence[str],
    *,
    preset_name: str | None,
    style: str | None,
    explain: str | None,
    conventions: bool,
    gold_scheme: str | None,
    attribution: str | None,
    output_format: str,
    output: str,
    **options: Any,
) -> None:
    """Score parses against a gold standard.

    PARSE is a file, or NAME=FILE to name it, or a system: a model file, spacy:MODEL, udpipe:FILE or
    command:'…' ('commonground parsers systems' lists them), which parses the words of GOLD, or with
    --preset conll18 or --on-mismatch realign its text. Tables give scores in per cent; JSON gives
    fractions of 1 and all counts. The signature below a table records what they depend on: the
    version, the settings, and a fingerprint of the gold standard. Several parses are ranked, with a
    verdict on them. GOLD and PARSE can also be folders, or patterns in quotes: files with the same
    name belong together, and averages over all of them are shown.

    \b
    Examples:
      commonground evaluate example:ud example:ud-parse
      commonground evaluate example:ud mine=example:ud-parse best=example:ud --preset conll18
      commonground evaluate example:ud example:ud-parse --by deprel --by upos,direction
      commonground evaluate example:ud example:ud-parse --where "[upos=VERB] -[obl]-> N"
      commonground evaluate example:ptb example:ptb-parse --preset evalb-collins
      commonground evaluate example:ud a=example:ud-parse b=example:ud --test shuffle
      commonground evaluate example:ud example:ud-parse --confidence 0.95
      commonground evaluate example:ud example:ud-parse --fail-under las=0.85,uas=0.9 --quiet
      commonground evaluate example:ud example:sud --conventions
      commonground evaluate example:ud example:ud-parse --train example:phenomena-ud --metrics las
      commonground evaluate example:ud example:sud --conventions --attribution shapley
      commonground evaluate example:ud example:ud-parse --repair open --metrics las --quiet
      commonground train example:ud -o m -q && commonground evaluate example:ud m --metrics las
      commonground evaluate --explain ned
    """
    if explain is not None:
        explain_metric(explain, output, output_format)
        return
    if gold is None or not parses:
        missing = "PARSE…" if gold else "GOLD"
        raise click.UsageError(f"Missing argument {missing!r}", context)
    if conventions:
        show_conventions(context, gold, parses, gold_scheme or "ud")
        return
    if gold_scheme is not None or attribution is not None:
        option = "--attribution" if gold_scheme is None else "--gold-scheme"
        raise UsageError(f"{option} has no effect without --conventions")
    from commonground.evaluation.pairs import find_pairs
    from commonground.evaluation.signature import with_systems

    settings = _settings(preset_name or (STYLES[style] if style else None), options)
    files = named(parses, "parses")
    found = parses_of(gold, files, context, raw=settings.on_mismatch == "realign")
    pairs = find_pairs(gold, found.files, lenient=options["on_error"] in ("skip", "zero"))
    if style:
        refuse_what_has_no_place(style, pairs, context, output_format)
    if style == "evalb":
        context.exit(_show_as_evalb(evalb_printed(pairs[0], settings, options), output, options))
    thresholds = thresholds_of(options["fail_under"])
    metrics = _asked(parts(options["metrics"]), style, settings, thresholds)
    asked = plan_tests(options)
    by, by_file = _by(options, pairs)
    several = len({pair.system for pair in pairs}) > 1
    sentences = output_format == "json" or options["sentences"] or asked is not None or several
    evaluation = _scored(pairs, options, metrics, settings, by, sentences=sentences)
    evaluation = replace(evaluation, signature=with_systems(evaluation.signature, found.made))
    missed = missed_lines(evaluation, thresholds)
    if style:
        show(output, "text", data={}, grids=[], text=in_style(style, evaluation))
    else:
        evaluation = replace(evaluation, claims=_claims(evaluation, asked, options))
        show_result(
            evaluation,
            context,
            lambda: _grids(evaluation, options, output_format, pairs, files=by_file),
            treebanks={"gold": gold, "parses": files, "parsed_by": found.made or None},
            files=lambda: [*_read_files(pairs, evaluation, found), *_side_files(options)],
            scores=options["sentences"],
        )
    for line in missed:
        remark(line)
    context.exit(MISSED if missed else 0)


def _scored(
    pairs: Sequence[Pair],
    options: Mapping[str, Any],
    metrics: Sequence[str],
    settings: Settings,
    by: Sequence[Sequence[str]],
    *,
    sentences: bool,
) -> Evaluation:
    """Score all pairs, and say on standard error what is odd about them."""
    from commonground.evaluation.run import evaluate_files

    with (
        progress("files", total=len(pairs), quiet=options["quiet"]) as advance,
        _advised(pairs),
    ):
        evaluation = evaluate_files(
            pairs,
            metrics=metrics,
            settings=settings,
            by=by,
            confusions=options["confusions"],
            sentences=sentences,
            format=options["input_format"],
            partial=options["partial"],
            repair=options["repair"],
            on_error=options["on_error"] or "fail",
            jobs=options["jobs"],
            watch=advance,
        )
    refuse_nothing(evaluation)
    warn_about_parses(evaluation, quiet=options["quiet"])
    return evaluation


# ── what is asked for ────────────────────────────────────────────────────────────────────────────


def _settings(preset_name: str | None, options: Mapping[str, Any]) -> Settings:
    """Return the settings of a preset, changed by the options."""
    from commonground.evaluation.option_settings import SETTING_OPTIONS, settings_of

    flags = {name: flag_of(command, name).removeprefix("--") for name in options}
    named = {flag.replace("-", "_"): options[name] for name, flag in flags.items()}
    known = {name: named[name] for name in SETTING_OPTIONS if name in named}
    return settings_of({**known, "preset": preset_name})


def _asked(
    names: Sequence[str],
    style: str | None,
    settings: Settings,
    thresholds: Sequence[tuple[str, float]],
) -> list[str]:
    """Return the names of the metrics to compute; thresholds need theirs."""
    from commonground.metrics.registry import DEFAULT, explained
    from commonground.report.views.scorers import SCORERS

    if "all" in map(str.lower, names):
        return ["all"]
    needed = {metric: list(explained(metric)) for metric, _ in thresholds}
    kinds = [kind for of_kind in needed.values() if len(of_kind) == 1 for kind in of_kind]
    names = names or SCORERS.get(style or "") or settings.metrics
    if not names and kinds:
        names = DEFAULT[kinds[0]]
    return list(dict.fromkeys([*names, *needed]))


def _show_as_evalb(printed: Printed, output: str, options: Mapping[str, Any]) -> int:
    """Show what evalb prints on both of its outputs, and return its exit code."""
    show(output, "text", data={}, grids=[], text=printed.output)
    if not options["quiet"]:
        click.echo(printed.messages, nl=False, err=True)
    return STOPPED if printed.stopped else 0


def _tables(wanted: Sequence[str], output_format: str) -> Sequence[str]:
    """Return the groups of tables to show; a document seldom has room for all differences."""
    from commonground.report.views.evaluation import TABLES

    for name in wanted:
        if name not in TABLES:
            raise UsageError(f"there is no table {name!r}; there are {', '.join(TABLES)}")
    left_out = ("differences",) if output_format == "latex" else ()
    return wanted or [name for name in TABLES if name not in left_out]


def _grids(
    evaluation: Evaluation,
    options: Mapping[str, Any],
    output_format: str,
    pairs: Sequence[Pair],
    *,
    files: bool,
) -> list[Grid]:
    """Return the tables, or raise an error where nothing of what is wanted was asked for."""
    from commonground.evaluation.read_options import ReadOptions
    from commonground.evaluation.sentence_texts import sentence_texts

    grids = evaluation.grids(
        top=options["top"],
        sentences=options["sentences"],
        files=files,
        rank_by=options["rank_by"] or "",
        sides=options["precision_recall"],
        tables=_tables(parts(options["tables"]), output_format),
        verdict=may_test(options),
        texts=sentence_texts(pairs, ReadOptions(options["input_format"], options["partial"]))
        if options["sentences"]
        else None,
    )
    if not grids:
        raise UsageError(f"--tables {','.join(options['tables'])}: this result has no such tables")
    return grids


def _by(options: Mapping[str, Any], pairs: Sequence[Pair]) -> tuple[list[list[str]], bool]:
    """Return the properties that scores are broken down by, and whether files are one of them."""
    seen = ("trained-word", "trained-arc", "trained-sentence") if options["train"] else ()
    given = [*options["by"], *seen]
    wanted = [["file"] if names.lower() == "file" else [names] for names in given]
    if any(names != ["file"] for names in wanted):
        from commonground.metrics.by import property_names

        wanted = [list(property_names(names[0])) for names in wanted]
    by_file = ["file"] in wanted
    if any("file" in names and len(names) > 1 for names in wanted):
        raise UsageError("--by file cannot be combined with other properties")
    if by_file and not pairs[0].name:
        raise UsageError("--by file needs several files; make GOLD a folder or a pattern")
    return [names for names in wanted if names != ["file"]], by_file


@contextmanager
def _advised(pairs: Sequence[Pair]) -> Iterator[None]:
    """Say how to go on without a bad parse, where it is one of several."""
    try:
        yield
    except InputError as error:
        from commonground.formats.storage.files import shown

        parses = {shown(pair.parse) for pair in pairs} - {shown(pair.gold) for pair in pairs}
        if len({pair.system for pair in pairs}) == 1 or error.path not in parses:
            raise
        advice = (
            "--on-error skip leaves this system out, --on-error zero counts everything in the "
            "parse as wrong"
        )
        raise InputError(error.path, error.line, f"{error.message}; {advice}") from error


def _claims(
    evaluation: Evaluation, asked: TestPlan | None, options: Mapping[str, Any]
) -> Claims | None:
    """Make the tests: of averages over files where there are several, or of all sentences."""
    systems: Sequence[System] = evaluation.systems
    if asked is not None:
        from commonground.statistics.units import with_units

        systems, asked = with_units(systems, evaluation.files, asked, options["resample"])
    return claims_for(systems, asked, jobs=options["jobs"], quiet=options["quiet"])


def _side_files(options: Mapping[str, Any]) -> Iterator[str]:
    """Return the files that were read besides treebanks and parses."""
    from commonground.formats.storage.folders import files_of

    if labels := labels_file(options["equivalent_labels"]):
        yield labels
    if parameters := options["evalb_prm"]:
        yield parameters
    if train := options["train"]:
        yield from files_of(train)


def _read_files(pairs: Sequence[Pair], evaluation: Evaluation, found: SystemParses) -> list[str]:
    """Return the files that the result was made of; what is broken may not even be there."""
    broken = {(each.system, each.file) for each in evaluation.broken}
    whole = [pair for pair in pairs if (pair.system, pair.name) not in broken]
    golds = dict.fromkeys(pair.gold for pair in pairs)
    read = [pair.parse for pair in whole if found.read(pair.parse)]
    return [*golds, *read, *found.models]

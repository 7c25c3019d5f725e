"""``commonground agreement``: how far analyses of the same words agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import click

from commonground.cli.function_trees import mismatch_option
from commonground.cli.options import (
    format_option,
    named,
    output_options,
    partial_option,
    renamed_option,
    run_options,
    signature_option,
)
from commonground.cli.output import expanded, progress
from commonground.cli.output_files import OUTPUT
from commonground.cli.remarks import remark
from commonground.cli.results import show_result
from commonground.cli.significance import parts
from commonground.errors import UsageError
from commonground.plurals import number_of


@click.command()
@click.argument("files", metavar="NAME=FILE…", nargs=-1, required=True)
@click.option(
    "--metrics",
    metavar="NAME,…",
    multiple=True,
    help="The metrics to compute; by default UAS, LAS, undirected, NED and TedEval, for graphs "
    "those of MRP.",
)
@click.option(
    "--punctuation",
    type=click.Choice(["keep", "unicode", "tag", "xpos"]),
    default="keep",
    show_default=True,
    help="Score punctuation, or ignore it by its characters or its tag.",
)
@click.option(
    "--schemes",
    metavar="NAME,…",
    help="Transform FILE into each of these schemes, and compare the results.",
)
@click.option(
    "--from",
    "source",
    metavar="SCHEME",
    help="With --schemes: the scheme of FILE; by default ud.",
)
@click.option(
    "--subtypes/--no-subtypes",
    default=True,
    help="Whether nsubj:pass and nsubj are different labels.",
)
@click.option(
    "--by",
    metavar="PROPERTY",
    multiple=True,
    help="Show where two analyses differ, by construction, deprel, upos or another property, with "
    "examples. Can be given several times.",
)
@renamed_option(
    "--label-pairs",
    "confusion",
    former=["--confusion"],
    is_flag=True,
    help="Show which labels correspond to which.",
)
@click.option(
    "--by-column",
    is_flag=True,
    help="Show the agreement in each column and feature, with κ, α and what was confused.",
)
@click.option("--sheet", metavar="FILE", type=OUTPUT,
              help="Write all disagreements to a table (TSV) to decide on.")  # fmt: skip
@click.option("--page", metavar="FILE", type=OUTPUT,
              help="Write a page (HTML) to decide on them, with the trees.")  # fmt: skip
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    metavar="N",
    help="Show the first N rows of --by and --label-pairs; JSON has them all.",
)
@click.option(
    "--alpha/--no-alpha",
    default=None,
    help="Correct the agreement for chance; on by default for files, off for --schemes.",
)
@mismatch_option
@format_option
@partial_option
@output_options
@signature_option
@run_options("seed", "quiet")
@click.pass_context
def command(
    context: click.Context,
    /,
    files: Sequence[str],
    *,
    metrics: Sequence[str],
    punctuation: str,
    schemes: str | None,
    source: str | None,
    subtypes: bool,
    by: Sequence[str],
    confusion: bool,
    by_column: bool,
    sheet: str | None,
    page: str | None,
    top: int,
    alpha: bool | None,
    on_mismatch: str,
    input_format: str | None,
    partial: bool,
    seed: int,
    quiet: bool,
    **_: str,
) -> None:
    """Measure how far analyses of the same words agree.

    Several dependency treebanks, or one in several --schemes, are scored against each other, each
    in turn as the gold standard; no parser is involved. Krippendorff's α over tree distances
    (Skjærholt 2014) corrects the agreement for chance. Graphs of meaning are compared piece by
    piece in one framework, and by their yields and relations across frameworks, or with trees.

    --sheet lists what annotators of CoNLL-U files disagree about, in any column, each question once, by
    construction; 'apply SHEET NAME=FILE…' makes one treebank of the decisions. Sentences with other words are on
    the sheet as a whole, and not in the scores.

    \b
    Examples:
      commonground agreement gold=example:ud parse=example:ud-parse
      commonground agreement example:ud example:ud-parse --metrics uas,ned --output-format latex
      commonground agreement ud=example:ud sud=example:sud --by construction --label-pairs
      commonground agreement one=example:ud two=example:ud-parse --by-column --by upos
      commonground agreement one=example:dm two=example:dm-parse --by construction --by component
      commonground agreement dm=example:dm eds=example:eds
      commonground agreement one=example:ud two=example:ud-parse --sheet decisions.tsv -q
      commonground agreement example:ud --schemes ud,sud,prague --metrics uas,undirected,ned
    """  # noqa: E501  # an example is one line
    from commonground.evaluation.agreement import agreement, scheme_agreement
    from commonground.evaluation.option_settings import settings_of
    from commonground.formats import read

    if (sheet or page) and schemes:
        raise UsageError("--sheet and --page are about what annotators decided, not about schemes")
    source_of_mismatch = context.get_parameter_source("on_mismatch")
    if (sheet or page) and source_of_mismatch is click.core.ParameterSource.DEFAULT:
        on_mismatch = "skip"  # such sentences are on the sheet
    settings = settings_of(
        {"punctuation": punctuation, "subtypes": subtypes, "on_mismatch": on_mismatch}
    )
    chosen = parts(metrics) or None
    if source is not None and not schemes:
        raise UsageError("--from has no effect without --schemes")
    paths = named(files, "analyses")
    corpora = {name: read(path, input_format, partial=partial) for name, path in paths.items()}
    graphs = any(corpus.kind == "graphs" for corpus in corpora.values())
    if (sheet or page) and graphs:
        raise UsageError("--sheet and --page are about dependencies, not graphs")
    if sheet or page:
        _write_questions(sheet, page, paths, quiet=quiet)
    if schemes:
        if len(files) > 1:
            raise UsageError(
                "--schemes takes one file and transforms it into each scheme; give one file"
            )
        (corpus,) = corpora.values()
        names = schemes.split(",")
        with progress("steps", total=2 * len(names), quiet=quiet) as advance:
            result = scheme_agreement(
                corpus,
                names,
                source=source or "ud",
                metrics=chosen,
                settings=settings,
                alpha=bool(alpha),
                by=by,
                confusion=confusion,
                columns=by_column,
                seed=seed,
                watch=advance,
            )
    else:
        with progress("analyses", total=len(corpora), quiet=quiet) as advance:
            result = agreement(
                corpora,
                metrics=chosen,
                settings=settings,
                alpha=bool(alpha) if graphs else alpha is not False,
                by=by,
                confusion=confusion,
                columns=by_column,
                seed=seed,
                watch=advance,
            )
    show_result(
        result,
        context,
        lambda: result.grids(top=top),
        treebanks={"analyses": paths},
        files=lambda: expanded(list(paths.values())),
    )


def _write_questions(
    sheet: str | None, page: str | None, paths: Mapping[str, str], *, quiet: bool
) -> None:
    """Write what annotators disagree about, and tell how much it is."""
    from commonground.evaluation.construction_groups import questions_of
    from commonground.formats.storage.files import write_bytes
    from commonground.report.decision_sheets import adjudication_sheet

    questions = questions_of(paths)
    if sheet:
        write_bytes(sheet, [adjudication_sheet(questions, list(paths)).encode()])
    if page:
        from commonground.report.page.agreement import disagreement_review

        text = disagreement_review(questions, paths).page()
        write_bytes(page, [text.encode("utf-8", "backslashreplace")])
    columns = Counter(each.disagreement.column.partition(" ")[0] for each in questions)
    whole = columns["WORDS"] + columns["SENTENCES"]
    counts = ", ".join(f"{name} {count:,}" for name, count in columns.most_common())
    rest = f"; {number_of(whole, 'place')} with other words or sentences" if whole else ""
    if not quiet:
        count = number_of(len(questions), "disagreement")
        remark(f"{sheet or page}: {count} to decide ({counts}){rest}")

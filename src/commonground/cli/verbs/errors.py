"""``commonground errors``: words of a treebank that are probably annotated wrongly."""

from __future__ import annotations

from collections.abc import Sequence

import click

from commonground.cli.options import INPUT, format_option, output_options, run_options
from commonground.cli.output import expanded, progress
from commonground.cli.output_files import OUTPUT
from commonground.cli.results import show_result
from commonground.errors import UsageError


@click.command()
@click.argument("file", metavar="FILE", type=INPUT)
@click.option("--with", "others", metavar="FILE", type=INPUT, multiple=True,
              help="More trees with the same annotation: the rest of the treebank.")  # fmt: skip
@click.option(
    "--history", nargs=2, metavar="OLD NEW", type=INPUT,
    help="Two versions of the treebank, or of a part of it, to learn from what was changed.",
)  # fmt: skip
@click.option(
    "--changed-since", metavar="OLD",
    help="Look only at sentences that are new or annotated otherwise than in OLD: a file, or a "
    "revision of git such as HEAD or origin/main.",
)  # fmt: skip
@click.option("--top", type=click.IntRange(min=1), default=500, show_default=True, metavar="N",
              help="Find the N most doubtful words.")  # fmt: skip
@click.option("--doubt", type=click.FloatRange(0, 1), default=0, show_default=True, metavar="P",
              help="Leave out words that are wrong with less than this probability.")  # fmt: skip
@click.option("--show", type=click.IntRange(min=0), default=20, show_default=True, metavar="N",
              help="Show N of them in tables.")  # fmt: skip
@click.option("--patch", metavar="FILE", type=OUTPUT,
              help="Write the proposals as a patch, which 'apply' carries out.")  # fmt: skip
@click.option("--sure", type=click.FloatRange(0, 1), default=0, show_default=True, metavar="P",
              help="With --patch: only proposals right with this probability.")  # fmt: skip
@click.option("--page", metavar="FILE", type=OUTPUT,
              help="Write a page (HTML) to see both analyses and decide.")  # fmt: skip
@click.option("--sheet", metavar="FILE", type=OUTPUT,
              help="Write a table (TSV) with a column for decisions.")  # fmt: skip
@click.option("--folds", type=click.IntRange(min=2), metavar="K",
              help="Parse each of K folds with parsers trained on the others.  [default: 6; 3 from "
              "100,000 words on]")  # fmt: skip
@format_option
@output_options
@run_options("jobs", "seed", "quiet")
@click.pass_context
def command(
    context: click.Context,
    /,
    file: str,
    *,
    others: Sequence[str],
    history: tuple[str, str] | None,
    changed_since: str | None,
    top: int,
    doubt: float,
    show: int,
    patch: str | None,
    sure: float,
    page: str | None,
    sheet: str | None,
    folds: int | None,
    input_format: str | None,
    jobs: int,
    seed: int,
    quiet: bool,
    **_: object,
) -> None:
    """List probable annotation errors, with reasons and proposals.

    Parsers that were trained on other sentences disagree, the same words are annotated differently
    elsewhere, a combination is rare, an implication that holds everywhere else is violated, or a
    punctuation mark hangs where the guidelines of UD do not want it. How much each of these weighs
    was learned on later releases of several treebanks.

    \b
    Examples:
      commonground errors example:ud --show 5
      commonground errors example:ud --top 20 --patch proposed.patch --page review.html
      commonground errors example:ud --changed-since example:ud-parse --doubt 0.2
      commonground errors example:ud --sheet decisions.tsv --output-format json -o errors.json
    """
    from commonground.corpus import Dependencies
    from commonground.formats import read
    from commonground.formats.storage.files import write_bytes
    from commonground.formats.versions import read_version
    from commonground.proofreading.cross_parses import PARSERS
    from commonground.proofreading.suspects import annotation_errors

    total = folds * len(PARSERS) * (2 if history else 1) if folds and not changed_since else None
    treebank = read(file, input_format)
    if not isinstance(treebank, Dependencies):
        raise UsageError(f"{file} has {treebank.kind}; errors are looked for in dependencies")
    old = None
    if changed_since:
        old = read_version(file, changed_since, input_format) or Dependencies.of([])
    with progress("models", total=total, quiet=quiet) as advance:
        errors = annotation_errors(
            treebank, others=[read(each, input_format) for each in others],
            history=history and (read(history[0], input_format), read(history[1], input_format)),
            changed_since=old, top=top, doubt=doubt, folds=folds, seed=seed, jobs=jobs,
            advance=advance,
        )  # fmt: skip
    if patch:
        write_bytes(patch, [errors.patch(sure).text().encode()])
    if sheet:
        from commonground.report.decision_sheets import errors_sheet

        write_bytes(sheet, [errors_sheet(errors).encode()])
    if page:
        from commonground.report.page.errors import errors_review

        text = errors_review(errors, treebank, file).page()
        write_bytes(page, [text.encode("utf-8", "backslashreplace")])
    files = [file, *others, *(history or ())]
    show_result(
        errors,
        context,
        lambda: errors.grids(top=show),
        treebanks={"versions": {"treebank": file}},
        files=lambda: expanded(files),
    )

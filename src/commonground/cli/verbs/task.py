"""``commonground task``: shared tasks, from the call for participation to the archive."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from commonground.cli.options import output_options, run_options, signature_option
from commonground.cli.output import show
from commonground.cli.output_files import OUTPUT, OUTPUT_OR_FOLDER
from commonground.cli.remarks import remark
from commonground.errors import UsageError
from commonground.plurals import number_of

if TYPE_CHECKING:
    from commonground.shared_task.scoring import SubmissionCheck

_task_option = click.option(
    "--task",
    "folder",
    default=".",
    show_default=True,
    metavar="FOLDER",
    type=click.Path(),
    help="The folder of the task.",
)


@click.group(no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Hold a shared task, from the data to the board.

    'new' makes a folder with a task file (treebanks, metrics, rules for broken submissions), a
    starter kit with a baseline, and the board. Participants run 'check', organisers 'score' and
    'board'; 'bundle' makes the same task for Codabench.

    \b
    Examples:
      commonground task presets
      commonground task new mytask
    """


@command.command("presets")
@output_options
@run_options()
def presets(*, output_format: str, output: str) -> None:
    """List the tasks whose rules are known."""
    from commonground.grid import Grid
    from commonground.shared_task.task_file import find_preset, preset_names

    known = {name: find_preset(name) for name in preset_names()}
    rows = [
        [name, each.title, ", ".join(each.metrics), each.verified or "from the manual"]
        for name, each in known.items()
    ]
    grid = Grid.of("", ["preset", "task", "metrics", "compared with the official script"], rows)
    data = {
        "presets": [
            {"name": name, "title": each.title, "metrics": list(each.metrics),
             "source": each.source, "verified": each.verified}
            for name, each in known.items()
        ]
    }  # fmt: skip
    show(output, output_format, data=data, grids=[grid])


@command.command("new")
@click.argument("folder", metavar="FOLDER", type=click.Path())
@click.option(
    "--treebank",
    "treebanks",
    nargs=4,
    multiple=True,
    metavar="NAME TRAIN DEV TEST",
    help="A treebank and its three files. Can be given several times; without any, the bundled "
    "example is used.",
)
@click.option("--preset", metavar="NAME", default="", help="The rules of a task; see 'presets'.")
@click.option("--title", metavar="TEXT", default="", help="The title of the task.")
@click.option(
    "--baseline-parser",
    metavar="NAME",
    default="",
    help="The parser of the baseline, trained on each treebank; by default arc-eager, or pcfg for "
    "constituents.",
)
@run_options("quiet")
def new(
    folder: str,
    *,
    treebanks: Sequence[tuple[str, str, str, str]],
    preset: str,
    title: str,
    baseline_parser: str,
    quiet: bool,
) -> None:
    """Make the folder of a new task."""
    from commonground.shared_task.new_task import new_task, read_splits

    splits = {name: read_splits(*files, preset=preset) for name, *files in treebanks}
    if len(splits) < len(treebanks):
        raise UsageError("two treebanks have the same name")

    told_about = not quiet and sys.stderr.isatty()

    def told(name: str) -> None:
        if told_about:
            remark(f"training the baseline on {name}")

    new_task(folder, splits, preset=preset, title=title, baseline=baseline_parser, watch=told)
    if told_about:
        remark(f"{folder}: edit {folder}/task.toml, then read {folder}/README.md")


@command.command("check")
@click.argument("submission", metavar="SUBMISSION", type=click.Path())
@_task_option
@output_options
@run_options()
@click.pass_context
def check(
    context: click.Context, submission: str, *, folder: str, output_format: str, output: str
) -> None:
    """Say whether a submission will be scored; exit with 1 if not.

    SUBMISSION is a folder or a zip archive with a file for each treebank. Only the input of the
    task is needed, not the gold standard.
    """
    import tempfile
    from pathlib import Path

    from commonground.shared_task import read_task
    from commonground.shared_task.scoring import check_submission
    from commonground.shared_task.submission import copy_submission

    task = read_task(folder)
    with tempfile.TemporaryDirectory() as place:
        files = Path(place) / "files"
        copy_submission(submission, files)
        result = check_submission(task, str(files))
    show(output, output_format, data=_check_data(result), grids=[_check_grid(result)])
    context.exit(0 if result.scored else 1)


def _check_data(result: SubmissionCheck) -> dict[str, Any]:
    from dataclasses import asdict

    files = [asdict(file) for file in result.files]
    return {"scored": result.scored, "files": files, "unknown": list(result.unknown)}


def _check_grid(result: SubmissionCheck) -> Any:
    from commonground.grid import Column, Grid

    bad = [file for file in result.files if not file.counts]
    lead = "This submission will be scored."
    if bad:
        lead = f"{len(bad)} of {len(result.files)} treebanks will be worth 0."
    elif any(file.remarks for file in result.files):
        lead = "This submission will be scored, but look at the remarks."
    rows = [
        [file.treebank, file.file or "–", "yes" if file.counts else "no", file.sentences,
         file.words, "; ".join(file.remarks)]
        for file in result.files
    ]  # fmt: skip
    notes = [f"Files that belong to no treebank: {', '.join(result.unknown)}"] * bool(
        result.unknown
    )
    columns: list[Column | str] = ["treebank", "file", "scored", Column("sentences", "right"),
               Column("words", "right"), "remarks"]  # fmt: skip
    return Grid.of("", columns, rows, notes, lead=lead)


@command.command("score")
@click.argument("submission", metavar="SUBMISSION", type=click.Path())
@click.option("--team", metavar="NAME", help="The team; by default the name of SUBMISSION.")
@_task_option
@output_options
@signature_option
@run_options()
def score(
    submission: str, *, team: str | None, folder: str, output_format: str, output: str
) -> None:
    """Score a submission, and keep it with its result."""
    from commonground.evaluation.saved import document
    from commonground.shared_task import read_task
    from commonground.shared_task.board import add_submission
    from commonground.shared_task.submission import team_name

    task = read_task(folder)
    result = add_submission(task, submission, team or team_name(submission)).result
    data = document(result) if output_format == "json" else {}
    show(output, output_format, data=data, grids=result.grids())


@command.command("board")
@_task_option
@click.option(
    "-o",
    "--output",
    metavar="FOLDER",
    type=OUTPUT_OR_FOLDER,
    default="",
    help="Write the pages into FOLDER.  [default: board in the folder of the task]",
)
@run_options()
def board(*, folder: str, output: str) -> None:
    """Write the board: a page with all teams, and one for each of them."""
    from pathlib import Path

    from commonground.formats.storage.files import write_bytes
    from commonground.shared_task import read_task
    from commonground.shared_task.board import task_pages

    task = read_task(folder)
    place = Path(output) if output else task.path("board")
    pages = list(task_pages(task))
    place.mkdir(parents=True, exist_ok=True)
    for name, text in pages:
        write_bytes(place / name, [text.encode("utf-8", "backslashreplace")])
    click.echo(f"{place / 'index.html'}: {number_of(len(pages) - 1, 'team')}")


@command.command("bundle")
@_task_option
@click.option("-o", "--output", metavar="FILE", type=OUTPUT, required=True,
              help="Write the bundle to FILE.")  # fmt: skip
@click.option("--start", metavar="DATE", default="2026-01-01", show_default=True,
              help="The day on which submissions begin (YYYY-MM-DD).")  # fmt: skip
@click.option("--wheel", metavar="FILE", type=click.Path(exists=True, dir_okay=False),
              help="A wheel of this package for the scoring program to install.")  # fmt: skip
@run_options()
def bundle_task(*, folder: str, output: str, start: str, wheel: str | None) -> None:
    """Write the task as a bundle for Codabench."""
    from commonground.formats.storage.files import write_bytes
    from commonground.shared_task import read_task
    from commonground.shared_task.codabench import bundle

    write_bytes(output, [bundle(read_task(folder), start=start, wheel=wheel or "")])


@command.command("archive")
@_task_option
@click.option("-o", "--output", metavar="FILE", type=OUTPUT, required=True,
              help="Write the archive to FILE.")  # fmt: skip
@click.option("--with-gold", is_flag=True, help="Put the gold standards into it, too.")
@run_options()
def archive_task(*, folder: str, output: str, with_gold: bool) -> None:
    """Write all submissions, results, signatures and the board into one archive."""
    from commonground.formats.storage.files import write_bytes
    from commonground.shared_task import read_task
    from commonground.shared_task.archive import archive

    write_bytes(output, [archive(read_task(folder), gold=with_gold)])

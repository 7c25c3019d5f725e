"""``commonground check``: everything that is wrong with files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial as bound
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import commonground
from commonground.cli.options import (
    INPUT,
    format_option,
    output_options,
    partial_option,
    run_options,
)
from commonground.cli.output import expanded, of_each, show
from commonground.cli.output_files import OUTPUT
from commonground.cli.remarks import remark
from commonground.errors import InputError, UsageError
from commonground.grid import Column, Grid
from commonground.plurals import number_of

if TYPE_CHECKING:
    from commonground.formats.checking.baseline import Baseline
    from commonground.formats.checking.check import CheckResult
    from commonground.formats.checking.fix import FixResult
    from commonground.repair.defects import Defect


class _Level(click.IntRange):
    """A level of the UD validator; one that was forgotten leaves the name of a file here."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the level as a number."""
        if not str(value).isdecimal():
            self.fail(f"{value} is not a level; write --ud 2, or another level from 1 to 5")
        return super().convert(value, param, ctx)


@click.command()
@click.argument("files", metavar="FILE…", type=INPUT, nargs=-1)
@format_option
@partial_option
@click.option(
    "--ud",
    type=_Level(1, 5),
    default=1,
    show_default=True,
    metavar="LEVEL",
    help="Check CoNLL-U as the UD validator does, up to this level; 3 to 5 need the extra ud.",
)
@click.option("--lang", metavar="CODE", help="The language, such as en, for --ud 4 and 5.")
@click.option(
    "--fix",
    is_flag=True,
    help="Repair CoNLL-U files in place, where that is mechanical.",
)
@click.option(
    "--warnings",
    "warned",
    is_flag=True,
    help="Show what is allowed, but suspicious, too: unlikely labels and features in UD trees "
    "(as udapi's MarkBugs does), and sentences that are repeated. The exit code stays the same.",
)
@click.option(
    "--without",
    metavar="NAME,…",
    default="",
    callback=lambda _, __, text: tuple(part.strip() for part in text.split(",") if part.strip()),
    help="With --warnings: leave out these kinds, such as no-PronType or 'punct-*'.",
)
@click.option(
    "--list-warnings", is_flag=True, help="List the kinds of warnings, with their reasons."
)
@click.option(
    "--baseline",
    metavar="FILE",
    type=INPUT,
    help="Leave out the problems that FILE acknowledges, and say which of these are gone.",
)
@click.option(
    "--acknowledge",
    metavar="FILE",
    type=OUTPUT,
    help="Write all problems to FILE, as a --baseline with room for reasons, and exit with 0.",
)
@click.option(
    "--max",
    "most",
    type=click.IntRange(min=1),
    metavar="N",
    help="Show at most N problems per file; all are counted.",
)
@output_options
@run_options("jobs", "quiet")
@click.pass_context
def command(
    context: click.Context,
    files: Sequence[str],
    input_format: str | None,
    *,
    partial: bool,
    ud: int,
    lang: str | None,
    fix: bool,
    warned: bool,
    without: tuple[str, ...],
    list_warnings: bool,
    baseline: str | None,
    acknowledge: str | None,
    most: int | None,
    output_format: str,
    output: str,
    jobs: int,
    quiet: bool,
) -> None:
    """List everything that is wrong with files.

    Each problem is one line, FILE:LINE: what is wrong, and what would be right. The format is
    checked first; if a file can be read, its trees are checked for cycles, several roots, and so
    on. The exit code is 2 if there are problems.

    --ud 2 checks what holds in all UD treebanks: universal tags and relations, sent_id and text.
    --ud 3 to 5 run the validator of Universal Dependencies itself (package udtools).

    --fix repairs line ends, Unicode normal form, blank lines, white space at the ends of columns,
    and the order of features, values and DEPS, and then checks the result.

    \b
    Examples:
      commonground check example:ud example:ptb
      commonground check example:ud --ud 2
      commonground check example:ud --output-format json -o problems.json
      commonground check example:ud --ud 2 --acknowledge known.tsv
      commonground check example:ud --warnings --without no-VerbForm
      commonground check --list-warnings
    """
    if list_warnings:
        show(output, output_format, data=_explained(), grids=[_explanations()])
        return
    _refuse_idle(files, without, warned=warned)
    from commonground.formats.checking.baseline import read_baseline, write_baseline

    every = [file for given in files for file in _files(given)]
    fixed = _fixed(every, input_format, jobs=jobs, quiet=quiet) if fix else []
    work = bound(commonground.check, format=input_format, partial=partial, ud=ud, lang=lang or "")
    results = of_each(work, every, jobs=jobs, quiet=quiet)
    if warned:
        results = _with_warnings(results, without, input_format)
    acknowledged = read_baseline(baseline) if baseline else None
    if acknowledge:
        number = write_baseline(acknowledge, results, acknowledged)
        click.echo(f"{acknowledge}: {number_of(number, 'problem')} acknowledged; add the reasons")
        return
    if acknowledged:
        results = _remaining(results, acknowledged, baseline, quiet=quiet)
    total = sum(not problem.warning for checked in results for problem in checked.problems)
    data = {"problems": total, "files": [_as_json(checked, most) for checked in results]}
    if warned:
        data["warnings"] = _warnings(results)
    if fix:
        data["fixed"] = [_changes_as_json(each) for each in fixed]
    classes = _classes(results, input_format)
    if classes:
        data["defects"] = classes
    text = "".join(_told(fixed)) + _text(results, most, classes, fix=fix)
    show(output, output_format, data=data, grids=[_grid(results, most, fix=fix)], text=text)
    context.exit(2 if total else 0)


def _refuse_idle(files: Sequence[str], without: Sequence[str], *, warned: bool) -> None:
    """Refuse a call without files, or with an option that changes nothing."""
    if not files:
        raise click.UsageError("Missing argument 'FILE…'", click.get_current_context())
    if without and not warned:
        raise UsageError("--without has no effect without --warnings")


def _remaining(
    results: Sequence[CheckResult], acknowledged: Baseline, path: str | None, *, quiet: bool
) -> list[CheckResult]:
    """Return what is not acknowledged, and say what is no longer a problem."""
    new, left_out, stale = acknowledged.remaining(results)
    if left_out and not quiet:
        remark(f"{number_of(left_out, 'acknowledged problem')} left out")
    for name, sentence, message in stale:
        remark(f"{path}: no longer a problem: {name} {sentence}: {message}")
    return new


def _files(given: str) -> list[str]:
    """Return the files that a name stands for; an empty folder is a problem of its own."""
    try:
        return list(expanded([given]))
    except InputError:
        if not Path(given).is_dir():
            raise
        return [given]


def _fixed(every: Sequence[str], format: str | None, *, jobs: int, quiet: bool) -> list[FixResult]:
    """Mend files in place: all of them, or none where one cannot be mended."""
    from commonground.formats.storage.files import STANDARD, overwriting, write_bytes

    if STANDARD in every:
        raise UsageError(
            "--fix repairs files in place, and standard input is not a file; name a file"
        )
    if bundled := [file for file in every if file.startswith("example:")]:
        raise UsageError(
            f"{bundled[0]} is bundled with the program and cannot be repaired; copy it first"
        )
    fixed = of_each(bound(commonground.fix, format=format), every, jobs=jobs, quiet=quiet)
    with overwriting():
        for each in fixed:
            if each.changes:
                write_bytes(each.path, [each.data])
    return fixed


def _told(fixed: Sequence[FixResult]) -> list[str]:
    return [
        f"{each.path}: fixed {number_of(change.lines, 'line')}, "
        f"from line {change.first}: {change.what}\n"
        for each in fixed
        for change in each.changes
    ]


def _changes_as_json(fixed: FixResult) -> dict[str, Any]:
    changes = [{"what": c.what, "lines": c.lines, "first": c.first} for c in fixed.changes]
    return {"file": fixed.path, "changes": changes}


def _as_json(checked: CheckResult, most: int | None) -> dict[str, Any]:
    return {
        "file": checked.path,
        "format": checked.format,
        "sentences": checked.sentences,
        "count": len(checked.problems),
        "problems": [
            {
                "line": problem.line,
                "message": problem.message,
                "rule": problem.rule or None,
                "fixable": problem.mechanical,
                **({"level": "warning"} if problem.warning else {}),
            }
            for problem in checked.problems[:most]
        ],
    }


def _grid(results: Sequence[CheckResult], most: int | None, *, fix: bool) -> Grid:
    rows: list[list[str | int]] = [
        [checked.path, problem.line, problem.message]
        for checked in results
        for problem in checked.problems[:most]
    ]
    notes = [_verdict(results, fix=fix)]
    return Grid.of("", ["file", Column("line", "right"), "problem"], rows, notes)


def _text(
    results: Sequence[CheckResult], most: int | None, classes: dict[str, int], *, fix: bool
) -> str:
    lines = []
    for checked in results:
        shown = checked.problems[:most]
        lines += [str(InputError(checked.path, p.line, p.message)) for p in shown]
        if left := len(checked.problems) - len(shown):
            lines.append(f"{checked.path}: {number_of(left, 'more problem')}")
    return "\n".join([*lines, *_told_classes(classes), _verdict(results, fix=fix), ""])


def _classes(results: Sequence[CheckResult], format: str | None) -> dict[str, int]:
    """Count what --repair would mend, by class, in the files that have problems."""
    bad = [
        result.path
        for result in results
        if any(not p.warning for p in result.problems) and _may_be_trees(result)
    ]
    if not bad:
        return {}
    from commonground.errors import CommonGroundError
    from commonground.repair.defects import counted
    from commonground.repair.repair import defects_in

    defects: list[Defect] = []
    for path in bad:
        with suppress(CommonGroundError):  # of a format that cannot be repaired
            defects += defects_in(path, format)
    return counted(defects)


def _may_be_trees(result: CheckResult) -> bool:
    """Tell whether a file may have trees that can be mended; graphs, which may be many, cannot."""
    from commonground.corpus import Graphs
    from commonground.formats.registry import find_format

    known = find_format(result.format).corpus if result.format else None
    return known is not Graphs and Path(result.path).is_file()


def _told_classes(classes: dict[str, int]) -> list[str]:
    if not classes:
        return []
    from commonground.repair.defects import told

    return [f"--repair of evaluate and convert mends: {told(classes)}"]


def _with_warnings(
    results: Sequence[CheckResult], without: Sequence[str], format: str | None
) -> list[CheckResult]:
    """Return what was found with what is suspicious, in the files that can be read."""
    from commonground.corpus import Corpus, Dependencies
    from commonground.formats.storage.files import STANDARD
    from commonground.patterns.suspicions import chosen, warnings
    from commonground.tokens.repetitions import repetitions

    names = chosen(without)
    if any(checked.path in (STANDARD, "<stdin>") for checked in results):
        raise UsageError("--warnings reads files twice, and standard input is no file")
    corpora: dict[str, Corpus] = {}
    for checked in results:
        with suppress(InputError):  # which is a problem already
            corpora[checked.path] = commonground.read(checked.path, format, partial=True)
    found = repetitions(corpora)
    for path, corpus in corpora.items():
        found[path] = [each for each in found[path] if each.rule in names]
        if isinstance(corpus, Dependencies):
            found[path] += warnings(corpus, names)
    return [
        replace(
            checked,
            problems=tuple(
                sorted((*checked.problems, *found.get(checked.path, ())), key=lambda p: p.line)
            ),
        )
        for checked in results
    ]


def _warnings(results: Sequence[CheckResult]) -> dict[str, int]:
    """Count the warnings by kind, the most frequent first."""
    kinds = Counter(p.rule for checked in results for p in checked.problems if p.warning)
    return dict(kinds.most_common())


def _explained() -> dict[str, str]:
    from commonground.patterns.suspicions import SUSPICIONS
    from commonground.tokens.repetitions import KINDS

    return {**{each.name: each.why for each in SUSPICIONS}, **KINDS}


def _explanations() -> Grid:
    return Grid.of("", ["warning", "why"], [[name, why] for name, why in _explained().items()])


def _verdict(results: Sequence[CheckResult], *, fix: bool) -> str:
    kinds = _warnings(results)
    told = ", ".join(f"{name} {count:,}" for name, count in kinds.items())
    suspicious = f"; {number_of(sum(kinds.values()), 'warning')} ({told})" if kinds else ""
    if kinds:
        suspicious += "; --without NAME leaves one out"
    errors = [sum(not problem.warning for problem in checked.problems) for checked in results]
    total, bad = sum(errors), sum(map(bool, errors))
    files = number_of(len(results), "file")
    if not total:
        return f"no problems in {files}{suspicious}"
    mechanical = sum(problem.mechanical for checked in results for problem in checked.problems)
    hint = f"; --fix repairs {mechanical:,} of them" if mechanical and not fix else ""
    return f"{number_of(total, 'problem')} in {bad:,} of {files}{hint}{suspicious}"

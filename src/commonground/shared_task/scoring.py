"""Submissions scored by the rules of a task, and checked before they are sent."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from commonground.corpus import Dependencies
from commonground.errors import CommonGroundError, InputError, UsageError
from commonground.evaluation.pairs import Pair, find_pairs
from commonground.evaluation.reasons import Reason, all_reasons
from commonground.evaluation.request import Options, Request
from commonground.evaluation.result import Origin
from commonground.evaluation.run import evaluate_files
from commonground.evaluation.scores import Evaluation
from commonground.formats import read, write
from commonground.formats.storage.files import unpacked
from commonground.metrics.settings import Settings
from commonground.shared_task.blind_input import with_dummy_trees
from commonground.shared_task.task_file import Task

__all__ = ["CheckedFile", "SubmissionCheck", "check_submission", "score_files"]


def score_files(
    task: Task, submission: str, team: str, *, beside: str = "", gold: str = ""
) -> Evaluation:
    """Return the scores of the files of a team, with what was asked for.

    Paths in the result are relative to the folder that it will be saved in (`beside`), so that the
    folder of the task can be moved. `gold` is another folder than that of the task.
    """
    golds = gold or str(task.path(task.gold))
    pairs = _pairs(task, golds, submission, team)
    evaluation = evaluate_files(
        pairs,
        metrics=task.metrics,
        settings=task.settings(),
        sentences=True,
        partial=task.partial,
        on_error=task.rules.on_error,
    )
    if not evaluation.systems:
        reasons = "; ".join(dict.fromkeys(each.reason for each in evaluation.broken))
        raise UsageError(f"{team}: nothing can be scored: {reasons}")
    return replace(evaluation, origin=_origin(task, golds, submission, team, pairs, beside))


def _pairs(task: Task, gold: str, submission: str, team: str) -> list[Pair]:
    pairs = find_pairs(gold, {team: submission}, lenient=True)
    missing = sorted(set(task.treebanks) - {pair.name for pair in pairs})
    if missing:
        raise InputError(gold, 0, f"there is no gold standard of {missing[0]}")
    wanted = set(task.treebanks or (pair.name for pair in pairs))
    return [pair for pair in pairs if pair.name in wanted]


def _origin(
    task: Task, gold: str, submission: str, team: str, pairs: Sequence[Pair], beside: str
) -> Origin:
    def name(path: str) -> str:
        return os.path.relpath(path, beside) if beside else path

    files = [pair.gold for pair in pairs]
    files += [pair.parse for pair in pairs if not pair.problem and Path(pair.parse).is_file()]
    read_files = [name(path) for path in files]
    request = Request.made(
        read_files,
        beside,
        verb="evaluate",
        gold=name(gold),
        parses={team: name(submission)},
        options=Options.of(task.options()),
    )
    words = ["commonground", "task", "score", name(submission), "--team", team]
    return Origin(request=request, command=" ".join(words))


# ── checking ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """What will happen to the file of a treebank: it `counts`, or it is worth nothing.

    `remarks` say what is wrong, or odd; `words` and `sentences` are those of the input.
    """

    treebank: str
    file: str
    counts: bool
    sentences: int
    words: int
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SubmissionCheck:
    """What will happen to a submission: its files, and files that belong to no treebank."""

    files: tuple[CheckedFile, ...]
    unknown: tuple[str, ...] = ()

    @property
    def scored(self) -> bool:
        """Whether every treebank has a file that will be scored."""
        return all(file.counts for file in self.files)


def check_submission(task: Task, submission: str) -> SubmissionCheck:
    """Return what will happen to a folder of files, by the rules of a task and its input."""
    inputs = task.path(task.input)
    if not inputs.is_dir():
        raise InputError(str(inputs), 0, "the input of the task is not there to check against")
    with tempfile.TemporaryDirectory() as place:
        golds = Path(place) / "input"
        golds.mkdir()
        sizes = dict(_dummies(task, inputs, golds))
        own = _own_files(submission)
        files = tuple(
            _checked(task, treebank, str(golds / f"{treebank}.conllu"), own.get(treebank), *size)
            for treebank, size in sizes.items()
        )
    unknown = tuple(sorted(Path(own[name]).name for name in own if name not in sizes))
    return SubmissionCheck(files, unknown)


def _dummies(task: Task, inputs: Path, target: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """Write the input with trees that mean nothing; return how many sentences and words it has."""
    for file in sorted(inputs.iterdir()):
        name = unpacked(file).stem
        if not file.is_file() or (task.treebanks and name not in task.treebanks):
            continue
        corpus = read(file, partial=True)
        if not isinstance(corpus, Dependencies):
            raise InputError(str(file), 0, "the input of a task is CoNLL-U")
        write(with_dummy_trees(corpus), target / f"{name}.conllu")
        yield name, (len(corpus), corpus.tables["words"].rows)


def _own_files(submission: str) -> dict[str, str]:
    folder = Path(submission)
    if not folder.is_dir():
        raise InputError(submission, 0, "there is no such folder")
    files = (file for file in sorted(folder.iterdir()) if file.is_file())
    return {unpacked(file).stem: str(file) for file in files if not file.name.startswith(".")}


def _checked(
    task: Task, treebank: str, gold: str, file: str | None, sentences: int, words: int
) -> CheckedFile:
    if file is None:
        missing = f"there is no file {treebank}.conllu"
        return CheckedFile(treebank, "", counts=False, sentences=sentences, words=words,
                           remarks=(missing,))  # fmt: skip
    name = Path(file).name
    try:
        found = _found(task, gold, file)
    except CommonGroundError as error:
        said = str(error).replace(file, name).replace(gold, "the input")
        return CheckedFile(treebank, name, counts=False, sentences=sentences, words=words,
                           remarks=(said,))  # fmt: skip
    whole = sum(each.sentences for each in found if each.kind in _LOST)
    return CheckedFile(
        treebank, name, counts=whole < sentences, sentences=sentences, words=words,
        remarks=tuple(f"{each.short}: {each.which}" for each in found),
    )  # fmt: skip


_LOST = ("missing", "retokenised", "missing or retokenised")


def _found(task: Task, gold: str, file: str) -> list[Reason]:
    """Score a file against trees that mean nothing, and return what happened to its sentences."""
    parse = read(file, partial=task.partial)
    if not isinstance(parse, Dependencies):
        return _same_words(gold, parse)
    result = evaluate_files(
        [Pair(gold, file, "submission")],
        metrics=["uas"],
        settings=task.settings(),
        partial=task.partial,
        sentences=True,
    )
    return all_reasons(result)


def _same_words(gold: str, parse: object) -> list[Reason]:
    """Refuse trees of other words than those of the input."""
    from commonground.corpus import Constituents  # noqa: PLC0415  # only tasks of constituents
    from commonground.shared_task.blind_input import blind  # noqa: PLC0415

    if not isinstance(parse, Constituents):
        raise UsageError("it has neither dependencies nor constituents")
    words = with_dummy_trees(blind(parse))
    with tempfile.TemporaryDirectory() as place:
        other = str(Path(place) / "words.conllu")
        write(words, other)
        settings = Settings(on_mismatch="zero")
        return all_reasons(
            evaluate_files([Pair(gold, other, "submission")], settings=settings, sentences=True)
        )

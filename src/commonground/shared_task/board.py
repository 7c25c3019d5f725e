"""The submissions of a task: scored, kept with their results, and ranked on the board.

``submissions/TEAM/N`` has the files of the Nth submission of a team, ``results/TEAM-N.json`` its
result. The board shows one submission of each team, the last or the best, and the history of all.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from commonground.errors import InputError, UsageError
from commonground.evaluation.reasons import all_reasons, in_short
from commonground.evaluation.saved import read_result, write_result
from commonground.evaluation.scores import Evaluation
from commonground.grid import Cell, Column, Grid
from commonground.report.page.board_pages import pages_of
from commonground.report.page.leaderboard import Board, board_of
from commonground.report.page.sections import Section, TableBlock
from commonground.shared_task.scoring import score_files
from commonground.shared_task.submission import copy_submission, refuse_team
from commonground.shared_task.task_file import Task

__all__ = [
    "Submission",
    "add_submission",
    "history",
    "history_grid",
    "task_board",
    "task_pages",
]

_RESULT = re.compile(r"(?P<team>.+)-(?P<number>\d+)\.json")


@dataclass(frozen=True)
class Submission:
    """A submission of a team that was scored: its number, its result, and when it was scored."""

    team: str
    number: int
    path: str
    result: Evaluation
    scored: str

    def score(self, metric: str) -> float | None:
        """Return the macro average over treebanks, as the board has it."""
        return self.result.macro(self.team, metric)


def add_submission(task: Task, source: str, team: str) -> Submission:
    """Copy a submission into the folder of a task, score it, and keep its result.

    A submission that cannot be scored at all is not kept.
    """
    refuse_team(team)
    place = task.path("submissions") / team
    number = 1 + max((int(each.name) for each in _numbered(place)), default=0)
    target = place / str(number)
    results = task.path("results")
    results.mkdir(exist_ok=True)
    copy_submission(source, target)
    try:
        result = score_files(task, str(target), team, beside=str(results))
        path = results / f"{team}-{number}.json"
        write_result(result, path)
    except BaseException:
        shutil.rmtree(target)
        raise
    return _submission(path, team, number)


def _numbered(place: Path) -> list[Path]:
    folders = place.iterdir() if place.is_dir() else ()
    return [each for each in folders if each.name.isdecimal() and each.is_dir()]


def _submission(path: Path, team: str, number: int) -> Submission:
    result = read_result(path)
    if not isinstance(result, Evaluation) or team not in {each.name for each in result.systems}:
        raise InputError(str(path), 0, f"this is no result of the team {team}")
    scored = datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime("%Y-%m-%d %H:%M")
    return Submission(team, number, str(path), result, scored)


def history(task: Task) -> list[Submission]:
    """Return all submissions that were scored, those of a team in their order."""
    files = sorted(task.path("results").glob("*.json"))
    matches = ((file, _RESULT.fullmatch(file.name)) for file in files)
    known = [
        _submission(file, match["team"], int(match["number"])) for file, match in matches if match
    ]
    return sorted(known, key=lambda each: (each.team, each.number))


def counted(task: Task, submissions: Sequence[Submission]) -> list[Submission]:
    """Return the submission of each team that counts."""
    by_team: dict[str, list[Submission]] = {}
    for each in submissions:
        by_team.setdefault(each.team, []).append(each)
    if task.rules.counts == "last":
        return [theirs[-1] for theirs in by_team.values()]
    return [max(theirs, key=lambda each: _worth(task, each)) for theirs in by_team.values()]


def _worth(task: Task, submission: Submission) -> tuple[float, int]:
    score = submission.score(task.rank_by)
    sign = submission.result.system(submission.team)[task.rank_by].metric.sign
    return (float("-inf") if score is None else sign * score), -submission.number


def task_board(task: Task) -> Board:
    """Return the board of a task."""
    files = [each.path for each in counted(task, history(task))]
    if not files:
        raise UsageError("there are no submissions yet; commonground task score adds one")
    return board_of(files, task.rank_by, _present(task))


def _present(task: Task) -> list[str]:
    """Return the baselines that have submitted something."""
    return [name for name in task.baselines if _numbered(task.path("submissions") / name)]


def history_grid(task: Task) -> Grid:
    """Return all submissions: their scores, whether they count, and what happened to them."""
    everything = history(task)
    counting = {each.path for each in counted(task, everything)}
    metric = everything[0].result.systems[0][task.rank_by].metric if everything else None
    rows = [
        [
            each.team,
            each.number,
            each.scored,
            Cell(None if metric is None else metric.shown(each.score(task.rank_by))),
            "yes" if each.path in counting else "",
            in_short(all_reasons(each.result), len(task.treebanks)),
        ]
        for each in everything
    ]
    columns = [
        Column("team"),
        Column("submission", "right"),
        Column("scored (UTC)"),
        Column(metric.title if metric else "score", "right", 2),
        Column("counts"),
        Column("what happened"),
    ]
    return Grid.of("All submissions", columns, rows)


def task_pages(task: Task) -> Iterator[tuple[str, str]]:
    """Return the pages of the board, each with the name of its file."""
    section = Section("All submissions", (TableBlock(history_grid(task), look="filtered"),))
    here = os.path.relpath(task.folder) if task.folder else "."
    command = f"commonground task board --task {here}"
    yield from pages_of(task_board(task), task.title, [section], command)

"""The archive of a task that is over: submissions, results, the board, and all signatures."""

from __future__ import annotations

import hashlib
from pathlib import Path

from commonground.shared_task.board import history, task_pages
from commonground.shared_task.codabench import zipped
from commonground.shared_task.task_file import TASK_FILE, Task

__all__ = ["archive"]


def archive(task: Task, *, gold: bool = False) -> bytes:
    """Return a zip archive of a task; with `gold`, the gold standards are in it too."""
    names = ["submissions", "results", "data", *([task.gold] if gold else [])]
    files = [
        (file.relative_to(task.folder).as_posix(), file.read_bytes())
        for name in names
        for file in sorted(task.path(name).rglob("*"))
        if file.is_file()
    ]
    board = [
        (f"board/{name}", text.encode("utf-8", "backslashreplace"))
        for name, text in task_pages(task)
    ]
    return zipped(
        [
            (TASK_FILE, task.path(TASK_FILE).read_bytes()),
            ("signatures.tsv", signatures(task).encode()),
            *files,
            *board,
        ]
    )


def signatures(task: Task) -> str:
    """Return a line for each submission: its scores, its signature, and the digest of its files."""
    everything = history(task)
    metrics = list(everything[0].result.systems[0].scores) if everything else []
    lines = ["\t".join(["team", "submission", *metrics, "sha256 of files", "signature"])]
    for each in everything:
        scores = [each.score(metric) for metric in metrics]
        shown = ["" if score is None else f"{score:.6f}" for score in scores]
        folder = task.path("submissions") / each.team / str(each.number)
        fields = [each.team, str(each.number), *shown, _digest(folder), each.result.signature]
        lines.append("\t".join(fields))
    return "\n".join(lines) + "\n"


def _digest(folder: Path) -> str:
    """Return one digest of all files of a folder, by their names and contents."""
    whole = hashlib.sha256()
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        whole.update(f"{file.name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()

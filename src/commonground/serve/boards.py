"""The leaderboards of a folder: the systems that were scored on the same gold standard, ranked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path, PurePath
from typing import NamedTuple

from commonground.errors import CommonGroundError
from commonground.evaluation.saved import read_result
from commonground.evaluation.scores import Evaluation
from commonground.report.page.leaderboard import Board, board_of
from commonground.serve.folder import Listed

__all__ = ["ServedBoard", "boards"]

_MOST_BYTES = 20_000_000
_MOST_RESULTS = 50
_MOST_BOARDS = 10


class ServedBoard(NamedTuple):
    """A board, the name of its gold standard, and the result that each system comes from."""

    gold: str
    board: Board
    results: dict[str, str]


class _File(NamedTuple):
    """A result, with the time and the size by which it is known to be the same."""

    path: str
    time: int
    size: int


def boards(folder: Path, results: Sequence[Listed]) -> list[ServedBoard]:
    """Return a board for each gold standard that two or more systems were scored on.

    Those of the newest results come first; of very many, only the first are made.
    """
    groups: dict[tuple[str, str], list[_File]] = {}
    for listed in results:
        path = folder / listed.name
        status = path.stat()
        if status.st_size <= _MOST_BYTES:
            file = _File(str(path), status.st_mtime_ns, status.st_size)
            if gold := _gold(file):
                groups.setdefault(gold, []).append(file)
    made = (
        _board(gold, tuple(files[:_MOST_RESULTS]), str(folder))
        for (gold, _), files in list(groups.items())[:_MOST_BOARDS]
    )
    return [each for each in made if each is not None]


@lru_cache(512)
def _gold(file: _File) -> tuple[str, str] | None:
    """Return the name and the digest of the gold standard of an evaluation; None if it has none."""
    try:
        result = read_result(file.path)
    except CommonGroundError:  # its own page will tell
        return None
    if not isinstance(result, Evaluation) or not result.request.gold:
        return None
    gold = result.request.gold
    return PurePath(gold).name, result.request.inputs.get(gold, "")


@lru_cache(64)
def _board(gold: str, files: tuple[_File, ...], folder: str) -> ServedBoard | None:
    try:
        board = board_of([file.path for file in sorted(files)])
    except CommonGroundError:  # nothing that could be ranked together
        return None
    if len(board.evaluation.systems) < 2:
        return None
    names = {
        system.name: Path(result.origin.path).relative_to(folder).as_posix()
        for result in board.results
        for system in result.systems
    }
    return ServedBoard(gold, board, names)

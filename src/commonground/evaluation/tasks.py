"""An evaluation of files as tasks, each of which any process can do.

Small files are read whole. Large files are cut into pieces of the same sentences, so that memory
does not grow with the files and many processes share the work. Where words are aligned over the
characters of the text, sentences need not be the same on both sides: pieces are tried all the same,
and only where a piece of the parse has another text than that of the gold standard, the files are
read whole.
"""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from commonground.corpus import Corpus
from commonground.errors import CommonGroundError, InputError
from commonground.evaluation.answers import Answers, Questions, answers_about
from commonground.evaluation.pairs import COMPRESSION, Pair
from commonground.formats import read
from commonground.formats.files import STANDARD, shown
from commonground.formats.format import Options

if TYPE_CHECKING:
    from commonground.formats.pieces import Cutter, Piece

__all__ = ["LARGE", "SIZE", "Task", "done", "grouped", "tasks"]

SIZE = 1 << 22
"""Pieces have about so many bytes: enough that starting on one takes no time beside reading it."""

LARGE = 4 * SIZE
"""Files of so many bytes are cut into pieces."""

_EXPANSION = 8
"""Compressed files hold up to about so many times their size."""


def grouped(pairs: Iterable[Pair], large: float, *, alone: bool = False) -> list[tuple[Pair, ...]]:
    """Put pairs with the same gold standard together, as it is read once for all of them.

    Files that are not `large` can be left `alone`: there is more to do at the same time then.
    """
    found: list[tuple[Pair, ...]] = []
    for _, same in groupby(pairs, key=lambda pair: pair.gold):
        group = tuple(same)
        apart = alone and not _is_large(group, large)
        found += [(pair,) for pair in group] if apart else [group]
    return found


def _is_large(group: Sequence[Pair], large: float) -> bool:
    return any(_size(path) >= large for path in _paths(group))


def _paths(group: Sequence[Pair]) -> list[str]:
    """Return the gold standard, and the parses."""
    return [group[0].gold, *(pair.parse for pair in group)]


def _size(path: str) -> float:
    """Return about how many bytes a file holds; what can be read only once may hold any number."""
    if path == STANDARD:
        return inf
    try:
        status = Path(path).stat()
    except OSError:  # an example, or no file: reading will tell
        return 0
    if not stat.S_ISREG(status.st_mode):
        return 0 if stat.S_ISDIR(status.st_mode) else inf
    return status.st_size * (_EXPANSION if Path(path).suffix in COMPRESSION else 1)


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be read and compared: the gold standard and the parses of a group, or pieces.

    An `attempt` may fail, because its pieces do not fit. Where cutting has found something `wrong`,
    that is told when all before it is done.
    """

    group: int
    pairs: Sequence[Pair]
    sources: Sequence[str | Piece] = ()
    attempt: bool = False
    wrong: CommonGroundError | None = None


def tasks(
    number: int, pairs: Sequence[Pair], questions: Questions, large: float, size: int
) -> Iterator[Task]:
    """Return the tasks of a group with some number; pieces have about `size` bytes."""
    paths = _paths(pairs)
    if not _is_large(pairs, large):
        yield Task(number, pairs, paths)
        return
    from commonground.formats.pieces import Cutter, in_step  # noqa: PLC0415  # only for large files

    realign = questions.settings.on_mismatch == "realign"
    again = all(_size(path) < inf for path in paths)  # otherwise they can be read only once
    attempt = realign and again
    try:
        cutters = [Cutter(path, questions.format, size) for path in paths]
        whole = not all(cutter.format.ends for cutter in cutters)
        if whole and again:
            yield Task(number, pairs, paths)
        elif whole or (realign and not again):
            yield Task(number, pairs, [cutter.all() for cutter in cutters])
        else:
            for pieces in in_step(cutters):
                yield Task(number, pairs, pieces, attempt)
            _refuse_unequal(cutters, Options(partial=questions.partial))
    except CommonGroundError as error:
        yield Task(number, pairs, attempt=attempt, wrong=error)


def _refuse_unequal(cutters: Sequence[Cutter], options: Options) -> None:
    """Raise an error where a parse has not as many sentences as the gold standard."""
    if not any(cutter.ready for cutter in cutters):
        return
    from commonground.metrics.dependencies.prepare import unequal  # noqa: PLC0415  # only for large files

    gold, *parses = ((shown(cutter.path), cutter.total(options)) for cutter in cutters)
    kind = cutters[0].format.corpus.kind
    for parse in parses:
        if parse[1] != gold[1]:
            raise unequal(gold, parse, kind)


def done(task: Task, *, questions: Questions) -> tuple[int, list[Answers] | None]:
    """Return the number of the group, and the answers about its pairs; None where a try failed."""
    try:
        return task.group, _answers(task, questions)
    except InputError:
        if task.attempt:
            return task.group, None
        raise


def _answers(task: Task, questions: Questions) -> list[Answers]:
    if task.wrong:
        raise task.wrong
    gold = _read(task.sources[0], questions)
    found = []
    for pair, source in zip(task.pairs, task.sources[1:], strict=True):
        parse = _read(source, questions)
        if bool(len(gold)) != bool(len(parse)):
            path, other = (pair.parse, pair.gold) if len(gold) else (pair.gold, pair.parse)
            raise InputError(shown(path), 0, f"it has no sentences, but {shown(other)} has some")
        found.append(answers_about(pair.parse, gold, parse, questions))
    return found


def _read(source: str | Piece, questions: Questions) -> Corpus:
    """Read a whole file, or a piece."""
    if isinstance(source, str):
        return read(source, questions.format, partial=questions.partial)
    return source.read(Options(partial=questions.partial))

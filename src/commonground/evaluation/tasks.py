"""The tasks of an evaluation over files: what one process reads and counts at a time.

A task is a group of pairs with the same gold standard or, of large files, a piece of each with the
same sentences.
"""

from __future__ import annotations

import gc
import stat
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from commonground.corpus import Corpus
from commonground.errors import CommonGroundError, InputError, MismatchError, UsageError
from commonground.evaluation.evaluation_plan import EvaluationPlan
from commonground.evaluation.notes import wrong_sentences
from commonground.evaluation.pairs import Pair
from commonground.evaluation.tally import Tally, broken_tally, tally_of
from commonground.formats import read
from commonground.formats.format import FormatOptions
from commonground.formats.storage.files import COMPRESSION, STANDARD, open_bytes, shown

if TYPE_CHECKING:
    from commonground.formats.storage.pieces import Cutter, Piece

__all__ = ["LARGE", "SIZE", "PairTask", "can_be_read_again", "done", "grouped", "tasks"]

SIZE = 1 << 22
"""Pieces have about so many bytes: enough that starting on one takes no time beside reading it."""

LARGE = 4 * SIZE
"""Files of so many bytes are cut into pieces."""

_EXPANSION = 8
"""Compressed files hold up to about so many times their size."""


def grouped(
    pairs: Iterable[Pair], large: float, *, alone: bool = False, apart: bool = False
) -> list[tuple[Pair, ...]]:
    """Put pairs with the same gold standard together, as it is read once for all of them.

    Files that are not `large` can be left `alone`: there is more to do at the same time then. Large
    ones are kept `apart` where one that is broken must not stop the others.
    """
    groups: list[tuple[Pair, ...]] = []
    for _, same in groupby(pairs, key=lambda pair: pair.gold):
        group = tuple(same)
        single = apart if _is_large(group, large) else alone
        groups += [(pair,) for pair in group] if single else [group]
    return groups


def _is_large(group: Sequence[Pair], large: float) -> bool:
    return any(_size(path) >= large for path in _paths(group))


def _paths(group: Sequence[Pair]) -> list[str]:
    """Return the gold standard, and the parses."""
    return [group[0].gold, *(pair.parse for pair in group)]


def can_be_read_again(group: Sequence[Pair]) -> bool:
    """Tell whether none of the files of a group is a stream, which can be read only once."""
    return all(_size(path) < inf for path in _paths(group))


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


class PairTask(NamedTuple):
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
    number: int, pairs: Sequence[Pair], plan: EvaluationPlan, large: float, size: int
) -> Iterator[PairTask]:
    """Return the tasks of a group with some number; pieces have about `size` bytes."""
    paths = _paths(pairs)
    if plan.reading.repair or not _is_large(pairs, large):
        yield PairTask(number, pairs, paths)
        return
    from commonground.formats.storage.pieces import Cutter, in_step  # noqa: PLC0415  # only for large files

    realign = plan.settings.on_mismatch == "realign"
    again = can_be_read_again(pairs)
    attempt = again  # sentences of whole files can be found by their ids
    try:
        cutters = [Cutter(path, plan.reading.format, size) for path in paths]
        # What scheme a treebank is in, and so what its constructions are, all of it tells.
        scheme = any("construction" in by for by in plan.by)
        whole = scheme or not all(cutter.format.ends for cutter in cutters)
        if whole and again:
            yield PairTask(number, pairs, paths)
        elif whole or (realign and not again):
            yield PairTask(number, pairs, [cutter.all() for cutter in cutters])
        else:
            for pieces in in_step(cutters):
                yield PairTask(number, pairs, pieces, attempt)
            _refuse_unequal(cutters, FormatOptions(partial=plan.reading.partial))
    except CommonGroundError as error:
        yield PairTask(number, pairs, attempt=attempt, wrong=error)


def _refuse_unequal(cutters: Sequence[Cutter], options: FormatOptions) -> None:
    """Raise an error where a parse has not as many sentences as the gold standard."""
    if not any(cutter.ready for cutter in cutters):
        return
    from commonground.metrics.mismatch import unequal  # noqa: PLC0415  # only for large files

    gold, *parses = ((shown(cutter.path), cutter.total(options)) for cutter in cutters)
    kind = cutters[0].format.corpus.kind
    for parse in parses:
        if parse[1] != gold[1]:
            raise unequal(gold, parse, kind)


def done(task: PairTask, *, plan: EvaluationPlan) -> tuple[int, list[Tally] | None]:
    """Return the number of the group, and the tallies of its pairs; None where a try failed."""
    try:
        tallies = _tallies(task, plan)
        return task.group, None if task.attempt and _out_of_step(tallies, plan) else tallies
    except (InputError, UsageError) as error:
        if task.attempt and _may_fit(error, plan):
            return task.group, None
        pair = task.pairs[0]
        if len(task.pairs) > 1 or _must_be_told(error, pair, plan) or pair.gold == STANDARD:
            raise
        gold = _read(pair.gold, plan)
        return task.group, [broken_tally(pair.parse, gold, plan, str(error))]


def _may_fit(error: CommonGroundError, plan: EvaluationPlan) -> bool:
    """Tell whether files may fit whose pieces do not: by their ids, or by their text."""
    if plan.settings.on_mismatch == "realign":
        return isinstance(error, InputError)
    return isinstance(error, MismatchError)


def _out_of_step(tallies: Iterable[Tally], plan: EvaluationPlan) -> bool:
    """Tell whether sentences of pieces did not fit, as they may in whole files by their ids."""
    if plan.settings.evalb is not None or plan.settings.on_mismatch == "realign":
        return False
    return any(
        tally.skipped or wrong_sentences(tally.noted) or tally.noted.get("extra")
        for tally in tallies
    )


def _tallies(task: PairTask, plan: EvaluationPlan) -> list[Tally]:
    if task.wrong:
        raise task.wrong
    whole = isinstance(task.sources[0], str)
    if not whole:
        gc.collect(1)  # a comparison and its items know each other, and hold the piece before
    gold = _read(task.sources[0], plan)
    return [
        _tally(gold, pair, source, plan, whole=whole)
        for pair, source in zip(task.pairs, task.sources[1:], strict=True)
    ]


def _tally(
    gold: Corpus, pair: Pair, source: str | Piece, plan: EvaluationPlan, *, whole: bool
) -> Tally:
    """Return the tally of a pair; of one that is broken, if this is not to be told as an error."""
    try:
        if plan.reading.repair:
            return _repaired(gold, pair, plan)
        return tally_of(pair.parse, gold, _parse(gold, pair, source, plan), plan)
    except (InputError, UsageError) as error:
        if not whole or _must_be_told(error, pair, plan):
            raise
        return broken_tally(pair.parse, gold, plan, str(error))


def _repaired(gold: Corpus, pair: Pair, plan: EvaluationPlan) -> Tally:
    """Return the tally of a parse after its repair; it is read whole."""
    from commonground.evaluation.repairs import repaired_tally  # noqa: PLC0415  # seldom asked for

    if pair.problem:
        raise UsageError(pair.problem)
    with open_bytes(pair.parse) as file:
        data = file.read()
    return repaired_tally(pair.parse, gold, data, shown(pair.parse), plan)


def _parse(gold: Corpus, pair: Pair, source: str | Piece, plan: EvaluationPlan) -> Corpus:
    if pair.problem:
        raise UsageError(pair.problem)
    parse = _read(source, plan)
    if bool(len(gold)) != bool(len(parse)):
        path, other = (pair.parse, pair.gold) if len(gold) else (pair.gold, pair.parse)
        raise InputError(shown(path), 0, f"it has no sentences, but {shown(other)} has some")
    return parse


def _must_be_told(error: CommonGroundError, pair: Pair, plan: EvaluationPlan) -> bool:
    """Tell whether an error is one for all: nobody wants to go on, or the gold standard is bad."""
    about_gold = isinstance(error, InputError) and error.path == shown(pair.gold)
    return plan.on_error == "fail" or about_gold


def _read(source: str | Piece, plan: EvaluationPlan) -> Corpus:
    """Read a whole file, or a piece."""
    if isinstance(source, str):
        return read(source, plan.reading.format, partial=plan.reading.partial)
    return source.read(FormatOptions(plan.reading.partial, parts=plan.keep))

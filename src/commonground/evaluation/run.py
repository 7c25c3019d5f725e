"""The run of an evaluation over files: one gold standard or many, and one or more parses of each.

pairs of files ─▶ tasks, each of which any process can do ─▶ a tally of each ─▶ joined ─▶ Evaluation

Small files are read whole. Large files are cut into pieces of the same sentences, so that memory
does not grow with the files and many processes share the work. Where words are aligned over the
characters of the text, sentences need not be the same on both sides: pieces are tried all the same,
and only where a piece of the parse has another text than that of the gold standard, the files are
read whole.

The micro average of a score is the score of the joined tallies, the macro average the mean of the
scores of the pairs.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial as bound
from itertools import groupby
from math import inf
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from commonground.corpus import Corpus
from commonground.engine import Engine, Jobs, Serial, engine_for
from commonground.errors import CommonGroundError, InputError, MismatchError, UsageError
from commonground.evaluation.evaluate import signature_of
from commonground.evaluation.pairs import Pair
from commonground.evaluation.questions import By, OnError, Questions
from commonground.evaluation.reading import Reading
from commonground.evaluation.result import Score, System
from commonground.evaluation.scores import Broken, Evaluation
from commonground.evaluation.spool import Spool
from commonground.evaluation.tally import Tally, aside, broken_tally, joined, of_file, tally_of
from commonground.formats import read
from commonground.formats.files import COMPRESSION, STANDARD, shown
from commonground.formats.format import FormatOptions
from commonground.metrics.registry import find_metrics
from commonground.metrics.settings import Settings

if TYPE_CHECKING:
    from commonground.formats.pieces import Cutter, Piece
    from commonground.metrics.breakdown import Bucket
    from commonground.metrics.metric import Metric
    from commonground.metrics.sentences import Sentences

__all__ = [
    "LARGE",
    "SIZE",
    "PairTask",
    "evaluate_files",
    "evaluation",
    "grouped",
    "tallies_of",
    "tasks",
]

SIZE = 1 << 22
"""Pieces have about so many bytes: enough that starting on one takes no time beside reading it."""

LARGE = 4 * SIZE
"""Files of so many bytes are cut into pieces."""

_EXPANSION = 8
"""Compressed files hold up to about so many times their size."""


def evaluate_files(  # noqa: PLR0913  # what the command can be asked for
    pairs: Sequence[Pair],
    *,
    metrics: Sequence[str] = (),
    settings: Settings | None = None,
    by: Sequence[Sequence[str]] = (),
    confusions: Sequence[str] = (),
    sentences: bool = False,
    format: str | None = None,
    partial: bool = False,
    on_error: OnError = "fail",
    jobs: Jobs = 1,
    watch: Callable[[int], None] = lambda _: None,
) -> Evaluation:
    """Score the parses in files, and merge the scores of each system.

    `by` are combinations of properties to break all scores down by, `confusions` say of what
    (``label``, ``head-tag``) confusions are counted. With `sentences` the counts of each sentence
    are put aside, and which sentences and items they are about; tests and saved results need it.
    The memory that is needed does not grow with the files, until somebody asks for all of them at
    once. `format` and
    `partial` are as in :func:`commonground.read`. `on_error` says what happens to a system with a
    parse that cannot be scored: it is an error, the system is left out, or there is nothing right
    in that parse; the reasons are told in `broken`. `watch` is called with the number of pairs that
    are done.
    """
    if [path for pair in pairs for path in (pair.gold, pair.parse)].count(STANDARD) > 1:
        raise UsageError("standard input can be read only once")
    settings = settings or Settings()
    questions = Questions(
        tuple(metrics) or settings.metrics,
        settings,
        tuple(map(tuple, by)),
        tuple(confusions),
        sentences,
        format,
        partial,
        on_error,
    )
    found = tallies_of(pairs, questions, engine=engine_for(jobs), watch=watch)
    return evaluation(pairs, found, questions)


def tallies_of(
    pairs: Sequence[Pair],
    questions: Questions,
    *,
    engine: Engine = Serial(),  # noqa: B008  # it is a value
    watch: Callable[[int], None] = lambda _: None,
    large: float = LARGE,
    size: int = SIZE,
) -> list[Tally]:
    """Return the tallies of all pairs; `large` files are cut into pieces of that `size`."""
    lenient = questions.on_error != "fail"
    alone = engine.workers > 1
    groups = dict(enumerate(grouped(pairs, large, alone=alone, apart=lenient)))
    spool = Spool()
    found = _worked(groups, questions, engine, watch, spool, large, size)
    rest = {number: group for number, group in groups.items() if number not in found}
    found |= _worked(rest, questions, engine, watch, spool, inf, size)
    return [tally for number in groups for tally in found[number]]


def _worked(
    groups: Mapping[int, Sequence[Pair]],
    questions: Questions,
    engine: Engine,
    watch: Callable[[int], None],
    spool: Spool,
    large: float,
    size: int,
) -> dict[int, list[Tally]]:
    """Return the tallies of the pairs of each group, unless its pieces do not fit.

    What there is of each sentence is put aside as it comes.
    """
    found: dict[int, list[Tally]] = {}
    failed: set[int] = set()

    def todo() -> Iterator[PairTask]:
        for number, group in groups.items():
            for task in tasks(number, group, questions, large, size):
                if number in failed:
                    break
                yield task

    results = engine.map(bound(done, questions=questions), todo())
    for number, parts in groupby(results, key=itemgetter(0)):
        again = all(_size(path) < inf for path in _paths(groups[number]))
        gathered = _gathered((_aside(tallies, spool) for _, tallies in parts), again=again)
        if gathered is None:
            failed.add(number)
        else:
            found[number] = gathered
            watch(len(groups[number]))
    return found


def _aside(tallies: Sequence[Tally] | None, spool: Spool) -> list[Tally] | None:
    return None if tallies is None else [aside(tally, spool) for tally in tallies]


_MANY = 32
"""So many tallies are put together, for they take more memory than their sum."""


def _gathered(parts: Iterable[list[Tally] | None], *, again: bool) -> list[Tally] | None:
    """Join the tallies of the pieces of some pairs; None where a piece has none.

    So it is where pieces do not tell what their whole would, and can be read `again`, as a whole.
    The tally of a broken pair is about the whole of it.
    """
    found: list[list[Tally]] = []
    for tallies in parts:
        if tallies is None:
            return None
        if again and found and tallies[0].told_by != found[0][0].told_by:
            return None
        if tallies[0].broken and len(tallies) == 1:
            return tallies
        found.append(tallies)
        if len(found) == _MANY:
            found = [_each_joined(found)]
    return _each_joined(found)


def _each_joined(parts: Sequence[list[Tally]]) -> list[Tally]:
    return [joined(tallies) for tallies in zip(*parts, strict=True)]


# ── tasks ──────────────────────────────────────────────────────────────────────────────────────


def grouped(
    pairs: Iterable[Pair], large: float, *, alone: bool = False, apart: bool = False
) -> list[tuple[Pair, ...]]:
    """Put pairs with the same gold standard together, as it is read once for all of them.

    Files that are not `large` can be left `alone`: there is more to do at the same time then. Large
    ones are kept `apart` where one that is broken must not stop the others.
    """
    found: list[tuple[Pair, ...]] = []
    for _, same in groupby(pairs, key=lambda pair: pair.gold):
        group = tuple(same)
        single = apart if _is_large(group, large) else alone
        found += [(pair,) for pair in group] if single else [group]
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
class PairTask:
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
) -> Iterator[PairTask]:
    """Return the tasks of a group with some number; pieces have about `size` bytes."""
    paths = _paths(pairs)
    if not _is_large(pairs, large):
        yield PairTask(number, pairs, paths)
        return
    from commonground.formats.pieces import Cutter, in_step  # noqa: PLC0415  # only for large files

    realign = questions.settings.on_mismatch == "realign"
    again = all(_size(path) < inf for path in paths)  # otherwise they can be read only once
    attempt = again  # sentences of whole files can be found by their ids
    try:
        cutters = [Cutter(path, questions.format, size) for path in paths]
        # What scheme a treebank is in, and so what its constructions are, all of it tells.
        scheme = any("construction" in by for by in questions.by)
        whole = scheme or not all(cutter.format.ends for cutter in cutters)
        if whole and again:
            yield PairTask(number, pairs, paths)
        elif whole or (realign and not again):
            yield PairTask(number, pairs, [cutter.all() for cutter in cutters])
        else:
            for pieces in in_step(cutters):
                yield PairTask(number, pairs, pieces, attempt)
            _refuse_unequal(cutters, FormatOptions(partial=questions.partial))
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


def done(task: PairTask, *, questions: Questions) -> tuple[int, list[Tally] | None]:
    """Return the number of the group, and the tallies of its pairs; None where a try failed."""
    try:
        tallies = _tallies(task, questions)
        return task.group, None if task.attempt and _out_of_step(tallies, questions) else tallies
    except (InputError, UsageError) as error:
        if task.attempt and _may_fit(task, error, questions):
            return task.group, None
        pair = task.pairs[0]
        if len(task.pairs) > 1 or _must_be_told(error, pair, questions) or pair.gold == STANDARD:
            raise
        gold = _read(pair.gold, questions)
        return task.group, [broken_tally(pair.parse, gold, questions, str(error))]


def _may_fit(task: PairTask, error: CommonGroundError, questions: Questions) -> bool:
    """Tell whether files may fit whose pieces do not: by their characters, or by their ids."""
    if questions.settings.on_mismatch == "realign":
        return isinstance(error, InputError)
    if not isinstance(error, MismatchError):
        return False
    return not task.sources or "" not in _read(task.sources[0], questions).metadata("sent_id")


def _out_of_step(tallies: Iterable[Tally], questions: Questions) -> bool:
    """Tell whether sentences of pieces did not fit, as they may in whole files by their ids."""
    if questions.settings.evalb is not None or questions.settings.on_mismatch == "realign":
        return False
    return any(
        tally.skipped or tally.noted.get("lost") or tally.noted.get("extra") for tally in tallies
    )


def _tallies(task: PairTask, questions: Questions) -> list[Tally]:
    if task.wrong:
        raise task.wrong
    gold = _read(task.sources[0], questions)
    whole = isinstance(task.sources[0], str)
    return [
        _tally(gold, pair, source, questions, whole=whole)
        for pair, source in zip(task.pairs, task.sources[1:], strict=True)
    ]


def _tally(
    gold: Corpus, pair: Pair, source: str | Piece, questions: Questions, *, whole: bool
) -> Tally:
    """Return the tally of a pair; of one that is broken, if this is not to be told as an error."""
    try:
        return tally_of(pair.parse, gold, _parse(gold, pair, source, questions), questions)
    except (InputError, UsageError) as error:
        if not whole or _must_be_told(error, pair, questions):
            raise
        return broken_tally(pair.parse, gold, questions, str(error))


def _parse(gold: Corpus, pair: Pair, source: str | Piece, questions: Questions) -> Corpus:
    if pair.problem:
        raise UsageError(pair.problem)
    parse = _read(source, questions)
    if bool(len(gold)) != bool(len(parse)):
        path, other = (pair.parse, pair.gold) if len(gold) else (pair.gold, pair.parse)
        raise InputError(shown(path), 0, f"it has no sentences, but {shown(other)} has some")
    return parse


def _must_be_told(error: CommonGroundError, pair: Pair, questions: Questions) -> bool:
    """Tell whether an error is one for all: nobody wants to go on, or the gold standard is bad."""
    about_gold = isinstance(error, InputError) and error.path == shown(pair.gold)
    return questions.on_error == "fail" or about_gold


def _read(source: str | Piece, questions: Questions) -> Corpus:
    """Read a whole file, or a piece."""
    if isinstance(source, str):
        return read(source, questions.format, partial=questions.partial)
    return source.read(FormatOptions(partial=questions.partial))


# ── results ──────────────────────────────────────────────────────────────────────────────────────

Merged = tuple[Tally, "Sentences | None"]
"""The tally of all pairs of a system, and the sentences that it is about, if known."""


def evaluation(pairs: Sequence[Pair], found: Sequence[Tally], questions: Questions) -> Evaluation:
    """Return the evaluation, given the tally of each pair."""
    kinds = {tally.kind: pair for pair, tally in zip(pairs, found, strict=True)}
    if len(kinds) > 1:
        told = ", ".join(f"{pair.gold} holds {kind}" for kind, pair in kinds.items())
        raise UsageError(f"different kinds of treebanks cannot be averaged: {told}")
    metrics = find_metrics(found[0].kind, questions.metrics_for(found[0].kind))
    everything = list(zip(pairs, found, strict=True))
    broken = tuple(
        Broken(pair.system, pair.name, tally.broken) for pair, tally in everything if tally.broken
    )
    if questions.on_error == "skip":
        everything = _whole(everything, broken)
    facts = {"broken": f"{len(broken)} {questions.on_error}"} if broken else {}

    def scored(merged: Mapping[str, Merged]) -> Evaluation:
        systems = tuple(
            _system(name, metrics, tally, sentences if questions.sentences else None)
            for name, (tally, sentences) in merged.items()
        )
        reading = Reading(questions.format, questions.partial)
        return Evaluation(signature_of(questions.settings, systems, reading, **facts), systems)

    merged = _merged(everything)
    several = dict.fromkeys(pair.name for pair in pairs if pair.name)
    return replace(
        scored(merged),
        pairs={
            name: scored(_merged([part for part in everything if part[0].name == name]))
            for name in several
        },
        breakdowns={
            (name, *key): _in_order(tally.breakdowns[key], key[0], sentences)
            for key in found[0].breakdowns
            for name, (tally, sentences) in merged.items()
        },
        confusions={
            (name, what): tally.confusions[what]
            for what in questions.confusions
            for name, (tally, _) in merged.items()
        },
        broken=broken,
    )


def _whole(
    everything: Sequence[tuple[Pair, Tally]], broken: Sequence[Broken]
) -> list[tuple[Pair, Tally]]:
    """Leave out the systems that have something broken; there must be another one."""
    names = {each.system for each in broken}
    kept = [part for part in everything if part[0].system not in names]
    if not kept:
        raise UsageError(f"no parse can be scored; the first one: {broken[0].reason}")
    return kept


def _system(
    name: str, metrics: Iterable[Metric], tally: Tally, sentences: Sentences | None
) -> System:
    details = tally.details if sentences else None
    scores = {
        metric.name: Score(
            metric,
            details.counts(metric.name, tally.counts[metric.name])
            if details
            else tally.counts[metric.name],
            judged=details.right[metric.name] if details else None,
            reason=tally.reasons.get(metric.name, ""),
        )
        for metric in metrics
    }
    return System(name, scores, tally.skipped, kept=sentences, noted=tally.noted)


def _merged(parts: Iterable[tuple[Pair, Tally]]) -> dict[str, Merged]:
    """Join the tallies of the pairs of each system."""
    systems: dict[str, list[tuple[str, Tally]]] = {}
    for pair, tally in parts:
        systems.setdefault(pair.system, []).append((pair.name, tally))
    return {system: (_all_files(named), _sentences(named)) for system, named in systems.items()}


def _all_files(parts: Sequence[tuple[str, Tally]]) -> Tally:
    """Return the tally of files with some names; a file alone has no name."""
    if not parts[0][0]:
        return parts[0][1]
    return joined([of_file(name, tally) for name, tally in parts])


def _sentences(parts: Iterable[tuple[str, Tally]]) -> Sentences | None:
    """Return the sentences of corpora one after the other, where they are known."""
    known = [(name, tally.details.headings) for name, tally in parts if tally.details]
    if not known:
        return None
    from commonground.metrics.sentences import SentencesInParts  # noqa: PLC0415  # seldom asked for

    return SentencesInParts(known)


def _in_order(buckets: Sequence[Bucket], by: By, sentences: Sentences | None) -> list[Bucket]:
    from commonground.metrics.breakdown import in_order  # noqa: PLC0415  # seldom asked for

    return in_order(buckets, by, sentences.ids if sentences and "sentence" in by else ())

"""Evaluations of files: one gold standard or many, and one or more parses of each.

All that is computed about a pair of files is counts, so that pairs, and pieces of large files, can
be worked on in several processes and merged: the micro average of a score is the score of the
merged counts, the macro average the mean of the scores of the pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial as bound
from itertools import groupby
from math import inf
from operator import itemgetter
from typing import TYPE_CHECKING

from commonground.engine import Jobs, engine_for, map_ordered
from commonground.errors import UsageError
from commonground.evaluation.answers import Answers, By, Questions
from commonground.evaluation.evaluate import signature_of
from commonground.evaluation.pairs import Pair, find_pairs
from commonground.evaluation.reading import Reading
from commonground.evaluation.result import Score, System
from commonground.evaluation.scores import Evaluation
from commonground.evaluation.tasks import LARGE, SIZE, Task, done, grouped, tasks
from commonground.formats.files import STANDARD
from commonground.metrics.registry import find_metrics
from commonground.metrics.settings import Settings

if TYPE_CHECKING:
    from commonground.metrics.breakdown import Bucket
    from commonground.metrics.metric import Metric
    from commonground.metrics.sentences import Sentences

__all__ = ["Evaluation", "Pair", "answers_of", "evaluate_files", "evaluation", "find_pairs"]


# ── work ─────────────────────────────────────────────────────────────────────────────────────────


def evaluate_files(
    pairs: Sequence[Pair],
    *,
    metrics: Sequence[str] = (),
    settings: Settings | None = None,
    by: Sequence[Sequence[str]] = (),
    confusions: Sequence[str] = (),
    sentences: bool = False,
    format: str | None = None,
    partial: bool = False,
    jobs: Jobs = 1,
    watch: Callable[[int], None] = lambda _: None,
) -> Evaluation:
    """Score the parses in files, and merge the scores of each system.

    `by` are combinations of properties to break all scores down by, `confusions` say of what
    (``label``, ``head-tag``) confusions are counted. With `sentences` the counts of each sentence
    are kept, and which sentences and items they are about; tests and saved results need it. Without
    it there are only sums, and the memory that is needed does not grow with the files. `format` and
    `partial` are as in :func:`commonground.read`. `watch` is called with the number of pairs that
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
    )
    found = answers_of(pairs, questions, jobs=jobs, watch=watch)
    return evaluation(pairs, found, questions)


def answers_of(
    pairs: Sequence[Pair],
    questions: Questions,
    *,
    jobs: Jobs = 1,
    watch: Callable[[int], None] = lambda _: None,
    large: float = LARGE,
    size: int = SIZE,
) -> list[Answers]:
    """Return the answers about all pairs; `large` files are cut into pieces of that `size`."""
    groups = dict(enumerate(grouped(pairs, large, alone=engine_for(jobs).workers > 1)))
    found = _worked(groups, questions, jobs, watch, large, size)
    rest = {number: group for number, group in groups.items() if number not in found}
    found |= _worked(rest, questions, jobs, watch, inf, size)
    return [answers for number in groups for answers in found[number]]


def _worked(
    groups: Mapping[int, Sequence[Pair]],
    questions: Questions,
    jobs: Jobs,
    watch: Callable[[int], None],
    large: float,
    size: int,
) -> dict[int, list[Answers]]:
    """Return the answers about the pairs of each group, unless its pieces do not fit."""
    found: dict[int, list[Answers]] = {}
    failed: set[int] = set()

    def todo() -> Iterator[Task]:
        for number, group in groups.items():
            for task in tasks(number, group, questions, large, size):
                if number in failed:
                    break
                yield task

    results = map_ordered(bound(done, questions=questions), todo(), jobs)
    for number, parts in groupby(results, key=itemgetter(0)):
        gathered = _gathered(answers for _, answers in parts)
        if gathered is None:
            failed.add(number)
        else:
            found[number] = gathered
            watch(len(groups[number]))
    return found


_MANY = 32
"""So many answers are put together, for they take more memory than their sum."""


def _gathered(parts: Iterable[list[Answers] | None]) -> list[Answers] | None:
    """Put the answers about the pieces of some pairs together; None where a piece has none."""
    found: list[list[Answers]] = []
    for answers in parts:
        if answers is None:
            return None
        found.append(answers)
        if len(found) == _MANY:
            found = [_each_joined(found)]
    return _each_joined(found)


def _each_joined(parts: Sequence[list[Answers]]) -> list[Answers]:
    if len(parts) == 1:
        return parts[0]
    from commonground.evaluation.merging import joined  # noqa: PLC0415  # only for large files

    return [joined(answers) for answers in zip(*parts, strict=True)]


# ── results ──────────────────────────────────────────────────────────────────────────────────────

Merged = tuple[Answers, "Sentences | None"]
"""The answers about all pairs of a system, and the sentences that they are about, if known."""


def evaluation(pairs: Sequence[Pair], found: Sequence[Answers], questions: Questions) -> Evaluation:
    """Return the evaluation, given the answers about each pair."""
    kinds = {answers.kind: pair for pair, answers in zip(pairs, found, strict=True)}
    if len(kinds) > 1:
        told = ", ".join(f"{pair.gold} holds {kind}" for kind, pair in kinds.items())
        raise UsageError(f"what holds different things cannot be averaged: {told}")
    metrics = find_metrics(found[0].kind, questions.metrics_for(found[0].kind))
    everything = list(zip(pairs, found, strict=True))

    def scored(merged: Mapping[str, Merged]) -> Evaluation:
        systems = tuple(
            _system(name, metrics, answers, sentences if questions.sentences else None)
            for name, (answers, sentences) in merged.items()
        )
        reading = Reading(questions.format, questions.partial)
        return Evaluation(signature_of(questions.settings, systems, reading), systems)

    merged = _merged(everything)
    several = dict.fromkeys(pair.name for pair in pairs if pair.name)
    return replace(
        scored(merged),
        pairs={
            name: scored(_merged([part for part in everything if part[0].name == name]))
            for name in several
        },
        breakdowns={
            (name, *key): _in_order(answers.breakdowns[key], key[0], sentences)
            for key in found[0].breakdowns
            for name, (answers, sentences) in merged.items()
        },
        confusions={
            (name, what): answers.confusions[what]
            for what in questions.confusions
            for name, (answers, _) in merged.items()
        },
    )


def _system(
    name: str, metrics: Iterable[Metric], answers: Answers, sentences: Sentences | None
) -> System:
    scores = {
        metric.name: Score(
            metric,
            answers.counts[metric.name],
            judged=answers.right.get(metric.name),
            reason=answers.reasons.get(metric.name, ""),
        )
        for metric in metrics
    }
    return System(name, scores, answers.skipped, kept=sentences)


def _merged(parts: Iterable[tuple[Pair, Answers]]) -> dict[str, Merged]:
    """Merge the answers about the pairs of each system."""
    systems: dict[str, list[tuple[str, Answers]]] = {}
    for pair, answers in parts:
        systems.setdefault(pair.system, []).append((pair.name, answers))
    return {system: (_all_files(named), _sentences(named)) for system, named in systems.items()}


def _all_files(parts: Sequence[tuple[str, Answers]]) -> Answers:
    """Return the answers about files with some names; a file alone has no name."""
    if not parts[0][0]:
        return parts[0][1]
    from commonground.evaluation.merging import joined, of_file  # noqa: PLC0415  # only for many files

    return joined([of_file(name, answers) for name, answers in parts])


def _sentences(parts: Iterable[tuple[str, Answers]]) -> Sentences | None:
    """Return the sentences of corpora one after the other, where they are known."""
    known = [(name, answers.headings.sentences()) for name, answers in parts if answers.headings]
    if not known or not known[0][0]:
        return known[0][1] if known else None
    from commonground.metrics.sentences import Sentences  # noqa: PLC0415  # seldom asked for

    return Sentences.joined(known)


def _in_order(buckets: Sequence[Bucket], by: By, sentences: Sentences | None) -> list[Bucket]:
    from commonground.evaluation.merging import in_order  # noqa: PLC0415  # seldom asked for

    return in_order(buckets, by, sentences.ids if sentences else ())

"""Files in, files in another scheme out: of any size, in one process or many."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice

from commonground.corpus import Dependencies
from commonground.engine import Jobs, engine_for
from commonground.formats.rewriting import rewrite_dependencies
from commonground.formats.storage.folders import Pair, pairs_of, room_for
from commonground.schemes.report import Report
from commonground.schemes.scheme import Scheme
from commonground.schemes.transform import tagging_of, transform

__all__ = ["TransformPlan", "transform_files"]


@dataclass(frozen=True)
class TransformPlan:
    """What is to become of files: from which scheme to which, and how.

    `only` names constructions; with `losses` the report tells what the way back would not find
    again. The other fields are those of the formats, and of :func:`transform`.
    """

    source: Scheme
    target: Scheme
    only: Sequence[str] | None = None
    tag_set: str | None = None
    strict: bool = False
    losses: bool = False
    source_format: str | None = None
    target_format: str | None = None
    partial: bool = False


def transform_files(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    rewriting: TransformPlan,
    *,
    jobs: Jobs = 1,
    watch: Callable[[int], None] = lambda _: None,
) -> Report | None:
    """Rewrite a file, or the files of a folder or pattern into a folder; return what was done.

    One file is shared by `jobs` processes piece by piece, several go to them one by one; the bytes
    do not depend on it. Each file is written whole or not at all. `watch` is told the number of
    sentences that are done. There is no report where there is no sentence.
    """
    pairs = pairs_of(source, target, rewriting.target_format)
    total = _ReportTotal()
    if len(pairs) == 1:
        ((file, made),) = pairs
        if made != os.fspath(target):
            room_for(made)
        _rewritten(rewriting, file, made, jobs, watch, total)
        return total.report
    for report, count in engine_for(jobs).map(partial(_one, rewriting), pairs):
        total.add(report)
        watch(count)
    return total.report


class _ReportTotal:
    """What was done so far."""

    def __init__(self) -> None:
        self.report: Report | None = None

    def add(self, report: Report | None) -> None:
        if self.report is None:
            self.report = report
        elif report is not None:
            self.report.add(report)


def _one(rewriting: TransformPlan, pair: Pair) -> tuple[Report | None, int]:
    """Rewrite one of several files; return what was done, and how many sentences it has."""
    total, counts = _ReportTotal(), [0]
    room_for(pair[1])
    _rewritten(rewriting, *pair, 1, counts.append, total)
    return total.report, sum(counts)


def _rewritten(
    rewriting: TransformPlan,
    source: str,
    target: str,
    jobs: Jobs,
    watch: Callable[[int], None],
    total: _ReportTotal,
) -> None:
    def change(pieces: Iterable[Dependencies]) -> Iterator[Dependencies]:
        rest = iter(pieces)
        for first in islice(rest, 1):
            work = partial(
                transform,
                source=rewriting.source,
                target=rewriting.target,
                only=rewriting.only,
                losses=rewriting.losses,
                tags=tagging_of(first, rewriting.source, rewriting.tag_set),  # it tells for all
                strict=rewriting.strict,
            )
            for changed, report in engine_for(jobs).map(work, chain([first], rest)):
                total.add(report)
                yield changed

    rewrite_dependencies(
        change,
        source,
        target,
        target_format=rewriting.target_format,
        watch=watch,
        source_format=rewriting.source_format,
        partial=rewriting.partial,
    )

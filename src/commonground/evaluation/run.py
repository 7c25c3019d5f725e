"""The run of an evaluation over files: one gold standard or many, and one or more parses of each.

pairs of files ─▶ tasks, each of which any process can do ─▶ a tally of each ─▶ joined ─▶ Evaluation

Small files are read whole. Large files are cut into pieces of the same sentences, so that memory
does not grow with the files and many processes share the work. Where words are aligned over the
characters of the text, sentences need not be the same on both sides: pieces are tried all the same,
and only where a piece of the parse has another text than that of the gold standard, the files are
read whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial as bound
from itertools import groupby
from math import inf
from operator import itemgetter

from commonground.engine import Engine, Jobs, Serial, engine_for
from commonground.errors import UsageError
from commonground.evaluation.evaluation_plan import EvaluationPlan, OnError
from commonground.evaluation.from_tallies import evaluation
from commonground.evaluation.pairs import Pair
from commonground.evaluation.read_options import ReadOptions
from commonground.evaluation.scores import Evaluation
from commonground.evaluation.spool import Spool
from commonground.evaluation.tally import Tally, aside, joined
from commonground.evaluation.tasks import (
    LARGE,
    SIZE,
    PairTask,
    can_be_read_again,
    done,
    grouped,
    tasks,
)
from commonground.formats.storage.files import STANDARD
from commonground.metrics.metric import Metric
from commonground.metrics.settings import Settings

__all__ = ["evaluate_files", "tallies_of"]


def evaluate_files(  # noqa: PLR0913  # what the command can be asked for
    pairs: Sequence[Pair],
    *,
    metrics: Sequence[str | Metric] = (),
    settings: Settings | None = None,
    by: Sequence[Sequence[str]] = (),
    confusions: Sequence[str] = (),
    sentences: bool = False,
    format: str | None = None,
    partial: bool = False,
    repair: str | None = None,
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
    `partial` are as in :func:`commonground.read`; `repair` is a policy by which parses are mended
    first (:func:`commonground.repair_bytes`). `on_error` says what happens to a system with a
    parse that cannot be scored: it is an error, the system is left out, or there is nothing right
    in that parse; the reasons are told in `broken`. `watch` is called with the number of pairs that
    are done.
    """
    if [path for pair in pairs for path in (pair.gold, pair.parse)].count(STANDARD) > 1:
        raise UsageError("standard input can be read only once")
    settings = settings or Settings()
    plan = EvaluationPlan(
        tuple(metrics) or settings.metrics,
        settings,
        tuple(map(tuple, by)),
        tuple(confusions),
        sentences,
        ReadOptions(format, partial, repair),
        on_error,
    )
    tallies = tallies_of(pairs, plan, engine=engine_for(jobs), watch=watch)
    return evaluation(pairs, tallies, plan)


def tallies_of(
    pairs: Sequence[Pair],
    plan: EvaluationPlan,
    *,
    engine: Engine = Serial(),  # noqa: B008  # it is a value
    watch: Callable[[int], None] = lambda _: None,
    large: float = LARGE,
    size: int = SIZE,
) -> list[Tally]:
    """Return the tallies of all pairs; `large` files are cut into pieces of that `size`."""
    lenient = plan.on_error != "fail"
    alone = engine.workers > 1
    groups = dict(enumerate(grouped(pairs, large, alone=alone, apart=lenient)))
    spool = Spool()
    by_group = _worked(groups, plan, engine, watch, spool, large, size)
    rest = {number: group for number, group in groups.items() if number not in by_group}
    by_group |= _worked(rest, plan, engine, watch, spool, inf, size)
    return [tally for number in groups for tally in by_group[number]]


def _worked(
    groups: Mapping[int, Sequence[Pair]],
    plan: EvaluationPlan,
    engine: Engine,
    watch: Callable[[int], None],
    spool: Spool,
    large: float,
    size: int,
) -> dict[int, list[Tally]]:
    """Return the tallies of the pairs of each group, unless its pieces do not fit.

    What there is of each sentence is put aside as it comes.
    """
    by_group: dict[int, list[Tally]] = {}
    failed: set[int] = set()

    def todo() -> Iterator[PairTask]:
        for number, group in groups.items():
            for task in tasks(number, group, plan, large, size):
                if number in failed:
                    break
                yield task

    results = engine.map(bound(done, plan=plan), todo())
    for number, parts in groupby(results, key=itemgetter(0)):
        again = can_be_read_again(groups[number])
        gathered = _gathered((_aside(tallies, spool) for _, tallies in parts), again=again)
        if gathered is None:
            failed.add(number)
        else:
            by_group[number] = gathered
            watch(len(groups[number]))
    return by_group


def _aside(tallies: Sequence[Tally] | None, spool: Spool) -> list[Tally] | None:
    return None if tallies is None else [aside(tally, spool) for tally in tallies]


_MANY = 32
"""Number of tallies that are summed at a time; they take more memory than their sum."""


def _gathered(parts: Iterable[list[Tally] | None], *, again: bool) -> list[Tally] | None:
    """Join the tallies of the pieces of some pairs; None where a piece has none.

    So it is where pieces do not tell what their whole would, and can be read `again`, as a whole.
    The tally of a broken pair is about the whole of it.
    """
    gathered: list[list[Tally]] = []
    for tallies in parts:
        if tallies is None:
            return None
        if again and gathered and tallies[0].gold_facts != gathered[0][0].gold_facts:
            return None
        if tallies[0].broken and len(tallies) == 1:
            return tallies
        gathered.append(tallies)
        if len(gathered) == _MANY:
            gathered = [_each_joined(gathered)]
    return _each_joined(gathered)


def _each_joined(parts: Sequence[list[Tally]]) -> list[Tally]:
    return [joined(tallies) for tallies in zip(*parts, strict=True)]

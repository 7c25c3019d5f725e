"""Validation without cross-validation: k parsers from k random samples, tested on one test set.

Where training data are projected, there is no gold standard to cut into folds. But there is plenty
of them: so a parser is trained k times, each time on another random sample of a fixed size, and all
k parsers are tested on the same test set (Spreyer 2010, section 5). Ordinary cross-validation gives
the same kind of result.

Each run is a piece of work of its own. With a folder its scores are kept there as soon as they are
known, so that what was interrupted goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from commonground import __version__
from commonground.corpus import Corpus, Dependencies
from commonground.engine import Engine, Jobs, engine_for
from commonground.errors import UsageError
from commonground.evaluation.evaluate import evaluate
from commonground.evaluation.signature import join, rendered, signature
from commonground.formats import write_text
from commonground.formats.storage.files import write_bytes
from commonground.metrics.settings import Settings
from commonground.parsers.registry import parser_plugins
from commonground.parsers.trained import train
from commonground.projection.samples import folds, sample_of, sentences_mark
from commonground.projection.validation import Material, SentenceCounts, Validation, check_tests
from commonground.statistics.pairing import unit_counts

__all__ = ["Training", "cross_validate", "validate"]

DEFAULT = ("uas", "las")


@dataclass(frozen=True, slots=True)
class Training:
    """How the parsers are trained: the name of the parser, and what ``train`` is told."""

    parser: str = "arc-eager"
    gold_tags: bool = True
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0

    def signature(self) -> str:
        """Return it in a few words."""
        changes = ",".join(f"{name}={value}" for name, value in sorted(self.settings.items()))
        tags = "gold" if self.gold_tags else "predicted"
        return f"{self.parser}({changes or 'usual settings'};tags {tags};seed {self.seed})"


@dataclass(frozen=True)
class Run:
    """One run: what to train on and to test on, and where its scores are kept."""

    system: str
    number: int
    corpus: Corpus
    test: Corpus
    training: Training
    metrics: tuple[str, ...]
    settings: Settings
    file: str | None = None


class RunScores(msgspec.Struct, frozen=True):
    """The scores of a run by each metric, and the counts per sentence behind them."""

    scores: dict[str, float]
    counts: dict[str, dict[str, list[int]]]


class _KeptRun(msgspec.Struct, frozen=True):
    run: str
    scored: RunScores


def _done(run: Run) -> RunScores:
    """Return the scores of a run, which may be known already."""
    if run.file is None:
        return _scores(run)
    mark = _fingerprint(run)
    known = _kept(run.file, mark)
    if known is None:
        known = _scores(run)
        write_bytes(run.file, [msgspec.json.encode(_KeptRun(mark, known)), b"\n"])
    return known


def _scores(run: Run) -> RunScores:
    parser = train(
        run.corpus,
        run.training.parser,
        gold_tags=run.training.gold_tags,
        settings=run.training.settings,
        seed=run.training.seed,
        keep=False,  # a training that was cut short has other scores
        segmentation=False,
    )
    system = evaluate(
        run.test,
        parser.parse(run.test),
        metrics=run.metrics,
        settings=run.settings,
        check_scheme=False,
    ).systems[0]
    counts = {}
    for name, score in system.scores.items():
        columns, rows = unit_counts(score)
        counts[name] = dict(zip(columns, rows.T.tolist(), strict=True))
    return RunScores({name: float(score) for name, score in system.scores.items()}, counts)


def _fingerprint(run: Run) -> str:
    """Return what the scores of a run depend on, as a digest."""
    parts = (
        __version__,
        run.training.signature(),
        ",".join(run.metrics),
        join(rendered(run.settings)),
        write_text(run.corpus, "conllu"),
        write_text(run.test, "conllu"),
    )
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _kept(file: str, mark: str) -> RunScores | None:
    """Return the scores that a file keeps, if they are those of this run."""
    try:
        kept = msgspec.json.decode(Path(file).read_bytes(), type=_KeptRun)
    except (OSError, ValueError):
        return None  # there is none, or it is damaged: the run is made (again)
    return kept.scored if kept.run == mark else None


Systems = Mapping[str, tuple[Dependencies, Dependencies]]
"""By its name the training data of each system, and its test set."""


def validate(  # noqa: PLR0913  # options, by name
    systems: Systems,
    *,
    samples: int = 10,
    words: int | None = None,
    sentences: int | None = None,
    training: Training | Mapping[str, Training] | None = None,
    metrics: Sequence[str] = DEFAULT,
    settings: Settings | None = None,
    tests: Sequence[str] = (),
    seed: int = 0,
    confidence: float = 0.95,
    jobs: Jobs = 1,
    folder: str | os.PathLike[str] | None = None,
    watch: Callable[[int], None] = lambda _: None,
) -> Validation:
    """Train `samples` parsers for each system, on random samples, and test them.

    Samples have so many `words` (or `sentences`), at most half of what there is, and by default
    half of the words of the smallest training set. They are drawn without replacement. Systems
    whose training data have the same sentences, in whatever scheme, are trained on the same
    samples, so that their runs are in pairs; others are drawn independently. `training` says how
    (for each system, where they differ), `metrics` and `settings` how the parses are scored,
    `tests` how systems are compared (see :class:`Validation`). In a `folder`, the scores of each
    run are kept, so that runs which are done are not made again. `watch` is called with the number
    of runs that are done.
    """
    _check(samples, systems)
    if words is None and sentences is None:
        words = min(pool.words.rows for pool, _ in systems.values()) // 2
    conditions = _Conditions.of(training, metrics, settings, folder)

    def drawn(name: str, number: int) -> NDArray[np.int64]:
        pool = systems[name][0]
        return sample_of(
            pool, name=name, number=number, words=words, sentences=sentences, seed=seed
        )

    materials = {
        name: Material(sentences_mark(pool), sentences_mark(test))
        for name, (pool, test) in systems.items()
    }
    check_tests(tests, materials)

    def all_runs() -> Iterator[Run]:
        for name, (pool, test) in systems.items():
            for number in range(samples):
                yield conditions.run(name, number, pool.take(drawn(name, number)), test)

    for name in systems:  # what is refused is refused before the first run
        drawn(name, 0)
    unit = f"{words:,} words" if words is not None else f"{sentences:,} sentences"
    how = f"{samples} samples of {unit}"
    scored = _by_system(_all(all_runs(), engine_for(jobs), watch), systems, samples)
    return Validation(
        conditions.signed(how, seed),
        how,
        {name: _scores_by_metric(runs) for name, runs in scored.items()},
        confidence,
        materials,
        {name: _added_counts(runs) for name, runs in scored.items()},
        tuple(tests),
    )


def cross_validate(  # noqa: PLR0913  # options, by name
    treebanks: Mapping[str, Dependencies],
    *,
    count: int = 10,
    training: Training | Mapping[str, Training] | None = None,
    metrics: Sequence[str] = DEFAULT,
    settings: Settings | None = None,
    tests: Sequence[str] = (),
    seed: int = 0,
    confidence: float = 0.95,
    jobs: Jobs = 1,
    folder: str | os.PathLike[str] | None = None,
    watch: Callable[[int], None] = lambda _: None,
) -> Validation:
    """Cut each treebank into folds; test on each fold a parser that was trained on the others.

    Treebanks of as many sentences are cut alike. The options are those of :func:`validate`.
    """
    _check(count, treebanks)
    marks = {name: sentences_mark(treebank) for name, treebank in treebanks.items()}
    materials = {name: Material(mark, mark) for name, mark in marks.items()}
    check_tests(tests, materials)
    conditions = _Conditions.of(training, metrics, settings, folder)

    def all_runs() -> Iterator[Run]:
        for name, treebank in treebanks.items():
            for number, fold in enumerate(folds(treebank, count, seed=seed)):
                inside = np.zeros(len(treebank), np.bool_)
                inside[fold] = True
                yield conditions.run(name, number, treebank.take(~inside), treebank.take(inside))

    how = f"{count} folds"
    scored = _by_system(_all(all_runs(), engine_for(jobs), watch), treebanks, count)
    return Validation(
        conditions.signed(how, seed),
        how,
        {name: _scores_by_metric(runs) for name, runs in scored.items()},
        confidence,
        materials,
        {name: _joined_counts(runs) for name, runs in scored.items()},
        tuple(tests),
    )


def _check(runs: int, systems: Mapping[str, object]) -> None:
    if runs < 2:
        raise UsageError(f"{runs} run has no spread; 2 or more are needed")
    if not systems:
        raise UsageError("there is no system to validate")
    files = [_file_name(name) for name in systems]
    for one, other in combinations(files, 2):
        if one == other:
            raise UsageError(f"two systems would be called {one}")


def _file_name(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_.+" else "_" for letter in name)


@dataclass(frozen=True)
class _Conditions:
    """What the runs of a validation share: how parsers are trained and scored, what is kept where.

    Systems that are not trained alike have their `training` by their names.
    """

    training: Training | Mapping[str, Training]
    metrics: tuple[str, ...]
    settings: Settings
    folder: Path | None

    @classmethod
    def of(
        cls,
        training: Training | Mapping[str, Training] | None,
        metrics: Sequence[str],
        settings: Settings | None,
        folder: str | os.PathLike[str] | None,
    ) -> _Conditions:
        """Return it, as usual where nothing is said; the folder is there then."""
        home = None if folder is None else Path(folder)
        if home is not None:
            home.mkdir(parents=True, exist_ok=True)
        return cls(training or Training(), tuple(metrics), settings or Settings(), home)

    def run(self, name: str, number: int, corpus: Dependencies, test: Dependencies) -> Run:
        """Return the run of this number of a system."""
        training = self.training
        if isinstance(training, Mapping):
            training = training.get(name, Training())
        file = None
        if self.folder is not None:
            file = str(self.folder / f"{_file_name(name)}-{number + 1:03}.json")
        return Run(name, number, corpus, test, training, self.metrics, self.settings, file)

    def signed(self, how: str, seed: int) -> str:
        """Return all that the scores depend on."""
        named = self.training if isinstance(self.training, Mapping) else {"": self.training}
        parsers = ",".join(
            f"{name}={each.signature()}" if name else each.signature()
            for name, each in named.items()
        )
        names = {each.parser for each in named.values()}
        packages = [plugin.package for plugin in parser_plugins() if plugin.name in names]
        return signature(self.settings, runs=how, parser=parsers, seed=seed, packages=packages)


def _all(runs: Iterator[Run], engine: Engine, watch: Callable[[int], None]) -> list[RunScores]:
    scores_of_runs = []
    for scores in engine.map(_done, runs):
        scores_of_runs.append(scores)
        watch(1)
    return scores_of_runs


def _by_system(
    scores_of_runs: Sequence[RunScores], systems: Mapping[str, object], runs: int
) -> dict[str, Sequence[RunScores]]:
    return {
        name: scores_of_runs[place * runs : (place + 1) * runs]
        for place, name in enumerate(systems)
    }


def _scores_by_metric(runs: Sequence[RunScores]) -> dict[str, tuple[float, ...]]:
    return {metric: tuple(run.scores[metric] for run in runs) for metric in runs[0].scores}


def _added_counts(runs: Sequence[RunScores]) -> dict[str, SentenceCounts]:
    """Return the counts of the sentences of one test set, over all runs."""
    return _counts(runs, lambda columns: np.sum(columns, axis=0))


def _joined_counts(runs: Sequence[RunScores]) -> dict[str, SentenceCounts]:
    """Return the counts of the sentences of all folds, one after the other."""
    return _counts(runs, np.concatenate)


def _counts(
    runs: Sequence[RunScores], join_runs: Callable[[list[list[int]]], NDArray[np.int64]]
) -> dict[str, SentenceCounts]:
    return {
        metric: {
            name: tuple(join_runs([run.counts[metric][name] for run in runs]).tolist())
            for name in columns
        }
        for metric, columns in runs[0].counts.items()
    }

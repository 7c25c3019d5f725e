"""Validation without cross-validation: k parsers from k random samples, tested on one test set.

Where training data are projected, there is no gold standard to cut into folds. But there is plenty
of them: so a parser is trained k times, each time on another random sample of a fixed size, and all
k parsers are tested on the same test set. Their scores have a mean and a spread, and two systems
can be told apart by a t-test of two samples, as their samples are in no pairs (Spreyer 2010,
section 5 and Table 7). Ordinary cross-validation gives the same kind of result.

Each run is a piece of work of its own. With a folder its scores are kept there as soon as they are
known, so that what was interrupted goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from commonground import __version__
from commonground.corpus import Corpus, Dependencies
from commonground.engine import Engine, Jobs, engine_for
from commonground.errors import InputError, UsageError
from commonground.evaluation.evaluate import evaluate
from commonground.evaluation.result import Result
from commonground.formats import write_text
from commonground.formats.files import write_bytes
from commonground.metrics.registry import explained
from commonground.metrics.settings import Settings
from commonground.parsers.trained import train
from commonground.projection.samples import folds, sample_of
from commonground.statistics.run_results import RunClaims, run_claims
from commonground.statistics.runs import Runs

__all__ = ["Training", "Validation", "cross_validate", "together", "validate"]

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


def _refuse_incomplete(
    scores: Mapping[str, Mapping[str, tuple[float, ...]]], confidence: float
) -> None:
    """Refuse scores of which some systems lack a metric or a run."""
    metrics = {tuple(each) for each in scores.values()}
    if len(metrics) != 1 or not metrics.pop():
        raise ValueError("its systems have not the same metrics")
    if len({len(runs) for each in scores.values() for runs in each.values()}) != 1:
        raise ValueError("its systems have not the same number of runs")
    for each in scores.values():
        for metric, runs in each.items():
            explained(metric)
            Runs.of(runs).interval(confidence)


@dataclass(frozen=True, repr=False)
class Validation(Result):
    """The scores of the runs of each system, by metric: ``scores[system][metric]``, one per run.

    `how` tells how the runs were made: samples or folds.
    """

    kind: ClassVar[str] = "validation"

    signature: str
    how: str
    scores: Mapping[str, Mapping[str, tuple[float, ...]]]
    confidence: float = 0.95

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that there are scores by."""
        return tuple(next(iter(self.scores.values())))

    def runs(self, metric: str) -> dict[str, Runs]:
        """Return the runs of each system by a metric, with mean and standard deviation."""
        if metric not in self.metrics:
            raise UsageError(f"there are no runs by {metric!r}; there are by {self.metrics}")
        return {name: Runs.of(scores[metric]) for name, scores in self.scores.items()}

    def claims(self, metric: str, test: str = "student", correction: str = "none") -> RunClaims:
        """Test all pairs of systems: Student's t-test, or ``welch``, or ``permutation``."""
        return run_claims(
            self.runs(metric),
            metric=metric,
            test=test,
            correction=correction,
            confidence=self.confidence,
        )

    def correlation(self, metric: str) -> float | None:
        """Return Pearson's r of the systems' means and standard deviations; None for under three.

        Where it is negative, the better parsers vary less.
        """
        runs = list(self.runs(metric).values())
        if len(runs) < 3:
            return None
        found = np.corrcoef([run.mean for run in runs], [run.sd for run in runs])[0, 1]
        return float(found) if np.isfinite(found) else None

    def ranking(self, metric: str, alpha: float = 0.01, test: str = "student") -> str:
        """Return the systems in the order of their means: ``>`` where they differ, else ``≈``.

        >>> scores = {"a": (0.8, 0.81, 0.79), "b": (0.8, 0.82, 0.79), "c": (0.6, 0.61, 0.6)}
        >>> Validation("", "samples", {n: {"uas": s} for n, s in scores.items()}).ranking("uas")
        'b ≈ a > c'
        """
        runs = self.runs(metric)
        order = sorted(runs, key=lambda name: -runs[name].mean)
        text = order[:1]
        for one, other in pairwise(order):
            pair = run_claims(
                {one: runs[one], other: runs[other]}, metric=metric, test=test, correction="none"
            ).pairs[0]
            text += [">" if pair.claim.p < alpha else "≈", other]
        return " ".join(text)

    def better(self, metric: str, baseline: str, alpha: float = 0.01) -> set[str]:
        """Return the systems whose mean is greater than the baseline's (Student's t-test).

        >>> scores = {"none": (0.7, 0.71, 0.7), "a": (0.8, 0.81, 0.8), "b": (0.7, 0.72, 0.7)}
        >>> found = Validation("", "samples", {n: {"uas": s} for n, s in scores.items()})
        >>> found.better("uas", "none")
        {'a'}
        """
        runs = self.runs(metric)
        if baseline not in runs:
            raise UsageError(f"there is no system {baseline!r}; there are {', '.join(runs)}")
        greater = {name: each for name, each in runs.items() if each.mean > runs[baseline].mean}
        tests = {
            name: run_claims({name: each, baseline: runs[baseline]}, test="student", metric=metric)
            for name, each in greater.items()
        }
        return {name for name, found in tests.items() if found.pairs[0].claim.p < alpha}

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON has it."""
        tests = [
            entry
            for metric in self.metrics
            for test in ("student", "welch")
            if len(self.scores) > 1
            for entry in self.claims(metric, test).tests_json()
        ]
        return {
            "kind": self.kind,
            "signature": self.signature,
            "how": self.how,
            "confidence": self.confidence,
            "systems": [
                {
                    "name": name,
                    "metrics": {
                        metric: _described(self.runs(metric)[name], self.confidence)
                        for metric in scores
                    },
                }
                for name, scores in self.scores.items()
            ],
            "correlation": {metric: self.correlation(metric) for metric in self.metrics},
            "ranking": {metric: self.ranking(metric) for metric in self.metrics},
            "tests": tests,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = "<memory>") -> Validation:
        """Return the result that JSON holds."""
        try:
            scores = {
                str(system["name"]): {
                    str(metric): tuple(float(score) for score in runs["scores"])
                    for metric, runs in system["metrics"].items()
                }
                for system in data["systems"]
            }
            confidence = float(data["confidence"])
            _refuse_incomplete(scores, confidence)
            return cls(str(data["signature"]), str(data["how"]), scores, confidence)
        except (KeyError, TypeError, ValueError, AttributeError, UsageError) as error:
            raise InputError(path, 0, f"this is not a validation: {error}") from error

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each run and metric."""
        return [
            {"system": name, "metric": metric, "run": number, "score": score}
            for name, metrics in self.scores.items()
            for metric, scores in metrics.items()
            for number, score in enumerate(scores, 1)
        ]

    def __repr__(self) -> str:
        lines = [
            f"{name}: "
            + ", ".join(
                f"{metric} {100 * Runs.of(s).mean:.2f} ± {100 * Runs.of(s).sd:.2f}"
                for metric, s in scores.items()
            )
            for name, scores in self.scores.items()
        ]
        return "\n".join([*lines, self.signature])


def _described(runs: Runs, confidence: float) -> dict[str, Any]:
    around = runs.interval(confidence)
    return {
        "scores": list(runs.scores),
        "mean": runs.mean,
        "sd": runs.sd,
        "interval": [around.low, around.high],
    }


def together(parts: Sequence[Validation]) -> Validation:
    """Put several validations together: the runs of a system that is in several follow one another.

    So the samples of some folds, each tested on its own fold, become the runs of one system.

    >>> one = Validation("seed:0", "2 samples", {"a": {"uas": (0.7, 0.8)}})
    >>> two = Validation("seed:1", "2 samples", {"a": {"uas": (0.6, 0.7)}, "b": {"uas": (0.5,)}})
    >>> found = together([one, two])
    >>> found.scores["a"]["uas"], list(found.scores), found.signature, found.how
    ((0.7, 0.8, 0.6, 0.7), ['a', 'b'], 'seed:0,1', '2 × 2 samples')
    """
    if not parts:
        raise UsageError("there are no runs to put together")
    if any(part.metrics != parts[0].metrics for part in parts):
        raise UsageError("runs by different metrics cannot be put together")
    scores: dict[str, dict[str, tuple[float, ...]]] = {}
    for part in parts:
        for name, found in part.scores.items():
            known = scores.setdefault(name, dict.fromkeys(found, ()))
            scores[name] = {metric: known[metric] + each for metric, each in found.items()}
    times = max(sum(name in part.scores for part in parts) for name in scores)
    hows = "; ".join(dict.fromkeys(part.how for part in parts))
    return Validation(
        _common([part.signature for part in parts]),
        f"{times} × {hows}" if times > 1 else hows,
        scores,
        parts[0].confidence,
    )


def _common(signatures: Sequence[str]) -> str:
    """Return several signatures as one, which has all values of the entries that differ."""
    rows: dict[str, dict[str, None]] = {}
    for signature in signatures:
        for entry in signature.split("|"):
            name, colon, value = entry.partition(":")
            rows.setdefault(name + colon, {})[value] = None
    return "|".join(name + ",".join(values) for name, values in rows.items())


# ── the runs ─────────────────────────────────────────────────────────────────────────────────────


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


def _done(run: Run) -> dict[str, float]:
    """Return the scores of a run, which may be known already."""
    if run.file is None:
        return _scores(run)
    mark = _fingerprint(run)
    known = _kept(run.file, mark)
    if known is None:
        known = _scores(run)
        text = json.dumps({"run": mark, "scores": known}, indent=1)
        write_bytes(run.file, [f"{text}\n".encode()])
    return known


def _scores(run: Run) -> dict[str, float]:
    parser = train(
        run.corpus,
        run.training.parser,
        gold_tags=run.training.gold_tags,
        settings=run.training.settings,
        seed=run.training.seed,
        keep=False,  # a training that was cut short has other scores
    )
    found = evaluate(
        run.test, parser.parse(run.test), metrics=run.metrics, settings=run.settings
    ).systems[0]
    return {name: float(score) for name, score in found.scores.items()}


def _fingerprint(run: Run) -> str:
    """Return what the scores of a run depend on, as a digest."""
    parts = (
        __version__,
        run.training.signature(),
        ",".join(run.metrics),
        _written(run.settings),
        write_text(run.corpus, "conllu"),
        write_text(run.test, "conllu"),
    )
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _written(settings: Settings) -> str:
    """Return settings as text that is the same in every process, as sets have no order."""
    found = {name: getattr(settings, name) for name in sorted(Settings.__slots__)}
    found["punctuation_tags"] = sorted(settings.punctuation_tags)
    found["equivalent"] = sorted(settings.equivalent.items())
    return repr(found)


def _kept(file: str, mark: str) -> dict[str, float] | None:
    """Return the scores that a file keeps, if they are those of this run."""
    try:
        data = json.loads(Path(file).read_text(encoding="utf-8"))
        if data["run"] != mark:
            return None
        return {str(name): float(score) for name, score in data["scores"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # there is none, or it is damaged: the run is made (again)


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
    seed: int = 0,
    confidence: float = 0.95,
    jobs: Jobs = 1,
    folder: str | os.PathLike[str] | None = None,
    watch: Callable[[int], None] = lambda _: None,
) -> Validation:
    """Train `samples` parsers for each system, on random samples, and test them.

    Samples have so many `words` (or `sentences`), at most half of what there is; they are drawn
    without replacement, independently for each system. `training` says how (for each system, where
    they differ), `metrics` and `settings` how the parses are scored. In a `folder`, the scores of
    each run are kept, so that runs which are done are not made again. `watch` is called with the
    number of runs that are done.
    """
    _check(samples, systems)
    unit = f"{words} words" if words is not None else f"{sentences} sentences"

    def all_runs() -> Iterator[Run]:
        for name, (pool, test) in systems.items():
            for number in range(samples):
                rows = sample_of(
                    pool, name=name, number=number, words=words, sentences=sentences, seed=seed
                )
                yield _run(name, number, pool.take(rows), test, training, metrics, settings, folder)

    for name, (pool, _) in systems.items():  # what is refused is refused before the first run
        sample_of(pool, name=name, number=0, words=words, sentences=sentences, seed=seed)
    how = f"{samples} samples of {unit}"
    found = _all(all_runs(), engine_for(jobs), watch)
    signed = _signature(how, training, settings, seed)
    return Validation(signed, how, _by_system(found, systems, samples), confidence)


def cross_validate(
    treebanks: Mapping[str, Dependencies],
    *,
    count: int = 10,
    training: Training | Mapping[str, Training] | None = None,
    metrics: Sequence[str] = DEFAULT,
    settings: Settings | None = None,
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

    def all_runs() -> Iterator[Run]:
        for name, treebank in treebanks.items():
            for number, fold in enumerate(folds(treebank, count, seed=seed)):
                inside = np.zeros(len(treebank), np.bool_)
                inside[fold] = True
                rest, test = treebank.take(~inside), treebank.take(inside)
                yield _run(name, number, rest, test, training, metrics, settings, folder)

    how = f"{count} folds"
    found = _all(all_runs(), engine_for(jobs), watch)
    signed = _signature(how, training, settings, seed)
    return Validation(signed, how, _by_system(found, treebanks, count), confidence)


def _check(runs: int, systems: Mapping[str, Any]) -> None:
    if runs < 2:
        raise UsageError(f"{runs} run has no spread; 2 or more are needed")
    if not systems:
        raise UsageError("there is no system to validate")
    files = [_file_name(name) for name in systems]
    for one, other in combinations(files, 2):
        if one == other:
            raise UsageError(f"two systems would be called {one}")


def _run(  # noqa: PLR0917  # what a run is made of
    name: str,
    number: int,
    corpus: Dependencies,
    test: Dependencies,
    training: Training | Mapping[str, Training] | None,
    metrics: Sequence[str],
    settings: Settings | None,
    folder: str | os.PathLike[str] | None,
) -> Run:
    chosen = training.get(name) if isinstance(training, Mapping) else training
    file = None
    if folder is not None:
        Path(folder).mkdir(parents=True, exist_ok=True)
        file = str(Path(folder) / f"{_file_name(name)}-{number + 1:03}.json")
    return Run(
        name,
        number,
        corpus,
        test,
        chosen or Training(),
        tuple(metrics),
        settings or Settings(),
        file,
    )


def _file_name(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_.+" else "_" for letter in name)


def _all(
    runs: Iterator[Run], engine: Engine, watch: Callable[[int], None]
) -> list[dict[str, float]]:
    found = []
    for scores in engine.map(_done, runs):
        found.append(scores)
        watch(1)
    return found


def _by_system(
    found: Sequence[dict[str, float]], systems: Mapping[str, Any], runs: int
) -> dict[str, dict[str, tuple[float, ...]]]:
    return {
        name: {
            metric: tuple(scores[metric] for scores in found[place * runs : (place + 1) * runs])
            for metric in found[place * runs]
        }
        for place, name in enumerate(systems)
    }


def _signature(
    how: str,
    training: Training | Mapping[str, Training] | None,
    settings: Settings | None,
    seed: int,
) -> str:
    chosen = training if isinstance(training, Mapping) else {"": training or Training()}
    parsers = ",".join(
        f"{name}={each.signature()}" if name else each.signature() for name, each in chosen.items()
    )
    used = settings or Settings()
    return (
        f"commonground:{__version__}|runs:{how}|parser:{parsers}|preset:{used.name or 'none'}"
        f"|punctuation:{used.punctuation}|seed:{seed}"
    )

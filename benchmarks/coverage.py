"""Do intervals hold the true value as often as they say? ``python benchmarks/coverage.py``.

Parsers are simulated whose true scores are known (tests/support/error_process.py). Of each kind of
test set there are 2,000, each with an interval at 95 % by each method. The share of intervals that
hold the true value has a standard error of 0.5 points where it is 95 %, and of 0.9 where it is 80
%. Runs of training are cheaper: 5,000 of each kind, with a standard error of 0.3.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from error_process import COLUMNS, DIFFICULTY, Beta, Process

from commonground.metrics.metric import f1
from commonground.statistics.bootstrap import METHODS, Sample, paired_sample
from commonground.statistics.pairing import Pairing
from commonground.statistics.runs import Runs, student, welch

__all__ = ["of_runs", "of_scores"]

CORPORA, ITERATIONS, RUNS = 2_000, 1_000, 5_000
LOST = 0.02
GOOD = Beta(97, 3)
"""The chance of a word to be right, for parsers that are right in 97 % of all cases."""

SIZES = (10, 20, 50, 100, 300, 1000)


def of_scores() -> Iterator[str]:
    """Return the table of scores, and of differences of two scores, line by line."""
    yield f"| test sets | units | of the | {' | '.join(METHODS)} |"
    yield "|---" * (3 + len(METHODS)) + "|"
    for title, options in _kinds():
        truth = _truth(options)
        documents, sentences = options.get("documents", 0), options["sentences"]
        alone = np.arange(sentences)
        ways = {f"{sentences:,} sentences": alone}
        if documents:
            groups = Process(7, **options).groups
            ways = {
                f"{documents} documents": groups,
                f"{sentences:,} sentences of {documents} documents": alone,
            }
        for units, groups in ways.items():
            result = _covered(Process(7, **options), groups, truth)
            for what, shares in result.items():
                shown = " | ".join(f"{100 * share:.1f}" for share in shares)
                yield f"| {title} | {units} | {what} | {shown} |"


def _kinds() -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the kinds of test sets, and the processes that make them."""
    for size in SIZES:
        yield "words, 80 % right", {"sentences": size, "lost": LOST}
    for size in SIZES:
        yield "words, 97 % right", {"sentences": size, "lost": LOST, "difficulty": GOOD}
    for size in SIZES:
        yield "brackets", {"sentences": size, "lost": LOST, "brackets": True}
    for size in (5, 10, 20, 50):
        yield "words, in documents", {"sentences": 20 * size, "lost": LOST, "documents": size}


def _truth(options: dict[str, Any]) -> tuple[float, float]:
    """Return the score of the first parser on very many sentences, and how much better it is."""
    if not options.get("brackets"):
        mean = float(options.get("difficulty", DIFFICULTY).mean())
        return mean, mean * LOST
    one, other = Process(8, **{**options, "sentences": 4_000_000}).pairing().scores
    return one, one - other


def _covered(process: Process, groups: Any, truth: tuple[float, float]) -> dict[str, list[float]]:
    """Return how many of the intervals hold the true score, and the true difference."""
    held = {"score": np.zeros(len(METHODS)), "difference": np.zeros(len(METHODS))}
    for seed in range(CORPORA):
        pairing = _grouped(process.pairing(), groups)
        one = Sample(pairing.one, pairing.score, pairing.scores[0], 0.0)
        for what, sample, true in zip(held, (one, paired_sample(pairing)), truth, strict=True):
            result = sample.resampled(ITERATIONS, seed)
            for place, method in enumerate(METHODS):
                low, high = sample.interval(result, 0.95, method)
                held[what][place] += low <= true <= high
    return {what: (number / CORPORA).tolist() for what, number in held.items()}


def _grouped(pairing: Pairing, groups: Any) -> Pairing:
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    one, other = (np.add.reduceat(side, starts) for side in (pairing.one, pairing.other))
    return Pairing(f1, COLUMNS, one, other)


def of_runs() -> Iterator[str]:
    """Return the table of means of training runs, and of differences of two means."""
    random = np.random.default_rng(9)
    yield "| scores of runs | runs | of the mean | Welch | Student |"
    yield "|---|---|---|---|---|"
    for title, draw, spread in (
        ("normal", _normal, 1),
        ("normal, the second system varies three times as much", _normal, 3),
        ("one run in ten fails", _failing, 1),
    ):
        for one, other in ((2, 2), (3, 3), (5, 5), (10, 10), (5, 20), (20, 5)):
            held = np.zeros(3)
            for _ in range(RUNS):
                first = Runs.of(draw(random, one))
                second = Runs.of(draw(random, other) * spread)
                mean = first.interval()
                claims = (welch(first, second), student(first, second))
                apart = [claim.interval for claim in claims if claim.interval]
                intervals = [(mean.low, mean.high), *apart]
                held += [low <= 0 <= high for low, high in intervals]
            shown = " | ".join(f"{100 * share:.1f}" for share in held / RUNS)
            yield f"| {title} | {one} and {other} | {shown} |"


def _normal(random: np.random.Generator, count: int) -> Any:
    return random.normal(0, 1, count)


def _failing(random: np.random.Generator, count: int) -> Any:
    """Return scores of which one in ten is five standard deviations lower; their mean is 0."""
    return random.normal(0, 1, count) - 5 * (random.random(count) < 0.1) + 0.5


if __name__ == "__main__":
    for line in chain(of_scores(), [""], of_runs()):
        print(line, flush=True)

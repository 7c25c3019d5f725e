"""How fast differences are tested, and in how much memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from stopwatch import Row, Task, best_times

__all__ = ["rows"]

SETUP = """
import numpy as np
from commonground.metrics.items import Counts
from commonground.metrics.constituents.parseval import METRICS
from commonground.evaluation.metric_score import Score
from commonground.statistics.bootstrap import bootstrap
from commonground.statistics.pairing import Pairing
from commonground.statistics.pairs import all_pairs
from commonground.statistics.shuffling import shuffling

random = np.random.default_rng(0)

def systems(count, sentences):
    gold = random.integers(5, 40, sentences)
    for number in range(count):
        correct = random.binomial(gold, 0.8 + number / 1000)
        system = np.maximum(correct, gold + random.integers(-2, 3, sentences))
        yield Score(METRICS[2], Counts({"correct": correct, "gold": gold, "system": system}))

"""

PEER = """
from scipy.stats import permutation_test
one, other = (score.counts.columns["correct"].astype(float) for score in systems(2, 2000))

def peer(iterations):
    permutation_test((one, other), lambda one, other, axis: one.sum(axis) - other.sum(axis),
                     permutation_type="samples", vectorized=True, batch=100,
                     n_resamples=iterations)
"""
"""What scipy is given is easier: the words right, where the denominator is the same."""

MEMORY = """
import tracemalloc
pairing = Pairing.of(*systems(2, 1_000_000))
tracemalloc.start()
{statement}
print(tracemalloc.get_traced_memory()[1] / 2**20)
"""


def rows(folder: Path) -> list[Row]:
    """Measure; nothing is written to the folder."""
    del folder
    return [*_few_sentences(), *_many_sentences()]


def _few_sentences() -> list[Row]:
    pair = SETUP + "pairing = Pairing.of(*systems(2, 2000)); shuffling(pairing, iterations=9)\n"
    many = SETUP + "scores = {str(n): s for n, s in enumerate(systems(20, 2000))}\n"
    best = best_times(
        [
            Task("shuffling", "shuffling(pairing)", pair),
            Task("bootstrap", "bootstrap(pairing)", pair),
            Task("pairs", "all_pairs(scores)", many),
            Task("scipy", "peer(1000)", SETUP + PEER),
        ],
        rounds=3,
    )
    ratio = 10 * best["scipy"] / best["shuffling"]
    return [
        Row(
            "shuffling test of 10,000 iterations on 2,000 sentences (PARSEVAL F1)",
            f"{best['shuffling']:.3f} s ({ratio:.0f} × scipy's permutation_test)",
            "< 0.2 s",
            best["shuffling"] < 0.2,
        ),
        Row(
            "the same for all pairs of 20 systems, with corrections and groups",
            f"{best['pairs']:.2f} s",
            "≤ 1 s",
            best["pairs"] <= 1,
        ),
        Row(
            "paired bootstrap of 10,000 iterations on 2,000 sentences, with a BCa interval",
            f"{best['bootstrap']:.2f} s",
            "",
            met=True,
        ),
    ]


def _many_sentences() -> list[Row]:
    return [
        _million("shuffling test", "shuffling", 10_000),
        _million("paired bootstrap", "bootstrap", 100),
    ]


def _million(what: str, test: str, iterations: int) -> Row:
    statement = f"{test}(pairing, iterations={iterations})"
    setup = SETUP + "pairing = Pairing.of(*systems(2, 1_000_000))\n"
    seconds = best_times([Task("ours", statement, setup)], rounds=1)["ours"]
    program = SETUP + MEMORY.format(statement=statement)
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    memory = float(done.stdout)
    return Row(
        f"{what} of {iterations:,} iterations on a million sentences",
        f"{seconds:.1f} s, {memory:.0f} MB above the counts",
        "< 500 MB",
        memory < 500,
    )

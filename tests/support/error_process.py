"""Parsers that do not exist: random errors with a known rate, for tests of the tests.

A sentence has a length and a difficulty, the same for all systems. Each system gets some words of
it right, more of them on a good day for that sentence (`luck`: then errors come in clusters, as
they do in trees). Two systems of the same accuracy are two random halves of one process.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import scipy

from commonground.metrics.metric import f1
from commonground.statistics.binomial import p_of_wins
from commonground.statistics.bootstrap import bootstrap
from commonground.statistics.mcnemar import mcnemar
from commonground.statistics.pairing import Pairing
from commonground.statistics.ranks import sign, wilcoxon
from commonground.statistics.shuffling import shuffling

COLUMNS = ("correct", "gold", "system")
CLUSTERED, INDEPENDENT = 20.0, None
"""How much errors come in clusters: the sum of the two parameters of a beta distribution."""


class Beta(NamedTuple):
    """A beta distribution; that of scipy draws the same numbers, but takes seconds to import."""

    one: float
    other: float

    def mean(self):
        """Return the mean of what is drawn."""
        return self.one / (self.one + self.other)

    def mean_square(self):
        """Return the mean of the squares of what is drawn."""
        return self.mean() * (self.one + 1) / (self.one + self.other + 1)


DIFFICULTY = Beta(8, 2)
"""The chance of a word to be right, which varies between sentences; 0.8 on average."""


class Process:
    """A random process that makes pairs of parsers; the second one is worse by `lost`.

    `difficulty` is the distribution of a sentence's chance; with a number of `documents`, it is
    that of theirs, and those of their sentences lie around it.
    """

    def __init__(
        self,
        seed,
        *,
        sentences=300,
        lost=0.0,
        luck=CLUSTERED,
        brackets=False,
        difficulty=DIFFICULTY,
        documents=0,
    ):
        self.random = np.random.default_rng(seed)
        self.sentences = sentences
        self.lost = lost
        self.luck = luck
        self.brackets = brackets
        self.difficulty = difficulty
        self.documents = documents

    @property
    def groups(self):
        """The document of each sentence; all are equally long."""
        return np.arange(self.sentences) * self.documents // self.sentences

    def _chances(self):
        """Return the lengths of sentences, and each system's chance for a word of each."""
        random = self.random
        length = 3 + random.poisson(15, self.sentences)
        chance = random.beta(*self.difficulty, self.documents or self.sentences)
        if self.documents:
            chance = chance[self.groups]
            drawn = random.beta(CLUSTERED * chance, CLUSTERED * (1 - chance))
            chance = np.clip(drawn, 1e-9, 1 - 1e-9)  # so that luck has something to vary
        both = [chance, chance * (1 - self.lost)]
        if self.luck is not None:
            both = [random.beta(self.luck * each, self.luck * (1 - each)) for each in both]
        return length, both

    def flags(self):
        """Return for each system which words are right."""
        length, chances = self._chances()
        words = length.sum()
        return [self.random.random(words) < np.repeat(chance, length) for chance in chances]

    def pairing(self):
        """Return the counts of two parsers: of words, or of brackets, whose number varies."""
        gold, chances = self._chances()
        return Pairing(f1, COLUMNS, *(self._counts(gold, chance) for chance in chances))

    def _counts(self, gold, chance):
        correct = self.random.binomial(gold, chance)
        system = gold
        if self.brackets:
            system = np.maximum(gold + self.random.integers(-3, 4, self.sentences), correct)
        return np.column_stack([correct, gold, system])


def claims(pairing, iterations, seed):
    """Return what each test says whose units are sentences."""
    options = {"iterations": iterations, "seed": seed}
    return {
        "shuffling": shuffling(pairing, **options),
        "bootstrap": bootstrap(pairing, method="percentile", **options),
        "wilcoxon": wilcoxon(pairing),
        "sign": sign(pairing),
    }


TESTS = ("shuffling", "bootstrap", "wilcoxon", "sign")


def p_values(process, pairs, iterations=499):
    """Return the p-values of each test of sentences, on many pairs of parsers."""
    results = [claims(process.pairing(), iterations, number) for number in range(pairs)]
    return {name: _columns([claim[name] for claim in results]) for name in TESTS}


def token_p_values(process, pairs):
    """Return the p-values of McNemar's test on many pairs of parsers."""
    return _columns([mcnemar(*process.flags()) for _ in range(pairs)])


def _columns(found):
    """Return the p-values, and the same spread between their steps.

    The number of wins is a whole number, so p takes few values, and cannot be uniform. A random
    number between p and the p of one more win is.
    """
    p = np.array([claim.p for claim in found])
    if found[0].test not in {"sign", "mcnemar"}:
        return p, p
    wins = np.array([max(claim.statistic, claim.effective - claim.statistic) for claim in found])
    losses = np.array([claim.effective for claim in found]) - wins
    below = [
        p_of_wins(int(w) + 1, int(n) - 1, "two-sided") for w, n in zip(wins, losses, strict=True)
    ]
    return p, below + (p - below) * np.random.default_rng(0).random(len(p))


def distance_from_uniform(p):
    """Return the distance of Kolmogorov and Smirnov."""
    return float(scipy.stats.kstest(p, "uniform").statistic)


def normal_power(mean, error, step=0.0):
    """Return how often a two-sided test at 0.05 finds a difference with a mean and standard error.

    An exact test of whole numbers, which go up in steps, is like one that is corrected for
    continuity: the difference must be larger by a step.
    """
    normal = NormalDist()
    bound = normal.inv_cdf(0.975) + step / error
    return normal.cdf(mean / error - bound) + normal.cdf(-mean / error - bound)


def predicted_power(process):
    """Return the power that follows from the process and each test's theory.

    What has no formula (the spread of a sentence's difference, the share of wins) comes from a
    sample of two million sentences.
    """
    large = Process(10**6, sentences=2_000_000, lost=process.lost, luck=process.luck).pairing()
    gold = large.one[:, 1]
    apart = large.one[:, 0] - large.other[:, 0]
    mean = DIFFICULTY.mean() * process.lost
    error = np.sqrt(np.mean((apart - mean * gold) ** 2) / process.sentences) / gold.mean()
    wins, losses = np.mean(apart > 0), np.mean(apart < 0)
    wins_error = np.sqrt((wins + losses - (wins - losses) ** 2) / process.sentences)
    # A word's chance is q for one system and q(1 − lost) for the other, if errors are independent.
    words = gold.mean() * process.sentences
    both = DIFFICULTY.mean_square() * (1 - process.lost)
    one_alone = DIFFICULTY.mean() - both
    other_alone = DIFFICULTY.mean() * (1 - process.lost) - both
    return {
        "shuffling": normal_power(mean, error),
        "bootstrap": normal_power(mean, error),
        "sign": normal_power(wins - losses, wins_error, 1 / process.sentences),
        "mcnemar": normal_power(mean, np.sqrt((one_alone + other_alone) / words), 1 / words),
    }

"""How much annotation does a decision between two systems need, if sentences are chosen?

    python benchmarks/choosing.py NAME=TRAIN:TEST …

For each treebank, three systems are trained (arc-eager, arc-standard, and arc-eager on half of the
sentences) and parse the raw text of TEST. For each pair of them, sentences are annotated, that is,
taken from TEST, in three ways, each a thousand times:

* drawn at random, as many as show the difference of the whole treebank with the power 0.9 (or half
  of them all, if that is not enough), W words in the mean;
* chosen by ``statistics/survey.py``, as many as have W/2 words in the mean.

* chosen in the same way, as many as have W/2 words that the two systems analyse otherwise, which
  are the only ones that have to be annotated (or all, if there are fewer).

A decision is the system that is better by the estimate. The table has how often the decision is
that of the whole treebank, how often it is certain (the interval does not have 0), and how often
the interval has the true difference. Then come σ and ρ, which the choice is made with.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

import commonground as cg
from commonground.random import stream
from commonground.statistics.survey import Estimate, draw, estimate, inclusion, size
from commonground.trials.units import differences, units_of

Numbers = NDArray[Any]

RUNS = 1000
WHAT = ("words", "heads", "decision", "certain", "interval")


def main() -> None:
    """Print the table."""
    ways = [f"{way}: {what}" for way in ("random", "words", "heads") for what in WHAT]
    columns = ["treebank", "systems", "LAS", "difference", "sentences", *ways, "σ", "ρ"]
    print("| " + " | ".join(columns) + " |")
    print("|---" * len(columns) + "|")
    for argument in sys.argv[1:]:
        name, _, files = argument.partition("=")
        train, _, test = files.partition(":")
        for row in rows(name, cg.read(train), cg.read(test)):
            print("| " + " | ".join(row) + " |", flush=True)


def rows(name: str, train: Any, test: Any) -> Iterator[list[str]]:
    """Return a row for each pair of systems."""
    text = cg.raw_text(test)
    half = train[: len(train) // 2]
    systems = {
        "eager": cg.train(train, "arc-eager", settings={"iterations": 8}),
        "standard": cg.train(train, "arc-standard", settings={"iterations": 8}),
        "half": cg.train(half, "arc-eager", settings={"iterations": 8}),
    }
    parses = {key: each.parse(each.segment(text)) for key, each in systems.items()}
    for one, other in combinations(parses, 2):
        yield [name, f"{one}, {other}", *pair(test, parses[one], parses[other])]


def pair(test: Any, one: Any, other: Any) -> list[str]:
    """Return what simulations say about a pair of systems."""
    units = units_of([one, other, test])
    differing = differences(units, (0, 1), one, other)
    words = units.words(2, test)
    lost = [differences(units, (side, 2), each, test) for side, each in ((0, one), (1, other))]
    gain = lost[1] - lost[0]
    items = one.words.rows + other.words.rows
    truth = float(gain.sum()) / items
    scores = [
        1 - each.sum() / (c.words.rows + test.words.rows)
        for each, c in zip(lost, (one, other), strict=True)
    ]
    count = enough(gain, len(words))
    random = stream(0, "choosing")
    everywhere = np.full(units.count, 1.0)
    plain = inclusion(everywhere, count)
    wanted = words @ plain / 2
    sizes = size(differing, words)
    heads = differing / 2
    cells = [
        f"{100 * scores[0]:.1f}, {100 * scores[1]:.1f}",
        f"{100 * truth:+.2f}",
        f"{units.count:,}",
    ]
    ways = [
        (plain, words),
        (inclusion(sizes, best_count(sizes, words, wanted)), heads),
        (inclusion(sizes, best_count(sizes, heads, wanted)), heads),
    ]
    for probability, annotated in ways:
        made = [simulated(gain, probability, items, random) for _ in range(RUNS)]
        right = np.mean([np.sign(each.difference) == np.sign(truth) for each in made])
        sure = np.mean([each.winner == np.sign(truth) for each in made])
        covered = np.mean(
            [each.low <= truth + 1e-12 and truth <= each.high + 1e-12 for each in made]
        )
        cells += [f"{words @ probability:,.0f}", f"{annotated @ probability:,.0f}"]
        cells += [f"{100 * share:.1f}" for share in (right, sure, covered)]
    return [*cells, *model(gain, differing)]


def simulated(
    gain: Numbers, probability: Numbers, items: int, random: np.random.Generator
) -> Estimate:
    """Return what the annotation of units drawn with these probabilities tells."""
    drawn = draw(probability, random)
    return estimate(gain[drawn], probability[drawn], items)


def enough(gain: Numbers, count: int) -> int:
    """Return how many random units show the difference with the power 0.9, at most half of all."""
    total, spread = abs(gain.sum()) / count, gain.std()
    for number in range(10, count // 2):
        if total >= (1.96 + 1.28) * spread * np.sqrt((1 - number / count) / number):
            return number
    return count // 2


def best_count(sizes: Numbers, words: Numbers, wanted: float) -> int:
    """Return how many chosen units have so many words in the mean."""
    counts = range(2, int((sizes > 0).sum()) + 1)
    return max((n for n in counts if words @ inclusion(sizes, n) <= wanted), default=2)


def model(gain: Numbers, differing: Numbers) -> list[str]:
    """Return σ and ρ: how often one of the two is right, and how alike words of a unit are."""
    middle = differing / 2
    known = middle > 0
    # E x² = 4σ(m + ρ m(m − 1)): least squares in σ and σρ, units weighted by 1 / m²
    rows = np.stack([middle[known], middle[known] * np.maximum(middle[known] - 1, 0)], axis=1)
    weight = 1 / middle[known] ** 1.5
    solved, *_ = np.linalg.lstsq(rows * weight[:, None], gain[known] ** 2 / 4 * weight, rcond=None)
    return [f"{solved[0]:.2f}", f"{solved[1] / solved[0]:.2f}"]


if __name__ == "__main__":
    main()

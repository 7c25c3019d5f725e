"""Ranks of systems that were tested on different texts, such as parsers of several languages.

No test pairs them: their sentences are not the same. Each score has an error of its own, from the
sentences of its test set. So the sentences of each system are drawn again with replacement, many
times, and all systems are ranked each time: the interval of a rank is the range that holds in so
many of these rankings.

From: Goldstein & Spiegelhalter (1996), League tables and their limitations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError
from commonground.evaluation.metric_score import Score
from commonground.random import stream
from commonground.statistics.iterations import check_iterations
from commonground.statistics.pairing import score_of_totals, unit_counts

__all__ = ["RankedSystem", "rank_intervals"]


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A system with its `score`, its `rank` from 1, and the intervals of both."""

    name: str
    score: float
    interval: tuple[float, float]
    rank: int
    ranks: tuple[int, int]


def rank_intervals(
    scores: Mapping[str, Score], *, iterations: int = 2000, seed: int = 0, confidence: float = 0.95
) -> list[RankedSystem]:
    """Return systems in the order of their scores, with intervals of scores and ranks.

    >>> from commonground import evaluate
    >>> same = evaluate("example:ud", "example:ud-parse")["uas"]
    >>> best = evaluate("example:ud", "example:ud")["uas"]
    >>> ranked = rank_intervals({"one": same, "other": same, "best": best}, iterations=200)
    >>> [(each.name, each.ranks) for each in ranked]
    [('best', (1, 1)), ('one', (2, 3)), ('other', (2, 3))]
    """
    if not scores:
        raise UsageError("there is no system to rank")
    check_iterations(iterations)
    names = sorted(scores, key=lambda name: -float(scores[name]))
    drawn = np.stack(
        [_drawn(scores[name], iterations, seed, place) for place, name in enumerate(scores)], axis=1
    )[:, [list(scores).index(name) for name in names]]
    better = drawn[:, :, None] < drawn[:, None, :]
    ranks = 1 + better.sum(axis=2)
    tails = [50 * (1 - confidence), 50 * (1 + confidence)]
    low, high = np.percentile(drawn, tails, axis=0)
    first, last = np.percentile(ranks, tails, axis=0, method="nearest")
    return [
        RankedSystem(
            name,
            float(scores[name]),
            (float(low[place]), float(high[place])),
            place + 1,
            (int(first[place]), int(last[place])),
        )
        for place, name in enumerate(names)
    ]


def _drawn(score: Score, iterations: int, seed: int, system: int) -> NDArray[np.float64]:
    """Return the scores of samples of the sentences, drawn with replacement."""
    columns, rows = unit_counts(score)
    random = stream(seed, "rank intervals", system)
    totals = np.empty((iterations, len(columns)), np.int64)
    for at in range(iterations):
        totals[at] = rows[random.integers(len(rows), size=len(rows))].sum(axis=0)
    return score_of_totals(score.metric.formula, columns, totals)

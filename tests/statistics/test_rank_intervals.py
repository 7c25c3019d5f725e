"""Ranks of systems that were tested on different texts."""

import numpy as np
import pytest

from commonground.errors import UsageError
from commonground.evaluation.metric_score import Score
from commonground.metrics.items import Counts
from commonground.metrics.registry import metrics_for
from commonground.statistics.rank_intervals import rank_intervals


def score(share, sentences, seed=0):
    """A system that is right in a share of ten words in each sentence."""
    right = np.random.default_rng(seed).binomial(10, share, sentences)
    ten = np.full(sentences, 10)
    counts = Counts({"correct": right, "gold": ten, "system": ten})
    return Score(metrics_for("dependencies")["uas"], counts)


def test_systems_far_apart_have_one_rank_and_near_ones_several():
    scores = {"good": score(0.9, 200), "a": score(0.7, 200, 1), "b": score(0.7, 200, 2)}
    ranked = {each.name: each for each in rank_intervals(scores, iterations=500)}
    assert ranked["good"].ranks == (1, 1)
    assert {ranked["a"].ranks, ranked["b"].ranks} == {(2, 3)}
    assert all(each.interval[0] <= each.score <= each.interval[1] for each in ranked.values())


def test_the_order_in_which_systems_are_given_does_not_change_their_scores():
    scores = {"a": score(0.8, 50), "b": score(0.6, 50, 1)}
    turned = dict(reversed(scores.items()))
    one, other = (rank_intervals(each, iterations=200) for each in (scores, turned))
    assert [each.name for each in one] == [each.name for each in other] == ["a", "b"]


def test_the_true_rank_is_in_the_interval_about_as_often_as_said():
    truth = {"a": 0.74, "b": 0.72, "c": 0.70}
    held = [
        each.ranks[0] <= "abc".index(each.name) + 1 <= each.ranks[1]
        for seed in range(20)
        for each in rank_intervals(
            {n: score(s, 100, 10 * seed + at) for at, (n, s) in enumerate(truth.items())},
            iterations=200,
        )
    ]
    assert sum(held) / len(held) > 0.9


def test_no_system_has_no_rank():
    with pytest.raises(UsageError, match="no system"):
        rank_intervals({})

"""Scores of training runs: Spreyer's table, scipy, all ways to deal scores out."""

from __future__ import annotations

import math
import sys
from itertools import combinations

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import MissingExtraError, UsageError
from commonground.statistics import runs as module
from commonground.statistics.claim import ALTERNATIVES
from commonground.statistics.corrections import holm
from commonground.statistics.runs import Runs, permutation, student, welch

# Spreyer (2010), Table 7: UAS of ten parsers each, trained on random samples of projected trees.
TABLE_7 = {
    "nl_ptb": [68.51, 70.07, 69.21, 69.45, 68.47, 69.07, 69.99, 69.71, 68.77, 68.83],
    "nl_tig": [67.25, 66.79, 68.13, 68.29, 67.31, 66.97, 67.87, 66.43, 67.11, 67.67],
    "it_ptb": [66.56, 66.45, 66.07, 66.47, 66.74, 66.20, 66.56, 66.37, 66.05, 66.96],
    "it_tig": [54.01, 54.21, 53.37, 52.77, 52.55, 53.66, 52.70, 52.70, 52.08, 52.82],
}
PRINTED = {
    "nl_ptb": (69.21, 0.58),
    "nl_tig": (67.38, 0.60),
    "it_ptb": (66.44, 0.29),
    "it_tig": (53.09, 0.69),
}
SCORES = st.lists(st.integers(0, 1000).map(lambda n: n / 1000), min_size=2, max_size=8)
VARYING = SCORES.filter(lambda scores: len(set(scores)) > 1)


# ── Spreyer's Table 7 ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", TABLE_7)
def test_the_means_and_deviations_of_table_7_come_out(name):
    runs = Runs.of(TABLE_7[name])
    assert (round(runs.mean, 2), round(runs.sd, 2)) == PRINTED[name]
    assert runs.standard_error == pytest.approx(runs.sd / math.sqrt(10))


@pytest.mark.parametrize("test", [student, welch, permutation])
@pytest.mark.parametrize("language", ["nl", "it"])
def test_the_parser_from_english_is_significantly_better(test, language):
    """'According to a t-test, this is significantly (p < 0.01) better' (section 4.1)."""
    claim = test(TABLE_7[f"{language}_ptb"], TABLE_7[f"{language}_tig"])
    assert claim.p < 0.01
    assert claim.difference == pytest.approx({"nl": 1.83, "it": 13.35}[language], abs=0.011)
    assert (claim.units, claim.unit) == (20, "run")


@pytest.mark.parametrize("test", [student, welch])
@pytest.mark.parametrize("language", ["nl", "it"])
def test_what_a_paper_prints_is_enough_for_a_t_test(test, language):
    printed = [Runs(*PRINTED[f"{language}_{scheme}"], 10) for scheme in ("ptb", "tig")]
    scores = [TABLE_7[f"{language}_{scheme}"] for scheme in ("ptb", "tig")]
    assert test(*printed).p < 0.01
    assert test(*printed).statistic == pytest.approx(test(*scores).statistic, rel=0.02)


def test_all_pairs_of_table_7_differ_after_correction():
    p = [student(one, other).p for one, other in combinations(TABLE_7.values(), 2)]
    assert (holm(p) < 0.01).all()


# ── scipy ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("test", "equal"), [(student, True), (welch, False)])
@given(one=VARYING, other=VARYING)
def test_t_tests_are_those_of_scipy(test, equal, alternative, one, other):
    claim = test(one, other, alternative=alternative)
    theirs = scipy.stats.ttest_ind(one, other, equal_var=equal, alternative=alternative)
    assert claim.statistic == pytest.approx(theirs.statistic, rel=1e-9, abs=1e-9)
    assert claim.p == pytest.approx(theirs.pvalue, rel=1e-6, abs=1e-12)
    if alternative == "two-sided":
        interval = theirs.confidence_interval(0.95)
        assert claim.interval == pytest.approx((interval.low, interval.high), abs=1e-9)


@pytest.mark.parametrize(("test", "equal"), [(student, True), (welch, False)])
def test_t_tests_from_printed_numbers_are_those_of_scipy(test, equal):
    for sd in (0.29, 0.0):
        claim = test(Runs(69.21, 0.58, 10), Runs(69.0, sd, 5))
        theirs = scipy.stats.ttest_ind_from_stats(69.21, 0.58, 10, 69.0, sd, 5, equal_var=equal)
        assert (claim.statistic, claim.p) == pytest.approx(tuple(theirs))


@given(SCORES, st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_the_interval_of_the_mean_is_that_of_scipy(scores, confidence):
    runs = Runs.of(scores).interval(confidence)
    spread = np.std(scores, ddof=1) / math.sqrt(len(scores))
    if spread > 1e-9:
        theirs = scipy.stats.t.interval(confidence, len(scores) - 1, np.mean(scores), spread)
        assert (runs.low, runs.high) == pytest.approx(theirs)
    assert (runs.units, runs.confidence) == (len(scores), confidence)


def test_the_permutation_test_of_table_7_is_that_of_scipy():
    one, other = TABLE_7["it_ptb"][:6], TABLE_7["nl_tig"][:6]
    theirs = scipy.stats.permutation_test(
        (one, other), lambda a, b: np.mean(a) - np.mean(b), n_resamples=10**4
    )
    assert permutation(one, other).p == pytest.approx(theirs.pvalue)


# ── the permutation test ─────────────────────────────────────────────────────────────────────────


def enumerated(one, other, alternative):
    """Return p in whole numbers: thousandths of points, times the number of runs."""
    values = [round(1000 * score) for score in (*one, *other)]
    total = sum(values)
    seen = sum(values[: len(one)]) * len(values) - total * len(one)
    ways = [
        sum(values[place] for place in places) * len(values) - total * len(one)
        for places in combinations(range(len(values)), len(one))
    ]
    extreme = {
        "two-sided": lambda way: abs(way) >= abs(seen),
        "greater": lambda way: way >= seen,
        "less": lambda way: way <= seen,
    }[alternative]
    return sum(map(extreme, ways)) / len(ways)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(one=SCORES.filter(lambda s: len(s) < 6), other=SCORES.filter(lambda s: len(s) < 6))
def test_few_runs_are_dealt_out_in_all_ways(alternative, one, other):
    claim = permutation(one, other, alternative=alternative)
    assert claim.p == pytest.approx(enumerated(one, other, alternative))
    assert claim.exact
    assert claim.iterations == math.comb(len(one) + len(other), len(one))


def test_ten_runs_each_are_dealt_out_in_all_ways():
    claim = permutation(TABLE_7["nl_ptb"], TABLE_7["nl_tig"])
    assert (claim.iterations, claim.exact, claim.seed) == (184_756, True, None)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_random_ways_come_near_all_ways(alternative, monkeypatch):
    one, other = TABLE_7["nl_ptb"][:7], [score + 1.6 for score in TABLE_7["nl_tig"][:6]]
    exact = permutation(one, other, alternative=alternative)
    monkeypatch.setattr(module, "_MOST_WAYS", 100)
    sampled = permutation(one, other, alternative=alternative, iterations=20_000, seed=5)
    assert (sampled.exact, sampled.iterations, sampled.seed) == (False, 20_000, 5)
    error = math.sqrt(exact.p * (1 - exact.p) / 20_000)
    assert abs(sampled.p - exact.p) < 4 * error + 1e-4


def test_the_same_seed_gives_the_same_p_and_another_one_another():
    random = np.random.default_rng(1)
    one, other = random.normal(size=30), random.normal(0.3, size=30)
    p = [permutation(one, other, iterations=999, seed=seed).p for seed in (1, 1, 2)]
    assert p[0] == p[1] != p[2]


def test_p_is_never_nothing():
    one, other = np.arange(30.0), np.arange(30.0) + 100
    assert permutation(one, other, iterations=99).p == pytest.approx(0.01)


def test_equal_runs_do_not_differ():
    assert permutation([0.1] * 3, [0.1] * 4).p == 1


@given(SCORES, SCORES)
def test_the_sides_can_be_swapped(one, other):
    forth, back = (
        permutation(one, other, alternative="greater"),
        permutation(other, one, alternative="less"),
    )
    assert forth.p == pytest.approx(back.p)
    assert forth.difference == -back.difference


# ── simulated runs ───────────────────────────────────────────────────────────────────────────────


def simulated(test, difference=0.0, spread=1.0, pairs=1000):
    """Return the p-values of many pairs of six and seven random runs."""
    random = np.random.default_rng(17)
    return np.array(
        [test(random.normal(difference, 1, 6), random.normal(0, spread, 7)).p for _ in range(pairs)]
    )


@pytest.mark.long
@pytest.mark.parametrize("test", [student, welch, permutation])
def test_p_values_of_equal_systems_are_uniform(test):
    """The distance of Kolmogorov and Smirnov is exceeded by one in a hundred of uniform samples."""
    assert scipy.stats.kstest(simulated(test), "uniform").statistic < 1.63 / math.sqrt(1000)


@pytest.mark.long
def test_welch_allows_for_another_spread_and_student_does_not():
    level = [np.mean(simulated(test, spread=6) <= 0.05) for test in (welch, student)]
    error = math.sqrt(0.05 * 0.95 / 1000)
    assert abs(level[0] - 0.05) < 4 * error
    assert abs(level[1] - 0.05) > abs(level[0] - 0.05)


def test_the_power_of_a_t_test_is_that_of_the_noncentral_distribution():
    free, shift = 11, 1.5 / math.sqrt(1 / 6 + 1 / 7)
    bound = scipy.stats.t.ppf(0.975, free)
    predicted = scipy.stats.nct.sf(bound, free, shift) + scipy.stats.nct.cdf(-bound, free, shift)
    measured = np.mean(simulated(student, difference=1.5) <= 0.05)
    assert abs(measured - predicted) < 4 * math.sqrt(predicted * (1 - predicted) / 1000)


# ── what is refused ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("scores", [[], [0.5], [0.5, math.nan], [0.5, math.inf]])
def test_what_has_no_spread_is_refused(scores):
    with pytest.raises(UsageError):
        Runs.of(scores)


def test_a_negative_deviation_is_refused():
    with pytest.raises(UsageError, match="not negative"):
        Runs(0.5, -0.1, 3)


@pytest.mark.parametrize("test", [student, welch])
def test_a_t_test_without_any_spread_is_refused(test):
    with pytest.raises(UsageError, match="do not vary"):
        test([0.1, 0.1], [0.2, 0.2, 0.2])


def test_a_permutation_test_without_scores_is_refused():
    with pytest.raises(UsageError, match="needs the scores"):
        permutation(Runs(0.5, 0.1, 3), [0.1, 0.2])


def test_a_confidence_that_is_none_is_refused():
    with pytest.raises(UsageError, match="between 0 and 1"):
        Runs.of([0.1, 0.2]).interval(95)


def test_the_extra_is_named_where_scipy_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(MissingExtraError, match=r"commonground\[statistics\]"):
        student([0.1, 0.2], [0.2, 0.3])

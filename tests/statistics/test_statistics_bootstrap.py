"""The paired bootstrap and its intervals: scipy, known distributions, coverage, and laws."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy
from error_process import Process
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples

from commonground.errors import UsageError
from commonground.evaluation.metric_score import Score
from commonground.metrics.items import Counts
from commonground.metrics.metric import Metric, f1, precision, recall
from commonground.random import stream
from commonground.statistics import resampling
from commonground.statistics.bootstrap import METHODS, bootstrap
from commonground.statistics.claim import ALTERNATIVES
from commonground.statistics.intervals import interval
from commonground.statistics.pairing import Pairing
from commonground.statistics.resampling import resampled_totals

COLUMNS = ("correct", "gold", "system")
SEEDS = st.integers(0, 10**6)


def score(rows, formula=f1):
    """Return a score with rows of counts."""
    columns = dict(zip(COLUMNS, np.asarray(rows).T, strict=True))
    return Score(Metric("x", "x", lambda _: None, "", formula), Counts(columns))


def skewed(seed=4, sentences=15):
    """Return a pairing on a few sentences of very different lengths and qualities."""
    random = np.random.default_rng(seed)
    gold = 1 + np.rint(random.lognormal(2, 1.2, sentences)).astype(np.int64)
    sides = (np.column_stack([random.binomial(gold, p), gold, gold]) for p in (0.95, 0.5))
    return Pairing(f1, COLUMNS, *sides)


# ── resampling ───────────────────────────────────────────────────────────────────────────────────


def test_a_resample_has_as_many_units_as_there_are():
    rows = np.column_stack([np.ones(50, np.int64), np.arange(50)])
    totals = resampled_totals(rows, 200, seed=1)
    assert (totals[:, 0] == 50).all()
    assert totals[:, 1].mean() == pytest.approx(49 * 25, rel=0.02)


@pytest.mark.parametrize("size", [3, 7, 1 << 15])
def test_slices_draw_from_the_same_distribution(monkeypatch, size):
    """Each unit is drawn by a binomial number of times, and any two compete for the places."""
    monkeypatch.setattr(resampling, "_SLICE", size)
    units, iterations = 10, 20_000
    weights = resampled_totals(np.eye(units, dtype=np.int64), iterations, seed=3)
    assert (weights.sum(axis=1) == units).all()
    expected = scipy.stats.multinomial(units, [1 / units] * units).cov()
    spread = np.cov(weights.T)
    assert np.abs(weights.mean(axis=0) - 1).max() < 4.5 / np.sqrt(iterations)
    assert np.abs(spread - expected).max() < 0.05
    times = np.bincount(weights[:, 0], minlength=units + 1) / iterations
    assert times == pytest.approx(
        scipy.stats.binom.pmf(np.arange(units + 1), units, 0.1), abs=0.015
    )


def test_resamples_of_three_units_are_those_of_an_enumeration():
    rows = np.array([[1], [10], [100]])
    result = resampled_totals(rows, 27_000, seed=0)[:, 0]
    every = [sum(drawn) for drawn in product([1, 10, 100], repeat=3)]
    for value in set(every):
        share = every.count(value) / 27
        assert np.mean(result == value) == pytest.approx(share, abs=4 * np.sqrt(share / 27_000))


def test_many_slices_are_summed_exactly(monkeypatch):
    monkeypatch.setattr(resampling, "_SLICE", 10)
    big = 2**40 + 1
    totals = resampled_totals(np.full((95, 2), big), 5, seed=0)
    assert (totals == 95 * big).all()


@pytest.mark.parametrize("block", [1, 50, 1 << 15])
@settings(max_examples=examples(100))
@given(
    st.lists(st.tuples(*[st.integers(-3, 2**45)] * 3, st.integers(0, 9)), min_size=2, max_size=9)
)
def test_sums_are_those_of_the_units_drawn_one_by_one(block, rows):
    """However many are drawn at once, and however their numbers share the bits of a sum."""
    counts = np.array(rows, np.int64)
    units, iterations = len(rows), 12
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resampling, "_BLOCK", block)
        result = resampled_totals(counts, iterations, seed=5)
    random = stream(5, "resampling", 0)
    for totals in result:
        assert totals.tolist() == counts[random.integers(units, size=units)].sum(axis=0).tolist()


# ── against scipy ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("pairing", [Process(9, sentences=150, brackets=True).pairing(), skewed()])
def test_intervals_of_a_difference_agree_with_scipy(pairing, method):
    def statistic(*columns, axis):
        one, other = (
            f1(dict(zip(COLUMNS, (c.sum(axis) for c in side), strict=True)))
            for side in (columns[:3], columns[3:])
        )
        return one - other

    peer = scipy.stats.bootstrap(
        (*pairing.one.T, *pairing.other.T),
        statistic,
        paired=True,
        vectorized=True,
        n_resamples=20_000,
        batch=1000,
        method={"bca": "BCa", "percentile": "percentile"}[method],
        rng=np.random.default_rng(1),
    )
    claim = bootstrap(pairing, iterations=20_000, method=method)
    bounds = peer.confidence_interval
    # The standard error of a quantile at 2.5 % is 0.019 standard deviations where they are normal;
    # BCa moves it further out, where there are fewer.
    allowed = (0.12 if method == "percentile" else 0.25) * peer.standard_error
    assert claim.interval == pytest.approx((bounds.low, bounds.high), abs=allowed)


def test_bca_corrects_what_is_skewed():
    low, high = bootstrap(skewed(), method="bca").interval
    lower, higher = bootstrap(skewed(), method="percentile").interval
    assert abs(low - lower) + abs(high - higher) > 0.02


@pytest.mark.parametrize("method", METHODS)
def test_intervals_of_one_score_agree_with_scipy(method):
    rows = Process(2, sentences=80, brackets=True).pairing().one

    def statistic(*columns, axis):
        return f1(dict(zip(COLUMNS, (c.sum(axis) for c in columns), strict=True)))

    peer = scipy.stats.bootstrap(
        tuple(rows.T),
        statistic,
        paired=True,
        vectorized=True,
        n_resamples=20_000,
        confidence_level=0.9,
        method={"bca": "BCa", "percentile": "percentile"}[method],
        rng=np.random.default_rng(1),
    )
    result = interval(score(rows), 0.9, method, iterations=20_000)
    bounds = peer.confidence_interval
    assert result.value == score(rows).value
    assert (result.low, result.high) == pytest.approx(
        (bounds.low, bounds.high), abs=0.15 * peer.standard_error
    )


def test_p_is_that_of_a_normal_difference_where_the_difference_is_normal():
    pairing = Process(9, sentences=400, lost=0.03).pairing()
    gold = pairing.one[:, 1]
    apart = pairing.one[:, 0] - pairing.other[:, 0]
    error = np.sqrt(((apart - pairing.difference * gold) ** 2).sum()) / gold.sum()
    expected = 2 * scipy.stats.norm.sf(abs(pairing.difference) / error)
    assert 0.01 < expected < 0.5
    assert bootstrap(pairing).p == pytest.approx(expected, abs=0.02)


# ── coverage ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("method", METHODS)
def test_intervals_cover_the_true_score_as_often_as_they_say(method):
    """300 corpora of one process, whose accuracy is 0.8: within 3 standard errors of 90 %."""
    process = Process(11, sentences=120)
    hits = 0
    for seed in range(300):
        result = interval(
            score(process.pairing().one, recall), 0.9, method, iterations=300, seed=seed
        )
        hits += result.low <= 0.8 <= result.high
    assert abs(hits / 300 - 0.9) < 3 * np.sqrt(0.09 / 300)


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────

MIRROR = {"two-sided": "two-sided", "greater": "less", "less": "greater"}


def random_pairing(seed, formula=f1):
    random = np.random.default_rng(seed)
    count = int(random.integers(2, 30))
    gold = random.integers(1, 9, count)
    sides = (np.column_stack([random.integers(0, gold + 1), gold, gold]) for _ in range(2))
    return Pairing(formula, COLUMNS, *sides)


@settings(max_examples=examples(50))
@given(SEEDS, st.sampled_from(ALTERNATIVES), st.sampled_from(METHODS))
def test_systems_the_other_way_round_mirror_the_claim(seed, alternative, method):
    pairing = random_pairing(seed)
    claim = bootstrap(pairing, alternative=alternative, method=method, iterations=200)
    mirrored = bootstrap(
        pairing.mirrored(), alternative=MIRROR[alternative], method=method, iterations=200
    )
    low, high = claim.interval
    assert mirrored.p == claim.p
    assert mirrored.difference == -claim.difference
    assert mirrored.interval == pytest.approx((-high, -low), abs=1e-9)


@settings(max_examples=examples(30))
@given(SEEDS, st.sampled_from(ALTERNATIVES), st.sampled_from(METHODS))
def test_identical_systems_have_p_1_and_no_width(seed, alternative, method):
    one = random_pairing(seed).one
    claim = bootstrap(
        Pairing(f1, COLUMNS, one, one), alternative=alternative, method=method, iterations=50
    )
    assert (claim.p, claim.difference, claim.interval) == (1.0, 0.0, (0.0, 0.0))


@settings(max_examples=examples(30))
@given(SEEDS, st.sampled_from(METHODS))
def test_more_confidence_is_a_wider_interval(seed, method):
    rows = score(random_pairing(seed).one)
    inner, outer = (interval(rows, c, method, iterations=200, seed=seed) for c in (0.5, 0.9))
    assert 0 <= outer.low <= inner.low <= inner.high <= outer.high <= 1


@given(SEEDS)
def test_the_same_seed_gives_the_same_claim(seed):
    pairing = random_pairing(seed)
    one, other = (bootstrap(pairing, iterations=50, seed=seed) for _ in range(2))
    assert one == other


def test_precision_and_documents_have_intervals_too():
    rows = Process(2, sentences=60, brackets=True).pairing().one
    by_sentence = interval(score(rows), formula=precision)
    by_document = interval(score(rows), groups=np.arange(60) // 10)
    assert by_sentence.value == score(rows).precision
    assert (by_document.unit, by_document.units) == ("document", 6)
    assert by_document.value == score(rows).value


def test_a_perfect_score_has_an_interval_without_width():
    result = interval(score([[4, 4, 4]] * 5), iterations=20)
    assert (result.low, result.high) == (1.0, 1.0)


def test_all_resamples_on_one_side_still_have_an_interval():
    """Two units, one iteration or few: the bias cannot be told, and nothing is infinite."""
    pairing = Pairing(f1, COLUMNS, np.array([[1, 2, 2], [2, 2, 2]]), np.zeros((2, 3), np.int64))
    for seed in range(20):
        low, high = bootstrap(pairing, iterations=1, seed=seed).interval
        assert np.isfinite([low, high]).all()


def test_what_makes_no_sense_is_refused():
    pairing = random_pairing(0)
    single = Pairing(f1, COLUMNS, pairing.one[:1], pairing.other[:1])
    for arguments, message in (
        ({"confidence": 95.0}, "the confidence is 95.0"),
        ({"method": "basic"}, "no interval 'basic'"),
        ({"iterations": 0}, "0 iterations"),
        ({"alternative": "more"}, "no alternative"),
    ):
        with pytest.raises(UsageError, match=message):
            bootstrap(pairing, **arguments)
    with pytest.raises(UsageError, match="cannot draw from 1 units"):
        bootstrap(single)
    with pytest.raises(UsageError, match="at least 2; there are 0"):
        interval(score(np.zeros((0, 3), np.int64)))

"""The shuffling test: all swaps of twelve sentences, scipy, and the laws of a paired test."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import scipy
from error_process import Process
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import UsageError
from commonground.metrics.functions.tedeval_2011 import score as tedeval_2011
from commonground.metrics.metric import f1, precision, recall
from commonground.statistics import shuffling as module
from commonground.statistics.claim import ALTERNATIVES
from commonground.statistics.pairing import Pairing
from commonground.statistics.shuffling import shuffled_differences, shuffling

COLUMNS = ("correct", "gold", "system")


@st.composite
def pairings(draw, most=40, formula=None):
    """Counts of two systems on a few sentences, often equal ones."""
    count = draw(st.integers(0, most))
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    gold = random.integers(0, 9, count)
    sides = []
    for _ in range(2):
        system = random.integers(0, 9, count)
        sides.append(
            np.column_stack([random.integers(0, np.minimum(gold, system) + 1), gold, system])
        )
    same = random.random(count) < draw(st.sampled_from([0, 0.5]))
    sides[1][same] = sides[0][same]
    return Pairing(formula or draw(st.sampled_from([f1, precision, recall])), COLUMNS, *sides)


def exact_difference(formula, one, other):
    """Return the difference of two scores as a fraction."""

    def value(totals):
        correct, gold, system = (int(n) for n in totals)
        part, whole = {
            f1: (2 * correct, gold + system),
            precision: (correct, system),
            recall: (correct, gold),
        }[formula]
        return Fraction(part, whole) if whole else Fraction(1)

    return value(one) - value(other)


def enumerated(pairing, alternative):
    """Return p from all swaps one by one, in exact arithmetic."""
    seen = exact_difference(pairing.formula, pairing.one.sum(0), pairing.other.sum(0))
    extreme = total = 0
    for swaps in product([False, True], repeat=pairing.units):
        swap = np.array(swaps)[:, None]
        one = np.where(swap, pairing.other, pairing.one).sum(0)
        other = np.where(swap, pairing.one, pairing.other).sum(0)
        result = exact_difference(pairing.formula, one, other)
        extreme += {
            "two-sided": abs(result) >= abs(seen),
            "greater": result >= seen,
            "less": result <= seen,
        }[alternative]
        total += 1
    return Fraction(extreme, total)


# ── against enumeration and scipy ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("formula", [f1, precision, recall])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_p_is_that_of_all_swaps_of_twelve_sentences(formula, alternative):
    process = Process(5, sentences=12, lost=0.05, brackets=True).pairing()
    pairing = Pairing(formula, process.columns, process.one, process.other)
    claim = shuffling(pairing, alternative=alternative)
    assert claim.exact
    assert claim.seed is None
    assert claim.iterations == 2 ** int(pairing.different.sum())
    assert claim.p == pytest.approx(float(enumerated(pairing, alternative)), abs=1e-12)


@given(pairings(most=6), st.sampled_from(ALTERNATIVES))
def test_ties_are_ties_although_their_roundings_differ(pairing, alternative):
    assert shuffling(pairing, alternative=alternative).p == float(enumerated(pairing, alternative))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_a_sample_of_the_swaps_comes_near_to_all_of_them(alternative):
    pairing = Process(7, sentences=12, lost=0.05, brackets=True).pairing()
    every = shuffling(pairing, alternative=alternative)
    assert every.exact
    for seed in range(3):
        fewer = every.iterations - 1
        claim = shuffling(pairing, alternative=alternative, iterations=fewer, seed=seed)
        assert not claim.exact
        assert claim.iterations == fewer
        error = np.sqrt(every.p * (1 - every.p) / fewer)
        assert abs(claim.p - every.p) < 4 * error + 1 / fewer


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("sentences", [10, 200])
def test_p_agrees_with_scipy(alternative, sentences):
    pairing = Process(3, sentences=sentences, lost=0.04).pairing()
    gold = pairing.one[:, 1].sum()

    def statistic(one, other, axis):
        return (one.sum(axis) - other.sum(axis)) / gold

    peer = scipy.stats.permutation_test(
        (pairing.one[:, 0].astype(float), pairing.other[:, 0].astype(float)),
        statistic,
        permutation_type="samples",
        n_resamples=9_999,
        alternative=alternative,
        vectorized=True,
        rng=np.random.default_rng(0),
    )
    claim = shuffling(pairing, alternative=alternative, iterations=9_999)
    assert claim.difference == pytest.approx(peer.statistic)
    if claim.exact:
        assert claim.p == pytest.approx(peer.pvalue, abs=1e-12)
    else:
        # Two independent samples; scipy's two-sided p is twice the smaller tail.
        assert abs(claim.p - peer.pvalue) < 4 * np.sqrt(4 * claim.p * (1 - claim.p) / 9_999)


def test_a_sampled_p_is_never_zero():
    same = np.array([[9, 9, 9]] * 100)
    pairing = Pairing(f1, COLUMNS, same, same - [[9, 0, 0]])
    claim = shuffling(pairing, iterations=999)
    assert claim.p == 1 / 1000


def test_precision_and_recall_are_tested_apart():
    """A system that says more has more right and more wrong: recall differs, precision does not."""
    random = np.random.default_rng(1)
    gold = np.full(100, 20)
    one = np.column_stack([random.binomial(20, 0.6, 100), gold, np.full(100, 20)])
    other = np.column_stack([random.binomial(15, 0.6, 100), gold, np.full(100, 15)])
    assert shuffling(Pairing(recall, COLUMNS, one, other)).p < 0.001
    assert shuffling(Pairing(precision, COLUMNS, one, other)).p > 0.05


def test_any_formula_over_sums_can_be_tested():
    one, other = np.array([[0, 8, 8]] * 9), np.array([[2, 8, 8]] * 9)
    claim = shuffling(Pairing(tedeval_2011, ("cost", "gold", "system"), one, other))
    assert claim.difference == 0.125
    assert claim.p == 2 / 2**9


def test_documents_are_swapped_as_a_whole():
    """Twenty sentences that all speak for one system; but they are of two documents only."""
    one, other = np.array([[4, 4, 4]] * 20), np.array([[3, 4, 4]] * 20)
    assert shuffling(Pairing(f1, COLUMNS, one, other)).p < 0.001
    one, other = (side.reshape(2, 10, 3).sum(axis=1) for side in (one, other))
    assert shuffling(Pairing(f1, COLUMNS, one, other, "document")).p == 0.5


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────

MIRROR = {"two-sided": "two-sided", "greater": "less", "less": "greater"}


@given(pairings(), st.sampled_from(ALTERNATIVES), st.integers(0, 99))
def test_systems_the_other_way_round_mirror_the_claim(pairing, alternative, seed):
    claim = shuffling(pairing, alternative=alternative, iterations=200, seed=seed)
    mirrored = shuffling(
        pairing.mirrored(), alternative=MIRROR[alternative], iterations=200, seed=seed
    )
    assert mirrored.p == claim.p
    assert mirrored.difference == -claim.difference


@given(pairings(), st.sampled_from(ALTERNATIVES))
def test_identical_systems_have_p_1(pairing, alternative):
    same = Pairing(pairing.formula, COLUMNS, pairing.one, pairing.one)
    claim = shuffling(same, alternative=alternative, iterations=10)
    assert (claim.p, claim.difference, claim.effective) == (1.0, 0.0, 0)


@given(pairings(formula=recall), st.integers(0, 30), st.integers(0, 40))
def test_units_with_equal_counts_do_not_change_p(pairing, count, place):
    """By recall, whose denominator is the same in both systems: the differences shrink alike."""
    equal = np.full((count, 3), 7)
    one, other = (
        np.insert(side, min(place, len(side)), equal, axis=0)
        for side in (pairing.one, pairing.other)
    )
    longer = Pairing(pairing.formula, COLUMNS, one, other)
    p, same = (shuffling(each, iterations=200).p for each in (pairing, longer))
    assert p == same


@given(pairings(), st.integers(1, 300), st.integers(0, 99))
def test_the_same_seed_gives_the_same_p(pairing, iterations, seed):
    claims = [shuffling(pairing, iterations=iterations, seed=seed) for _ in range(2)]
    assert claims[0] == claims[1]
    assert 0 < claims[0].p <= 1


def test_other_seeds_give_other_shuffles():
    pairing = Process(1, sentences=50).pairing()
    one, other = (shuffled_differences(pairing, iterations=100, seed=seed)[0] for seed in (0, 1))
    assert (one != other).any()


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_the_shuffles_do_not_depend_on_the_size_of_blocks(monkeypatch, size):
    pairing = Process(1, sentences=100, brackets=True).pairing()
    before, _ = shuffled_differences(pairing, iterations=777, seed=5)
    monkeypatch.setattr(module, "_BYTES_AT_ONCE", size)
    after, _ = shuffled_differences(pairing, iterations=777, seed=5)
    assert np.array_equal(before, after)


@pytest.mark.long
def test_every_unit_is_swapped_half_of_the_time_and_by_itself():
    """With powers of two as counts, the sum over the swapped units tells which they are."""
    weights = 2 ** np.arange(20)
    one = np.column_stack([weights, np.ones(20, np.int64)])
    other = np.column_stack([np.zeros(20, np.int64), np.ones(20, np.int64)])
    pairing = Pairing(recall, ("correct", "gold"), one, other)
    result, exact = shuffled_differences(pairing, iterations=20_000, seed=2)
    assert not exact
    swapped = np.rint((2**20 - 1 - result * 20) / 2).astype(np.int64)
    bits = (swapped[:, None] >> np.arange(20)) & 1
    assert np.abs(bits.mean(axis=0) - 0.5).max() < 4 * 0.5 / np.sqrt(20_000)
    together = np.corrcoef(bits.T) - np.eye(20)
    assert np.abs(together).max() < 5 / np.sqrt(20_000)


def test_what_makes_no_sense_is_refused():
    pairing = Process(1, sentences=5).pairing()
    with pytest.raises(UsageError, match="no alternative 'better'"):
        shuffling(pairing, alternative="better")
    with pytest.raises(UsageError, match="0 iterations"):
        shuffling(pairing, iterations=0)

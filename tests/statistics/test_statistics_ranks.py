"""Wilcoxon's test, the sign test and McNemar's test: scipy, enumeration, and laws."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import scipy
from error_process import Process
from hypothesis import given
from hypothesis import strategies as st

from commonground import evaluate
from commonground.errors import UsageError
from commonground.metrics.metric import recall
from commonground.statistics.binomial import p_of_wins
from commonground.statistics.claim import ALTERNATIVES
from commonground.statistics.mcnemar import VARIANTS, mcnemar
from commonground.statistics.pairing import Pairing
from commonground.statistics.ranks import sign, wilcoxon

MIRROR = {"two-sided": "two-sided", "greater": "less", "less": "greater"}
alternatives = pytest.mark.parametrize("alternative", ALTERNATIVES)


def pairing_of(apart, length=1000):
    """Return a pairing whose units differ by whole numbers of the same length."""
    apart = np.asarray(apart)
    gold = np.full(len(apart), length)
    one, other = np.maximum(apart, 0), np.maximum(-apart, 0)
    return Pairing(
        recall, ("correct", "gold"), np.column_stack([one, gold]), np.column_stack([other, gold])
    )


def exactly_ordered(pairing):
    """Return whole numbers with the signs and the order of the units' differences as fractions."""
    sides = zip(pairing.one.tolist(), pairing.other.tolist(), strict=True)
    apart = [Fraction(one[0] - other[0], one[1]) for one, other in sides]
    sizes = sorted({abs(each) for each in apart} | {Fraction(0)})
    return np.array([sizes.index(abs(each)) * (1 if each > 0 else -1) for each in apart])


SIGNED = st.lists(st.integers(-9, 9), max_size=12)
FLAGS = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40)


# ── the binomial distribution ────────────────────────────────────────────────────────────────────


@given(st.integers(0, 3000), st.integers(0, 3000), st.sampled_from(ALTERNATIVES))
def test_wins_have_the_p_of_scipy(wins, losses, alternative):
    expected = 1.0
    if wins + losses:
        expected = scipy.stats.binomtest(wins, wins + losses, alternative=alternative).pvalue
    assert p_of_wins(wins, losses, alternative) == pytest.approx(expected, rel=1e-9)


def test_a_million_wins_and_losses_have_a_p():
    expected = scipy.stats.binomtest(501_000, 1_000_000).pvalue
    assert p_of_wins(501_000, 499_000, "two-sided") == pytest.approx(expected, rel=1e-7)
    assert p_of_wins(1_000_000, 0, "greater") == 0.0  # 2^-1000000


# ── the sign test ────────────────────────────────────────────────────────────────────────────────


@alternatives
def test_the_sign_test_agrees_with_scipy(alternative):
    pairing = Process(6, sentences=100, lost=0.03).pairing()
    one, other = pairing.by_unit()
    wins, losses = int((one > other).sum()), int((one < other).sum())
    claim = sign(pairing, alternative=alternative)
    expected = scipy.stats.binomtest(wins, wins + losses, alternative=alternative).pvalue
    assert claim.p == pytest.approx(expected, rel=1e-9)
    assert (claim.statistic, claim.effective, claim.iterations) == (wins, wins + losses, 0)
    assert claim.exact


# ── Wilcoxon's test ──────────────────────────────────────────────────────────────────────────────


@alternatives
def test_wilcoxon_without_ties_agrees_with_scipy(alternative):
    random = np.random.default_rng(3)
    for count in (1, 5, 20, 50):
        apart = random.permutation(np.arange(1, count + 1)) * random.choice([-1, 1, 1], count)
        claim = wilcoxon(pairing_of(apart), alternative=alternative)
        peer = scipy.stats.wilcoxon(apart, alternative=alternative, method="exact")
        assert claim.exact
        assert claim.p == pytest.approx(peer.pvalue, rel=1e-12)


@alternatives
@pytest.mark.parametrize("sentences", [60, 500])
def test_wilcoxon_of_many_sentences_agrees_with_scipy(alternative, sentences):
    """Ties of all kinds, and sentences without a difference."""
    pairing = Process(6, sentences=sentences, lost=0.03).pairing()
    apart = exactly_ordered(pairing)
    peer = scipy.stats.wilcoxon(apart, alternative=alternative, method="approx", correction=False)
    claim = wilcoxon(pairing, alternative=alternative)
    assert not claim.exact
    assert claim.p == pytest.approx(peer.pvalue, rel=1e-9)
    if alternative != "two-sided":  # there scipy reports the smaller of the two sums
        assert claim.statistic == peer.statistic


@given(SIGNED, st.sampled_from(ALTERNATIVES))
def test_wilcoxon_with_ties_is_that_of_all_signs(apart, alternative):
    sizes = np.abs([d for d in apart if d])
    ranks = scipy.stats.rankdata(sizes)
    seen = sum(rank for rank, d in zip(ranks, [d for d in apart if d], strict=True) if d > 0)
    sums = [
        sum(rank for rank, chosen in zip(ranks, signs, strict=True) if chosen)
        for signs in product([0, 1], repeat=len(ranks))
    ]
    more, less = (np.mean([s >= seen for s in sums]), np.mean([s <= seen for s in sums]))
    expected = {"greater": more, "less": less, "two-sided": min(1, 2 * min(more, less))}
    claim = wilcoxon(pairing_of(apart), alternative=alternative)
    assert claim.statistic == seen
    assert claim.p == expected[alternative]


def test_equal_differences_share_their_rank_although_their_roundings_differ():
    """3/10 − 2/10 is 0.09999…, 2/10 − 1/10 is 0.1; both are a tenth."""
    one, other = np.array([[3, 10], [1, 10]]), np.array([[2, 10], [2, 10]])
    claim = wilcoxon(Pairing(recall, ("correct", "gold"), one, other))
    assert claim.statistic == 1.5
    assert claim.p == 1.0


# ── McNemar's test ───────────────────────────────────────────────────────────────────────────────


def flags(both, wins, losses, neither):
    one = np.repeat([True, True, False, False], [both, wins, losses, neither])
    other = np.repeat([True, False, True, False], [both, wins, losses, neither])
    return one, other


@alternatives
@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (3, 9), (40, 22), (300, 250)])
def test_mcnemar_agrees_with_scipy(alternative, wins, losses):
    claim = mcnemar(*flags(50, wins, losses, 20), alternative=alternative)
    expected = 1.0
    if wins + losses:
        expected = scipy.stats.binomtest(wins, wins + losses, alternative=alternative).pvalue
    assert claim.p == pytest.approx(expected, rel=1e-9)
    assert claim.difference == (wins - losses) / claim.units
    assert (claim.unit, claim.effective) == ("token", wins + losses)


@pytest.mark.parametrize(("wins", "losses"), [(3, 9), (40, 22), (5, 5), (6, 5), (400, 0)])
def test_mcnemar_by_chi_square_agrees_with_scipy(wins, losses):
    for method, less in (("chi-square", 0), ("corrected", 1)):
        claim = mcnemar(*flags(9, wins, losses, 9), method=method)
        statistic = max(0, abs(wins - losses) - less) ** 2 / (wins + losses)
        assert claim.statistic == pytest.approx(statistic)
        assert claim.p == pytest.approx(scipy.stats.chi2.sf(statistic, 1), rel=1e-9, abs=0)
        assert not claim.exact


def test_mcnemar_takes_the_tokens_of_an_evaluation():
    result = evaluate("example:ud", {"a": "example:ud", "b": "example:ud-parse"})
    one, other = (system["las"].items.gold.correct for system in result.systems)
    claim = mcnemar(one, other)
    values = [system["las"].value for system in result.systems]
    assert claim.difference == pytest.approx(values[0] - values[1])


def test_mcnemar_refuses_what_it_cannot_test():
    with pytest.raises(UsageError, match="2 and 3 tokens"):
        mcnemar(np.ones(2, bool), np.ones(3, bool))
    with pytest.raises(UsageError, match="no McNemar test 'fisher'"):
        mcnemar(np.ones(2, bool), np.ones(2, bool), method="fisher")
    with pytest.raises(UsageError, match="no alternative"):
        mcnemar(np.ones(2, bool), np.ones(2, bool), alternative="unequal")


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────


@given(SIGNED, st.sampled_from([sign, wilcoxon]), st.sampled_from(ALTERNATIVES))
def test_systems_the_other_way_round_mirror_the_claim(apart, test, alternative):
    pairing = pairing_of(apart)
    claim = test(pairing, alternative=alternative)
    mirrored = test(pairing.mirrored(), alternative=MIRROR[alternative])
    assert mirrored.p == claim.p
    assert mirrored.difference == -claim.difference


@given(SIGNED, st.sampled_from([sign, wilcoxon]), st.integers(0, 99))
def test_units_without_a_difference_do_not_change_p(apart, test, count):
    assert test(pairing_of(apart)).p == test(pairing_of([*apart, *[0] * count])).p


@given(FLAGS, st.sampled_from(ALTERNATIVES), st.sampled_from(VARIANTS))
def test_mcnemar_the_other_way_round_mirrors_the_claim(pairs, alternative, method):
    one, other = np.array(pairs, bool).reshape(-1, 2).T
    claim = mcnemar(one, other, alternative=alternative, method=method)
    mirrored = mcnemar(other, one, alternative=MIRROR[alternative], method=method)
    assert mirrored.p == claim.p
    assert mirrored.difference == -claim.difference


@pytest.mark.parametrize("count", [0, 3, 60])
def test_identical_systems_have_p_1(count):
    same = pairing_of([0] * count)
    assert (sign(same).p, wilcoxon(same).p) == (1.0, 1.0)
    for method in VARIANTS:
        assert mcnemar(np.ones(count, bool), np.ones(count, bool), method=method).p == 1.0

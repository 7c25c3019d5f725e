"""Many systems: corrections of p-values, letters, outcomes, and all pairs."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import UsageError
from commonground.evaluation.evaluate import evaluate
from commonground.evaluation.metric_score import Score
from commonground.metrics.dependencies.attachment import uas
from commonground.metrics.items import Counts
from commonground.metrics.metric import Metric, recall
from commonground.statistics.corrections import (
    CORRECTIONS,
    benjamini_hochberg,
    bonferroni,
    correct,
    holm,
)
from commonground.statistics.letters import groups, letters
from commonground.statistics.outcomes import outcomes
from commonground.statistics.pairing import Pairing
from commonground.statistics.pairs import all_pairs
from commonground.statistics.registry import TESTS, find_test

P_VALUES = st.lists(st.floats(0, 1), max_size=12)
CORRECTION = st.sampled_from(sorted(CORRECTIONS))


# ── corrections ──────────────────────────────────────────────────────────────────────────────────


@given(P_VALUES.filter(bool))
def test_benjamini_hochberg_is_that_of_scipy(p):
    assert benjamini_hochberg(p) == pytest.approx(scipy.stats.false_discovery_control(p))


@given(P_VALUES)
def test_holm_is_its_definition(p):
    """The largest, over all p-values up to this one, of p times the number not smaller than it."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    wanted = [0.0] * len(p)
    for rank, i in enumerate(order):
        wanted[i] = min(1.0, max((len(p) - j) * p[order[j]] for j in range(rank + 1)))
    assert holm(p).tolist() == wanted


@given(P_VALUES, st.floats(0.001, 0.5))
def test_holm_rejects_what_its_steps_reject(p, alpha):
    """Step down: the smallest at α/m, the next at α/(m−1), until one is not rejected."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    rejected = set()
    for rank, i in enumerate(order):
        if (len(p) - rank) * p[i] > alpha:
            break
        rejected.add(i)
    assert {i for i, result in enumerate(holm(p)) if result <= alpha} == rejected


@given(P_VALUES)
def test_bonferroni_multiplies(p):
    assert bonferroni(p).tolist() == [min(1.0, len(p) * value) for value in p]


@given(P_VALUES, CORRECTION)
def test_corrected_p_values_keep_the_order_and_never_fall(p, name):
    result = correct(p, name)
    assert ((np.array(p) <= result) & (result <= 1)).all()
    order = np.argsort(p, kind="stable")
    assert (np.diff(result[order]) >= 0).all()


@given(P_VALUES, CORRECTION, st.randoms(use_true_random=False))
def test_the_order_of_the_tests_does_not_matter(p, name, random):
    places = list(range(len(p)))
    random.shuffle(places)
    assert correct([p[i] for i in places], name).tolist() == correct(p, name)[places].tolist()


@given(P_VALUES)
def test_holm_lies_between_benjamini_hochberg_and_bonferroni(p):
    result = holm(p)
    assert (benjamini_hochberg(p) <= result + 1e-12).all()
    assert (result <= bonferroni(p)).all()


@pytest.mark.parametrize("name", CORRECTIONS)
def test_one_test_needs_no_correction(name):
    assert correct([0.03], name).tolist() == [0.03]
    assert correct([], name).tolist() == []


@pytest.mark.parametrize("wrong", [float("nan"), -0.1, 1.1])
@pytest.mark.parametrize("name", CORRECTIONS)
def test_what_is_no_p_value_is_refused(name, wrong):
    with pytest.raises(UsageError, match="from 0 to 1"):
        correct([0.5, wrong], name)


def test_an_unknown_correction_is_refused():
    with pytest.raises(UsageError, match="none, bonferroni, holm, bh"):
        correct([0.5], "tukey")


# ── letters ──────────────────────────────────────────────────────────────────────────────────────


@st.composite
def differing(draw):
    """Which of up to 8 systems differ, in any pattern, transitive or not."""
    count = draw(st.integers(0, 8))
    values = np.zeros((count, count), np.bool_)
    for one, other in combinations(range(count), 2):
        values[one, other] = values[other, one] = draw(st.booleans())
    return values


@given(differing())
def test_two_systems_share_a_letter_if_and_only_if_they_do_not_differ(different):
    result = letters(different)
    for one, other in combinations(range(len(different)), 2):
        assert bool(set(result[one]) & set(result[other])) == (not different[one, other])


@given(differing())
def test_every_system_has_a_letter_and_the_first_has_an_a(different):
    result = letters(different)
    assert all(result)
    assert not len(result) or result[0].startswith("a")


@given(differing())
def test_no_letter_is_part_of_another_one_and_none_can_be_left_out(different):
    results = [set(group) for group in groups(different)]
    assert not any(one <= other for one in results for other in results if one is not other)
    for left_out in results:
        rest = [group for group in results if group is not left_out]
        pairs = [(a, b) for a in left_out for b in left_out]
        assert not all(any({a, b} <= group for group in rest) for a, b in pairs)


@given(differing())
def test_no_group_can_take_in_another_system(different):
    for group in groups(different):
        outside = set(range(len(different))) - set(group)
        assert all(different[system, group].any() for system in outside)


def pattern(count, *pairs):
    values = np.zeros((count, count), np.bool_)
    for one, other in pairs:
        values[one, other] = values[other, one] = True
    return values


def test_neighbours_that_do_not_differ_have_overlapping_letters():
    assert letters(pattern(4, (0, 2), (0, 3), (1, 3))) == ["a", "ab", "bc", "c"]


def test_the_best_and_the_worst_may_not_differ_though_those_between_do():
    """What order says nothing about: 1 and 2 differ, 0 and 3 from nobody."""
    assert letters(pattern(4, (1, 2))) == ["ab", "a", "b", "ab"]


def test_a_group_whose_pairs_are_all_elsewhere_is_not_shown():
    """The triangle 0 1 2 has a further neighbour on each of its sides."""
    edges = {(0, 1), (0, 2), (1, 2), (3, 0), (3, 1), (4, 1), (4, 2), (5, 0), (5, 2)}
    apart = [p for p in combinations(range(6), 2) if p not in edges and p[::-1] not in edges]
    assert groups(pattern(6, *apart)) == [[0, 1, 3], [0, 2, 5], [1, 2, 4]]


def test_more_systems_than_letters():
    result = letters(~np.eye(60, dtype=bool))
    assert result[:2] + result[25:27] + result[51:54] == ["a", "b", "z", "A", "Z", "a′", "b′"]
    assert len(set(result)) == 60


def test_a_system_cannot_differ_from_itself():
    with pytest.raises(UsageError, match="symmetric"):
        letters(np.eye(2, dtype=bool))


# ── outcomes ─────────────────────────────────────────────────────────────────────────────────────

COUNTS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=30)


def paired(counts):
    """Sentences of six words, with as many right ones in both systems as the counts say."""
    sides = [np.array([[pair[side], 6] for pair in counts], np.int64) for side in (0, 1)]
    return Pairing(recall, ("correct", "gold"), *sides)


@given(COUNTS)
def test_wins_ties_and_losses_are_counted(counts):
    result = outcomes(paired(counts))
    assert result.wins == sum(one > other for one, other in counts)
    assert result.losses == sum(one < other for one, other in counts)
    assert result.wins + result.ties + result.losses == len(counts)


@given(COUNTS)
def test_effect_sizes_are_their_definitions(counts):
    apart = np.array([one - other for one, other in counts]) / 6
    result = outcomes(paired(counts))
    assert result.dominance == pytest.approx(np.sign(apart).mean())
    if not apart.any():
        assert (result.d_z, result.rank_biserial) == (0, 0)
        return
    ranks = scipy.stats.rankdata(np.abs(np.round(apart[apart != 0], 9)))
    signed = (ranks * np.sign(apart[apart != 0])).sum() / ranks.sum()
    assert result.rank_biserial == pytest.approx(signed)
    if len(set(apart.round(9))) > 1:
        assert result.d_z == pytest.approx(apart.mean() / apart.std(ddof=1))
    else:
        assert result.d_z is None


@given(COUNTS)
def test_outcomes_turn_round_with_the_systems(counts):
    forth, back = outcomes(paired(counts)), outcomes(paired(counts).mirrored())
    assert (forth.wins, forth.losses) == (back.losses, back.wins)
    assert forth.rank_biserial == pytest.approx(-back.rank_biserial)
    assert forth.d_z == (None if back.d_z is None else pytest.approx(-back.d_z))


# ── all pairs ────────────────────────────────────────────────────────────────────────────────────

METRIC = Metric("uas", "UAS", uas, "")
"""Of words that are counted elsewhere."""


def scores(accuracies, sentences=200, seed=0):
    """Systems of some accuracies on the same random sentences."""
    random = np.random.default_rng(seed)
    gold = random.integers(5, 30, sentences)
    return {
        name: Score(
            METRIC, Counts({"correct": random.binomial(gold, p), "gold": gold, "system": gold})
        )
        for name, p in accuracies.items()
    }


SYSTEMS = scores({"weak": 0.70, "good": 0.90, "equal": 0.90, "middling": 0.80})


def test_all_pairs_are_tested_the_best_first():
    result = all_pairs(SYSTEMS, iterations=999)
    assert len(result.pairs) == 6
    assert list(result.scores) == sorted(result.scores, reverse=True)
    assert set(result.systems[:2]) == {"good", "equal"}
    assert result.letters == ("a", "a", "b", "c")
    assert all(pair.claim.difference >= 0 for pair in result.pairs)
    assert not result.between("good", "equal").different


@pytest.mark.parametrize("test", [name for name in TESTS if name != "mcnemar"])
def test_each_pair_has_the_p_of_the_test_alone(test):
    result = all_pairs(SYSTEMS, test=test, iterations=199, seed=3, correction="bh")
    for pair in result.pairs:
        alone = find_test(test, iterations=199, seed=3).between(
            SYSTEMS[pair.one], SYSTEMS[pair.other]
        )
        assert pair.claim == alone
    corrected = benjamini_hochberg([pair.claim.p for pair in result.pairs])
    assert [pair.corrected for pair in result.pairs] == corrected.tolist()


def test_mcnemar_takes_the_tokens_of_real_systems():
    result = evaluate("example:ud", {"gold": "example:ud", "parse": "example:ud-parse"})
    outcome = all_pairs({system.name: system["las"] for system in result.systems}, test="mcnemar")
    assert outcome.pairs[0].claim.unit == "token"
    assert outcome.pairs[0].claim.p < 1e-6
    assert outcome.pairs[0].outcomes.losses == 0


def test_mcnemar_refuses_what_has_no_tokens():
    with pytest.raises(UsageError, match="same tokens"):
        all_pairs(SYSTEMS, test="mcnemar")
    with pytest.raises(UsageError, match="cannot compare documents"):
        all_pairs(SYSTEMS, test="mcnemar", groups=np.zeros(200))


def test_the_number_of_jobs_changes_nothing():
    results = [all_pairs(SYSTEMS, iterations=199, jobs=jobs) for jobs in (1, 2)]
    assert results[0] == results[1]


def test_documents_are_the_units_where_they_are_given():
    result = all_pairs(SYSTEMS, groups=np.arange(200) // 10, iterations=199)
    assert {(pair.claim.units, pair.claim.unit) for pair in result.pairs} == {(20, "document")}
    wins = result.pairs[0].outcomes
    assert wins.wins + wins.ties + wins.losses == 20


def test_one_sided_tests_leave_the_systems_in_their_order():
    """What is claimed must not depend on what was seen."""
    result = all_pairs(SYSTEMS, iterations=199, alternative="greater")
    assert result.systems == tuple(SYSTEMS)
    assert result.between("weak", "good").claim.p == 1
    assert result.between("good", "middling").claim.p == pytest.approx(1 / 200)


def test_a_correction_finds_no_more_than_none():
    """Of 45 pairs of equal systems some differ at α = 0.05; after Holm's correction none does."""
    equal = scores(dict.fromkeys("abcdefghij", 0.8), seed=4)
    plain, corrected = (all_pairs(equal, iterations=999, correction=c) for c in ("none", "holm"))
    assert 1 <= sum(pair.different for pair in plain.pairs) <= 10
    assert not any(pair.different for pair in corrected.pairs)
    assert corrected.letters == ("a",) * 10


def test_the_iterations_that_a_difference_needs_are_known():
    """With 6 pairs at α = 0.05, p must be as small as 1/120, which needs 119 iterations."""
    few, enough = (all_pairs(SYSTEMS, iterations=n) for n in (118, 119))
    assert few.iterations_needed == enough.iterations_needed == 119
    assert not any(pair.different for pair in few.pairs)
    assert any(pair.different for pair in enough.pairs)


def test_the_json_has_every_p():
    pairs = all_pairs(SYSTEMS, iterations=199)
    data = json.loads(json.dumps(pairs.to_json()))
    assert [system["letters"] for system in data["systems"]] == list(pairs.letters)
    assert data["alpha"] == 0.05
    for pair in data["pairs"]:
        assert {
            "systems",
            "p",
            "corrected_p",
            "difference",
            "iterations",
            "outcomes",
        } <= pair.keys()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "anova"}, "no test 'anova'"),
        ({"correction": "tukey"}, "no correction 'tukey'"),
        ({"confidence": 95}, "between 0 and 1"),
        ({"iterations": 0}, "iterations"),
    ],
)
def test_what_makes_no_sense_is_refused(options, message):
    with pytest.raises(UsageError, match=message):
        all_pairs(SYSTEMS, **options)


def test_one_system_makes_no_pair():
    with pytest.raises(UsageError, match="2 or more"):
        all_pairs({"good": SYSTEMS["good"]})

"""Claims about the systems of a result, and intervals from common resamples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import commonground as cg
from commonground.errors import UsageError
from commonground.evaluation.metric_score import Score
from commonground.evaluation.result import System
from commonground.metrics.items import Counts
from commonground.metrics.metric import Metric
from commonground.metrics.sentences import Sentences
from commonground.statistics.bootstrap import bootstrap
from commonground.statistics.common_sentences import on_common_sentences
from commonground.statistics.intervals import Resamples, interval
from commonground.statistics.pairing import Pairing
from commonground.statistics.test_plan import TestPlan
from commonground.statistics.testing import significance_tests

METRIC = Metric("las", "LAS", lambda _: None, "")


def score(right):
    """A score of sentences whose words are right or not."""
    flags = [np.array(sentence, np.bool_) for sentence in right]
    gold = np.array([len(sentence) for sentence in flags], np.int64)
    counts = Counts(
        {
            "correct": np.array([int(sentence.sum()) for sentence in flags], np.int64),
            "gold": gold,
            "system": gold,
        }
    )
    return Score(METRIC, counts, judged=[*flags, np.zeros(0, np.bool_)])


def system(name, right, ids=None, skipped=()):
    ids = ids or [f"s{place}" for place in range(len(right))]
    return System(name, {"las": score(right)}, tuple(skipped), kept=Sentences(tuple(ids)))


SENTENCES = st.lists(st.lists(st.booleans(), min_size=1, max_size=5), min_size=2, max_size=8)


@pytest.fixture(scope="module")
def result():
    parses = {"mine": "example:ud-parse", "best": "example:ud"}
    return cg.evaluate("example:ud", parses, metrics=["uas", "las", "ned"])


# ── common resamples ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("method", ["bca", "percentile"])
@pytest.mark.parametrize("documents", [False, True])
def test_common_resamples_give_the_intervals_of_each_score_alone(result, method, documents):
    groups = result.systems[0].sentences.documents if documents else None
    scores = {(s.name, m): s[m] for s in result.systems for m in s.scores}
    resamples = Resamples(scores, groups=groups, iterations=200, seed=3, method=method)
    for key, each in scores.items():
        alone = interval(each, method=method, groups=groups, iterations=200, seed=3)
        assert resamples.score(key) == alone
    outcome = resamples.difference(("best", "las"), ("mine", "las"))
    pairing = Pairing.of(scores["best", "las"], scores["mine", "las"], groups)
    claim = bootstrap(pairing, method=method, iterations=200, seed=3)
    assert (outcome.low, outcome.high) == claim.interval


def test_resamples_need_the_same_units():
    with pytest.raises(UsageError, match="there are 2 and 3"):
        Resamples({"a": score([[True]] * 2), "b": score([[True]] * 3)})


# ── some sentences ───────────────────────────────────────────────────────────────────────────────


@given(SENTENCES, st.data())
def test_a_score_on_some_sentences_is_the_score_of_these(right, data):
    places = data.draw(st.lists(st.integers(0, len(right) - 1), unique=True))
    outcome = score(right).only(np.array(places, np.int64))
    wanted = score([right[place] for place in places])
    assert outcome.counts.totals == wanted.counts.totals
    assert outcome.right.tolist() == wanted.right.tolist()


def test_systems_are_cut_to_the_sentences_that_all_have():
    one = system("one", [[True], [False, True], [False]], "abc")
    two = system("two", [[False, False], [True], [True]], "bdc")
    (first, second), left_out = on_common_sentences([one, two], skip=True)
    assert first.sentences.ids == second.sentences.ids == ("b", "c")
    assert first["las"].right.tolist() == [False, True, False]
    assert second["las"].right.tolist() == [False, False, True]
    assert left_out == 2


@pytest.mark.parametrize(
    ("ids", "skip", "message"),
    [
        ("abd", False, "only one has 'c'"),
        ("bac", False, "they are in another order"),
        ("aab", True, "two has several sentences 'a'"),
        ("xyz", True, "no sentence in common"),
    ],
)
def test_sentences_that_do_not_fit_are_told(ids, skip, message):
    right = [[True]] * 3
    with pytest.raises(UsageError, match=message):
        on_common_sentences([system("one", right, "abc"), system("two", right, ids)], skip=skip)


def test_nothing_can_be_tested_without_sentences():
    unknown = replace(system("one", [[True]] * 2), kept=None)
    with pytest.raises(UsageError, match="nothing is known about the sentences of one"):
        on_common_sentences([unknown, unknown])


# ── claims ───────────────────────────────────────────────────────────────────────────────────────


@given(SENTENCES, SENTENCES)
def test_who_is_better_does_not_depend_on_the_order(one, two):
    count = min(len(one), len(two))
    one, two = one[:count], [flags[: len(o)] for flags, o in zip(two, one, strict=False)]
    one = [flags[: len(t)] for flags, t in zip(one, two, strict=True)]
    systems = [system("one", one), system("two", two)]
    asked = TestPlan(tests=("shuffle",), iterations=100)
    here, there = significance_tests(systems, asked), significance_tests(systems[::-1], asked)
    for name in ("one", "two"):
        assert here.worse_than(name, "las") == there.worse_than(name, "las")
    (pair,), (other,) = (c.pairs["las", "shuffle"].pairs for c in (here, there))
    assert pair.claim.p == other.claim.p


def test_an_insignificant_difference_beats_nobody():
    systems = [system("one", [[True], [True]]), system("two", [[True], [False]])]
    claims = significance_tests(systems, TestPlan(tests=("shuffle",)))
    assert claims.worse_than("one", "las") == []


def test_metrics_that_not_all_systems_have_are_left_out(result):
    mine, best = result.systems
    without = replace(best, scores={"las": best["las"]})
    assert list(significance_tests([mine, without], TestPlan(tests=("sign",))).metrics) == ["las"]
    with pytest.raises(UsageError, match="not all systems have uas scores; all have las"):
        significance_tests([mine, without], TestPlan(tests=("sign",)), metrics=["uas"])


def test_another_gold_standard_is_refused_unless_it_is_said_to_be_alright():
    systems = [system("one", [[True], [True]]), system("two", [[True], [True, False]])]
    with pytest.raises(UsageError, match="not scored against the same gold standard"):
        significance_tests(systems, TestPlan(tests=("sign",)))
    assert significance_tests(systems, TestPlan(tests=("sign",)), same_gold=False).pairs


def test_progress_is_told(result):
    done = []
    significance_tests(result.systems, TestPlan(tests=("sign",)), watch=done.append)
    assert sum(done) == 3


def test_json_has_a_p_for_every_superscript(result):
    claims = significance_tests(result.systems, TestPlan(tests=("sign", "wilcoxon")))
    tests = claims.to_json()["tests"]
    for metric in ("uas", "las", "ned"):
        beaten = claims.worse_than("best", metric)
        claim = next(t for t in tests if t["metric"] == metric and t["test"] == "sign")
        assert (beaten == ["mine"]) == claim["different"] == (claim["corrected_p"] <= 0.05)

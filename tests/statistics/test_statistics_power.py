"""Power: what is predicted by simulation is what other, plainer simulations measure."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import error_process
import numpy as np
import pytest
from error_process import CLUSTERED, INDEPENDENT
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import UsageError
from commonground.evaluation.evaluate import evaluate
from commonground.evaluation.metric_score import Score
from commonground.metrics.dependencies.attachment import uas
from commonground.metrics.functions.tedeval import share_right
from commonground.metrics.items import Counts
from commonground.metrics.metric import Metric, f1, precision, recall
from commonground.statistics.pairing import Pairing
from commonground.statistics.power import PowerPoint, Process, detectable, power_curve
from commonground.statistics.shuffling import shuffling

METRIC = Metric("uas", "UAS", uas, "")


def baseline(sentences=150, accuracy=0.85, seed=0):
    """A system with some accuracy on random sentences."""
    random = np.random.default_rng(seed)
    gold = random.integers(5, 30, sentences)
    correct = random.binomial(gold, accuracy)
    return Score(METRIC, Counts({"correct": correct, "gold": gold, "system": gold}))


def measured_power(score, difference, churn, pairs, alpha=0.05):
    """Measure the power word by word, without anything of what is tested here.

    A test set is drawn, sentence by sentence. With probability `churn` a word is right or wrong
    whatever the baseline does, and otherwise it is what the baseline has, corrected where that is
    wrong as often as the difference needs.
    """
    random = np.random.default_rng(99)
    correct, gold = (score.counts.columns[name] for name in ("correct", "gold"))
    accuracy = correct.sum() / gold.sum()
    result = 0
    for number in range(pairs):
        drawn = random.integers(len(gold), size=len(gold))
        length = gold[drawn]
        sentence = np.repeat(np.arange(len(gold)), length)
        place = np.concatenate([np.arange(n) for n in length])
        right = place < correct[drawn][sentence]
        unrelated = random.random(len(right)) < accuracy + difference
        corrected = right | (random.random(len(right)) < difference / (1 - accuracy))
        better = np.where(random.random(len(right)) < churn, unrelated, corrected)
        sides = [
            np.column_stack([np.bincount(sentence[flags], minlength=len(gold)), length])
            for flags in (better, right)
        ]
        pairing = Pairing(recall, ("correct", "gold"), *sides)
        result += shuffling(pairing, iterations=499, seed=number).p <= alpha
    return result / pairs


# ── what must be shown ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("churn", "difference"), [(1.0, 0.02), (0.3, 0.012), (0.0, 0.003)])
def test_under_a_known_difference_the_measured_power_is_the_predicted_one(churn, difference):
    """Both are shares of 400 pairs; they differ by less than four standard errors."""
    score, pairs = baseline(), 400
    (predicted,) = power_curve(
        Process.of(score, churn=churn), [difference], iterations=499, simulations=pairs
    )
    measured = measured_power(score, difference, churn, pairs)
    error = math.sqrt(predicted.error**2 + measured * (1 - measured) / pairs)
    assert 0.3 < measured < 0.95
    assert abs(predicted.power - measured) < 4 * error


@pytest.mark.parametrize("luck", [INDEPENDENT, CLUSTERED])
def test_the_power_between_systems_of_another_process_is_predicted_from_their_counts(luck):
    """Here each sentence has a difficulty and each system its luck; only the churn knows of it.

    Each of ten pairs predicts the power of all; their spread is that of the churn they show.
    """
    process = error_process.Process(5, lost=0.02, luck=luck)
    pairings = [process.pairing() for _ in range(200)]
    difference = float(np.mean([pairing.difference for pairing in pairings]))
    tested = [shuffling(each, iterations=199, seed=seed) for seed, each in enumerate(pairings)]
    measured = np.mean([claim.p <= 0.05 for claim in tested])
    predicted = []
    for pairing in pairings[:10]:
        made_up = Process(pairing.formula, pairing.columns, pairing.other)
        made_up = replace(made_up, churn=made_up.observed(pairing))
        (point,) = power_curve(made_up, [difference], iterations=199, simulations=60)
        predicted.append(point.power)
    error = math.hypot(np.std(predicted, ddof=1) / math.sqrt(10), 0.5 / math.sqrt(200))
    assert abs(np.mean(predicted) - measured) < 4 * error


def test_without_a_difference_the_power_is_the_level_of_the_test():
    (point,) = power_curve(Process.of(baseline()), [0.0], iterations=499, simulations=600)
    assert abs(point.power - 0.05) < 4 * math.sqrt(0.05 * 0.95 / 600)


def test_the_smallest_difference_is_found_with_the_power_it_was_asked_for():
    """Simulated again with another seed, the power there is 0.8, as far as both can tell."""
    process = Process.of(baseline(), churn=0.5)
    result = detectable(process, iterations=499, simulations=200)
    (point,) = power_curve(process, [result.difference], iterations=499, simulations=400, seed=1)
    above, below = _around(result)
    slope = (above.power - below.power) / (above.difference - below.difference)
    assert abs(point.power - 0.8) < 4 * math.hypot(point.error, slope * result.error)


def _around(found):
    """Return the points of the curve above and below the smallest difference."""
    above = next(point for point in found.curve if point.difference >= found.difference)
    below = [point for point in found.curve if point.difference < found.difference][-1]
    return above, below


# ── the process ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("churn", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("formula", [f1, precision, recall, share_right])
def test_the_made_up_system_is_better_by_the_difference(formula, churn):
    random = np.random.default_rng(3)
    gold = random.integers(5, 30, 3000)
    system = random.integers(5, 30, 3000)
    correct = random.binomial(np.minimum(gold, system), 0.7)
    metric = Metric("any", "Any", uas, "", formula)
    columns = {"correct": correct, "system_correct": correct, "gold": gold, "system": system}
    process = Process.of(Score(metric, Counts(columns)), churn=churn)
    results = [process.better(0.05, random).difference for _ in range(30)]
    error = np.std(results, ddof=1) / math.sqrt(len(results))
    assert abs(np.mean(results) - 0.05) < 4 * error


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 10**6))
def test_a_made_up_system_has_no_more_right_than_there_is(churn, share, seed):
    process = Process.of(baseline(sentences=20), churn=churn)
    pairing = process.better(share * process.largest, np.random.default_rng(seed))
    correct, gold, _ = pairing.one.T
    assert ((correct >= 0) & (correct <= gold)).all()


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 10**6))
def test_sides_with_other_numbers_of_right_nodes_have_no_more_right_than_there_are(c, share, seed):
    """In comparisons, a node of the gold standard can be right where its counterpart is not."""
    columns = {
        "correct": np.array([9, 2, 5]),
        "system_correct": np.array([4, 3, 5]),
        "gold": np.array([9, 7, 8]),
        "system": np.array([6, 3, 9]),
    }
    metric = Metric("any", "Any", uas, "", share_right)
    process = Process.of(Score(metric, Counts(columns)), churn=c)
    assert process.wrong.tolist() == [0, 0, 3]
    pairing = process.better(share * process.largest, np.random.default_rng(seed))
    by_name = dict(zip(pairing.columns, pairing.one.T, strict=True))
    assert ((by_name["correct"] >= 0) & (by_name["correct"] <= by_name["gold"])).all()
    assert (
        (by_name["system_correct"] >= 0) & (by_name["system_correct"] <= by_name["system"])
    ).all()


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_rates_are_probabilities_that_give_the_difference(churn, share):
    process = Process.of(baseline(sentences=20), churn=churn)
    difference = share * process.largest
    loss, gain = process.rates(difference)
    assert 0 <= loss <= 1
    assert 0 <= gain <= 1 + 1e-12
    won = gain * process.wrong.sum() - loss * process.right.sum()
    assert won * process.item == pytest.approx(difference, abs=1e-12)


def test_the_largest_difference_leaves_nothing_wrong():
    process = Process.of(baseline(sentences=20))
    pairing = process.better(process.largest, np.random.default_rng(0))
    assert pairing.scores[0] == 1


@pytest.mark.parametrize("churn", [0.1, 0.4, 0.8])
def test_the_churn_of_two_systems_is_found_again(churn):
    """From the counts per sentence alone, whatever the difference between the systems."""
    score = baseline(sentences=3000)
    made_up = Process.of(score, churn=churn)
    for difference in (0.0, 0.02):
        random = np.random.default_rng(1)
        lost, won = made_up.rates(difference)
        change = random.binomial(made_up.wrong, won) - random.binomial(made_up.right, lost)
        columns = score.counts.columns
        other = Score(METRIC, Counts({**columns, "correct": columns["correct"] + change}))
        assert Process.of(score, other).churn == pytest.approx(churn, abs=0.06)


def test_a_system_has_no_churn_against_itself():
    assert Process.of(baseline(), baseline()).churn == pytest.approx(0, abs=1e-9)


def test_systems_that_have_nothing_in_common_have_a_churn_of_one():
    random = np.random.default_rng(5)
    score = baseline()
    gold = score.counts.columns["gold"]
    shuffled = np.where(random.random(len(gold)) < 0.5, gold, 0)
    other = Score(METRIC, Counts({"correct": shuffled, "gold": gold, "system": gold}))
    assert Process.of(score, other).churn == pytest.approx(1)


def test_documents_are_the_units_where_they_are_given():
    result = detectable(
        Process.of(baseline(), groups=np.arange(150) // 5), iterations=99, simulations=25
    )
    assert (result.units, result.unit) == (30, "document")


# ── the smallest difference ──────────────────────────────────────────────────────────────────────


def test_less_churn_and_more_sentences_show_smaller_differences():
    def smallest(churn, sentences):
        process = Process.of(baseline(sentences), churn=churn)
        return detectable(process, iterations=199, simulations=50).difference

    assert smallest(0.0, 100) < smallest(0.3, 100) < smallest(1.0, 100)
    assert smallest(0.5, 400) < smallest(0.5, 100)


def test_the_number_of_jobs_changes_nothing():
    process = Process.of(baseline(50))
    one, two = (detectable(process, iterations=99, simulations=50, jobs=jobs) for jobs in (1, 2))
    assert one == two


def test_what_cannot_be_detected_is_not():
    """Three sentences have eight shuffles, none of which makes p smaller than 1/4."""
    result = detectable(Process.of(baseline(3)), iterations=99, simulations=25)
    assert (result.difference, result.error) == (None, None)


def test_a_baseline_without_errors_cannot_be_bettered():
    result = detectable(Process.of(baseline(20, accuracy=1.0)), iterations=99, simulations=25)
    assert result.difference is None


def test_the_power_rises_with_the_difference():
    curve = detectable(Process.of(baseline()), iterations=199, simulations=100).curve
    assert [point.difference for point in curve] == sorted(point.difference for point in curve)
    assert curve[0].power < 0.2
    assert curve[-1].power > 0.8


def test_the_json_has_the_whole_curve():
    result = detectable(Process.of(baseline(50)), iterations=99, simulations=25)
    written = json.loads(json.dumps(result.to_json()))
    assert written["curve"][0].keys() == PowerPoint.__dataclass_fields__.keys()
    assert written["difference"] == result.difference


@pytest.mark.parametrize("test", ["bootstrap", "wilcoxon", "sign"])
def test_other_tests_have_their_power(test):
    result = detectable(Process.of(baseline(100)), test=test, iterations=99, simulations=25)
    assert 0.005 < result.difference < 0.1


# ── what is refused ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "anova"}, "no test 'anova'"),
        ({"test": "mcnemar"}, "mcnemar tests tokens"),
        ({"confidence": 95}, "between 0 and 1"),
        ({"power": 80}, "between 0 and 1"),
        ({"iterations": 0}, "iterations"),
        ({"simulations": 0}, "simulations"),
    ],
)
def test_what_makes_no_sense_is_refused(options, message):
    with pytest.raises(UsageError, match=message):
        detectable(Process.of(baseline(20)), **options)


def test_a_difference_that_cannot_be_is_refused():
    with pytest.raises(UsageError, match="are possible with this baseline"):
        power_curve(Process.of(baseline(20)), [0.9])


def test_a_churn_that_is_none_is_refused():
    with pytest.raises(UsageError, match="between 0 and 1"):
        Process.of(baseline(20), churn=1.5)


def test_a_metric_that_counts_no_right_items_is_refused():
    pair = evaluate("example:ptb", "example:ptb-parse", metrics=["crossing_brackets"])
    with pytest.raises(UsageError, match="count right items"):
        Process.of(pair["crossing_brackets"])

"""Two systems on the same units, claims, random streams, and formulas over many sums at once."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground import evaluate
from commonground.errors import UsageError
from commonground.evaluation.metric_score import Score
from commonground.metrics.items import Counts
from commonground.metrics.metric import Metric, f1, precision, recall
from commonground.metrics.registry import explained
from commonground.random import stream
from commonground.statistics.claim import Claim, Interval, check_alternative
from commonground.statistics.iterations import check_iterations
from commonground.statistics.pairing import Pairing

NUMBERS = st.integers(0, 10**6)
METRICS = [metric for metrics in explained("all").values() for metric in metrics]


def score(correct, gold=None, system=None, formula=f1, name="x", **further):
    """Return a score with counts per sentence."""
    gold = [4] * len(correct) if gold is None else gold
    columns = {"correct": correct, "gold": gold, "system": gold if system is None else system}
    counts = Counts({n: np.array(c, np.int64) for n, c in {**columns, **further}.items()})
    return Score(Metric(name, name, lambda _: None, "", formula), counts)


# ── formulas ─────────────────────────────────────────────────────────────────────────────────────


class Anything(dict):
    """Totals that have every column."""

    def __init__(self, make):
        super().__init__()
        self.make = make

    def __missing__(self, name):
        return self.setdefault(name, self.make())


@given(st.data())
def test_a_formula_says_the_same_of_arrays_as_of_numbers_to_the_last_bit(data):
    metric = data.draw(st.sampled_from(METRICS))
    number = st.one_of(st.just(0), NUMBERS)
    rows = Anything(lambda: np.array(data.draw(st.lists(number, min_size=4, max_size=4))))
    result = metric.formula(rows)
    for place in range(4):
        row = {name: int(column[place]) for name, column in rows.items()}
        assert result[place] == metric.formula(row)


def test_a_score_by_sentence_is_the_formula_of_each_sentence():
    assert score([3, 0, 0], [4, 0, 2], [4, 0, 2]).by_sentence().tolist() == [0.75, 1.0, 0.0]


# ── pairings ─────────────────────────────────────────────────────────────────────────────────────


def test_a_difference_is_the_first_score_less_the_second():
    pairing = Pairing.of(score([4, 3]), score([4, 1]))
    assert pairing.difference == 0.875 - 0.625
    assert pairing.mirrored().difference == 0.625 - 0.875
    assert pairing.scores == (0.875, 0.625)


def test_only_columns_that_the_formula_looks_at_make_a_difference():
    one, other = score([4, 3], aligned=[4, 4]), score([4, 3], aligned=[3, 4])
    pairing = Pairing.of(one, other)
    assert pairing.columns == ("correct", "gold", "system")
    assert not pairing.different.any()


def test_precision_and_recall_of_any_score_can_be_paired():
    one, other = score([2], [4], [2]), score([2], [4], [8])
    assert Pairing.of(one, other, formula=precision).difference == 0.75
    assert Pairing.of(one, other, formula=recall).difference == 0
    assert Pairing.of(one, other, formula=recall).columns == ("correct", "gold")


def test_the_sentences_of_a_document_are_summed_first():
    one, other = score([1, 2, 4]), score([2, 1, 0])
    pairing = Pairing.of(one, other, groups=[0, 0, 1])
    assert pairing.one.tolist() == [[3, 8, 8], [4, 4, 4]]
    assert pairing.unit == "document"
    assert pairing.different.tolist() == [False, True]
    assert pairing.difference == Pairing.of(one, other).difference
    named = Pairing.of(one, other, groups=["b", "b", "a"])
    assert named.one.tolist() == [[4, 4, 4], [3, 8, 8]]


@pytest.mark.parametrize(
    ("one", "other", "groups", "message"),
    [
        (score([1]), score([1], name="y"), None, "the same metric"),
        (score([1]), score([1, 2]), None, "1 and 2 sentences"),
        (score([1]), score([2]), [0, 1], "documents for 2 sentences, but 1"),
    ],
)
def test_what_cannot_be_paired_is_refused(one, other, groups, message):
    with pytest.raises(UsageError, match=message):
        Pairing.of(one, other, groups)


def test_counts_of_other_shapes_cannot_be_paired():
    with pytest.raises(ValueError, match="cannot be paired"):
        Pairing(f1, ("correct",), np.zeros((2, 1), np.int64), np.zeros((3, 1), np.int64))


def test_every_metric_of_an_evaluation_can_be_paired():
    for gold, parse in (("example:ud", "example:ud-parse"), ("example:ptb", "example:ptb-parse")):
        result = evaluate(gold, {"a": gold, "b": parse}, metrics=["all"])
        for name, outcome in result.systems[0].scores.items():
            other = result.systems[1][name]
            if outcome.value is None:  # the example has no such annotation
                continue
            assert Pairing.of(outcome, other).difference == outcome.value - other.value


# ── claims and streams ───────────────────────────────────────────────────────────────────────────


def test_a_claim_in_json_has_what_its_p_depends_on():
    claim = Claim(
        "bootstrap", 0.1, 0.01, "greater", 9, "document", 99, interval=(0.0, 0.2), confidence=0.9
    )
    assert json.loads(json.dumps(claim.to_json())) == {
        "test": "bootstrap",
        "difference": 0.1,
        "p": 0.01,
        "alternative": "greater",
        "units": 9,
        "unit": "document",
        "iterations": 99,
        "exact": False,
        "interval": [0.0, 0.2],
        "confidence": 0.9,
    }
    assert str(claim) == (
        "difference +0.1000 [+0.0000, +0.2000] at 90 %, p = 0.01 "
        "(bootstrap test, greater, 9 documents, 99 iterations)"
    )


def test_an_interval_in_json_has_what_it_depends_on():
    interval = Interval(0.5, 0.4, 0.6, 0.95, "bca", 10, "sentence", 100, seed=3)
    assert interval.to_json()["low"] == 0.4
    assert interval.to_json()["seed"] == 3
    assert str(interval) == "0.5000 [0.4000, 0.6000] at 95 % (bca, 10 sentences, 100 iterations)"


def test_streams_differ_by_seed_purpose_and_part():
    keys = [(0, "a"), (1, "a"), (0, "b"), (0, "a", 0), (0, "a", 1)]
    drawn = {tuple(stream(*key).integers(1000, size=4).tolist()) for key in keys}
    assert len(drawn) == len(keys)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(UsageError, match="the seed is -1"):
        stream(-1, "a")
    with pytest.raises(UsageError, match="0 iterations"):
        check_iterations(0)
    with pytest.raises(UsageError, match="no alternative 'more'"):
        check_alternative("more")

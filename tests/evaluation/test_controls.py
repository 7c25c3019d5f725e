"""What stands beside the scores of a comparison: the floor, and what the same errors cost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from command import run
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples, heads

from commonground import compare, to_functions
from commonground.corpus import Dependencies, Functions
from commonground.corpus.functions import mask_of
from commonground.evaluation.comparison_result import ErrorCost
from commonground.evaluation.macro import over_files
from commonground.ground.algebra import crossings, generalize
from commonground.ground.planting import KINDS, plant, possible_errors
from commonground.metrics.functions.common_phrases import phrase_counts
from commonground.statistics.bias import REWRITTEN, bias

SYSTEMS = {"ud": ("example:ud", "example:ud-parse"), "ptb": ("example:ptb", "example:ptb-parse")}


@pytest.fixture(scope="module")
def result():
    return compare(SYSTEMS)


def test_the_floor_is_low_on_the_common_ground_and_high_in_multiple(result):
    assert result.floor["common_attached"] < 0.05
    assert result.floor["multiple_unlabelled"] > 0.8
    assert "A parse that knows nothing (flat or branching) gets up to" in result.tables()


def test_what_the_same_errors_cost_is_told(result):
    assert result.error_costs["multiple_labelled"].ratio < 0.6
    assert result.error_costs["common_attached"].ratio > 0.8
    table = result.tables()
    assert "What the same error costs, ptb : ud (" in table
    assert "TedEval MULTIPLE (labelled), a wrong label: 1.00 : 0." in table
    assert compare(SYSTEMS).to_json() == result.to_json()  # the same errors every time


def test_the_seed_decides_which_errors_are_planted(result):
    other = compare(SYSTEMS, seed=1)
    assert other.error_costs != result.error_costs
    assert other.to_json()["systems"] == result.to_json()["systems"]


def test_controls_are_saved(result):
    again = type(result).from_json(result.to_json())
    assert (again.floor, again.error_costs) == (result.floor, result.error_costs)


def test_a_difference_below_the_bias_is_not_marked(result):
    metric = "multiple_unlabelled"
    claims = result.test("shuffle", iterations=500)
    assert claims.worse_than("ptb", metric) == ["ud"]
    unfair = {metric: ErrorCost("phrase low", {"ud": 0.1, "ptb": 0.001})}
    claims = replace(result, error_costs=unfair).test("shuffle", iterations=500)
    assert claims.pairs[metric, "shuffle"].pairs[0].corrected < 0.01
    assert claims.worse_than("ptb", metric) == []


def test_one_gold_standard_has_nothing_to_be_unfair_to():
    comparison = compare({"a": SYSTEMS["ud"], "b": ("example:ud", "example:ud")})
    assert comparison.error_costs == {}
    assert (
        "error costs"
        not in run("compare", "a=example:ud:example:ud", "b=example:ud:example:ud").stdout
    )


def test_a_wrong_label_costs_one_label_of_the_common_ground():
    words = "she saw him".split()
    trees = [
        Functions.of([(words, [("1-3", ""), ("1", "subj"), ("3", "obj"), *more])])
        for more in ([], [("2-3", "")])
    ]
    planting = plant(trees, kinds=["label"])
    wrong = generalize(*planting.trees)
    assert sorted(wrong.label) != sorted(generalize(*trees).label)
    assert [error.kind for error in planting.errors] == ["label"]


def test_a_parse_is_not_better_than_itself_in_another_scheme():
    # Scores on the common ground differ by a small share of what is lost, whoever is better.
    tested = compare(SYSTEMS, relations=True).tested()
    [ud, ptb] = (system for name in SYSTEMS for system in tested if system.name == name)
    for metric, share in REWRITTEN.items():
        lost = max(1 - float(ud[metric]), 1 - float(ptb[metric]))
        assert bias(ud, ptb, metric) >= share * lost > 0
        assert bias(ud, replace(ptb, gold_name="ud"), metric) == 0


def test_what_errors_cost_is_known_of_averages_over_files(result):
    for system in over_files({"a": result.tested()}):
        assert system.error_costs
        assert system.gold_name


@st.composite
def golds(draw):
    length = draw(st.integers(3, 9))
    trees = [draw(heads(length)) for _ in range(2)]
    words = ["w"] * length
    return [to_functions(Dependencies.of([(words, tree, ["x"] * length)])) for tree in trees]


@settings(max_examples=examples(100))
@given(golds(), st.sampled_from(list(KINDS)))
def test_a_planted_error_leaves_a_tree_that_lacks_something(pair, kind):
    planting = plant(pair, kinds=[kind])
    if not planting.errors:
        return
    for gold, tree in zip(pair, planting.trees, strict=True):
        assert tree.nodes != gold.nodes
        assert (set(tree.yields) == set(gold.yields)) == (kind == "label")
        if not list(crossings(gold)):
            assert not list(crossings(tree))
    assert [error.kind for error in planting.errors] == [kind]
    phrase_counts(pair, [(tree, place) for place, tree in enumerate(planting.trees)])


def test_errors_are_moves_to_a_neighbour_or_out_of_a_phrase():
    common = {mask_of(text) for text in ("1-5", "2-3", "4-5", "1", "2", "3", "4", "5")}
    by_name = {(error.moved, error.site, error.kind) for error in possible_errors(common, 5)}
    assert (mask_of("4-5"), mask_of("2-3"), "phrase low") in by_name
    assert (mask_of("5"), mask_of("4-5"), "word high") in by_name
    assert not any(site == mask_of("1-5") for _, site, _ in by_name)

"""Scores by properties of the items."""

from __future__ import annotations

import numpy as np
import pytest
from graph_samples import TWO_GRAPHS
from hypothesis import given
from hypothesis import strategies as st
from strategies import heads

import commonground
from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.evaluation.evaluate import evaluate
from commonground.metrics.breakdown import Bucket, in_order
from commonground.metrics.by import names_of, properties_of
from commonground.metrics.settings import Settings, preset

WORDS = ["Birds", "sing", "loudly", "."]
GOLD = Dependencies.of([(WORDS, [2, 0, 2, 2], ["nsubj", "root", "advmod", "punct"])])
PARSE = Dependencies.of([(WORDS, [2, 0, 1, 2], ["nsubj:pass", "root", "amod", "punct"])])


def table(metric, *by, gold=GOLD, parse=PARSE, settings=None):
    """The buckets by their values, as (correct, gold, system, correct in the system)."""
    result = evaluate(gold, parse, metrics=[metric], settings=settings)
    return {
        bucket.values: tuple(
            bucket.counts[n] for n in ("correct", "gold", "system", "system_correct")
        )
        for bucket in result.systems[0].breakdown(metric, by)
    }


def test_recall_looks_at_the_gold_labels_and_precision_at_those_of_the_parse():
    assert table("uas", "deprel") == {
        ("nsubj",): (1, 1, 0, 0),
        ("nsubj:pass",): (0, 0, 1, 1),
        ("root",): (1, 1, 1, 1),
        ("advmod",): (0, 1, 0, 0),
        ("amod",): (0, 0, 1, 0),
        ("punct",): (1, 1, 1, 1),
    }


def test_labels_are_as_the_settings_compare_them():
    assert table("las", "deprel", settings=Settings(subtypes=False))["nsubj",] == (1, 1, 1, 1)


def test_projectivity_is_that_of_each_side():
    # In the parse, *loudly* depends on *Birds* over *sing*, which *Birds* does not dominate.
    assert table("uas", "projectivity") == {
        ("projective",): (3, 4, 3, 3),
        ("non-projective",): (0, 0, 1, 0),
    }


def test_distance_and_direction_are_those_of_each_side():
    assert table("uas", "distance") == {
        ("root",): (1, 1, 1, 1),
        ("1",): (1, 2, 1, 1),
        ("2",): (1, 1, 2, 1),
    }
    assert table("uas", "direction") == {
        ("root",): (1, 1, 1, 1),
        ("left",): (1, 1, 1, 1),
        ("right",): (1, 2, 2, 1),
    }


def test_depth_counts_the_arcs_to_the_root():
    assert table("uas", "depth") == {
        ("1",): (1, 1, 1, 1),
        ("2",): (2, 3, 2, 2),
        ("3",): (0, 0, 1, 0),
    }


def test_properties_can_be_combined():
    result = table("uas", "deprel", "direction")
    assert result["nsubj", "left"] == (1, 1, 0, 0)
    assert result["root", "root"] == (1, 1, 1, 1)
    assert ("nsubj", "right") not in result


def test_sentences_are_those_of_the_gold_standard():
    two, one = (
        GOLD + GOLD,
        Dependencies.of(
            [(WORDS * 2, [2, 0, 2, 2, 6, 2, 6, 6], ["nsubj", "root", "advmod", "punct"] * 2)]
        ),
    )
    realigned = Settings(on_mismatch="realign")
    result = table("words", "sentence", gold=two, parse=one, settings=realigned)
    assert result == {("1",): (4, 4, 4, 4), ("2",): (4, 4, 4, 4)}
    result = table("words", "sentence-length", gold=one, parse=two, settings=realigned)
    assert result == {("1–10",): (8, 8, 8, 8)}


def test_precision_recall_and_f1_of_a_bucket():
    bucket = Bucket(("x",), {"correct": 1, "gold": 4, "system": 2, "system_correct": 1})
    assert (bucket.recall, bucket.precision, bucket.f1) == (1 / 4, 1 / 2, 1 / 3)
    nothing = Bucket(("x",), {"correct": 0, "gold": 1, "system": 1, "system_correct": 0})
    assert nothing.f1 == 0


def test_constituents_are_broken_down_by_label():
    gold = commonground.read_text("(S (NP (D the) (N cat)) (VP (V saw) (NP (D a) (N dog))))\n")
    parse = commonground.read_text("(S (NP (D the) (N cat) (V saw)) (NP (D a) (N dog)))\n")
    result = table("parseval_f1", "label", gold=gold, parse=parse)
    assert result == {("S",): (1, 1, 1, 1), ("NP",): (1, 2, 2, 1), ("VP",): (0, 1, 0, 0)}


def test_the_outer_bracket_that_counts_for_evalb_has_a_name_in_tables():
    gold = commonground.read_text("( (S (NP (x a)) (VP (y b))))\n")
    settings = preset("evalb-collins")
    result = table("parseval_f1", "label", gold=gold, parse=gold, settings=settings)
    assert result[("(empty)",)] == (1, 1, 1, 1)


def test_what_has_no_such_property_is_told():
    with pytest.raises(
        UsageError, match=r"words cannot be broken down by 'colour'; there are construction, depth"
    ):
        table("uas", "colour")
    with pytest.raises(UsageError, match=r"sentences cannot be broken down by 'deprel'"):
        table("tokens", "deprel")


def test_words_are_broken_down_by_the_construction_above_them():
    gold = commonground.Dependencies.of(
        [("in the city".split(), [3, 3, 0], ["case", "det", "root"])],
    )
    parse = commonground.Dependencies.of(
        [("in the city".split(), [3, 1, 0], ["case", "det", "root"])],
    )
    result = table("uas", "construction", gold=gold, parse=parse)
    assert {key: counts[:2] for key, counts in result.items()} == {
        ("adposition",): (1, 1),
        ("determiner",): (0, 1),
        ("–",): (1, 1),
    }


def test_labels_and_tags_that_tell_no_construction_make_none():
    foreign = commonground.Dependencies.of([(["Birds", "sing"], [2, 0], ["SBJ", "ROOT"])])
    assert table("uas", "construction", gold=foreign, parse=foreign) == {("–",): (2, 2, 2, 2)}


def test_every_property_belongs_to_some_table():
    trees = commonground.read_text("(S (A a))\n")
    graphs = commonground.read_text(TWO_GRAPHS, format="mrp")
    names = {*properties_of(GOLD, "words"), *properties_of(trees, "nodes")}
    names |= {*properties_of(graphs, "pieces")}
    assert names == set(names_of())


def test_labels_are_sorted_by_frequency_and_ranges_by_size():
    def buckets(*values):
        return [Bucket((value,), {"gold": place}) for place, value in enumerate(values)]

    def order(name, *values):
        return [bucket.values[0] for bucket in in_order(buckets(*values), (name,))]

    assert order("deprel", "rare", "more", "most") == ["most", "more", "rare"]
    assert order("distance", "15+", "3–6", "root", "1") == ["root", "1", "3–6", "15+"]
    assert order("depth", "10", "9") == ["9", "10"]
    assert order("sentence", "z", "a") == ["z", "a"]


def test_combinations_are_sorted_by_one_property_after_the_other():
    pairs = [("N", "right"), ("V", "left"), ("N", "left"), ("V", "right")]
    result = in_order(
        [Bucket(p, {"gold": 1 + (p[0] == "V")}) for p in pairs], ("upos", "direction")
    )
    assert [bucket.values for bucket in result] == [
        ("V", "left"),
        ("V", "right"),
        ("N", "left"),
        ("N", "right"),
    ]


@st.composite
def pairs_of_treebanks(draw):
    """Two analyses of the same random sentences."""
    sides = ([], [])
    for _ in range(draw(st.integers(1, 4))):
        length = draw(st.integers(1, 9))
        for side in sides:
            labels = st.lists(st.sampled_from(["x", "y:z", "y"]), min_size=length, max_size=length)
            side.append((["w"] * length, draw(heads(length)), draw(labels)))
    return tuple(map(Dependencies.of, sides))


@given(
    pairs_of_treebanks(),
    st.lists(
        st.sampled_from(sorted(properties_of(GOLD, "words"))), min_size=1, max_size=3, unique=True
    ),
)
def test_the_buckets_add_up_to_the_whole(pair, by):
    result = evaluate(*pair, metrics=["uas", "las", "la", "ned"])
    for name, score in result.systems[0].scores.items():
        outcome = result.systems[0].breakdown(name, by)
        totals = {n: sum(bucket.counts[n] for bucket in outcome) for n in outcome[0].counts}
        assert {n: totals[n] for n in score.counts.totals} == score.counts.totals
        assert totals["system_correct"] == totals["correct"]
        assert len({bucket.values for bucket in outcome}) == len(outcome)


@given(pairs_of_treebanks())
def test_the_breakdown_by_sentence_is_the_counts_per_sentence(pair):
    result = evaluate(*pair, metrics=["las"])
    by_name = {b.values[0]: b.counts for b in result.systems[0].breakdown("las", ["sentence"])}
    columns = result["las"].counts.columns
    for place, correct in enumerate(columns["correct"].tolist()):
        assert by_name[str(place + 1)]["correct"] == correct
    assert np.array_equal(
        columns["gold"], [by_name[str(i + 1)]["gold"] for i in range(len(by_name))]
    )

"""Leaf-ancestor: lineages, their distance, and the mean over the words."""

from __future__ import annotations

import pytest
from hypothesis import given
from tree_pairs import pairs

from commonground import read_text
from commonground.evaluation.evaluate import evaluate
from commonground.kernels import built
from commonground.metrics.constituents.leaf_ancestor import UNIT
from commonground.metrics.settings import Settings, preset


def score(gold, parse, **settings):
    one, two = (read_text(text, format="brackets") for text in (gold, parse))
    return evaluate(one, two, metrics=["leaf_ancestor"], settings=Settings(**settings))[
        "leaf_ancestor"
    ]


def test_the_example_of_the_article(kernels):
    """Lineages: N [ S, [ N N S, N ] N S, N ] S, S, S ] against N [ S, N S, N S, N ] S, S, S ]."""
    result = score(
        "(S (N two (N tax revision) bills) were passed)",
        "(S (N two tax revision bills) were passed)",
    )
    assert result.value == pytest.approx((4 + 2 * (1 - 2 / 6)) / 6, abs=1e-9)
    assert result.counts.totals["correct"] == 4


def test_a_replaced_label_costs_one(kernels):
    result = score("(S (NP (D a) (N b)) (V c))", "(S (XP (D a) (N b)) (V c))")
    # NP [ S and NP ] S have three signs on each side, S ] has two.
    assert result.value == pytest.approx((2 * (1 - 1 / 6) + 1) / 3, abs=1e-9)


def test_boundaries_tell_apart_what_labels_do_not(kernels):
    """Without markers, all words would have the lineage A S in both trees."""
    gold, parse = "(S (A (N a) (N b)) (A (N c)))", "(S (A (N a)) (A (N b) (N c)))"
    assert score(gold, parse).value < 1


def test_deleted_nodes_and_words_are_in_no_lineage(kernels):
    assert score("(TOP (S (N a) (-NONE- *)))", "(S (N a))").value == 1
    gold, parse = "(S (A (N a)) (, ,) (N b))", "(S (A (N a) (, ,)) (N b))"
    assert score(gold, parse).value < 1
    assert score(gold, parse, punctuation="tag").value == 1


def test_labels_that_are_alike_are_the_same(kernels):
    gold, parse = "(S (PRT (N a)) (N b))", "(S (ADVP (N a)) (N b))"
    assert score(gold, parse).value < 1
    one, two = (read_text(text, format="brackets") for text in (gold, parse))
    result = evaluate(one, two, metrics=["leaf_ancestor"], settings=preset("evalb-collins"))
    assert result["leaf_ancestor"].value == 1


def test_words_without_phrases_are_right(kernels):
    assert score("(N a)", "(N a)").value == 1


def test_the_counts_are_whole_numbers_per_sentence(kernels):
    text = "(S (N a) (N b))\n(S (NP (N a)))"
    columns = score(text, text).counts.columns
    assert columns["billionths"].tolist() == [2 * UNIT, UNIT]


def test_a_quotation_mark_that_counts_twice_has_two_places(kernels):
    """As in evalb, the mark of the gold standard is put back for both of the parse."""
    gold = read_text("(S (N a) ('' ') (N b))", format="brackets")
    parse = read_text("(S (N a) (POS ') (POS ') (N b))", format="brackets")
    settings = preset("evalb-new")
    result = evaluate(gold, parse, metrics=["leaf_ancestor", "tagging"], settings=settings)
    assert result["tagging"].counts.totals["gold"] == 4
    assert result["leaf_ancestor"].value == 1


def test_deep_trees_are_compared(kernels):
    deep = "(S " * 5000 + "(N a)" + ")" * 5000
    assert score(deep, deep).value == 1


@pytest.mark.skipif(not built(), reason="the kernels were not compiled")
@given(pairs())
def test_compiled_and_plain_agree(pair):
    results = []
    for kind in ("python", "compiled"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("COMMONGROUND_KERNELS", kind)
            result = evaluate(*pair, metrics=["leaf_ancestor"], settings=preset("evalb-collins"))
        results.append({n: c.tolist() for n, c in result["leaf_ancestor"].counts.columns.items()})
    assert results[0] == results[1]


@given(pairs())
def test_scores_are_between_0_and_1_and_the_same_both_ways(pair):
    gold, system = pair
    there = evaluate(gold, system, metrics=["leaf_ancestor"])["leaf_ancestor"]
    back = evaluate(system, gold, metrics=["leaf_ancestor"])["leaf_ancestor"]
    assert there.value == back.value
    assert (there.value is None and there.undefined) or 0 <= there.value <= 1

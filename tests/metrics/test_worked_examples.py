"""The worked examples of Tsarfaty, Nivre & Andersson (2011, 2012), with their numbers."""

from __future__ import annotations

import numpy as np
import pytest

from commonground import compare, evaluate, generalize, read_text, subsumes, to_functions, unify
from commonground.corpus import Dependencies, Functions
from commonground.errors import CommonGroundError
from commonground.ground.algebra import label_unify
from commonground.ground.wildcards import resolve_wildcards
from commonground.metrics.functions import tedeval_2011
from commonground.metrics.functions.tedeval import share_right, tedeval_items


def dependencies(*words):
    """A tree of (form, head, label)."""
    return Dependencies.of([tuple(list(column) for column in zip(*words, strict=True))])


def functional(*words):
    """Step 1 of 2011: a functional tree, with wildcards for heads."""
    return to_functions(dependencies(*words), head="*")


def nodes(tree):
    return dict(zip(tree.yields, tree.label, strict=True))


# ── 2011 ─────────────────────────────────────────────────────────────────────────────────────────

ON_1 = [("on", 2, "prep"), ("Sunday", 0, "x")]
ON_2 = [("on", 0, "x"), ("Sunday", 1, "pobj")]
EARTH_A = [("earth", 3, "conj"), ("wind", 3, "conj"), ("and", 0, "x"), ("fire", 3, "conj")]
EARTH_B = [("earth", 0, "x"), ("wind", 1, "conj"), ("and", 1, "cc"), ("fire", 1, "conj")]
EARTH_C = [("earth", 0, "x"), ("wind", 1, "coord"), ("and", 2, "coord"), ("fire", 3, "conj")]
WOULD_A = [("would", 0, "x"), ("have", 1, "vg"), ("worked", 2, "vg")]
WOULD_B = [("would", 2, "vg"), ("have", 3, "vg"), ("worked", 0, "x")]


def test_4a_and_4b_are_identical_modulo_wildcards():
    one, two = functional(*ON_1), functional(*ON_2)
    assert nodes(one) == {"1-2": "x", "1": "prep", "2": "*"}
    assert nodes(two) == {"1-2": "x", "1": "*", "2": "pobj"}
    a, b = resolve_wildcards(one, two)
    assert a == b
    assert subsumes(a, b).all()
    assert subsumes(b, a).all()


def test_5a_and_5b_have_the_same_yields_and_5c_elaborates_5b():
    a, b, c = (functional(*tree) for tree in (EARTH_A, EARTH_B, EARTH_C))
    assert set(a.yields) == set(b.yields) == {"1-4", "1", "2", "3", "4"}
    assert nodes(c) == {
        "1-4": "x",
        "1": "*",
        "2-4": "coord",
        "2": "*",
        "3-4": "coord",
        "3": "*",
        "4": "conj",
    }
    flat, deep = (unlabelled(tree) for tree in (b, c))
    assert subsumes(flat, deep).all()
    assert not subsumes(deep, flat).any()


def unlabelled(tree):
    pairs = [(words, "") for words in tree.yields]
    return Functions.of([(tree.form.tolist(), pairs)])


def test_6a_and_6b_cannot_be_unified_but_generalized():
    one, two = resolve_wildcards(functional(*WOULD_A), functional(*WOULD_B))
    with pytest.raises(CommonGroundError, match="cross"):
        unify(one, two)
    assert nodes(generalize(one, two)) == {"1-3": "x", "1": "vg", "2": "*", "3": "vg"}


ARRIVE_1 = [("arrive", 0, "root"), ("on", 1, "tmod"), ("Sunday", 2, "pobj")]
ARRIVE_2 = [("arrive", 0, "root"), ("on", 3, "prep"), ("Sunday", 1, "tmod")]


def test_figure_1_las_is_1_on_the_own_gold_and_low_on_the_other():
    """The figure prints 0.0 for the other one; the arc to 'arrive' itself is right."""
    one, two = dependencies(*ARRIVE_1), dependencies(*ARRIVE_2)
    assert evaluate(one, one)["las"].value == evaluate(two, two)["las"].value == 1
    assert evaluate(one, two)["las"].value == pytest.approx(1 / 3)


@pytest.mark.parametrize("protocol", ["2011", "2012"])
def test_figure_1_both_parses_are_perfect_on_the_common_ground(protocol):
    one, two = dependencies(*ARRIVE_1), dependencies(*ARRIVE_2)
    comparison = compare({"1": (one, one), "2": (two, two)}, protocol=protocol, labels="own")
    for system in comparison.systems:
        assert system.multiple.labelled.value == system.multiple.unlabelled.value == 1


def test_a_perfect_parse_has_no_distance_to_the_generalized_gold():
    """δnew(gold1, gold1, gold3) = 0."""
    own, other = functional(*EARTH_C), functional(*EARTH_B)
    gold = tedeval_2011.common_gold(own, other)
    totals = tedeval_2011.tedeval_2011_items(own, own, gold).counts.totals
    assert totals["cost"] == 0
    assert totals["forgiven"] > 0


def test_where_trees_have_only_root_and_leaves_the_score_is_1():
    """Footnote 5."""
    word = functional(("Go", 0, "root"))
    totals = tedeval_2011.tedeval_2011_items(word, word).counts.totals
    assert tedeval_2011.score(totals) == share_right(tedeval_items(word, word).counts.totals) == 1


def test_the_mean_of_sentence_scores_is_not_the_global_average():
    """§3: a sentence of 2 nodes, all wrong, beside one of 4, all right: 0.5, and 8/12."""
    gold = Functions.of(
        [
            (["a", "b"], [("1", "x"), ("2", "y")]),
            ("a b c d".split(), [("1", "x"), ("2", "x"), ("3", "x"), ("4", "x")]),
        ]
    )
    parse = Functions.of(
        [
            (["a", "b"], [("1", "p"), ("2", "q")]),
            ("a b c d".split(), [("1", "x"), ("2", "x"), ("3", "x"), ("4", "x")]),
        ]
    )
    score = evaluate(gold, parse, metrics=["tedeval"])["tedeval"]
    assert score.value == pytest.approx(8 / 12)
    assert np.mean(score.by_sentence()) == pytest.approx(0.5)


# ── 2012 ─────────────────────────────────────────────────────────────────────────────────────────

DEPENDENCY = [("John", 2, "sbj"), ("loves", 0, "root"), ("Mary", 2, "obj")]
PHRASES = "(S-root (NP-sbj (NN-hd John)) (VP-prd (V-hd loves) (NP-obj (NN-hd Mary))))"
REALIZED = (
    "(S ({sbj,prd,obj} (sbj (NP ({hd} (hd (NN John))))) (prd (V loves)) "
    "(obj (NP ({hd} (hd (NN Mary)))))))"
)


def sets(tree):
    names = {}
    for words, label in zip(tree.yields, tree.label, strict=True):
        names.setdefault(words, set()).add(label)
    return {words: labels - {""} for words, labels in names.items()}


def test_figure_1_three_analyses_as_function_trees():
    assert sets(to_functions(dependencies(*DEPENDENCY))) == {
        "1-3": {"root"},
        "1": {"sbj"},
        "2": {"hd"},
        "3": {"obj"},
    }
    assert sets(to_functions(read_text(PHRASES))) == {
        "1-3": {"root"},
        "1": {"sbj", "hd"},
        "2-3": {"prd"},
        "2": {"hd"},
        "3": {"obj", "hd"},
    }
    assert sets(to_functions(read_text(REALIZED))) == {
        "1": {"sbj", "hd"},
        "2": {"prd"},
        "3": {"obj", "hd"},
    }


def test_figure_1_the_dependency_gold_and_the_phrase_gold_agree_on_three_nodes():
    """G = sbj John, hd loves, obj Mary; the phrases have 3 labelled nodes more: δ = 0, forgiven."""
    dep, ptb = dependencies(*DEPENDENCY), read_text(PHRASES)
    comparison = compare({"dep": (dep, dep), "ptb": (ptb, ptb)}, labels="own")
    assert comparison["ptb"].multiple.labelled.counts.totals["gold"] == 3
    assert comparison["ptb"].multiple.labelled.value == 1
    overlap = comparison.overlap["dep", "ptb"]
    assert overlap.labelled.value == pytest.approx(1 - 3 / 9)
    assert overlap.unlabelled.value == pytest.approx(1 - 1 / 7)


def test_figure_2_the_order_of_a_unary_chain_says_nothing():
    one, two = (Functions.of([(["w", "v"], [("1", a), ("1", b)])]) for a, b in ("xy", "yx"))
    assert one == two
    assert sets(one) == {"1": {"x", "y"}}


def test_an_empty_set_generalizes_to_nothing_and_unifies_with_anything():
    """§3.2: what has no specification shares nothing, and changes nothing."""
    bare, rich = Functions.of([(["w"], [("1", "")])]), Functions.of([(["w"], [("1", "x")])])
    assert sets(generalize(bare, rich)) == {"1": set()}
    assert sets(unify(bare, rich)) == {"1": {"x"}}


def test_tl_unification_keeps_the_structure_of_the_first_tree():
    ptb, sd = (
        read_text("(S (NP (NN John)) (VP (V loves) (NP (NN Mary))))"),
        dependencies(*DEPENDENCY),
    )
    result = label_unify(to_functions(ptb), to_functions(sd))
    assert sets(result) == {
        "1-3": {"root"},
        "1": {"sbj"},
        "2-3": set(),
        "2": {"hd"},
        "3": {"obj"},
    }


def test_stripping_function_nodes_leaves_phrase_trees():
    """§4.2: RR trees only add function nodes to PS trees: PARSEVAL of Figure 1 (b) and (c)."""
    score = evaluate(read_text(PHRASES), read_text(REALIZED), metrics=["parseval_f1"])
    assert 100 * score["parseval_f1"].value == pytest.approx(85.7, abs=0.05)

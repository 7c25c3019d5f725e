"""TedEval 2011: the figures of the paper, wildcards, the score and what was forgiven."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import heads

from commonground.corpus import Dependencies, Functions
from commonground.evaluation.evaluate import evaluate
from commonground.formats import read_text
from commonground.ground import CrossingError, generalize, subsumes, unify
from commonground.ground.dependencies import dependency_functions
from commonground.ground.ordered import bracketed, unlabelled
from commonground.ground.scripts import explain
from commonground.ground.wildcards import resolve_wildcards
from commonground.metrics.functions.tedeval import tedeval_items
from commonground.metrics.functions.tedeval_2011 import (
    common_gold,
    functional,
    score,
    tedeval_2011_items,
)
from commonground.metrics.settings import Settings


def functional_tree(text, *arcs):
    """Return the functional tree of a dependency tree, given as head and label of each word."""
    heads_of, labels = zip(*arcs, strict=True)
    return dependency_functions(Dependencies.of([(text.split(), heads_of, labels)]), head="*")


# The functional trees (4) to (6) of the paper, from its dependency trees (1) to (3).
FOUR = {
    "a": functional_tree("on Sunday", (2, "prep"), (0, "...")),
    "b": functional_tree("on Sunday", (0, "..."), (1, "pobj")),
}
FIVE = {
    "a": functional_tree("earth wind and fire", (3, "conj"), (3, "conj"), (0, "..."), (3, "conj")),
    "b": functional_tree("earth wind and fire", (0, "..."), (1, "conj"), (1, "cc"), (1, "conj")),
    "c": functional_tree(
        "earth wind and fire", (0, "..."), (1, "coord"), (2, "coord"), (3, "conj")
    ),
}
SIX = {
    "a": functional_tree("would have worked", (0, "..."), (1, "vg"), (2, "vg")),
    "b": functional_tree("would have worked", (2, "vg"), (3, "vg"), (0, "...")),
}


def below(one, two):
    """Tell whether the first tree T-subsumes the second."""
    return bool(subsumes(*resolve_wildcards(one, two))[0])


def nodes(tree):
    return list(zip(tree.yields, tree.label, strict=True))


# ── the figures of the paper ─────────────────────────────────────────────────────────────────────


def test_the_functional_trees_are_those_of_the_paper():
    """The text of the figures is run together in our copy: ``...prepon*Sunday`` is (4a).

    The brackets here are what the procedure makes of (1) to (3), and they have the same labels and
    words in the same order.
    """
    drawn = [*bracketed(FOUR["a"]), *bracketed(FOUR["b"])]
    assert drawn == ["(... (prep on) (* Sunday))", "(... (* on) (pobj Sunday))"]
    assert [text for tree in FIVE.values() for text in bracketed(tree)] == [
        "(... (conj earth) (conj wind) (* and) (conj fire))",
        "(... (* earth) (conj wind) (cc and) (conj fire))",
        "(... (* earth) (coord (* wind) (coord (* and) (conj fire))))",
    ]
    assert [text for tree in SIX.values() for text in bracketed(tree)] == [
        "(... (* would) (vg (* have) (vg worked)))",
        "(... (vg (vg would) (* have)) (* worked))",
    ]


@pytest.mark.parametrize(("one", "two"), [(FOUR["a"], FOUR["b"]), (FIVE["a"], FIVE["b"])])
def test_4a_and_4b_and_5a_and_5b_are_the_same_modulo_wildcards(one, two):
    assert below(unlabelled(one), unlabelled(two))
    assert below(unlabelled(two), unlabelled(one))
    assert below(one, two)
    assert below(two, one)
    assert tedeval_2011_items(one, two).counts.totals["cost"] == 0


def test_4a_and_4b_each_have_labels_that_the_other_lacks():
    both = unify(*resolve_wildcards(FOUR["a"], FOUR["b"]))
    assert list(bracketed(both)) == ["(... (prep on) (pobj Sunday))"]
    assert not subsumes(FOUR["a"], FOUR["b"])[0]
    assert not subsumes(FOUR["b"], FOUR["a"])[0]


def test_5c_elaborates_a_flat_structure_of_5b():
    assert below(FIVE["b"], FIVE["c"])
    assert not below(FIVE["c"], FIVE["b"])
    assert list(bracketed(unify(*resolve_wildcards(FIVE["b"], FIVE["c"])))) == [
        "(... (* earth) (coord (conj wind) (coord (cc and) (conj fire))))"
    ]
    assert nodes(common_gold(FIVE["b"], FIVE["c"])) == [
        *[("1-4", "..."), ("1", "*"), ("2", "conj"), ("3", "cc"), ("4", "conj")]
    ]


def test_6a_and_6b_cannot_be_unified():
    with pytest.raises(CrossingError, match="1-2 and 2-3 cross"):
        unify(*resolve_wildcards(SIX["a"], SIX["b"]))


def test_6a_and_6b_have_a_flat_tree_in_common():
    """The paper labels 'would' and 'have' with vg and 'worked' with * in the generalization.

    By its definitions, 'worked' (vg in one tree, * in the other) is vg and 'have' (* in both) is *.
    As * is equal to every label, each of the two trees subsumes the other, and both subsume (6a)
    and (6b); only ours has no label that neither of the two has over the same word.
    """
    ours = common_gold(SIX["a"], SIX["b"])
    assert list(bracketed(ours)) == ["(... (vg would) (* have) (vg worked))"]
    paper = Functions.of(
        [("would have worked".split(), [("1-3", "..."), ("1", "vg"), ("2", "vg"), ("3", "*")])]
    )
    assert below(ours, paper)
    assert below(paper, ours)
    for tree in SIX.values():
        assert below(ours, tree)
        assert below(paper, tree)
        assert not below(tree, ours)
    assert tedeval_2011_items(ours, paper).counts.totals["cost"] == 0


def test_a_perfect_parse_of_6a_or_6b_is_not_punished_for_what_the_other_lacks():
    general = common_gold(SIX["a"], SIX["b"])
    for tree in SIX.values():
        result = tedeval_2011_items(tree, tree, general).counts.totals
        assert (result["cost"], result["forgiven"], result["gold"], result["system"]) == (
            0,
            1,
            3,
            4,
        )
    # Scored against the other's own gold standard, each has a phrase too many and one too few.
    crossed = tedeval_2011_items(SIX["a"], SIX["b"]).counts.totals
    assert (crossed["cost"], score(crossed)) == (2, 0.75)


def test_parses_of_figure_1_score_1_on_the_common_gold():
    """'arrive on Sunday' with a functional and with a lexical head; LAS between the two is 0."""
    one = functional_tree("arrive on Sunday", (0, "root"), (1, "tmod"), (2, "pobj"))
    two = functional_tree("arrive on Sunday", (0, "root"), (3, "prep"), (1, "tmod"))
    general = common_gold(one, two)
    assert list(bracketed(general)) == ["(root (* arrive) (tmod (prep on) (pobj Sunday)))"]
    for tree in (one, two):
        assert score(tedeval_2011_items(tree, tree, general).counts.totals) == 1


# ── the score ────────────────────────────────────────────────────────────────────────────────────

WORDS = "John loves Mary".split()
GOLD = Dependencies.of([(WORDS, [2, 0, 2], ["sbj", "root", "obj"])])


def evaluated(parse, **settings):
    metrics = ["tedeval_2011", "tedeval_2011_unlabelled"]
    result = evaluate(GOLD, parse, metrics=metrics, settings=Settings(**settings))
    return [result[name].value for name in metrics]


def test_a_wrong_label_costs_one_edit(kernels):
    parse = Dependencies.of([(WORDS, [2, 0, 2], ["sbj", "root", "mod"])])
    assert evaluated(parse) == [1 - 1 / 6, 1]
    assert evaluated(parse, equivalent={"mod": "obj"}) == [1, 1]


def test_a_wrong_head_costs_a_phrase_and_wildcards_cost_nothing(kernels):
    parse = Dependencies.of([(WORDS, [2, 3, 0], ["sbj", "root", "obj"])])
    # (root John loves) is deleted; Mary, now the head, is a wildcard.
    assert evaluated(parse) == [1 - 1 / 7, 1 - 1 / 7]


def test_function_trees_and_constituents_are_scored_too():
    text = "(S (NP-SBJ (NN John)) (VP (V loves) (NP-{} (NN Mary))))"
    gold, parse = read_text(text.format("OBJ")), read_text(text.format("TMP"))
    metrics = ["tedeval_2011", "tedeval_2011_unlabelled"]
    result = evaluate(gold, parse, metrics=metrics)
    assert result["tedeval_2011"].value == 1 - 1 / 4
    assert result["tedeval_2011_unlabelled"].value == 1
    trees = dependency_functions(GOLD)
    assert evaluate(trees, trees, metrics=metrics)["tedeval_2011"].value == 1


def test_what_else_the_head_is_takes_the_place_of_the_wildcard():
    tree = Functions.of([(WORDS, [("1", "hd"), ("1", "sbj"), ("2", "hd")])])
    assert nodes(functional(tree)) == [("1", "sbj"), ("2", "*")]


def test_a_treebank_without_sentences_scores_1():
    nothing = Functions.of([])
    assert score(tedeval_2011_items(nothing, nothing, nothing).counts.totals) == 1


def test_one_word_has_only_a_root_and_scores_1():
    one = dependency_functions(Dependencies.of([(["Yes"], [0], ["root"])]), head="*")
    result = tedeval_2011_items(one, one).counts.totals
    assert (result["gold"], result["system"], score(result)) == (0, 0, 1)


# ── what was forgiven ────────────────────────────────────────────────────────────────────────────


def test_an_explanation_has_the_scripts_and_what_was_forgiven():
    parse = functional_tree("would have worked", (0, "root"), (1, "aux"), (2, "vg"))
    (result,) = explain(parse, SIX["a"], common_gold(SIX["a"], SIX["b"]))
    assert [str(each) for each in result.parse_to_gold] == ["relabel aux 2-3 to vg"]
    assert [str(each) for each in result.parse_to_general] == ["delete aux 2-3"]
    assert [str(each) for each in result.gold_to_general] == ["delete vg 2-3"]
    assert result.forgiven == ()
    assert result.charged == result.parse_to_general
    (perfect,) = explain(SIX["a"], SIX["a"], common_gold(SIX["a"], SIX["b"]))
    assert [str(each) for each in perfect.forgiven] == ["delete vg 2-3"]
    assert perfect.charged == ()


def test_an_explanation_of_2012_is_the_difference_of_sets():
    parse = Functions.of([(WORDS, [("1-3", "x"), ("1", "sbj"), ("2-3", "prd"), ("3", "mod")])])
    own = Functions.of([(WORDS, [("1-3", "y"), ("1", "sbj"), ("2-3", "prd"), ("3", "obj")])])
    general = Functions.of([(WORDS, [("1", "sbj"), ("3", "obj")])])
    (result,) = explain(parse, own, general, relabel=False)
    assert [str(each) for each in result.charged] == ["delete mod 3", "add obj 3"]
    assert [str(each) for each in result.forgiven] == ["delete prd 2-3"]


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────


@st.composite
def treebanks(draw, count):
    """Several analyses of the same random sentences, as functional trees."""
    lengths = draw(st.lists(st.integers(1, 6), min_size=1, max_size=3))
    labels = st.sampled_from("xyz")
    return [
        dependency_functions(
            Dependencies.of(
                [
                    (
                        [f"w{i}" for i in range(n)],
                        draw(heads(n)),
                        draw(st.lists(labels, min_size=n, max_size=n)),
                    )
                    for n in lengths
                ]
            ),
            head="*",
        )
        for _ in range(count)
    ]


@given(treebanks(3))
def test_a_perfect_parse_scores_1_against_every_generalization(trees):
    general = common_gold(*trees)
    for tree in trees:
        for labelled in (True, False):
            assert (
                tedeval_2011_items(tree, tree, general, labelled=labelled).counts.totals["cost"]
                == 0
            )


@given(treebanks(3))
def test_generalization_with_wildcards_knows_no_order(trees):
    one, two, three = trees
    assert common_gold(one, two) == common_gold(two, one)
    assert common_gold(one, one) == one
    assert common_gold(common_gold(one, two), three) == common_gold(one, common_gold(two, three))
    assert common_gold(common_gold(one, two), three) == common_gold(*trees)


@given(treebanks(2))
def test_a_generalization_subsumes_what_it_was_made_of(trees):
    general = common_gold(*trees)
    for tree in trees:
        assert subsumes(*resolve_wildcards(general, tree)).all()


@given(treebanks(3))
def test_forgiving_never_costs_more_than_it_saves(trees):
    parse, own, other = trees
    result = tedeval_2011_items(parse, own, common_gold(own, other)).counts.columns
    assert (result["cost"] >= 0).all()
    assert (result["correct"] <= np.minimum(result["gold"], result["system"])).all()
    assert (result["cost"] + result["forgiven"] <= result["gold"] + result["system"]).all()
    explained = explain(parse, own, common_gold(own, other))
    assert [len(each.charged) for each in explained] == result["cost"].tolist()
    assert [len(each.forgiven) for each in explained] == result["forgiven"].tolist()


@given(treebanks(3))
def test_unlabelled_it_is_the_protocol_of_2012(trees):
    parse, own, other = trees
    general = generalize(own, other)
    result = tedeval_2011_items(parse, own, general, labelled=False).counts.columns
    later = tedeval_items(parse, own, general, labelled=False).counts.columns
    right = later["correct"] + later["system_correct"]
    assert result["cost"].tolist() == (later["gold"] + later["system"] - right).tolist()


@given(treebanks(2))
def test_without_relabelling_it_is_the_protocol_of_2012(trees):
    parse, own = (without_wildcards(tree) for tree in trees)
    later = tedeval_items(parse, own).counts.columns
    wrong = later["gold"] + later["system"] - later["correct"] - later["system_correct"]
    assert [len(each.charged) for each in explain(parse, own, own, relabel=False)] == wrong.tolist()


def without_wildcards(tree):
    label = tree.label.map(lambda text: "hd" if text == "*" else text)
    return Functions({**tree.tables, "nodes": tree.nodes.replace(label=label)})


@given(treebanks(2))
def test_both_kernels_give_the_same_score(trees):
    parse, own = trees
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMMONGROUND_KERNELS", "python")
        plain = tedeval_2011_items(parse, own).counts.totals
    assert tedeval_2011_items(parse, own).counts.totals == plain

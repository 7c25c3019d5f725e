"""Sorted function trees, and the scripts between them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import heads

from commonground.corpus import Dependencies, Functions
from commonground.corpus.functions import parse_yield
from commonground.ground import CrossingError
from commonground.ground.dependencies import dependency_functions
from commonground.ground.ordered import (
    bracketed,
    ordered_trees,
    tree_distances,
    unlabelled,
    unrooted,
)
from commonground.ground.scripts import Operation, edits_to, explain

WORDS = "abcdefgh"


def functions(*nodes, words=4):
    return Functions.of([(WORDS[:words], nodes)])


LABELS = st.sets(st.sampled_from("xyz"), max_size=3).map(lambda found: found or {""})
WILD = st.one_of(LABELS, st.just({"*"}))


@st.composite
def nested(draw, length, labels=LABELS):
    """A function tree over continuous yields that do not cross."""
    spans = []
    for _ in range(draw(st.integers(0, 6))):
        first = draw(st.integers(1, length))
        last = draw(st.integers(first, length))
        crossed = (a < first <= b < last or first < a <= last < b for a, b in spans)
        if (first, last) not in spans and not any(crossed):
            spans.append((first, last))
    return [(f"{a}-{b}" if a < b else str(a), label) for a, b in spans for label in draw(labels)]


@st.composite
def dependency_trees(draw, length):
    """The functions of a random tree, projective or not."""
    relations = draw(st.lists(st.sampled_from("xyz"), min_size=length, max_size=length))
    words = Dependencies.of([(list(WORDS[:length]), draw(heads(length)), relations)])
    return dependency_functions(words)


def pairs(trees):
    """Return pairs of trees over the same words, made by a strategy that takes their number."""
    return st.integers(1, 6).flatmap(lambda length: st.tuples(trees(length), trees(length)))


NESTED = pairs(lambda n: nested(n).map(lambda nodes: Functions.of([(WORDS[:n], nodes)])))
WITH_WILDCARDS = pairs(
    lambda n: nested(n, WILD).map(lambda nodes: Functions.of([(WORDS[:n], nodes)]))
)
DEPENDENCIES = pairs(dependency_trees)


# ── from sets to trees ───────────────────────────────────────────────────────────────────────────


def test_a_set_of_labels_is_a_chain_in_alphabetical_order_from_the_top():
    tree = functions(("1-2", "b"), ("1-2", "c"), ("1-2", "a"), words=2)
    assert list(bracketed(tree)) == ["(a (b (c a b)))"]
    assert ordered_trees(tree).label.tolist() == ["c", "b", "a"]


def test_a_node_without_labels_is_none():
    tree = functions(("1-4", "root"), ("1-2", ""), ("1", "x"))
    assert list(bracketed(tree)) == ["(root (x a) b c d)"]
    assert ordered_trees(tree).yields.tolist() == ["1", "1-4"]


def test_siblings_stand_in_the_order_of_their_first_words_also_where_they_are_not_continuous():
    tree = functions(("1,4", "x"), ("2-3", "y"), ("3", "z"), ("4", "w"))
    assert ordered_trees(tree).label.tolist() == ["w", "x", "z", "y"]
    assert ordered_trees(tree).leftmost.tolist() == [0, 0, 2, 2]
    assert list(bracketed(tree)) == ["(x a (w d)) (y b (z c))"]


def test_the_labels_of_a_yield_come_from_the_top_however_they_were_given():
    one, two = functions(("1-2", "y"), ("1-2", "x")), functions(("1-2", "x"), ("1-2", "y"))
    assert list(bracketed(one)) == list(bracketed(two)) == ["(x (y a b)) c d"]


def test_crossing_yields_make_no_tree():
    tree = functions(("1-4", "r"), ("1-2", "x"), ("2-3", "y"))
    with pytest.raises(CrossingError, match="sentence 1: the words 1-2 and 2-3 cross"):
        ordered_trees(tree)
    with pytest.raises(CrossingError):
        ordered_trees(functions(("1-2", "x"), ("2,4", "y")))


@given(st.integers(1, 8).flatmap(dependency_trees))
def test_every_dependency_tree_has_an_ordered_form(tree):
    trees = ordered_trees(tree)
    assert sorted(zip(trees.yields, trees.label, strict=True)) == sorted(
        zip(tree.yields, tree.label, strict=True)
    )
    for node, first in enumerate(trees.leftmost.tolist()):
        words = words_of(trees.yields[node])
        assert all(words_of(trees.yields[below]) <= words for below in range(first, node))


def words_of(text):
    return {word for a, b in parse_yield(text) for word in range(a, b + 1)}


def test_the_root_is_the_node_over_all_words_whatever_its_labels():
    tree = functions(("1-4", "root"), ("1-4", "x"), ("1-3", "y"), ("1,4", "z"))
    assert unrooted(tree).yields.tolist() == ["1-3", "1,4"]


def test_without_labels_every_yield_is_one_node():
    tree = functions(("1-2", ""), ("3", "x"), ("3", "y"))
    assert list(zip(unlabelled(tree).yields, unlabelled(tree).label, strict=True)) == [
        ("1-2", "_"),
        ("3", "_"),
    ]


def test_a_tree_2000_deep_and_a_sentence_of_10000_words():
    words = [str(i) for i in range(10_000)]
    deep = Functions.of([(words, [(f"1-{i}", "x") for i in range(2, 2002)])])
    flat = Functions.of([(words, [(str(i), "x") for i in range(1, 10_001)])])
    assert ordered_trees(deep).leftmost.max() == 0
    assert ordered_trees(flat).leftmost.tolist() == list(range(10_000))
    assert edits_to(flat, deep)[0].costs().tolist() == [12_000]


# ── distances and scripts ────────────────────────────────────────────────────────────────────────


def with_words(tree):
    """Return a function tree of one sentence as nested tuples, with the words as leaves."""
    trees = ordered_trees(tree)
    parts = []
    for label, text in zip(trees.label, trees.yields, strict=True):
        mine = words_of(text)
        below = [part for part in parts if part[0] <= mine]
        parts = [part for part in parts if not part[0] <= mine]
        left = mine.difference(*(part[0] for part in below))
        below += [({word}, (-word, ())) for word in left]
        below.sort(key=lambda part: min(part[0]))
        parts.append((mine, (label, tuple(node for _, node in below))))
    left = set(range(1, tree.words.rows + 1)).difference(*(part[0] for part in parts))
    parts += [({word}, (-word, ())) for word in left]
    return tuple(node for _, node in sorted(parts, key=lambda part: min(part[0])))


def immovable(one, two, relabel):
    """Return the distance of whole trees by its definition, where words cannot be edited."""

    def cost(label):
        return 1 if isinstance(label, str) else np.inf

    def change(a, b):
        if isinstance(a, str) and isinstance(b, str):
            return 0 if a == b or "*" in (a, b) else relabel
        return 0 if a == b else np.inf

    @cache
    def apart(one, two):
        if not one and not two:
            return 0
        results = []
        if one:
            results.append(apart(one[:-1] + one[-1][1], two) + cost(one[-1][0]))
        if two:
            results.append(apart(one, two[:-1] + two[-1][1]) + cost(two[-1][0]))
        if one and two:
            (a, below), (b, other) = one[-1], two[-1]
            results.append(apart(one[:-1], two[:-1]) + apart(below, other) + change(a, b))
        return min(results)

    return apart(one, two)


@given(WITH_WILDCARDS)
def test_the_chains_of_all_yields_are_as_far_apart_as_the_whole_trees(trees):
    """Words are not edited: that is why the distance of trees is a sum over their yields."""
    one, two = trees
    (edits,) = edits_to(two, one)
    assert edits.costs().tolist() == [immovable(with_words(one), with_words(two), 1)]


@given(NESTED)
def test_without_relabelling_the_distance_is_the_difference_of_the_sets_of_nodes(trees):
    one, two = (set(labelled(tree)) for tree in trees)
    (edits,) = edits_to(trees[1], trees[0], relabel=False)
    assert edits.costs().tolist() == [len(one ^ two)]
    assert edits.costs().tolist() == [immovable(*(with_words(tree) for tree in trees), 2)]
    assert set(edits.scripts()[0]) == {
        *(Operation("delete", label, words) for words, label in one - two),
        *(Operation("add", label, words) for words, label in two - one),
    }


@given(NESTED)
def test_the_ordered_distance_is_the_same_where_nodes_over_other_words_are_other_nodes(trees):
    named = [ordered_trees(with_words_in_labels(tree)) for tree in trees]
    one, two = (set(labelled(tree)) for tree in trees)
    assert tree_distances(*named, relabel=2).tolist() == [len(one ^ two)]


@given(DEPENDENCIES)
def test_sets_of_words_are_never_further_apart_than_ordered_trees(trees):
    """A discontinuous phrase puts its words in another order, and ordered trees pay for that."""
    named = [ordered_trees(with_words_in_labels(tree)) for tree in trees]
    one, two = (set(labelled(tree)) for tree in trees)
    assert tree_distances(*named, relabel=2)[0] >= len(one ^ two)
    if all(len(parse_yield(text)) == 1 for tree in trees for text in tree.yields):
        assert tree_distances(*named, relabel=2)[0] == len(one ^ two)


def with_words_in_labels(tree):
    nodes = [(words, f"{label} {words}") for words, label in labelled(tree)]
    return Functions.of([(tree.form.tolist(), nodes)])


def labelled(tree):
    return [pair for pair in zip(tree.yields, tree.label, strict=True) if pair[1]]


@given(st.one_of(WITH_WILDCARDS, DEPENDENCIES))
def test_applying_a_script_makes_the_second_tree_of_the_first(trees):
    one, two = trees
    nodes = set(labelled(one))
    for operation in edits_to(two, one)[0].scripts()[0]:
        before, after = (operation.yields, operation.label), (operation.yields, operation.new)
        if operation.kind == "add":
            assert before not in nodes
            nodes.add(before)
            continue
        nodes.remove(before)
        nodes |= {after} if operation.kind == "relabel" else set()
    # Only wildcards, which are equal to every label, may still differ.
    assert len(nodes) == len(labelled(two))
    assert {words for words, _ in nodes} == {words for words, _ in labelled(two)}
    if "*" not in {*one.label, *two.label}:
        assert nodes == set(labelled(two))


@given(st.one_of(WITH_WILDCARDS, DEPENDENCIES))
def test_both_kernels_find_the_same_scripts(trees):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMMONGROUND_KERNELS", "python")
        plain = edits_to(trees[1], trees[0])[0].scripts()
    assert edits_to(trees[1], trees[0])[0].scripts() == plain


def test_a_script_relabels_only_what_it_must():
    one, two = functions(("1", "x"), ("1", "y")), functions(("1", "y"), ("1", "z"))
    assert list(map(str, edits_to(two, one)[0].scripts()[0])) == ["delete x 1", "add z 1"]


def test_yields_that_cross_can_be_edited_too():
    one, two = functions(("1-2", "x"), ("2-3", "y")), functions(("1-2", "x"), ("3-4", "y"))
    assert list(map(str, edits_to(two, one)[0].scripts()[0])) == ["delete y 2-3", "add y 3-4"]


def test_the_trees_of_a_corpus_are_compared_sentence_by_sentence():
    one = Functions.of([("ab", [("1", "x")]), ("", []), ("ab", [("1", "x"), ("2", "y")])])
    two = Functions.of([("ab", [("1", "x")]), ("", []), ("ab", [("1", "z")])])
    assert edits_to(two, one)[0].costs().tolist() == [0, 0, 2]
    assert tree_distances(ordered_trees(one), ordered_trees(two)).tolist() == [0, 0, 2]


def test_a_deleted_wildcard_is_the_same_operation_as_a_deleted_label():
    nothing, star, label = functions(), functions(("1", "*")), functions(("1", "x"))
    other = functions(("2", "x"))
    for parse, gold in ((star, label), (label, star), (star, star)):
        (result,) = explain(parse, gold, nothing)
        assert result.forgiven == result.parse_to_general
        assert result.charged == ()
    (result,) = explain(star, other, nothing)
    assert result.forgiven == ()

"""The algebra of function trees: what the paper shows, and the laws of a lattice."""

from __future__ import annotations

import numpy as np
import pytest
from function_trees import corpora, shown, trees
from hypothesis import given
from hypothesis import strategies as st

from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.formats import read_text
from commonground.ground import (
    CrossingError,
    generalize,
    label_unify,
    subsumes,
    to_functions,
    unify,
)

PTB = to_functions(read_text("(S (NP (NN John)) (VP (V loves) (NP (NN Mary))))", "brackets"))
SD = to_functions(Dependencies.of([(["John", "loves", "Mary"], [2, 0, 2], ["sbj", "root", "obj"])]))


def one_and_many(number):
    return st.one_of(corpora(number), corpora(number, scattered=True))


# ── figures and examples ─────────────────────────────────────────────────────────────────────────


def test_figure_4_the_trees():
    assert shown(PTB) == "({} ({} John) ({} ({} loves) ({} Mary)))"
    assert shown(SD) == "({root} ({sbj} John) ({hd} loves) ({obj} Mary))"


def test_figure_4_ptb_with_the_labels_of_sd():
    both = label_unify(PTB, SD)
    assert shown(both) == "({root} ({sbj} John) ({} ({hd} loves) ({obj} Mary)))"


def test_a_node_without_labels_shares_none():
    assert shown(generalize(PTB, SD)) == "({} ({} John) ({} loves) ({} Mary))"


def test_the_empty_set_changes_no_union():
    assert shown(unify(PTB, SD)) == "({root} ({sbj} John) ({} ({hd} loves) ({obj} Mary)))"


def test_labels_that_nobody_agrees_on_leave_the_empty_set():
    result = generalize(trees("({a,b} ({x} w) v)"), trees("({b,c} ({y} w) v)"))
    assert shown(result) == "({b} ({} w) v)"


def test_figure_2_chains_in_any_order_subsume_each_other():
    one, two = trees("({root} ({f1} ({f2} w)) x)"), trees("({root} ({f2} ({f1} w)) x)")
    assert subsumes(one, two).all()
    assert subsumes(two, one).all()


def test_two_schemes_for_coordination_agree_on_the_conjuncts():
    """Earth, wind and fire (2011): the first conjunct as the head, or the conjunction."""
    words = "earth wind and fire".split()
    first = Dependencies.of([(words, [0, 1, 1, 1], ["root", "conj", "cc", "conj"])])
    middle = Dependencies.of([(words, [3, 3, 0, 3], ["conj", "conj", "root", "conj"])])
    result = generalize(to_functions(first), to_functions(middle))
    assert shown(result) == "({root} ({} earth) ({conj} wind) ({} and) ({conj} fire))"


def test_crossing_yields_cannot_be_unified():
    one, two = trees("({a} x y) z\n({a} x)"), trees("x ({b} y z)\n({b} x)")
    with pytest.raises(CrossingError) as caught:
        unify(one, two)
    assert caught.value.found == (("1", "1-2", "2-3"),)
    assert "sentence 1: the words 1-2 and 2-3 cross" in str(caught.value)


def test_crossing_yields_with_gaps():
    one, two = trees("({a} 1=x 3=z) 2=y"), trees("({b} 1=x 2=y) 3=z")
    with pytest.raises(CrossingError, match="1,3 and 1-2 cross"):
        unify(one, two)
    assert shown(unify(one, trees("x ({c} y) z"))) == "({a} 1=x 3=z) ({c} 2=y)"


def test_equivalent_labels_are_the_same_label():
    one, two, same = trees("({SUB} a)"), trees("({SBJ} a)"), {"SUB": "SBJ"}
    assert shown(generalize(one, two)) == "({} a)"
    assert shown(generalize(one, two, equivalent=same)) == "({SBJ} a)"
    assert shown(unify(one, two, equivalent=same)) == "({SBJ} a)"
    assert shown(label_unify(one, two, equivalent=same)) == "({SBJ} a)"
    assert subsumes(one, two, same).all()
    assert not subsumes(one, two).any()


def test_other_sentences_cannot_be_compared():
    with pytest.raises(UsageError, match="the same sentences"):
        generalize(trees("a b"), trees("a"))
    with pytest.raises(UsageError, match="at least one corpus"):
        generalize()


def test_nothing_at_all():
    empty = trees("")
    assert generalize(empty, empty) == unify(empty, empty) == label_unify(empty, empty) == empty
    assert subsumes(empty, empty).tolist() == []


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────


def unified(*given_trees):
    """The unification, or None where there is none."""
    try:
        return unify(*given_trees)
    except CrossingError:
        return None


@given(one_and_many(3))
def test_generalize_is_commutative_associative_and_idempotent(found):
    a, b, c = found
    assert generalize(a, b) == generalize(b, a)
    assert generalize(generalize(a, b), c) == generalize(a, generalize(b, c)) == generalize(a, b, c)
    assert generalize(a, a) == generalize(a) == a


@given(one_and_many(3))
def test_the_generalization_is_the_greatest_below_both(found):
    a, b, c = found
    below = generalize(a, b)
    assert subsumes(below, a).all()
    assert subsumes(below, b).all()
    under_both = subsumes(c, a) & subsumes(c, b)
    assert (subsumes(c, below) == under_both).all()


@given(one_and_many(3))
def test_unify_is_above_both_and_the_least_or_fails(found):
    a, b, c = found
    above = unified(a, b)
    assert above == unified(b, a)
    if above is None:
        return
    assert subsumes(a, above).all()
    assert subsumes(b, above).all()
    assert (subsumes(above, c) == (subsumes(a, c) & subsumes(b, c))).all()


@given(one_and_many(3))
def test_unify_is_associative_and_idempotent(found):
    a, b, c = found
    assert unified(a, a) == a
    whole = unified(a, b, c)
    if whole is not None:
        assert unified(unified(a, b), c) == unified(a, unified(b, c)) == whole


@given(one_and_many(2))
def test_a_tree_absorbs_what_is_below_it(found):
    a, b = found
    assert unify(a, generalize(a, b)) == a
    above = unified(a, b)
    if above is not None:
        assert generalize(a, above) == a


@given(one_and_many(2))
def test_subsumption_is_an_order(found):
    a, b = found
    assert subsumes(a, a).all()
    both = subsumes(a, b) & subsumes(b, a)
    assert both.tolist() == [one == other for one, other in zip(a, b, strict=True)]


@given(one_and_many(3))
def test_label_unify_keeps_the_structure_and_adds_labels(found):
    a, b, c = found
    both = label_unify(a, b)
    pairs = zip(a, both, strict=True)
    for one, other in pairs:
        assert set(one.column("yields", "nodes")) == set(other.column("yields", "nodes"))
    assert subsumes(a, both).all()
    assert label_unify(a, a) == a
    assert label_unify(label_unify(a, b), c) == label_unify(a, c, b) == label_unify(a, b, c)
    above = unified(a, b)
    if above is not None:
        assert subsumes(both, above).all()


@given(one_and_many(2))
def test_the_algebra_is_that_of_sets(found):
    """Inclusion, intersection and union, computed with Python's own sets."""
    a, b = found

    def sets(corpus):
        return [
            (
                set(s.column("yields", "nodes")),
                {p for p in zip(*(s.column(c, "nodes") for c in ("yields", "label")), strict=True) if p[1]},
            )
            for s in corpus
        ]  # fmt: skip

    pairs = list(zip(sets(a), sets(b), strict=True))
    assert sets(generalize(a, b)) == [(x & v, y & w) for (x, y), (v, w) in pairs]
    assert np.array_equal(subsumes(a, b), [x <= v and y <= w for (x, y), (v, w) in pairs])
    above = unified(a, b)
    if above is not None:
        assert sets(above) == [(x | v, y | w) for (x, y), (v, w) in pairs]

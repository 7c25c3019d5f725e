"""The nearest tree is a tree, and no other is nearer."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from commonground.repair.nearest_tree import MISSING, TreeDefects, cut, nearest_tree, tree_defects


@st.composite
def heads_and_labels(draw, longest):
    length = draw(st.integers(1, longest))
    heads = draw(st.lists(st.integers(-1, length), min_size=length, max_size=length))
    labels = draw(st.lists(st.sampled_from(["root", "x"]), min_size=length, max_size=length))
    return heads, labels


def is_tree(heads):
    return tree_defects(heads, ["_"] * len(heads)) == TreeDefects() and MISSING not in heads


def changes(heads, tree):
    return sum(one != other for one, other in zip(heads, tree, strict=True))


@given(heads_and_labels(4))
def test_no_tree_has_fewer_heads_changed(drawn):
    heads, labels = drawn
    tree = nearest_tree(heads, labels)
    assert is_tree(tree)
    others = product(range(len(heads) + 1), repeat=len(heads))
    assert changes(heads, tree) == min(changes(heads, each) for each in others if is_tree(each))


@given(heads_and_labels(40))
def test_every_sentence_becomes_a_tree_and_a_tree_stays(drawn):
    heads, labels = drawn
    tree = nearest_tree(heads, labels)
    assert is_tree(tree)
    assert nearest_tree(tree, labels) == tree
    opened = cut(heads, labels)
    assert all(new in (old, MISSING) for old, new in zip(heads, opened, strict=True))


def test_long_sentences_take_linear_time():
    """Chains, circles and loose words of five thousand words are no matter."""
    length = 5_000
    for heads in (
        [MISSING] * length,
        [word % length + 1 for word in range(1, length + 1)],
        [0] * length,
        [*list(range(2, length + 1)), MISSING],
    ):
        assert is_tree(nearest_tree(heads, ["_"] * length))

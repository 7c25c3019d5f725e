"""The canonical order of nodes, and the words that they cover."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.corpus import Strings, Table
from commonground.corpus.arrange import TreeError, arrange, canonical, extents
from commonground.corpus.table import offsets_of


@st.composite
def sentences(draw):
    """The parents of words and of nodes in any order, of a tree that may be scattered."""
    size = draw(st.integers(0, 8))
    up = [draw(st.integers(-1, node - 1)) for node in range(size)]
    leaves = set(range(size)) - set(up)
    words = [*leaves, *draw(st.lists(st.integers(-1, size - 1), max_size=6))]
    shuffled = draw(st.permutations(range(size)))
    new = {**dict(zip(range(size), shuffled, strict=True)), -1: -1}
    parent = [0] * size
    for old, node in enumerate(shuffled):
        parent[node] = new[up[old]]
    return [new[word] for word in draw(st.permutations(words))], parent


def columns(corpus):
    words = offsets_of([len(w) for w, _ in corpus])
    nodes = offsets_of([len(n) for _, n in corpus])
    return (
        words,
        np.array([x for w, _ in corpus for x in w], np.int32),
        nodes,
        np.array([x for _, n in corpus for x in n], np.int32),
    )


def below(words, parent, node):
    """Return the words below a node, the slow way."""
    names = set()
    for word, up in enumerate(words):
        above = up
        while above not in (-1, node):
            above = parent[above]
        if above == node:
            names.add(word)
    return names


def slow_order(words, parent):
    """Return the nodes in pre-order, siblings by their first words, the slow way."""
    first = {node: min(below(words, parent, node)) for node in range(len(parent))}

    def walk(node):
        children = sorted((n for n, up in enumerate(parent) if up == node), key=first.__getitem__)
        return [result for child in children for result in [child, *walk(child)]]

    return walk(-1)


@given(st.lists(sentences(), max_size=5))
def test_the_order_is_preorder_with_siblings_by_their_first_words(corpus):
    word_offsets, word_parent, node_offsets, node_parent = columns(corpus)
    result = arrange(word_offsets, word_parent, node_offsets, node_parent)
    for s, (words, parent) in enumerate(corpus):
        rows = slice(node_offsets[s], node_offsets[s + 1])
        order = (result.order[rows] - node_offsets[s]).tolist()
        assert order == slow_order(words, parent)
        place = {old: new for new, old in enumerate(order)} | {-1: -1}
        assert result.node_parent[rows].tolist() == [place[parent[old]] for old in order]
        mine = slice(word_offsets[s], word_offsets[s + 1])
        assert result.word_parent[mine].tolist() == [place[up] for up in words]


@given(st.lists(sentences(), max_size=5))
def test_arranging_twice_changes_nothing(corpus):
    words, _, nodes, parent = columns(corpus)
    once = arrange(*columns(corpus))
    twice = arrange(words, once.word_parent, nodes, once.node_parent)
    assert twice.order.tolist() == list(range(len(parent)))
    assert np.array_equal(twice.word_parent, once.word_parent)
    assert np.array_equal(twice.node_parent, once.node_parent)


@given(st.lists(sentences(), max_size=5))
def test_extents_are_those_of_the_words_below(corpus):
    words, word_parent, nodes, node_parent = columns(corpus)
    result = extents(Table(words, parent=word_parent), Table(nodes, parent=node_parent))
    yields = [below(w, n, node) for w, n in corpus for node in range(len(n))]
    assert result.first.tolist() == [min(y) for y in yields]
    assert result.last.tolist() == [max(y) for y in yields]
    assert result.words.tolist() == [len(y) for y in yields]
    assert result.continuous.tolist() == [max(y) - min(y) + 1 == len(y) for y in yields]


def test_what_is_below_a_node_stands_together_even_where_branches_cross():
    """A covers the words 0 and 3, its child C the word 3, B between them the words 1 and 2."""
    a, b, c = 2, 0, 1
    result = arrange(
        np.array([0, 4]), np.array([a, b, b, c]), np.array([0, 3]), np.array([-1, a, -1])
    )
    assert result.order.tolist() == [a, c, b]


def test_a_unary_chain_stands_from_the_top_down():
    result = arrange(np.array([0, 1]), np.array([1]), np.array([0, 3]), np.array([-1, 2, 0]))
    assert result.order.tolist() == [0, 2, 1]
    assert result.node_parent.tolist() == [-1, 0, 1]


def test_a_tree_of_5000_levels_and_a_sentence_of_10000_words():
    deep = np.arange(5000)[::-1] - 1
    backwards = np.concatenate([np.arange(1, 5000), [-1]])
    words, nodes = np.array([0, 10_000]), np.array([0, 5000])
    result = arrange(words, np.zeros(10_000, np.int64), nodes, backwards)
    assert np.array_equal(result.order, np.arange(5000)[::-1])
    assert np.array_equal(result.node_parent, deep[::-1])
    assert set(result.word_parent.tolist()) == {4999}


@pytest.mark.parametrize("parent", [[0], [1, 0], [-1, 2, 3, 1], [1, 2, 1]])
def test_a_circle_is_a_tree_error(parent):
    with pytest.raises(TreeError) as error:
        arrange(
            np.array([0, len(parent)]),
            np.arange(len(parent)),
            np.array([0, len(parent)]),
            np.array(parent),
        )
    assert set(error.value.circular) == set(range(len(parent))) - ({0} if parent[0] < 0 else set())


def test_a_node_without_words_is_a_tree_error():
    with pytest.raises(TreeError) as error:
        arrange(np.array([0, 1, 2]), np.array([0, 0]), np.array([0, 1, 3]), np.array([-1, -1, 0]))
    assert error.value.wordless.tolist() == [2]


@pytest.mark.parametrize("parent", [-2, 1])
def test_a_parent_must_be_a_node_of_the_same_sentence(parent):
    """Node 1 exists, but in the next sentence."""
    offsets = np.array([0, 1, 2])
    with pytest.raises(ValueError, match="no node of its sentence"):
        arrange(offsets, np.array([parent, 0]), offsets, np.array([-1, -1]))


def test_words_may_all_be_at_the_top():
    none = np.empty(0, np.int32)
    result = arrange(np.array([0, 2]), np.array([-1, -1]), np.array([0, 0]), none)
    assert result.word_parent.tolist() == [-1, -1]
    assert result.order.tolist() == []


def test_columns_and_secondary_edges_move_with_their_nodes():
    tables = canonical(
        {
            "words": Table([0, 1, 3], parent=np.array([0, 1, 0])),
            "nodes": Table(
                [0, 1, 3], parent=np.array([-1, -1, -1]), label=Strings.of(["A", "later", "first"])
            ),
            "secondary": Table(
                [0, 0, 3],
                parent=np.array([0, 0, 1]),
                word=np.array([-1, 1, 0]),
                node=np.array([1, -1, -1]),
                label=Strings.of(["to first", "to 1", "to 0"]),
            ),
        }
    )
    assert tables["nodes"].strings("label").tolist() == ["A", "first", "later"]
    assert tables["words"].numbers("parent").tolist() == [0, 0, 1]
    secondary = tables["secondary"]
    assert secondary.strings("label").tolist() == ["to 0", "to 1", "to first"]
    assert secondary.numbers("parent").tolist() == [0, 1, 1]
    assert secondary.numbers("word").tolist() == [0, 1, -1]
    assert secondary.numbers("node").tolist() == [-1, -1, 0]

"""Nodes of function trees, counted and spelled from heads: both kernels, against function trees."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples

from commonground import evaluate, to_functions
from commonground.corpus import Dependencies
from commonground.corpus.functions import yield_text
from commonground.kernels import load
from commonground.metrics.functions.tedeval import tedeval_items

METRICS = ["tedeval", "tedeval_unlabelled"]


@st.composite
def trees(draw, words):
    """Heads and labels of a sentence; some words have no head or no label."""
    order = draw(st.permutations(range(words)))
    head = [0] * words
    for place in range(1, words):
        head[order[place]] = order[draw(st.integers(0, place - 1))] + 1
    labels = draw(st.lists(st.sampled_from(["a", "b", "hd", "_"]), min_size=words, max_size=words))
    return head, labels


@st.composite
def pairs(draw):
    sentences = [(draw(trees(n)), draw(trees(n))) for n in draw(st.lists(st.integers(1, 6)))]
    return [
        Dependencies.of([(["w"] * len(s[k][0]), s[k][0], s[k][1]) for s in sentences])
        for k in (0, 1)
    ]


@settings(max_examples=examples(40), deadline=None)
@given(pairs())
def test_counting_is_the_same_as_comparing_function_trees(pair):
    gold, parse = pair
    result = evaluate(gold, parse, metrics=METRICS).systems[0].scores
    for name, labelled in zip(METRICS, (True, False), strict=True):
        items = tedeval_items(to_functions(parse), to_functions(gold), labelled=labelled)
        columns = result[name].counts.columns
        assert {n: c.tolist() for n, c in columns.items()} == {
            n: c.tolist() for n, c in items.counts.columns.items()
        }
        assert result[name].items.gold.correct.tolist() == items.gold.correct.tolist()


def test_yields_are_spelled(kernels):
    head = np.array([0, 1, 1, 2, 4, 3], np.int32)
    rows = np.arange(6)
    expected = [[1, 2, 3, 4, 5, 6], [2, 4, 5], [3, 6], [4, 5], [5], [6]]
    assert load("subtrees").yield_texts([0, 6], head, rows) == list(map(yield_text, expected))


def test_yields_count_words_from_the_beginning_of_their_sentence(kernels):
    head = np.array([0, 1, 0, 1, 1, 2], np.int32)
    result = load("subtrees").yield_texts([0, 0, 2, 2, 6], head, [0, 2, 3, 5])
    assert result == ["1-2", "1-4", "2,4", "4"]
    with pytest.raises(ValueError, match="not in order"):
        load("subtrees").yield_texts([0, 6], head, [1, 0])


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ([0, 1, 1, 2], [0, 1, 2, 3], [5, 6, 3, 5, 6, 4]),
        ([0, 1, 2, 1, 2, 1], [0, 1, 1, 2, 2, 1], [7, 7, 6, 7, 7, 6]),  # 2,3,5 and 2,4,5
        ([0, 1, 2, 1, 2, 1], [0, 1, 5, 1, 2, 1], [7, 8, 6, 7, 8, 7]),
    ],
)
def test_a_subtree_that_is_not_continuous_is_known_by_its_words(kernels, one, two, expected):
    sides = [(np.array(head, np.int32), np.ones(len(head), np.int32)) for head in (one, two)]
    counts, done = load("subtrees").node_counts(np.array([0, len(one)]), *sides, 2)
    assert done.all()
    assert counts[:, 0].tolist() == expected


@pytest.mark.parametrize("head", [[2, 1], [3, 0], [-2, 0]])
def test_what_is_no_tree_is_refused_or_left_out(kernels, head):
    side = (np.array(head, np.int32), np.ones(2, np.int32))
    if head == [2, 1]:
        _, done = load("subtrees").node_counts(np.array([0, 2]), side, side, 2)
        assert not done.any()
        with pytest.raises(ValueError, match="cycle"):
            load("subtrees").yield_texts(np.array([0, 2]), side[0], np.array([0]))
    else:
        with pytest.raises(ValueError, match="no word of its sentence"):
            load("subtrees").node_counts(np.array([0, 2]), side, side, 2)


def test_a_chain_of_5000_words_that_crosses_itself_becomes_a_function_tree_at_once():
    words = np.random.default_rng(0).permutation(5000)
    head = np.zeros(5000, np.int32)
    head[words[1:]] = words[:-1] + 1
    chain = Dependencies.of([(["w"] * 5000, head.tolist(), ["x"] * 5000)])
    start = time.process_time()
    assert to_functions(chain).nodes.rows == 9999
    assert time.process_time() - start < 1.0  # 0.2 s where nothing else runs

"""Pairs of nodes are the best ones, and the bound is never below them."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.kernels import load

KERNELS = load("graph_matching")


def side(graphs):
    """Return graphs (features of nodes, edges) as the columns of a kernel."""
    features = [sorted(each) for nodes, _ in graphs for each in nodes]
    edges = [edge for _, each in graphs for edge in sorted(each)]
    columns = np.array(edges, np.int32).reshape(-1, 3).T
    return (
        np.cumsum([0, *(len(nodes) for nodes, _ in graphs)]),
        np.cumsum([0, *map(len, features)]),
        np.array([code for each in features for code in each], np.int32),
        np.cumsum([0, *(len(each) for _, each in graphs)]),
        *(np.ascontiguousarray(column) for column in columns),
    )


WEIGHTS = np.ones(4, np.int32), np.ones(3, np.int32)


@st.composite
def graphs(draw, most=5):
    nodes = draw(st.lists(st.sets(st.integers(0, 3), max_size=2), min_size=1, max_size=most))
    node = st.integers(0, len(nodes) - 1)
    return nodes, draw(st.sets(st.tuples(node, node, st.integers(0, 2)), max_size=8))


def worth(one, two, partner):
    """Return what pairs are worth."""
    alike = sum(len(one[0][a] & two[0][b]) for a, b in enumerate(partner) if b >= 0)
    return alike + sum((partner[a], partner[b], label) in two[1] for a, b, label in one[1])


def tried(one, two):
    """Return what the best of all pairs are worth."""
    choices = [*range(len(two[0])), *[-1] * len(one[0])]
    return max(worth(one, two, p) for p in set(permutations(choices, len(one[0]))))


@given(graphs(4), graphs(4))
def test_the_pairs_are_as_good_as_the_best_of_all(one, two):
    partner, found, bound, _ = KERNELS.best_pairs(side([one]), side([two]), WEIGHTS)
    assert found[0] == bound[0] == worth(one, two, partner.tolist()) == tried(one, two)


@given(graphs(8), graphs(8), st.sampled_from([1, 200, 5000]))
def test_where_the_steps_are_used_up_the_best_pairs_lie_between_found_and_bound(one, two, limit):
    partner, found, bound, _ = KERNELS.best_pairs(side([one]), side([two]), WEIGHTS, limit)
    _, best, _, _ = KERNELS.best_pairs(side([one]), side([two]), WEIGHTS)
    assert worth(one, two, partner.tolist()) == found[0] <= best[0] <= bound[0]


@given(graphs(8), st.randoms(use_true_random=False))
def test_a_graph_is_the_same_as_itself_in_any_order(one, random):
    order = list(range(len(one[0])))
    random.shuffle(order)
    nodes = [one[0][order.index(k)] for k in range(len(order))]
    other = nodes, {(order[a], order[b], label) for a, b, label in one[1]}
    _, found, bound, _ = KERNELS.best_pairs(side([one]), side([other]), WEIGHTS)
    assert found[0] == bound[0] == sum(map(len, one[0])) + len(one[1])


@given(graphs(8), graphs(8))
def test_both_directions_are_worth_the_same(one, two):
    there, back = (
        KERNELS.best_pairs(side([a]), side([b]), WEIGHTS)[1][0] for a, b in ((one, two), (two, one))
    )
    assert there == back


def test_an_edge_that_leaves_its_graph_is_refused():
    bad = side([([set()], {(0, 1, 0)})])
    with pytest.raises(ValueError, match="an edge that leaves its graph"):
        KERNELS.best_pairs(bad, bad, WEIGHTS)

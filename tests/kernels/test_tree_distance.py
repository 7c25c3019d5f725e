"""The distance of ordered trees and the edits behind it, with both kernels."""

from __future__ import annotations

import importlib
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.kernels import built
from commonground.kernels import tree_distance as plain

KERNELS = (
    [plain, importlib.import_module("commonground.kernels._tree_distance")] if built() else [plain]
)

# A tree is (label, children), a forest a tuple of trees.
FORESTS = st.recursive(
    st.just(()),
    lambda inner: st.lists(st.tuples(st.integers(-1, 2), inner), max_size=3).map(tuple),
    max_leaves=6,
)
SPECIFIC = st.recursive(
    st.just(()),
    lambda inner: st.lists(st.tuples(st.integers(0, 2), inner), max_size=3).map(tuple),
    max_leaves=6,
)


def postorder(forest):
    """Return the labels and the leftmost leaves of a forest."""
    labels, leftmost = [], []

    def walk(tree):
        begin = len(labels)
        for child in tree[1]:
            walk(child)
        labels.append(tree[0])
        leftmost.append(begin)

    for tree in forest:
        walk(tree)
    return labels, leftmost


def columns(*forests):
    """Return forests as the kernels take them."""
    results = [postorder(forest) for forest in forests]
    return (
        np.cumsum([0] + [len(labels) for labels, _ in results]),
        np.array([label for labels, _ in results for label in labels], np.int32),
        np.array([first for _, leftmost in results for first in leftmost], np.int32),
    )


def distance(kernel, one, two, relabel=1):
    return int(kernel.distances(columns(one), columns(two), relabel)[0])


def changed(a, b, relabel):
    return 0 if a == b or min(a, b) < 0 else relabel


def size(forest):
    return sum(1 + size(children) for _, children in forest)


def oracle(one, two, relabel=1):
    """Return the distance by its definition, going through all ways."""

    @cache
    def apart(one, two):
        if not one or not two:
            return size(one) + size(two)
        (a, below), (b, other) = one[-1], two[-1]
        return min(
            apart(one[:-1] + below, two) + 1,
            apart(one, two[:-1] + other) + 1,
            apart(one[:-1], two[:-1]) + apart(below, other) + changed(a, b, relabel),
        )

    return apart(one, two)


@pytest.mark.parametrize("kernel", KERNELS)
@given(FORESTS, FORESTS, st.integers(0, 3), st.integers(1, 9))
def test_costs_can_be_counted_in_other_units(kernel, one, two, relabel, unit):
    result = kernel.distances(columns(one), columns(two), relabel * unit, unit)
    assert result.tolist() == [unit * oracle(one, two, relabel)]


@pytest.mark.parametrize("kernel", KERNELS)
@given(FORESTS, FORESTS, st.integers(0, 3))
def test_the_distance_is_what_its_definition_says(kernel, one, two, relabel):
    assert distance(kernel, one, two, relabel) == oracle(one, two, relabel)


@pytest.mark.parametrize("kernel", KERNELS)
@given(SPECIFIC, SPECIFIC)
def test_zss_says_the_same(kernel, one, two):
    zss = pytest.importorskip("zss")

    def node(tree):
        return zss.Node(str(tree[0]), [node(child) for child in tree[1]])

    one, two = (9, one), (9, two)
    assert distance(kernel, (one,), (two,)) == zss.simple_distance(node(one), node(two))


@pytest.mark.parametrize("kernel", KERNELS)
@given(SPECIFIC, SPECIFIC)
def test_edist_says_the_same(kernel, one, two):
    ted = pytest.importorskip("edist.ted")

    def lists(tree):
        nodes, below = [], []

        def walk(tree):
            place = len(nodes)
            nodes.append(str(tree[0]))
            below.append([])
            for child in tree[1]:
                below[place].append(walk(child))
            return place

        walk(tree)
        return nodes, below

    one, two = (9, one), (9, two)
    assert distance(kernel, (one,), (two,)) == ted.standard_ted(*lists(one), *lists(two))


@given(SPECIFIC, SPECIFIC, SPECIFIC)
def test_the_distance_is_a_metric(one, two, three):
    kernel = KERNELS[-1]
    assert (distance(kernel, one, two) == 0) == (one == two)
    assert distance(kernel, one, two) == distance(kernel, two, one)
    assert distance(kernel, one, three) <= distance(kernel, one, two) + distance(kernel, two, three)


# ── scripts ──────────────────────────────────────────────────────────────────────────────────────


def script_cost(one, two, partner, relabel):
    pairs = [(i, j) for i, j in enumerate(partner) if j >= 0]
    labels, others = postorder(one)[0], postorder(two)[0]
    edited = len(labels) + len(others) - 2 * len(pairs)
    return edited + sum(changed(labels[i], others[j], relabel) for i, j in pairs)


def apply(one, two, partner):
    """Make a tree of the first one by deleting, relabelling and inserting nodes, one by one."""
    target, leftmost = postorder(two)
    places = iter(range(size(one)))

    # Delete and relabel: a node is [its place in the second tree, label, children].
    def edited(tree):
        children = [node for child in tree[1] for node in edited(child)]
        place = partner[next(places)]
        return children if place < 0 else [[place, target[place], children]]

    forest = [node for tree in one for node in edited(tree)]
    # Insert, parents first: a node takes those of its siblings-to-be that belong below it.
    for place in reversed(range(len(target))):
        if place in partner:
            continue
        siblings = forest
        while above := [n for n in siblings if n[0] > place and leftmost[n[0]] <= place]:
            siblings = above[0][2]
        inside = [i for i, n in enumerate(siblings) if leftmost[place] <= n[0] < place]
        before = sum(n[0] < leftmost[place] for n in siblings)
        assert inside == list(range(before, before + len(inside)))  # a consecutive subsequence
        siblings[before : before + len(inside)] = [
            [place, target[place], siblings[before : before + len(inside)]]
        ]

    def frozen(nodes):
        return tuple((label, frozen(children)) for _, label, children in nodes)

    return frozen(forest)


@pytest.mark.parametrize("kernel", KERNELS)
@given(FORESTS, FORESTS, st.integers(0, 3))
def test_the_script_costs_the_distance_and_makes_the_second_tree_of_the_first(
    kernel, one, two, relabel
):
    partner, other = (
        side.tolist() for side in kernel.mappings(columns(one), columns(two), relabel)
    )
    assert other == [partner.index(j) if j in partner else -1 for j in range(size(two))]
    assert script_cost(one, two, partner, relabel) == distance(kernel, one, two, relabel)
    assert apply(one, two, partner) == two


@pytest.mark.parametrize("kernel", KERNELS)
def test_of_equal_choices_the_last_nodes_in_postorder_are_paired(kernel):
    once, twice = ((1, ()),), ((1, ()), (1, ()))
    assert kernel.mappings(columns(twice), columns(once))[0].tolist() == [-1, 0]
    assert kernel.mappings(columns(once), columns(twice))[0].tolist() == [1]


@pytest.mark.parametrize("kernel", KERNELS)
def test_relabelling_comes_before_deleting_and_inserting_unless_it_costs_more(kernel):
    one, two = columns(((1, ()),)), columns(((2, ()),))
    assert [kernel.mappings(one, two, cost)[0].tolist() for cost in (1, 2, 3)] == [[0], [0], [-1]]


# ── the twins ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.skipif(not built(), reason="the kernels were not compiled")
@given(st.lists(st.tuples(FORESTS, FORESTS), max_size=4), st.integers(0, 4), st.integers(1, 3))
def test_the_compiled_kernel_does_what_the_plain_one_does(pairs, relabel, edit):
    one, two = columns(*(a for a, _ in pairs)), columns(*(b for _, b in pairs))
    results = [
        [k.distances(one, two, relabel, edit), *k.mappings(one, two, relabel, edit)]
        for k in KERNELS
    ]
    for a, b in zip(*results, strict=True):
        assert a.dtype == b.dtype
        assert a.tolist() == b.tolist()


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("leftmost", [[1, 1], [0, -1], [0, 1, 1, 0, 2], [5]])
def test_what_is_no_tree_is_refused(kernel, leftmost):
    bad = (
        np.array([0, len(leftmost)]),
        np.zeros(len(leftmost), np.int32),
        np.array(leftmost, np.int32),
    )
    for function in (kernel.distances, kernel.mappings):
        with pytest.raises(ValueError, match="leftmost"):
            function(bad, columns(()))


@pytest.mark.parametrize("kernel", KERNELS)
def test_sides_of_other_lengths_are_refused(kernel):
    with pytest.raises(ValueError, match="equally many"):
        kernel.distances(columns((), ()), columns(()))


@pytest.mark.long
@pytest.mark.parametrize("kernel", KERNELS)
def test_a_tree_of_any_depth_and_more_nodes_than_16_bits_can_count(kernel):
    deep = np.array([0, 40_000]), np.zeros(40_000, np.int32), np.zeros(40_000, np.int32)
    assert kernel.distances(deep, columns(((0, ()),))).tolist() == [39_999]
    assert kernel.mappings(deep, columns(((0, ()),)))[0].tolist() == [-1] * 39_999 + [0]


# ── with costs of nodes and pairs of labels ──────────────────────────────────────────────────────

COSTS = st.lists(st.integers(0, 5), min_size=3, max_size=3)
CHANGES = st.lists(COSTS, min_size=3, max_size=3)


def weighted(one, two, delete, insert, change):
    """Return trees and weights as the kernels take them; a wildcard costs what label 2 does."""
    sides = columns(one), columns(two)
    weights = [
        np.array(c, np.int32)[side[1]] for c, side in zip((delete, insert), sides, strict=True)
    ]
    return (*sides, (*weights, np.array(change, np.int32)))


def weighted_oracle(one, two, delete, insert, change):
    """Return the distance by its definition, going through all ways."""

    def whole(forest, costs):
        return sum(costs[label] + whole(below, costs) for label, below in forest)

    @cache
    def apart(one, two):
        if not one or not two:
            return whole(one, delete) + whole(two, insert)
        (a, below), (b, other) = one[-1], two[-1]
        return min(
            apart(one[:-1] + below, two) + delete[a],
            apart(one, two[:-1] + other) + insert[b],
            apart(one[:-1], two[:-1])
            + apart(below, other)
            + (change[a][b] if min(a, b) >= 0 else 0),
        )

    return apart(one, two)


@pytest.mark.parametrize("kernel", KERNELS)
@given(FORESTS, FORESTS, COSTS, COSTS, CHANGES)
def test_the_weighted_distance_is_what_its_definition_says(
    kernel, one, two, delete, insert, change
):
    costs = delete, insert, change
    result = kernel.weighted_distances(*weighted(one, two, *costs))
    assert result.tolist() == [weighted_oracle(one, two, *costs)]


@given(FORESTS, FORESTS, COSTS, COSTS, CHANGES)
def test_both_kernels_find_the_same_weighted_scripts(one, two, delete, insert, change):
    given = weighted(one, two, delete, insert, change)
    scripts = [[side.tolist() for side in kernel.weighted_mappings(*given)] for kernel in KERNELS]
    assert scripts[0] == scripts[-1]
    assert apply(one, two, scripts[0][0]) == two


@pytest.mark.parametrize("kernel", KERNELS)
@given(FORESTS, FORESTS, st.integers(0, 3))
def test_equal_weights_are_no_weights(kernel, one, two, relabel):
    change = relabel * (1 - np.eye(3, dtype=np.int32))
    given = weighted(one, two, [1, 1, 1], [1, 1, 1], change)
    assert kernel.weighted_distances(*given).tolist() == [distance(kernel, one, two, relabel)]
    plainly = kernel.mappings(columns(one), columns(two), relabel)
    for side, other in zip(kernel.weighted_mappings(*given), plainly, strict=True):
        assert side.tolist() == other.tolist()

"""Both twins of the sparse classifier learn the same weights, and refuse the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.kernels import built, load, sparse
from commonground.parsers.templates import compiled

TEMPLATES = compiled(["a.x", "a.x b.y", "a+1.y b-1.x far", "far"], "ab", "xy", ["far"])
CLASSES = 3


def rows_of(seed, count):
    """Rows over few values, so that features meet again."""
    words = seed.integers(0, 3, (9, 2)).astype(np.int32)
    anchors = seed.integers(1, 8, (count, 2)).astype(np.int32)
    return words, anchors, seed.integers(-1, 2, (count, 1)).astype(np.int32), TEMPLATES


@given(number=st.integers(0, 2**32 - 1), count=st.integers(0, 6))
@settings(max_examples=40)
def test_the_twins_learn_and_choose_the_same(number, count):
    if not built():
        pytest.skip("the kernels were not compiled")
    compiled_twin = load("sparse")
    seed = np.random.default_rng(number)
    learners = [twin.SparseLearner(CLASSES) for twin in (sparse, compiled_twin)]
    for _ in range(3):
        rows, classes = rows_of(seed, count), seed.integers(-1, CLASSES, count).astype(np.int32)
        amount = int(seed.integers(-5, 6))
        for learner in learners:
            learner.tick()
            learner.add(rows, classes, amount)
    wanted = seed.integers(-1, CLASSES, count).astype(np.int32)
    one, two = (learner.best(rows, wanted, 7) for learner in learners)
    assert all(map(np.array_equal, one, two))
    least = seed.integers(-9, 9, count)
    one, two = (learner.few(rows, wanted, 7, 2, least) for learner in learners)
    assert all(map(np.array_equal, one, two))
    assert np.array_equal(*(learner.scores(rows) for learner in learners))
    weights = [learner.averaged() for learner in learners]
    assert all(map(np.array_equal, *weights))
    one, two = (
        twin.SparseClassifier(CLASSES, weights[0]).best(rows, wanted, 7)
        for twin in (sparse, compiled_twin)
    )
    assert all(map(np.array_equal, one, two))


def test_a_class_that_was_strengthened_is_chosen_unless_another_one_is_wanted(kernels):
    rows = rows_of(np.random.default_rng(1), 1)
    learner = load("sparse").SparseLearner(CLASSES)
    learner.tick()
    learner.add(rows, np.array([1], np.int32), 2)
    score, result = learner.best(rows, np.array([-1], np.int32), 0)
    assert (score.tolist(), result.tolist()) == ([2 * 4], [1])
    score, result = learner.best(rows, np.array([1], np.int32), 100)
    assert (score.tolist(), result.tolist()) == ([100], [0])


def test_few_classes_are_the_best_ones_and_the_wanted_one(kernels):
    rows = rows_of(np.random.default_rng(1), 1)
    learner = load("sparse").SparseLearner(CLASSES)
    learner.tick()
    for each in (1, 2):
        learner.add(rows, np.array([each], np.int32), each)
    none, least = np.array([-1], np.int32), np.array([0])
    row, chosen, score = learner.few(rows, none, 0, 3, least)
    assert (row.tolist(), chosen.tolist(), score.tolist()) == ([0, 0], [2, 1], [8, 4])
    assert learner.few(rows, none, 0, 1, least)[1].tolist() == [2]
    assert learner.few(rows, np.array([0], np.int32), 0, 1, least)[1].tolist() == [2, 0]
    assert learner.scores(rows).tolist() == [[0, 4, 8]]


def test_the_average_is_that_of_all_moments(kernels):
    """A weight of 4 in four of five moments (the first had none) is 16/5 on average, in 1/64."""
    rows = rows_of(np.random.default_rng(1), 1)
    learner = load("sparse").SparseLearner(CLASSES)
    learner.tick()
    learner.add(rows, np.array([0], np.int32), 4)
    for _ in range(3):
        learner.tick()
    keys, lengths, classes, weights = learner.averaged()
    assert len(keys) == 4
    assert set(lengths.tolist()) == {1}
    assert set(classes.tolist()) == {0}
    assert set(weights.tolist()) == {(2 * 16 * 64 + 5) // 10}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"classes": np.array([3], np.int32)}, "a class that is not there"),
        ({"classes": np.zeros(2, np.int32)}, "differ in length"),
        ({"anchors": np.array([[8, 4]], np.int32)}, "outside of the text"),
    ],
)
def test_what_does_not_fit_is_refused(kernels, change, message):
    words, anchors, extras, templates = rows_of(np.random.default_rng(1), 1)
    rows = words, change.get("anchors", anchors), extras, templates
    with pytest.raises(ValueError, match=message):
        load("sparse").SparseLearner(CLASSES).add(
            rows, change.get("classes", np.zeros(1, np.int32)), 1
        )


@pytest.mark.parametrize("classes", [0, -1, 65_536])
def test_a_model_has_classes(kernels, classes):
    with pytest.raises(ValueError, match="from 1 to 65535 classes"):
        load("sparse").SparseLearner(classes)


def test_weights_that_do_not_fit_together_are_refused(kernels):
    columns = np.array([1], np.uint64), np.array([1], np.uint16), np.array([7], np.uint16)
    with pytest.raises(ValueError, match="do not fit together"):
        load("sparse").SparseClassifier(CLASSES, (*columns, np.array([1], np.int16)))

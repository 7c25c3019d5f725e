"""Both twins of the hashed linear model score the same, and refuse the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples

from commonground.kernels import built, linear, load
from commonground.parsers.templates import compiled
from commonground.parsers.weights import Averaged

BITS = 6
TEMPLATES = compiled(["a.x", "a.x b.y", "a+1.y b-1.x far", "far"], "ab", "xy", ["far"])


@st.composite
def models(draw):
    """A table of words, rows of two anchors, extras, near numbers, and weights."""
    seed = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows = draw(st.integers(0, 6))
    words = seed.integers(-(2**31), 2**31, (9, 2)).astype(np.int32)
    anchors = seed.integers(1, 8, (rows, 2)).astype(np.int32)
    extras = seed.integers(-3, 3, (rows, 1)).astype(np.int32)
    near = seed.integers(0, 16, (rows, 2)).astype(np.int32)
    weights = seed.integers(-99, 99, 1 << BITS).astype(np.int32)
    return words, anchors, extras, near, weights


@given(model=models())
@settings(max_examples=examples(60))
def test_the_twins_score_the_same(model):
    if not built():
        pytest.skip("the kernels were not compiled")
    compiled_twin = load("linear")
    words, anchors, extras, near, weights = model
    rows = words, anchors, extras
    for name, arguments in (
        ("near_features", (*rows, near, TEMPLATES, BITS)),
        ("scores", (weights, *rows, near, TEMPLATES, BITS)),
    ):
        one, two = (getattr(twin, name)(*arguments) for twin in (linear, compiled_twin))
        assert all(map(np.array_equal, np.atleast_1d(one), np.atleast_1d(two)))


@given(
    places=st.lists(st.integers(0, 15), max_size=20),
    amounts=st.lists(st.integers(-5, 5), min_size=20, max_size=20),
)
@settings(max_examples=examples(40))
def test_changes_are_added_up_and_measured(places, amounts):
    vector = np.zeros(16, np.int64)
    amounts = np.array(amounts[: len(places)], np.int64)
    places = np.array(places, np.int64)
    np.add.at(vector, places, amounts)
    for twin in (linear, load("linear")):
        weights, totals = np.zeros(16, np.int32), np.zeros(16, np.int64)
        twin.add(weights, totals, places, amounts, 3)
        assert weights.tolist() == vector.tolist()
        assert totals.tolist() == (3 * vector).tolist()
        assert twin.squared(places, amounts, np.zeros(16, np.int32)) == int((vector**2).sum())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bits": 31}, "from 1 to 30 bits"),
        ({"anchors": np.array([[0, 4]], np.int32)}, "outside of the text"),
        ({"anchors": np.array([[4]], np.int32)}, "unknown anchor"),
        ({"extras": np.empty((2, 1), np.int32)}, "differ in length"),
        ({"extras": np.empty((1, 0), np.int32)}, "unknown anchor or extra"),
        ({"words": np.empty((9, 1), np.int32)}, "unknown attribute"),
    ],
)
def test_what_would_read_outside_is_refused(kernels, change, message):
    given_ = {
        "words": np.zeros((9, 2), np.int32),
        "anchors": np.array([[4, 4]], np.int32),
        "extras": np.zeros((1, 1), np.int32),
        "bits": BITS,
    } | change
    if message == "outside of the text":
        given_["anchors"] = np.array([[8, 4]], np.int32)
    near = np.zeros((1, 1), np.int32)
    rows = given_["words"], given_["anchors"], given_["extras"]
    with pytest.raises(ValueError, match=message):
        load("linear").near_features(*rows, near, TEMPLATES, given_["bits"])


def test_too_few_weights_and_places_outside_are_refused(kernels):
    rows = np.zeros((9, 2), np.int32), np.array([[4, 4]], np.int32), np.zeros((1, 1), np.int32)
    near = np.zeros((1, 1), np.int32)
    with pytest.raises(ValueError, match="too few weights"):
        load("linear").scores(np.zeros(9, np.int32), *rows, near, TEMPLATES, BITS)
    with pytest.raises(ValueError, match="outside of the table"):
        load("linear").squared(np.array([4]), np.array([1]), np.zeros(4, np.int32))


def test_the_average_is_that_of_all_moments():
    learned = Averaged(bits=4)
    seen = []
    for change in (3, -5, 0, 7):
        learned.tick()
        learned.add(np.array([2]), np.array([change * 100]))
        seen.append(int(learned.weights[2]))
    assert learned.average()[2] == round(sum(seen) / len(seen))

"""The loops of the aligner: the twins agree, probabilities are probabilities."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.kernels import built, load, word_alignment
from commonground.kernels.word_alignment import FINAL, FINAL_AND, GROW_DIAG, INTERSECTION, UNION

needs_both = pytest.mark.skipif(not built(), reason="the kernels were not compiled")
WAYS = range(5)


def offsets(lengths):
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


@st.composite
def texts(draw):
    """Sentence pairs in numbers: words and offsets of both sides."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    ours, theirs = rng.integers(0, 7, (2, draw(st.integers(0, 6))))
    source = rng.integers(0, 5, ours.sum()).astype(np.int32)
    target = rng.integers(0, 4, theirs.sum()).astype(np.int32)
    return source, offsets(ours), target, offsets(theirs), rng


@st.composite
def directions(draw):
    """For each word of two sides the place of another, or -1."""
    ours = draw(st.lists(st.integers(0, 6), max_size=4))
    theirs = [draw(st.integers(0, 6)) for _ in ours]
    forward = [
        draw(st.integers(-1, a - 1)) for a, b in zip(ours, theirs, strict=True) for _ in range(b)
    ]
    backward = [
        draw(st.integers(-1, b - 1)) for a, b in zip(ours, theirs, strict=True) for _ in range(a)
    ]
    return (
        np.array(forward, np.int32),
        offsets(theirs),
        np.array(backward, np.int32),
        offsets(ours),
    )


def believed(module, text, *, turned, jumping, zeros=False):
    """What a kernel believes about a text, with probabilities that depend on the text only."""
    source, starts, target, begins, _ = text
    pairs = module.number_pairs(source, starts, target, begins, 5)
    rng = np.random.default_rng(len(source))
    prob = rng.random(len(pairs[3])).astype(np.float32)
    null = rng.random(5).astype(np.float32)
    if zeros:
        prob[::3], null[::2] = 0, 0
    words, ends = (source, starts) if turned else (target, begins)
    out, none = np.empty(len(pairs[0]), np.float32), np.empty(len(words), np.float32)
    moved, jumps = np.zeros(5), rng.random(5) + 0.01
    likelihood = module.expected(
        pairs[:2], words, ends, prob, null, jumps if jumping else None, 0.2, turned,
        0, len(starts) - 1, out, none, moved,
    )  # fmt: skip
    return likelihood, out, none, moved, pairs, words, ends


@needs_both
@given(texts(), st.booleans(), st.booleans(), st.booleans())
def test_the_twins_believe_the_same(text, turned, jumping, zeros):
    compiled = load("word_alignment")
    ours = believed(word_alignment, text, turned=turned, jumping=jumping, zeros=zeros)
    theirs = believed(compiled, text, turned=turned, jumping=jumping, zeros=zeros)
    for one, two in zip(ours[:4], theirs[:4], strict=True):
        assert np.allclose(one, two, atol=1e-5)
    for one, two in zip(ours[4], theirs[4], strict=True):
        assert np.array_equal(one, two)


@given(texts(), st.booleans(), st.booleans())
def test_a_word_has_one_link_or_none(text, turned, jumping):
    module = load("word_alignment")
    _, out, none, moved, pairs, _, ends = believed(module, text, turned=turned, jumping=jumping)
    for n in range(len(ends) - 1):
        height = int(ends[n + 1] - ends[n])
        part = out[pairs[1][n] : pairs[1][n + 1]]
        if height and len(part):
            table = part.reshape(height, -1) if turned else part.reshape(-1, height).T
            whole = table.sum(axis=1) + none[ends[n] : ends[n + 1]]
            assert np.allclose(whole, 1, atol=1e-4)
    assert (moved >= 0).all()


@needs_both
@given(texts(), st.booleans())
def test_the_twins_choose_the_same_links(text, turned):
    _, starts, _, begins, rng = text
    ends = offsets(np.diff(starts) * np.diff(begins))
    links = rng.random(ends[-1]).astype(np.float32)
    cut = starts if turned else begins
    none = rng.random(cut[-1]).astype(np.float32)
    arguments = (ends, cut, turned, 0, len(cut) - 1, links, none)
    assert np.array_equal(word_alignment.best(*arguments), load("word_alignment").best(*arguments))


@needs_both
@given(directions(), st.sampled_from(WAYS))
def test_the_twins_symmetrise_the_same(links, way):
    ours, theirs = (
        word_alignment.symmetrise(*links, way),
        load("word_alignment").symmetrise(*links, way),
    )
    for one, two in zip(ours, theirs, strict=True):
        assert np.array_equal(one, two)


def linked(links, way):
    source, target, ends = load("word_alignment").symmetrise(*links, way)
    sentence = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    return set(zip(sentence.tolist(), source.tolist(), target.tolist(), strict=True))


@given(directions())
def test_each_way_to_symmetrise_has_the_links_of_the_stricter_one(links):
    results = [linked(links, way) for way in (INTERSECTION, GROW_DIAG, FINAL_AND, FINAL, UNION)]
    for fewer, more in pairwise(results):
        if more is not results[3]:  # final and final-and go different ways
            assert fewer <= more
    assert results[1] <= results[3] <= results[4]


def test_grow_diag_final_and_as_worked_out_by_hand(kernels):
    # forward: 0-0 1-1 3-2 (target 3 has none); backward: 0-0 1-2 2-3
    links = (
        np.array([0, 1, 3, -1], np.int32), np.array([0, 4]),
        np.array([0, 2, 3, -1], np.int32), np.array([0, 4]),
    )  # fmt: skip
    assert linked(links, INTERSECTION) == {(0, 0, 0)}
    assert linked(links, GROW_DIAG) == {(0, 0, 0), (0, 1, 1), (0, 1, 2), (0, 2, 3), (0, 3, 2)}
    assert linked(links, FINAL_AND) == linked(links, GROW_DIAG)


WRONG = {
    "a word below 0": lambda m: m.number_pairs(
        np.array([-1], np.int32), np.array([0, 1]), np.array([0], np.int32), np.array([0, 1]), 1
    ),
    "a source word beyond the types": lambda m: m.number_pairs(
        np.array([1], np.int32), np.array([0, 1]), np.array([0], np.int32), np.array([0, 1]), 1
    ),
    "two sides with different numbers of sentences": lambda m: m.number_pairs(
        np.array([0], np.int32), np.array([0, 1]), np.array([0], np.int32), np.array([0, 1, 1]), 1
    ),
    "offsets that do not cut the words": lambda m: m.number_pairs(
        np.array([0], np.int32), np.array([0, 2]), np.array([0], np.int32), np.array([0, 1]), 1
    ),
    "a cell without a count": lambda m: m.add(
        np.zeros(1, np.float32), np.array([1], np.int32), np.ones(1, np.float32)
    ),
    "not as many values as cells": lambda m: m.add(
        np.zeros(1, np.float32), np.array([0], np.int32), np.ones(2, np.float32)
    ),
    "a pair without a total": lambda m: m.shares(
        np.zeros(1, np.float32), np.array([3], np.int32), 1, 0.1, np.ones(1, np.float32)
    ),
    "a link to a word that is not there": lambda m: m.symmetrise(
        np.array([1], np.int32), np.array([0, 1]), np.array([0], np.int32), np.array([0, 1]), 0
    ),
    "there is no such way": lambda m: m.symmetrise(
        np.array([0], np.int32), np.array([0, 1]), np.array([0], np.int32), np.array([0, 1]), 9
    ),
    "not as much room": lambda m: m.best(
        np.array([0, 1]), np.array([0, 1]), 0, 0, 1, np.ones(2, np.float32), np.ones(1, np.float32)
    ),
    "sentences out of range": lambda m: m.best(
        np.array([0, 1]), np.array([0, 1]), 0, 0, 2, np.ones(1, np.float32), np.ones(1, np.float32)
    ),
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_wrong_arrays_are_refused_before_the_loop(message, kernels):
    with pytest.raises(ValueError, match=message):
        WRONG[message](load("word_alignment"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"prob": np.ones(0, np.float32)}, "a pair without a probability"),
        ({"null": np.ones(0, np.float32)}, "a word without a probability"),
        ({"jumps": np.ones(4)}, "jumps that are not as many"),
        ({"jumps": np.zeros(3)}, "a jump without a weight"),
        ({"empty": 1.0}, "a share of empty words"),
        ({"last": 2}, "sentences out of range"),
        ({"out": np.ones(3, np.float32)}, "not as much room as there are links"),
        ({"none": np.ones(3, np.float32)}, "not as much room as there are words"),
    ],
)
def test_wrong_probabilities_are_refused_before_the_loop(change, message, kernels):
    given_ = {
        "prob": np.ones(1, np.float32), "null": np.ones(1, np.float32), "jumps": np.ones(3),
        "empty": 0.1, "last": 1, "out": np.ones(1, np.float32), "none": np.ones(1, np.float32),
    } | change  # fmt: skip
    one = np.array([0, 1])
    with pytest.raises(ValueError, match=message):
        load("word_alignment").expected(
            (np.array([0], np.int32), one), np.array([0], np.int32), one, given_["prob"],
            given_["null"], given_["jumps"], given_["empty"], 0, 0, given_["last"],
            given_["out"], given_["none"], np.zeros(3),
        )  # fmt: skip

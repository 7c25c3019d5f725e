"""The kernels of the dependency model with valence, against sums over all trees."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from projective_trees import all_trees
from strategies import examples

from commonground.kernels import _dmv as compiled  # type: ignore[attr-defined]
from commonground.kernels import dmv as plain
from commonground.kernels import load

VALENCES = [(1, 1), (2, 1), (2, 2), (3, 1), (1, 3), (4, 2), (3, 4)]


def factors(heads, root, arc, stop, go):
    """The weights that a tree multiplies, as (name, place)."""
    results, most, last = [], stop.shape[-1] - 1, arc.shape[-1] - 1
    for word, head in enumerate(heads):
        if not head:
            results.append(("root", word))
    for h in range(len(heads)):
        for side, deps in enumerate(
            (
                [d for d in range(h - 1, -1, -1) if heads[d] == h + 1],
                [d for d in range(h + 1, len(heads)) if heads[d] == h + 1],
            )
        ):
            for at, d in enumerate(deps):
                results += [("go", (h, side, min(at, most))), ("arc", (h, d, min(at, last)))]
            results.append(("stop", (h, side, min(len(deps), most))))
    return results


def random_weights(seed, lengths, stops=2, children=1):
    random = np.random.default_rng(seed)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    words, squares = int(offsets[-1]), sum(n * n for n in lengths)
    return (
        offsets,
        random.random(words),
        random.random(children * squares),
        random.random(2 * stops * words),
        random.random(2 * stops * words),
    )


def shaped_weights(n, stops, children, root, arc, stop, go):
    return {
        "root": root,
        "arc": arc.reshape(n, n, children),
        "stop": stop.reshape(n, 2, stops),
        "go": go.reshape(n, 2, stops),
    }


@pytest.mark.parametrize("valences", VALENCES, ids=str)
@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_posteriors_are_those_of_the_sum_over_all_projective_trees(kernels, n, valences):
    offsets, *weights = random_weights(n, [n], *valences)
    shaped = shaped_weights(n, *valences, *weights)
    expected = {name: np.zeros_like(values) for name, values in shaped.items()}
    total = 0.0
    for heads in all_trees(n):
        used = factors(heads, *shaped.values())
        weight = math.prod(shaped[name][at] for name, at in used)
        total += weight
        for name, at in used:
            expected[name][at] += weight
    logs, *result = load("dmv").posteriors(offsets, *weights)
    assert logs[0] == pytest.approx(math.log(total), rel=1e-10)
    for values, (name, sums) in zip(result, expected.items(), strict=True):
        assert values == pytest.approx(sums.ravel() / total, rel=1e-9, abs=1e-12), name


@pytest.mark.parametrize("valences", VALENCES, ids=str)
@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_the_best_tree_is_the_best_of_all_projective_trees(kernels, n, valences):
    offsets, *weights = random_weights(10 + n, [n], *valences)
    weights = [np.log(each) for each in weights]
    shaped = shaped_weights(n, *valences, *weights)
    scored = {
        heads: sum(shaped[name][at] for name, at in factors(heads, *shaped.values()))
        for heads in all_trees(n)
    }
    best = max(scored, key=scored.get)
    scores, heads = load("dmv").best_trees(offsets, *weights)
    assert tuple(heads.tolist()) == best
    assert scores[0] == pytest.approx(scored[best])


@settings(max_examples=examples(30))
@given(
    st.lists(st.integers(0, 7), min_size=1, max_size=4),
    st.integers(0, 1 << 30),
    st.tuples(st.integers(1, 4), st.integers(1, 4)),
)
def test_the_twins_find_the_same(lengths, seed, valences):
    offsets, *weights = random_weights(seed, lengths, *valences)
    for ours, theirs in zip(
        plain.posteriors(offsets, *weights), compiled.posteriors(offsets, *weights), strict=True
    ):
        assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-300)
    logs = [np.log(each) for each in weights]
    ours, theirs = plain.best_trees(offsets, *logs), compiled.best_trees(offsets, *logs)
    assert ours[0].tolist() == theirs[0].tolist()
    assert ours[1].tolist() == theirs[1].tolist()


@settings(max_examples=examples(20))
@given(
    st.lists(st.integers(0, 7), min_size=1, max_size=4),
    st.integers(0, 1 << 30),
    st.integers(2, 4),
    st.integers(1, 4),
)
def test_more_valences_with_the_same_weights_change_nothing(lengths, seed, stops, children):
    offsets, root, arc, stop, go = random_weights(seed, lengths)
    words = len(root)

    def more(weights):
        none, some = weights.reshape(2 * words, 2).T
        return np.stack([none, *[some] * (stops - 1)], -1).ravel()

    few = compiled.posteriors(offsets, root, arc, stop, go)
    many = compiled.posteriors(offsets, root, np.repeat(arc, children), more(stop), more(go))
    assert many[0] == pytest.approx(few[0], rel=1e-9)
    assert many[1] == pytest.approx(few[1], rel=1e-9)
    assert many[2].reshape(-1, children).sum(1) == pytest.approx(few[2], rel=1e-9)
    for several, one in zip(many[3:], few[3:], strict=True):
        shares = several.reshape(2 * words, stops)
        assert shares[:, 0] == pytest.approx(one[0::2], rel=1e-9)
        assert shares[:, 1:].sum(1) == pytest.approx(one[1::2], rel=1e-9, abs=1e-12)


def test_a_sentence_that_weighs_nothing_has_no_posteriors(kernels):
    offsets = np.array([0, 1, 3], np.int64)
    root, arc = np.array([1.0, 0, 0]), np.ones(5)
    logs, roots, *_ = load("dmv").posteriors(offsets, root, arc, np.full(12, 0.5), np.ones(12))
    assert logs[0] == pytest.approx(math.log(0.25))
    assert logs[1] == -math.inf
    assert roots.tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"offsets": [1, 2]}, "begin with 0"),
        ({"offsets": [0, 3, 2]}, "not fall"),
        ({"offsets": [0, 3]}, "number of words"),
        ({"offsets": []}, "begin with 0"),
        ({"arc": [1.0]}, "each pair"),
        ({"stop": [1.0]}, "even number of weights"),
        ({"go": [1.0] * 12}, "even number of weights"),
        ({"arc": [1.0] * 40}, "valences have 1 to 9 values, not 2 and 10"),
        ({"stop": [], "go": []}, "valences have 1 to 9 values, not 0 and 1"),
        ({"go": [math.nan] * 8}, "not a number"),
    ],
)
def test_columns_that_do_not_fit_are_refused(kernels, change, message):
    given_ = {"offsets": [0, 2], "root": [1.0] * 2, "arc": [1.0] * 4, "stop": [1.0] * 8}
    given_ |= {"go": [1.0] * 8} | change
    columns = [np.array(each, np.int64 if n == "offsets" else float) for n, each in given_.items()]
    for function in (load("dmv").posteriors, load("dmv").best_trees):
        with pytest.raises(ValueError, match=message):
            function(*columns)

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


def factors(heads, root, arc, stop, go):
    """The weights that a tree multiplies, as (name, place)."""
    results = []
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
                results += [("go", (h, side, int(at > 0))), ("arc", (h, d))]
            results.append(("stop", (h, side, int(bool(deps)))))
    return results


def random_weights(seed, lengths):
    random = np.random.default_rng(seed)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    words, squares = int(offsets[-1]), sum(n * n for n in lengths)
    return (
        offsets,
        random.random(words),
        random.random(squares),
        random.random(4 * words),
        (random.random(4 * words)),
    )


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_posteriors_are_those_of_the_sum_over_all_projective_trees(kernels, n):
    offsets, root, arc, stop, go = random_weights(n, [n])
    shaped = {
        "root": root,
        "arc": arc.reshape(n, n),
        "stop": stop.reshape(n, 2, 2),
        "go": go.reshape(n, 2, 2),
    }
    expected = {name: np.zeros_like(values) for name, values in shaped.items()}
    total = 0.0
    for heads in all_trees(n):
        used = factors(heads, *shaped.values())
        weight = math.prod(shaped[name][at] for name, at in used)
        total += weight
        for name, at in used:
            expected[name][at] += weight
    logs, *result = load("dmv").posteriors(offsets, root, arc, stop, go)
    assert logs[0] == pytest.approx(math.log(total), rel=1e-10)
    for values, (name, sums) in zip(result, expected.items(), strict=True):
        assert values == pytest.approx(sums.ravel() / total, rel=1e-9, abs=1e-12), name


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_the_best_tree_is_the_best_of_all_projective_trees(kernels, n):
    offsets, *weights = random_weights(10 + n, [n])
    root, arc, stop, go = map(np.log, weights)
    shaped = {
        "root": root,
        "arc": arc.reshape(n, n),
        "stop": stop.reshape(n, 2, 2),
        "go": go.reshape(n, 2, 2),
    }
    scored = {
        heads: sum(shaped[name][at] for name, at in factors(heads, *shaped.values()))
        for heads in all_trees(n)
    }
    best = max(scored, key=scored.get)
    scores, heads = load("dmv").best_trees(offsets, root, arc, stop, go)
    assert tuple(heads.tolist()) == best
    assert scores[0] == pytest.approx(scored[best])


@settings(max_examples=examples(30))
@given(st.lists(st.integers(0, 7), min_size=1, max_size=4), st.integers(0, 1 << 30))
def test_the_twins_find_the_same(lengths, seed):
    offsets, *weights = random_weights(seed, lengths)
    for ours, theirs in zip(
        plain.posteriors(offsets, *weights), compiled.posteriors(offsets, *weights), strict=True
    ):
        assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-300)
    logs = [np.log(each) for each in weights]
    ours, theirs = plain.best_trees(offsets, *logs), compiled.best_trees(offsets, *logs)
    assert ours[0].tolist() == theirs[0].tolist()
    assert ours[1].tolist() == theirs[1].tolist()


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
        ({"stop": [1.0]}, "four weights"),
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

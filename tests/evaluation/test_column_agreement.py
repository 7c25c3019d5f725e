"""The agreement of annotators in each column, corrected for chance."""

from __future__ import annotations

import command
import numpy as np
import pytest

import commonground as cg
from commonground.corpus import Dependencies, Strings
from commonground.evaluation.column_agreement import column_agreement
from commonground.evaluation.evaluate import evaluate


def columns(one, two):
    pair = evaluate(one, {"two": two}, metrics=["uas"]).systems[0].comparison
    return {each.column: each for each in column_agreement("one", "two", pair)}


@pytest.fixture(scope="module")
def disturbed():
    """The example, and a copy with 60 tags and 60 sets of features drawn from all of them."""
    corpus = cg.read("example:ud")
    draw = np.random.default_rng(0)
    changed = {}
    for name in ("upos", "feats"):
        values = corpus.words.strings(name).tolist()
        for row in draw.choice(len(values), 60):
            values[row] = values[draw.integers(len(values))]
        changed[name] = Strings.of(values)
    return corpus, corpus.replace("words", **changed)


def test_coefficients_are_those_of_their_definitions(disturbed):
    """scikit-learn 1.x and krippendorff 0.8 gave the same numbers as these plain loops."""
    one, two = disturbed
    found = columns(one, two)
    for name in ("upos", "feats", "deprel"):
        a, b = (side.words.strings(name).tolist() for side in disturbed)
        observed = np.mean([x == y for x, y in zip(a, b, strict=True)])
        expected = sum(a.count(v) * b.count(v) for v in set(a)) / len(a) ** 2
        assert found[name].observed == pytest.approx(observed)
        assert found[name].kappa.value == pytest.approx((observed - expected) / (1 - expected))
        pooled, n = a + b, 2 * len(a)
        chance = sum(pooled.count(v) * (pooled.count(v) - 1) for v in set(pooled)) / n / (n - 1)
        assert found[name].alpha.value == pytest.approx(1 - (1 - observed) / (1 - chance))


def test_intervals_contain_the_coefficient_and_narrow_with_more_sentences(disturbed):
    one, two = disturbed
    few, many = columns(one[:16], two[:16])["upos"], columns(one, two)["upos"]
    for each in (few, many):
        assert each.kappa.low < each.kappa.value < each.kappa.high <= 1
    assert many.kappa.high - many.kappa.low < few.kappa.high - few.kappa.low


def test_the_same_annotation_agrees_everywhere_and_chance_agrees_nowhere():
    corpus = cg.read("example:ud")
    assert {each.observed for each in columns(corpus, corpus).values()} == {1.0}
    draw = np.random.default_rng(1)
    tags = np.array(corpus.upos.tolist())
    shuffled = corpus.replace("words", upos=Strings.of(draw.permutation(tags).tolist()))
    assert abs(columns(corpus, shuffled)["upos"].kappa.value) < 0.05


def test_a_column_with_one_value_has_no_coefficient():
    corpus = Dependencies.of([(["a", "b"], [2, 0], ["x", "x"])])
    deprel = columns(corpus, corpus)["deprel"]
    assert (deprel.observed, deprel.kappa, deprel.alpha) == (1.0, None, None)


def test_enhanced_graphs_agree_by_their_arcs():
    corpus = cg.read("example:ud")
    assert columns(corpus, corpus)["enhanced"].words > 2 * corpus.words.rows
    assert "enhanced" not in columns(corpus, cg.read("example:ud-parse"))


def test_the_verb_shows_each_feature_and_the_result_is_read_back(tmp_path):
    saved = tmp_path / "agreement.json"
    arguments = ["agreement", "a=example:ud", "b=example:ud-parse", "--by-column", "--no-alpha"]
    printed = command.run(*arguments).stdout
    assert "feats.Case" in printed
    assert "nmod – obl" in printed
    command.run(*arguments, "-o", str(saved))
    assert (
        cg.read_result(saved).columns
        == cg.agreement({"a": "example:ud", "b": "example:ud-parse"}, columns=True).columns
    )


def test_scores_are_broken_down_by_document():
    printed = command.run(
        *["evaluate", "example:ud", "example:ud-parse", "--metrics", "las", "--by", "document"]
    ).stdout
    assert "LAS by document" in printed

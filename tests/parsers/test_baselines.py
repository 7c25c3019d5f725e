"""Baselines as parsers: trees that know nothing, or only what a tag usually hangs on."""

from __future__ import annotations

import numpy as np
import pytest
from command import run
from hypothesis import given
from hypothesis import strategies as st

import commonground as cg
from commonground.corpus.shape import cyclic
from commonground.parsers.baselines import PARSERS, frequent_heads
from commonground.parsers.dmv.logistic_normal import learn_logistic_normal

NAMES = sorted(PARSERS)


@pytest.fixture(scope="module")
def example():
    return cg.read("example:ud")


@pytest.mark.parametrize("name", NAMES)
def test_every_baseline_gives_trees_with_one_root_each(name, example):
    parsed = cg.train(example, name, gold_tags=True).parse(example)
    assert not cyclic(parsed).any()
    sentence = parsed.words.sentence_of_row()
    assert np.bincount(sentence[parsed.head == 0]).tolist() == [1] * len(parsed)


@pytest.mark.parametrize("name", NAMES)
def test_a_sentence_has_the_same_tree_wherever_it_stands(name, example):
    trained = cg.train(example, name, gold_tags=True)
    assert trained.parse(example[5:9]).head.tolist() == trained.parse(example)[5:9].head.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_baseline_is_read_back(name, example, tmp_path):
    trained = cg.train(example, name, gold_tags=True, seed=3)
    trained.save(tmp_path / "a.model")
    again = cg.load_parser(tmp_path / "a.model").parse(example)
    assert again.head.tolist() == trained.parse(example).head.tolist()
    assert again.deprel.tolist() == trained.parse(example).deprel.tolist()


@given(
    st.lists(st.sampled_from("abc"), max_size=8),
    st.dictionaries(st.sampled_from("abc"), st.tuples(st.sampled_from((-1, 0, 1)), st.sampled_from("abc"))),
)  # fmt: skip
def test_frequent_heads_are_a_tree_whatever_is_frequent(tags, usual):
    heads = frequent_heads(tags, usual)
    assert heads.count(0) == min(1, len(tags))
    for word in range(1, len(tags) + 1):
        at, steps = word, 0
        while at:
            at, steps = heads[at - 1], steps + 1
            assert steps <= len(tags)


def test_what_a_tag_hangs_on_says_more_than_chance(example):
    scores = {
        name: cg.evaluate(example, cg.train(example, name, gold_tags=True).parse(example))
        for name in ("frequent-head", "random")
    }
    assert scores["frequent-head"]["uas"].value > scores["random"]["uas"].value + 0.1


def test_train_warns_where_an_unsupervised_model_loses_to_branching(tmp_path):
    rows = [
        f"{i}\tw\tw\tX\tX\t_\t{i - 1}\t{'dep' if i > 1 else 'root'}\t_\t_\n" for i in range(1, 8)
    ]
    (tmp_path / "chain.conllu").write_text(("".join(rows) + "\n") * 3)
    line = ("train", "chain.conllu", "--parser", "dmv", "-o", "m")
    done = run(*line, "--set", "start=random", "--set", "iterations=1", cwd=tmp_path)
    assert "right-branching trees, which look at nothing but positions, 100.0 %" in done.stderr


def test_the_bound_of_shared_logistic_normals_never_falls(example):
    from commonground.parsers.dmv.initial import initial_grammar
    from commonground.parsers.dmv.layout import GrammarLayout
    from commonground.parsers.dmv.symbols import Symbols, alphabet_of

    layout = GrammarLayout(Symbols.of(example, alphabet_of(example), longest=10))
    for start in ("harmonic", "random"):
        learned = learn_logistic_normal(layout, initial_grammar(layout, start), iterations=12)
        assert (np.diff(learned.likelihoods) >= -1e-9).all()


def test_shared_logistic_normals_begin_at_the_start_that_is_asked_for(example):
    from commonground.parsers.dmv.initial import initial_grammar
    from commonground.parsers.dmv.layout import GrammarLayout
    from commonground.parsers.dmv.symbols import Symbols, alphabet_of

    layout = GrammarLayout(Symbols.of(example, alphabet_of(example), longest=10))
    start = initial_grammar(layout, "random", 1)
    grammar = learn_logistic_normal(layout, start, iterations=0).grammar
    assert np.allclose(grammar.attach, start.attach, atol=1e-4)
    assert np.allclose(grammar.stop, start.stop, atol=1e-4)

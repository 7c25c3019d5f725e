"""Parsers that vote make a tree, and say the same on every machine."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples
from test_graph_parsers import one_root_each, tiny, without_heads

import commonground as cg
from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.parsers.ensemble import members, voted

FEW = {"members": "arc-eager arc-hybrid", "iterations": 4}


def tree(heads, labels=None):
    words = [f"w{number}" for number in range(len(heads))]
    return Dependencies.of([(words, heads, labels or ["x"] * len(heads))])


@st.composite
def trees(draw, length):
    """A tree with one root: each word hangs on one that came before it in a random order."""
    order = draw(st.permutations(range(1, length + 1)))
    heads = [0] * length
    for place, word in enumerate(order[1:], 1):
        heads[word - 1] = draw(st.sampled_from(order[:place]))
    return heads


def votes(found, parses):
    return sum(int((parse.head == found.head).sum()) for parse in parses)


@given(data=st.data(), length=st.integers(1, 5))
@settings(max_examples=examples(60))
def test_no_parse_has_more_votes_than_the_tree_that_is_found(data, length):
    parses = [tree(data.draw(trees(length))) for _ in range(3)]
    result = voted(parses)
    assert one_root_each(result)
    assert votes(result, parses) >= max(votes(parse, parses) for parse in parses)


def test_what_two_of_three_say_is_done():
    parses = [tree([2, 0, 2]), tree([2, 0, 2]), tree([0, 1, 1])]
    assert voted(parses).head.tolist() == [2, 0, 2]
    assert voted(parses[::-1]).head.tolist() == [2, 0, 2]


def test_where_two_disagree_the_first_one_decides():
    one, two = tree([2, 0, 2], ["a", "b", "c"]), tree([0, 1, 1], ["d", "e", "f"])
    assert voted([one, two]) == one
    assert voted([two, one]) == two


def test_a_label_comes_from_those_who_made_the_arc():
    parses = [tree([0, 1], ["r", "a"]), tree([0, 1], ["r", "a"]), tree([2, 0], ["b", "b"])]
    assert voted(parses).deprel.tolist() == ["r", "a"]


def test_an_ensemble_learns_what_it_has_seen_and_is_read_again(tmp_path):
    corpus = tiny()
    parser = cg.train(corpus, "ensemble", gold_tags=True, settings=FEW | {"iterations": 8})
    parsed = parser.parse(corpus)
    assert parsed.head.tolist() == corpus.head.tolist()
    assert parsed.deprel.tolist() == corpus.deprel.tolist()
    parser.save(tmp_path / "one")
    assert cg.load_parser(tmp_path / "one").parse(corpus) == parsed
    cg.train(corpus, "ensemble", gold_tags=True, settings=FEW | {"iterations": 8}).save(
        tmp_path / "two"
    )
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_the_usual_members_are_those_that_can_learn_from_the_trees():
    whole, partial = (members([], whole=each) for each in (True, False))
    assert [kind.name for kind in whole] == ["arc-eager", "mst", "arc-hybrid", "arc-standard"]
    assert partial == whole[:-1]


def test_partial_trees_are_learned_from():
    parser = cg.train(without_heads(tiny(), 0.4), "ensemble", gold_tags=True, settings=FEW)
    assert one_root_each(parser.parse(tiny()))


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ("arc-eager", "from two to eight can vote"),
        ("arc-eager spans", "spans cannot be a member"),
        ("arc-eager tagger", "tagger cannot be a member"),
        ("arc-eager nobody", "there is no parser 'nobody'"),
    ],
)
def test_members_that_cannot_vote_are_refused(members, message):
    with pytest.raises(UsageError, match=message):
        cg.train(tiny(), "ensemble", gold_tags=True, settings={"members": members})


def test_members_that_need_whole_trees_say_so():
    partial = without_heads(tiny(), 0.4)
    with pytest.raises(UsageError, match="arc-standard, a member"):
        cg.train(
            partial, "ensemble", gold_tags=True, settings={"members": "arc-eager arc-standard"}
        )


def test_an_empty_corpus_gets_no_trees():
    parser = cg.train(tiny(), "ensemble", gold_tags=True, settings=FEW)
    assert not len(parser.parse(tiny()[:0]))
    assert np.array_equal(parser.parse(tiny()[:1]).head, parser.parse(tiny()).head[:6])

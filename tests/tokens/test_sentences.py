"""Sentences of treebanks that cut the same text in different places."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground import read_text
from commonground.corpus import Dependencies, Functions
from commonground.corpus.joining import joined_sentences
from commonground.tokens.differences import common_places
from commonground.tokens.sentences import pair_sentences, pair_texts, surface_tokens

WORDS = st.lists(st.sampled_from("the dog cat barks . sees a on , it and so".split()), min_size=1)


def cut(words, lengths):
    result, place = [], 0
    for length in lengths:
        result += [words[place : place + length]] if place < len(words) else []
        place += length
    return result + ([words[place:]] if place < len(words) else [])


LENGTHS = st.lists(st.integers(1, 6))


@given(WORDS, LENGTHS, LENGTHS)
def test_the_same_text_pairs_completely_however_it_is_cut(words, one, other):
    sides = cut(words, one), cut(words, other)
    groups = pair_texts(*sides)
    for side, texts in enumerate(sides):
        paired = [place for group in groups for place in group[side]]
        assert sorted(paired) == list(range(len(texts)))
    for mine, theirs in groups:
        texts = [
            "".join(w for p in g for w in side[p])
            for g, side in zip((mine, theirs), sides, strict=True)
        ]
        assert texts[0] == texts[1]


@given(WORDS, WORDS)
def test_words_in_common_are_the_same_and_in_order(one, two):
    pairs = common_places(one, two)
    assert all(one[a] == two[b] for a, b in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))
    if one == two:
        assert len(pairs) == len(one)


def test_tokens_and_quotes_may_differ():
    one = [["``", "do", "n't", "''"], ["go"]]
    assert pair_texts(
        [[w.replace("``", '"').replace("''", '"') for w in s] for s in one], [['"don\'t"', "go"]]
    ) == [((0, 1), (0,))]


def test_sentences_in_another_order_are_found():
    one, two = [["a", "b"], ["c", "d"], ["e"]], [["e"], ["c", "d"], ["a", "b"]]
    assert pair_texts(one, two) == [((0,), (2,)), ((1,), (1,)), ((2,), (0,))]


def test_an_edited_sentence_keeps_its_partner_and_a_new_one_has_none():
    one = [["the", "dog", "barks"], ["it", "is", "late"], ["so", "what"]]
    two = [["the", "dog", "barked"], ["entirely", "new"], ["it", "is", "late"], ["so", "what"]]
    assert pair_texts(one, two) == [((0,), (0,)), ((1,), (2,)), ((2,), (3,))]


def test_ids_decide_between_sentences_with_the_same_text():
    one, two = [["yes"], ["yes"]], [["yes"], ["yes"]]
    assert pair_texts(one, two, ["a", "b"], ["b", "a"]) == [((0,), (1,)), ((1,), (0,))]


def test_an_id_alone_does_not_make_a_pair():
    assert pair_texts([["x"]], [["y"]], ["a"], ["a"]) == []


def test_three_treebanks_are_paired_in_any_order():
    texts = [["a b c d e f"], ["a b", "c d e f"], ["a b c", "d e f"]]
    corpora = [
        Dependencies.of([(s.split(), [0] * len(s.split()), ["x"] * len(s.split())) for s in side])
        for side in texts
    ]
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        result = pair_sentences([corpora[n] for n in order])
        assert result.groups == tuple((tuple(range(len(texts[n]))),) for n in order)
        assert result.joined == 1
        assert result.words_alone == (0, 0, 0)


# ── sentences put together ───────────────────────────────────────────────────────────────────────

CONLLU = """\
# sent_id = a
1-2	dont	_	_	_	_	_	_	_	_
1	do	_	_	_	_	0	root	0:root	_
2	not	_	_	_	_	1	x	1:x|2.1:y	_
2.1	go	_	_	_	_	_	_	1:z	_

# sent_id = b
0.1	it	_	_	_	_	_	_	2:s	_
1-2	isnt	_	_	_	_	_	_	_	_
1	is	_	_	_	_	2	x	2:x|0.1:y	_
2	not	_	_	_	_	0	root	0:root	_

"""


def test_all_that_points_at_words_is_moved():
    joint = joined_sentences(read_text(CONLLU, "conllu"), np.array([0]))
    assert joint.sent_id.tolist() == ["a+b"]
    assert joint.head.tolist() == [0, 1, 4, 0]
    assert joint.tokens.numbers("first").tolist() == [1, 3]
    assert joint.deps.tolist() == ["0:root", "1:x|2.1:y", "4:x|2.2:y", "0:root"]
    assert joint.empties.numbers("minor").tolist() == [1, 2]
    assert surface_tokens(joint) == [["dont", "isnt"]]


def test_all_that_points_at_nodes_is_moved():
    trees = read_text("(S (NP (N dogs)) (V bark))\n(S (V go))", "brackets")
    joint = joined_sentences(trees, np.array([0]))
    assert joint.parent.tolist() == [-1, 0, -1]
    assert joint.words.numbers("parent").tolist() == [1, 0, 2]
    functions = Functions.of([(["a"], [("1", "x")]), (["b", "c"], [("1-2", "y")])])
    assert joined_sentences(functions, np.array([0])).yields.tolist() == ["1", "2-3"]


@pytest.mark.parametrize("starts", [[0, 1], [0]])
def test_no_word_is_lost(starts):
    corpus = read_text(CONLLU, "conllu")
    assert joined_sentences(corpus, np.array(starts)).form.tolist() == corpus.form.tolist()


def test_a_text_of_one_word_over_and_over_pairs_completely():
    one, two = [["the"]] * 5, [["the", "the"], ["the"], ["the", "the"]]
    assert pair_texts(one, two) == [((0, 1), (0,)), ((2,), (1,)), ((3, 4), (2,))]


def test_sentences_with_nearly_the_same_words_pair_in_whatever_order():
    arma, litora = "arma virum que cano troiae qui primus", "italiam fato profugus venit ad litora"
    one = [arma.split(), litora.split()]
    two = [litora.replace("ad", "in").split(), arma.replace("qui", "que").split(), ["et"] * 9]
    assert pair_texts(one, two) == [((0,), (1,)), ((1,), (0,))]

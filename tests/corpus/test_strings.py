"""Columns of text."""

import copy
import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from commonground.corpus import Strings
from commonground.corpus.strings import LaterStrings, Vocabulary

WORDS = st.lists(st.sampled_from(["a", "b", "ab", "", "ü"]), max_size=30)


@given(WORDS)
def test_a_column_reads_as_what_it_was_made_of(words):
    assert Strings.of(words).tolist() == words


@given(WORDS)
def test_the_vocabulary_has_no_duplicates_and_follows_the_first_appearance(words):
    assert Strings.of(words).vocabulary == tuple(dict.fromkeys(words))


@given(WORDS, WORDS)
def test_columns_are_equal_when_they_read_the_same(one, other):
    whole = Strings.of([*other, *one])
    assert (whole[len(other) :] == Strings.of(one)) is True
    assert (Strings.of(one) == Strings.of(other)) == (one == other)


@given(st.lists(WORDS, min_size=1, max_size=4))
def test_concatenation_reads_the_parts_in_order(parts):
    joined = Strings.concatenate([Strings.of(part) for part in parts])
    assert joined.tolist() == [word for part in parts for word in part]


@given(WORDS)
def test_map_merges_texts_that_become_the_same(words):
    mapped = Strings.of(words).map(str.upper)
    assert mapped.tolist() == [word.upper() for word in words]
    assert len(set(mapped.vocabulary)) == len(mapped.vocabulary)


def test_functions_are_called_once_for_each_distinct_text():
    calls = []
    Strings.of(["a", "b"] * 100).map(lambda text: calls.append(text) or text)
    assert calls == ["a", "b"]


def test_counts_are_sorted_by_number_and_leave_out_what_no_row_has():
    column = Strings.of(["b", "a", "b", "c"])[np.array([0, 1, 2])]
    assert list(column.counts().items()) == [("b", 2), ("a", 1)]


def test_an_empty_column_can_be_asked_everything():
    empty = Strings.of([])
    assert (len(empty), empty.tolist(), empty.counts()) == (0, [], {})
    assert empty.map(str.upper).tolist() == []
    assert empty.where(bool).tolist() == []
    assert empty.values(len).tolist() == []


def test_copies_of_a_vocabulary_number_new_texts_on_their_own():
    whole = Vocabulary({"": 0})
    copies = [copy.copy(whole), pickle.loads(pickle.dumps(whole)), whole.copy()]
    assert [each["a"] for each in copies] == [1, 1, 1]
    assert [each["b"] for each in copies] == [2, 2, 2]
    assert (whole["b"], dict(whole)) == (1, {"": 0, "b": 1})


@given(WORDS, st.data())
def test_a_column_made_later_is_the_same_column(words, data):
    mask = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words))), bool
    )
    asked = []
    whole = Strings.of(words)

    def make():
        asked.append(1)
        return whole

    for rows in (slice(1, None), slice(None, None, 2), mask, np.flatnonzero(mask)):
        asked.clear()
        later = LaterStrings(len(words), make)
        piece = later[rows][:2]
        assert len(piece) == len(whole[rows][:2])
        assert not asked
        assert piece == whole[rows][:2]
        assert later == whole
        assert asked == [1]
        assert pickle.loads(pickle.dumps(LaterStrings(len(words), make))) == whole
        assert type(copy.copy(later)) is Strings

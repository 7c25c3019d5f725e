"""Corpora as data frames and back."""

import pytest

from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.formats import read_text

TEXT = """\
# sent_id = a
1-2	don't	_	_	_	_	_	_	_	_
1	do	do	AUX	VB	_	0	root	0:root	_
2	n't	not	PART	RB	_	1	advmod	1:advmod	_
2.1	it	it	PRON	PRP	_	_	_	1:obj	_

# sent_id = b
1	Go	go	VERB	VB	_	0	root	_	_

"""

LIBRARIES = ["arrow", "pandas", "polars"]


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_corpus_survives_the_way_through_a_data_frame(library):
    corpus = read_text(TEXT)
    there = getattr(corpus, f"to_{library}")("all")
    assert getattr(Dependencies, f"from_{library}")(there) == corpus


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_sentence_without_rows_in_a_table_survives(library):
    corpus = read_text(TEXT)[::-1]
    there = getattr(corpus, f"to_{library}")("all")
    assert getattr(Dependencies, f"from_{library}")(there) == corpus


def test_a_frame_of_words_is_ready_to_group():
    words = read_text(TEXT).to_pandas()
    assert words.groupby("sentence")["form"].count().tolist() == [2, 1]
    assert words["deprel"].value_counts()["root"] == 2


def test_a_frame_without_sentence_numbers_is_refused():
    there = read_text(TEXT).to_pandas("all")
    there["words"] = there["words"].drop(columns="sentence")
    with pytest.raises(UsageError, match="needs a column 'sentence'"):
        Dependencies.from_pandas(there)


def test_sentence_numbers_out_of_order_are_refused():
    there = read_text(TEXT).to_pandas("all")
    there["words"] = there["words"].iloc[::-1]
    with pytest.raises(UsageError, match="count upwards"):
        Dependencies.from_pandas(there)


def test_any_table_is_a_frame_by_its_name():
    corpus = read_text(TEXT)
    assert list(corpus.to_pandas("sentences").columns) == ["sentence", "comments"]
    with pytest.raises(UsageError, match="there is no table 'wrods'; there are words, "):
        corpus.to_pandas("wrods")

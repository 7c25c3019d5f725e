"""What all corpora can do with their sentences."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import conllu_files

import commonground as cg
from commonground.corpus import Dependencies, Strings, Table
from commonground.formats import read_text

TEXT = """\
# newdoc id = d
# sent_id = first
# text = I don't.
1	I	I	PRON	PRP	_	2	nsubj	2:nsubj	_
2-3	don't	_	_	_	_	_	_	_	SpaceAfter=No
2	do	do	AUX	VBP	_	0	root	0:root	_
3	n't	not	PART	RB	_	2	advmod	2:advmod	_
3.1	go	go	VERB	VB	_	_	_	0:root	CopyOf=-1
4	.	.	PUNCT	.	_	2	punct	2:punct	_

1	Go	go	VERB	VB	_	0	root	0:root	_

# sent_id = third
1	Stop	stop	VERB	VB	_	0	root	0:root	_
2	!	!	PUNCT	.	_	1	punct	1:punct	_

"""


@pytest.fixture
def corpus():
    return read_text(TEXT)


def test_a_sentence_is_found_by_place_by_id_and_by_number(corpus):
    assert corpus[0].form == ["I", "do", "n't", "."]
    assert corpus[-1].form == ["Stop", "!"]
    assert corpus["third"].form == ["Stop", "!"]
    assert corpus["2"].form == ["Go"]
    with pytest.raises(IndexError):
        corpus[3]
    with pytest.raises(KeyError, match="no sentence"):
        corpus["fourth"]


def test_a_sentence_without_sent_id_is_called_by_its_number(corpus):
    assert corpus.sent_id.tolist() == ["first", "2", "third"]
    assert [sentence.sent_id for sentence in corpus] == ["first", "2", "third"]


def test_metadata_are_what_the_comments_say(corpus):
    assert corpus.metadata("text").tolist() == ["I don't.", "", ""]
    assert corpus[0].metadata("newdoc id") == "d"
    assert corpus[0].comments == ["# newdoc id = d", "# sent_id = first", "# text = I don't."]


def test_every_word_knows_its_line(corpus):
    lines = corpus.lines_of_words().tolist()
    assert [TEXT.split("\n")[line - 1].split("\t")[1] for line in lines] == corpus.form.tolist()
    assert corpus.lines.tolist() == [1, 11, 13]


def test_a_view_of_a_sentence_shows_numbers_and_texts(corpus):
    assert corpus[0].head.tolist() == [2, 0, 2, 2]
    assert corpus[0].column("form", "tokens") == ["don't"]
    assert len(corpus[0]) == 4
    with pytest.raises(AttributeError):
        _ = corpus[0].nothing


@given(conllu_files())
def test_cutting_and_joining_gives_the_same_corpus(text):
    corpus = read_text(text, "conllu")
    for size in (1, 2):
        pieces = list(corpus.chunks(size))
        if pieces:
            assert Dependencies.concatenate(pieces) == corpus
    assert corpus[:1] + corpus[1:] == corpus


@given(conllu_files(), st.data())
def test_taking_sentences_takes_them_in_order(text, data):
    corpus = read_text(text, "conllu")
    places = data.draw(
        st.lists(st.integers(0, max(len(corpus) - 1, 0)), max_size=5 * bool(len(corpus)))
    )
    taken = corpus[np.array(places, dtype=np.int64)]
    assert [sentence.alone for sentence in taken] == [corpus[place].alone for place in places]


def test_filtering_keeps_the_sentences_for_which_the_predicate_holds(corpus):
    assert corpus.filter(lambda sentence: len(sentence) == 2).form.tolist() == ["Stop", "!"]
    assert corpus[np.array([True, False, False])].form.tolist() == ["I", "do", "n't", "."]


def test_corpora_are_equal_when_they_read_the_same(corpus):
    assert corpus == read_text(TEXT)
    assert corpus != read_text(TEXT.replace("Stop", "Halt"))
    assert corpus != read_text(TEXT.replace("SpaceAfter=No", "_"))
    assert corpus != read_text(TEXT.replace("sent_id = third", "sent_id = 3"))
    assert corpus != 1


def test_the_place_in_the_file_does_not_matter_for_equality():
    assert read_text("\n\n" + TEXT) == read_text(TEXT)


def test_replacing_a_column_leaves_the_rest(corpus):
    other = corpus.replace("words", deprel=corpus.deprel.map(str.upper))
    assert other.deprel.tolist()[0] == "NSUBJ"
    assert other.form == corpus.form
    assert corpus.deprel.tolist()[0] == "nsubj"


def test_repr_tells_what_is_inside(corpus):
    assert repr(corpus) == "Dependencies(7 words, 1 tokens, 1 empties, 3 sentences)"
    assert repr(corpus[2]) == "<third: Stop !>"
    assert repr(corpus[:0]) == "Dependencies(empty)"


def test_a_slice_of_consecutive_sentences_copies_no_column(corpus):
    assert np.shares_memory(corpus[1:].head, corpus.head)


def test_columns_of_the_wrong_length_are_refused():
    with pytest.raises(ValueError, match="do not have 2 rows"):
        Table([0, 2], form=Strings.of(["a"]))


def test_tables_with_different_numbers_of_sentences_are_refused(corpus):
    with pytest.raises(ValueError, match="do not have 3 sentences"):
        Dependencies({**corpus.tables, "tokens": corpus[:1].tokens})


def test_concatenation_fills_columns_that_a_part_lacks():
    one = read_text("1\ta\ta\tX\tX\t_\t0\troot\t0\troot\n\n", "conllx")
    two = read_text(TEXT)
    whole = one + two[:1]
    assert whole.words.numbers("phead").tolist() == [0, -1, -1, -1, -1]
    assert whole.words.strings("pdeprel").tolist() == ["root", "_", "_", "_", "_"]


def test_sentences_are_read_as_people_guess():
    sentence = cg.read("example:ud")[-1]
    assert sentence.text.startswith(sentence[0].form)
    assert [word.form for word in sentence] == sentence.form
    assert [word.id for word in sentence.words] == list(range(1, len(sentence) + 1))
    assert sentence[-1].upos == "PUNCT"
    assert [word.lemma for word in sentence[:2]] == sentence.lemma[:2]
    assert isinstance(sentence[0].head, int)
    with pytest.raises(IndexError):
        sentence[len(sentence)]
    with pytest.raises(AttributeError):
        sentence[0].nothing  # noqa: B018


def test_corpora_and_their_sentences_can_be_pickled():
    corpus = cg.read("example:ud")
    assert len(corpus.sent_id) == len(corpus)  # they are kept from now on, beside the tables
    for whole in (corpus, corpus[3]):
        assert pickle.loads(pickle.dumps(whole)) == whole

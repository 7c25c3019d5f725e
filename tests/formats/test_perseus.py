"""The XML of the Ancient Greek and Latin Dependency Treebanks."""

from __future__ import annotations

import pytest
from damaged import check_damaged_text
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import InputError
from commonground.formats import detect, read_text
from commonground.formats.codecs.perseus import FORMAT

LATIN = """\
<?xml version="1.0" encoding="utf-8"?>
<treebank version="1.6" format="aldt" xml:lang="lat">
  <annotator><short>x</short></annotator>
  <sentence id="12" subdoc="2.1">
    <word id="1" form="Arma" lemma="arma1" postag="n-p---na-" head="5" relation="OBJ_CO"/>
    <word id="2" form="virum" lemma="vir1" postag="n-s---ma-" head="3" relation="OBJ_CO"/>
    <word id="3" form="que" lemma="que1" postag="c--------" head="4" relation="COORD"/>
    <word id="4" form="cano" lemma="cano1" postag="v1spia---" head="0" relation="PRED"/>
    <word id="5" form="[0]" head="3" relation="OBJ" insertion_id="0001e" artificial="elliptic"/>
    <word id="6" form="." lemma="." postag="u--------" head="0" relation="AuxK"/>
  </sentence>
  <sentence id="13"></sentence>
</treebank>
"""


def test_words_labels_and_tags_stand_in_their_columns():
    corpus = read_text(LATIN)
    assert corpus.form.tolist() == ["Arma", "virum", "que", "cano", "."]
    assert corpus.xpos.tolist()[0] == "n-p---na-"
    assert corpus.deprel.tolist() == ["OBJ_CO", "OBJ_CO", "COORD", "PRED", "AuxK"]
    assert corpus.metadata("sent_id").tolist() == ["12", "13"]
    assert corpus.metadata("subdoc").tolist()[0] == "2.1"
    assert corpus.lines.tolist()[0] == 4


def test_what_depends_on_an_added_word_depends_on_the_next_one_above():
    assert read_text(LATIN).head.tolist() == [3, 3, 4, 0, 0]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('id="2" form', 'id="1" form', "two words have the id 1"),
        ('id="2" form', 'id="x" form', "id is 'x'; a number is expected"),
        ('head="4"', 'head="44"', "head is '44', and no word has that id"),
        ('head="4"', 'head=""', "'que' has no head; allow partial trees"),
        ("</treebank>", "", "no element found|not closed|XML"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(old: str, new: str, message: str):
    with pytest.raises(InputError, match=message):
        read_text(LATIN.replace(old, new, 1))


def test_other_xml_is_not_taken_for_it():
    tiger = '<corpus id="x"><body><s id="s1"><graph root="s1_1"><terminals>'
    assert FORMAT.looks_like(tiger) == 0
    assert detect(LATIN.encode()).name == "perseus"


@given(st.data())
def test_damaged_files_give_an_error_or_a_treebank(data: st.DataObject):
    check_damaged_text(FORMAT, LATIN, b'<>"=/ 019-', data)

"""CCG derivations: categories are the labels of phrases and the tags of words."""

import pytest

from commonground import evaluate
from commonground.errors import InputError, UsageError
from commonground.formats import FormatOptions, detect, find_format, read, read_text, write_text

BIRDS = "(<L NP NNS NNS Birds NP>)"
SING = r"(<L (S[dcl]\NP)/NP VBP VBP sing (S[dcl]\NP_1)/NP_2>)"
SONGS = "(<T NP 0 1> (<L N NNS NNS songs N>) )"
TREE = rf"(<T S[dcl] 1 2> {BIRDS} (<T S[dcl]\NP 0 2> {SING} {SONGS} ) )"
SAMPLE = f"ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1\n{TREE}\nID=b, log probability=-0.1\n{BIRDS}\n"


def test_categories_are_labels_and_supertags():
    corpus = read_text(SAMPLE)
    assert corpus.sent_id.tolist() == ["wsj_0001.1", "b"]
    assert corpus.form.tolist() == ["Birds", "sing", "songs", "Birds"]
    assert corpus.tag.tolist() == ["NP", r"(S[dcl]\NP)/NP", "N", "NP"]
    assert corpus.words.strings("feats").tolist() == ["NNS", "VBP", "NNS", "NNS"]
    assert corpus.label.tolist() == ["S[dcl]", r"S[dcl]\NP", "NP"]
    assert [sentence.line for sentence in corpus] == [1, 3]


def test_derivations_are_written_as_brackets_and_read_back():
    corpus = read_text(SAMPLE)
    assert read_text(write_text(corpus, "brackets")) == corpus
    with pytest.raises(UsageError, match="can be read, but not written"):
        write_text(corpus, "ccg")


def test_the_accuracy_of_tags_is_that_of_supertags():
    gold, parse = read_text(SAMPLE), read_text(SAMPLE.replace("<L N ", "<L NP "))
    result = evaluate(gold, parse, metrics=["tagging", "parseval_f1"])
    assert result["tagging"].value == 3 / 4
    assert result["parseval_f1"].value == 1


def test_a_sentence_without_a_derivation_has_no_words():
    corpus = read_text(f"ID=a\nID=b\n\nID=c\n{TREE}\nID=d\n")
    assert corpus.words.lengths.tolist() == [0, 0, 3, 0]


BROKEN = {
    "a tree in brackets": ("(S (NP a))", "is expected"),
    "a node with too few parts": ("(<T NP 0 2> (<L N NN NN a N>) )", "fewer parts than it tells"),
    "a node with too many parts": (f"(<T NP 0 1> {BIRDS} {BIRDS} )", "more parts than it tells"),
    "a node without parts": ("(<T NP 0 0> )", "is expected"),
    "an open node": (f"(<T NP 0 1> {BIRDS}", "1 bracket is not closed"),
    "two trees": (f"{BIRDS} {BIRDS}", "more than one tree"),
    "a bracket too many": (f"{BIRDS})", "more than one tree"),
    "nothing but a bracket": (")", "fewer parts"),
    "a cut line": ("(<T NP 0 1> (<L N NN", "is expected"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_said_with_its_line(name):
    line, message = BROKEN[name]
    with pytest.raises(InputError) as caught:
        read_text(f"{SAMPLE}{line}\n", "ccg")
    assert caught.value.line == 5
    assert message in caught.value.message
    (problem,) = find_format("ccg").problems(f"{SAMPLE}{line}\n".encode(), FormatOptions())
    assert (problem.line, problem.message) == (5, caught.value.message)


def test_it_is_detected_with_and_without_ids(tmp_path):
    assert detect(SAMPLE.encode()).name == "ccg"
    assert detect(TREE.encode()).name == "ccg"
    path = tmp_path / "a.auto"
    path.write_text(SAMPLE)
    assert read(path).kind == "constituents"

"""Plain text as a format: words without trees."""

import pytest
from command import assert_refused, assert_silent_success, run, write

from commonground import read
from commonground.errors import InputError
from commonground.formats import read_text
from commonground.formats.codecs.text import ends

LINES = "Birds sing .\n\n \t\nFish  swim\t.\n"


def test_a_line_is_a_sentence_and_blank_lines_are_none():
    corpus = read_text(LINES, "text", partial=True)
    assert [sentence.form for sentence in corpus] == [["Birds", "sing", "."], ["Fish", "swim", "."]]
    assert corpus.lines.tolist() == [1, 4]
    assert set(corpus.head.tolist()) == {-1}


@pytest.mark.parametrize("text", [LINES, LINES.rstrip("\n"), "", "\n\n", "a"])
def test_there_are_as_many_ends_as_sentences(text):
    closed = text if text.endswith("\n") else f"{text}\n"
    assert len(ends(closed.encode())) == len(read_text(text, "text", partial=True))


def test_the_suffix_tells_a_text_only_where_nothing_else_is_recognised(tmp_path):
    assert len(read(write(tmp_path / "a.txt", LINES), partial=True)) == 2
    trees = write(tmp_path / "trees.txt", "(S (NP (N Birds)) (VP (V sing)))\n")
    assert read(trees).kind == "constituents"
    with pytest.raises(InputError, match="unknown format"):
        read(write(tmp_path / "a", LINES), partial=True)


def test_a_text_has_no_heads_to_be_scored(tmp_path):
    text = write(tmp_path / "a.txt", LINES)
    assert_refused(run("evaluate", "example:ud", text), f"{text}:1: plain text has no heads")


def test_white_space_alone_is_no_word():
    with pytest.raises(InputError, match=r"<text>:2: .* is white space, and no word"):
        read_text("a b\nc \u00a0 d\n", "text", partial=True)


@pytest.mark.long
def test_a_text_is_parsed_with_the_tagger_of_the_model(tmp_path):
    text = write(tmp_path / "a.txt", LINES)
    model, out = tmp_path / "m", tmp_path / "out.conllu"
    few = ["--set", "iterations=1", "--quiet"]
    assert_silent_success(run("train", "example:ud", "-o", model, *few))
    assert_silent_success(run("parse", model, text, out))
    corpus = read(out)
    assert [sentence.form for sentence in corpus] == [["Birds", "sing", "."], ["Fish", "swim", "."]]
    assert "_" not in corpus.upos.tolist()
    assert_silent_success(run("train", "example:ud", "-o", model, "--gold-tags", *few))
    assert_refused(run("parse", model, text, out), f"{text}: it is plain text, and this model")
    refused = run("parse", model, text, out, "--pretokenised")
    assert_refused(refused, f"{text}: no word has a tag")

"""Predicate-argument files of CCGbank."""

import pytest
from hypothesis import given
from relation_samples import (
    SAMPLES,
    check_damaged,
    check_pieces,
    damaged,
    other_samples,
    other_starts,
)

from commonground.errors import InputError, UsageError
from commonground.formats import FormatOptions, detect, find_format, read_text, write_text
from commonground.formats.codecs.ccgbank import looks_like

SAMPLE = SAMPLES["ccgbank"]


def test_a_functor_is_the_head_of_its_argument():
    corpus = read_text(SAMPLE)
    assert corpus.nodes.strings("text").tolist() == ["sing", "Birds", "<c>"]
    assert corpus.nodes.numbers("first").tolist() == [2, 1, 3]
    assert corpus.head.tolist() == [0, 2]
    assert corpus.dependent.tolist() == [1, 0]


def test_the_slot_is_the_label_and_the_category_the_subtype():
    corpus = read_text(SAMPLE)
    assert corpus.label.tolist() == ["1", "1"]
    assert corpus.relations.strings("subtype").tolist() == ["S[dcl]\\NP", "X\\X"]
    assert corpus.relations.strings("value").tolist() == ["_", "XB"]


def test_the_id_and_the_length_are_comments():
    corpus = read_text(SAMPLE)
    assert corpus.sent_id.tolist() == ["a.1", "a.2"]
    assert corpus.metadata("length").tolist() == ["3", "1"]
    assert corpus.relations.lengths.tolist() == [2, 0]
    assert corpus.lines.tolist() == [1, 5]


def test_spaces_around_tabs_comments_and_blank_lines_do_not_matter():
    text = "# made by hand\n\n" + SAMPLE.replace("\t", " \t ").replace("<\\s>", "</s>\n")
    assert read_text(text) == read_text(SAMPLE)


BROKEN = {
    "an index that is none": (SAMPLE + '<s id="b"> 2\nx\t1\tN\t1\ta b\n<\\s>\n', 8, "i j category"),
    "a word too few": (SAMPLE + '<s id="b"> 2\n0\t1\tN\t1\ta\n<\\s>\n', 8, "i j category"),
    "a word too many": (SAMPLE + '<s id="b"> 2\n0\t1\tN\t1\ta b c\n<\\s>\n', 8, "i j category"),
    "no end": (SAMPLE + '<s id="b"> 2\n0\t1\tN\t1\ta b\n', 7, "without an end"),
    "no end before the next": ('<s id="b"> 2\n' + SAMPLE, 2, "the one before has no end"),
    "no beginning": (SAMPLE + "0\t1\tN\t1\ta b\n", 7, "a sentence begins as"),
    "not UTF-8": (SAMPLE + "\udcff\n", 7, "is not UTF-8"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_said_with_its_line(name):
    text, line, message = BROKEN[name]
    with pytest.raises(InputError) as caught:
        read_text(text, "ccgbank")
    assert caught.value.line == line
    assert message in caught.value.message


def test_all_problems_are_found_not_only_the_first():
    data = b'hello\n<s id="b"> 2\nx\n<s id="c"> 1\n<\\s>\n'
    problems = list(find_format("ccgbank").problems(data, FormatOptions()))
    assert [problem.line for problem in problems] == [1, 3, 4]


@given(damaged("ccgbank"))
def test_broken_input_is_a_problem_and_nothing_worse(data):
    check_damaged("ccgbank", data)


def test_it_is_not_written():
    with pytest.raises(UsageError, match="can be read, but not written"):
        write_text(read_text(SAMPLE), "ccgbank")


def test_its_relations_can_be_written_as_others():
    text = write_text(read_text(SAMPLE)[:1], "stanford")
    assert text == "1(sing-2, Birds-1)\n1(<c>-3, sing-2)\n\n"


def test_reading_in_pieces_reads_the_same(tmp_path):
    check_pieces("ccgbank", SAMPLE * 4, tmp_path)


def test_ten_thousand_dependencies_are_read():
    rows = "".join(f"{i}\t{i + 1}\tN/N\t1\ta b\n" for i in range(10_000))
    corpus = read_text(f'<s id="a"> 10000\n{rows}<\\s>\n')
    assert corpus.relations.rows == 10_000


def test_it_is_detected_by_how_a_sentence_begins():
    assert detect(SAMPLE.encode()).name == "ccgbank"
    assert not looks_like('<s id="s1">\n  <graph root="s1_500">\n')


def test_nothing_at_hand_looks_like_it(shared):
    for path, start in other_starts(shared):
        assert not looks_like(start), path


def test_no_other_sample_looks_like_it():
    assert not any(map(looks_like, other_samples("ccgbank")))

"""Word alignments in the format of Pharaoh."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
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
from commonground.formats.codecs.pharaoh import looks_like

SAMPLE = SAMPLES["pharaoh"]
LINKS = st.builds("{}{}{}".format, st.integers(0, 99), st.sampled_from("-p"), st.integers(0, 99))
LIKELY = st.builds("{}:{}".format, LINKS, st.sampled_from(["0", "0.5", "0.123456", "0.00001", "1"]))
FILES = st.lists(st.lists(LINKS, max_size=4).map(lambda row: " ".join(row) + "\n"), max_size=4)


@given(FILES.map("".join))
def test_writing_what_was_read_gives_the_identical_bytes(text):
    corpus = read_text(text, "pharaoh")
    assert len(corpus) == text.count("\n")
    assert write_text(corpus, "pharaoh") == text


@given(st.lists(LIKELY, min_size=1).map(" ".join))
def test_links_keep_their_probabilities(line):
    corpus = read_text(line, "pharaoh")
    assert write_text(corpus, "pharaoh") == f"{line}\n"
    assert corpus.probability.tolist() == [float(each.split(":")[1]) for each in line.split()]


def test_a_link_without_a_probability_is_certain_beside_others_that_have_one():
    corpus = read_text("0-0 1-1:0.25\n", "pharaoh")
    assert corpus.probability.tolist() == [1, 0.25]
    plain = read_text("0-0\n", "pharaoh")
    assert plain.probability is None
    joined = type(corpus).concatenate([corpus, plain])
    assert joined.probability.tolist() == [1, 0.25, 1]


def test_a_link_is_sure_or_only_possible():
    corpus = read_text("0-1 2p3 4?5\n", "pharaoh")
    assert corpus.source.tolist() == [0, 2, 4]
    assert corpus.target.tolist() == [1, 3, 5]
    assert corpus.links.numbers("sure").tolist() == [1, 0, 0]
    assert write_text(corpus, "pharaoh") == "0-1 2p3 4p5\n"


def test_a_blank_line_is_a_pair_without_links():
    corpus = read_text(SAMPLE, "pharaoh")
    assert corpus.links.lengths.tolist() == [2, 0, 1]
    assert corpus.lines.tolist() == [1, 2, 3]
    assert len(read_text("\n\n", "pharaoh")) == 2
    assert len(read_text("", "pharaoh")) == 0


def test_the_last_line_needs_no_newline():
    assert read_text(SAMPLE.rstrip("\n"), "pharaoh") == read_text(SAMPLE, "pharaoh")


@pytest.mark.parametrize(
    "token",
    ["0", "a-b", "0--1", "0-1-2", "0=1", "-1-0", "1234567890-0", "0-٣", "0-0:2", "0-0:1.5", "0-0:"],
)
def test_what_is_no_link_is_said_with_its_line(token):
    with pytest.raises(InputError, match="a link such as 0-0 or 3p4 is expected") as caught:
        read_text(f"0-0\n\n1-1 {token}\n", "pharaoh")
    assert caught.value.line == 3


def test_all_problems_are_found_not_only_the_first():
    problems = list(find_format("pharaoh").problems(b"a b\n0-0\nc\xff\n", FormatOptions()))
    assert [problem.line for problem in problems] == [1, 1, 3, 3]


@given(damaged("pharaoh"))
def test_broken_input_is_a_problem_and_nothing_worse(data):
    check_damaged("pharaoh", data)


def test_treebanks_are_not_written_as_alignments():
    with pytest.raises(UsageError, match="holds alignments, not relations"):
        write_text(read_text("nsubj(a-1, b-2)\n", "stanford"), "pharaoh")


def test_reading_in_pieces_reads_the_same(tmp_path):
    check_pieces("pharaoh", SAMPLE * 20 + "\n\n5-5", tmp_path)


def test_a_line_of_ten_thousand_links_is_read_and_written():
    text = " ".join(f"{i}-{i}" for i in range(10_000)) + "\n"
    assert write_text(read_text(text), "pharaoh") == text


def test_only_links_and_nothing_else_are_taken_for_alignments():
    assert detect(SAMPLE.encode()).name == "pharaoh"
    assert not looks_like("0-0 1-1\nand a word\n")
    assert not looks_like("\n\n")


def test_nothing_at_hand_looks_like_it(shared):
    for path, start in other_starts(shared):
        assert not looks_like(start), path


def test_no_other_sample_looks_like_it():
    assert not any(map(looks_like, other_samples("pharaoh")))

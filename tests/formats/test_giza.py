"""Word alignments in the A3 files of GIZA++."""

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

from commonground.corpus import Strings
from commonground.errors import InputError, UsageError
from commonground.formats import FormatOptions, detect, find_format, read_text, write_text
from commonground.formats.codecs.giza import looks_like

SAMPLE = SAMPLES["giza"]
HEADING = "# Sentence pair (3) source length 1 target length 2 alignment score : 0.5\n"


def test_links_go_from_the_words_of_the_third_line_to_those_of_the_second():
    corpus = read_text(SAMPLE)
    assert corpus.source.tolist() == [0, 1]
    assert corpus.target.tolist() == [1, 2]
    assert corpus.links.numbers("sure").tolist() == [1, 1]
    assert corpus.tables["source_words"].strings("form").tolist() == ["Birds", "sing"]
    assert corpus.tables["target_words"].strings("form").tolist() == ["Die", "Vögel", "singen"]


def test_a_pair_may_be_empty():
    corpus = read_text(SAMPLE)
    assert len(corpus) == 2
    assert corpus.links.lengths.tolist() == [2, 0]
    assert corpus.tables["target_words"].lengths.tolist() == [3, 0]
    assert corpus.lines.tolist() == [1, 4]


def test_the_number_and_the_score_are_comments():
    corpus = read_text(SAMPLE)
    assert corpus.sent_id.tolist() == ["1", "2"]
    assert corpus.metadata("score").tolist() == ["1.2e-05", "1"]


def test_words_may_be_braces():
    corpus = read_text(
        HEADING.replace("source length 1", "source length 2")
        + "}) ({\n"
        + ("NULL ({ }) }) ({ 1 }) ({ ({ 2 })\n")
    )
    assert corpus.tables["source_words"].strings("form").tolist() == ["})", "({"]
    assert corpus.target.tolist() == [0, 1]


BROKEN = {
    "no heading": ("a b\n", 1, "'# Sentence pair (1) source length …' is expected"),
    "an end inside a pair": (HEADING.rstrip("\n"), 1, "the file ends inside of a pair"),
    "no NULL": (HEADING + "a b\nx ({ 1 })\n", 3, "NULL ({ }) word"),
    "no braces": (HEADING + "a b\nNULL ({ }) x\n", 3, "NULL ({ }) word"),
    "braces that do not end": (HEADING + "a b\nNULL ({ }) x ({ 1 2\n", 3, "NULL ({ }) word"),
    "a position that is none": (HEADING + "a b\nNULL ({ }) x ({ 0 })\n", 3, "NULL ({ }) word"),
    "a link to nowhere": (
        HEADING + "a b\nNULL ({ 3 }) x ({ 1 })\n",
        3,
        "target word 3; there are 2",
    ),
    "a target word too few": (HEADING + "a\nNULL ({ }) x ({ 1 })\n", 2, "1 target word"),
    "a source word too many": (
        HEADING + "a b\nNULL ({ }) x ({ }) y ({ })\n",
        3,
        "2 source words",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_said_with_its_line(name):
    text, line, message = BROKEN[name]
    with pytest.raises(InputError) as caught:
        read_text(SAMPLE + text, "giza")
    assert caught.value.line == line + SAMPLE.count("\n")
    assert message in caught.value.message


def test_all_problems_are_found_not_only_the_first():
    data = (HEADING + "a\nx\n" + HEADING + "a\nNULL ({ }) x ({ 2 })\n").encode()
    problems = list(find_format("giza").problems(data, FormatOptions()))
    assert [problem.line for problem in problems] == [3, 5, 6]


@given(damaged("giza"))
def test_broken_input_is_a_problem_and_nothing_worse(data):
    check_damaged("giza", data)


def test_writing_what_was_read_gives_the_identical_bytes():
    corpus = read_text(SAMPLE)
    assert write_text(corpus, "giza") == SAMPLE
    assert write_text(corpus, "pharaoh") == "0-1 1-2\n\n"


def test_links_without_words_cannot_be_written():
    with pytest.raises(UsageError, match="which GIZA"):
        write_text(read_text("0-0", "pharaoh"), "giza")


def test_a_space_in_a_word_shifts_no_link():
    corpus = read_text(HEADING + "a b\nNULL ({ 1 }) x ({ 2 })\n")
    forms = {"form": Strings.of(["till exempel", "b"])}
    written = write_text(corpus.replace("target_words", **forms), "giza")
    assert "\ntill_exempel b \n" in written
    assert read_text(written).target.tolist() == [1]


def test_reading_in_pieces_reads_the_same(tmp_path):
    check_pieces("giza", SAMPLE * 4, tmp_path)


def test_ten_thousand_words_are_read():
    heading = HEADING.replace("length 1", "length 10000").replace("length 2", "length 10000")
    words = " ".join(f"w ({{ {place} }})" for place in range(1, 10_001))
    corpus = read_text(heading + "w " * 10_000 + f"\nNULL ({{ }}) {words}\n")
    assert corpus.links.rows == 10_000


def test_it_is_detected_by_its_first_line():
    assert detect(SAMPLE.encode()).name == "giza"
    assert not looks_like("# sent_id = 1\n" + SAMPLE)


def test_nothing_at_hand_looks_like_it(shared):
    for path, start in other_starts(shared):
        assert not looks_like(start), path


def test_no_other_sample_looks_like_it():
    assert not any(map(looks_like, other_samples("giza")))

"""Stanford typed dependencies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from relation_samples import (
    ODD,
    SAMPLES,
    WORDS,
    analyses,
    check_damaged,
    check_pieces,
    check_written,
    damaged,
    other_samples,
    other_starts,
)

from commonground.errors import InputError, UsageError
from commonground.formats import FormatOptions, detect, find_format, read, read_text, write_text
from commonground.formats.codecs.stanford import NOTATION, looks_like
from commonground.formats.notation.relation_builder import RelationNode

SAMPLE = SAMPLES["stanford"]


def nodes(corpus, sentence=0):
    rows = [corpus[sentence].column(name, "nodes") for name in ("text", "first", "last", "copy")]
    return [tuple(row) for row in zip(*map(list, rows), strict=True)]


def test_what_was_read_is_written_as_it_was():
    corpus = read_text(SAMPLE)
    assert write_text(corpus, "stanford") == SAMPLE
    assert len(corpus) == 2
    assert corpus.words.lengths.tolist() == [5, 0]
    assert corpus.lines.tolist() == [1, 8]


def test_the_root_has_position_zero_and_a_copy_has_its_primes():
    corpus = read_text(SAMPLE)
    assert nodes(corpus)[2] == ("ROOT", 0, 0, 0)
    assert nodes(corpus, 1)[:2] == [("sings", 2, 2, 0), ("sings", 2, 2, 1)]


@pytest.mark.parametrize(
    ("line", "head", "dependent"),
    [
        ("x(a-b-3, c-4)", "a-b", "c"),
        ("x(-LRB--1, -RRB--2)", "-LRB-", "-RRB-"),
        ("x(,-1, ,-2)", ",", ","),
        ("x((-1, )-2)", "(", ")"),
        ("x(a(b)-1, c,d-2)", "a(b)", "c,d"),
        ("x(1-2-1, 3-4-2)", "1-2", "3-4"),
        ("x('-1', ''-2'')", "'", "''"),
        ("x(B\\/Rel-11, NF-kappa-10)", "B\\/Rel", "NF-kappa"),
        ("nmod:of(1\N{NO-BREAK SPACE}000-1, a-2) ", "1\N{NO-BREAK SPACE}000", "a"),
    ],
)
def test_a_word_may_contain_all_that_stands_around_it(line, head, dependent):
    corpus = read_text(line, "stanford")
    assert [node[0] for node in nodes(corpus)] == [head, dependent]


@pytest.mark.parametrize(
    "text",
    [
        "Birds sing .\n\nnsubj(sing-2, Birds-1)\n",
        "\n\nBirds sing .\nnsubj(sing-2, Birds-1)\n\n\n",
        "Birds sing .\n\n--- dependencies ---\nnsubj(sing-2, Birds-1)\n",
    ],
)
def test_the_words_may_be_followed_by_a_blank_line_and_a_heading(text):
    corpus = read_text(text, "stanford")
    assert (len(corpus), corpus.form.tolist()) == (1, ["Birds", "sing", "."])
    assert corpus.label.tolist() == ["nsubj"]


def test_a_sentence_without_relations_keeps_its_place():
    text = "Yes .\n\n\nBirds sing .\n\nnsubj(sing-2, Birds-1)\n\n"
    corpus = read_text(text, "stanford")
    assert corpus.relations.lengths.tolist() == [0, 1]
    assert read_text(write_text(corpus, "stanford"), "stanford") == corpus


def test_words_that_look_like_a_relation_stay_words():
    corpus = read_text(" x(a-1, b-2)\n\n --- dependencies ---\n\n", "stanford")
    assert corpus.words.lengths.tolist() == [2, 3]
    assert read_text(write_text(corpus, "stanford"), "stanford") == corpus


BROKEN = {
    "no position": ("nsubj(a-1, b-2)\nnsubj(a, b-2)\n", 2),
    "nothing but a broken relation": ("nsubj(a-1 b-2)\n", 1),
    "an empty word": ("nsubj(a-1, -2)\n", 1),
    "a position that is no number": ("nsubj(a-1, b-9999999999)\n", 1),
    "a tree": ("(ROOT\n  (S hi))\n\nnsubj(a-1, b-2)\n", 2),
    "text after relations": ("nsubj(a-1, b-2)\nHello there\n", 2),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_said_with_its_line(name):
    text, line = BROKEN[name]
    with pytest.raises(InputError, match="a relation such as nsubj") as caught:
        read_text(SAMPLE + text, "stanford")
    assert caught.value.line == line + SAMPLE.count("\n")


def test_all_problems_are_found_not_only_the_first():
    data = b"x(a-1, b-2)\nx(\nx(\xff-1, b-2)\n"
    problems = list(find_format("stanford").problems(data, FormatOptions()))
    assert [problem.line for problem in problems] == [2, 3]
    assert "byte 3 is not UTF-8" in problems[1].message


def test_what_the_format_cannot_hold_is_refused():
    several = read_text("(ncmod _ birds:3 small_grey:1:2)\n", "gr")
    with pytest.raises(UsageError, match="small_grey"):
        write_text(several, "stanford")
    single = read_text("(passive seen:3)\n", "gr")
    with pytest.raises(UsageError, match="sentence 1 cannot be written as Stanford"):
        write_text(single, "stanford")


def test_relations_of_enju_can_be_written():
    rows = "\n".join(SAMPLES["enju"].split("\n")[:2])
    text = write_text(read_text(rows), "stanford")
    assert text == "ROOT(ROOT-0, sing-2)\nARG1(sing-2, Birds-1)\n\n"


@given(damaged("stanford"))
def test_broken_input_is_a_problem_and_nothing_worse(data):
    check_damaged("stanford", data)


def _nodes(words):
    return st.builds(
        lambda text, place, copy: RelationNode(text, place, place, (copy,)),
        words,
        st.integers(0, 12),
        st.integers(0, 2),
    )


@given(analyses(_nodes(WORDS), WORDS))
def test_words_of_all_kinds_survive_the_round_trip(analysis):
    assert check_written(NOTATION, analysis)


@given(analyses(_nodes(ODD), ODD))
def test_what_would_come_back_as_something_else_is_refused(analysis):
    check_written(NOTATION, analysis)


def test_reading_in_pieces_reads_the_same(tmp_path):
    check_pieces("stanford", SAMPLE * 5 + "A b\n\n\nC ( d )\n\nx(a-1, b-2)", tmp_path)


@pytest.mark.long
def test_ten_thousand_relations_are_read_and_written():
    text = "".join(f"dep(w-{i}, w-{i + 1})\n" for i in range(10_000)) + "\n"
    assert write_text(read_text(text, "stanford"), "stanford") == text


def test_an_empty_file_is_an_empty_corpus():
    assert len(read_text("\n\n", "stanford")) == 0
    assert write_text(read_text("", "stanford"), "stanford") == ""


def test_the_file_of_the_shared_task_is_read(shared):
    path = shared / "data/pe08/genia.stanford"
    corpus = read(path)
    assert detect(path.read_bytes()).name == "stanford"
    assert (len(corpus), corpus.relations.rows, corpus.words.rows) == (9, 236, 306)
    assert ("B\\/Rel", 11, 11, 0) in nodes(corpus)
    assert ("-LRB-", 24, 24, 0) in nodes(corpus, 4)
    assert read_text(write_text(corpus, "stanford")) == corpus


def test_nothing_else_looks_like_it(shared):
    for path, start in other_starts(shared, "genia.stanford"):
        assert not looks_like(start), path


def test_no_other_sample_looks_like_it():
    assert not any(map(looks_like, other_samples("stanford")))

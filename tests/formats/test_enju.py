"""Predicate-argument relations of Enju."""

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

from commonground.errors import InputError
from commonground.formats import FormatOptions, detect, find_format, read, read_text, write_text
from commonground.formats.codecs.enju import NOTATION, looks_like
from commonground.formats.notation.relation_builder import RelationNode

SAMPLE = SAMPLES["enju"]
ROW = "a\ta\tDT\tDT\t0\tdet_arg1\tARG1\tsong\tsong\tNN\tNN\t1\n"


def test_what_was_read_is_written_as_it_was():
    corpus = read_text(SAMPLE)
    assert write_text(corpus, "enju") == SAMPLE
    assert (len(corpus), corpus.relations.rows, corpus.words.rows) == (2, 4, 0)


def test_columns_are_nodes_and_relations():
    corpus = read_text(SAMPLE)[:1]
    nodes = corpus.nodes
    assert nodes.strings("text").tolist() == ["ROOT", "sing", "Birds", "UNKNOWN"]
    assert nodes.strings("lemma").tolist() == ["ROOT", "sing", "bird", "UNKNOWN"]
    assert nodes.strings("tag").tolist() == ["ROOT", "VBP", "NNS", "UNKNOWN"]
    assert nodes.strings("base_tag").tolist() == ["ROOT", "VB", "NN", "UNKNOWN"]
    assert corpus.label.tolist() == ["ROOT", "ARG1", "ARG2"]
    assert corpus.relations.strings("subtype").tolist() == ["ROOT", "verb_arg12", "verb_arg12"]


def test_the_root_is_at_zero_and_what_is_unknown_nowhere():
    corpus = read_text(SAMPLE)[:1]
    assert corpus.nodes.numbers("first").tolist() == [0, 2, 1, -1]
    assert corpus.nodes.numbers("last").tolist() == [0, 2, 1, -1]


BROKEN = {
    "a column too few": (ROW.replace("\tDT\t0", "\t0"), "11 columns; 12 are expected"),
    "spaces": (ROW.replace("\t", " "), "1 column"),
    "an empty column": (ROW.replace("song\tsong", "song\t"), "column 9 is empty"),
    "a position that is none": (ROW.replace("\t0\t", "\tzero\t"), "column 5 is 'zero'"),
    "a position below -1": (ROW.replace("\t1\n", "\t-2\n"), "column 12 is '-2'"),
    "a position too large": (ROW.replace("\t1\n", "\t1234567890\n"), "column 12 is '1234567890'"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_said_with_its_line(name):
    text, message = BROKEN[name]
    with pytest.raises(InputError) as caught:
        read_text(SAMPLE + ROW + text, "enju")
    assert caught.value.line == 2 + SAMPLE.count("\n")
    assert message in caught.value.message


def test_all_problems_are_found_not_only_the_first():
    problems = list(find_format("enju").problems(b"a\n\nb\xff\n", FormatOptions()))
    assert [problem.line for problem in problems] == [1, 3, 3]


def test_a_sentence_without_relations_is_what_the_parser_calls_an_empty_line():
    text = f"{SAMPLE.strip()}\n\nEmpty line\n\n"
    corpus = read_text(text)
    assert corpus.relations.lengths.tolist()[-1] == 0
    assert len(corpus) == len(read_text(SAMPLE)) + 1
    assert write_text(corpus, "enju") == text
    assert write_text(read_text("7\nYes .\n\n", "gr"), "enju") == "Empty line\n\n"


def test_typed_dependencies_can_be_written():
    corpus = read_text("root(ROOT-0, sing-2)\nnsubj(sing-2, Birds-1)\n", "stanford")
    rows = (
        "ROOT\t_\t_\t_\t-1\t_\troot\tsing\t_\t_\t_\t1\n"
        "sing\t_\t_\t_\t1\t_\tnsubj\tBirds\t_\t_\t_\t0\n\n"
    )
    assert write_text(corpus, "enju") == rows


@given(damaged("enju"))
def test_broken_input_is_a_problem_and_nothing_worse(data):
    check_damaged("enju", data)


def _nodes(words):
    return st.builds(
        lambda text, place, *more: RelationNode(text, place, place, more),
        words,
        st.integers(1, 12),
        words,
        words,
        words,
    )


@given(analyses(_nodes(WORDS), WORDS))
def test_words_of_all_kinds_survive_the_round_trip(analysis):
    assert check_written(NOTATION, analysis)


@given(analyses(_nodes(ODD), ODD))
def test_what_would_come_back_as_something_else_is_refused(analysis):
    check_written(NOTATION, analysis)


def test_reading_in_pieces_reads_the_same(tmp_path):
    check_pieces("enju", SAMPLE * 4 + "\n" + SAMPLE.rstrip("\n"), tmp_path)


def test_ten_thousand_relations_are_read_and_written():
    text = ROW * 10_000 + "\n"
    assert write_text(read_text(text, "enju"), "enju") == text


def test_an_empty_file_is_an_empty_corpus():
    assert len(read_text("\n", "enju")) == 0


def test_the_file_of_the_shared_task_is_written_as_it_was_read(shared):
    path = shared / "data/pe08/genia.hpsg-pa"
    corpus = read(path)
    assert detect(path.read_bytes()).name == "enju"
    assert (len(corpus), corpus.relations.rows) == (9, 317)
    assert write_text(corpus, "enju").encode() == path.read_bytes()
    words = [line.split() for line in (shared / "data/pe08/genia.txt").read_text().splitlines()]
    for sentence, forms in zip(corpus, words, strict=False):
        nodes = (sentence.column(name, "nodes") for name in ("text", "first"))
        assert all(
            forms[place - 1] == text for text, place in zip(*nodes, strict=True) if place > 0
        )


def test_nothing_else_looks_like_it(shared):
    for path, start in other_starts(shared, "genia.hpsg-pa"):
        assert not looks_like(start), path


def test_no_other_sample_looks_like_it():
    assert not any(map(looks_like, other_samples("enju")))

"""F-structure triples of the PARC 700 Dependency Bank."""

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
from commonground.formats.codecs.parc import NOTATION, looks_like
from commonground.formats.notation.relation_builder import RelationNode

SAMPLE = SAMPLES["parc"]


def sentence(*features, closing=")\n)\n"):
    return "sentence(\n  id(1)\nstructure(\n" + "\n".join(features) + closing


def test_what_was_read_is_written_as_it_was():
    corpus = read_text(SAMPLE)
    assert write_text(corpus, "parc") == SAMPLE
    assert (len(corpus), corpus.relations.rows, corpus.words.rows) == (2, 3, 0)


def test_the_fields_are_comments():
    corpus = read_text(SAMPLE)
    assert corpus.sent_id.tolist() == ["1", "2"]
    assert corpus.metadata("date").tolist() == ["2008.4.1", ""]
    assert corpus.metadata("validators").tolist() == ["A. B, C. D", ""]
    assert corpus.metadata("text").tolist() == ["Small (grey) birds sing.", ""]


def test_a_node_is_a_lemma_with_a_number_and_stands_for_no_known_word():
    corpus = read_text(SAMPLE)
    nodes = corpus.nodes
    assert nodes.strings("text").tolist() == ["sing", "small bird", "coord"]
    assert nodes.numbers("number").tolist() == [0, 1001, 0]
    assert nodes.numbers("first").tolist() == nodes.numbers("last").tolist() == [-1, -1, -1]


def test_an_atom_is_a_value():
    corpus = read_text(SAMPLE)
    assert corpus.relations.strings("value").tolist() == ["_", "pl", ";"]
    assert corpus.dependent.tolist() == [1, -1, -1]


@pytest.mark.parametrize("closing", ["))\n", ")\n)\n", "\n)\n)\n", "\n))", "\n) )\n", "\n\n)\n\n)"])
def test_the_sentence_may_be_closed_in_several_ways(closing):
    text = sentence("num(bird~1, pl)", closing=closing)
    assert read_text(text) == read_text(sentence("num(bird~1, pl)"))


@pytest.mark.parametrize("closing", ["))\n", ")\n)\n", "\n)\n)\n"])
def test_a_parenthesis_can_be_an_atom(closing):
    corpus = read_text(sentence("form(a~1, ))", closing=closing))
    assert corpus.relations.strings("value").tolist() == [")"]


def test_commas_between_fields_and_features_are_allowed():
    text = "sentence(\nid(1),\ndate(2),\nstructure(\nsubj(a~0,b~1),\nnum(b~1, pl)))"
    corpus = read_text(text)
    assert corpus.dependent.tolist() == [1, -1]
    assert corpus.comments.tolist() == ["# sent_id = 1\n# date = 2"]


def test_an_escaped_comma_in_the_text_is_a_comma():
    corpus = read_text("sentence(\nsentence_form(Here\\, there.)\nstructure()\n)\n")
    assert corpus.metadata("text").tolist() == ["Here, there."]
    assert read_text(write_text(corpus, "parc")) == corpus


def test_the_same_lemma_with_two_numbers_is_two_nodes():
    corpus = read_text(sentence("obj(of~1, bird~2)", "obj(of~3, bird~4)"))
    assert corpus.nodes.rows == 4


BROKEN = {
    "a feature without a number": (sentence("num(bird, pl)"), 4, "'num(bird, pl)'; a feature"),
    "a feature of one argument": (sentence("num(bird~1)"), 4, "a feature such as"),
    "an empty atom": (sentence("num(bird~1, )"), 4, "a feature such as"),
    "not closed": (sentence("num(bird~1, pl)", closing="\n)\n"), 5, "two )"),
    "closed too often": (sentence("num(bird~1, pl)", closing="\n)))\n"), 5, "two )"),
    "no structure": ("sentence(\nid(1)\n", 1, "without structure("),
    "an unknown field": ("sentence(\nname(1)\nstructure()\n)\n", 2, "'name(1)'; id(…)"),
    "a field twice": ("sentence(\nid(1)\nid(1)\nstructure()\n)\n", 3, "id(…) a second time"),
    "something between sentences": (sentence("a(b~1, c)") + "hello\n", 6, "two )"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_said_with_its_line(name):
    text, line, message = BROKEN[name]
    with pytest.raises(InputError) as caught:
        read_text(SAMPLE + text, "parc")
    problems = list(find_format("parc").problems((SAMPLE + text).encode(), FormatOptions()))
    assert (line + SAMPLE.count("\n"), True) in {(p.line, message in p.message) for p in problems}
    assert caught.value.message == problems[0].message


def test_what_stands_before_the_first_sentence_is_a_problem():
    with pytest.raises(InputError, match=r"<text>:1: 'hello'; sentence\( is expected"):
        read_text("hello\n" + SAMPLE, "parc")


def test_nodes_without_numbers_are_refused():
    with pytest.raises(UsageError, match="cannot be written as f-structure triples"):
        write_text(read_text("nsubj(sing-2, Birds-1)\n", "stanford"), "parc")


def test_comments_that_have_no_field_are_left_out():
    corpus = read_text(SAMPLE)
    noted = corpus.replace("sentences", comments=corpus.comments.map(lambda c: f"# note\n{c}"))
    assert read_text(write_text(noted, "parc")) == corpus


@given(damaged("parc"))
def test_broken_input_is_a_problem_and_nothing_worse(data):
    check_damaged("parc", data)


def _nodes(words):
    return st.builds(
        lambda text, number: RelationNode(text, more=(number,)), words, st.integers(0, 2000)
    )


@given(analyses(_nodes(WORDS), WORDS))
def test_words_of_all_kinds_survive_the_round_trip(analysis):
    assert check_written(NOTATION, analysis)


@given(analyses(_nodes(ODD), ODD))
def test_what_would_come_back_as_something_else_is_refused(analysis):
    check_written(NOTATION, analysis)


def test_reading_in_pieces_reads_the_same(tmp_path):
    check_pieces("parc", SAMPLE * 4, tmp_path)


@pytest.mark.long
def test_ten_thousand_features_are_read_and_written():
    text = sentence(
        *(f"   adjunct(a~{i}, a~{i + 1})" for i in range(10_000)), closing="\n)\n)\n\n\n"
    )
    assert write_text(read_text(text), "parc") == text


def test_an_empty_file_is_an_empty_corpus():
    assert len(read_text("\n", "parc")) == 0


def test_the_file_of_the_shared_task_is_read(shared):
    path = shared / "data/pe08/genia.parc"
    corpus = read(path)
    assert detect(path.read_bytes()).name == "parc"
    assert (len(corpus), corpus.relations.rows, corpus.nodes.rows) == (9, 835, 231)
    assert corpus.sent_id.tolist() == [str(number) for number in range(1, 10)]
    assert "I kappa B alpha" in corpus[0].column("text", "nodes")
    assert corpus[5].metadata("text").startswith("In this study, we demonstrate")
    assert read_text(write_text(corpus, "parc")) == corpus


def test_nothing_else_looks_like_it(shared):
    for path, start in other_starts(shared, "genia.parc"):
        assert not looks_like(start), path


def test_no_other_sample_looks_like_it():
    assert not any(map(looks_like, other_samples("parc")))

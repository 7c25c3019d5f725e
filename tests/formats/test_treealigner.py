"""Alignments of the Stockholm TreeAligner."""

import pytest

from commonground.errors import InputError
from commonground.formats import FormatOptions, detect, find_format, read_text

HEAD = "<treealign><head><treebanks>\n<treebank id='a'/><treebank id='b'/></treebanks></head><alignments>\n"
TAIL = "</alignments></treealign>\n"


def align(kind, one, two, name="align"):
    nodes = "".join(f"<node treebank_id='{t}' node_id='{n}'/>" for t, n in (("a", one), ("b", two)))
    return f"<{name} type='{kind}'>{nodes}</{name}>\n"


def test_words_are_linked_and_phrases_stand_apart():
    text = HEAD + align("good", "s1_VROOT", "s8_VROOT", "sen-align") + align("good", "s1_2", "s8_1")
    text += align("fuzzy", "s1_1", "s8_3") + align("good", "s1_500", "s8_2") + TAIL
    corpus = read_text(text)
    assert detect(text.encode()).name == "treealigner"
    assert (corpus.source.tolist(), corpus.target.tolist()) == ([0, 1], [2, 0])
    assert corpus.links.numbers("sure").tolist() == [0, 1]
    phrases = corpus.tables["phrases"]
    assert phrases.strings("source").tolist() == ["s1_500"]
    assert phrases.strings("target").tolist() == ["s8_2"]


def test_the_treebank_that_is_named_first_is_the_source_whatever_the_order_of_nodes():
    turned = "<align type='good'><node treebank_id='b' node_id='s2_3'/><node treebank_id='a' node_id='s1_1'/></align>"
    corpus = read_text(HEAD + turned + TAIL)
    assert (corpus.source.tolist(), corpus.target.tolist()) == ([0], [2])
    assert corpus.metadata("source_id").tolist() == ["s1"]


def test_a_remark_is_no_link():
    text = HEAD + align("good", "s1_1", "s2_1") + align("comment", "s1_2", "s2_2") + TAIL
    corpus = read_text(text)
    assert (corpus.source.tolist(), corpus.target.tolist()) == ([0], [0])


def test_a_pair_without_links_is_a_pair():
    text = (
        HEAD + align("good", "s1_500", "s8_500", "sen-align") + align("good", "s2_1", "s9_1") + TAIL
    )
    assert read_text(text).links.lengths.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (HEAD + align("bad", "s1_1", "s2_1") + TAIL, 3, "good or fuzzy expected"),
        (HEAD + align("good", "x", "s2_1") + TAIL, 3, "an id such as s1_1"),
        (HEAD + align("good", "s1_0", "s2_1") + TAIL, 3, "an id such as s1_1"),
        (HEAD + "<align type='good'/>" + TAIL, 3, "a node of each of a and b"),
        (HEAD + align("good", "s1_1", "s2_1"), 4, "broken XML"),
        ("<treealign>" + align("good", "s1_1", "s2_1") + "</treealign>", 1, "names two treebanks"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text, line, message):
    with pytest.raises(InputError, match=message) as caught:
        read_text(text, "treealigner")
    assert caught.value.line == line
    assert list(find_format("treealigner").problems(text.encode(), FormatOptions()))

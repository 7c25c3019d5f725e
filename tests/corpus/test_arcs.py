"""Dependencies as relations."""

from __future__ import annotations

from commonground.corpus import Dependencies
from commonground.corpus.arcs import to_relations
from commonground.formats import read_text

ELLIPSIS = """\
# sent_id = gap
1\tAnn\tAnn\tPROPN\tNNP\t_\t2\tnsubj\t2:nsubj\t_
2\twent\tgo\tVERB\tVBD\t_\t0\troot\t0:root\t_
3\tand\tand\tCCONJ\tCC\t_\t4\tcc\t3.1:cc\t_
3.1\twent\tgo\tVERB\tVBD\t_\t_\t_\t2:conj\t_
4\tBob\tBob\tPROPN\tNNP\t_\t2\tconj\t3.1:nsubj|2:xsubj\t_

"""


def triples(relations, sentence=0):
    """The relations of a sentence as (label, head, dependent), each node with its number."""
    texts, numbers = (relations[sentence].column(name, "nodes") for name in ("text", "first"))
    text = [f"{text}-{number}" for text, number in zip(texts, numbers, strict=True)]
    return [
        (label, text[head], text[dependent])
        for label, head, dependent in zip(
            relations[sentence].column("label", "relations"),
            relations[sentence].column("head", "relations"),
            relations[sentence].column("dependent", "relations"),
            strict=True,
        )
    ]


def test_every_arc_is_a_relation():
    assert triples(to_relations(read_text(ELLIPSIS))) == [
        ("nsubj", "went-2", "Ann-1"),
        ("root", "ROOT-0", "went-2"),
        ("cc", "Bob-4", "and-3"),
        ("conj", "went-2", "Bob-4"),
    ]


def test_the_enhanced_graph_has_empty_nodes_and_several_heads():
    assert triples(to_relations(read_text(ELLIPSIS), enhanced=True)) == [
        ("nsubj", "went-2", "Ann-1"),
        ("root", "ROOT-0", "went-2"),
        ("cc", "went--1", "and-3"),
        ("conj", "went-2", "went--1"),
        ("nsubj", "went--1", "Bob-4"),
        ("xsubj", "went-2", "Bob-4"),
    ]


def test_nodes_know_their_words():
    nodes = to_relations(read_text(ELLIPSIS), enhanced=True)[0]
    assert nodes.column("text", "nodes") == ["went", "Ann", "ROOT", "went", "and", "Bob"]
    assert nodes.column("first", "nodes").tolist() == [2, 1, 0, -1, 3, 4]


def test_comments_words_and_lines_stay():
    relations = to_relations(read_text(ELLIPSIS + ELLIPSIS))
    assert relations[1].sent_id == "gap"
    assert relations[1].line == 8
    assert relations.form.tolist() == ["Ann", "went", "and", "Bob"] * 2


def test_a_word_without_a_head_has_no_relation():
    corpus = Dependencies.of([(["a", "b"], [-1, 0], ["x", "root"]), (["c"], [0], ["root"])])
    assert triples(to_relations(corpus)) == [("root", "ROOT-0", "b-2")]
    assert triples(to_relations(corpus), 1) == [("root", "ROOT-0", "c-1")]


def test_what_is_no_arc_in_the_enhanced_graph_is_left_out():
    corpus = read_text("1\ta\ta\tX\t_\t_\t0\troot\t9:x|y|0:root||:\t_\n")
    assert triples(to_relations(corpus, enhanced=True)) == [("root", "ROOT-0", "a-1")]


def test_nothing_gives_nothing():
    assert len(to_relations(Dependencies.of([]))) == 0

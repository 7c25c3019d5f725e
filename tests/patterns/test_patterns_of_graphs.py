"""Patterns over graphs of meaning: nodes by label, property and text, edges by label, order."""

import json

import pytest
from command import run

import commonground as cg
from commonground.errors import UsageError
from commonground.formats import read_text
from commonground.patterns.graph import graph_of

CONSTRUCTIONS = {
    "control": ("U -[ARG2]-> V; U -[ARG1]-> S; V -[ARG1]-> S", [("wanted", "see", "Tom")]),
    "coordination": ("A -[_and_c]-> B; A << B", [("lit", "closed")]),
    "determiner": ("Q -[BV]-> N; Q: word=the; N: label=harbor", [("the", "harbor")]),
}
"""In DM: a pattern and the words that it finds in the example."""


@pytest.mark.parametrize("construction", CONSTRUCTIONS)
def test_a_construction_is_found_by_edges_and_nodes(construction):
    pattern, expected = CONSTRUCTIONS[construction]
    graphs = cg.read("example:dm")
    form = graph_of(graphs).column("form")
    rows = cg.find(pattern, graphs).rows.values()
    assert sorted(zip(*(form[each].tolist() for each in rows), strict=True)) == expected


def test_labels_go_on_with_a_sense_and_properties_are_features():
    amr = cg.read("example:amr")
    assert len(cg.find("label=want", amr)) == len(cg.find("label=want-01", amr)) == 1
    assert len(cg.find("op1=Tom", amr)) == len(cg.find("CARG=Tom", cg.read("example:eds"))) == 2
    with pytest.raises(
        UsageError, match="graphs have no column 'upos'; there are label, top, form"
    ):
        cg.find("upos=NOUN", amr)


def test_inverted_edges_of_amr_are_found_as_what_they_mean():
    dog = read_text("(d / dog :ARG0-of (b / bark-01 :ARG1 d))\n", "amr")
    assert len(cg.find("V -[ARG0]-> N", dog)) == 1
    assert len(cg.find("V -[ARG0-of]-> N", dog)) == 0
    assert len(cg.find("V -[ARG0]-> N; V -[ARG1]-> N", dog)) == 1


def test_nodes_without_anchors_are_before_and_after_nothing():
    assert len(cg.find("A << B", cg.read("example:amr"))) == 0
    assert len(cg.find("id=1", cg.read("example:amr"))) == 0
    assert len(cg.find("A << B; A: word=tom; B: label=see", cg.read("example:dm"))) == 1


def test_search_counts_and_shows_graphs():
    counted = run("search", "example:dm", "Q -[BV]-> N", "--by", "Q.word", "-q").stdout
    assert "the" in counted
    assert (
        "Tom [wanted] to [see] the harbor"
        in run("search", "example:dm", "V: label=want; V -[ARG2]-> W").stdout
    )
    bare = "V: label=want; V -[ARG1]-> W"
    assert (
        "Tom wanted to see the harbor .  V = [want-01]  W = [see-01]"
        in run("search", "example:amr", bare).stdout
    )
    seen = json.loads(run("search", "example:amr", bare, "--output-format", "json").stdout)
    assert seen["examples"][0]["words"] == {"V": "want-01", "W": "see-01"}


def test_view_takes_patterns_of_graphs():
    seen = run("view", "example:dm", "--where", "A -[_and_c]-> B", "-q").stdout
    assert "cg-g3" in seen
    assert "cg-g2" not in seen

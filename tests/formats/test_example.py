"""The bundled examples: the same sentences in UD, in SUD and in Penn brackets; and graphs."""

import re
from collections import Counter
from importlib.resources import as_file, files

import pytest

import commonground as cg
from commonground.corpus.wellformed import problems
from commonground.formats import read

CONTESTED = {
    "adposition",
    "auxiliary",
    "coordination",
    "coordination-nested",
    "coordination-three",
    "copula",
    "determiner",
    "infinitive-marker",
    "modal",
    "name",
    "relative-clause",
    "subordinator",
}
PHENOMENA = {
    "absolutive",
    "bare-relative",
    "control",
    "expletive-it",
    "interleaved",
    "noun-ed",
    "raising",
    "right-node-raising",
    "tough",
    "verb-particle",
    "verbal-gerund",
}


def example(name):
    with as_file(files("commonground.example") / name) as path:
        return read(path)


@pytest.fixture(scope="module")
def ud():
    return example("ud.conllu")


@pytest.fixture(scope="module")
def sud():
    return example("sud.conllu")


@pytest.fixture(scope="module")
def ptb():
    return example("ptb.mrg")


def test_it_has_about_sixty_sentences(ud, ptb):
    assert 60 <= len(ud) == len(ptb) <= 66


def test_both_annotations_have_the_same_words_and_tags(ud, ptb):
    words = ~ptb.traces
    assert ptb.form[words].tolist() == ud.form.tolist()
    assert ptb.tag[words].tolist() == ud.xpos.tolist()


def test_the_surface_analysis_is_of_the_same_words_and_well_formed(ud, sud):
    assert [list(s.form) for s in ud] == [list(s.form) for s in sud]
    assert [list(s.upos) for s in ud] == [list(s.upos) for s in sud]
    assert not list(problems(sud))
    assert (sud.head == 0).sum() == len(sud)


def test_nothing_is_wrong_with_either(ud, ptb):
    assert list(problems(ud)) == []
    assert list(problems(ptb)) == []


@pytest.mark.parametrize("construction", sorted(CONTESTED | PHENOMENA))
def test_every_contested_construction_and_phenomenon_occurs_three_times(ud, construction):
    named = Counter(
        name for text in ud.metadata("constructions") for name in re.split(r",\s*", text)
    )
    assert named[construction] >= 3


def test_it_shows_every_feature_of_conllu(ud):
    assert ud.tokens.rows >= 3
    assert ud.empties.rows >= 1
    assert ud.deps.where(lambda text: "|" in text).any()
    assert ud.misc.where(lambda text: text == "SpaceAfter=No").any()


def test_it_has_traces_co_indexation_and_gapping(ptb):
    forms = set(ptb.form[ptb.traces])
    for kind in (r"\*T\*-\d", r"\*-\d", r"\*RNR\*-\d", r"\*EXP\*-\d", r"\*ICH\*-\d", "0", r"\*"):
        assert any(re.fullmatch(kind, form) for form in forms), kind
    assert ptb.label.where(lambda label: "=" in label).any()


def test_labels_that_the_annotation_implies_are_named(ud):
    """What can be read off the UD tree must agree with the comment."""
    for sentence in ud:
        named = set(re.split(r",\s*", sentence.metadata("constructions")))
        labels = set(sentence.deprel)
        assert ("flat" in labels) == ("name" in named), sentence
        assert ("case" in labels and "ADP" in sentence.upos) >= ("adposition" in named), sentence
        assert ("cop" in labels) == ("copula" in named), sentence
        assert ("conj" in labels) == any(
            name.startswith("coordination") or name in ("gapping", "right-node-raising")
            for name in named
        ), sentence


@pytest.mark.parametrize("framework", ["dm", "eds", "amr"])
def test_graphs_score_one_with_themselves_and_less_with_the_parse(framework):
    gold, parse = (f"example:{framework}{end}" for end in ("", "-parse"))
    result = cg.evaluate(gold, {"itself": gold, "parse": parse}, metrics=["mrp_f1"])
    itself, errors = (system["mrp_f1"].value for system in result.systems)
    assert itself == 1
    assert 0.9 < errors < 1


@pytest.mark.parametrize("framework", ["dm", "eds", "amr"])
def test_graphs_have_a_top_and_nothing_wrong_and_the_same_texts(framework):
    for name in (framework, f"{framework}-parse"):
        graphs = cg.read(f"example:{name}")
        assert list(problems(graphs)) == []
        assert set(graphs.metadata("framework")) == {framework}
        assert graphs.nodes["top"].sum() == len(graphs) == 6
        texts = [sentence.text.replace(" ", "") for sentence in cg.read("example:dm")]
        assert [sentence.text.replace(" ", "") for sentence in graphs] == texts

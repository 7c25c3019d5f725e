"""Constituents as Stanford typed dependencies."""

from __future__ import annotations

import pytest
from command import run, write

import commonground
from commonground import read_text, to_dependencies
from commonground.conversion.stanford import convert


def typed(text):
    """The basic relations of a tree: relation(governor, dependent) per word."""
    trees = read_text(text, "brackets")
    forms = ["ROOT", *trees.form[~trees.traces].tolist()]
    (result,) = convert(trees)
    rows = zip(result.head, result.relation, forms[1:], strict=True)
    return [f"{label}({forms[head]}, {form})" for head, label, form in rows]


def collapsed(text):
    trees = read_text(text, "brackets")
    forms = ["ROOT", *trees.form[~trees.traces].tolist()]
    (result,) = convert(trees)
    return {f"{label}({forms[head]}, {forms[word]})" for head, word, label in result.arcs}


BELL = (
    "(S (NP (NNP Bell)) (VP (VBZ makes) (CC and) (VBZ distributes) (NP (ADJP (JJ electronic) "
    "(, ,) (NN computer) (CC and) (NN building)) (NNS products))) (. .))"
)
CASES = {
    "copula": ("(S (NP (NN tea)) (VP (VBZ is) (ADJP (JJ hot))))", "nsubj cop root"),
    "passive": (
        "(S (NP (NN tea)) (VP (VBD was) (VP (VBN made) (PP (IN by) (NP (PRP her))))))",
        "nsubjpass auxpass root prep pobj",
    ),
    "there is": ("(S (NP (EX there)) (VP (VBZ is) (NP (NN tea))))", "expl root nsubj"),
    "possessor": ("(NP (NP (NNP Ann) (POS 's)) (NN tea))", "poss possessive root"),
    "indirect object": (
        "(S (NP (PRP she)) (VP (VBD gave) (NP (PRP him)) (NP (NN tea))))",
        "nsubj root iobj dobj",
    ),
    "relative clause": (
        "(NP (NP (NN tea)) (SBAR (WHNP (WDT that)) (S (NP (PRP she)) (VP (VBD made)))))",
        "root dobj nsubj rcmod",
    ),
    "infinitive": (
        "(S (NP (PRP we)) (VP (VBP like) (S (VP (TO to) (VP (VB rest))))))",
        "nsubj root aux xcomp",
    ),
    "raised object": (
        "(S (NP (PRP we)) (VP (VBP want) (S (NP (PRP her)) (VP (TO to) (VP (VB rest))))))",
        "nsubj root dobj aux xcomp",
    ),
    "that-clause": (
        "(S (NP (PRP I)) (VP (VBP know) (SBAR (IN that) (S (NP (PRP it)) (VP (VBZ rains))))))",
        "nsubj root mark nsubj ccomp",
    ),
    "adverbial clause": (
        "(S (SBAR (IN if) (S (NP (PRP it)) (VP (VBZ rains)))) (NP (PRP I)) (VP (VBP stay)))",
        "mark nsubj advcl nsubj root",
    ),
    "apposition": (
        "(NP (NP (NNP Bell)) (, ,) (NP (DT a) (NN company)))",
        "root punct det appos",
    ),
    "time": (
        "(S (NP (PRP I)) (VP (VBD left) (NP-TMP (JJ last) (NN night))))",
        "nsubj root amod tmod",
    ),
    "more than": (
        "(NP (QP (JJR more) (IN than) (CD ten)) (NNS cups))",
        "advmod quantmod num root",
    ),
    "negation": (
        "(S (NP (PRP I)) (VP (VBP do) (RB n't) (VP (VB know))))",
        "nsubj aux neg root",
    ),
    "particle": ("(S (VP (VB shut) (PRT (RP down)) (NP (DT the) (NN shop))))", "root prt det dobj"),
    "stranded preposition": (
        "(NP (NP (NN tea)) (SBAR (WHNP (WDT that)) (S (NP (PRP I)) (VP (VBP live) (PP (IN on))))))",
        "root pobj nsubj rcmod prep",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_relations_of_the_manual(case):
    text, expected = CASES[case]
    assert [row.partition("(")[0] for row in typed(text)] == expected.split()


def test_the_conjunct_before_the_conjunction_is_the_head():
    assert "cc(makes, and)" in typed(BELL)
    assert "conj(makes, distributes)" in typed(BELL)


def test_conjunctions_collapse_and_subjects_are_propagated():
    result = collapsed(BELL)
    assert {"conj_and(makes, distributes)", "nsubj(distributes, Bell)"} <= result
    assert not any(row.startswith(("cc(", "conj(")) for row in result)


def test_prepositions_collapse():
    text = "(S (NP (PRP I)) (VP (VBP live) (PP (IN in) (NP (NNP Rome)))))"
    assert collapsed(text) == {"nsubj(live, I)", "root(ROOT, live)", "prep_in(live, Rome)"}


def test_prepositions_of_several_words_are_one():
    text = "(S (NP (PRP I)) (VP (VBP stay) (PP (IN because) (IN of) (NP (PRP you)))))"
    assert "prep_because_of(stay, you)" in collapsed(text)


def test_the_agent_of_a_passive():
    assert "agent(made, her)" in collapsed(CASES["passive"][0])


def test_a_relative_pronoun_gives_its_relation_to_the_noun():
    result = collapsed(CASES["relative clause"][0])
    assert "dobj(made, tea)" in result
    assert "dobj(made, that)" not in result


def test_an_open_clause_has_a_subject():
    assert "nsubj(rest, we)" in collapsed(CASES["infinitive"][0])
    assert "nsubj(rest, her)" in collapsed(CASES["raised object"][0])


def test_both_kinds_are_in_one_treebank():
    trees, _ = to_dependencies(read_text("(S (NP (NN tea)) (VP (VBZ cools)))"), "stanford")
    assert trees.deprel.tolist() == ["nsubj", "root"]
    assert trees.deps.tolist() == ["2:nsubj", "0:root"]


def test_basic_dependencies_are_trees(shared):
    path = shared / "data" / "gum" / "const" / "GUM_voyage_vavau.ptb"
    result, _ = to_dependencies(commonground.read(path), "stanford")
    again = commonground.to_functions(result)  # refuses cycles
    assert len(again) == len(result)
    assert (result.head == 0).sum() == len(result)


def test_collapsed_relations_can_be_written(tmp_path):
    source = write(tmp_path / "in.mrg", CASES["passive"][0] + "\n")
    target = tmp_path / "out.sd"
    done = run("convert", source, target, "--rules", "stanford", "--enhanced")
    assert done.returncode == 0, done.stderr
    assert "agent(made-3, her-5)" in target.read_text(encoding="utf-8")

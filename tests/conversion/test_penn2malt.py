"""The labels of Penn2Malt, and the columns of what is converted."""

from __future__ import annotations

import pytest

import commonground as cg
from commonground.conversion.penn2malt import penn2malt_label
from commonground.schemes.tags import universal_tag

# The first sentences of the Penn Treebank as they are shown in the documentation of many programs.
VINKEN = """
(S (NP-SBJ (NP (NNP Pierre) (NNP Vinken)) (, ,)
           (ADJP (NP (CD 61) (NNS years)) (JJ old)) (, ,))
   (VP (MD will)
       (VP (VB join) (NP (DT the) (NN board))
           (PP-CLR (IN as) (NP (DT a) (JJ nonexecutive) (NN director)))
           (NP-TMP (NNP Nov.) (CD 29))))
   (. .))
"""


def convert(text, rules="yamada"):
    return cg.to_dependencies(cg.read_text(text, "brackets"), rules)[0]


def test_the_famous_first_sentence():
    converted = convert(VINKEN)
    expected = """
    Pierre 2 NMOD / Vinken 8 SUB / , 2 P / 61 5 NMOD / years 6 AMOD / old 2 NMOD / , 2 P /
    will 0 ROOT / join 8 VC / the 11 NMOD / board 9 OBJ / as 9 VMOD / a 15 NMOD /
    nonexecutive 15 NMOD / director 12 PMOD / Nov. 9 VMOD / 29 16 NMOD / . 8 P
    """
    rows = zip(converted.form, map(str, converted.head), converted.deprel, strict=True)
    assert list(map(list, rows)) == [entry.split() for entry in expected.split("/")]


@pytest.mark.parametrize(
    ("phrase", "dependent", "function", "label"),
    [
        ("S", ",", "", "P"),
        ("S", "NP", "SBJ", "SUB"),
        ("VP", "SBAR", "SBJ-2", "SUB"),
        ("VP", "NP", "PRD", "PRD"),
        ("VP", "PP", "LOC-PRD", "PRD"),
        ("VP", "NP", "", "OBJ"),
        ("VP", "NP", "TMP", "VMOD"),
        ("VP", "VP", "", "VC"),
        ("SINV", "VP", "", "VC"),
        ("SBAR", "S", "", "SBAR"),
        ("S", "PP", "TMP", "VMOD"),
        ("NP", "DT", "", "NMOD"),
        ("NML", "NN", "", "NMOD"),
        ("QP", "CD", "", "AMOD"),
        ("PP", "NP", "", "PMOD"),
        ("PP", "NP", "LGS", "PMOD"),
        ("PRN", "S", "", "DEP"),
        ("S", "NP", "nsubj", "SUB"),
        ("VP", "NP", "obj", "OBJ"),
        ("S", "NP", "nsubj:pass", "SUB"),
    ],
)
def test_each_rule_for_labels(phrase, dependent, function, label):
    assert penn2malt_label(phrase, dependent, function) == label


def test_only_rules_that_know_coordination_label_it():
    text = (
        "(S (NP-SBJ (NNS Birds)) (VP (VP (VBP sing)) (, ,) (VP (VBP fly)) (CC and) (VP (VBP eat))))"
    )
    assert convert(text, "yamada").deprel.tolist() == ["SUB", "ROOT", "P", "VC", "VMOD", "VC"]
    assert convert(text, "collins").deprel.tolist() == ["SUB", "ROOT", "P", "COORD", "CC", "COORD"]


def test_a_conjunction_that_joins_nothing_is_no_cc():
    text = "(S (CC And) (NP-SBJ (NNS birds)) (VP (VBP sing) (ADVP (RB not)) (CC but)))"
    assert convert(text, "collins").deprel.tolist() == ["VMOD", "SUB", "ROOT", "VMOD", "VMOD"]


def test_tags_go_to_xpos_and_universal_tags_to_upos():
    converted = convert(
        "(S (NP-SBJ (PRP$ Her) (NN cat)) (VP (MD may) (VP (VB eat))) (-RRB- -RRB-))"
    )
    assert converted.xpos.tolist() == ["PRP$", "NN", "MD", "VB", "-RRB-"]
    assert converted.upos.tolist() == ["PRON", "NOUN", "AUX", "VERB", "PUNCT"]
    assert converted.form[4] == ")"


def test_functions_of_tags_do_not_go_to_xpos():
    assert convert("(S (NN-SBJ Tea) (VBZ cools))").xpos.tolist() == ["NN", "VBZ"]


@pytest.mark.parametrize("tag", "NN NNS VBZ JJ RB IN DT CC CD PRP MD TO UH POS FW . , :".split())
def test_every_penn_tag_has_a_universal_one(tag):
    assert universal_tag(tag) != "X" or tag == "FW"


def test_features_and_comments_are_kept():
    text = "# sent_id = a\n(S (NC##g=m## chat) (V dort))\n"
    converted = convert(text, "collins")
    assert converted.feats.tolist() == ["g=m", "_"]
    assert converted.sent_id.tolist() == ["a"]


def test_gum_like_trees_work(shared):
    path = next(iter(sorted((shared / "data" / "gum" / "const").glob("*.ptb"))))
    corpus = cg.read(path)
    for rules in ("collins", "yamada", "magerman", "lth"):
        result, report = cg.to_dependencies(corpus, rules)
        assert result.words.rows == corpus.words.rows
        assert sum(report.default.values()) < 0.02 * report.phrases

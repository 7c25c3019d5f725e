"""What hangs on which word in SUD: around auxiliaries, copulas, adpositions, and in coordinations."""

from __future__ import annotations

import pytest
from scheme_samples import arcs, sentence

from commonground.corpus import Strings
from commonground.schemes.transform import transform


def heads(text: str) -> list[int]:
    """Return the heads in SUD, from which those of UD are found again."""
    done, _ = transform(sentence(text), "ud", "sud")
    back, _ = transform(done, "sud", "ud")
    assert back.head.tolist() == sentence(text).head.tolist()
    return done.head.tolist()


@pytest.mark.parametrize(
    ("label", "head"), [("discourse", 1), ("discourse:filler", 3), ("discourse:sp", 3)]
)
def test_a_filler_stays_where_it_is_said(label, head):
    assert heads(f"has/AUX/3/aux er/INTJ/3/{label} sung/VERB/0/root") == [0, head, 1]


@pytest.mark.parametrize(
    "text",
    [
        "se/PRON/3/expl/Reflex=Yes je/AUX/3/aux umil/VERB/0/root",  # has washed herself
        "si/PRON/3/expl/Clitic=Yes è/AUX/3/aux lavata/VERB/0/root",
    ],
)
def test_a_reflexive_is_a_complement_and_stays_with_its_verb(text):
    assert heads(text) == [3, 0, 2]


@pytest.mark.parametrize(
    "text",
    [
        "has/AUX/4/aux been/AUX/4/aux:pass recently/ADV/4/advmod seen/VERB/0/root",
        "sem/AUX/4/aux bila/AUX/4/cop zelo/ADV/4/advmod vesela/ADJ/0/root",  # was very glad
    ],
)
def test_an_adverb_between_a_function_word_and_its_partner_goes_no_further_up(text):
    assert heads(text) == [0, 1, 2, 2]


def test_what_always_climbs_leaves_complements_with_their_verb():
    text = "bosta/AUX/2/aux šla/VERB/0/root vidva/PRON/2/nsubj v/ADP/5/case boj/NOUN/2/obl"
    assert heads(text) == [0, 1, 1, 2, 4]  # you two will go into battle


@pytest.mark.parametrize(
    ("text", "there"),
    [
        # in Rome she sang
        (
            "ローマ/PROPN/4/obl で/ADP/1/case 彼女/PRON/4/nsubj 歌っ/VERB/0/root た/AUX/4/aux",
            [2, 4, 5, 5, 0],
        ),
        # Türkçe: sang yesterday, they say
        ("dün/ADV/2/advmod söyle/VERB/0/root miş/AUX/2/aux", [3, 3, 0]),
        # but she sang
        ("しかし/CCONJ/2/cc 歌っ/VERB/0/root た/AUX/2/aux", [3, 3, 0]),
        # the book that I saw (object)
        ("kitâb/NOUN/4/obj râ/ADP/1/case didam/VERB/1/acl:relcl avard/VERB/0/root", [2, 4, 1, 0]),
    ],
)
def test_after_the_verb_a_function_word_takes_along_subjects_adverbs_and_conjunctions(text, there):
    assert heads(text) == there


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("Kind/NOUN/0/root von/ADP/4/case dem/DET/4/det Land/NOUN/1/nmod", [0, 1, 4, 2]),
        # “happiness of science”, a name
        ("幸福/NOUN/0/root の/ADP/1/case 科学/NOUN/1/compound", [2, 0, 1]),
    ],
)
def test_a_part_of_a_compound_stays_with_it_beyond_an_adposition(text, there):
    assert heads(text) == there


@pytest.mark.parametrize(
    ("text", "there"),
    [
        # sets voluntarily: a noun, the suffix that makes an adjective of it, and a copula
        ("自主/NOUN/4/obl 的/PART/1/mark に/AUX/1/cop 設定/VERB/0/root", [2, 3, 4, 0]),
        ("young/ADJ/0/root though/SCONJ/1/mark he/PRON/1/nsubj is/AUX/1/cop", [4, 0, 4, 2]),
        # even if he is a man
        ("人/NOUN/4/obl で/AUX/1/cop も/ADP/1/case 通う/VERB/0/root", [2, 3, 4, 0]),
    ],
)
def test_a_copula_is_inside_what_follows_it_and_outside_a_suffix(text, there):
    assert heads(text) == there


@pytest.mark.parametrize(
    "text",
    [
        "faith/NOUN/0/root and/CCONJ/3/cc hope/NOUN/1/conj in/ADP/5/case peace/NOUN/1/nmod",
        "sang/VERB/0/root and/CCONJ/3/cc danced/VERB/1/conj in/ADP/5/case Rome/PROPN/1/obl",
    ],
)
def test_a_phrase_with_an_adposition_is_shared_as_any_other(text):
    done, _ = transform(sentence(text), "ud", "sud")
    assert done.head.tolist() == [0, 3, 1, 3, 4]
    assert done.misc.tolist() == ["_", "_", "_", "Shared=Yes", "_"]
    assert arcs(transform(done, "sud", "ud")[0]) == arcs(sentence(text))


@pytest.mark.parametrize(("first", "there"), [(1, 3), (3, 5)])
def test_what_conjuncts_inside_a_conjunct_share_is_not_shared_by_all(first, there):
    text = (
        "war/NOUN/0/root and/CCONJ/3/cc faith/NOUN/1/conj and/CCONJ/5/cc hope/NOUN/3/conj "
        f"in/ADP/7/case peace/NOUN/{first}/nmod"
    )
    assert heads(text) == [0, 3, 1, 5, 3, there, 6]


CONVERTED = {
    "the/DET/2/reparandum the/DET/3/det city/NOUN/0/root": "2:reparandum 3:det 0:root",
    "two/NUM/2/nummod cities/NOUN/0/root": "2:mod 0:root",
    "there/PRON/2/expl are/VERB/0/root cities/NOUN/2/nsubj": "2:comp@expl 0:root 2:subj",
    "cleans/VERB/0/root up/ADP/1/compound:prt": "0:root 1:compound@prt",
}


@pytest.mark.parametrize(("text", "there"), CONVERTED.items())
def test_treebanks_that_were_converted_keep_repairs_and_label_fewer_words_by_function(text, there):
    done, _ = transform(sentence(text), "ud", "sud-converted")
    assert arcs(done) == there
    for scheme in ("sud", "sud-converted"):
        assert transform(done, scheme, "ud")[0].head.tolist() == sentence(text).head.tolist()


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("er/PRON/2/reparandum sie/PRON/3/subj singt/VERB/0/root", "2:reparandum 3:nsubj 0:root"),
        # a verb with an object before its noun is a clause, a participle alone an attribute
        ("songs/NOUN/2/comp:obj singt/VERB/3/mod Frau/NOUN/0/root", "2:obj 3:acl 0:root"),
        ("singing/VERB/2/mod/VerbForm=Part birds/NOUN/0/root", "2:amod 0:root"),
        ("singt/VERB/0/root schön/ADJ/1/mod", "0:root 1:advmod"),
        ("left/VERB/0/root full/ADJ/1/mod of/ADP/2/udep joy/NOUN/3/comp:obj", "0:root 1:advcl 4:case 2:obl"),
    ],
)  # fmt: skip
def test_repairs_and_modifiers_are_read(text, there):
    assert arcs(transform(sentence(text), "sud", "ud")[0]) == there


def test_an_oblique_complement_is_one_whatever_its_subtype():
    text = "đi/VERB/0/root Rome/PROPN/1/obl:comp"
    assert arcs(transform(sentence(text), "ud", "sud")[0]) == "0:root 1:comp:obl"


def test_a_verbal_particle_heads_its_verb_and_a_particle_its_auxiliary():
    gaelic = sentence(
        "Cha/PART/2/mark:prt/PartType=Vb robh/VERB/0/root mi/PRON/2/nsubj ./PUNCT/2/punct"
    )
    done, _ = transform(gaelic, "ud", "sud")
    assert arcs(done) == "0:root 1:comp:obj@prt 2:subj 1:punct"
    assert transform(done, "sud", "ud")[0] == gaelic
    breton = sentence("Mont/VERB/0/root a/AUX/1/aux/PartType=Vb ran/AUX/1/aux ./PUNCT/1/punct")
    done, _ = transform(breton, "ud", "sud")
    assert arcs(done) == "3:comp:aux 0:root 2:comp:obj 2:punct"
    assert transform(done, "sud", "ud")[0] == breton


def test_a_verb_tagged_as_a_conjunction_for_its_ending_is_no_function_word():
    words = "Gigye-reul/NOUN/2/obj iyonghayeo/SCONJ/3/advcl mandeunda/VERB/0/root"
    corpus = sentence(words).replace(
        "words", xpos=Strings.of(["ncn+jco", "ncpa+xsv+ecs", "pvg+ef"])
    )
    for name in ("sud", "alpino", "lth", "prague", "functional"):
        done, _ = transform(corpus, "ud", name)
        back, _ = transform(done, name, "ud")
        assert back.head.tolist() == corpus.head.tolist(), name

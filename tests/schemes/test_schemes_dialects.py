"""What treebanks in SUD have in different ways, and what all of these are in UD."""

from __future__ import annotations

import pytest
from scheme_samples import arcs, sentence

from commonground.schemes.transform import transform


def read(text: str) -> str:
    return arcs(transform(sentence(text), "sud", "ud")[0])


@pytest.mark.parametrize("label", ["conj", "conj:coord"])
def test_conjuncts_with_and_without_their_kind_are_one(label):
    text = f"tea/NOUN/0/root milk/NOUN/1/{label} rum/NOUN/2/{label}"
    assert read(text) == "0:root 1:conj 1:conj"


@pytest.mark.parametrize(
    "text",
    [
        "跑/VERB/0/root 进/VERB/1/comp:dir 家/NOUN/1/comp:obj",  # run into the house
        "s'/PRON/3/comp en/PRON/3/comp sort/VERB/0/root",  # gets by
    ],
)
def test_a_verb_is_no_function_word_of_its_complements(text):
    assert transform(sentence(text), "sud", "ud")[0].head.tolist() == (sentence(text).head.tolist())


@pytest.mark.parametrize(
    "text",
    [
        "sang/VERB/0/root including/VERB/1/udep songs/NOUN/2/comp:obj",
        "parle/VERB/0/root concernant/VERB/1/udep Rome/PROPN/2/comp:obj",
    ],
)
def test_a_verb_that_is_no_modifier_of_its_own_kind_is_an_adposition(text):
    assert read(text) == "0:root 3:case 1:obl"
    assert read(text.replace("udep", "mod")) == "0:root 1:advcl 2:obj"


@pytest.mark.parametrize(
    ("feats", "heads"),
    [("_", [2, 0]), ("PartType=Cop", [2, 0]), ("Polarity=Neg", [0, 1]), ("PartType=Pred", [0, 1])],
)
def test_a_particle_is_a_copula_unless_its_features_say_otherwise(feats, heads):
    text = f"na/PART/0/root/{feats} man/NOUN/1/comp:pred"
    assert transform(sentence(text), "sud", "ud")[0].head.tolist() == heads


@pytest.mark.parametrize(
    ("label", "hub"),
    [
        ("comp:obj@R", "iobj"),
        ("comp:obj@T", "obj"),
        ("comp:obj@G", "obl"),
        ("mod:tmod", "obl:tmod"),
        ("mod:lmod", "obl:lmod"),
        ("dislocated@subj", "dislocated"),
        ("discourse:sp", "discourse:sp"),
        ("unk@expl", "expl"),
    ],
)
def test_what_sud_says_beyond_ud_is_read(label, hub):
    assert read(f"gave/VERB/0/root thing/NOUN/1/{label}") == f"0:root 1:{hub}"


@pytest.mark.parametrize(
    ("feats", "hub"), [("VerbForm=Inf", "xcomp"), ("VerbForm=Fin", "ccomp"), ("_", "ccomp")]
)
def test_a_complement_verb_has_a_subject_of_its_own_unless_its_form_has_none(feats, hub):
    assert read(f"quer/VERB/0/root dormir/VERB/1/comp:obj/{feats}") == f"0:root 1:{hub}"


@pytest.mark.parametrize(
    ("text", "there"),
    [
        # "is in the house", with the copula behind the adposition
        ("家/NOUN/0/root で/ADP/1/case だ/AUX/1/cop", [2, 3, 0]),
        ("घर/NOUN/0/root में/ADP/1/case है/AUX/1/cop", [2, 3, 0]),
        # "it is that she comes": a clause is the predicate, with the copula on either side
        ("是/AUX/2/cop 来/VERB/0/root 的/PART/2/mark", [0, 3, 1]),
        ("来る/VERB/0/root の/SCONJ/1/mark だ/AUX/1/cop", [2, 3, 0]),
    ],
)
def test_adpositions_and_the_subordinators_of_predicates_are_inside_the_copula(text, there):
    done, _ = transform(sentence(text), "ud", "sud")
    assert done.head.tolist() == there
    assert transform(done, "sud", "ud")[0].head.tolist() == sentence(text).head.tolist()


@pytest.mark.parametrize(
    "text",
    [
        "go/VERB/0/root come/VERB/1/compound",
        "去/VERB/0/root 买/VERB/1/compound",
    ],
)
def test_two_verbs_that_make_one_are_a_series(text):
    done, _ = transform(sentence(text), "ud", "sud")
    assert arcs(done) == "0:root 1:compound:svc"


def test_in_treebanks_made_in_sud_modifiers_stay_with_their_verb_and_none_is_udep():
    late = "has/AUX/2/aux come/VERB/0/root late/ADV/2/advmod"
    assert arcs(transform(sentence(late), "ud", "sud")[0]) == "0:root 1:comp:aux 1:mod"
    assert arcs(transform(sentence(late), "ud", "sud-native")[0]) == "0:root 1:comp:aux 2:mod"
    rome = "va/VERB/0/root à/ADP/3/case Rome/PROPN/1/obl"
    assert arcs(transform(sentence(rome), "ud", "sud")[0]) == "0:root 1:udep 2:comp:obj"
    native, _ = transform(sentence(rome), "ud", "sud-native")
    assert arcs(native) == "0:root 1:mod 2:comp:obj"
    assert transform(native, "sud-native", "ud")[0].head.tolist() == [0, 3, 1]

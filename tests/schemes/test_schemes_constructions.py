"""Every construction, written by hand: in UD, in SUD, and in each of its ways."""

from __future__ import annotations

import pytest
from scheme_samples import arcs, sentence

import commonground
from commonground.schemes.constructions import CONSTRUCTIONS
from commonground.schemes.library import find_scheme
from commonground.schemes.scheme import Scheme
from commonground.schemes.transform import transform

UD = find_scheme("ud")

# construction: (the sentence in UD, its arcs in SUD)
UD_AND_SUD = {
    "adposition": (
        "goes/VERB/0/root to/ADP/3/case Rome/PROPN/1/obl",
        "0:root 1:udep 2:comp:obj",
    ),
    "possessive": (
        "Rome/PROPN/3/nmod:poss 's/PART/1/case walls/NOUN/0/root",
        "2:comp:obj 3:udep@poss 0:root",
    ),
    "determiner": ("the/DET/2/det city/NOUN/0/root", "2:det 0:root"),
    "numeral": ("two/NUM/2/nummod cities/NOUN/0/root", "2:det 0:root"),
    "classifier": (
        "三/NUM/3/nummod 本/NOUN/1/clf 书/NOUN/0/root",
        "2:mod 3:clf 0:root",
    ),
    "auxiliary": (
        "She/PRON/4/nsubj has/AUX/4/aux been/AUX/4/aux:pass seen/VERB/0/root/VerbForm=Part",
        "2:subj 0:root 2:comp:aux 3:comp:aux@pass",
    ),
    "copula": (
        "She/PRON/4/nsubj is/AUX/4/cop very/ADV/4/advmod old/ADJ/0/root",
        "2:subj 0:root 2:mod 2:comp:pred",
    ),
    "infinitive": (
        "wants/VERB/0/root to/PART/3/mark come/VERB/1/xcomp/VerbForm=Inf",
        "0:root 1:comp:obj 2:comp:obj",
    ),
    "subordinator": (
        "says/VERB/0/root that/SCONJ/4/mark she/PRON/4/nsubj came/VERB/1/ccomp/VerbForm=Fin",
        "0:root 1:comp:obj 4:subj 2:comp:obj",
    ),
    "relative": (
        "girls/NOUN/0/root who/PRON/3/nsubj/PronType=Rel came/VERB/1/acl:relcl",
        "0:root 3:subj 1:mod@relcl",
    ),
    "coordination": (
        "tea/NOUN/0/root ,/PUNCT/3/punct milk/NOUN/1/conj or/CCONJ/5/cc rum/NOUN/1/conj",
        "0:root 3:punct 1:conj:coord 5:cc 3:conj:coord",
    ),
    "name": (
        "Ada/PROPN/0/root King/PROPN/1/flat Lovelace/PROPN/1/flat",
        "0:root 1:flat 2:flat",
    ),
    "idiom": (
        "as/ADV/4/case well/ADV/1/fixed as/ADP/1/fixed tea/NOUN/0/root",
        "0:root 1:unk 2:unk 1:comp:obj",
    ),
}


@pytest.mark.parametrize("construction", UD_AND_SUD)
def test_ud_becomes_sud(construction):
    ud, sud = UD_AND_SUD[construction]
    done, report = transform(sentence(ud), "ud", "sud")
    assert arcs(done) == sud
    assert report.found[construction] >= 1


@pytest.mark.parametrize("construction", UD_AND_SUD)
def test_sud_becomes_ud(construction):
    corpus = sentence(UD_AND_SUD[construction][0])
    sud, _ = transform(corpus, "ud", "sud")
    ud, _ = transform(sud, "sud", "ud")
    assert ud.head.tolist() == corpus.head.tolist()
    if construction != "idiom":  # without ExtPos an adverb and its dependent are not known as one
        assert ud.deprel.tolist() == corpus.deprel.tolist()


COORDINATION = (
    "A/NOUN/0/root ,/PUNCT/3/punct B/NOUN/1/conj and/CCONJ/5/cc C/NOUN/1/conj x/ADJ/1/amod"
)
NAME = "Ada/PROPN/4/nsubj King/PROPN/1/flat Lovelace/PROPN/1/flat came/VERB/0/root"

# (construction, way): the sentence in UD, its arcs in a scheme that differs in nothing else
WAYS = {
    ("adposition", "function"): (
        "only/ADV/4/advmod in/ADP/4/case old/ADJ/4/amod Rome/PROPN/0/root",
        "2:advmod 0:root 4:amod 2:case",
    ),
    ("adposition", "flat"): (
        "only/ADV/4/advmod in/ADP/4/case old/ADJ/4/amod Rome/PROPN/0/root",
        "2:advmod 0:root 2:amod 2:case",
    ),
    ("possessive", "function"): (
        "the/DET/2/det king/NOUN/4/nmod:poss 's/PART/2/case son/NOUN/0/root",
        "2:det 3:case 4:nmod:poss 0:root",
    ),
    ("determiner", "function"): (
        "in/ADP/4/case the/DET/4/det old/ADJ/4/amod city/NOUN/0/root",
        "2:case 0:root 4:amod 2:det",
    ),
    ("numeral", "function"): ("two/NUM/2/nummod cities/NOUN/0/root", "0:root 1:nummod"),
    ("classifier", "function"): (
        "三/NUM/3/nummod 本/NOUN/1/clf 书/NOUN/0/root",
        "2:clf 3:nummod 0:root",
    ),
    ("auxiliary", "function"): (
        "Today/ADV/4/advmod she/PRON/4/nsubj has/AUX/4/aux come/VERB/0/root ./PUNCT/4/punct",
        "3:advmod 3:nsubj 0:root 3:aux 4:punct",
    ),
    ("copula", "function"): (
        "She/PRON/5/nsubj may/AUX/5/aux be/AUX/5/cop too/ADV/5/advmod old/ADJ/0/root",
        "3:nsubj 3:aux 0:root 5:advmod 3:cop",
    ),
    ("infinitive", "function"): (
        "not/PART/3/advmod to/PART/3/mark come/VERB/0/root/VerbForm=Inf",
        "2:advmod 0:root 2:mark",
    ),
    ("subordinator", "function"): (
        "that/SCONJ/3/mark she/PRON/3/nsubj came/VERB/0/root",
        "0:root 3:nsubj 1:mark",
    ),
    ("relative", "function"): (
        (
            "girl/NOUN/0/root ,/PUNCT/5/punct whom/PRON/5/obj/PronType=Rel I/PRON/5/nsubj "
            "saw/VERB/1/acl:relcl"
        ),
        "0:root 3:punct 1:acl:relcl 5:nsubj 3:obj",
    ),
    ("coordination", "first-flat"): (COORDINATION, "0:root 1:punct 1:conj 1:cc 1:conj 1:amod"),
    ("coordination", "chain"): (COORDINATION, "0:root 3:punct 1:conj 5:cc 3:conj 1:amod"),
    ("coordination", "chain-flat"): (COORDINATION, "0:root 1:punct 1:conj 3:cc 3:conj 1:amod"),
    ("coordination", "chain-conjunction"): (
        COORDINATION,
        "0:root 3:punct 1:conj 3:conj 4:cc 1:amod",
    ),
    ("coordination", "conjunction"): (COORDINATION, "4:conj 3:punct 4:conj 0:root 4:conj 4:amod"),
    ("coordination", "last"): (COORDINATION, "5:conj 3:punct 5:conj 5:cc 0:root 5:amod"),
    ("coordination", "last-flat"): (COORDINATION, "5:conj 5:punct 5:conj 5:cc 0:root 5:amod"),
    ("name", "chain"): (NAME, "4:nsubj 1:flat 2:flat 0:root"),
    ("name", "last"): (NAME, "3:flat 3:flat 4:nsubj 0:root"),
    ("idiom", "chain"): (
        "as/ADV/4/case well/ADV/1/fixed as/ADP/1/fixed tea/NOUN/0/root",
        "4:case 1:fixed 2:fixed 0:root",
    ),
    ("idiom", "last"): (
        "as/ADV/4/case well/ADV/1/fixed as/ADP/1/fixed tea/NOUN/0/root",
        "3:fixed 3:fixed 4:case 0:root",
    ),
}


@pytest.mark.parametrize(("construction", "way"), WAYS, ids=lambda value: value)
def test_a_way_looks_as_written_by_hand(construction, way):
    ud, expected = WAYS[construction, way]
    scheme = Scheme("mine", choices={construction: way})
    done, report = transform(sentence(ud), UD, scheme)
    assert arcs(done) == expected
    assert report.changed(construction) == 1
    assert not report.failed


@pytest.mark.parametrize(("construction", "way"), WAYS, ids=lambda value: value)
@pytest.mark.parametrize("other", ["first", "content", "function", "chain", "last", "conjunction"])
def test_every_way_leads_to_every_other(construction, way, other):
    if other not in CONSTRUCTIONS[construction].ways:
        return
    corpus = sentence(WAYS[construction, way][0])
    one = Scheme("one", choices={construction: way})
    two = Scheme("two", choices={construction: other})
    direct, _ = transform(corpus, UD, two)
    there, _ = transform(corpus, UD, one)
    along, _ = transform(there, one, two)
    lost = construction == "coordination" and way.startswith("last")  # what the first one has alone
    if not lost:
        assert arcs(along) == arcs(direct)


# ── constructions inside each other ──────────────────────────────────────────────────────────────


def in_sud(text):
    done, _ = transform(sentence(text), "ud", "sud")
    return arcs(done)


def test_auxiliaries_copulas_and_subordinators_are_stacked_from_the_inside_out():
    text = (
        "that/SCONJ/6/mark she/PRON/6/nsubj will/AUX/6/aux be/AUX/6/cop in/ADP/6/case "
        "Rome/PROPN/0/root"
    )
    assert in_sud(text) == "0:root 3:subj 1:comp:obj 3:comp:aux 4:comp:pred 5:comp:obj"


def test_an_adposition_stands_above_coordinated_nouns():
    text = "in/ADP/2/case Rome/PROPN/0/root and/CCONJ/4/cc Paris/PROPN/2/conj"
    assert in_sud(text) == "0:root 1:comp:obj 4:cc 2:conj:coord"
    prague, _ = transform(sentence(text), "ud", Scheme("p", choices=HEADED))
    assert arcs(prague) == "0:root 3:conj 1:case 3:conj"


HEADED = {"adposition": "function", "coordination": "conjunction"}


def test_coordinated_adpositional_phrases_stand_above_their_adpositions():
    text = "in/ADP/2/case Rome/PROPN/0/root and/CCONJ/5/cc near/ADP/5/case Paris/PROPN/2/conj"
    assert in_sud(text) == "0:root 1:comp:obj 4:cc 1:conj:coord 4:comp:obj"
    prague, _ = transform(sentence(text), "ud", Scheme("p", choices=HEADED))
    assert arcs(prague) == "3:conj 1:case 0:root 3:conj 4:case"


def test_coordinated_verbs_share_an_auxiliary_unless_one_has_its_own_subject():
    shared = (
        "She/PRON/3/nsubj has/AUX/3/aux come/VERB/0/root/VerbForm=Part and/CCONJ/5/cc "
        "gone/VERB/3/conj/VerbForm=Part"
    )
    assert in_sud(shared) == "2:subj 0:root 2:comp:aux 5:cc 3:conj:coord"
    alone = (
        "She/PRON/3/nsubj has/AUX/3/aux come/VERB/0/root/VerbForm=Part and/CCONJ/6/cc "
        "he/PRON/6/nsubj goes/VERB/3/conj/VerbForm=Fin"
    )
    assert in_sud(alone) == "2:subj 0:root 2:comp:aux 6:cc 6:subj 2:conj:coord"


def test_what_all_conjuncts_share_hangs_on_the_last_one_and_says_so():
    corpus = sentence("buys/VERB/0/root and/CCONJ/3/cc sells/VERB/1/conj tea/NOUN/1/obj")
    sud, _ = transform(corpus, "ud", "sud")
    assert arcs(sud) == "0:root 3:cc 1:conj:coord 3:comp:obj"
    assert sud.misc.tolist()[3] == "Shared=Yes"
    ud, _ = transform(sud, "sud", "ud")
    assert ud == corpus


def test_coordinated_adpositions_share_what_they_head():
    corpus = sentence("before/ADP/4/case and/CCONJ/3/cc after/ADP/1/conj work/NOUN/0/root")
    sud, _ = transform(corpus, "ud", "sud")
    assert arcs(sud) == "0:root 3:cc 1:conj:coord 3:comp:obj"
    ud, _ = transform(sud, "sud", "ud")
    assert ud == corpus


def test_a_nested_coordination_is_not_the_same_as_a_flat_one():
    text = "A/NOUN/0/root or/CCONJ/3/cc B/NOUN/1/conj and/CCONJ/5/cc C/NOUN/3/conj"
    assert in_sud(text).endswith("5:cc 3:conj:coord@emb")
    _, report = transform(sentence(text), "ud", "sud", losses=True)
    assert report.losses.either.total() == 0
    scheme = Scheme("chain", choices={"coordination": "chain"})
    _, report = transform(sentence(text), UD, scheme, losses=True)
    assert report.losses.heads == 1
    assert report.losses.sentences == ["1"]


def test_an_outer_subject_belongs_to_the_outer_copula():
    text = (
        "point/NOUN/5/nsubj:outer is/AUX/5/cop that/SCONJ/5/mark she/PRON/5/nsubj "
        "came/VERB/0/root/VerbForm=Fin"
    )
    assert in_sud(text) == "2:subj@outer 0:root 2:comp:pred 5:subj 3:comp:obj"


def test_a_predicate_in_front_is_below_its_copula():
    text = "however/ADV/2/advmod old/ADJ/0/root it/PRON/2/nsubj may/AUX/2/aux be/AUX/2/cop"
    assert in_sud(text) == "4:mod 5:comp:pred 4:subj 0:root 4:comp:aux"


def test_quotation_marks_stay_with_what_they_enclose():
    text = 'for/ADP/3/case "/PUNCT/3/punct peace/NOUN/0/root "/PUNCT/3/punct ./PUNCT/3/punct'
    assert in_sud(text).startswith("0:root 3:punct 1:comp:obj 3:punct")


def test_an_object_in_front_stays_with_its_verb_in_sud():
    text = "what/PRON/4/obj have/AUX/4/aux you/PRON/4/nsubj seen/VERB/0/root/VerbForm=Part"
    assert in_sud(text) == "4:comp:obj 0:root 2:subj 2:comp:aux"


def test_a_coordination_without_conjunction_is_reported_and_stays():
    corpus = sentence("A/NOUN/0/root ,/PUNCT/3/punct B/NOUN/1/conj")
    headed = Scheme("headed", choices={"coordination": "conjunction"})
    done, report = transform(corpus, UD, headed)
    assert arcs(done) == arcs(corpus)
    assert report.failed == {("coordination", "no conjunction"): ["1"]}
    assert (report.found["coordination"], report.changed("coordination")) == (1, 0)
    comma = Scheme("comma", choices={"coordination": "conjunction"}, comma=True)
    done, report = transform(corpus, UD, comma)
    assert arcs(done) == "2:conj 0:root 2:conj"
    assert not report.failed
    back, _ = transform(done, comma, UD)
    assert back == corpus


@pytest.mark.parametrize(
    "words",
    [("man", "you", "saw", "who", "came"), ("mand", "du", "så", "som", "kom")],
)
def test_the_relative_word_of_an_inner_clause_heads_that_clause_only(words):
    """*the man you saw Ann with, who came*: a clause inside a clause keeps what is its own."""
    man, you, saw, who, came = words
    text = (
        f"{man}/NOUN/0/root {you}/PRON/3/nsubj {saw}/VERB/1/acl:relcl Ann/PROPN/3/obj "
        f"{who}/PRON/6/nsubj/PronType=Rel {came}/VERB/4/acl:relcl"
    )
    done, report = transform(sentence(text), UD, Scheme("r", choices={"relative": "function"}))
    assert done.head.tolist() == [0, 3, 1, 3, 4, 5]
    assert report.failed == {("relative", "no relative word"): ["1"]}


def test_a_relative_clause_without_relative_word_is_reported_and_stays():
    corpus = sentence("girl/NOUN/0/root I/PRON/3/nsubj saw/VERB/1/acl:relcl")
    done, report = transform(corpus, UD, Scheme("r", choices={"relative": "function"}))
    assert arcs(done) == arcs(corpus)
    assert report.failed == {("relative", "no relative word"): ["1"]}


def test_a_negation_beside_a_copula_goes_to_it_where_that_heads_the_predicate():
    words = "1\tShe\t_\tPRON\t_\t_\t4\tnsubj\t_\t_", "2\tis\t_\tAUX\t_\t_\t4\tcop\t_\t_"
    more = (
        "3\tnot\t_\tPART\t_\tPolarity=Neg\t4\tadvmod\t_\t_",
        "4\told\t_\tADJ\t_\t_\t0\troot\t_\t_",
    )
    corpus = commonground.read_text("\n".join([*words, *more]))
    for name in ("tut", "lth", "yamada", "collins", "tiger", "sud"):
        done, _ = transform(corpus, "ud", name)
        assert done.head.tolist() == [2, 0, 2, 2], name
        assert transform(done, name, "ud")[0].head.tolist() == [4, 4, 4, 0], name


def test_a_numeral_that_governs_the_genitive_heads_its_noun_in_prague():
    tags = {"Viděla": "VpQW---XR-AA---", "pět": "Cn-S4----------", "měst": "NNNP2-----A----"}
    words = enumerate(tags.items(), 1)
    above = [(0, "Pred"), (1, "Obj"), (2, "Atr")]
    lines = [
        f"{place}\t{form}\t_\t{tag}\t{tag}\t_\t{head}\t{label}\t_\t_"
        for (place, (form, tag)), (head, label) in zip(words, above, strict=True)
    ]
    done, _ = transform(commonground.read_text("\n".join(lines)), "prague", "ud")
    assert done.head.tolist() == [0, 3, 1]
    assert done.deprel.tolist() == ["root", "nummod:gov", "obj"]


@pytest.mark.parametrize("words", ["Matka je v Praze", "mater est in urbe"])
def test_the_adverbial_of_a_copula_is_its_predicate_in_prague_if_it_has_no_other(words):
    one, verb, preposition, noun = words.split()
    ud = f"{one}/NOUN/4/nsubj {verb}/AUX/4/cop {preposition}/ADP/4/case {noun}/NOUN/0/root"
    done, _ = transform(sentence(ud), "ud", "prague")
    assert arcs(done) == "2:Sb 0:Pred 2:AuxP 3:Adv"
    assert arcs(transform(done, "prague", "ud")[0]) == arcs(sentence(ud))


def test_a_word_that_coordinates_a_sentence_with_the_one_before_may_be_no_conjunction():
    read = "autem/PART/0/Coord venit/VERB/1/Pred_Co"
    assert arcs(transform(sentence(read), "prague", "ud")[0]) == "2:advmod 0:root"

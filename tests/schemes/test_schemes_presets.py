"""The schemes that come along: their choices, their labels, and second analyses of real treebanks."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scheme_samples import arcs, sentence
from strategies import examples
from ud_grammar import treebank, ud_sentences

import commonground as cg
from commonground.corpus import Dependencies, Strings
from commonground.corpus.shape import projective, word_depth
from commonground.schemes.constructions import CONSTRUCTIONS
from commonground.schemes.library import find_scheme, scheme_names
from commonground.schemes.transform import transform

PRESETS = [name for name in scheme_names() if name != "ud"]


def to(scheme: str, text: str) -> str:
    return arcs(transform(sentence(text), "ud", scheme)[0])


def back(scheme: str, text: str) -> str:
    return arcs(transform(sentence(text), scheme, "ud")[0])


# ── what the literature says of them ─────────────────────────────────────────────────────────────

TABLE_1 = {
    # Spreyer 2010: NP/PP, auxiliaries, subordinate clauses, relative clauses, coordination.
    # Its PTB is converted by LTH.
    "lth": ("function", "content", "function", "function", "content", "chain-conjunction"),
    "tiger": ("flat", "content", "function", "content", "content", "first-flat"),
    "alpino": ("function", "content", "function", "function", "function", "conjunction"),
    "tut": ("function", "function", "content", "function", "content", "chain-conjunction"),
}
ROWS = ("adposition", "determiner", "auxiliary", "subordinator", "relative", "coordination")


@pytest.mark.parametrize("name", TABLE_1)
def test_the_choices_of_four_treebanks_are_those_of_spreyer(name):
    scheme = find_scheme(name)
    assert tuple(scheme.way(row) for row in ROWS) == TABLE_1[name]


def test_the_problematic_structures_of_schwartz_are_headed_as_he_says():
    """Chapter 4: prepositional phrases, verb groups, infinitives and proper nouns."""
    way = {name: find_scheme(name).way for name in scheme_names()}
    assert way["collins"]("adposition") == "function"
    assert way["oldlth"]("adposition") == "content"
    assert way["tut"]("determiner") == "function"
    assert way["collins"]("modal") == "function"
    assert way["yamada"]("infinitive") == "content"
    assert way["collins"]("infinitive") == way["tut"]("infinitive") == "function"
    assert way["collins"]("name") == way["yamada"]("name") == "last"


def test_lexical_and_functional_choose_the_heads_they_are_named_after():
    """Tsarfaty, Nivre & Andersson 2011, Table 3: the same as CoNLL07 where there is no choice."""
    choice = ("adposition", "possessive", "infinitive", "subordinator", "relative")
    for name, way in (("lexical", "content"), ("functional", "function")):
        assert {find_scheme(name).way(construction) for construction in choice} == {way}
        others = set(CONSTRUCTIONS) - set(choice)
        assert all(find_scheme(name).way(c) == find_scheme("conll07").way(c) for c in others)


@pytest.mark.parametrize("name", PRESETS)
def test_every_scheme_has_a_title_a_reference_and_labels(name):
    scheme = find_scheme(name)
    assert scheme.title != name
    assert scheme.reference
    assert scheme.write_rules
    assert scheme.read_rules


# ── trees and labels ─────────────────────────────────────────────────────────────────────────────


def test_tut_hangs_the_noun_on_its_determiner_and_that_on_the_preposition():
    assert to("tut", "vado/VERB/0/root a/ADP/4/case il/DET/4/det mare/NOUN/1/obl") == (
        "0:TOP 1:RMOD 2:ARG 3:ARG"
    )


def test_tut_has_one_determiner_head_for_a_noun():
    text = "tutti/DET/4/det:predet i/DET/4/det suoi/DET/4/det:poss libri/NOUN/0/root"
    assert to("tut", text) == "2:RMOD 0:TOP 4:RMOD 2:ARG"
    assert to("tut", "suo/DET/2/det:poss padre/NOUN/0/root") == "0:TOP 1:ARG"


def test_tut_and_prague_tell_modal_verbs_from_auxiliaries():
    modal = "she/PRON/3/nsubj can/AUX/3/aux/VerbType=Mod come/VERB/0/root"
    auxiliary = "she/PRON/3/nsubj has/AUX/3/aux come/VERB/0/root"
    assert to("tut", modal) == "2:SUBJ 0:TOP 2:INDCOMPL"
    assert to("tut", auxiliary) == "3:SUBJ 3:AUX+TENSE 0:TOP"
    assert to("prague", modal) == "2:Sb 0:Pred 2:Obj"
    assert to("prague", auxiliary) == "3:Sb 3:AuxV 0:Pred"
    assert to("lth", modal).split()[1] == to("lth", auxiliary).split()[1] == "0:ROOT"


def test_a_comma_stands_in_for_a_conjunction_in_tut():
    text = "tea/NOUN/0/root ,/PUNCT/3/punct milk/NOUN/1/conj and/CCONJ/5/cc rum/NOUN/1/conj"
    assert to("tut", text) == "0:TOP 1:COORD+BASE 2:COORD2ND+BASE 3:COORD+BASE 4:COORD2ND+BASE"


def test_a_conjunction_at_the_beginning_heads_the_sentence():
    text = "And/CCONJ/3/cc she/PRON/3/nsubj came/VERB/0/root ./PUNCT/3/punct"
    assert to("tut", text) == "0:TOP 3:SUBJ 1:COORD2ND+BASE 1:END"
    assert to("prague", text) == "0:Coord 3:Sb 1:Pred_Co 0:AuxK"
    assert to("sud", text).split()[0] == "3:cc"


def test_punctuation_hangs_beside_its_phrase_where_the_scheme_says_so():
    text = "In/ADP/2/case Rome/PROPN/5/obl ,/PUNCT/2/punct she/PRON/5/nsubj sang/VERB/0/root"
    assert to("collins", text).split()[2] == "5:P"
    assert to("sud", text).split()[2] == "1:punct"


@pytest.mark.parametrize(
    "text",
    [
        "In/ADP/2/case Rome/PROPN/5/obl ,/PUNCT/2/punct she/PRON/5/nsubj sang/VERB/0/root",
        "she/PRON/2/nsubj came/VERB/0/root ,/PUNCT/4/punct tired/ADJ/2/advcl ./PUNCT/2/punct",
        "tea/NOUN/0/root (/PUNCT/3/punct cold/ADJ/1/amod )/PUNCT/3/punct please/INTJ/1/discourse",
        'a/NOUN/6/nsubj "/PUNCT/4/punct red/ADJ/4/amod b/NOUN/1/appos "/PUNCT/4/punct c/VERB/0/root',
        "a/VERB/0/root ,/PUNCT/4/punct and/CCONJ/4/cc b/VERB/1/conj ./PUNCT/1/punct",
    ],
)
def test_marks_find_their_phrase_again(text):
    corpus = sentence(text)
    for name in ("tut", "lth", "stanford"):
        there, _ = transform(corpus, "ud", name)
        again, _ = transform(there, name, "ud")
        assert again.head.tolist() == corpus.head.tolist(), name


def test_prague_labels_stay_with_their_words():
    text = "go/VERB/0/root to/ADP/3/case Rome/PROPN/1/obl and/CCONJ/5/cc Paris/PROPN/3/conj"
    assert to("prague", text) == "0:Pred 1:AuxP 4:Adv_Co 2:Coord 4:Adv_Co"
    both = "go/VERB/0/root to/ADP/3/case A/PROPN/1/obl and/CCONJ/6/cc to/ADP/6/case B/PROPN/3/conj"
    assert to("prague", both) == "0:Pred 4:AuxP 2:Adv_Co 1:Coord 4:AuxP 5:Adv_Co"
    for sample in (text, both):
        there, _ = transform(sentence(sample), "ud", "prague")
        assert arcs(transform(there, "prague", "ud")[0]) == arcs(sentence(sample))


def test_tiger_is_flat_below_prepositions_and_alpino_is_not():
    text = "geh/VERB/0/root in/ADP/5/case die/DET/5/det alte/ADJ/5/amod Stadt/NOUN/1/obl"
    assert to("tiger", text) == "0:ROOT 1:MO 2:NK 2:NK 2:NK"
    assert to("alpino", text) == "0:ROOT 1:mod 5:det 5:mod 2:obj1"


def test_stanford_has_its_own_names_for_relations():
    text = "she/PRON/2/nsubj ate/VERB/0/root rice/NOUN/2/obj in/ADP/5/case Rome/PROPN/2/obl"
    assert to("stanford", text) == "2:nsubj 0:root 2:dobj 2:prep 4:pobj"
    assert back("stanford", "she/PRON/2/nsubj ate/VERB/0/root in/ADP/2/prep Rome/PROPN/3/pobj") == (
        "2:nsubj 0:root 4:case 2:obl"
    )


def test_the_last_noun_of_an_apposition_is_the_head_without_a_label_for_it():
    text = "Rome/PROPN/0/root ,/PUNCT/4/punct the/DET/4/det capital/NOUN/1/appos"
    assert to("conll07", text) == "4:NMOD 4:P 4:NMOD 0:ROOT"
    assert to("lth", text) == "0:ROOT 1:P 4:NMOD 1:APPO"
    assert back("conll07", "Rome/PROPN/4/NMOD ,/PUNCT/4/P the/DET/4/NMOD capital/NOUN/0/ROOT") == (
        "0:root 4:punct 4:det 1:appos"
    )


def test_tags_and_features_of_a_treebank_are_read_as_the_scheme_says():
    """TUT: an article and a possessive are determiners, and a modal verb is told by a feature."""
    text = (
        "può/VERB/0/TOP/MOD cantare/VERB/1/INDCOMPL/MAIN|INFINITE la/ART/2/OBJ/DEF "
        "canzone/NOUN/3/ARG/COMMON"
    )
    assert back("tut", text) == "2:aux 0:root 4:det 2:obj"


def test_penn_tags_alone_tell_names_of_two_words_and_lists():
    names = "Ann/PROPN/2/NMOD Lee/PROPN/3/SUB came/VERB/0/ROOT"
    assert back("collins", names) == "3:nsubj 1:flat 0:root"
    house = "the/DET/3/NMOD White/PROPN/3/NMOD House/PROPN/0/ROOT"
    assert back("collins", house) == "3:det 3:compound 0:root"
    known = "Ann/PROPN/2/NMOD/Number=Sing Lee/PROPN/0/ROOT/Number=Sing"
    assert back("collins", known) == "2:compound 0:root"  # UD would have said flat
    cups = "cups/NOUN/3/NMOD ,/PUNCT/3/P plates/NOUN/0/ROOT and/CCONJ/3/CC pans/NOUN/3/COORD"
    assert back("collins", cups) == "0:root 3:punct 1:conj 5:cc 1:conj"


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────

LABELS = (
    "nsubj nsubj:pass csubj obj iobj obl obl:agent advmod advcl amod nmod nmod:poss acl acl:relcl det "
    "det:poss det:predet nummod case mark aux aux:pass cop conj cc cc:preconj flat fixed appos punct "
    "xcomp ccomp expl parataxis dep vocative discourse compound compound:prt orphan"
).split()
TAGS = "NOUN PROPN PRON VERB AUX ADP PART SCONJ CCONJ DET NUM ADJ ADV PUNCT X".split()
FEATS = ["_", "VerbForm=Inf", "VerbForm=Fin", "VerbType=Mod", "PronType=Rel", "PunctType=Comm"]


@st.composite
def random_trees(draw):
    """A random tree with labels of UD: each word hangs on any word that is in the tree already."""
    size = draw(st.integers(1, 10))
    order = draw(st.permutations(range(1, size + 1)))
    head = {order[0]: 0}
    for place, word in enumerate(order[1:], 1):
        head[word] = order[draw(st.integers(0, place - 1))]
    return [
        (
            draw(st.sampled_from(TAGS)),
            draw(st.sampled_from(FEATS)),
            head[word],
            draw(st.sampled_from(LABELS)) if head[word] else "root",
        )
        for word in range(1, size + 1)
    ]


@settings(max_examples=examples(30))
@given(st.lists(random_trees(), min_size=1, max_size=3))
def test_whatever_the_tree_each_scheme_gives_one_root_the_same_words_and_no_cycle(sentences):
    corpus = treebank(sentences)
    for name in PRESETS:
        there, _ = transform(corpus, "ud", name)
        again, _ = transform(there, name, "ud")
        for done in (there, again):
            assert (word_depth(done) > 0).all(), name
            assert (np.add.reduceat(done.head == 0, done.offsets[:-1]) == 1).all(), name
            assert done.form == corpus.form


@settings(max_examples=examples(30))
@given(ud_sentences())
def test_projective_sentences_stay_projective_with_the_labels_of_each_scheme(sample):
    corpus = treebank([sample])
    assume(projective(corpus).all())
    for name in PRESETS:
        there, _ = transform(corpus, "ud", name)
        assert projective(there).all(), name


# ── real treebanks ───────────────────────────────────────────────────────────────────────────────


@cache
def partut(shared) -> tuple[Dependencies, Dependencies]:
    folder = shared / "data/partut"
    return cg.read(folder / "it.ud.conllu"), cg.read(folder / "it.tut.conll")


def test_the_heads_of_the_turin_treebank_are_found(shared):
    """The issue asks for 80 %, from 27 %; the second half was not looked at when rules were made."""
    ud, tut = partut(shared)
    assert (ud.head == tut.head).mean() < 0.28
    done, _ = transform(ud, "ud", "tut")
    right = done.head == tut.head
    half = ud.offsets[len(ud) // 2]
    assert right.mean() >= 0.94
    assert right[half:].mean() >= 0.94
    assert np.mean([a == b for a, b in zip(done.deprel, tut.deprel, strict=True)]) >= 0.88


def test_the_turin_treebank_becomes_ud(shared):
    ud, tut = partut(shared)
    done, _ = transform(tut, "tut", "ud")
    assert (done.head == ud.head).mean() >= 0.90
    assert np.mean([a == b for a, b in zip(done.deprel, ud.deprel, strict=True)]) >= 0.90


@pytest.fixture(scope="module")
def ewt(shared):
    """Every third sentence of a real treebank: enough to see one head in a hundred."""
    return cg.read(shared / "data/ewt/test.conllu")[::3]


@pytest.mark.parametrize("name", PRESETS)
def test_heads_there_and_back_with_the_labels_of_each_scheme(ewt, name):
    """Less than 2 % of the heads are lost; what the labels lose is said in the report.

    In ClearNLP names are compounds and lists are not marked, so 5 % are lost there.
    """
    there, report = transform(ewt, "ud", name, losses=True)
    assert (word_depth(there) > 0).all()
    assert report.losses.heads < (0.05 if name == "clear" else 0.02) * ewt.words.rows


def test_the_final_stop_hangs_on_the_technical_root_in_prague():
    text = "She/PRON/2/nsubj came/VERB/0/root ./PUNCT/2/punct"
    done, _ = transform(sentence(text), "ud", "prague")
    assert arcs(done) == "2:Sb 0:Pred 0:AuxK"
    assert arcs(transform(done, "prague", "ud")[0]) == arcs(sentence(text))


def test_greek_names_of_labels_are_read_and_make_one_root():
    text = "ἦλθε/v3saia---/0/PRED Σόλων/n-s---mn-/1/SBJ ./u--------/0/AuxK"
    done, _ = transform(sentence(text), "prague", "ud")
    assert arcs(done) == "0:root 1:nsubj 1:punct"


def test_an_apposition_hangs_on_the_mark_between_its_parts_in_prague():
    text = (
        "Karel/PROPN/5/nsubj ,/PUNCT/4/punct můj/DET/4/det bratr/NOUN/1/appos přišel/VERB/0/root "
        "./PUNCT/5/punct"
    )
    done, _ = transform(sentence(text), "ud", "prague")
    assert arcs(done) == "2:Sb_Ap 5:Apos 4:Atr 2:Sb_Ap 0:Pred 0:AuxK"
    assert arcs(transform(done, "prague", "ud")[0]) == arcs(sentence(text))


def test_a_conjunction_on_the_first_conjunct_heads_both_in_prague():
    text = "tea/NOUN/0/root and/CCONJ/1/cc milk/NOUN/1/conj"
    assert arcs(transform(sentence(text), "ud", "prague")[0]) == "2:ExD_Co 0:Coord 2:ExD_Co"


def test_the_verb_with_most_predicates_is_the_copula():
    """Positional tags do not tell copulas from *become*, which has predicates as well."""
    rows = []
    for lemma, count in (("be", 20), ("become", 5)):
        for _ in range(count):
            rows += [
                f"1\t{lemma}\t{lemma}\tv\t_\t_\t0\tPRED\t_\t_",
                "2\told\told\ta\t_\t_\t1\tPNOM\t_\t_",
                "",
            ]
    done, _ = transform(cg.read_text("\n".join(rows) + "\n", "conllu"), "prague", "ud")
    assert done.deprel.tolist() == ["cop", "root"] * 20 + ["root", "xcomp"] * 5


def test_a_temporal_modifier_has_a_label_of_its_own_in_stanford():
    # "She sang today", and German "sie sang heute früh", with the subtype and with an entry of MISC.
    for label, misc in (("obl:tmod", "_"), ("obl:unmarked", "TemporalNPAdjunct=Yes")):
        ud = sentence(f"sie/PRON/2/nsubj sang/VERB/0/root Montag/NOUN/2/{label}")
        ud = ud.replace("words", misc=Strings.of(["_", "_", misc]))
        assert arcs(transform(ud, "ud", "stanford")[0]) == "2:nsubj 0:root 2:tmod"


def test_a_noun_before_the_noun_that_it_modifies_is_no_apposition_in_tut():
    english = sentence("law/NOUN/2/nmod firm/NOUN/0/root")
    italian = sentence("uomo/NOUN/0/root rana/NOUN/1/nmod")
    assert arcs(transform(english, "ud", "tut")[0]) == "2:RMOD 0:TOP"
    assert arcs(transform(italian, "ud", "tut")[0]) == "0:TOP 1:APPOSITION"


def test_an_infinitive_below_a_modal_verb_that_is_no_auxiliary_is_its_complement_in_tut():
    # French "elle peut venir", and the same with any other verb.
    modal = sentence("elle/PRON/2/nsubj peut/VERB/0/root/VerbType=Mod venir/VERB/2/xcomp")
    other = sentence("elle/PRON/2/nsubj aime/VERB/0/root venir/VERB/2/xcomp")
    assert arcs(transform(modal, "ud", "tut")[0]) == "2:SUBJ 0:TOP 2:INDCOMPL"
    assert arcs(transform(other, "ud", "tut")[0]) == "2:SUBJ 0:TOP 2:OBJ"


def test_modifiers_stay_with_their_verb_and_an_opening_conjunction_heads_nothing_in_alpino():
    # Dutch "Gisteren heeft ze gezongen" and "Want ze zong".
    dutch = sentence("Gisteren/ADV/4/advmod heeft/AUX/4/aux ze/PRON/4/nsubj gezongen/VERB/0/root")
    assert arcs(transform(dutch, "ud", "alpino")[0]) == "4:mod 0:ROOT 2:su 2:vc"
    opened = sentence("Want/CCONJ/3/mark ze/PRON/3/nsubj zong/VERB/0/root")
    there, _ = transform(opened, "ud", "alpino")
    assert arcs(there) == "3:dlink 3:su 0:ROOT"
    assert arcs(transform(there, "alpino", "ud")[0]) == arcs(opened)


@pytest.mark.parametrize("scheme", PRESETS)
@pytest.mark.parametrize(
    "text",
    [
        "ⲙⲉ/NOUN/0/root ⲛⲉ/PRON/1/cop",  # it is true
        "דני/PROPN/3/nsubj הוא/PRON/3/cop רופא/NOUN/0/root",  # Dani is a doctor
        "政/NOUN/0/root 國/NOUN/1/nmod 之/SCONJ/2/case",  # the government of the state
        "näistä/PRON/2/det oppaista/NOUN/0/root",  # of these guides
        "好/VERB/2/acl 者/PART/3/nsubj 有/VERB/0/root",  # there are some who like it
        "entra/VERB/0/root como/ADV/3/case país/NOUN/1/obl",  # it enters as a country
        "她/PRON/3/nsubj 正/PART/3/aux 来/VERB/0/root",  # she is coming
        "i/PRON/3/nsubj se/PART/3/cop dokter/NOUN/0/root",  # he is a doctor
    ],
)
def test_function_words_with_the_tags_of_other_words_are_found_again(text, scheme):
    done, _ = transform(sentence(text), "ud", scheme)
    back, _ = transform(done, scheme, "ud")
    assert back.head.tolist() == sentence(text).head.tolist()

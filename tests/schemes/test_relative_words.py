"""Relative words are told by features, by tags of the treebank, or by their place; never by form."""

from __future__ import annotations

import pytest
from scheme_samples import arcs, sentence

from commonground.corpus import Strings
from commonground.schemes.scheme import Scheme
from commonground.schemes.transform import transform

HEADED = Scheme("headed", choices={"relative": "function"})


def moved(corpus):
    done, report = transform(corpus, "ud", HEADED)
    back, _ = transform(done, HEADED, "ud")
    assert back.head.tolist() == corpus.head.tolist()
    return arcs(done), report.failed


@pytest.mark.parametrize("types", ["Rel", "Int,Rel", "Ind,Int,Rel"])
def test_a_word_that_can_be_relative_is_told_by_its_features(types):
    text = f"muž/NOUN/0/root který/DET/3/nsubj/PronType={types} přišel/VERB/1/acl:relcl"
    assert moved(sentence(text)) == ("0:root 1:acl:relcl 2:nsubj", {})


@pytest.mark.parametrize(("tag", "upos"), [("WP", "PRON"), ("REL", "PRON"), ("PRELS", "DET")])
def test_it_is_told_by_the_tags_of_the_treebank(tag, upos):
    text = f"N/NOUN/0/root che/{upos}/3/nsubj arriva/VERB/1/acl:relcl"
    corpus = sentence(text).replace("words", xpos=Strings.of(["NN", tag, "VB"]))
    assert moved(corpus) == ("0:root 1:acl:relcl 2:nsubj", {})


def test_it_is_told_by_its_place_before_the_subject():
    text = "huis/NOUN/0/root waar/ADV/4/advmod zij/PRON/4/nsubj/Person=3 woont/VERB/1/acl:relcl"
    assert moved(sentence(text)) == ("0:root 1:acl:relcl 4:nsubj 2:advmod", {})


@pytest.mark.parametrize("feats", ["PronType=Dem", "PronType=Prs|Person=1", "Polarity=Neg"])
def test_a_word_that_its_features_tell_to_be_another_one_is_none(feats):
    text = f"dag/NOUN/0/root X/ADV/4/advmod/{feats} zij/PRON/4/nsubj/Person=3 kwam/VERB/1/acl:relcl"
    _, failed = moved(sentence(text))
    assert failed == {("relative", "no relative word"): ["1"]}


def test_a_subject_without_features_may_be_a_personal_pronoun():
    _, failed = moved(sentence("girl/NOUN/0/root I/PRON/3/nsubj saw/VERB/1/acl:relcl"))
    assert failed == {("relative", "no relative word"): ["1"]}


def test_alpino_labels_the_clause_below_a_relative_word_body():
    text = "man/NOUN/0/root die/PRON/3/nsubj/PronType=Rel zong/VERB/1/acl:relcl/VerbForm=Fin"
    done, _ = transform(sentence(text), "ud", "alpino")
    assert arcs(done) == "0:ROOT 1:mod 2:body"
    back, _ = transform(done, "alpino", "ud")
    assert back == sentence(text)


def test_the_relative_word_of_coordinated_clauses_heads_the_conjunction():
    """*changes that happened and swept*: never the verb that the relative word hangs on."""
    text = (
        "changes/NOUN/0/root that/PRON/3/nsubj/PronType=Rel happened/VERB/1/acl:relcl "
        "and/CCONJ/5/cc swept/VERB/3/conj"
    )
    joint = Scheme("joint", choices={"relative": "function", "coordination": "conjunction"})
    done, _ = transform(sentence(text), "ud", joint)
    assert done.head.tolist() == [0, 1, 4, 2, 4]

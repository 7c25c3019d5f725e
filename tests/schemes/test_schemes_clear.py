"""The scheme of ClearNLP and of spaCy's English models, on analyses as its guidelines have them.

Choi & Palmer (2012), Guidelines for the CLEAR style constituent to dependency conversion.
"""

from __future__ import annotations

import pytest
from scheme_samples import arcs, sentence

from commonground.schemes.transform import transform

PAIRS = {
    "a predicate depends on its copula": (
        "She/PRON/3/nsubj is/AUX/3/cop old/ADJ/0/root",
        "2:nsubj 0:ROOT 2:acomp",
    ),
    "a nominal predicate is an attribute": (
        "She/PRON/4/nsubj is/AUX/4/cop the/DET/4/det chair/NOUN/0/root ./PUNCT/4/punct",
        "2:nsubj 0:ROOT 4:det 2:attr 2:punct",
    ),
    "auxiliaries depend on their verb": (
        "It/PRON/4/nsubj:pass has/AUX/4/aux been/AUX/4/aux:pass seen/VERB/0/root",
        "4:nsubjpass 4:aux 4:auxpass 0:ROOT",
    ),
    "a preposition heads its noun": (
        "books/NOUN/0/root about/ADP/3/case Rome/PROPN/1/nmod",
        "0:ROOT 1:prep 2:pobj",
    ),
    "each conjunct depends on the one before, and so does a conjunction": (
        "A/NOUN/0/root ,/PUNCT/3/punct B/NOUN/1/conj and/CCONJ/5/cc C/NOUN/1/conj",
        "0:ROOT 1:punct 1:conj 3:cc 3:conj",
    ),
    "objects": (
        "gave/VERB/0/root him/PRON/1/iobj books/NOUN/1/obj",
        "0:ROOT 1:dative 1:dobj",
    ),
    "a name is a compound": (
        "Ada/PROPN/3/nsubj King/PROPN/1/flat came/VERB/0/root",
        "2:compound 3:nsubj 0:ROOT",
    ),
    "an infinitive marker is an auxiliary": (
        "want/VERB/0/root to/PART/3/mark go/VERB/1/xcomp/VerbForm=Inf",
        "0:ROOT 3:aux 1:xcomp",
    ),
    "a relative clause": (
        "girl/NOUN/0/root who/PRON/3/nsubj/PronType=Rel came/VERB/1/acl:relcl",
        "0:ROOT 3:nsubj 1:relcl",
    ),
}


@pytest.mark.parametrize("claim", PAIRS)
def test_analyses_of_the_guidelines_are_written_and_read(claim):
    ud, clear = PAIRS[claim]
    done, _ = transform(sentence(ud), "ud", "clear")
    assert arcs(done) == clear
    back, _ = transform(done, "clear", "ud")
    assert arcs(back) == arcs(sentence(ud))


def test_older_names_of_its_labels_are_read_as_those_of_today():
    old = sentence("cat/NOUN/2/nn food/NOUN/0/root that/PRON/4/nsubj smells/VERB/2/rcmod")
    done, report = transform(old, "clear", "ud")
    assert arcs(done) == "2:compound 0:root 4:nsubj 2:acl:relcl"
    assert not report.unknown

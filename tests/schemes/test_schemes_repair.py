"""Repairs, particles and classifiers: examples in two languages each."""

from __future__ import annotations

import pytest
from scheme_samples import arcs, sentence

from commonground.schemes.transform import transform

REPAIRS = {
    "the/DET/2/reparandum the/DET/3/det city/NOUN/0/root": "3:det 1:conj:dicto 0:root",
    "dans/ADP/4/reparandum dans/ADP/4/case la/DET/4/det ville/NOUN/0/root": (
        "0:root 1:conj:dicto 4:det 2:comp:obj"
    ),
    "je/PRON/2/nsubj va/VERB/4/reparandum je/PRON/4/nsubj vais/VERB/0/root": (
        "2:subj 0:root 4:subj 2:conj:dicto"
    ),
}


@pytest.mark.parametrize(("text", "there"), REPAIRS.items())
def test_what_replaces_a_first_attempt_hangs_on_it_in_sud(text, there):
    done, report = transform(sentence(text), "ud", "sud")
    assert arcs(done) == there
    assert report.changed("repair") == 1
    assert arcs(transform(done, "sud", "ud")[0]) == arcs(sentence(text))


@pytest.mark.parametrize(
    "text",
    [
        "the/DET/3/reparandum ~/PUNCT/1/punct the/DET/4/det city/NOUN/0/root ./PUNCT/4/punct",
        "il/PRON/3/reparandum ~/PUNCT/1/punct elle/PRON/4/nsubj vient/VERB/0/root ./PUNCT/4/punct",
    ],
)
def test_a_mark_between_the_attempts_goes_to_the_one_that_is_lower(text):
    done, _ = transform(sentence(text), "ud", "sud")
    assert done.head.tolist() == [4, 3, 1, 0, 4]
    assert arcs(transform(done, "sud", "ud")[0]) == arcs(sentence(text))


@pytest.mark.parametrize(
    "text",
    [
        "took/VERB/0/root the/DET/1/obj town/NOUN/2/reparandum",
        "prit/VERB/0/root la/DET/1/obj ville/NOUN/2/reparandum",
    ],
)
def test_a_repair_that_hangs_on_the_first_attempt_is_turned_too(text):
    done, _ = transform(sentence(text), "ud", "sud")
    assert arcs(done) == "0:root 3:conj:dicto 1:comp:obj"
    assert arcs(transform(done, "sud", "ud")[0]) == arcs(sentence(text))


def test_the_newer_name_for_repairs_is_read():
    done, _ = transform(sentence("un/DET/0/root une/DET/1/repair"), "sud", "ud")
    assert arcs(done) == "2:reparandum 0:root"


@pytest.mark.parametrize("scheme", ["sud", "lth", "tut", "prague", "collins"])
@pytest.mark.parametrize(
    "text",
    [
        "作/VERB/0/root 為/VERB/1/mark:prt 總統/NOUN/1/obj",  # become + president
        "gave/VERB/0/root up/ADP/1/compound:prt hope/NOUN/1/obj",
    ],
)
def test_a_particle_hangs_on_its_verb_in_every_scheme(scheme, text):
    done, _ = transform(sentence(text), "ud", scheme)
    assert done.head.tolist() == [0, 1, 1]
    assert transform(done, scheme, "ud")[0].head.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    "text",
    [
        "一/NUM/2/nummod 個/NOUN/3/clf 街區/NOUN/0/root",  # one block
        "ba/NUM/2/nummod con/NOUN/3/clf mèo/NOUN/0/root",  # three cats
    ],
)
def test_a_numeral_stays_with_its_classifier(text):
    done, _ = transform(sentence(text), "ud", "sud")
    assert arcs(done) == "2:det 3:clf 0:root"
    assert transform(done, "sud", "ud")[0].head.tolist() == [2, 3, 0]


COUNTED = {
    "三/NUM/3/nummod 本/NOUN/1/clf 书/NOUN/0/root": "2:mod 3:clf 0:root",  # three books
    "这/DET/3/det 个/NOUN/1/clf 人/NOUN/0/root": "2:det 3:clf 0:root",  # this person
    "หมา/NOUN/0/root สอง/NUM/1/nummod ตัว/NOUN/2/clf": "0:root 3:mod 1:clf",  # two dogs
}


@pytest.mark.parametrize(("text", "there"), COUNTED.items())
def test_a_classifier_heads_its_numeral_and_hangs_on_what_is_counted(text, there):
    done, _ = transform(sentence(text), "ud", "sud")
    assert arcs(done) == there
    assert arcs(transform(done, "sud", "ud")[0]) == arcs(sentence(text))


@pytest.mark.parametrize("scheme", ["tut", "copenhagen"])
@pytest.mark.parametrize("text", COUNTED)
def test_a_classifier_is_not_what_its_numeral_heads(scheme, text):
    """*three* heads *book* there: it is the noun that is its complement, not the classifier."""
    done, _ = transform(sentence(text), "ud", scheme)
    assert transform(done, scheme, "ud")[0].head.tolist() == sentence(text).head.tolist()


@pytest.mark.parametrize(
    "text",
    [
        "有/VERB/0/root 个/NOUN/3/clf 儿子/NOUN/1/obj",  # has a son
        "con/NOUN/2/clf mèo/NOUN/3/nsubj ngủ/VERB/0/root",  # the cat sleeps
    ],
)
def test_a_classifier_without_numeral_hangs_on_its_noun(text):
    done, _ = transform(sentence(text), "ud", "sud")
    assert done.head.tolist() == sentence(text).head.tolist()
    assert transform(done, "sud", "ud")[0].head.tolist() == sentence(text).head.tolist()

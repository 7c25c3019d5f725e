"""The scheme of the Copenhagen treebanks: function words head throughout."""

from __future__ import annotations

import pytest
from scheme_samples import arcs, sentence

from commonground import read_text, transform
from commonground.corpus import Dependencies

# PAROLE tags, as the Danish Dependency Treebank has them: They must have sung in the old house.
DANISH = """
1 De PP PP3[CN]PN-NU _ 2 subj
2 må VA VADR=----A- mood=indic 0 ROOT
3 have VA VAF-=----A- mood=infin 2 vobj
4 sunget VA VAPA=S[CN]I[ARU]-U mood=partic 3 vobj
5 i SP SP _ 4 mod
6 det PD PD-NSU--U _ 5 nobj
7 gamle AN ANP[CN]SU=DU _ 6 mod
8 hus NC NCNSU==I _ 6 nobj
9 . XP XP _ 2 pnct
"""
ENGLISH = (
    "They/PRON/3/nsubj have/AUX/3/aux sung/VERB/0/root in/ADP/7/case the/DET/7/det "
    "old/ADJ/7/amod house/NOUN/3/obl ./PUNCT/3/punct"
)


def danish(text: str) -> Dependencies:
    """Return a sentence of the treebank: place, form, tag, long tag, features, head, label."""
    rows = [line.split() for line in text.strip().splitlines()]
    lines = (f"{n}\t{w}\t_\t{t}\t{x}\t{f}\t{h}\t{lab}\t_\t_" for n, w, t, x, f, h, lab in rows)
    corpus = read_text("\n".join([*lines, "\n"]), "conllx")
    assert isinstance(corpus, Dependencies)
    return corpus


def test_its_own_tags_lead_to_ud() -> None:
    done, _ = transform(danish(DANISH), "copenhagen", "ud")
    assert arcs(done) == "4:nsubj 4:aux 4:aux 0:root 8:case 8:det 8:amod 4:obl 4:punct"


def test_determiners_and_auxiliaries_become_heads() -> None:
    done, _ = transform(sentence(ENGLISH), "ud", "copenhagen")
    assert done.head.tolist() == [2, 0, 2, 3, 4, 5, 5, 2]
    assert arcs(transform(done, "copenhagen", "ud")[0]) == arcs(sentence(ENGLISH))


@pytest.mark.parametrize(
    "text",
    [
        "And/CCONJ/3/cc she/PRON/3/nsubj came/VERB/0/root",
        "Og/CCONJ/3/cc hun/PRON/3/nsubj kom/VERB/0/root",
    ],
)
def test_a_conjunction_that_opens_a_sentence_heads_it(text: str) -> None:
    done, _ = transform(sentence(text), "ud", "copenhagen")
    assert done.head.tolist() == [0, 3, 1]
    assert arcs(transform(done, "copenhagen", "ud")[0]) == arcs(sentence(text))


@pytest.mark.parametrize(
    "text",
    [
        "Peters/PROPN/2/nmod:poss/Case=Gen hus/NOUN/3/nsubj brænder/VERB/0/root",
        "Annas/PROPN/2/nmod:poss/Case=Gen Haus/NOUN/3/nsubj brennt/VERB/0/root",
        "mit/DET/2/det/Poss=Yes hus/NOUN/3/nsubj brænder/VERB/0/root",
        "my/PRON/2/nmod:poss/Poss=Yes house/NOUN/3/nsubj burns/VERB/0/root",
    ],
)
def test_a_possessor_before_a_noun_heads_it(text: str) -> None:
    done, _ = transform(sentence(text), "ud", "copenhagen")
    assert arcs(done) == "3:subj 1:possd 0:ROOT"
    assert transform(done, "copenhagen", "ud")[0].head.tolist() == [2, 3, 0]


@pytest.mark.parametrize(
    ("text", "heads"),
    [
        (
            "denne/DET/2/det uges/NOUN/3/nmod:poss/Case=Gen valg/NOUN/4/nsubj kom/VERB/0/root",
            [4, 1, 1, 0],
        ),
        (
            "Peters/PROPN/2/nmod:poss/Case=Gen bils/NOUN/3/nmod:poss/Case=Gen dør/NOUN/0/root",
            [3, 1, 0],
        ),
        ("राम/PROPN/3/nmod:poss का/ADP/1/case घर/NOUN/0/root", [2, 3, 0]),
    ],
    ids=["with a determiner", "one in another", "with an adposition"],
)
def test_a_possessor_with_words_of_its_own_comes_back(text: str, heads: list[int]) -> None:
    done, _ = transform(sentence(text), "ud", "copenhagen")
    assert transform(done, "copenhagen", "ud")[0].head.tolist() == sentence(text).head.tolist()
    assert done.head.tolist() == heads


def test_a_possessor_behind_a_noun_depends_on_it() -> None:
    text = "das/DET/2/det Haus/NOUN/0/root Annas/PROPN/2/nmod:poss"
    assert transform(sentence(text), "ud", "copenhagen")[0].head.tolist() == [0, 1, 2]


@pytest.mark.parametrize("words", ["Hun så at han sov", "Sie sah dass er schlief"])
def test_a_comma_hangs_above_the_clause_that_it_sets_off(words: str) -> None:
    she, saw, that, he, slept = words.split()
    text = (
        f"{she}/PRON/2/nsubj {saw}/VERB/0/root ,/PUNCT/6/punct {that}/SCONJ/6/mark "
        f"{he}/PRON/6/nsubj {slept}/VERB/2/ccomp ./PUNCT/2/punct"
    )
    done, _ = transform(sentence(text), "ud", "copenhagen")
    assert done.head.tolist() == [2, 0, 2, 2, 6, 4, 2]
    assert arcs(transform(done, "copenhagen", "ud")[0]) == arcs(sentence(text))


# They wanted to come over: what would cross other arcs hangs on the root.
STRAY = """
1 De PP PP3[CN]PN-NU _ 2 subj
2 ønskede VA VADA=----A- mood=indic 0 ROOT
3 at U U= _ 2 dobj
4 komme VA VAF-=----A- mood=infin 3 vobj
5 over RG RGU _ 0 ROOT
"""
# He slept as a child: a word that introduces clauses, with a noun.
AS = """
1 Han PP PP3CSN-NU _ 2 subj
2 sov VA VADA=----A- mood=indic 0 ROOT
3 som U U= _ 2 mod
4 barn NC NCNSU==I _ 3 nobj
"""
# It surprised me that he came: the clause belongs to the pronoun that announces it.
ANNOUNCED = """
1 Det PP PP3NSU-NU _ 2 subj
2 overraskede VA VADA=----A- mood=indic 0 ROOT
3 mig PP PP1CSU-YU _ 2 dobj
4 at CS CS _ 1 nobj
5 han PP PP3CSN-NU _ 6 subj
6 kom VA VADA=----A- mood=indic 4 vobj
"""


@pytest.mark.parametrize(
    ("text", "heads"),
    [(STRAY, [2, 0, 4, 2, 4]), (AS, [2, 0, 4, 2]), (ANNOUNCED, [2, 0, 2, 6, 6, 1])],
    ids=["a stray adverb", "a noun below a subordinator", "a clause below a pronoun"],
)
def test_heads_of_the_treebank_lead_to_those_of_ud(text: str, heads: list[int]) -> None:
    done, _ = transform(danish(text), "copenhagen", "ud")
    assert done.head.tolist() == heads

"""The scheme of the Copenhagen treebanks: function words head throughout."""

from __future__ import annotations

import pytest

from commonground import read_text, transform
from commonground.corpus import Dependencies
from scheme_samples import arcs, sentence

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

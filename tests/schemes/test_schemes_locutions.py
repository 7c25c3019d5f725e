"""Locutions of TUT: words that it takes for one, read word by word."""

from __future__ import annotations

import pytest

from commonground import read_text, transform
from commonground.corpus import Dependencies

PARTE = """
1 esercizio NOUN COMMON|M|SING 0 TOP
2 da PREP POLI|LOCUTION 1 RMOD
3 parte PREP POLI|LOCUTION 2 CONTIN+LOCUT
4 di PREP POLI|LOCUTION 3 CONTIN+LOCUT
5 il ART DEF|M|SING 2 ARG
6 governo NOUN COMMON|M|SING 5 ARG
"""
SPITE = """
1 work NOUN COMMON|SING 0 TOP
2 in PREP POLI|LOCUTION 1 RMOD
3 spite PREP POLI|LOCUTION 2 CONTIN+LOCUT
4 of PREP POLI|LOCUTION 3 CONTIN+LOCUT
5 the ART DEF|SING 2 ARG
6 rain NOUN COMMON|SING 5 ARG
"""
NUOVO = """
1 canta VERB MAIN|IND|PRES|INTRANS|3|SING 0 TOP
2 di ADV TIME|LOCUTION 1 RMOD
3 nuovo ADV TIME|LOCUTION 2 CONTIN+LOCUT
"""
ENSEMBLE = """
1 vient VERB MAIN|IND|PRES|INTRANS|3|SING 0 TOP
2 ensemble PREP POLI 1 RMOD
3 avec PREP MONO 2 CONTIN+PREP
4 Marie NOUN PROPER|F|SING 3 ARG
"""


def tut(text: str) -> Dependencies:
    """Return a sentence in TUT: place, form, tag, features, head, label."""
    rows = [line.split() for line in text.strip().splitlines()]
    lines = (f"{n}\t{w}\t_\t{t}\t{t}\t{f}\t{h}\t{lab}\t_\t_" for n, w, t, f, h, lab in rows)
    corpus = read_text("\n".join([*lines, "\n"]), "conllx")
    assert isinstance(corpus, Dependencies)
    return corpus


@pytest.mark.parametrize("text", [PARTE, SPITE], ids=["italian", "english"])
def test_an_adposition_of_three_words_is_a_noun_between_adpositions(text: str) -> None:
    done, _ = transform(tut(text), "tut", "ud")
    assert done.head.tolist() == [0, 3, 1, 6, 6, 3]
    assert done.deprel.tolist() == ["root", "case", "nmod", "case", "det", "nmod"]


def test_an_adverb_of_two_words_is_an_adposition_with_its_noun() -> None:
    done, _ = transform(tut(NUOVO), "tut", "ud")
    assert done.head.tolist() == [0, 3, 1]
    assert done.deprel.tolist() == ["root", "case", "obl"]


def test_what_the_last_word_of_an_adposition_heads_the_whole_heads() -> None:
    done, _ = transform(tut(ENSEMBLE), "tut", "ud")
    assert done.head.tolist() == [0, 4, 2, 1]
    assert done.deprel.tolist() == ["root", "case", "fixed", "obl"]


def test_a_verb_with_a_predicate_that_few_have_is_no_copula() -> None:
    copula = "1 è è VERB MAIN|IND 0 TOP\n2 alto alto ADJ QUALIF 1 PREDCOMPL+SUBJ"
    other = copula.replace("è è", "resta restare")
    texts = [copula.replace("è è", "è essere")] * 12 + [other]
    blocks = [
        "".join(
            f"{n}\t{w}\t{lemma}\t{t}\t{t}\t{f}\t{h}\t{lab}\t_\t_\n"
            for n, w, lemma, t, f, h, lab in (line.split() for line in text.splitlines())
        )
        for text in texts
    ]
    done, _ = transform(read_text("\n".join([*blocks, ""]), "conllx"), "tut", "ud")
    assert done.deprel.tolist()[:2] == ["cop", "root"]
    assert done.deprel.tolist()[-2:] == ["root", "xcomp"]

"""Prepositions before clauses, heads where prepositions are, and nouns used as postpositions."""

from __future__ import annotations

import pytest

from commonground import read_text, transform
from commonground.corpus import Dependencies
from commonground.schemes.scheme import Scheme

ENGLISH = """
1 She PRON _ 2 nsubj
2 left VERB VerbForm=Fin 0 root
3 after SCONJ _ 4 mark
4 eating VERB VerbForm=Ger 2 advcl
"""
PORTUGUESE = """
1 Ela PRON _ 2 nsubj
2 saiu VERB VerbForm=Fin 0 root
3 em ADP _ 4 mark
4 cantando VERB VerbForm=Ger 2 advcl
"""
FINITE = """
1 She PRON _ 2 nsubj
2 left VERB VerbForm=Fin 0 root
3 after SCONJ _ 5 mark
4 he PRON _ 5 nsubj
5 ate VERB VerbForm=Fin 2 advcl
"""


def ud(text: str) -> Dependencies:
    """Return a sentence in UD: place, form, tag, features, head, label."""
    rows = [line.split() for line in text.strip().splitlines()]
    lines = (f"{n}\t{w}\t_\t{t}\t_\t{f}\t{h}\t{lab}\t_\t_" for n, w, t, f, h, lab in rows)
    corpus = read_text("\n".join([*lines, "\n"]), "conllu")
    assert isinstance(corpus, Dependencies)
    return corpus


@pytest.mark.parametrize("text", [ENGLISH, PORTUGUESE], ids=["english", "portuguese"])
@pytest.mark.parametrize("scheme", ["stanford", "conll07", "lth", "sud"])
def test_a_preposition_before_a_gerund_heads_it_where_prepositions_are_heads(
    scheme: str, text: str
) -> None:
    done, _ = transform(ud(text), "ud", scheme)
    assert done.head.tolist() == [2, 0, 2, 3]
    back, _ = transform(done, scheme, "ud")
    assert back.head.tolist() == ud(text).head.tolist()
    assert back.deprel.tolist() == ud(text).deprel.tolist()


@pytest.mark.parametrize("text", [ENGLISH, PORTUGUESE, FINITE])
@pytest.mark.parametrize("way", ["function", "flat"])
def test_it_is_found_again_by_the_label_of_a_mark(way: str, text: str) -> None:
    """In a scheme with the labels of UD, in which subordinators are no heads."""
    scheme = Scheme("mine", choices={"adposition": way})
    done, _ = transform(ud(text), "ud", scheme)
    back, _ = transform(done, scheme, "ud")
    assert back.head.tolist() == ud(text).head.tolist()
    assert back.deprel.tolist() == ud(text).deprel.tolist()


def test_stanford_calls_them_prep_and_pcomp() -> None:
    done, _ = transform(ud(ENGLISH), "ud", "stanford")
    assert done.deprel.tolist() == ["nsubj", "root", "prep", "pcomp"]


def test_a_subordinator_before_a_finite_clause_stays_a_mark_in_stanford() -> None:
    done, _ = transform(ud(FINITE), "ud", "stanford")
    assert done.head.tolist() == ud(FINITE).head.tolist()
    assert done.deprel.tolist()[2] == "mark"


def test_stanford_has_labels_for_adjectives_and_for_reduced_clauses() -> None:
    looks = "1 She PRON _ 2 nsubj\n2 looks VERB VerbForm=Fin 0 root\n3 old ADJ _ 2 xcomp"
    walls = "1 walls NOUN _ 0 root\n2 built VERB VerbForm=Part|Tense=Past 1 acl"
    assert transform(ud(looks), "ud", "stanford")[0].deprel.tolist()[-1] == "acomp"
    assert transform(ud(walls), "ud", "stanford")[0].deprel.tolist()[-1] == "vmod"


CHINESE = """
1 他 PRON _ 4 nsubj
2 房间 NOUN _ 4 obl
3 里 NOUN _ 2 case
4 睡 VERB _ 0 root
"""
ARMENIAN = """
1 Նա PRON _ 4 nsubj
2 տան NOUN Case=Gen 4 obl
3 մեջ NOUN Case=Nom 2 case
4 քնեց VERB VerbForm=Fin 0 root
"""


@pytest.mark.parametrize("text", [CHINESE, ARMENIAN], ids=["chinese", "armenian"])
@pytest.mark.parametrize("scheme", ["collins", "conll07", "functional", "lth", "yamada"])
def test_a_noun_used_as_a_postposition_is_found_again(scheme: str, text: str) -> None:
    """He slept in the room, in the house: *in* is a noun behind its complement."""
    done, _ = transform(ud(text), "ud", scheme)
    assert done.head.tolist() == [4, 3, 4, 0]
    back, _ = transform(done, scheme, "ud")
    assert back.head.tolist() == ud(text).head.tolist()
    assert back.deprel.tolist() == ud(text).deprel.tolist()


@pytest.mark.parametrize("words", ["对 他 的 爱", "對 佢 嘅 愛"], ids=["mandarin", "cantonese"])
@pytest.mark.parametrize("scheme", ["collins", "functional", "yamada"])
def test_a_particle_may_mark_a_phrase_that_a_preposition_heads(scheme: str, words: str) -> None:
    """The love for him: *for* is the head of *him* and of the particle behind it."""
    rows = ("1 {} ADP _ 4 nmod", "2 {} PRON _ 1 obj", "3 {} PART _ 1 case", "4 {} NOUN _ 0 root")
    text = "\n".join(row.format(word) for row, word in zip(rows, words.split(), strict=True))
    done, _ = transform(ud(text), "ud", scheme)
    assert transform(done, scheme, "ud")[0].head.tolist() == ud(text).head.tolist()

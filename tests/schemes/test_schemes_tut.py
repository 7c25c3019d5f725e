"""The scheme of Turin in English and French: what heads a noun there."""

from __future__ import annotations

import pytest
from scheme_samples import arcs, sentence

from commonground import read_text, transform
from commonground.corpus import Dependencies


def turin(text: str) -> Dependencies:
    """Return a sentence of the treebank: word/tag/head/label/features, a word after the other."""
    rows = [word.split("/") for word in text.split()]
    lines = (
        f"{place}\t{w}\t_\t{t}\t{t}\t{f}\t{h}\t{lab}\t_\t_"
        for place, (w, t, h, lab, f) in enumerate(rows, 1)
    )
    corpus = read_text("\n".join([*lines, "\n"]), "conllx")
    assert isinstance(corpus, Dependencies)
    return corpus


def there(text: str) -> str:
    return arcs(transform(sentence(text), "ud", "tut")[0])


@pytest.mark.parametrize(
    "text",
    [
        "see/VERB/0/root my/PRON/3/nmod:poss/Poss=Yes house/NOUN/1/obj",
        "zie/VERB/0/root mijn/PRON/3/nmod:poss/Poss=Yes huis/NOUN/1/obj",
        "see/VERB/0/root my/DET/3/nmod:poss/Poss=Yes house/NOUN/1/obj",
    ],
)
def test_a_possessive_pronoun_heads_its_noun_as_a_determiner_does(text: str) -> None:
    assert there(text) == "0:TOP 1:OBJ 2:ARG"
    done, _ = transform(sentence(text), "ud", "tut")
    assert transform(done, "tut", "ud")[0].head.tolist() == [0, 3, 1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann/PROPN/3/nmod:poss 's/PART/1/case house/NOUN/0/root", "3:RMOD 1:ARG 0:TOP"),
        (
            "a/DET/2/det/PronType=Art casa/NOUN/0/root minha/PRON/2/nmod:poss/Poss=Yes",
            "0:TOP 1:ARG 2:RMOD",
        ),
    ],
)
def test_other_possessors_depend_on_their_noun(text: str, expected: str) -> None:
    assert there(text) == expected


def test_two_possessive_pronouns_belong_to_two_conjuncts() -> None:
    """*my father and my mother*, where the coordination is not below the first *my*."""
    text = (
        "my/PRON/2/nmod:poss/Poss=Yes father/NOUN/0/root and/CCONJ/5/cc "
        "my/PRON/5/nmod:poss/Poss=Yes mother/NOUN/2/conj"
    )
    assert there(text) == "0:TOP 1:ARG 1:COORD+BASE 3:COORD2ND+BASE 4:ARG"


@pytest.mark.parametrize(
    "text",
    [
        "toutes/DET/3/det/PronType=Ind les/DET/3/det/PronType=Art villes/NOUN/0/root",
        "all/DET/3/det/PronType=Tot the/DET/3/det/PronType=Art cities/NOUN/0/root",
    ],
)
def test_a_determiner_before_an_article_depends_on_it(text: str) -> None:
    assert there(text) == "2:RMOD 0:TOP 2:ARG"


@pytest.mark.parametrize("word", ["Liability", "Responsabilité"])
def test_a_number_with_a_closing_bracket_heads_nothing(word: str) -> None:
    text = f"6/NUM/3/nummod )/PUNCT/1/punct {word}/NOUN/0/root"
    assert transform(sentence(text), "ud", "tut")[0].head.tolist()[2] == 0
    assert there(f"6/NUM/2/nummod {word}/NOUN/0/root") == "0:TOP 1:ARG"


@pytest.mark.parametrize(
    "text",
    [
        "In/PREP/0/TOP/MONO other/ADJ/1/ARG/DEITT|ALLVAL|ALLVAL words/NOUN/2/ARG/COMMON|N|PL",
        "In/PREP/0/TOP/MONO altri/ADJ/1/ARG/DEITT|M|PL termini/NOUN/2/ARG/COMMON|M|PL",
    ],
)
def test_an_adjective_that_heads_a_noun_is_its_modifier(text: str) -> None:
    assert arcs(transform(turin(text), "tut", "ud")[0]) == "3:case 3:amod 0:root"


def test_the_same_adjective_below_a_noun_is_its_modifier_too() -> None:
    text = "gli/ART/0/TOP/DEF|M|PL altri/ADJ/3/RMOD/DEITT|M|PL termini/NOUN/1/ARG/COMMON|M|PL"
    assert arcs(transform(turin(text), "tut", "ud")[0]) == "3:det 3:amod 0:root"

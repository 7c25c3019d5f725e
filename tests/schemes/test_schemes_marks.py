"""Marks: where they belong by the guidelines of the hub, and when they are placed anew."""

from __future__ import annotations

import pytest
from scheme_samples import sentence

from commonground import read_text, transform
from commonground.corpus import Dependencies
from commonground.schemes.marks import place, place_at_clauses
from commonground.schemes.tree import Tree


def tree_of(text: str) -> Tree:
    """Return the tree of words that are written ``form/TAG/head/label``."""
    words = [word.split("/") for word in text.split()]
    comma = ["PunctType=Comm" if form == "," else "_" for form, *_ in words]
    sides = {"(": "PunctSide=Ini", ")": "PunctSide=Fin"}
    feats = [sides.get(word[0], kind) for word, kind in zip(words, comma, strict=True)]
    heads, labels = [int(word[2]) for word in words], [word[3] for word in words]
    return Tree(heads, labels, [word[1] for word in words], feats)


@pytest.mark.parametrize(
    ("text", "mark", "home"),
    [
        pytest.param(
            "Rome/PROPN/4/obl ,/PUNCT/4/punct she/PRON/4/nsubj sang/VERB/0/root", 2, 1, id="phrase"
        ),
        pytest.param("tea/NOUN/0/root ,/PUNCT/1/punct milk/NOUN/1/conj", 2, 3, id="conjunct"),
        pytest.param(
            "rote/ADJ/5/amod (/PUNCT/5/punct alte/ADJ/5/amod )/PUNCT/5/punct Autos/NOUN/0/root",
            2,
            3,
            id="brackets",
        ),
        pytest.param(
            "она/PRON/2/nsubj знает/VERB/0/root ,/PUNCT/2/punct что/SCONJ/6/mark он/PRON/6/nsubj "
            "поёт/VERB/2/ccomp",
            3,
            6,
            id="clause",
        ),
        pytest.param("sie/PRON/2/nsubj singt/VERB/0/root ./PUNCT/1/punct", 3, 2, id="end"),
    ],
)
def test_a_mark_hangs_on_the_lower_one_of_the_phrases_that_meet_at_it(
    text: str, mark: int, home: int
) -> None:
    tree = tree_of(text)
    place(tree)
    assert tree.head[mark] == home


def test_only_marks_of_clauses_are_moved_where_the_others_are_placed() -> None:
    tree = tree_of(
        "Rome/PROPN/4/obl ,/PUNCT/4/punct she/PRON/4/nsubj knew/VERB/0/root ,/PUNCT/4/punct "
        "that/SCONJ/7/mark came/VERB/4/ccomp"
    )
    place_at_clauses(tree)
    assert (tree.head[2], tree.head[5]) == (4, 7)


def treebank(copies: int) -> Dependencies:
    """Return copies of a sentence of Alpino whose comma hangs on the root, as all marks there do."""
    rows = [
        ("In", "VZ(init)", 4, "mod"),
        ("Rome", "N(eigen,ev,basis,onz,stan)", 1, "obj1"),
        (",", "LET()", 4, "punct"),
        ("zong", "WW(pv,verl,ev)", 0, "ROOT"),
        ("ze", "VNW(pers,pron,stan,red,3,ev,fem)", 4, "su"),
    ]
    lines = (
        f"{n}\t{w}\t_\t_\t{tag}\t_\t{head}\t{label}\t_\t_"
        for n, (w, tag, head, label) in enumerate(rows, 1)
    )
    corpus = read_text("\n".join([*lines, "\n"]) * copies, "conllu")
    assert isinstance(corpus, Dependencies)
    return corpus


def test_marks_are_placed_anew_where_all_of_a_treebank_hang_on_roots() -> None:
    many, _ = transform(treebank(30), "alpino", "ud")
    few, _ = transform(treebank(3), "alpino", "ud")
    assert (many.head[2], few.head[2]) == (2, 4)


def test_a_prague_conjunction_before_all_conjuncts_hangs_on_the_first_one() -> None:
    lines = [
        "1\tet\t_\t_\tc--------\t_\t0\tCoord\t_\t_",
        "2\tvenit\t_\t_\tv3sria---\t_\t1\tPred_Co\t_\t_",
        "3\tvidit\t_\t_\tv3sria---\t_\t1\tPred_Co\t_\t_",
    ]
    done, _ = transform(read_text("\n".join([*lines, "\n"]), "conllu"), "prague", "ud")
    assert done.head.tolist() == [2, 0, 2]


def test_a_prague_copula_with_two_predicates_is_a_copula() -> None:
    lines = [
        "1\tmagnus\t_\t_\ta-s---mn-\t_\t2\tPnom_Co\t_\t_",
        "2\tet\t_\t_\tc--------\t_\t4\tCoord\t_\t_",
        "3\tbonus\t_\t_\ta-s---mn-\t_\t2\tPnom_Co\t_\t_",
        "4\terat\t_\t_\tv3siia---\t_\t0\tPred\t_\t_",
    ]
    done, _ = transform(read_text("\n".join([*lines, "\n"]), "conllu"), "prague", "ud")
    assert done.head.tolist() == [0, 3, 1, 1]
    assert done.deprel.tolist() == ["root", "cc", "conj", "cop"]


def prague(*sentences: str) -> Dependencies:
    """Return sentences in the style of Prague: ``form/first letter of the tag/head/label``."""
    lines = []
    for text in sentences:
        for n, word in enumerate(text.split(), 1):
            form, tag, head, label = word.split("/")
            lines.append(f"{n}\t{form}\t{form}\t_\t{tag}--------\t_\t{head}\t{label}\t_\t_")
        lines.append("")
    corpus = read_text("\n".join([*lines, ""]), "conllu")
    assert isinstance(corpus, Dependencies)
    return corpus


@pytest.mark.parametrize("words", ["canit , dum rex venit", "ᾄδει , ὅτε βασιλεὺς ἥκει"])
def test_a_comma_on_the_technical_root_is_placed_by_the_guidelines(words: str) -> None:
    arcs = ["v/0/PRED", "u/0/AuxX", "c/1/AuxC", "n/5/SBJ", "v/3/ADV"]
    text = " ".join(f"{form}/{arc}" for form, arc in zip(words.split(), arcs, strict=True))
    ud, _ = transform(prague(text), "prague", "ud")
    assert ud.head.tolist() == [0, 5, 5, 5, 1]


@pytest.mark.parametrize("words", ["mare que et terra tremit", "θάλαττά τε καὶ γῆ σείεται"])
def test_an_adverb_with_the_label_of_conjunctions_belongs_to_the_first_conjunct(words: str) -> None:
    arcs = ["n/3/SBJ_CO", "d/3/AuxY", "c/5/COORD", "n/3/SBJ_CO", "v/0/PRED"]
    text = " ".join(f"{form}/{arc}" for form, arc in zip(words.split(), arcs, strict=True))
    ud, _ = transform(prague(text), "prague", "ud")
    assert ud.head.tolist() == [5, 1, 4, 1, 0]


def test_a_verb_with_the_label_of_objects_is_no_auxiliary() -> None:
    copulas = ["rex/n/2/PNOM est/v/0/PRED"] * 10
    corpus = prague("rex/n/2/PNOM fieri/v/3/OBJ dicitur/v/0/PRED", *copulas)
    ud, _ = transform(corpus, "prague", "ud")
    assert ud.head.tolist()[:5] == [2, 3, 0, 0, 1]


@pytest.mark.parametrize("home", [2, 5])
@pytest.mark.parametrize("scheme", ["stanford", "lth", "tut", "yamada"])
def test_a_mark_outside_of_the_phrase_beside_it_is_found_again(scheme: str, home: int) -> None:
    # Some treebanks hang the comma of a phrase on the phrase, others on the clause.
    ud = sentence(
        f"in/ADP/2/case Rom/PROPN/5/obl ,/PUNCT/{home}/punct sie/PRON/5/nsubj sang/VERB/0/root"
    )
    there, _ = transform(ud, "ud", scheme)
    assert ("Outside=Yes" in there.misc[2]) == (home == 5)
    back, _ = transform(there, scheme, "ud")
    assert back.head.tolist() == ud.head.tolist()
    assert back.misc[2] == "_"


def test_marks_around_a_coordination_hang_on_its_conjunction_in_prague():
    marked = "(/PUNCT/2/punct tea/NOUN/0/root or/CCONJ/4/cc milk/NOUN/2/conj )/PUNCT/2/punct"
    corpus = sentence(marked)
    done, _ = transform(corpus, "ud", "prague")
    assert done.head.tolist() == [3, 3, 0, 3, 3]
    assert transform(done, "prague", "ud")[0].head.tolist() == corpus.head.tolist()


@pytest.mark.parametrize("scheme", ["stanford", "collins", "yamada"])
def test_a_mark_of_the_phrase_that_the_guidelines_do_not_mean_is_found_again(scheme: str) -> None:
    # The comma after the relative clause is its own here; elsewhere it would be that of *man*.
    text = (
        "man/NOUN/6/nsubj ,/PUNCT/4/punct who/PRON/4/nsubj sings/VERB/1/acl:relcl "
        ",/PUNCT/4/punct runs/VERB/0/root"
    )
    ud = sentence(text)
    there, _ = transform(ud, "ud", scheme)
    assert "Inside=Before" in there.misc[4]
    back, _ = transform(there, scheme, "ud")
    assert (back.head.tolist(), back.misc[4]) == (ud.head.tolist(), "_")


def test_marks_cross_no_arc_on_their_way_back() -> None:
    text = (
        "she/PRON/2/nsubj sang/VERB/0/root and/CCONJ/4/cc ran/VERB/2/conj ,/PUNCT/8/punct "
        "when/SCONJ/8/mark we/PRON/8/nsubj left/VERB/4/advcl ./PUNCT/2/punct"
    )
    ud = sentence(text)
    there, _ = transform(ud, "ud", "yamada")
    back, _ = transform(there, "yamada", "ud")
    assert back.head.tolist() == ud.head.tolist()

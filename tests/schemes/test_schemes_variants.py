"""Schemes that are like others: variants that come along, and files that name what they are like."""

from __future__ import annotations

import pytest

import commonground as cg
from commonground.errors import InputError
from commonground.formats import read_text
from commonground.ground.inventory import recognise_inventory
from commonground.schemes.library import find_scheme, scheme_names, variant_names
from commonground.schemes.scheme_file import parse_scheme


def test_a_variant_differs_only_in_what_it_says() -> None:
    sud, other = find_scheme("sud"), find_scheme("sud-comp")
    assert other.choices == sud.choices
    assert other.writing.plain("case") == "comp"
    assert sud.writing.plain("case") == "comp:obj"
    assert find_scheme("sud-obj") == sud


def test_what_a_variant_writes_is_read_by_both() -> None:
    ud = cg.read("example:ud")
    done, _ = cg.transform(ud, "ud", "sud-comp")
    for scheme in ("sud", "sud-comp"):
        back, _ = cg.transform(done, scheme, "ud")
        assert (back.head == ud.head).all()


def test_variants_are_no_schemes_of_their_own() -> None:
    assert not set(variant_names()) & set(scheme_names())


def test_a_scheme_that_is_like_none_is_refused_with_its_line() -> None:
    with pytest.raises(InputError, match=r"<text>:2: there is no scheme 'sut'; did you mean tut"):
        parse_scheme('name = "mine"\nlike = "sut"')


def test_rules_of_a_file_come_before_those_of_what_it_is_like() -> None:
    text = 'name = "mine"\nlike = "sud"\n[labels]\nwrite = [{ hub = "det", label = "spec" }]'
    mine = parse_scheme(text)
    assert mine.writing.plain("det") == "spec"
    assert mine.writing.plain("nsubj") == "subj"


def test_subtypes_of_compounds_keep_their_colon_in_sud() -> None:
    sud = find_scheme("sud")
    assert sud.writing.plain("compound:prt") == "compound:prt"
    assert sud.reading.plain("compound:prt") == "compound:prt"


def test_the_words_of_an_idiom_hang_on_the_first_one() -> None:
    # French "d'abord", and English "and so on", whose head is not its first word.
    french = ["d'/ADP/3/mod/ExtPos=ADV/Idiom=Yes", "abord/NOUN/1/comp:obj/_/InIdiom=Yes"]
    english = ["and/CCONJ/2/cc/_/InIdiom=Yes", "so/ADV/3/mod/ExtPos=ADV/Idiom=Yes"]
    for idiom in (french, english):
        rows = [row.split("/") for row in [*idiom, "va/VERB/0/root/_/_"]]
        lines = [
            f"{n}\t{form}\t_\t{tag}\t_\t{feats}\t{head}\t{label}\t_\t{misc}"
            for n, (form, tag, head, label, feats, misc) in enumerate(rows, 1)
        ]
        ud, _ = cg.transform(cg.read_text("\n".join([*lines, "\n"]), "conllu"), "sud", "ud")
        assert ud.head.tolist() == [3, 1, 0]
        assert ud.deprel.tolist() == ["advmod", "fixed", "root"]


def test_deep_features_that_universal_dependencies_have_not_are_dropped_and_counted() -> None:
    lines = ["1\tso\t_\tPART\t_\t_\t2\tdiscourse@foc\t_\t_", "2\tva\t_\tVERB\t_\t_\t0\troot\t_\t_"]
    corpus = cg.read_text("\n".join([*lines, "\n"]), "conllu")
    ud, report = cg.transform(corpus, "sud", "ud")
    assert ud.deprel.tolist() == ["discourse", "root"]
    assert report.unknown == {("discourse@foc", "discourse"): 1}


def test_a_word_that_stands_for_an_adposition_is_one() -> None:
    # "according to her": ExtPos tells that the verb has no object here.
    rows = [
        ("according", "VERB", 0, "root"),
        ("to", "ADP", 1, "unk"),
        ("her", "PRON", 1, "comp:obj"),
    ]
    for feats, heads in (("ExtPos=ADP", [3, 1, 0]), ("_", [0, 1, 1])):
        lines = [
            f"{n}\t{form}\t_\t{tag}\t_\t{feats if n == 1 else '_'}\t{head}\t{label}\t_\t_"
            for n, (form, tag, head, label) in enumerate(rows, 1)
        ]
        ud, _ = cg.transform(cg.read_text("\n".join([*lines, "\n"]), "conllu"), "sud", "ud")
        assert ud.head.tolist() == heads


FIRST_VERSION = """\
1	Dogs	dog	NOUN	_	_	3	nsubjpass	_	_
2	are	be	AUX	_	_	3	auxpass	_	_
3	seen	see	VERB	_	_	0	root	_	_
4	and	and	CONJ	_	_	3	cc	_	_
5	fed	feed	VERB	_	_	3	conj	_	_
6	in	in	ADP	_	_	8	case	_	_
7	the	the	DET	_	_	8	det	_	_
8	park	park	NOUN	_	_	5	nmod	_	_

"""


def test_version_1_of_universal_dependencies_becomes_version_2() -> None:
    done, _ = cg.transform(read_text(FIRST_VERSION), "ud1", "ud")
    assert done.head.tolist() == [3, 3, 0, 5, 3, 8, 8, 5]
    assert done.deprel.tolist()[:2] == ["nsubj:pass", "aux:pass"]
    assert done.deprel.tolist()[7] == "obl"
    tags = done.upos.map(lambda tag: "CCONJ" if tag == "CONJ" else tag)
    back, _ = cg.transform(done.replace("words", upos=tags), "ud", "ud1")
    assert back.head.tolist() == [3, 3, 0, 3, 3, 8, 8, 5]
    assert back.deprel.tolist()[7] == "nmod"


def test_version_1_is_recognised_by_its_labels() -> None:
    assert recognise_inventory(read_text(FIRST_VERSION)) == "ud1"

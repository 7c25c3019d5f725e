"""Schemes that are like others: variants that come along, and files that name what they are like."""

from __future__ import annotations

import pytest

import commonground as cg
from commonground.errors import InputError
from commonground.schemes.library import find_scheme, scheme_names, variant_names
from commonground.schemes.scheme_file import parse_scheme


def test_a_variant_differs_only_in_what_it_says() -> None:
    sud, other = find_scheme("sud"), find_scheme("sud-obj")
    assert other.choices == sud.choices
    assert other.writing.plain("case") == "comp:obj"
    assert sud.writing.plain("case") == "comp"


def test_what_a_variant_writes_is_read_by_both() -> None:
    ud = cg.read("example:ud")
    done, _ = cg.transform(ud, "ud", "sud-obj")
    for scheme in ("sud", "sud-obj"):
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

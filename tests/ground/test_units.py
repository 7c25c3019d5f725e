"""Common units for different segmentations of one text."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from function_trees import shown, trees
from hypothesis import given
from hypothesis import strategies as st

import commonground
from commonground.corpus import Dependencies, Functions
from commonground.errors import InputError, UsageError
from commonground.formats import read_text
from commonground.ground import generalize, subsumes, to_functions
from commonground.ground.units import in_common_units


def ud(*rows):
    """A dependency tree of rows `form head label`; `2= form` is a token over the next 2 words."""
    lines, place = [], 0
    for row in rows:
        form, *rest = row.split()
        if rest[0].isdecimal():
            place += 1
            head, label = rest
            lines.append(f"{place}\t{form}\t_\t_\t_\t_\t{head}\t{label}\t_\t_")
        else:
            size = int(form.removesuffix("="))
            (joined,) = rest
            lines.append(f"{place + 1}-{place + size}\t{joined}" + "\t_" * 8)
    return read_text("\n".join(lines) + "\n", "conllu")


def penn(text):
    return read_text(text, "brackets")


FRENCH = ud("Parc 0 root", "2= du", "de 4 case", "le 4 det", "Nord 1 nmod")
FRENCH_PTB = penn("(NP (NC Parc) (PP-MOD (P+D du) (NP (NPP Nord))))")


def text_of(*corpora, **options):
    return [shown(tree) for tree in in_common_units(corpora, **options).trees]


def test_the_same_words_stay():
    one, two = trees("({a} x y)"), trees("({b} x) y")
    assert in_common_units([one, two]).trees == (one, two)


def test_a_contraction_that_one_side_has_unsplit_is_one_unit():
    assert text_of(FRENCH, FRENCH_PTB) == [
        "({root} ({hd} Parc) ({nmod} ({case,det} du) ({hd} Nord)))",
        "({} ({} Parc) ({MOD} ({} du) ({} Nord)))",
    ]


def test_a_contraction_that_all_sides_split_alike_is_two_units():
    other = ud("Parc 0 root", "2= du", "de 1 case", "le 4 det", "Nord 2 nmod")
    changed = ud("Parc 0 root", "2= du", "De 1 case", "le 4 det", "NORD 2 nmod")
    result = in_common_units([FRENCH, other, changed]).trees
    assert [tree.form.tolist() for tree in result] == [["Parc", "De", "le", "NORD"]] * 3


def test_a_contraction_that_two_sides_split_in_different_ways():
    other = ud("Parc 0 root", "2= du", "de 1 case", "la 4 det", "Nord 2 nmod")
    result = in_common_units([FRENCH, other]).trees[0]
    assert result.form.tolist() == ["Parc", "de", "la", "Nord"]
    more = ud("Parc 0 root", "3= du", "de 1 case", "l 5 det", "e 3 x", "Nord 2 nmod")
    result = in_common_units([FRENCH, more]).trees
    assert [tree.form.tolist() for tree in result] == [["Parc", "de", "le", "Nord"]] * 2


def test_a_node_that_ends_inside_of_a_unit_is_widened():
    tree = ud("Parc 0 root", "2= du", "de 1 case", "le 4 det", "Nord 2 nmod")
    result, _ = text_of(tree, FRENCH_PTB)
    assert result == "({root} ({hd} Parc) ({case,nmod} ({det,hd} du) ({hd} Nord)))"


def test_words_that_spell_their_token_are_anchored_in_its_characters():
    one = ud("2= don't", "do 3 aux", "n't 3 neg", "go 0 root")
    assert (
        text_of(one, penn("(VP (MD do) (RB n't) (VB go))"))[0]
        == "({root} ({aux} do) ({neg} n't) ({hd} go))"
    )
    assert (
        text_of(one, penn("(VP (MD don't) (VB go))"))[0] == "({root} ({aux,neg} don't) ({hd} go))"
    )


def test_hebrew_with_a_covert_article():
    """*babayit*, in the house: b + h + byt, or b + byt where the article is not written."""
    gold = ud("3= בבית", "ב 3 case", "ה 3 det", "בית 0 obl")
    parse = ud("2= בבית", "ב 2 case", "בית 0 obl")
    assert text_of(gold, parse) == [
        "({obl} ({case} ב) ({det,hd} בית))",
        "({obl} ({case} ב) ({hd} בית))",
    ]


def test_hebrew_segments_that_spell_the_token():
    gold = ud("2= הבית", "ה 2 det", "בית 0 root")
    parse = ud("הבית 0 root")
    assert text_of(gold, parse) == ["({det,hd,root} הבית)", "({root} הבית)"]


def test_boundaries_that_cross_leave_the_unit_that_holds_both():
    one, two = ud("ab 2 x", "cd 0 root", "e 2 y"), ud("a 2 x", "bcd 0 root", "e 2 y")
    assert text_of(one, two) == ["({root} ({hd,x} abcd) ({y} e))"] * 2


def test_white_space_case_and_underscores_are_no_characters():
    one = ud("aujourd'hui 0 root", "10 1 x", "000 1 y")
    two = penn("(X (A Aujourd'_hui) (B 10\N{NO-BREAK SPACE}000))")
    result = in_common_units([one, two]).trees
    assert [tree.form.tolist() for tree in result] == [["Aujourd'_hui", "10000"]] * 2


def test_scattered_yields_are_carried_over():
    one, two = trees("({x} 1=ab 3=e) 2=cd"), trees("a b c d ({y} e)")
    assert text_of(one, two) == ["({x} 1=ab 3=e) 2=cd", "ab cd ({y} e)"]


def test_relations_and_traces():
    stanford = read_text("nsubj(gonna-2, I-1)\nroot(ROOT-0, gonna-2)\n", "stanford")
    tree = penn("(S (NP-SBJ (PRP I)) (VP (V gon) (TO na) (-NONE- *)))")
    assert text_of(stanford, tree) == [
        "({root} ({nsubj} I) ({hd} gonna))",
        "({} ({SBJ} I) ({} gonna))",
    ]


# ── other texts ──────────────────────────────────────────────────────────────────────────────────

GOLD = ud("He 2 a", "said 0 root", "`` 4 c", "yes 2 d")
QUOTES = penn('(S (N He) (V said) (Q ") (X yes))')


def test_other_characters_are_refused_with_both_places():
    with pytest.raises(InputError) as caught:
        in_common_units([GOLD, QUOTES])
    assert "<text>:1: the sentence goes on with '\"yes', but in <text>:1 with '``yes'" in str(
        caught.value
    )


def test_a_text_that_ends_before_the_other_is_told_to_end():
    with pytest.raises(InputError, match=r"the sentence ends, but in .* it goes on with 'yes'"):
        in_common_units([GOLD, penn("(S (N He) (V said) (Q ``))")])


def test_equally_many_words_are_paired_by_place():
    result = in_common_units([GOLD, QUOTES], on_mismatch="realign")
    assert result.realigned.tolist() == [0]
    assert result.trees[0].form.tolist() == ["He", "said", '"', "yes"]
    assert result.trees[0].yields == to_functions(GOLD).yields


def test_other_words_are_paired_by_their_forms():
    """Hebrew without the surface: the article that one side does not have joins the next word."""
    one, two = trees("({a} ({p} b) h byt) ({c} gdwl)"), trees("({b} b byt) gdwl")
    result = in_common_units([one, two], on_mismatch="realign")
    assert [shown(tree) for tree in result.trees] == [
        "({a} ({p} b) byt) ({c} gdwl)",
        "({b} b byt) gdwl",
    ]


def test_what_follows_the_last_pair_joins_it():
    one, two = trees("a b ({x} c)"), trees("a b")
    result = in_common_units([one, two], on_mismatch="realign").trees
    assert [tree.words.lengths.tolist() for tree in result] == [[2], [2]]
    assert result[0].yields.tolist() == ["2"]


def test_sentences_can_be_skipped():
    one, two = trees("a b\n({x} c)\nd"), trees("a b\nz ({y} y)\nd")
    for how in ("skip", "realign"):
        result = in_common_units([one, two], on_mismatch=how)
        assert (result.kept.tolist(), result.skipped.tolist()) == ([0, 2], [1])
        assert [len(tree) for tree in result.trees] == [2, 2]


def test_other_numbers_of_sentences():
    with pytest.raises(UsageError, match="they have 1 and 2"):
        in_common_units([trees("a"), trees("a\nb")])
    with pytest.raises(UsageError, match="at least one"):
        in_common_units([])


def test_words_in_another_order_are_no_pairs():
    one, two = trees("a x y b c d"), trees("a y x b c d e")
    result = in_common_units([one, two], on_mismatch="realign").trees
    assert [tree.form.tolist() for tree in result] == [["a", "xy", "b", "c", "d"]] * 2


@pytest.mark.long
def test_a_long_sentence():
    length = 10_000
    one = Functions.of([([f"w{place}" for place in range(length)], [(f"1-{length}", "x")])])
    two = Functions.of([(["w", *one.form.tolist()[1:-1]], [])])
    three = Functions.of([(["w0w1", *one.form.tolist()[2:]], [])])
    result = in_common_units([one, two], on_mismatch="realign").trees
    assert result[0].yields.tolist() == [f"1-{length - 1}"]
    assert in_common_units([one, three]).trees[0].yields.tolist() == [f"1-{length - 1}"]


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────


@st.composite
def segmentations(draw):
    """Three random segmentations of a text, each with a random tree of words or spans."""
    text = draw(st.text("abc", min_size=1, max_size=8))
    results = []
    for _ in range(3):
        cuts = draw(st.sets(st.integers(1, len(text) - 1))) if len(text) > 1 else set()
        bounds = [0, *sorted(cuts), len(text)]
        words = [text[a:b] for a, b in pairwise(bounds)]
        spans = draw(st.lists(st.tuples(*[st.integers(1, len(words))] * 2), max_size=4))
        rows = [(f"{min(s)}-{max(s)}" if s[0] != s[1] else str(s[0]), "x") for s in spans]
        results.append(Functions.of([(words, rows)]))
    return results


@given(segmentations())
def test_the_order_of_the_corpora_changes_nothing(corpora):
    wanted = in_common_units(corpora).trees
    for order in permutations(range(3)):
        result = in_common_units([corpora[place] for place in order]).trees
        assert result == tuple(wanted[place] for place in order)


@given(segmentations())
def test_units_have_exactly_the_boundaries_that_all_share(corpora):
    result = in_common_units(corpora).trees
    bounds = [set(np.cumsum([len(w) for w in corpus.form]).tolist()) for corpus in corpora]
    for tree in result:
        assert set(np.cumsum([len(unit) for unit in tree.form]).tolist()) == set.intersection(
            *bounds
        )


@given(segmentations())
def test_units_stay_what_they_are(corpora):
    once = in_common_units(corpora).trees
    assert in_common_units(once).trees == once


# ── Sequoia ──────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def sequoia(shared):
    return [
        commonground.read(shared / "data/sequoia" / name)
        for name in ("ud.conllu", "sud.conllu", "const.mrg")
    ]


def test_three_treebanks_of_sequoia(sequoia):
    result = in_common_units(sequoia)
    assert len(result.kept) == 725
    assert len(result.realigned) == len(result.skipped) == 0
    unit_counts = {tree.words.rows for tree in result.trees}
    assert unit_counts == {12_923}
    assert sequoia[0].words.rows == 13_234
    common = generalize(*result.trees)
    for tree in result.trees:
        assert subsumes(common, tree).all()


def test_the_order_of_the_treebanks_changes_nothing(sequoia):
    one = in_common_units([corpus[:100] for corpus in sequoia]).trees
    two = in_common_units([corpus[:100] for corpus in reversed(sequoia)]).trees
    assert one == two[::-1]


def test_the_same_contractions_keep_their_words(sequoia):
    result = in_common_units(sequoia[:2])
    assert result.trees[0].words.rows == sequoia[0].words.rows
    assert isinstance(sequoia[0], Dependencies)

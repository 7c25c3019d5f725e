"""Head rules: the tables of the literature, files of one's own, and the choice of heads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import commonground as cg
from commonground.conversion.forest import Forest, arcs, lexical_heads
from commonground.conversion.head_rules import (
    ChildChoice,
    HeadRules,
    find_rules,
    read_rules,
    rule_names,
)
from commonground.conversion.heads import PUNCTUATION, find_heads
from commonground.errors import InputError, UsageError
from commonground.schemes.scheme import Scheme
from commonground.schemes.transform import transform


def trees(text):
    return cg.read_text(text, "brackets")


def heads(text, rules):
    """The head of each word, from 1; 0 is the root."""
    return cg.to_dependencies(trees(text), rules)[0].head.tolist()


# ── tables ───────────────────────────────────────────────────────────────────────────────────────


def test_the_tables_of_the_literature_are_there():
    assert rule_names() == ["alpino", "collins", "lth", "magerman", "stanford", "yamada"]
    assert find_rules("magerman").title == "Magerman 1995"


@pytest.mark.parametrize("name", ["collins", "yamada", "magerman"])
def test_every_phrase_of_the_penn_treebank_has_a_rule(name):
    phrases = "ADJP ADVP CONJP FRAG INTJ LST NAC NP NX PP PRN PRT QP RRC S SBAR SBARQ SINV SQ UCP"
    assert set(phrases.split()) < set(find_rules(name).heads)
    assert {"VP", "WHADJP", "WHADVP", "WHNP", "WHPP", "X"} < set(find_rules(name).heads)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        # Collins and Yamada & Matsumoto disagree about infinitives and about conjuncts.
        ("collins", "(VP (TO to) (VP (VB eat)))", [0, 1]),
        ("yamada", "(VP (TO to) (VP (VB eat)))", [2, 0]),
        ("magerman", "(VP (TO to) (VP (VB eat)))", [0, 1]),
        ("collins", "(NP (NP (NN tea)) (CC and) (NP (NN milk)))", [0, 1, 1]),
        ("yamada", "(NP (NP (NN tea)) (CC and) (NP (NN milk)))", [3, 3, 0]),
        # Schwartz 2011, chapter 4: modal and preposition head, the last proper noun heads.
        ("collins", "(VP (MD can) (VP (VB eat)))", [0, 1]),
        ("yamada", "(VP (MD can) (VP (VB eat)))", [0, 1]),
        ("collins", "(PP (IN in) (NP (DT the) (NN house)))", [0, 3, 1]),
        ("yamada", "(NP (NNP John) (NNP Doe))", [2, 0]),
        # The subordinator or the relative word heads its clause; with Magerman the verb does.
        ("collins", "(SBAR (IN that) (S (NP (PRP it)) (VP (VBZ rains))))", [0, 3, 1]),
        ("magerman", "(SBAR (IN that) (S (NP (PRP it)) (VP (VBZ rains))))", [3, 3, 0]),
        # A possessive marker heads its noun phrase (Collins: the last word, if it is tagged POS).
        ("collins", "(NP (NP (NNP Ann) (POS 's)) (NN cat))", [2, 3, 0]),
        ("yamada", "(NP (NP (NNP Ann) (POS 's)) (NN cat))", [2, 3, 0]),
    ],
)
def test_heads_by_hand(name, text, expected):
    assert heads(text, name) == expected


def test_the_noun_phrase_rules_of_collins_are_tried_in_their_order():
    assert heads("(NP (NP (DT a) (NN cat)) (PP (IN of) (NP (NN wood))))", "collins")[1] == 0
    assert heads("(NP ($ $) (CD 5))", "collins") == [0, 1]
    assert heads("(NP (CD two) (RB only))", "collins") == [0, 1]
    assert heads("(NP (DT the) (JJ rich))", "collins") == [2, 0]
    assert heads("(NP (DT this) (DT that))", "collins") == [2, 0]


def test_collins_passes_the_head_to_the_conjunct_before_the_conjunction():
    flat = "(NP (DT the) (NN tea) (, ,) (NN milk) (CC and) (NN bread))"
    assert heads(flat, "collins") == [4, 4, 4, 0, 4, 4]
    marked = "(UCP (ADJP (JJ old)) (, ,) (CC and) (NP (NN gold)))"
    assert heads(marked, "collins") == [0, 1, 1, 1]


def test_a_conjunction_at_the_beginning_moves_nothing():
    assert heads("(S (CC But) (NP (PRP it)) (VP (VBZ rains)))", "collins") == [3, 3, 0]
    assert heads("(UCP (CC or) (NP (NN gold)))", "collins") == [2, 0]


# ── what cannot be decided ───────────────────────────────────────────────────────────────────────


def test_punctuation_is_head_only_where_there_is_nothing_else():
    assert heads("(FRAG (NP (NN tea)) (. .))", "collins") == [0, 1]
    assert heads("(FRAG (: --) (. .))", "collins") == [2, 0]


def test_a_phrase_without_a_candidate_has_a_default_and_is_counted():
    result, report = cg.to_dependencies(trees("(S (PP (NP (NN tea)) (ADVP (RB here))) (. .))"))
    assert result.head.tolist() == [2, 0, 2]  # the last child, as the rule of PP says
    assert report.default == {"PP": 1, "S": 1}
    assert "2 of 4 phrases are headed by default (PP 1, S 1)" in report.text


def test_an_unknown_category_is_headed_by_its_first_child_and_counted():
    result, report = cg.to_dependencies(trees("(FOO (NN tea) (NN milk))"), "yamada")
    assert result.head.tolist() == [0, 1]
    assert report.default == {"FOO": 1}


def test_a_rule_that_takes_anything_is_no_default():
    assert cg.to_dependencies(trees("(FRAG (NN tea) (NN milk))"))[1].default == {}


def test_several_trees_in_one_bracket_make_one_sentence():
    assert heads("( (S (VP (VB Go))) (S (VP (VB Run))))", "collins") == [0, 1]


def test_traces_and_their_phrases_are_never_heads():
    text = "(S (NP-SBJ-1 (PRP It)) (VP (VBD was) (VP (VBN seen) (NP (-NONE- *-1)))))"
    result, report = cg.to_dependencies(trees(text))
    assert result.form.tolist() == ["It", "was", "seen"]
    assert result.head.tolist() == [2, 0, 2]
    assert report.empty == 1


def test_a_sentence_of_traces_only_is_left_out_and_counted():
    result, report = cg.to_dependencies(trees("(S (NP (-NONE- *)))\n(S (VP (VB Go)))"))
    assert result.form.tolist() == ["Go"]
    assert report.left_out == 1
    assert report.text == "1 sentence without a word left out"


def test_an_empty_treebank_gives_an_empty_treebank():
    whole = trees("(S (VP (VB Go)))")
    for rules in ("collins", "lth"):
        assert len(cg.to_dependencies(whole[:0], rules)[0]) == 0


# ── files of one's own ───────────────────────────────────────────────────────────────────────────


def test_the_format_of_penn2malt_is_read(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("# last things first\nNP\tr NN NNS;l DT;r\nVP l VB\n")
    assert heads("(NP (NN tea) (NN milk) (DT both))", path) == [2, 0, 2]
    assert heads("(VP (NP (NN tea)) (VB buy))", path) == [2, 0]


def test_rules_in_toml_are_read(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('default = "r"\n[heads]\n"NP NX" = "l DT;r"\n')
    assert heads("(NX (DT the) (NN tea))", path) == [0, 1]
    assert heads("(FOO (DT the) (NN tea))", path) == [2, 0]


def test_functions_can_be_asked_for():
    choice = ChildChoice(leftmost=True, labels=frozenset(["*-"]))
    assert choice.takes("NP", "")
    assert not choice.takes("NP", "SBJ")
    rules = read_rules(b"S\tr NP-;l -PRD;l\n", "mine")
    forest = Forest.of(trees("(S (NP-SBJ (NN tea)) (ADJP-PRD (JJ hot)) (NP (NN here)))"))
    assert forest.category[int(find_heads(forest, rules).child[forest.words])] == "NP"


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"PP\tx IN\n", 1, "'x' is not a direction; 'l NN NNS' or 'r NN NNS' is right"),
        (b"PP\tl IN\n\nPP\tr IN\n", 3, "a second rule for 'PP'"),
        (b"PP\tl IN;;r\n", 1, "'' is not a direction"),
        (b"PP\n", 1, "'' is not a direction"),
        (b"PP\tl IN\n\xff\n", 2, "not UTF-8"),
        (b"# nothing\n", 0, "no rules"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(content, line, message):
    with pytest.raises(InputError) as caught:
        read_rules(content, "mine.txt")
    assert (caught.value.path, caught.value.line) == ("mine.txt", line)
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[heads", "not TOML"),
        (b"title = 'x'\n", "there is no table [heads]"),
        (b"heads = 3\n", "there is no table [heads]"),
        (b"[heads]\nPP = 3\n", "the rule of 'PP' is not text"),
        (b"default = 'x'\n[heads]\nPP = 'l'\n", "default is 'x'; it is l or r"),
        (b"[heads]\nPP = '{adposition}'\n", "[ways.adposition] has no"),
    ],
)
def test_a_broken_toml_file_is_refused(content, message):
    with pytest.raises(InputError) as caught:
        read_rules(content, "mine.toml")
    assert message in caught.value.message


def test_rules_that_are_nowhere_are_told_from_files():
    with pytest.raises(UsageError, match="there are no head rules 'nowhere'; the tables are alp"):
        find_rules("nowhere")


def test_a_scheme_decides_what_a_rule_leaves_open():
    for way, labels in (("function", {"PREP"}), ("content", {"PP", "WHPP"})):
        rules = find_rules("lth", Scheme("mine", choices={"adposition": way}))
        assert rules.choices("PP")[0].labels == labels
    function = find_rules("lth", Scheme("mine", choices={"infinitive": "function"}))
    content = find_rules("lth", Scheme("mine", choices={"infinitive": "content"}))
    assert function.choices("VP")[0].labels == {"TO"}
    assert content.choices("VP")[0].labels == {"VBD"}


def test_a_scheme_is_for_the_lth_rules_only():
    with pytest.raises(UsageError, match="a scheme has an effect only with the rules 'lth'"):
        cg.to_dependencies(trees("(S (VB Go))"), "collins", "lth")


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────

LABELS = ["NP", "VP", "S", "PP", "CC", "NN", "VB", "IN", ",", "POS", "TO", "QP", "-NONE-", "SBAR"]


@st.composite
def brackets(draw, depth=4):
    """A tree in brackets."""
    label = draw(st.sampled_from(LABELS))
    if depth == 0 or draw(st.integers(0, 2)) == 0:
        return f"({label} w)"
    children = draw(st.lists(brackets(depth=depth - 1), min_size=1, max_size=4))
    return f"({label if label != '-NONE-' else 'X'} {' '.join(children)})"


def head_by_hand(rules: HeadRules, phrase, children):
    """The head child as the definition has it: choice by choice, child by child."""
    for choice in rules.choices(phrase):
        order = children if choice.leftmost else children[::-1]
        if choice.anything:
            return next((c for c in order if c[0] not in PUNCTUATION), order[0])
        for child in order:
            if choice.takes(*child[:2]):
                return child
    raise AssertionError


@given(text=brackets(), name=st.sampled_from(["yamada", "magerman"]))
def test_all_heads_at_once_are_the_heads_one_by_one(text, name):
    forest, rules = Forest.of(trees(f"(S {text})")), find_rules(name)
    result = find_heads(forest, rules)
    for item in range(forest.words, len(forest)):
        below = [c for c in forest.children.of(item) if forest.full[c]]
        if below:
            children = [(forest.category[c], forest.function[c], c) for c in below]
            expected = head_by_hand(rules, forest.category[item], children)[2]
            assert result.child[item] == expected
        else:
            assert result.child[item] == -1


def leads_to_the_root(heads, word):
    """Whether the way from a word upwards ends at the root."""
    for _ in heads:
        word = heads[word - 1] if word else 0
    return word == 0


@given(text=brackets(), name=st.sampled_from(["collins", "yamada", "magerman", "lth"]))
def test_every_tree_becomes_one_tree_of_its_words(text, name):
    corpus = trees(f"(S {text} (NN end))")
    result, _ = cg.to_dependencies(corpus, name)
    assert result.form.tolist() == corpus.form[np.flatnonzero(~corpus.traces)].tolist()
    head = result.head.tolist()
    assert head.count(0) == 1
    assert all(leads_to_the_root(head, word) for word in range(1, len(head) + 1))


@given(text=brackets())
def test_head_rules_give_projective_trees_in_which_phrases_stay_together(text):
    forest = Forest.of(trees(f"(S {text} (NN end))"))
    child = find_heads(forest, find_rules("collins")).child
    result, lexical = arcs(forest, child), lexical_heads(forest, child)
    for item in range(forest.words, len(forest)):
        if forest.full[item]:  # only its head leaves a phrase
            inside = [
                w for w in range(forest.words) if result.item[w] >= 0 and below(forest, w, item)
            ]
            outside = [w for w in inside if result.head[w] not in inside]
            assert outside == [lexical[item]]


def below(forest, word, item):
    """Whether a word stands below an item."""
    while word >= 0 and word != item:
        word = int(forest.parent[word])
    return word == item


def test_a_tree_of_five_thousand_levels_and_a_sentence_of_ten_thousand_words():
    deep = "(NP " * 5000 + "(NN w)" + " (PP (IN w)))" * 5000
    wide = "(NP " + "(NN w) " * 10000 + ")"
    for rules in ("collins", "yamada", "lth"):
        result, _ = cg.to_dependencies(trees(deep + "\n" + wide), rules)
        assert result.words.lengths.tolist() == [5001, 10000]


# ── real trees ───────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def gum(shared):
    """The same sentences as constituents, made by a parser, and as UD dependencies."""
    folder = shared / "data" / "gum"
    files = sorted((folder / "const").glob("*.ptb"))
    twins = [folder / "dep" / f"{path.stem}.conllu" for path in files]
    return (
        cg.Constituents.concatenate([cg.read(path) for path in files]),
        cg.Dependencies.concatenate([cg.read(path) for path in twins]),
    )


def test_two_gold_standards_of_the_same_trees_hardly_differ_for_ned(gum):
    """Schwartz 2011, section 5.3: 85.6, 90.3 and 95.3 on section 23 of the Wall Street Journal."""
    gold, parse = (cg.to_dependencies(gum[0], rules)[0] for rules in ("yamada", "collins"))
    result = cg.evaluate(
        gold, parse, metrics=["uas", "undirected", "ned"], settings=cg.preset("ned")
    )
    scores = [result.systems[0][name].value for name in ("uas", "undirected", "ned")]
    assert scores == pytest.approx([0.841, 0.896, 0.946], abs=0.001)


@pytest.mark.parametrize(
    ("rules", "scheme", "before"), [("collins", None, 0.40), ("lth", "lexical", 0.56)]
)
def test_converted_heads_taken_to_ud_are_near_the_gold_standard(gum, rules, scheme, before):
    """85 % of the heads of GUM, whose constituents come from a parser."""
    constituents, gold = gum
    result, _ = cg.to_dependencies(constituents, rules, scheme)
    assert (result.head == gold.head).mean() < before
    there, _ = transform(result, scheme or rules, "ud")
    assert (there.head == gold.head).mean() >= 0.85

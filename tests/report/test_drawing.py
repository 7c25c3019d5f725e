"""Drawings as SVG: what is on them, that nothing overlaps, and that no text can do harm."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retokenised import retokenised
from scattered import constituents as scattered_constituents
from seen import Seen
from strategies import TEXTS, conllu_files, heads
from test_text_trees import GELESEN, PHRASES, constituents

import commonground as cg
from commonground.corpus import Alignments, Dependencies, Functions, Strings, Table
from commonground.errors import UsageError
from commonground.report.drawing import STYLE, draw, draw_difference
from commonground.report.drawing.lettering import shown, width

HOSTILE = [
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "&amp;&#60;",
    "\x00\x1b[31m\x7f\x85",
    "\u202eevil\u2066\u200f",
    "]]>",
    "</style><script>",
    "url(javascript:alert(1))",
]


def drawing(corpus, **how):
    """Draw the first sentence in both ways; they show the same."""
    inline = Seen(draw(corpus[0], standalone=False, **how))
    whole = Seen(draw(corpus[0], **how))
    assert whole.words == inline.words
    return whole


def dependencies(text, tree, labels):
    return Dependencies.of([(text.split(), tree, labels.split())])


@pytest.fixture(scope="module")
def example():
    return {name: cg.read(f"example:{name}") for name in ("ud", "ptb", "ud-parse", "ptb-parse")}


# ── what is there ────────────────────────────────────────────────────────────────────────────────


def test_a_dependency_tree_has_its_words_tags_and_labels():
    corpus = dependencies("The cat sleeps", [2, 3, 0], "det nsubj root")
    corpus = corpus.replace("words", upos=Strings.of(["DET", "NOUN", "VERB"]))
    seen = drawing(corpus)
    assert sorted(seen.words) == sorted("The cat sleeps DET NOUN VERB det nsubj root".split())
    assert not [word for word in drawing(corpus, tags=[]).words if word.isupper()]


def test_any_column_can_stand_below_the_words():
    corpus = dependencies("Birds sing", [2, 0], "nsubj root")
    corpus = corpus.replace("words", lemma=Strings.of(["bird", "sing!"]))
    assert {"bird", "sing!"} <= set(drawing(corpus, tags=["lemma", "upos"]).words)
    with pytest.raises(UsageError, match="no column 'colour'; there are form"):
        draw(corpus, tags=["colour"])


def test_arcs_are_higher_than_those_below_them():
    seen = drawing(dependencies("a b c d", [0, 1, 1, 1], "root x y z"))
    tops = {box.text: box.top for box in seen.texts}
    assert tops["root"] < tops["z"] < tops["y"] < tops["x"] < tops["a"]


def test_a_word_without_a_head_has_no_arc():
    seen = drawing(dependencies("a b", [0, -1], "root lonely"))
    assert "lonely" not in seen.words


def test_multiword_tokens_are_written_below_their_words(example):
    seen = drawing(example["ud"][24:25])
    token = next(box for box in seen.texts if box.text == "doesn't")
    does, nt = (next(box for box in seen.texts if box.text == form) for form in ("does", "n't"))
    assert does.left <= token.left < token.right <= nt.right
    assert token.top > does.bottom


def test_an_enhanced_graph_has_its_empty_nodes_and_further_arcs(example):
    corpus = example["ud"]
    place = next(s.place for s in corpus if s.alone.empties.rows)
    plain, graph = (drawing(corpus[place : place + 1], enhanced=flag) for flag in (False, True))
    assert plain.words.count("makes") == 1
    assert graph.words.count("makes") == 2
    assert "conj:and" in graph.words
    assert "extra" in {kind for box in graph.texts for kind in box.kinds}


def test_what_a_graph_adds_to_a_label_continues_it(example):
    seen = drawing(example["ud"][1:2], enhanced=True)
    assert {"nmod:with", "obl:beside"} <= set(seen.words)
    assert "nmod" not in seen.words


def test_constituents_have_words_tags_and_labels():
    seen = drawing(constituents(GELESEN, PHRASES, [(1, 3, -1, "SB2")]))
    expected = (
        "Das Buch hat er gelesen . ART NN VAFIN PPER VVPP $. S VP NP OC OA NK NK HD HD SB SB2"
    )
    assert sorted(seen.words) == sorted(expected.split())


def test_a_tree_without_a_label_at_the_top_begins_below_it():
    bare, labelled = cg.read_text("( (S (X a)))"), cg.read_text("(S (X a))")
    assert draw(bare) == draw(labelled)


def test_traces_lead_to_their_antecedents():
    moved = cg.read_text("(SBARQ (WHNP-1 (WP What)) (SQ (NP (-NONE- *T*-1))))")
    seen = drawing(moved)
    assert any("extra" in line.kinds for line in seen.lines)
    assert "-NONE-" not in seen.words
    other = cg.read_text("(SBARQ (WHNP-1 (WP What)) (SQ (NP (-NONE- *T*-2))))")
    assert not any("extra" in line.kinds for line in drawing(other).lines)


def test_function_trees_have_sets_of_labels():
    words = "John loves Mary".split()
    nodes = [("1-3", ""), ("1", "sbj"), ("1", "top"), ("2", "hd")]
    seen = drawing(Functions.of([(words, nodes)]))
    assert sorted(seen.words) == sorted(["{}", "{sbj, top}", "{hd}", *words])


def test_yields_that_cross_have_branches_to_the_word_that_they_share():
    graph = Functions.of([("a b c".split(), [("1-3", "r"), ("1-2", "x"), ("2-3", "y")])])
    seen = drawing(graph)
    b = next(box for box in seen.texts if box.text == "b")
    middle = (b.left + b.right) / 2
    ends = [line for line in seen.lines if line.left == line.right and abs(line.left - middle) < 2]
    assert len([line for line in ends if line.bottom > b.top - 12]) == 2


def test_an_empty_sentence_is_an_empty_drawing():
    assert drawing(Dependencies.of([([], [], [])])).words == []
    assert drawing(Functions.of([([], [])])).words == []


def test_one_sentence_is_drawn():
    pair = Dependencies.of([(["a"], [0], ["root"])] * 2)
    assert draw(pair[0]) == draw(pair[:1])
    with pytest.raises(UsageError, match="one sentence can be drawn, not 2"):
        draw(pair)


def test_alignments_are_drawn_too():
    links = Table([0, 1], source=np.array([0], np.int32), target=np.array([0], np.int32))
    assert "<svg" in str(draw(Alignments({"links": links})))


# ── long sentences ───────────────────────────────────────────────────────────────────────────────


def test_a_long_sentence_goes_on_in_further_lines(example):
    sentence = example["ud"][4]
    narrow = drawing(sentence.alone, widest=400)
    assert narrow.width < 480 < drawing(sentence.alone).width
    lines = sorted({box.top for box in narrow.texts if "form" in box.kinds})
    assert len(lines) > 2
    assert str(len(sentence)) in narrow.words


def test_an_arc_to_another_line_names_the_word_that_it_comes_from():
    forms = [f"word{n}" for n in range(1, 31)]
    seen = drawing(Dependencies.of([(forms, [0] + [1] * 29, ["x"] * 30)]), widest=500)
    assert "1 word1" in seen.words
    assert seen.words.count("x") == 30


def test_lines_do_not_begin_with_punctuation_without_need():
    forms = ["word", ","] * 30
    tree = [0] + [1] * 59
    seen = drawing(Dependencies.of([(forms, tree, ["x"] * 60)]), widest=500)
    lines = {}
    for box in seen.texts:
        if "form" in box.kinds:
            lines.setdefault(box.top, []).append((box.left, box.text))
    assert {min(line)[1] for line in lines.values()} == {"word"}


def test_a_wide_tree_is_drawn_sideways(example):
    upright, sideways = (drawing(example["ptb"][:1], widest=size) for size in (960, 200))
    rows = [box.top for box in upright.texts if "form" in box.kinds]
    assert len(set(rows)) == 1
    rows = [box.top for box in sideways.texts if "form" in box.kinds]
    assert len(set(rows)) == len(rows)
    assert sorted(upright.words) == sorted(sideways.words)


@pytest.mark.parametrize(
    "tree",
    [
        list(range(10_000)),
        [0] + [1] * 9_999,
        [0, *np.random.default_rng(1).integers(1, 10_001, 9_999).tolist()],
    ],
    ids=["chain", "star", "anything"],
)
def test_ten_thousand_words_are_drawn(tree):
    corpus = Dependencies.of([(["w"] * len(tree), tree, ["x"] * len(tree))])
    svg = draw(corpus, standalone=False)
    arcs = sum(head != word for word, head in enumerate(tree, 1))
    assert svg.count(">x</text>") == arcs
    assert int(svg.partition('width="')[2].partition('"')[0]) < 1200


def test_a_tree_five_thousand_deep_is_drawn():
    corpus = constituents([("w", "T", "_", 4999)], [("X", "_", n) for n in range(-1, 4999)])
    assert draw(corpus).count(">X</text>") == 5000
    deep = constituents(
        [("w", "T", "_", n) for n in range(2000)], [("X", "_", n) for n in range(-1, 1999)]
    )
    assert draw(deep).count(">X</text>") == 2000


# ── nothing overlaps ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("widest", [960, 360])
@pytest.mark.parametrize("kind", ["ud", "ptb", "ud functions", "ptb functions", "graph"])
def test_no_line_cuts_a_text_of_the_example(kind, widest, example):
    corpus = example[kind.split()[0]] if kind != "graph" else example["ud"]
    if "functions" in kind:
        corpus = cg.to_functions(corpus)
    for sentence in corpus:
        seen = Seen(draw(sentence, widest=widest, enhanced=kind == "graph"))
        assert seen.overlaps() == []
        assert seen.cuts() == []
        assert seen.outside() == []


@pytest.mark.parametrize("widest", [960, 360])
@pytest.mark.parametrize("pair", ["ud ud-parse", "ptb ptb-parse", "ud ptb"])
def test_no_line_cuts_a_text_of_a_difference(pair, widest, example):
    for gold, system in zip(*(example[name] for name in pair.split()), strict=True):
        seen = Seen(draw_difference(gold, system, widest=widest))
        assert seen.overlaps() == []
        assert seen.cuts() == []
        assert seen.outside() == []


@given(st.integers(1, 20).flatmap(heads), st.sampled_from([200, 960]), st.data())
def test_no_two_texts_of_any_tree_overlap(tree, widest, data):
    names = st.sampled_from(["a", "word", "antidisestablishment"])
    forms, labels = (
        data.draw(st.lists(names, min_size=len(tree), max_size=len(tree))) for _ in range(2)
    )
    seen = Seen(draw(Dependencies.of([(forms, tree, labels)]), widest=widest))
    assert seen.overlaps() == []
    assert seen.outside() == []


@given(
    scattered_constituents(st.just("word"), st.sampled_from(["NP", "PROPOSITION"]), st.just("1"))
)
def test_no_two_labels_of_any_tree_with_gaps_overlap(corpus):
    for sentence in corpus:
        tree = sentence.alone.replace(
            "secondary", label=Strings.constant("", sentence.alone.secondary.rows)
        )
        for widest in (200, 5000):
            assert Seen(draw(tree, widest=widest)).overlaps() == []


# ── scripts ──────────────────────────────────────────────────────────────────────────────────────

HEBREW = dependencies("הילדה קראה ספר ישן .", [2, 0, 2, 3, 2], "nsubj root obj amod punct")


def test_a_sentence_from_right_to_left_begins_at_the_right():
    seen = drawing(HEBREW)
    forms = [box for box in seen.texts if "form" in box.kinds]
    assert [box.text for box in sorted(forms, key=lambda box: -box.left)] == HEBREW[0].form
    labels = {box.text: (box.left + box.right) / 2 for box in seen.texts if "label" in box.kinds}
    assert labels["nsubj"] > labels["obj"] > labels["amod"]
    assert draw(HEBREW).count('direction="rtl"') == 4
    assert Seen(draw(HEBREW, widest=160)).overlaps() == []


def test_trees_from_right_to_left_begin_at_the_right_too():
    tree = cg.read_text("(S (NP (N הילדה)) (VP (V קראה) (NP (N ספר))))")
    seen = drawing(tree)
    forms = sorted((box for box in seen.texts if "form" in box.kinds), key=lambda box: -box.left)
    assert [box.text for box in forms] == tree[0].form


def test_east_asian_characters_are_square_and_marks_have_no_width():
    assert width("太郎", 10) == 20
    assert width("e\u0301", 15) == width("e", 15) == width("é", 15)
    seen = drawing(dependencies("太郎 は 本 を 読む", [5, 1, 5, 3, 0], "nsubj case obj case root"))
    assert seen.overlaps() == []


# ── safety ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("standalone", [True, False])
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_shows_as_text(text, standalone):
    corpus = Dependencies.of([([text, "b"], [2, 0], [text, "root"])])
    corpus = corpus.replace("words", upos=Strings.of([text, text]))
    comments = Strings.of([f"# sent_id = {text}\n# text = {text}"])
    corpus = corpus.replace("sentences", comments=comments)
    tree = constituents([(text, text, text, 0)], [(text, text, -1)], [(0, 0, -1, text)])
    functions = Functions.of([([text], [("1", text)])])
    for one in (corpus, tree, functions):
        for svg in (
            draw(one, standalone=standalone, enhanced=True),
            draw_difference(one, one, standalone=standalone),
        ):
            seen = Seen(svg)
            assert any(shown(text) in word for word in seen.words)
            assert "script" not in {element.tag.rpartition("}")[2] for element in seen.root.iter()}


@given(st.lists(TEXTS, min_size=1, max_size=4), st.lists(TEXTS, min_size=4, max_size=4))
def test_any_text_gives_a_drawing_in_which_it_can_be_seen(forms, labels):
    corpus = Dependencies.of([(forms, list(range(len(forms))), labels[: len(forms)])])
    svg = draw(corpus, standalone=False)
    assert {shown(form) for form in forms} <= set(Seen(svg).words)
    hidden = {c for c in svg if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    assert hidden <= {"\n", "\u200c", "\u200d"}
    assert Seen(draw_difference(corpus, corpus)).words


def test_long_texts_are_cut():
    assert (
        len(draw(Dependencies.of([(["w" * 10**6], [0], ["x" * 10**6])]), standalone=False)) < 1500
    )


def test_the_same_sentence_gives_the_same_bytes(example):
    assert draw(example["ud"][3]) == draw(cg.read("example:ud")[3])


# ── style ────────────────────────────────────────────────────────────────────────────────────────


def test_a_file_has_its_own_style_and_a_page_has_one_for_all():
    corpus = dependencies("a b", [2, 0], "x root")
    whole, inline = draw(corpus), draw(corpus, standalone=False)
    assert "<style>" in whole
    assert "prefers-color-scheme:dark" in whole
    assert "var(" not in whole
    assert "style" not in inline
    assert "xmlns" not in inline
    assert "prefers-color-scheme:dark" in STYLE
    assert "var(--cg-ink" in STYLE


def test_every_class_of_a_drawing_is_styled_or_is_a_name(example):
    kinds = set()
    for gold, system in zip(example["ud"], example["ud-parse"], strict=True):
        for svg in (draw(gold, enhanced=True), draw_difference(gold, system)):
            kinds |= {k for e in Seen(svg).root.iter() for k in e.get("class", "").split()}
    assert {kind for kind in kinds if f".{kind}" not in STYLE} <= set()


# ── anything ─────────────────────────────────────────────────────────────────────────────────────


@given(conllu_files(), conllu_files())
def test_every_treebank_can_be_drawn_and_compared(one, other):
    first, second = (cg.read_text(text, "conllu") for text in (one, other))
    for sentence in first:
        Seen(draw(sentence, enhanced=True, widest=150))
        Seen(draw_difference(sentence, sentence, enhanced=True))
        if len(second):
            Seen(draw_difference(sentence, second[0], widest=150))


@given(st.integers(0, 10_000))
def test_other_tokenisations_can_be_compared(seed):
    gold = cg.read("example:ud")[seed % 64 : seed % 64 + 1]
    parse = cg.read_text(retokenised(gold, seed), "conllu")
    seen = Seen(draw_difference(gold, parse))
    assert seen.overlaps() == seen.outside() == []
    assert set(gold[0].form) | set(parse[0].form) <= set(seen.words)


# ── large trees ──────────────────────────────────────────────────────────────────────────────────


def test_a_sentence_of_120_words_stays_readable(example):
    forms, tree, labels = [], [], []
    for sentence in example["ud"][:9]:
        before = len(forms)
        root = tree.index(0) + 1 if tree else 0
        forms += sentence.form
        tree += [head + before if head else root for head in sentence.head.tolist()]
        labels += sentence.deprel
    assert 110 < len(forms) < 130
    seen = Seen(draw(Dependencies.of([(forms, tree, labels)])))
    assert seen.overlaps() == seen.cuts() == seen.outside() == []
    assert seen.width < 1000
    assert seen.height < 2000


def test_a_tree_of_300_nodes_stays_readable(example):
    trees = [cg.write_text(s.alone, "brackets") for s in example["ptb"][:24]]
    joined = " ".join(line for tree in trees for line in tree.split("\n") if line[:1] != "#")
    corpus = cg.read_text(f"(TOP {joined})")
    assert len(corpus) == 1
    assert 250 < corpus.nodes.rows < 350
    seen = Seen(draw(corpus))
    assert seen.overlaps() == seen.cuts() == seen.outside() == []
    assert seen.width < 1300

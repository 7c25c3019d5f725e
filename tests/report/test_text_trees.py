"""Trees drawn as text: golden drawings, and the tree read back from the lines of a drawing."""

from __future__ import annotations

import re
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from scattered import constituents as scattered_constituents
from strategies import TEXTS, heads

import commonground as cg
from commonground.corpus import (
    Alignments,
    Constituents,
    Corpus,
    Dependencies,
    Relations,
    Strings,
    Table,
)
from commonground.errors import UsageError
from commonground.report import drawing as pictures
from commonground.report.text_lines import LONGEST
from commonground.report.text_trees import WIDEST, draw

FORWARD_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"


def dependencies(text, heads, labels, tags=None):
    corpus = Dependencies.of([(text.split(), heads, labels.split())])
    return corpus.replace("words", upos=Strings.of(tags.split())) if tags else corpus


def shows(corpus, drawing, **how):
    """Check the drawing of the first sentence; the tests write it between newlines."""
    assert "\n" + draw(corpus[0], **how) + "\n" == drawing


def words_on_heads(heads, form="w"):
    return Dependencies.of([([form] * len(heads), heads, ["x"] * len(heads))])


HEARING = dependencies(
    "A hearing is scheduled on the issue today",
    [2, 4, 4, 0, 7, 7, 2, 4],
    "det nsubj aux root case det nmod obl",
    "DET NOUN AUX VERB ADP DET NOUN NOUN",
)


# ── dependencies ─────────────────────────────────────────────────────────────────────────────────


def test_a_tree_has_a_word_on_each_line_and_its_branches_at_the_left():
    corpus = dependencies(
        "The old cat sleeps .",
        [3, 3, 4, 0, 4],
        "det amod nsubj root punct",
        "DET ADJ NOUN VERB PUNCT",
    )
    shows(
        corpus,
        """
─┮
 │   ╭─╼ The  DET    det
 │   ├─╼ old  ADJ    amod
 │ ╭─┶ cat    NOUN   nsubj
 ╰─┾ sleeps   VERB   root
   ╰─╼ .      PUNCT  punct
""",
    )


def test_arcs_that_cross_are_lines_that_cross():
    shows(
        HEARING,
        """
─┮
 │   ╭─╼ A         DET   det
 │ ╭─┾ hearing     NOUN  nsubj
 │ ├─╪─╼ is        AUX   aux
 ╰─┾━┿━ scheduled  VERB  root
   │ │ ╭─╼ on      ADP   case
   │ │ ├─╼ the     DET   det
   │ ╰─┶ issue     NOUN  nmod
   ╰─╼ today       NOUN  obl
""",
    )


def test_ascii_draws_the_same_with_fewer_characters():
    shows(
        HEARING,
        """
-+
 |   .-- A         DET   det
 | .-+ hearing     NOUN  nsubj
 | +-x-- is        AUX   aux
 `-+=x= scheduled  VERB  root
   | | .-- on      ADP   case
   | | +-- the     DET   det
   | `-+ issue     NOUN  nmod
   `-- today       NOUN  obl
""",
        ascii=True,
    )


def test_several_roots_hang_on_the_same_line():
    shows(
        dependencies("a b", [0, 0], "root root"),
        """
─┮
 ├─╼ a  root
 ╰─╼ b  root
""",
    )


def test_a_cycle_is_drawn_with_one_arc_in_numbers():
    shows(
        dependencies("a b c d", [2, 3, 1, 0], "x y z root"),
        """
0 ─┮
1  │ ┍ a      x     ← 2
2  │ │ ╭─╼ b  y
3  │ ╰─┶ c    z
4  ╰─╼ d      root
""",
    )


def test_a_word_without_a_head_hangs_on_nothing():
    shows(
        dependencies("a b c", [-1, 0, 1], "x root y"),
        """
─┮
 │ ┍ a    x     ← ?
 ╰─╪─╼ b  root
   ╰─╼ c  y
""",
    )


def test_the_treebanks_own_tags_are_shown_where_there_are_no_universal_ones():
    corpus = dependencies("a b", [0, 1], "x y", "_ NOUN")
    corpus = corpus.replace("words", xpos=Strings.of(["DT", "NN"]))
    shows(
        corpus,
        """
─┮
 ╰─┮ a    DT    x
   ╰─╼ b  NOUN  y
""",
    )


def test_wide_letters_and_marks_take_the_cells_that_they_take_on_a_terminal():
    corpus = dependencies("日本語 e\u0301te\u0301 x", [2, 0, 2], "a b c")
    shows(
        corpus,
        """
─┮
 │ ╭─╼ 日本語  a
 ╰─┾ e\u0301te\u0301       b
   ╰─╼ x       c
""",
    )


def test_text_from_right_to_left_is_isolated():
    corpus = dependencies("שלום abc", [0, 1], "root x")
    shows(
        corpus,
        f"""
─┮
 ╰─┮ {FORWARD_ISOLATE}שלום{POP_ISOLATE}   root
   ╰─╼ abc  x
""",
    )


def test_control_characters_are_visible_and_without_effect():
    corpus = Dependencies.of([(["\x1b[31m", "a\u202eb", "\u0301"], [0, 1, 1], ["\x07", "x", "y"])])
    shows(
        corpus,
        """
─┮
 ╰─┮ \\x1b[31m    \\x07
   ├─╼ a\\u202eb  x
   ╰─╼ ◌\u0301         y
""",
    )


def test_joiners_inside_words_stay():
    assert "می\u200cخواهم" in draw(words_on_heads([0], "می\u200cخواهم")[0])


def test_long_texts_are_cut():
    text = draw(words_on_heads([0], "a" * 1000)[0]).split("\n")[1]
    assert text == " ╰─╼ " + "a" * (LONGEST - 1) + "…  x"
    assert cell_len(draw(words_on_heads([0], "語" * 1000)[0]).split("\n")[1]) <= LONGEST + 8
    assert len(draw(words_on_heads([0], "a" + "\u0301" * 10**6)[0])) < 300


def test_the_style_sees_the_parts_and_not_the_padding():
    marked = draw(HEARING[0], style=lambda part, text: f"<{part}>{text}</{part}>")
    assert "<form>hearing</form>     <tag>NOUN</tag>  <label>nsubj</label>" in marked
    assert re.sub(r"</?\w+>", "", marked) == draw(HEARING[0])


# Which way strokes leave the middle of a sign; the signs of heads and words are the half-bold ones.
STROKES = {
    " ": "", "│": "ud", "─": "lr", "╭": "dr", "╰": "ur", "├": "udr", "╪": "udlr",
    "╼": "lr", "┮": "dlr", "┶": "ulr", "┾": "udlr", "╺": "r", "┍": "dr", "┕": "ur", "┝": "udr",
    "━": "lr", "┿": "udlr",
}  # fmt: skip
OWN = set("╼┮┶┾╺┍┕┝")


def tree_of(drawing, words):
    """Follow the strokes of a drawing from each word to its head; None where no stroke leads on."""
    lines = [re.match(r"[ │─╭╰├╪╼┮┶┾╺┍┕┝━┿]*", line)[0].rstrip() for line in drawing.split("\n")]
    assert len(lines) == words + 1
    results = []
    for row in range(1, len(lines)):
        (column,) = (x for x, sign in enumerate(lines[row]) if sign in OWN)
        if "l" not in STROKES[lines[row][column]]:
            results.append(None)
            continue
        column -= 1
        while "l" in STROKES[lines[row][column]]:
            assert lines[row][column] in "─╪"
            column -= 1
        (head,) = {end for way in "ud" if (end := follow(lines, row, column, way)) is not None}
        results.append(head)
    return results


def follow(lines, row, column, way):
    """Return the row of the head on a vertical line, or None where it is not that way."""
    other, step = {"u": ("d", -1), "d": ("u", 1)}[way]
    while way in STROKES[lines[row][column]]:
        row += step
        assert other in STROKES[lines[row][column]], "a vertical line that is torn"
        if lines[row][column] in OWN:
            return row
    return None


@given(st.integers(1, 14).flatmap(heads))
def test_every_arc_of_a_tree_can_be_followed_to_its_head(tree):
    assert tree_of(draw(words_on_heads(tree)[0]), len(tree)) == tree


@given(
    st.integers(1, 8).flatmap(
        lambda length: st.lists(st.integers(-1, length), min_size=length, max_size=length)
    )
)
def test_arcs_of_anything_are_drawn_or_told_in_numbers(tree):
    drawing = draw(words_on_heads(tree)[0])
    bare = re.sub(r"(?m)^ ?\d ", "", drawing) if re.search(r"← \d", drawing) else drawing
    told = [re.search(r"← (\S+)", line) for line in drawing.split("\n")[1:]]
    for head, seen, number in zip(tree, tree_of(bare, len(tree)), told, strict=True):
        assert (seen is None) == (number is not None)
        assert head == (seen if number is None else -1 if number[1] == "?" else int(number[1]))


@given(st.lists(TEXTS, min_size=1, max_size=5), st.lists(TEXTS, min_size=5, max_size=5))
def test_no_text_breaks_a_drawing(forms, labels):
    chain = Dependencies.of([(forms, list(range(len(forms))), labels[: len(forms)])])
    drawing = draw(chain[0])
    assert len(drawing.split("\n")) == len(drawing.splitlines()) == len(forms) + 1
    isolates = drawing.count(FORWARD_ISOLATE)
    assert isolates == drawing.count(POP_ISOLATE)
    steering = [c for c in drawing if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs")]
    allowed = {"\n", "\u200c", "\u200d", FORWARD_ISOLATE, POP_ISOLATE}
    assert set(steering) <= allowed
    assert draw(chain[0], ascii=True).isascii()


@pytest.mark.long
@pytest.mark.parametrize(
    "tree",
    [
        list(range(10_000)),
        [0] + [1] * 9_999,
        [0, *np.random.default_rng(1).integers(1, 10_001, 9_999).tolist()],
        [*range(9_999, 4_999, -1), 0, *range(4_999, 0, -1)],
    ],
    ids=["chain", "star", "anything", "nested"],
)
def test_ten_thousand_words_are_drawn_in_lines_of_bounded_width(tree):
    lines = draw(words_on_heads(tree)[0]).split("\n")
    assert len(lines) == len(tree) + 1
    assert max(map(len, lines)) < WIDEST + 40


def test_branches_that_are_too_wide_go_on_at_the_left():
    lines = draw(words_on_heads(list(range(60)))[0]).split("\n")
    told = [line for line in lines if "←" in line]
    assert [line.split()[:3] for line in told] == [["49", "┍", "w"]]
    assert told[0].endswith("← 48")


# ── constituents ─────────────────────────────────────────────────────────────────────────────────


def constituents(words, nodes, secondary=()):
    """Make one tree: words are (form, tag, edge, parent), nodes (label, edge, parent)."""
    form, tag, word_edge, word_parent = zip(*words, strict=True)
    label, edge, parent = zip(*nodes, strict=True) if nodes else ((), (), ())
    links = list(zip(*secondary, strict=True)) if secondary else [()] * 4
    return Constituents(
        {
            "words": Table(
                [0, len(words)],
                form=Strings.of(form),
                tag=Strings.of(tag),
                edge=Strings.of(word_edge),
                parent=np.array(word_parent, np.int32),
            ),
            "nodes": Table(
                [0, len(nodes)],
                label=Strings.of(label),
                edge=Strings.of(edge),
                parent=np.array(parent, np.int32),
            ),
            "secondary": Table(
                [0, len(secondary)],
                parent=np.array(links[0], np.int32),
                word=np.array(links[1], np.int32),
                node=np.array(links[2], np.int32),
                label=Strings.of(links[3]),
            ),
        }
    )


def test_phrases_stand_before_their_first_words():
    corpus = constituents(
        [("The", "DT", "_", 1), ("cat", "NN", "_", 1), ("sleeps", "VBZ", "_", 2)],
        [("S", "_", -1), ("NP-SBJ", "_", 0), ("VP", "_", 0)],
    )
    shows(
        corpus,
        """
  ─┮ S
   ├─┮ NP-SBJ
1  │ ├─╼ The     DT
2  │ ╰─╼ cat     NN
   ╰─┮ VP
3    ╰─╼ sleeps  VBZ
""",
    )


GELESEN = [
    ("Das", "ART", "NK", 2),
    ("Buch", "NN", "NK", 2),
    ("hat", "VAFIN", "HD", 0),
    ("er", "PPER", "SB", 0),
    ("gelesen", "VVPP", "HD", 1),
    (".", "$.", "_", -1),
]
PHRASES = [("S", "_", -1), ("VP", "OC", 0), ("NP", "OA", 1)]


def test_a_phrase_with_a_gap_keeps_the_order_of_the_words():
    shows(
        constituents(GELESEN, PHRASES),
        """
  ─┮ S
   ├─┮ VP                OC
   │ ├─┮ NP              OA
1  │ │ ├─╼ Das    ART    NK
2  │ │ ╰─╼ Buch   NN     NK
3  ├─╪─╼ hat      VAFIN  HD
4  ╰─╪─╼ er       PPER   SB
5    ╰─╼ gelesen  VVPP   HD
6 ─╼ .            $.
""",
    )


def test_secondary_edges_are_listed_below_with_the_numbers_of_their_ends():
    edges = [(1, 3, -1, "SB"), (0, -1, 2, "OA")]
    shows(
        constituents(GELESEN, PHRASES, edges),
        """
#1 -+ S
#2  +-+ VP                OC
#3  | +-+ NP              OA
 1  | | +-- Das    ART    NK
 2  | | `-- Buch   NN     NK
 3  +-x-- hat      VAFIN  HD
 4  `-x-- er       PPER   SB
 5    `-- gelesen  VVPP   HD
 6 -- .            $.
#2 VP  -> SB  -> 4 er
#1 S   -> OA  -> #3 NP
""",
        ascii=True,
    )


def test_words_without_phrases_are_drawn():
    corpus = constituents([("a", "X", "_", -1), ("b", "Y", "_", -1)], [])
    shows(
        corpus,
        """
1 ─╼ a  X
2 ─╼ b  Y
""",
    )


@given(scattered_constituents(TEXTS, st.sampled_from(["NP", "VP"]), st.just("1")))
def test_any_constituents_have_a_line_for_each_word_phrase_and_secondary_edge(corpus):
    for sentence in corpus:
        alone = sentence.alone
        rows = alone.words.rows + alone.nodes.rows + alone.secondary.rows
        assert len(draw(sentence).splitlines()) == rows


@pytest.mark.long
def test_a_tree_five_thousand_deep_is_drawn_in_lines_of_bounded_width():
    corpus = constituents(
        [("w", "T", "_", 4999)], [("X", "_", parent) for parent in range(-1, 4999)]
    )
    lines = draw(corpus[0]).split("\n")
    assert len(lines) == 5001
    assert max(map(len, lines)) < WIDEST + 40


# ── relations and alignments ─────────────────────────────────────────────────────────────────────


def test_relations_are_listed_from_head_to_dependent():
    corpus = Relations(
        {
            "nodes": Table(
                [0, 4],
                text=Strings.of(["saw", "dog", "dog", "that"]),
                first=np.array([2, 1, 3, -1], np.int32),
                last=np.array([2, 1, 3, -1], np.int32),
            ),
            "relations": Table(
                [0, 4],
                label=Strings.of(["ncsubj", "dobj", "cmod", "tense"]),
                head=np.array([0, 0, 0, 0], np.int32),
                dependent=np.array([1, 2, 3, -1], np.int32),
                subtype=Strings.of(["_", "_", "that", "_"]),
                value=Strings.of(["obj", "_", "_", "past"]),
            ),
        }
    )
    shows(
        corpus,
        """
saw  → ncsubj        → dog (1)  obj
saw  → dobj          → dog (3)
saw  → cmod    that  → that
saw  → tense         → past
""",
    )


def test_links_are_listed_with_their_words():
    links = Table(
        [0, 2],
        source=np.array([0, 1], np.int32),
        target=np.array([1, 0], np.int32),
        sure=np.array([1, 0], np.int32),
    )
    words = {
        "source_words": Table([0, 2], form=Strings.of(["the", "house"])),
        "target_words": Table([0, 2], form=Strings.of(["huset", "det"])),
    }
    shows(
        Alignments({"links": links, **words}),
        """
0 the    → 1 det
1 house  → 0 huset  possible
""",
    )
    shows(
        Alignments({"links": links}),
        """
0  -> 1
1  -> 0  possible
""",
        ascii=True,
    )


def test_other_corpora_cannot_be_drawn():
    class Other(Corpus):
        kind = "other things"

    corpus = Other({"words": Table([0, 0])})
    with pytest.raises(UsageError, match="other things cannot be drawn"):
        draw(corpus[0])


# ── graphs of meaning ────────────────────────────────────────────────────────────────────────────


def test_a_graph_is_drawn_from_its_top_and_a_node_with_two_parents_once():
    assert draw(cg.read("example:dm")[1]).splitlines() == [
        "want          wanted  top",
        "├─ Tom        Tom     ARG1",
        "╰─ see        see     ARG2",
        "   ├─ Tom ↑           ARG1",
        "   ╰─ harbor  harbor  ARG2",
        "      ╰─ the  the     BV-of",
    ]


@pytest.mark.parametrize("framework", ["dm", "eds", "amr"])
def test_every_node_and_every_edge_of_a_graph_has_its_line(framework):
    for sentence in cg.read(f"example:{framework}"):
        lines = draw(sentence, ascii=True).splitlines()
        nodes = [line for line in lines if " ^" not in line]
        assert len(nodes) == len(sentence.column("id"))
        assert sum(" top" not in line for line in lines) == len(sentence.column("source", "edges"))


def test_a_graph_in_a_circle_is_drawn_and_ends(tmp_path):
    path = tmp_path / "circle.amr"
    path.write_text("(a / one :ARG0 (b / two :ARG0 a :ARG1 b))\n")
    lines = draw(cg.read(path)[0]).splitlines()
    assert [line.strip("╰├─│ ").split("  ")[0] for line in lines] == [
        "one", "two", "one ↑", "two ↑",
    ]  # fmt: skip


@pytest.mark.parametrize("framework", ["dm", "eds", "amr"])
def test_pictures_of_graphs_have_all_edges_and_mark_what_differs(framework):
    gold, parse = (cg.read(f"example:{framework}{end}") for end in ("", "-parse"))
    for one, two in zip(gold, parse, strict=True):
        alone = pictures.draw(one)
        edges = len(one.column("source", "edges")) + sum(one.column("top").tolist())
        assert alone.count('<g class="arc') == edges
        same = pictures.draw_difference(one, one)
        assert 'class="arc same"' in same
        assert 'class="arc wrong' not in same
        assert 'class="arc right' not in same
        assert pictures.draw_difference(one, two) == pictures.draw_difference(one, two)


def test_texts_of_graphs_are_escaped_in_pictures(tmp_path):
    path = tmp_path / "hostile.amr"
    path.write_text('(a / <script> :ARG0&<b> (b / two :op1 "<i>") :ARG1 a)\n')
    drawn = pictures.draw(cg.read(path)[0])
    assert "<script>" not in drawn
    assert "<i>" not in drawn
    assert "&lt;script&gt;" in drawn

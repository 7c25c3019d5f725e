"""Corpora as HTML for notebooks."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from strategies import TEXTS, conllu_files

from commonground.corpus import Alignments, Dependencies, Relations, Strings, Table
from commonground.corpus.notebook import corpus_html
from commonground.formats import read_text

BIRDS = (["Birds", "sing"], [2, 0], ["nsubj", "root"])


class Page(HTMLParser):
    """What is on a page: its tags, its attributes, its cells by rows, and all of its text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.open, self.rows, self.text = set(), set(), [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "br":
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            return
        self.text += data
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def page(thing):
    text = thing._repr_html_()
    read = Page(text)
    assert read.open == []
    drawn = {"svg", "style", "rect", "g", "path", "text", "tspan"}
    assert read.tags <= {"div", "p", "strong", "table", "tr", "td", "th", "br", "bdi"} | drawn
    assert not [name for name in read.attributes if name.startswith("on") or "href" in name]
    assert "url(" not in text
    return read


def test_a_corpus_shows_its_counts_and_its_first_sentences():
    read = page(Dependencies.of([BIRDS, (["Listen"], [0], ["root"])]))
    assert "Dependencies: 3 words, 0 tokens, 0 empties, 2 sentences" in read.text
    assert read.rows == [
        ["sent_id", "words", "text"],
        ["1", "2", "Birds sing"],
        ["2", "1", "Listen"],
    ]


def test_a_sentence_shows_its_rows_without_the_columns_that_say_nothing():
    read = page(Dependencies.of([BIRDS])[0])
    assert read.rows == [
        ["", "form", "head", "deprel"],
        ["1", "Birds", "2", "nsubj"],
        ["2", "sing", "0", "root"],
    ]


def test_a_sentence_is_drawn():
    assert "svg" in page(Dependencies.of([BIRDS])[0]).tags
    drawn = Dependencies.of([BIRDS])[0]._repr_svg_()
    assert drawn.startswith("<svg")
    assert drawn in Dependencies.of([BIRDS])._repr_html_()


def test_what_cannot_be_drawn_is_not():
    assert Dependencies.of([(["w"] * 500, [0] * 500, ["_"] * 500)])[0]._repr_svg_() is None


def test_a_sentence_shows_its_comments():
    corpus = read_text("# sent_id = a<b\n1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n\n")
    assert "# sent_id = a<b" in page(corpus[0]).text


def test_a_large_corpus_is_bounded():
    read = page(Dependencies.of([(["word"] * 1000, [0] * 1000, ["_"] * 1000)] * 1000))
    assert len(read.rows) == 9
    assert "… 992 more" in read.text
    assert read.rows[1][2] == "word " * 30 + "…"


def test_a_long_sentence_is_bounded():
    read = page(Dependencies.of([(["w"] * 10_000, [0] * 10_000, ["_"] * 10_000)])[0])
    assert len(read.rows) == 201
    assert "… 9,800 more" in read.text
    assert len(page(Dependencies.of([(["w" * 10**6], [0], ["_"])])[0]).text) < 1000


def test_an_empty_corpus_says_so():
    assert page(Dependencies.of([BIRDS])[:0]).text.endswith(
        ": 0 words, 0 tokens, 0 empties, 0 sentences"
    )


def test_relations_and_alignments_are_shown():
    none = np.empty(0, np.int32)
    relations = Relations(
        {
            "nodes": Table([0, 0], text=Strings.of([]), first=none, last=none),
            "relations": Table(
                [0, 1],
                label=Strings.of(["x"]),
                head=np.array([-1], np.int32),
                dependent=np.array([-1], np.int32),
            ),
        }
    )
    assert ["0", "x", "-1", "-1"] in page(relations[0]).rows
    links = Table([0, 1, 1], source=np.array([0], np.int32), target=np.array([3], np.int32))
    assert page(Alignments({"links": links})).rows[1] == ["1", "1", ""]


@given(TEXTS, st.sampled_from(["<script>alert(1)</script>", '"><img src=x>', "&lt;", "\ud800"]))
def test_all_text_is_escaped(text, attack):
    sentence = ([attack + text, text + attack], [0, 1], [attack, text])
    one, several = Dependencies.of([sentence]), Dependencies.of([sentence, sentence])
    for corpus in (one, several):
        assert "<script>" not in corpus_html(corpus)
        assert corpus_html(corpus).encode("utf-8")
        page(corpus)


@given(conllu_files())
def test_every_corpus_has_a_page(text):
    page(read_text(text, "conllu"))

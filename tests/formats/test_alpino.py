"""Alpino XML."""

from __future__ import annotations

import pytest
from damaged import check_damaged_text
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import InputError, UsageError
from commonground.formats import FormatOptions, detect, read_text, write_text
from commonground.formats.codecs.alpino import FORMAT

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
CONTROL = """\
<alpino_ds version="1.6">
  <parser cats="1" skips="0"/>
  <metadata><meta type="text" name="speaker" value="A &amp; B"/></metadata>
  <node begin="0" cat="top" end="5" id="0" rel="top">
    <node begin="4" end="5" id="9" lemma="." pos="punct" postag="LET()" pt="let" rel="--" word="."/>
    <node begin="0" cat="smain" end="4" id="1" rel="--">
      <node begin="1" end="2" id="2" lemma="hebben" pos="verb" postag="WW(pv)" pt="ww" rel="hd" word="heeft"/>
      <node begin="2" cat="np" end="3" id="3" index="1" rel="su">
        <node begin="2" end="3" frame="pronoun" id="4" pos="pron" rel="hd" root="iemand" word="iemand"/>
      </node>
      <node begin="0" cat="ppart" end="4" id="5" rel="vc">
        <node begin="2" end="3" id="6" index="1" rel="su"/>
        <node begin="0" end="1" id="7" index="2" lemma="wat" pos="pron" postag="VNW" pt="vnw" rel="obj1" word="Wat"/>
        <node begin="3" end="4" id="8" lemma="zien" pos="verb" postag="WW(vd)" pt="ww" rel="hd" word="gezien"/>
        <node begin="0" cat="inf" end="1" id="10" rel="mod">
          <node begin="0" end="1" id="11" index="2" rel="obj1"/>
        </node>
        <node begin="0" end="1" id="12" index="2" rel="--"/>
      </node>
    </node>
  </node>
  <sentence sentid="7">Wat heeft iemand gezien .</sentence>
  <comments>
    <comment>checked</comment>
  </comments>
</alpino_ds>
"""
SHORT = """\
<alpino_ds version="1.3">
  <node begin="0" end="1" id="0" pt="tsw" rel="top" word="Ja"/>
  <sentence>Ja</sentence>
  <comments><comment>Q#a.b-1|Ja|1|1|-0.5</comment></comments>
</alpino_ds>
"""


def test_words_stand_where_they_begin():
    corpus = read_text(DECLARATION + CONTROL)
    assert corpus.form.tolist() == ["Wat", "heeft", "iemand", "gezien", "."]
    assert corpus.tag.tolist() == ["vnw", "ww", "pron", "ww", "let"]
    assert corpus.words.strings("lemma").tolist() == ["wat", "hebben", "iemand", "zien", "."]
    assert corpus.words.strings("feats").tolist() == ["VNW", "WW(pv)", "pronoun", "WW(vd)", "LET()"]
    assert corpus.words.strings("edge").tolist() == ["obj1", "hd", "hd", "hd", "_"]


def test_phrases_may_be_scattered():
    corpus = read_text(CONTROL)
    assert corpus.label.tolist() == ["top", "smain", "ppart", "np"]
    assert corpus.parent.tolist() == [-1, 0, 1, 1]
    assert corpus.words.numbers("parent").tolist() == [2, 1, 3, 2, 0]
    assert corpus.nodes.strings("edge").tolist() == ["top", "_", "vc", "su"]


def test_a_node_with_only_an_index_is_a_secondary_edge():
    secondary = read_text(CONTROL).secondary
    assert secondary.numbers("parent").tolist() == [2, 2]
    assert secondary.numbers("word").tolist() == [0, -1]
    assert secondary.numbers("node").tolist() == [-1, 3]
    assert secondary.strings("label").tolist() == ["_", "su"]


def test_a_phrase_without_words_is_left_out_with_its_edges():
    corpus = read_text(CONTROL)
    assert "inf" not in corpus.label.tolist()
    assert "obj1" not in corpus.secondary.strings("label").tolist()


def test_what_is_said_about_a_sentence_is_metadata():
    assert read_text(CONTROL)[0].comments == [
        "# sent_id = 7",
        "# text = Wat heeft iemand gezien .",
        "# alpino.cats = 1",
        "# alpino.skips = 0",
        "# speaker = A & B",
        "# alpino.comment = checked",
    ]
    assert read_text(SHORT).sent_id.tolist() == ["a.b-1"]


@pytest.mark.parametrize(
    "text",
    [
        f"<treebank>\n{CONTROL}{SHORT}</treebank>\n",
        f"<alpino>\n{CONTROL}{SHORT}</alpino>\n",
        f"\n{CONTROL}{SHORT}",
        f"{DECLARATION}{CONTROL}{DECLARATION.strip()}{SHORT}",
    ],
)
def test_a_file_may_have_several_sentences(text):
    corpus = read_text(text)
    assert corpus == read_text(CONTROL) + read_text(SHORT)
    assert corpus.lines.tolist() == [2, 28]


@pytest.mark.long
def test_many_documents_are_read_in_one_file():
    corpus = read_text((DECLARATION + SHORT) * 2000)
    assert len(corpus) == 2000
    assert corpus.lines.tolist() == list(range(2, 12_000, 6))


def test_trees_go_on_to_formats_that_can_be_written():
    corpus = read_text(CONTROL + SHORT)
    assert read_text(write_text(corpus, "tigerxml")) == corpus
    assert read_text(write_text(corpus, "export")) == corpus


def test_it_cannot_be_written():
    with pytest.raises(UsageError, match="Alpino XML can be read, but not written"):
        write_text(read_text(SHORT), "alpino")


def test_a_tree_of_5000_levels_is_read():
    deep = '<node cat="x" rel="y">\n' * 5000
    word = '<node word="w" begin="0" rel="hd"/>'
    corpus = read_text(f"<alpino_ds>{deep}{word}{'</node>' * 5000}</alpino_ds>")
    assert corpus.parent.tolist() == list(range(-1, 4999))


def test_a_sentence_of_10000_words_is_read():
    words = "".join(f'<node word="{i}" begin="{i}" rel="x"/>\n' for i in reversed(range(10_000)))
    corpus = read_text(f'<alpino_ds><node cat="top" rel="top">{words}</node></alpino_ds>')
    assert corpus.form.tolist() == [str(i) for i in range(10_000)]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("alpino_ds", "html", 1, "the first element is 'html'; it must be alpino_ds or treebank"),
        ('begin="4" end="5"', 'begin="3" end="5"', 14, "there is another word with begin 3"),
        (
            'begin="4" end="5"',
            'begin="x" end="5"',
            5,
            "begin is 'x'; the place of the word, from 0",
        ),
        ('begin="4" end="5"', 'end="5"', 5, "begin is ''; the place of the word, from 0"),
        ('index="1" rel="su"/', 'index="3" rel="su"/', 12, "no word or phrase has the index '3'"),
        ('index="1" rel="su"/', 'rel="su"/', 12, "a node needs a cat, a word or an index"),
        ('index="1" rel="su">', 'index="2" rel="su">', 12, "no word or phrase has the index '1'"),
        ('lemma="zien"', 'lemma="zien" index="2"', 14, "another node with the index '2'"),
        ('pt="let"', 'pt="let" cat="np"', 5, "a node has a cat or a word, but not both"),
        (
            '"gezien"/>',
            '"gezien"><node index="2"/></node>',
            14,
            "inside a node that is not a phrase",
        ),
        ("<sentence", "<alpino_ds/><sentence", 22, "<alpino_ds> inside <alpino_ds>"),
        ("</sentence>", "</sentence", 23, "broken XML: not well-formed (invalid token)"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(old, new, line, message):
    text = CONTROL.replace(old, new) if old == "alpino_ds" else CONTROL.replace(old, new, 1)
    assert text != CONTROL
    with pytest.raises(InputError) as error:
        FORMAT.read(text.encode(), "x.xml", 1, FormatOptions())
    assert message in str(error.value)
    assert error.value.line == line
    assert next(FORMAT.problems(text.encode(), FormatOptions())).line == line


def test_a_line_is_counted_in_the_file_and_not_in_its_document():
    text = DECLARATION + SHORT + DECLARATION + SHORT.replace('begin="0"', "", 1)
    with pytest.raises(InputError, match="x:9: begin is ''"):
        FORMAT.read(text.encode(), "x", 1, FormatOptions())


@pytest.mark.parametrize("text", [CONTROL, DECLARATION + SHORT, f"<treebank>{SHORT}</treebank>"])
def test_the_format_is_recognised(text):
    assert detect(text.encode()).name == "alpino"


@pytest.mark.parametrize(
    "text", ["", "<treebank/>", "(S <alpino_ds)", '<corpus id="x"><body><s id="s1">']
)
def test_other_files_are_not_taken_for_it(text):
    assert FORMAT.looks_like(text) == 0


def test_real_treebanks_in_other_formats_are_not_taken_for_it(shared):
    for path in sorted((shared / "data").rglob("*.*")):
        if path.is_file():
            assert FORMAT.looks_like(path.read_bytes()[:65536].decode("utf-8", "replace")) == 0, (
                path
            )


@given(st.data())
def test_broken_input_is_an_input_error_and_nothing_else(data):
    check_damaged_text(FORMAT, DECLARATION + CONTROL + SHORT, b'<>&"/ n12_ \n', data)

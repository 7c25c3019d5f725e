"""TIGER-XML, and XML itself."""

from __future__ import annotations

import re

import numpy as np
import pytest
from command import run
from damaged import check_damaged_text
from hypothesis import given
from hypothesis import strategies as st
from scattered import constituents

from commonground.corpus import Constituents, Strings, Table
from commonground.errors import InputError, UsageError
from commonground.formats import FormatOptions, detect, read, read_text, write_text
from commonground.formats.codecs.tigerxml import FORMAT
from commonground.formats.storage.folders import read as read_all

HEAD = """\
<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<corpus id="TEST">
<head><annotation><feature name="word" domain="T"/></annotation></head>
<body>
"""
TAIL = "</body>\n</corpus>\n"
COORDINATION = """\
<s id="s5" source="a.b" art_id="7">
<graph root="s5_VROOT" discontinuous="true">
  <terminals>
    <t id="s5_1" word="Was" lemma="--" pos="PWS" morph="Akk" case="Acc"/>
    <t id="s5_2" word="man" lemma="man" pos="PIS" morph="--" case="--">
      <secedge label="SB" idref="s5_503"/>
    </t>
    <t id="s5_3" word="sehen" lemma="sehen" pos="VVINF" morph="--" case="--"/>
    <t id="s5_4" word="&amp;" lemma="--" pos="KON" morph="--" case="--"/>
    <t id="s5_5" word="kann" lemma="können" pos="VMFIN" morph="--" case="--"/>
    <t id="s5_6" word="." lemma="." pos="$." morph="--" case="--"/>
  </terminals>
  <nonterminals>
    <nt id="s5_500" cat="VP">
      <edge label="OA" idref="s5_1"/>
      <edge label="HD" idref="s5_3"/>
      <secedge label="OC" idref="s5_503"/>
    </nt>
    <nt id="s5_503" cat="S">
      <edge label="SB" idref="s5_2"/>
      <edge label="HD" idref="s5_5"/>
      <edge label="OC" idref="s5_500"/>
    </nt>
    <nt id="s5_VROOT" cat="VROOT">
      <edge label="--" idref="s5_503"/>
      <edge label="--" idref="s5_4"/>
      <edge label="--" idref="s5_6"/>
    </nt>
  </nonterminals>
</graph>
</s>
"""
SINGLE = '<s id="s6"><graph root="s6_1"><terminals><t id="s6_1" word="Ja" pos="ITJ"/></terminals><nonterminals/></graph></s>\n'
EXAMPLE = HEAD + COORDINATION + SINGLE + TAIL


def corpus_of(forms, tags, parents, labels, ups, comments=("# sent_id = 1",), **columns):
    words = Table(
        [0, len(forms)],
        form=Strings.of(forms),
        tag=Strings.of(tags),
        parent=np.array(parents, np.int32),
        **columns,
    )
    nodes = Table([0, len(labels)], label=Strings.of(labels), parent=np.array(ups, np.int32))
    return Constituents({"words": words, "nodes": nodes}, comments=comments)


def test_graphs_are_read():
    corpus = read_text(EXAMPLE)
    assert corpus.form.tolist() == ["Was", "man", "sehen", "&", "kann", ".", "Ja"]
    assert corpus.tag.tolist() == ["PWS", "PIS", "VVINF", "KON", "VMFIN", "$.", "ITJ"]
    assert corpus.words.strings("lemma")[:3].tolist() == ["_", "man", "sehen"]
    assert corpus.words.strings("feats").tolist() == ["Akk", *"______"]
    assert corpus.words.strings("edge").tolist() == ["OA", "SB", "HD", "_", "HD", "_", "_"]
    assert corpus.words.numbers("parent").tolist() == [1, 0, 1, -1, 0, -1, -1]
    assert corpus.nodes.strings("edge").tolist() == ["_", "OC"]
    assert corpus.lines.tolist() == [5, 36]


def test_a_virtual_root_is_the_top():
    corpus = read_text(EXAMPLE)
    assert corpus.label.tolist() == ["S", "VP"]
    assert corpus.parent.tolist() == [-1, 0]


def test_a_secondary_edge_stands_at_its_lower_end():
    secondary = read_text(EXAMPLE).secondary
    assert secondary.strings("label").tolist() == ["SB", "OC"]
    assert secondary.numbers("parent").tolist() == [0, 0]
    assert secondary.numbers("word").tolist() == [1, -1]
    assert secondary.numbers("node").tolist() == [-1, 1]


def test_further_attributes_are_columns():
    assert read_text(EXAMPLE).words.strings("case").tolist() == ["Acc", *"______"]
    taken = EXAMPLE.replace('case="Acc"', 'form="x" xml:lang="de"')
    corpus = read_text(taken)
    assert corpus.words.strings("tiger.form").tolist() == ["x", *"______"]
    assert "xml:lang" not in corpus.words
    assert read_text(write_text(corpus, "tigerxml")) == corpus


def test_attributes_of_a_sentence_are_metadata():
    assert read_text(EXAMPLE)[0].comments == ["# sent_id = s5", "# source = a.b", "# art_id = 7"]


def test_subcorpora_are_metadata():
    text = f'{HEAD}<subcorpus name="a"><subcorpus name="b">{COORDINATION}</subcorpus></subcorpus>{SINGLE}{TAIL}'
    corpus = read_text(text)
    assert corpus.metadata("subcorpus").tolist() == ["a/b", ""]
    assert read_text(write_text(corpus, "tigerxml")) == corpus


def external(name: str, file: str) -> str:
    return f'<subcorpus name="{name}" external="{file}"/>'


def apart(folder, outer: str = "file:one.xml"):
    """Write a treebank whose first subcorpus has a file of its own."""
    whole = f'{HEAD}<subcorpus name="a">{external("b", outer)}</subcorpus>{SINGLE}{TAIL}'
    folder.mkdir(exist_ok=True)
    (folder / "all.xml").write_text(whole, "utf-8")
    (folder / "one.xml").write_text(f'<subcorpus name="b">{COORDINATION}</subcorpus>', "utf-8")
    return folder / "all.xml"


def test_subcorpora_in_files_of_their_own_are_read_in_place(tmp_path):
    corpus = read(apart(tmp_path / "x"))
    assert corpus.metadata("subcorpus").tolist() == ["a/b", ""]
    files = [str(tmp_path / "x" / name) for name in ("one.xml", "all.xml")]
    assert corpus.tables["origin"].strings("path").tolist() == files
    inline = f'{HEAD}<subcorpus name="a"><subcorpus name="b">{COORDINATION}</subcorpus></subcorpus>{SINGLE}{TAIL}'
    assert write_text(corpus, "tigerxml") == write_text(read_text(inline), "tigerxml")
    assert run("check", tmp_path / "x" / "all.xml").returncode == 0


def test_a_broken_subcorpus_is_told_with_its_own_file_and_line(tmp_path):
    path = apart(tmp_path)
    (tmp_path / "one.xml").write_text("<subcorpus>\n<s><graph/></s></subcorpus>", "utf-8")
    with pytest.raises(InputError, match=r"one\.xml:2: <s> without an id"):
        read(path)


def test_all_files_of_a_folder_have_nothing_twice(tmp_path):
    path = apart(tmp_path)
    with pytest.raises(InputError, match=r"all\.xml:5: the subcorpus is in another file"):
        read_all(path.parent)


@pytest.mark.parametrize(
    "name", ["../one.xml", "file:../x/one.xml", "/etc/passwd", "..", "", "all.xml", "link.xml"]
)
def test_a_subcorpus_is_never_outside_the_folder(tmp_path, name):
    (tmp_path / "one.xml").write_text(f"<subcorpus>{COORDINATION}</subcorpus>", "utf-8")
    path = apart(tmp_path / "x", name)
    (tmp_path / "x" / "link.xml").symlink_to(tmp_path / "one.xml")
    with pytest.raises(InputError, match="that is not beside it"):
        read(path)


def test_a_subcorpus_is_read_once_and_names_no_further_files(tmp_path):
    path = apart(tmp_path)
    again = path.read_text("utf-8").replace("</body>", f"{external('c', 'one.xml')}</body>")
    (tmp_path / "again.xml").write_text(again, "utf-8")
    with pytest.raises(InputError, match="that was named before"):
        read(tmp_path / "again.xml")
    (tmp_path / "one.xml").write_text(f"<subcorpus>{external('d', 'again.xml')}</subcorpus>")
    with pytest.raises(InputError, match=r"one\.xml:1: the subcorpus is in another file"):
        read(path)


def test_what_was_written_reads_the_same():
    corpus = read_text(EXAMPLE)
    text = write_text(corpus, "tigerxml")
    assert read_text(text) == corpus
    assert '<graph root="s5_VROOT" discontinuous="true">' in text
    assert '<graph root="s6_1">' in text
    assert '<s id="s5" source="a.b" art_id="7">' in text


def test_the_head_declares_what_is_used():
    text = write_text(read_text(EXAMPLE), "tigerxml")
    head = text[: text.index("<body>")].replace("\n", "")
    assert '<feature name="case" domain="T"/>' in head
    assert '<feature name="cat" domain="NT"><value name="S"/><value name="VP"/></feature>' in head
    assert '<secedgelabel><value name="OC"/><value name="SB"/></secedgelabel>' in head


@pytest.mark.parametrize(
    "comments",
    [
        "# newdoc id = d\n# sent_id = 1\n# text = a  b ",
        "# text = x",
        "# sent_id = 1\n# id = 2",
        "# sent_id = 1\n# comments = 2",
        "# sent_id = 1\n# xmlns = 2",
        "# sent_id = 1\n# a = 1\n# a = 2",
        "# sent_id = 1\n#\ttab",
        "# sent_id = <&\">\n# a = '\u2028",
    ],
)
def test_all_comments_survive(comments):
    corpus = corpus_of(["a"], ["X"], [-1], [], [], [comments])
    assert read_text(write_text(corpus, "tigerxml")) == corpus


def test_a_sentence_without_an_id_or_with_one_that_is_used_is_given_one():
    one = corpus_of(["a"], ["X"], [-1], [], [], [""])
    two = corpus_of(["b"], ["X"], [-1], [], [], ["# sent_id = s1"])
    text = write_text(one + two + two, "tigerxml")
    assert re.findall(r'<s id="(\w+)"', text) == ["ss1", "s1", "s3"]
    assert read_text(text).sent_id.tolist() == ["ss1", "s1", "s1"]


@pytest.mark.parametrize(
    ("parents", "labels", "ups", "edges"),
    [
        ([0], ["VROOT"], [-1], ["_"]),
        ([1], ["VROOT", "VROOT"], [-1, 0], ["_"]),
        ([0, 1], ["VROOT", "S"], [-1, -1], ["_", "_"]),
        ([-1], [], [], ["ROOT"]),
        ([-1], [], [], ["_"]),
        ([-1, -1], [], [], ["A", "B"]),
    ],
)
def test_a_top_survives_whatever_it_is(parents, labels, ups, edges):
    forms = ["w"] * len(parents)
    corpus = corpus_of(forms, forms, parents, labels, ups, edge=Strings.of(edges))
    assert read_text(write_text(corpus, "tigerxml")) == corpus


def test_a_word_without_a_tag_stays_one():
    corpus = corpus_of(["a", "--", "_"], ["", "_", "X"], [-1, -1, -1], [], [])
    assert read_text(write_text(corpus, "tigerxml")) == corpus


def test_a_sentence_may_have_no_words():
    corpus = read_text(f'{HEAD}<s id="a"/><s id="b"><graph/></s>{SINGLE}{TAIL}')
    assert corpus.words.lengths.tolist() == [0, 0, 1]
    assert read_text(write_text(corpus, "tigerxml")) == corpus


def test_an_empty_treebank_is_written_and_read():
    empty = read_text(EXAMPLE)[:0]
    assert len(read_text(write_text(empty, "tigerxml"))) == 0


@pytest.mark.parametrize(
    "character", ["\x00", "\x01", "\x1f", "\x7f", "\ufffe", "\uffff", "\r", "\t", "\n"]
)
def test_a_character_is_held_or_refused(character):
    corpus = corpus_of([f"a{character}b"], ["X"], [-1], [], [])
    if character in "\x7f\r\t\n":
        assert read_text(write_text(corpus, "tigerxml")) == corpus
    else:
        with pytest.raises(UsageError, match="XML cannot hold the character"):
            write_text(corpus, "tigerxml")


def test_a_column_without_an_xml_name_is_refused():
    corpus = corpus_of(["a"], ["X"], [-1], [], [], **{"a b": Strings.of(["c"])})
    with pytest.raises(UsageError, match="cannot hold a column with the name 'a b'"):
        write_text(corpus, "tigerxml")


def test_a_tree_of_5000_levels_is_read_and_written():
    corpus = corpus_of(["w"], ["X"], [4999], ["X"] * 5000, list(range(-1, 4999)))
    assert read_text(write_text(corpus, "tigerxml")) == corpus


@pytest.mark.long
def test_a_sentence_of_10000_words_is_read_and_written():
    forms = [str(i) for i in range(10_000)]
    corpus = corpus_of(forms, forms, [i % 7 for i in range(10_000)], ["X"] * 7, [-1] * 7)
    text = write_text(corpus, "tigerxml")
    assert read_text(text) == corpus
    ids = re.findall(r'<n?t id="([^"]+)"', text)
    assert len(set(ids)) == len(ids)


# ── what is wrong ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('idref="s5_3"', 'idref="s5_9"', 20, "idref 's5_9'; there is no such word or node"),
        ('root="s5_VROOT"', 'root="x"', 6, "idref 'x'; there is no such word or node"),
        ('SB" idref="s5_503"/>\n    </t>', 'SB" idref="q"/>\n    </t>', 10, "idref 'q'"),
        ('id="s5_2"', 'id="s5_1"', 9, "the id 's5_1' occurs again"),
        ('id="s5_2" ', "", 9, "a word or node without an id"),
        ('word="man" ', "", 9, "<t> without an attribute word"),
        ('<s id="s6"', '<s id="s5"', 36, "another sentence with the id 's5'"),
        ('<s id="s6"', "<s", 36, "<s> without an id"),
        ('label="HD" idref="s5_3"', 'label="HD" idref="s5_2"', 24, "'s5_2' has two parents"),
        ('"--" idref="s5_503"', '"--" idref="s5_VROOT"', 28, "the node is below itself"),
        ('<nt id="s5_503"', '<nt id="x" cat="X"/><nt id="s5_503"', 23, "no word below it"),
        (
            "<head>",
            '<subcorpus name="x" external="file:a.xml"/><head>',
            3,
            "in another file, 'file:a.xml'",
        ),
        ("<corpus", "<html", 2, "the first element is 'html'; it must be corpus"),
        ("</nonterminals>", "</terminals>", 33, "broken XML: mismatched tag in column"),
        ("&amp;", "&amp", 13, "broken XML: not well-formed (invalid token)"),
        ("&amp;", "&uuml;", 13, "broken XML: undefined entity"),
        (TAIL, TAIL + "<corpus/>", 39, "another document begins where the file should end"),
        (TAIL, "", 37, "broken XML: no element found"),
        ("man", "m\x01n", 9, "broken XML: not well-formed (invalid token) in column"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(old, new, line, message):
    text = EXAMPLE.replace(old, new, 1)
    assert text != EXAMPLE
    if new == "<html":
        text = text.replace("</corpus", "</html")
    with pytest.raises(InputError) as error:
        FORMAT.read(text.encode(), "x.xml", 1, FormatOptions())
    assert message in str(error.value)
    assert error.value.line == line
    assert next(FORMAT.problems(text.encode(), FormatOptions())).line == line


BILLION_LAUGHS = '<!DOCTYPE corpus [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>\n'


def test_entities_are_refused_where_they_are_declared():
    text = EXAMPLE.replace("\n", "\n" + BILLION_LAUGHS, 1)
    with pytest.raises(InputError, match=r"x:2: the entity 'a' is declared; write out"):
        FORMAT.read(text.encode(), "x", 1, FormatOptions())


def test_an_entity_of_an_external_dtd_is_refused():
    text = EXAMPLE.replace("\n", '\n<!DOCTYPE corpus SYSTEM "file:///etc/passwd">\n', 1)
    text = text.replace(' standalone="yes"', "")
    assert read_text(text, "tigerxml") == read_text(EXAMPLE)
    with pytest.raises(InputError, match="x:14: the entity '&uuml;' is not declared"):
        FORMAT.read(text.replace("&amp;", "&uuml;").encode(), "x", 1, FormatOptions())


@pytest.mark.parametrize("encoding", ["ISO-8859-1", "windows-1252", "UTF-16", "Shift_JIS"])
def test_the_encoding_is_the_one_that_the_file_declares(encoding):
    text = EXAMPLE.replace("UTF-8", encoding)
    if encoding == "Shift_JIS":
        text = text.replace("können", "日本")
    corpus = FORMAT.read(text.encode(encoding), "x", 1, FormatOptions())
    assert corpus == read_text(text, "tigerxml")


@pytest.mark.parametrize("declared", ["UTF-8", "nonsense", "hex", "ascii"])
def test_a_wrong_encoding_is_told(declared):
    data = EXAMPLE.replace("UTF-8", declared).encode("latin-1")
    with pytest.raises(
        InputError, match=rf"x:14: a byte is not in the encoding '{declared}' that line 1"
    ):
        FORMAT.read(data, "x", 1, FormatOptions())
    with pytest.raises(InputError, match="x:13: a byte is not UTF-8; save the file as UTF-8"):
        FORMAT.read(data.partition(b"\n")[2], "x", 1, FormatOptions())


# ── recognising ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("text", [EXAMPLE, HEAD, COORDINATION])
def test_the_format_is_recognised(text):
    assert detect(text.encode()).name == "tigerxml"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<html><body><s>x</s></body></html>",
        '<alpino_ds version="1.3"><node/></alpino_ds>',
        '<corpus xmlns:tiger2="http://korpling.german.hu-berlin.de/tiger2/V2.0.5/"><body><s xml:id="s1"><graph><terminals>',
        f"(S (NP {COORDINATION}))",
    ],
)
def test_other_files_are_not_taken_for_it(text):
    assert FORMAT.looks_like(text) == 0


def test_real_treebanks_in_other_formats_are_not_taken_for_it(shared):
    for path in sorted((shared / "data").rglob("*.*")):
        if path.is_file():
            assert FORMAT.looks_like(path.read_bytes()[:65536].decode("utf-8", "replace")) == 0, (
                path
            )


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────

FORMS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=4
)
LABELS = FORMS.filter(lambda text: text not in ("", "--")) | st.just("VROOT")
NAMES = st.text(st.sampled_from("ab1 <\"'&"), max_size=2)


@given(constituents(FORMS, LABELS, NAMES))
def test_reading_what_was_written_is_the_identity(corpus):
    data = b"".join(FORMAT.write(corpus))
    assert FORMAT.read(data, "x", 1, FormatOptions()) == corpus


@given(st.data())
def test_broken_input_is_an_input_error_and_nothing_else(data):
    check_damaged_text(FORMAT, EXAMPLE, b'<>&"/ns15_ \n', data)


def test_an_empty_label_survives():
    corpus = read_text("( (S (NP (NN a)) (VP (VB b))))", "brackets")
    again = read_text(write_text(corpus, "tigerxml"), "tigerxml")
    assert again.label.tolist() == corpus.label.tolist() == ["", "S", "NP", "VP"]

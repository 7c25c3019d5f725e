"""The NEGRA export format."""

from __future__ import annotations

import numpy as np
import pytest
from damaged import check_damaged_text
from hypothesis import given
from hypothesis import strategies as st
from scattered import constituents

from commonground.corpus import Constituents, Strings, Table
from commonground.errors import InputError, UsageError
from commonground.formats import FormatOptions, detect, read_chunks, read_text, write_text
from commonground.formats.codecs.export import FORMAT, cut

CROSSING = """\
%% an example
#FORMAT 3
#BOT WORDTAG
-1\tUNKNOWN\tN\tnot a tag
0\t--\tN\t<not named>
#EOT WORDTAG
%% word\ttag\tmorph\tedge\tparent\tsecedge comment
#BOS 17 2 1070544990 0 %% HEADLINE  of  17
Was\t\t\tPWS\tAkk\t\tOA\t501
man\t\t\tPIS\t--\t\tSB\t502
sehen\t\t\tVVINF\t--\t\tHD\t501\t%% R=1
kann\t\t\tVMFIN\t3.Sg\t\tHD\t502     SB      500     OA      501
,\t\t\t$,\t--\t\t--\t0
gilt\t\t\tVVFIN\t--\t\tHD\t500
#501\t\t\tVP\t--\t\tOC\t502
#502\t\t\tS\t--\t\tSB\t500     MO      500
#500\t\t\tS\tmain\t\t--\t0
#EOS 17
"""

WITH_LEMMAS = """\
#FORMAT 4
#BOS s/1
Birds  bird  NNS --  SB  500
sing   sing  VBP --  HD  500
#500   --    S   --  --  0
#EOS s/1

#BOS s/2
Listen listen VB -- -- 0
#EOS
"""


def test_crossing_branches_are_read():
    corpus = read_text(CROSSING)
    assert corpus.form.tolist() == ["Was", "man", "sehen", "kann", ",", "gilt"]
    assert corpus.tag.tolist() == ["PWS", "PIS", "VVINF", "VMFIN", "$,", "VVFIN"]
    assert corpus.label.tolist() == ["S", "S", "VP"]
    assert corpus.parent.tolist() == [-1, 0, 1]
    assert corpus.words.numbers("parent").tolist() == [2, 1, 2, 1, -1, 0]
    assert corpus.words.strings("edge").tolist() == ["OA", "SB", "HD", "HD", "_", "HD"]
    assert corpus.words.strings("feats").tolist() == ["Akk", "_", "_", "3.Sg", "_", "_"]
    assert corpus.words.strings("comment").tolist() == ["_", "_", "R=1", "_", "_", "_"]
    assert corpus.nodes.strings("edge").tolist() == ["_", "SB", "OC"]
    assert corpus.nodes.strings("feats").tolist() == ["main", "_", "_"]
    assert corpus.lines.tolist() == [8]


def test_secondary_edges_lead_to_words_and_to_nodes():
    secondary = read_text(CROSSING).secondary
    assert secondary.strings("label").tolist() == ["SB", "OA", "MO"]
    assert secondary.numbers("parent").tolist() == [0, 2, 0]
    assert secondary.numbers("word").tolist() == [3, 3, -1]
    assert secondary.numbers("node").tolist() == [-1, -1, 1]


def test_what_bos_says_becomes_metadata():
    sentence = read_text(CROSSING)[0]
    assert sentence.comments == [
        "# sent_id = 17",
        "# export.editor = 2",
        "# export.date = 1070544990",
        "# export.origin = 0",
        "# export.comment = HEADLINE  of  17",
    ]


def test_version_4_has_lemmas():
    corpus = read_text(WITH_LEMMAS)
    assert corpus.words.strings("lemma").tolist() == ["bird", "sing", "listen"]
    assert corpus.sent_id.tolist() == ["s/1", "s/2"]
    assert corpus.lines.tolist() == [2, 8]


@pytest.mark.parametrize("text", [CROSSING, WITH_LEMMAS])
@pytest.mark.parametrize("version", ["export", "export3"])
def test_what_was_written_reads_the_same(text, version):
    corpus = read_text(text)
    if version == "export3":
        corpus = corpus.replace("words", lemma=Strings.constant("_", corpus.words.rows))
    assert read_text(write_text(corpus, version)) == corpus


def test_the_file_says_what_the_comments_say():
    text = write_text(read_text(CROSSING), "export3")
    assert text.splitlines()[:3] == [
        "#FORMAT 3",
        "%% word\ttag\tmorph\tedge\tparent\tsecedge comment",
        "#BOS 17 2 1070544990 0 %% HEADLINE  of  17",
    ]
    assert "kann\tVMFIN\t3.Sg\tHD\t501\tSB\t502\tOA\t500\n" in text
    assert text.endswith(
        "#500\tVP\t--\tOC\t501\n#501\tS\t--\tSB\t502\tMO\t502\n#502\tS\tmain\t--\t0\n#EOS 17\n"
    )


def test_the_version_is_told_by_the_first_word_where_the_header_does_not():
    without = WITH_LEMMAS.replace("#FORMAT 4\n", "")
    assert read_text(without) == read_text(WITH_LEMMAS)


def test_a_table_ends_where_the_first_sentence_begins():
    assert read_text("#BOT X\n0\t--\n" + WITH_LEMMAS[10:], "export") == read_text(WITH_LEMMAS)


def test_comments_of_other_formats_survive():
    corpus = read_text(WITH_LEMMAS)
    comments = "# newdoc id = d\n# sent_id = 1\n# text = Birds  sing "
    other = Constituents(
        {name: corpus.tables[name] for name in ("words", "nodes")},
        comments=[comments, "# sent_id = a b"],
    )
    again = read_text(write_text(other, "export"))
    assert again == other
    assert "#BOS 1\n" in write_text(other, "export")


def test_a_sentence_without_an_id_is_given_its_number():
    corpus = read_text(WITH_LEMMAS)
    bare = Constituents({name: corpus.tables[name] for name in ("words", "nodes")})
    assert read_text(write_text(bare, "export")).comments.tolist() == [
        "# sent_id = 1",
        "# sent_id = 2",
    ]


@pytest.mark.parametrize(
    "forms", [["#500"], ["#2020"], ["#", "#1", "#500", "#501"], ["#500", "x"], ["#FORMAT"]]
)
@pytest.mark.parametrize("nodes", [0, 1, 2])
def test_a_word_that_looks_like_a_node_is_a_word(forms, nodes):
    words = Table(
        [0, len(forms)],
        form=Strings.of(forms),
        tag=Strings.constant("NN", len(forms)),
        parent=np.full(len(forms), nodes - 1, np.int32),
    )
    phrases = Table(
        [0, nodes], label=Strings.constant("X", nodes), parent=np.arange(nodes, dtype=np.int32) - 1
    )
    corpus = Constituents({"words": words, "nodes": phrases}, comments=["# sent_id = 1"])
    assert read_text(write_text(corpus, "export")) == corpus


@pytest.mark.parametrize("form", ["", "%%", "%%x", "#BOS", "#EOS"])
def test_a_word_that_the_format_cannot_hold_is_refused(form):
    words = Table([0, 1], form=Strings.of([form]), tag=Strings.of(["X"]), parent=np.array([-1]))
    nodes = Table([0, 0], label=Strings.of([]), parent=np.empty(0, np.int32))
    with pytest.raises(UsageError, match="sentence 1: the export format cannot hold the form"):
        write_text(Constituents({"words": words, "nodes": nodes}), "export")


def test_white_space_inside_a_field_is_written_as_an_underscore():
    words = Table(
        [0, 1],
        form=Strings.of(["in plaats"]),
        tag=Strings.of(["a\tb"]),
        lemma=Strings.of(["c\nd"]),
        parent=np.array([-1]),
    )
    nodes = Table([0, 0], label=Strings.of([]), parent=np.empty(0, np.int32))
    text = write_text(Constituents({"words": words, "nodes": nodes}), "export")
    assert "in_plaats\tc_d\ta_b\t--\t--\t0\n" in text


def test_a_sentence_may_have_no_words():
    corpus = read_text("#FORMAT 4\n#BOS 1\n#EOS 1\n#BOS 2\na b c d e 0\n#EOS 2\n")
    assert corpus.words.lengths.tolist() == [0, 1]
    assert read_text(write_text(corpus, "export")) == corpus


def test_a_tree_of_5000_levels_is_read_and_written():
    lines = ["w -- NN -- HD 500"]
    lines += [f"#{500 + i} -- X -- -- {501 + i if i < 4999 else 0}" for i in range(5000)]
    corpus = read_text("\n".join(["#FORMAT 4", "#BOS 1", *lines, "#EOS 1", ""]))
    assert corpus.parent.tolist() == list(range(-1, 4999))
    assert read_text(write_text(corpus, "export")) == corpus


@pytest.mark.long
def test_a_sentence_of_10000_words_is_read_and_written():
    lines = [f"w{i} -- NN -- HD {500 + i % 7}" for i in range(10_000)]
    lines += [f"#{500 + i} -- X -- -- 0" for i in range(7)]
    corpus = read_text("\n".join(["#BOS 1", *lines, "#EOS 1", ""]))
    assert corpus.words.rows == 10_000
    assert read_text(write_text(corpus, "export")) == corpus


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        ("#FORMAT 5", 1, "#FORMAT 3 or #FORMAT 4 is expected"),
        ("word", 1, "'word' outside a sentence; #BOS is expected"),
        ("#BOS", 1, "#BOS must be followed by an id"),
        ("#BOS 1\na b c d 0", 3, "the file ends before the #EOS of sentence '1'"),
        ("#BOT X\n0 --", 3, "the file ends before the #EOT of '#BOT X'"),
        ("#BOS 1\n#EOS 2", 2, "#EOS 1 is expected, for the #BOS on line 1"),
        ("#BOS 1\n#BOS 2\n#EOS 2", 2, "#BOS before the #EOS of sentence '1'"),
        ("#BOS 1\na b c 0\n#EOS 1", 2, "4 fields; a line of version 4 has 6 (word lemma tag"),
        ("#FORMAT 3\n#BOS 1\na b c d e 0\n#EOS 1", 3, "6 fields; a line of version 3 has 5"),
        ("#BOS 1\na b c d 0 X\n#EOS 1", 2, "parent 'X'; 0 or the number of a node"),
        ("#BOS 1\na b c d e 7\n#EOS 1", 2, "parent '7'; 0 or the number of a node (from 500)"),
        ("#BOS 1\na b c d e 500\n#EOS 1", 2, "the sentence has no node #500"),
        ("#BOS 1\na b c d 0 SB 500\n#EOS 1", 2, "the sentence has no node #500"),
        (
            "#BOS 1\na b c d 500\n#500 b c d 0\n#501 b c d 0\n#EOS 1",
            4,
            "the node has no word below it",
        ),
        (
            "#BOS 1\na b c d 500\n#500 b c d 501\n#501 b c d 500\n#EOS 1",
            3,
            "the node is below itself",
        ),
        ("#BOS 1\na b c d 500\n#500 b c d 501\n#501 b c d 0\n#501 b c d 0\n#EOS 1", 5, "another"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(lines, line, message):
    data = f"{lines}\n".encode()
    with pytest.raises(InputError) as error:
        FORMAT.read(data, "x.export", 1, FormatOptions())
    assert message in str(error.value)
    assert error.value.line == line
    assert next(FORMAT.problems(data, FormatOptions())).line == line


def test_latin_1_is_told():
    with pytest.raises(InputError, match=r"x:2: byte 2 is not UTF-8; .* \(is it in Latin-1\?\)"):
        FORMAT.read("#BOS 1\nfür APPR -- AC 0\n#EOS 1\n".encode("latin-1"), "x", 1, FormatOptions())


def test_a_file_is_cut_after_a_sentence():
    data = CROSSING.encode()
    assert cut(data) == len(data)
    assert cut(data + b"#BOS 2\nword\n") == len(data)
    assert cut(b"#BOS 1\nx#EOS -- -- -- 0\n") == 0


def test_chunks_have_the_version_and_the_lines_of_the_whole(tmp_path):
    text = CROSSING + "".join(f"#BOS {i}\nx  X -- -- 0\n#EOS {i}\n" for i in range(300))
    path = tmp_path / "a.export"
    path.write_text(text)
    parts = list(read_chunks(path, size=700))
    assert len(parts) > 3
    whole = read_text(text)
    assert type(whole).concatenate(parts) == whole
    assert np.concatenate([part.lines for part in parts]).tolist() == whole.lines.tolist()
    path.write_text(text + "#BOS x\na b c d e 0\n#EOS x\n")
    with pytest.raises(InputError, match="6 field"):
        list(read_chunks(path, size=700))


@pytest.mark.parametrize("text", [CROSSING, WITH_LEMMAS, "#BOS 3\nHi UH -- -- 0\n#EOS 3\n"])
def test_the_format_is_recognised(text):
    assert detect(text.encode()).name == "export"


@pytest.mark.parametrize(
    "text",
    [
        "# sent_id = 1\n1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n",
        "(S (NP (NN x)))\n#BOS 1\n",
        "#BOS of a comment\n1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n",
        "%% nothing\n",
        "",
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


TEXT = st.text(
    st.characters(exclude_characters=" \t\n", exclude_categories=["Cs"]), min_size=1, max_size=5
)
FORMS = TEXT.filter(lambda t: not t.startswith("%%")) | st.sampled_from(
    ["--", "_", "#500", "#503", "#2020", "#"]
)
LABELS = TEXT.filter(lambda t: not t.startswith("%%") and t != "--")


@given(constituents(FORMS, LABELS, LABELS | st.sampled_from(["", "a b", "--", " x", "%%"])))
def test_reading_what_was_written_is_the_identity(corpus):
    data = b"".join(FORMAT.write(corpus))
    again = FORMAT.read(data, "x", 1, FormatOptions())
    with_ids = corpus.metadata("sent_id").where(bool)
    assert again[with_ids] == corpus[with_ids]
    assert again.words == corpus.words
    assert again.nodes == corpus.nodes
    assert again.secondary == corpus.secondary


@given(st.data())
def test_broken_input_is_an_input_error_and_nothing_else(data):
    check_damaged_text(FORMAT, CROSSING + WITH_LEMMAS, b"#05\n\t %-B", data)


def test_an_empty_label_survives():
    corpus = read_text("( (S (NP (NN a)) (VP (VB b))))", "brackets")
    again = read_text(write_text(corpus, "export"), "export")
    assert again.label.tolist() == corpus.label.tolist() == ["", "S", "NP", "VP"]

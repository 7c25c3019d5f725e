"""Penn brackets: the kernel in both versions, reading, checking, writing."""

import importlib
import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from commonground.corpus import Constituents, Strings, Table
from commonground.corpus.stripping import strip
from commonground.errors import InputError, UsageError
from commonground.formats import (
    FormatOptions,
    detect,
    find_format,
    read,
    read_chunks,
    read_text,
    write_text,
)
from commonground.formats.codecs.brackets import cut
from commonground.formats.codecs.discbracket import WORDS as NUMBERED_WORDS
from commonground.formats.notation.escapes import LABELS, WORDS
from commonground.ground import to_functions
from commonground.kernels import brackets as plain
from commonground.kernels import built

SYMBOLS = "␉␊␋␌␍␠"
PTB = r"""
( (S
    (NP-SBJ-1 (DT The) (NN yard\/garden)
      (-LRB- -LRB-) (JJ big) (-RRB- -RRB-) )
    (VP (VBD was)
      (VP (VBN seen)
        (NP (-NONE- *-1) )
        (PP-LOC=2 (IN by)
          (NP (PRP us) ))))
    (. .) ))
( (FRAG (NP (NN 3\*4)) (SBAR (-NONE- 0) (S (-NONE- *T*-2)))))
"""


def tree(text, name="brackets"):
    """The only tree of a text."""
    return read_text(text, name)[0]


def problems(text, name="brackets"):
    """What is wrong with a text, as (line, message)."""
    data = text if isinstance(text, bytes) else text.encode()
    return [(p.line, p.message) for p in find_format(name).problems(data, FormatOptions())]


# ── the kernel ───────────────────────────────────────────────────────────────────────────────────


def outcome(kernel, data):
    """Return what a kernel makes of some bytes, as values that can be compared."""
    try:
        words, nodes, texts, lines, asides = kernel(data)
    except ValueError:
        return None
    columns = (*words, *nodes, lines)
    return [(c.dtype, c.tolist()) for c in columns], texts, asides


PIECES = st.sampled_from(
    [
        *(
            "(",
            ")",
            "(NP ",
            "(NP\n    ",
            "(NP (",
            "(NN dog)",
            "(NN dog))",
            "(NN dog)))\n  ",
            " the ",
        ),
        *(
            "( the)",
            "( (S ",
            "(S(NP",
            "(NN\n        dog)",
            "( NN dog )",
            "(a b c)",
            "(LONGERLABEL (X y)",
        ),
        *(
            "(NN internationally)",
            "(NNNNNNNN eightletters))",
            "(X 1234567)",
            "(X 12345678)",
            "()",
            "(N)",
        ),
        *(
            "\n# a comment :)\n",
            "\n<S ID=1>\n",
            "\n*x* Copyright (C) *x*\n",
            "#",
            "\t",
            "\r",
            "\x01",
        ),
        *("é", "(ü äöüß)", "\x00", "))))))))))", "\n" + " " * 20, "\xa0"),
    ]
)
SOUP = st.one_of(
    st.lists(PIECES, max_size=30).map(lambda pieces: "".join(pieces).encode()),
    st.lists(PIECES, max_size=30).map(
        lambda pieces: closed("(S " + "".join(pieces)).encode() + b"\n(ROOT (X y))" * 9
    ),
    st.binary(max_size=60),
    st.text("()# \n<*xab", max_size=40).map(str.encode),
)


def closed(text):
    """A text with as many closing brackets as it needs."""
    return text + ")" * (text.count("(") - text.count(")"))


@pytest.mark.skipif(not built(), reason="the kernels were not compiled")
@given(SOUP)
def test_the_compiled_kernel_does_what_the_plain_one_does(data):
    compiled = importlib.import_module("commonground.kernels._brackets")
    assert outcome(compiled.brackets, data) == outcome(plain.brackets, data)


@given(SOUP)
def test_what_cannot_be_read_has_a_problem_and_only_that(data):
    entry = find_format("brackets")
    result = list(entry.problems(data, FormatOptions()))
    if not result:
        entry.read(data, "x", 1, FormatOptions())
        return
    with pytest.raises(InputError) as caught:
        entry.read(data, "x", 1, FormatOptions())
    assert (caught.value.line, caught.value.message) == (result[0].line, result[0].message)


@given(SOUP)
def test_a_cut_leaves_two_sides_that_read_like_the_whole(data):
    try:
        whole = read_text(data.decode("utf-8", "replace"), "brackets")
    except InputError:
        return
    data = data.decode("utf-8", "replace").encode()
    place = cut(data)
    assert place or not len(whole)
    parts = [read_text(part.decode(), "brackets") for part in (data[:place], data[place:])]
    assert len(parts[1]) == 0
    assert parts[0] == whole
    lines = [data.count(b"\n", 0, place), *parts[0].lines.tolist()]
    assert lines[1:] == whole.lines.tolist()


def test_every_treebank_at_hand_is_the_same_with_both_kernels(shared, monkeypatch):
    if not built():
        pytest.skip("the kernels were not compiled")
    for path in bracket_files(shared):
        results = []
        for kind in ("python", "compiled"):
            monkeypatch.setenv("COMMONGROUND_KERNELS", kind)
            results.append(read(path))
        assert results[0] == results[1], path
        assert results[0].lines.tolist() == results[1].lines.tolist(), path


def bracket_files(shared):
    """All bracketed files at hand."""
    data, golden = shared / "data", shared / "golden"
    return [
        *sorted((data / "gum/const").glob("*.ptb")),
        data / "sequoia/const.mrg",
        data / "pe08/genia.ptb",
        golden / "evalb/gum.gold",
        golden / "evalb/gum.sys",
        golden / "evalb/failed.gold",
    ]


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def test_the_penn_treebank_s_own_layout(kernels):
    corpus = read_text(PTB)
    assert len(corpus) == 2
    first = corpus[0]
    assert first.form == [
        "The",
        "yard/garden",
        "(",
        "big",
        ")",
        "was",
        "seen",
        "*-1",
        "by",
        "us",
        ".",
    ]
    assert first.tag == "DT NN -LRB- JJ -RRB- VBD VBN -NONE- IN PRP .".split()
    labels = first.column("label", "nodes")
    assert labels == ["", "S", "NP-SBJ-1", "VP", "VP", "NP", "PP-LOC=2", "NP"]
    assert first.column("parent", "nodes").tolist() == [-1, 0, 1, 1, 3, 4, 4, 6]
    assert first.parent.tolist() == [2, 2, 2, 2, 2, 3, 4, 5, 6, 7, 1]
    assert corpus[1].form == ["3*4", "0", "*T*-2"]
    assert corpus.lines.tolist() == [2, 11]


def test_traces_are_found():
    assert read_text(PTB).traces.tolist() == [False] * 7 + [True] + [False] * 4 + [True] * 2


def test_trees_follow_each_other_with_or_without_a_blank_line(kernels):
    corpus = read_text("(A (B c))(A (B c)) (A\n(B c)\n)\n\n\n(A (B c))")
    assert corpus.form.tolist() == ["c"] * 4
    assert corpus.lines.tolist() == [1, 1, 1, 6]


def test_features_of_spmrl_go_to_their_own_column(kernels):
    text = "(SENT (NP##g=m|n=s## (DET le) (NC##g=m|n=s|s=c## mot)) (# #))"
    corpus = read_text(text)
    assert corpus.tag.tolist() == ["DET", "NC", "#"]
    assert corpus.words.strings("feats").tolist() == ["_", "g=m|n=s|s=c", "_"]
    assert corpus.nodes.strings("feats").tolist() == ["_", "g=m|n=s"]
    assert write_text(corpus, "brackets") == text + "\n"


def test_a_word_without_a_tag_has_the_empty_one(kernels):
    text = "(S (NP the (NN dog)) (VP barks loudly) !)\n"
    corpus = read_text(text, "brackets")
    assert corpus.tag.tolist() == ["", "NN", "", "", ""]
    assert corpus.parent.tolist() == [-1, 0, 0]
    assert write_text(corpus, "brackets") == text


def test_a_phrase_of_one_word_without_a_tag_survives():
    text = "(S (NP ( dogs)) ( ( bark) (ADV loudly)))\n"
    corpus = read_text(text)
    assert corpus.label.tolist() == ["S", "NP", ""]
    assert corpus.tag.tolist() == ["", "", "ADV"]
    assert write_text(corpus, "brackets") == text


def test_a_tree_may_be_a_single_word(kernels):
    corpus = read_text("(X y)\n( z)\n", "brackets")
    assert corpus.nodes.rows == 0
    assert corpus.tag.tolist() == ["X", ""]
    assert write_text(corpus, "brackets") == "(X y)\n( z)\n"


def test_spaces_inside_the_brackets_do_not_matter():
    spaced = "( S ( NP ( DT the ) ( NN dog ) ) ( VP ( VBZ barks ) ) )"
    assert read_text(spaced) == read_text("(S(NP(DT the)(NN dog))(VP(VBZ barks)))")


def test_only_white_space_of_ascii_separates(kernels):
    assert tree("(NUM 10\u00a0000)").form == ["10\u00a0000"]
    assert tree("(X a\u2003\x1c\x85b)").form == ["a\u2003\x1c\x85b"]
    assert tree("(X\va\f)\r").form == ["a"]


def test_comments_stay_with_their_tree(kernels):
    text = "# sent_id = a\n# text = Hi :)\n(X Hi)\n(X Ho)\n# sent_id = c\n(X (Y #))\n"
    corpus = read_text(text)
    assert corpus.sent_id.tolist() == ["a", "2", "c"]
    assert corpus.comments[0] == "# sent_id = a\n# text = Hi :)"
    assert corpus.lines.tolist() == [3, 4, 6]
    assert write_text(corpus, "brackets") == text


def test_a_number_sign_at_the_beginning_of_a_line_inside_a_tree_is_a_word(kernels):
    assert tree("(S (SYM\n#) (CD 1))").form == ["#", "1"]


def test_the_headers_of_the_penn_treebank_and_the_markup_of_the_chinese_one_are_skipped(kernels):
    header = "*x*x*x*\n*x* Copyright (C) 1995 *x*\n*x*x*x*\n\n"
    markup = "<DOC>\n<S ID=12>\n( (IP (NN 中文)))\n</S>\n<S ID=13>\n(X y)\n</S>\n</DOC>\n"
    corpus = read_text(header + markup)
    assert corpus.form.tolist() == ["中文", "y"]
    assert corpus.sent_id.tolist() == ["12", "13"]


def test_the_id_beside_a_tree_of_a_historical_corpus_is_no_word(kernels):
    trees = "( (IP-MAT (N-N kafli) (ID no))\n  (ID 1305.EIRIKS,.1))\n( (FRAG (N-N ok)) (ID x.2))\n"
    corpus = read_text(trees + "( (ID alone))\n(S (ID plain) (ID words))\n")
    assert corpus.sent_id.tolist() == ["1305.EIRIKS,.1", "x.2", "3", "4"]
    assert [sentence.form for sentence in corpus] == [
        ["kafli", "no"],
        ["ok"],
        ["alone"],
        ["plain", "words"],
    ]
    again = read_text(write_text(corpus, "brackets"))
    assert again.sent_id.tolist() == corpus.sent_id.tolist()


def test_empty_categories_of_a_historical_corpus_are_traces_and_lemmas_are_no_part_of_words(
    kernels,
):
    one = (
        "( (IP-MAT (NP-SBJ *con*) (VBDI las-lesa) (NP-OB1 (N-A bækur-bók)) (, ---) (CODE {COM:x}))"
    )
    two = "( (CP-REL (WNP-1 0) (C er-er) (IP-SUB (NP-SBJ *T*-1) (NUM 0-0)))"
    corpus = read_text(f"{one}\n  (ID x.1))\n{two} (ID x.2))\n")
    assert [sentence.form for sentence in corpus] == [
        ["*con*", "las", "bækur", "-", "{COM:x}"],
        ["0", "er", "*T*-1", "0"],
    ]
    assert corpus.words.strings("lemma").tolist()[1:4] == ["lesa", "bók", "-"]
    bare = write_text(strip(corpus, ["traces"]), "brackets")
    assert "( (IP-MAT (VBDI las) (NP-OB1 (N-A bækur)) (, -)))" in bare
    assert "( (CP-REL (C er) (IP-SUB (NUM 0))))" in bare


def test_a_comment_that_mentions_an_id_makes_no_corpus_historical(kernels):
    corpus = read_text("# as in (ID x.1)\n(S (SYM *) (CD 0))\n")
    assert corpus.tag.tolist() == ["SYM", "CD"]


def test_words_with_hyphens_are_whole_where_others_have_none(kernels):
    corpus = read_text("( (NP (N-N yfir-bók) (N-N bók)) (ID x.1))\n")
    assert corpus.form.tolist() == ["yfir-bók", "bók"]


def test_an_empty_file_is_an_empty_treebank(kernels):
    assert len(read_text("", "brackets")) == 0
    assert len(read_text(" \n\n", "brackets")) == 0
    assert write_text(read_text("", "brackets"), "brackets") == ""


# ── what is wrong ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("(X y)\n(X y))\n", 2, "a closing bracket too many"),
        ("(X y)\n(S (X y)\n(X y)", 2, "the tree that begins here is not closed; 1 closing"),
        ("(X y)\n\n(S (NP\n(X y)", 3, "not closed; 2 closing"),
        ("(S\n (NP (N a))\n ())", 3, "a bracket with nothing in it"),
        ("(S ( ) (X y))", 1, "a bracket with nothing in it"),
        ("(S (X y)\n (NP))", 2, "the phrase 'NP' has no words"),
        ("(X y)\nhello world\n(X y)", 2, "'hello' is outside of the trees"),
        ("(X y) # no comment", 1, "'#' is outside"),
        (" # no comment\n(X y)", 1, "'#' is outside"),
        ("(X y)\n# alone\n", 2, "comments without a tree"),
        (b"(X y)\n(X \xff\xfe)", 2, "byte 4 is not UTF-8"),
        (b"# \xff\n(X y)", 1, "byte 3 is not UTF-8"),
    ],
)
def test_a_problem_is_found_on_its_line(text, line, message, kernels):
    ((result, words),) = problems(text)
    assert result == line
    assert message in words
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(InputError) as caught:
        find_format("brackets").read(data, "a.mrg", 11, FormatOptions())
    assert caught.value.line == line + 10


def test_all_problems_are_found():
    text = "(S (NP))\n(X y))\n(S ())\nwords\n(S (X y)\n(S (NP (X y))\n(X y)\n"
    assert [line for line, _ in problems(text)] == [1, 2, 3, 4, 5, 6]


# ── writing ──────────────────────────────────────────────────────────────────────────────────────

TRICKY = st.text(st.sampled_from("-#\\LRSCB/*()[]{} \t\n=|ab"), max_size=12)
TEXTS = st.text(
    st.characters(codec="utf-8", exclude_characters=SYMBOLS, exclude_categories=["Cs"]), max_size=5
)


@given(TRICKY | TEXTS)
@example("-LRB(")
@example("#LRB(")
@example("-LRB-LRB-")
@example("-\\\\LRB-\\/")
def test_an_escaped_text_is_read_back_and_breaks_nothing(text):
    for escapes in (WORDS, LABELS, NUMBERED_WORDS):
        written = escapes.written(text)
        assert escapes.read(written) == text
        assert not set(written) & set("() \t\n\v\f\r")


@st.composite
def treebanks(draw):
    """A treebank of continuous trees, with anything as words and labels."""
    shapes = st.recursive(st.just("(x x)"), lambda inner: st.lists(inner, min_size=1, max_size=4))

    def shown(shape):
        return shape if isinstance(shape, str) else f"(x {''.join(map(shown, shape))})"

    trees = draw(st.lists(shapes.map(shown), max_size=4))
    corpus = read_text("\n".join(trees), "brackets")
    words, nodes = corpus.words, corpus.nodes

    def column(rows, strategy):
        return Strings.of(draw(st.lists(strategy, min_size=rows, max_size=rows)))

    forms = (TRICKY | TEXTS).filter(bool)
    labels = st.one_of(st.just(""), TRICKY, TEXTS).filter(lambda text: "##" not in text)
    feats = st.sampled_from(["_", "_", "g=m|n=s", "Case=(Nom)", "a b"])
    comments = st.sampled_from(["", "# sent_id = 1", "# a (b\n# c)"])
    return Constituents(
        {
            "words": words.replace(
                form=column(words.rows, forms),
                tag=column(words.rows, labels),
                feats=column(words.rows, feats),
            ),
            "nodes": nodes.replace(
                label=column(nodes.rows, labels), feats=column(nodes.rows, feats)
            ),
        },
        comments=draw(st.lists(comments, min_size=len(corpus), max_size=len(corpus))),
    )


@given(treebanks())
def test_what_is_written_is_read_back(corpus):
    text = write_text(corpus, "brackets")
    assert read_text(text, "brackets") == corpus
    assert text.count("\n") == len(corpus) + sum(len(s.comments) for s in corpus)


def indented(text, breaks=lambda: True):
    """Break lines before brackets, as people write trees."""

    def led(found):
        return "\n  (" if breaks() else found[0]

    lines = text.split("\n")
    return "\n".join(line if line.startswith("#") else re.sub(r" \(", led, line) for line in lines)


@given(treebanks(), st.randoms())
def test_indented_trees_are_read_back(corpus, random):
    text = indented(write_text(corpus, "brackets"), lambda: random.random() < 0.5)
    assert read_text(text, "brackets") == corpus


def test_an_edge_becomes_a_function_tag_and_white_space_a_symbol():
    corpus = read_text("(S (NP (NN x) (-NONE- *)))")
    corpus = corpus.replace("nodes", edge=Strings.of(["_", "SB"]))
    corpus = corpus.replace("words", edge=Strings.of(["HD", "HD"]), form=Strings.of(["a b", "*"]))
    assert write_text(corpus, "brackets") == "(S (NP-SB (NN-HD a␠b) (-NONE- *)))\n"


def test_several_trees_of_a_sentence_get_an_outer_bracket():
    whole = read_text("(S (NN a) (NN b))")
    flat = Constituents(
        {
            "words": whole.words.replace(parent=np.array([-1, -1], np.int32)),
            "nodes": Table([0, 0], **{n: column[:0] for n, column in whole.nodes.columns.items()}),
        }
    )
    assert write_text(flat, "brackets") == "( (NN a) (NN b))\n"


def test_a_phrase_with_a_gap_cannot_be_written():
    corpus = read_text(
        "# sent_id = gap\n(S (A 0=a) (B (C 2=c) (D 1=d)) (E (A 4=a)) (F 3=f))", "dbr"
    )
    assert write_text(corpus, "brackets")
    corpus = read_text("# sent_id = gap\n(S (B (C 0=c) (D 2=d)) (E 1=e))", "dbr")
    with pytest.raises(UsageError, match="sentence gap has a phrase with a gap"):
        write_text(corpus, "brackets")


def test_every_treebank_at_hand_survives(shared, kernels):
    """Plain kernels read what compiled ones do (above), so that every fourth will do for them."""
    files = bracket_files(shared)
    trees = 0
    for path in files if kernels == "compiled" else files[::4]:
        corpus = read(path)
        trees += len(corpus)
        text = write_text(corpus, "brackets")
        assert read_text(text) == corpus, path
        assert read_text(indented(text)) == corpus, path
        assert not problems(path.read_bytes()), path
    assert trees == 4049 or kernels == "python"


FAILURES = ["()", "(())", "(TOP )", "(TOP ())", "( )", "(S1)"]


@pytest.mark.parametrize("line", FAILURES)
def test_a_failed_parse_is_a_sentence_without_words(line, kernels):
    corpus = read_text(f"(X y)\n{line}\n# c\n(X z)\n", "brackets")
    assert corpus.words.lengths.tolist() == [1, 0, 1]
    assert corpus.form.tolist() == ["y", "z"]
    assert write_text(corpus, "brackets") == "(X y)\n()\n# c\n(X z)\n"
    assert problems(f"(X y)\n{line}\n(X z)\n") == []


@pytest.mark.parametrize("line", FAILURES)
def test_a_parse_of_which_nothing_succeeded_is_recognised(line):
    assert detect(f"{line}\n{line}\n".encode()).name == "brackets"


def test_a_bracket_with_nothing_in_it_is_wrong_inside_a_tree():
    assert [line for line, _ in problems("(S (X y)\n()\n)\n")] == [2]
    with pytest.raises(InputError, match="2: a bracket with nothing in it"):
        read_text("(S (X y)\n()\n)\n", "brackets")


def test_one_tree_per_line_is_written_as_it_was_read(shared):
    path = shared / "data/sequoia/const.mrg"
    text = path.read_text(encoding="utf-8").replace("[", "-LSB-").replace("]", "-RSB-")
    assert write_text(read(path), "brackets") == text


# ── depth, length, pieces ────────────────────────────────────────────────────────────────────────


@pytest.mark.long
def test_a_tree_5000_deep_and_a_sentence_of_10000_words(kernels):
    deep = "(S " * 5000 + "(X y)" + ")" * 5000 + "\n"
    long = "(S" + " (X y)" * 10000 + ")\n"
    flat = "(S" + " y" * 10000 + ")\n"
    corpus = read_text(deep + long + flat, "brackets")
    assert write_text(corpus, "brackets") == deep + long + flat
    assert read_text(indented(deep + long + flat), "brackets") == corpus
    assert not problems(deep + long + flat)
    assert problems(deep[:-2] + "\n" + long) == [
        (1, "the tree that begins here is not closed; 1 closing bracket is missing")
    ]


@pytest.mark.parametrize("size", [1, 7, 100, 1000])
def test_a_file_is_read_in_pieces(tmp_path, size, kernels):
    text = PTB + "# c (\n(X y)\n(S (A b)\n(C d)) (X y)\n# last\n\n(X\ny)"
    path = tmp_path / "a.mrg"
    path.write_text(text, encoding="utf-8")
    parts = list(read_chunks(path, size=size))
    whole = read(path)
    assert Constituents.concatenate(parts) == whole
    assert [line for part in parts for line in part.lines.tolist()] == whole.lines.tolist()
    assert len(parts) > 2 or size > 100


# ── detection ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text",
    [
        PTB,
        "(ROOT\n  (NP (NN dog)))",
        "# sent_id = 1\n\n(TOP (S (NP I) (VP go)))",
        "*x* Copyright (C) 1995 *x*\n( (S (X y)))",
        "<S ID=1>\n( (IP (NN x)))\n</S>",
        "((S (NP the (NN dog))))",
    ],
)
def test_brackets_are_recognised(text):
    assert detect(text.encode()).name == "brackets"


@pytest.mark.parametrize(
    "text",
    [
        "(ncsubj involves:12 activation:8 _)\n(passive involves:12)\n",
        "(S (NP (DT 0=The) (NN 2=dog)) (VP (V 1=barks)))\n",
        "(<T S[dcl] 0 2> (<L NP NNP NNP Birds NP>) (<L S\\NP VBP VBP sing S\\NP>))",
        "95021266.1\nHuman T-cell (p65)\n(ncsubj involves:12 activation:8 _)\n",
        "1\t(S (NP (DT the) (NN dog)))\t_\n",
        "S (NP (DT the) (NN dog))",
        "",
    ],
)
def test_other_things_with_brackets_are_left_alone(text):
    assert find_format("brackets").looks_like(text) == 0.0


def test_every_file_at_hand_is_recognised_and_no_other_one_is_claimed(shared):
    ours = {*bracket_files(shared), shared / "golden/evalb/failed.sys"}
    for path in sorted(shared.glob("[dg]*/**/*")):
        if path.is_file():
            start = path.read_bytes()[: 1 << 16].decode("utf-8", "replace")
            likely = find_format("brackets").looks_like(start)
            assert (likely > 0.5) == (path in ours), path
            assert find_format("discbracket").looks_like(start) == 0.0, path


# ── historical corpora ───────────────────────────────────────────────────────────────────────────


def test_words_of_historical_corpora_stand_as_in_the_text():
    object_ = "(NP-OB1 (N-A frásögn$) (D-A $ina))"
    corpus = read_text(f"( (IP {object_} (, ,-,) (N Bar<dash/>Jesus) (V er-vera)) (ID x,.1))")
    assert corpus.form.tolist() == ["frásögn", "ina", ",", "Bar-Jesus", "er"]
    assert corpus.words.strings("lemma").tolist() == ["_", "_", ",", "_", "vera"]
    assert corpus.sent_id.tolist() == ["x,.1"]


def test_punctuation_alone_can_have_lemmas():
    corpus = read_text("( (IP (N-N yfir-bók) (N-N bók) (. .-.)) (ID x.1))\n")
    assert corpus.form.tolist() == ["yfir-bók", "bók", "."]


def test_a_dash_on_a_tag_is_no_function_unless_it_is_asked_for():
    corpus = read_text("(IP-MAT (NP-SBJ (PRO-N Hetta)) (NP-OB2 (NPR-D Guði)))")
    assert set(to_functions(corpus).label) == {"MAT", "SBJ", "OB2"}
    assert set(to_functions(corpus, functions=["SBJ", "D"]).label) == {"", "SBJ", "D"}


def test_functions_of_floresta_are_labels_of_edges():
    text = (
        "#2 CP1-2 O bar fecha.\n(STA+fcl (SUBJ+np (>N+art O) (H+n bar)) (P+v-fin fecha) (.)\n"
        "#3 CP1-3 Fecha {cedo}\n(STA+fcl (P+v-fin Fecha) ({) (ADVL+adv cedo) (}))\n"
    )
    corpus = read_text(text)
    assert corpus.sent_id.tolist() == ["CP1-2", "CP1-3"]
    assert corpus.label.tolist() == ["fcl", "np", "fcl"]
    assert corpus.nodes.strings("edge").tolist() == ["STA", "SUBJ", "STA"]
    assert corpus.words.strings("edge").tolist()[:4] == [">N", "H", "P", "_"]
    assert corpus.form.tolist() == ["O", "bar", "fecha", ".", "Fecha", "(", "cedo", ")"]
    with pytest.raises(InputError, match=r"the phrase '\.' has no words"):
        read_text("(S (NP (N dogs)) (V bark) (.))", "brackets")

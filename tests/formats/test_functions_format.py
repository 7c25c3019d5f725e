"""Function trees as brackets with sets of labels."""

from __future__ import annotations

import numpy as np
import pytest
from function_trees import sentences, shown, trees
from hypothesis import given
from hypothesis import strategies as st
from relation_samples import SAMPLES, other_starts

import commonground
from commonground.corpus import Dependencies, Functions
from commonground.errors import InputError
from commonground.formats import FormatOptions, detect, find_format, read, read_chunks, write_text
from commonground.formats.codecs.functions import looks_like
from commonground.ground import to_functions

SAMPLE = """\
# sent_id = 1
# text = John loves Mary
({root} ({sbj} John) ({hd} loves) ({obj} Mary))
({root} ({sbj} 1=A 2=hearing 4=on 5=it) 3=starts)
({} well ,) then
({conj} 1=Ann 2=and) ({sbj} 2=and 3=Bob)
()
"""


def rows(corpus):
    return list(zip(corpus.yields, corpus.label, strict=True))


# ── what the text means ──────────────────────────────────────────────────────────────────────────


def test_john_loves_mary():
    corpus = trees("({root} ({sbj} John) ({hd} loves) ({obj} Mary))")
    assert corpus.form.tolist() == ["John", "loves", "Mary"]
    assert rows(corpus) == [("1-3", "root"), ("1", "sbj"), ("2", "hd"), ("3", "obj")]


def test_words_may_stand_bare():
    assert rows(trees("Oh ({a} b c) d")) == [("2-3", "a")]
    assert rows(trees("Oh")) == []


def test_the_empty_set_is_no_label():
    assert rows(trees("({} a)")) == [("1", "")]


def test_several_labels_are_sorted():
    assert shown(trees("({sbj,obj,hd} a)")) == "({hd,obj,sbj} a)"


def test_a_unary_chain_is_one_node():
    assert shown(trees("({f2} ({} ({f1,f2} w)))")) == "({f1,f2} w)"


def test_a_sentence_without_words():
    corpus = trees("()\n({a} b)\n()")
    assert corpus.words.lengths.tolist() == [0, 1, 0]
    assert write_text(corpus, "functions") == "()\n({a} b)\n()\n"


def test_comments_stand_before_their_sentence():
    corpus = trees(SAMPLE)
    assert corpus.sent_id.tolist() == ["1", "2", "3", "4", "5"]
    assert corpus[0].metadata("text") == "John loves Mary"
    assert corpus.lines.tolist() == [1, 4, 5, 6, 7]


def test_yields_with_gaps_and_yields_that_cross_have_numbered_words():
    corpus = trees(SAMPLE)
    assert corpus[1].column("yields", "nodes") == ["1-5", "1-2,4-5"]
    assert corpus[3].column("yields", "nodes") == ["1-2", "2-3"]
    assert corpus[3].column("form") == ["Ann", "and", "Bob"]


def test_the_text_is_canonical():
    assert write_text(trees(SAMPLE), "functions") == SAMPLE
    messy = "  ( {b,a} 2=y ({c} 1=x ) )\t3=z"
    assert shown(trees(messy)) == "({a,b} ({c} x) y) z"


def test_numbers_are_only_written_where_they_are_needed():
    assert shown(trees("({a} 1=x) ({b} 2=y)")) == "({a} x) ({b} y)"


def test_words_that_look_numbered_get_numbers():
    corpus = Functions.of([(["1=a", "2=b"], [("1", "x")]), (["1=a", "b"], [])])
    assert shown(corpus) == "({x} 1=1=a) 2=2=b\n1=a b"
    assert trees(shown(corpus)) == corpus


def test_a_bare_word_at_the_beginning_is_no_comment():
    corpus = Functions.of([(["#", "1"], [("2", "x")]), (["#"], [("1", "x")])])
    assert write_text(corpus, "functions") == "1=# ({x} 2=1)\n({x} #)\n"
    assert trees(write_text(corpus, "functions")) == corpus


@pytest.mark.parametrize(
    ("form", "written"),
    [("(", "-LRB-"), ("{a}", "-LCB-a-RCB-"), ("a b", "a␠b"), ("-LRB-", "-\\LRB-"), ("\\", "\\")],
)
def test_words_are_escaped_as_in_penn_brackets(form, written):
    corpus = Functions.of([([form], [("1", "x")])])
    assert shown(corpus) == f"({{x}} {written})"
    assert trees(shown(corpus)) == corpus


@pytest.mark.parametrize(
    ("label", "written"),
    [
        ("a,b", r"a\,b"),
        ("(a)", r"\(a\)"),
        ("{}", r"\{\}"),
        ("a b\t\n", r"a\sb\t\n"),
        ("\\s", r"\\s"),
        ("nmod:in_'s", "nmod:in_'s"),
    ],
)
def test_labels_are_escaped_with_backslashes(label, written):
    corpus = Functions.of([(["w"], [("1", label), ("1", "~")])])
    assert shown(corpus) == f"({{{written},~}} w)"
    assert trees(shown(corpus)) == corpus


# ── there and back ───────────────────────────────────────────────────────────────────────────────

FORMS = st.text(
    st.characters(codec="utf-8", exclude_characters="␉␊␋␌␍␠", exclude_categories=["Cs"]),
    min_size=1,
    max_size=5,
)
HARD = st.one_of(st.sampled_from(["#", "1=a", "(", "{}", "\\", "-LRB-", "\\)", "a b", "é"]), FORMS)


@st.composite
def any_corpus(draw):
    kinds = st.sampled_from([{}, {"scattered": True}, {"crossing": True}])
    results = []
    for _ in range(draw(st.integers(0, 3))):
        words = draw(st.lists(HARD, max_size=6))
        forms, nodes = draw(sentences(len(words), words=words, **draw(kinds)))
        names = {label: draw(HARD) for _, label in nodes if label}
        results.append((forms, [(place, names.get(label, "")) for place, label in nodes]))
    return Functions.of(results)


@given(any_corpus())
def test_reading_back_gives_an_equal_corpus(corpus):
    text = write_text(corpus, "functions")
    assert trees(text) == corpus
    assert write_text(trees(text), "functions") == text


@given(any_corpus(), st.randoms())
def test_equal_sets_give_equal_text(corpus, random):
    shuffled = []
    for sentence in corpus:
        pairs = list(zip(*(sentence.column(c, "nodes") for c in ("yields", "label")), strict=True))
        random.shuffle(pairs)
        shuffled.append((sentence.column("form"), pairs * 2))
    assert write_text(Functions.of(shuffled), "functions") == write_text(corpus, "functions")


@pytest.mark.long
def test_a_deep_tree_and_a_long_sentence():
    deep, long = 5000, 10_000
    chain = Dependencies.of([(["w"] * deep, list(range(deep)), ["x"] * deep)])
    flat = Dependencies.of([(["w"] * long, [0] + [1] * (long - 1), ["x"] * long)])
    for corpus in (to_functions(chain), to_functions(flat)):
        assert trees(write_text(corpus, "functions")) == corpus


@pytest.mark.long
def test_a_deep_tree_with_gaps():
    length = 2000
    yields = [",".join(map(str, range(n, length + 1, 2))) for n in range(1, length, 2)]
    corpus = Functions.of([(["w"] * length, [(text, "x") for text in yields])])
    assert trees(write_text(corpus, "functions")) == corpus


@pytest.mark.long
def test_brackets_that_nothing_closes_are_no_recursion():
    assert len(list(find_format("functions").problems(b"({a} " * 100_000, FormatOptions()))) == 1


def test_pieces_of_a_file_are_the_whole(tmp_path):
    path = tmp_path / "a.functions"
    path.write_text(SAMPLE * 3, encoding="utf-8")
    whole = read(path)
    for size in (1, 20, 60, 300):
        pieces = list(read_chunks(path, size=size))
        assert Functions.concatenate(pieces) == whole
        assert [n for piece in pieces for n in piece.lines.tolist()] == whole.lines.tolist()


# ── what is wrong ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("({a} b", 1, "1 closing bracket is missing"),
        ("({a} b)\n({a} b))", 2, "a closing bracket too many"),
        ("(a b)", 1, "no labels after a bracket, but 'a'; ({sbj} John) is right"),
        ("(({a} b))", 1, "no labels after a bracket, but '('"),
        ("({a} b ()", 1, "no labels after a bracket, but ')'"),
        ("({a} b) (", 1, "1 closing bracket is missing"),
        ("({a})", 1, "the node '{a}' has no words"),
        ("({a,} b)", 1, "'{a,}' is not a set of labels"),
        ("({a b)", 1, "'{a' is not a set of labels"),
        ("({a\\x} b)", 1, "not a set of labels"),
        ("a {b}", 1, "'{b}' is not a set of labels behind a bracket"),
        ("({a} 1=b) 3=c", 1, "there is no word 2; of 2 words the first has the number 1"),
        ("0=a 1=b", 1, "there is no word 2"),
        ("({a} 1=b) ({c} 1=d)", 1, "two forms for word 1"),
        ("a\n# b", 2, "comments without a sentence"),
        ("({\xe9} a)\n({b} \udcff)", 2, "is not UTF-8"),
    ],
)
def test_what_is_wrong_has_a_line_and_a_reason(text, line, message):
    data = text.encode("utf-8", "surrogateescape")
    problems = list(find_format("functions").problems(data, FormatOptions()))
    assert problems[0].line == line
    assert message in problems[0].message
    with pytest.raises(InputError) as caught:
        find_format("functions").read(data, "a", 11, FormatOptions())
    assert (caught.value.line, caught.value.message) == (line + 10, problems[0].message)


def test_all_problems_are_found():
    data = b"({a} b\n({a} b)\n(a b)\nb)"
    problems = list(find_format("functions").problems(data, FormatOptions()))
    assert [problem.line for problem in problems] == [1, 3, 4]


@given(st.data())
def test_a_damaged_file_is_read_or_refused(data):
    damaged = SAMPLE.encode()
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(damaged)))
        more = data.draw(
            st.one_of(st.binary(max_size=2), st.sampled_from([b"(", b"{", b"1=", b"\\"]))
        )
        damaged = damaged[:place] + more + damaged[place + data.draw(st.integers(0, 3)) :]
    entry = find_format("functions")
    problems = list(entry.problems(damaged, FormatOptions()))
    try:
        corpus = entry.read(damaged, "a", 1, FormatOptions())
    except InputError as error:
        assert (error.line, error.message) == (problems[0].line, problems[0].message)  # noqa: PT017  # either way is right
    else:
        assert not problems
        assert entry.read(b"".join(entry.write(corpus)), "a", 1, FormatOptions()) == corpus


# ── detection ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("line", [*SAMPLE.splitlines()[2:4], "# a\n\n({} a)", "a ({b} c)"])
def test_function_trees_are_recognised(line):
    assert detect(line.encode()).name == "functions"


@pytest.mark.parametrize(
    "text",
    [
        *SAMPLES.values(),
        "(S ({sbj,prd} (sbj (NP John)) (prd (V runs))))",
        "({sbj} (sbj (NP John)))",
        "(S (NP 0=John) (V 1=runs))",
        "plain text",
        "# ({a} b)",
        "",
    ],
)
def test_other_files_are_not_claimed(text):
    assert looks_like(text) == 0


def test_no_file_at_hand_is_claimed(shared):
    for path, start in other_starts(shared):
        assert looks_like(start) == 0, path


# ── a corpus like any other ──────────────────────────────────────────────────────────────────────


def test_a_summary():
    result = commonground.summary(trees(SAMPLE))
    assert result.counts == {
        "sentences": 5,
        "words": 14,
        "nodes": 9,
        "labels": 8,
        "discontinuous sentences": 1,
    }
    assert result.tallies["labels"]["sbj"] == 3
    assert np.isclose(result.mean("nodes"), 9 / 5)


def test_real_treebanks_come_back(shared):
    for path in sorted((shared / "data/gum/dep").iterdir())[:5]:
        for enhanced in (False, True):
            corpus = to_functions(commonground.read(path), enhanced=enhanced)
            assert trees(write_text(corpus, "functions")) == corpus

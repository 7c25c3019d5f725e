"""Discontinuous brackets: the format of disco-dop."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scattered import constituents

from commonground.corpus import Constituents, Strings
from commonground.errors import InputError
from commonground.formats import (
    FormatOptions,
    detect,
    find_format,
    read,
    read_chunks,
    read_text,
    write_text,
)

DOG = "(S (NP (DT 0=The) (NN 2=dog)) (VP (V 1=barks)))\n"


def problems(text):
    """What is wrong with a text, as (line, message)."""
    result = find_format("discbracket").problems(text.encode(), FormatOptions())
    return [(problem.line, problem.message) for problem in result]


def test_words_are_put_in_the_order_of_their_numbers(kernels):
    corpus = read_text(DOG)
    assert corpus.form.tolist() == ["The", "barks", "dog"]
    assert corpus.tag.tolist() == ["DT", "V", "NN"]
    assert corpus.words.numbers("parent").tolist() == [1, 2, 1]
    assert corpus.label.tolist() == ["S", "NP", "VP"]
    assert write_text(corpus, "discbracket") == DOG


def test_nodes_are_put_in_the_order_of_their_first_words():
    mixed = read_text("(S (VP (V 1=barks)) (NP (NN 2=dog) (DT 0=The)))")
    assert mixed == read_text(DOG)
    assert write_text(mixed, "discbracket") == DOG


def test_continuous_trees_are_those_of_brackets():
    text = "(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ barks))))"
    corpus = read_text(text)
    assert read_text(write_text(corpus, "discbracket")) == corpus


def test_parentheses_are_written_as_disco_dop_does_and_read_in_both_ways():
    corpus = read_text(r"(S ($( 0=-LRB-) (X 1=#RRB#) (Y 2=1\/2) (Z 3=a=b))".replace("$(", "$#LRB#"))
    assert corpus.form.tolist() == ["(", ")", "1/2", "a=b"]
    assert corpus.tag[0] == "$("
    written = "(S ($#LRB# 0=#LRB#) (X 1=#RRB#) (Y 2=1/2) (Z 3=a=b))\n"
    assert write_text(corpus, "discbracket") == written


def test_a_word_that_is_not_there_is_nothing():
    assert read_text("(S (NP 0=) (X 1=y))", "discbracket").form.tolist() == ["_", "y"]


@pytest.mark.parametrize("line", ["()", "(())", "(TOP )", "(TOP ())"])
def test_a_failed_parse_is_a_sentence_without_words(line, kernels):
    corpus = read_text(f"(X 0=y)\n{line}\t# c\n(S (X 1=z) (X 0=w))\n", "discbracket")
    assert corpus.words.lengths.tolist() == [1, 0, 2]
    assert corpus.form.tolist() == ["y", "w", "z"]
    assert write_text(corpus, "discbracket").splitlines()[1] == "()\t# c"


def test_the_comment_after_a_tab_is_kept():
    text = "(X 0=y)\t12 p=0.5 :-(\n# sent_id = b\n(X 0=y)\t# text = y\ty\n(X 0=y)\n"
    corpus = read_text(text)
    assert corpus.comments.tolist() == ["# 12 p=0.5 :-(", "# sent_id = b\n# text = y\ty", ""]
    assert corpus.lines.tolist() == [1, 3, 4]
    assert write_text(corpus, "discbracket") == (
        "(X 0=y)\t# 12 p=0.5 :-(\n(X 0=y)\t# sent_id = b\t# text = y\ty\n(X 0=y)\n"
    )


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (
            "(X 0=y)\n(S (X 0=y) (X 2=y))\n",
            2,
            "there is a word 2; of 2 words the first has the number 0",
        ),
        ("(S (X 0=y) (X 0=y))", 1, "2 words have the number 0"),
        ("(S (X 0=y)\n (X 1=y))", 1, "not closed"),
        ("(S (X 0=y) (X y))", 1, "the word 'y' has no number"),
        ("(S (X 0=y) (X -1=y))", 1, "the word '-1=y' has no number"),
        ("(X 0=y) (X 0=y)", 1, "2 trees on one line"),
        ("\n(S ())", 2, "a bracket with nothing in it"),
        ("(X 0=y)\n\tcomment", 2, "a comment without a tree"),
        ("(X 0=y)\n# comment", 2, "comments without a tree"),
        ("(X 0=y)\nx", 2, "'x' is outside"),
    ],
)
def test_a_problem_is_found_on_its_line(text, line, message, kernels):
    result = problems(text)
    assert result[0][0] == line
    assert message in result[0][1]
    with pytest.raises(InputError) as caught:
        find_format("discbracket").read(text.encode(), "a.dbr", 11, FormatOptions())
    assert (caught.value.line, caught.value.message) == (line + 10, result[0][1])


def test_all_problems_are_found():
    text = "(X 1=y)\n(S (X 0=y)\n(S (X a) (X b))\n(X 0=y)\n(X 0=y))\n"
    assert [line for line, _ in problems(text)] == [1, 2, 3, 3, 5]


PIECES = st.sampled_from(
    [
        "(",
        ")",
        "(S ",
        "(X 0=a)",
        "(X 1=b)",
        "(X 2=\u00e9)",
        " 0=c",
        "\n",
        "\t",
        "#",
        "a",
        "1=",
        "=",
        "(",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=20))
def test_what_cannot_be_read_has_a_problem_and_only_that(text):
    data = text.encode("utf-8", "surrogatepass")
    entry = find_format("discbracket")
    result = list(entry.problems(data, FormatOptions()))
    if not result:
        entry.read(data, "x", 1, FormatOptions())
        return
    with pytest.raises(InputError) as caught:
        entry.read(data, "x", 1, FormatOptions())
    assert (caught.value.line, caught.value.message) == (result[0].line, result[0].message)


def without(corpus):
    """What the format can carry: trees of one piece; no edges, lemmas and secondary edges."""
    single = corpus.filter(
        lambda s: (s.parent < 0).sum() + (s.column("parent", "nodes") < 0).sum() == 1
    )
    nothing = {name: Strings.constant("_", single.words.rows) for name in ("edge", "lemma")}
    words = single.words.replace(**nothing)
    nodes = single.nodes.replace(edge=Strings.constant("_", single.nodes.rows))
    return Constituents({"words": words, "nodes": nodes}, comments=single.comments.tolist())


FORMS = st.text(st.sampled_from("-#\\LRB/*()[] =ab0\t"), min_size=1, max_size=6)
TAGS = st.sampled_from(["NP", "$(", "N(a,b)", "-LRB-", "A B", "NP-SBJ", "x=1"])
NAMES = st.sampled_from(["1", "a b", "x(y"])


@given(constituents(FORMS, TAGS, NAMES).map(without))
def test_what_is_written_is_read_back(corpus):
    text = write_text(corpus, "discbracket")
    assert read_text(text, "discbracket") == corpus
    assert text.count("\n") == len(corpus)


def test_a_file_is_read_in_pieces(tmp_path):
    path = tmp_path / "a.dbr"
    path.write_text("# c (\n" + DOG * 3 + "# d )\n" + DOG + "\n", encoding="utf-8")
    whole = read(path)
    parts = list(read_chunks(path, size=30))
    assert len(parts) > 2
    assert Constituents.concatenate(parts) == whole
    assert [line for part in parts for line in part.lines.tolist()] == whole.lines.tolist()


@pytest.mark.long
def test_a_tree_5000_deep_and_a_sentence_of_10000_words(kernels):
    deep = "(S " * 5000 + "(X 0=y)" + ")" * 5000 + "\n"
    words = [f" (X {number}=y)" for number in [*range(0, 10000, 2), *range(1, 10000, 2)]]
    wide = f"(S (A{''.join(words[:5000])}) (B{''.join(words[5000:])}))\n"
    corpus = read_text(deep + wide, "discbracket")
    assert write_text(corpus, "discbracket") == deep + wide
    assert not problems(deep + wide)


def test_numbers_tell_the_format():
    assert detect(DOG.encode()).name == "discbracket"
    assert detect(b"# a = b\n(NP 0=the (NN 1=dog))").name == "discbracket"
    assert find_format("discbracket").looks_like("(S (NP (DT The) (NN 2=dog)))") == 0.0


def test_the_treebanks_at_hand_survive(shared, kernels):
    for name in ("sequoia/const.mrg", "pe08/genia.ptb", "gum/const/GUM_bio_holt.ptb"):
        corpus = read(shared / "data" / name)
        assert read_text(write_text(corpus, "discbracket")) == corpus

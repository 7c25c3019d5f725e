"""Lines are cut into columns and sentences, and texts are numbered, in the same way by both twins."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.kernels import built, grouping
from commonground.kernels import tabulate as plain
from commonground.kernels.grouping import PADDING, first_equal

compiled = import_module("commonground.kernels._tabulate") if built() else None
needs_both = pytest.mark.skipif(not built(), reason="the kernels were not compiled")
twins = pytest.mark.parametrize(
    "twin", [plain, pytest.param(compiled, marks=needs_both)], ids=["python", "compiled"]
)

fields = st.text(st.characters(exclude_characters="\t\n", exclude_categories=["Cs"]), min_size=1)
few_fields = st.sampled_from(
    ["_", "1", "longer than a word", "longer than a word or two", "é\0\x01"]
)
words = st.lists(st.one_of(fields, few_fields), min_size=3, max_size=3).map("\t".join)
comments = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"])).map(
    "#{}".format
)
sentences = st.tuples(
    st.lists(comments, max_size=2),
    st.lists(words.filter(lambda line: not line.startswith("#")), min_size=1),
).map(lambda parts: [*parts[0], *parts[1]])
contents = st.lists(st.tuples(sentences, st.integers(1, 3))).map(
    lambda blocks: "".join("\n".join(lines) + "\n" * (1 + gap) for lines, gap in blocks).encode()
)
pieces = ["a", "#", "\t", "\n", "a\tb\n", "a\tb\tc\n", "\n\n", "longer than a word", "\0", "\x01"]
broken = st.lists(st.one_of(st.sampled_from(pieces).map(str.encode), st.binary(max_size=3)))


def outcome(twin, data, width, tail=False):  # noqa: FBT002  # as in the kernel
    """What a twin returns, in a form that can be compared; nothing where it refuses."""
    try:
        codes, texts, offsets, comments, lines = twin.tabulate(data, width, tail, comments=True)
    except ValueError:
        return None
    arrays = [*codes, offsets, lines]
    return [(array.dtype, array.tolist()) for array in arrays], parts(texts), blocks(comments)


def parts(texts):
    return [list(each.parts) for each in texts]


def blocks(comments):
    """The comments of each sentence."""
    codes, texts = comments
    assert (codes.dtype, len(texts)) == (np.int32, len(set(texts)))
    return [texts.parts[code] for code in codes.tolist()]


@twins
def test_texts_are_numbered_in_the_order_of_their_first_appearance(twin):
    codes, texts, *_ = twin.tabulate(b"1\tb\n2\ta\n3\tb\n\n1\tc\n", 2, tail=False, comments=True)
    assert parts(texts) == [["1", "2", "3"], ["b", "a", "c"]]
    assert [column.tolist() for column in codes] == [[0, 1, 2, 0], [0, 1, 0, 2]]


@twins
def test_sentences_know_their_lines_and_comments(twin):
    data = b"\n\n# a\n#b\tc\n1\n\n\n\n1\n2\n\n# d\n1"
    _, _, offsets, comments, lines = twin.tabulate(data, 1, tail=False, comments=True)
    assert blocks(comments) == ["# a\n#b\tc", "", "# d"]
    assert offsets.tolist() == [0, 1, 3, 4]
    assert lines.tolist() == [3, 9, 12]


@twins
@pytest.mark.parametrize("data", [b"", b"\n", b"\n\n\n"])
def test_nothing_is_a_table_without_rows(twin, data):
    codes, texts, offsets, comments, lines = twin.tabulate(data, 2, tail=False, comments=True)
    assert [len(column) for column in codes] == [0, 0]
    assert (parts(texts), blocks(comments)) == ([[], []], [])
    assert (offsets.tolist(), lines.tolist()) == ([0], [])


@twins
def test_a_tail_is_the_rest_of_the_line_or_nothing(twin):
    data = b"a\tb\tc\td\na\tb\tc\na\tb\t\na\tb\n"
    codes, texts, *_ = twin.tabulate(data, 3, tail=True, comments=True)
    assert parts(texts) == [["a"], ["b"], ["c\td", "c", ""]]
    assert codes[2].tolist() == [0, 1, 2, 2]


@twins
@pytest.mark.parametrize(
    ("data", "width", "tail"),
    [
        (b"a\n", 2, False),
        (b"a\tb\tc\n", 2, False),
        (b"a\t\n", 2, False),
        (b"\tb\n", 2, False),
        (b"a\n", 3, True),
        (b"\tb\n", 2, True),
        (b"a\t\tc\n", 3, True),
        (b" \n", 2, False),
        (b"# a\n", 1, False),
        (b"# a\n\nb\n", 1, False),
        (b"a\n# b\nc\n", 1, False),
        (b"\xff\n", 1, False),
        (b"# \xff\na\n", 1, False),
        (b"a\n", 0, False),
        (b"\t".join([b"a"] * 65), 65, False),
    ],
)
def test_what_is_no_such_table_is_refused(twin, data, width, tail):
    assert outcome(twin, data, width, tail) is None


@needs_both
@given(contents, st.booleans())
def test_the_twins_agree(data, tail):
    assert outcome(plain, data, 3, tail) == outcome(compiled, data, 3, tail) is not None


@needs_both
@given(broken.map(b"".join), st.integers(1, 4), st.booleans())
def test_the_twins_agree_on_broken_content(data, width, tail):
    assert outcome(plain, data, width, tail) == outcome(compiled, data, width, tail)


@needs_both
def test_the_twins_agree_on_real_treebanks(shared):
    paths = sorted(shared.glob("data/**/*.conll*"))
    assert paths
    for path in paths:
        data = path.read_bytes()
        result = outcome(plain, data, 10)
        assert result is not None, path
        assert result == outcome(compiled, data, 10), path


def some(twin, data, wanted, tail=False):  # noqa: FBT002  # as in the kernel
    """What a twin returns of some columns; nothing where it refuses."""
    try:
        codes, texts, *_ = twin.tabulate(data, len(wanted), tail, True, wanted)  # noqa: FBT003
    except ValueError as error:
        return str(error)
    return [column.tolist() for column in codes], parts(texts)


@twins
def test_columns_that_are_not_wanted_are_not_numbered(twin):
    data = b"1\tb\tx\n2\ta\ty\n"
    assert some(twin, data, [True, False, True]) == ([[0, 1], [0, 1]], [["1", "2"], ["x", "y"]])
    assert some(twin, data, [False, False, False]) == ([], [])
    assert some(twin, data, [True, False]) == "lines that are no table"
    assert twin.tabulate(data, 3, False, True)[2].tolist() == [0, 2]  # noqa: FBT003


@twins
@pytest.mark.parametrize(
    "bad",
    [b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\x80", b"\xc3"],
)
def test_what_is_not_wanted_must_be_utf8_all_the_same(twin, bad):
    good = "é€𝄞\u07ff\ud7ff\U0010ffff".encode()
    assert some(twin, b"a\tseven b" + good + b"\n", [True, False]) == ([[0]], [["a"]])
    assert some(twin, b"a\tseven b" + bad + b"\n", [True, False]) == "lines that are no table"


@needs_both
@given(broken.map(b"".join), st.lists(st.booleans(), min_size=1, max_size=4), st.booleans())
def test_the_twins_agree_on_some_columns(data, wanted, tail):
    assert some(plain, data, wanted, tail) == some(compiled, data, wanted, tail)


# ── equal strings ────────────────────────────────────────────────────────────────────────────────

strings = st.one_of(
    st.binary(max_size=30), st.text("\0\x01ab", max_size=30).map(str.encode), st.just(b"a" * 500)
)


def firsts(found):
    """What first_equal says about these strings, and what is true."""
    lengths = np.array([len(string) for string in found], np.int64)
    starts = np.cumsum(lengths) - lengths
    said = first_equal(b"".join(found) + bytes(PADDING), starts, lengths).tolist()
    return said, [found.index(string) for string in found]


@given(st.lists(strings), st.integers(0, 50))
def test_equal_strings_have_the_same_first_one(found, times):
    said, truth = firsts(found * times)
    assert said == truth


@given(st.lists(strings))
def test_long_strings_are_exact_without_a_dictionary(found):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grouping, "_FEW", 0)
        said, truth = firsts(found * 2)
    assert said == truth


@given(st.lists(strings), st.integers(0, 50))
def test_strings_that_share_a_slot_are_told_apart(found, times):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grouping, "_SPREAD", np.uint64(0))
        said, truth = firsts(found * times)
    assert said == truth


def test_strings_that_differ_only_in_zeros_or_marks_are_different():
    ends = [b"", b"\0", b"\0\0", b"\x01", b"\x01\0", b"\0\x01"]
    results = [b"abcdefg"[:length] + end for length in range(8) for end in ends]
    said, truth = firsts(results * 20)
    assert said == truth


@twins
def test_without_comments_a_hash_is_a_word(twin):
    _, texts, _, comments, _ = twin.tabulate(b"#\tNN\nx\tCD\n", 2, tail=False, comments=False)
    assert parts(texts)[0] == ["#", "x"]
    assert blocks(comments) == [""]

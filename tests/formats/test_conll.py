"""The family of CoNLL formats."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import conllu_files

import commonground as cg
from commonground.corpus.strings import LaterStrings
from commonground.errors import GuessedEncodingWarning, InputError
from commonground.formats import (
    FormatOptions,
    detect,
    find_format,
    read,
    read_chunks,
    read_text,
    write_text,
)
from commonground.formats.codecs.conllu import FORMAT

GOOD = "# sent_id = a\n1\tHi\thi\tINTJ\tUH\t_\t0\troot\t0:root\t_\n\n"


def sentence(*rows):
    """A CoNLL-U sentence of rows that are written with spaces between the columns."""
    return "\n".join(row.replace(" ", "\t") for row in rows) + "\n\n"


WORDS = ("1 a a X X _ 0 root _ _", "2 b b X X _ 1 dep _ _", "3 c c X X _ 1 dep _ _")


@given(conllu_files())
def test_writing_what_was_read_gives_the_identical_bytes(text):
    assert write_text(read_text(text, "conllu"), "conllu") == text


def test_every_conllu_file_at_hand_is_written_as_it_was_read(shared, kernels):
    files = sorted((shared / "data").rglob("*.conllu"))
    assert len(files) > 60
    for path in files if kernels == "compiled" else files[::3]:
        assert write_text(read(path), "conllu").encode() == path.read_bytes(), path


def test_the_treebank_of_turin_is_written_as_it_was_read(shared, kernels):
    path = shared / "data/partut/it.tut.conll"
    assert write_text(read(path), "conllx").encode() == path.read_bytes()


CONLLX = "1\tBirds\tbird\tN\tNNS\tpl\t2\tSBJ\t0\tSUB\n2\tsing\tsing\tV\tVB\t_\t0\tROOT\t_\t_\n\n"
CONLL2009 = (
    "1\tBirds\tbird\tbird\tNNS\tNNS\t_\t_\t2\t2\tSBJ\tSBJ\t_\t_\tA0\n"
    "2\tsing\tsing\tsing\tVB\tVB\t_\t_\t0\t0\tROOT\tROOT\tY\tsing.01\t_\n\n"
    "1\tYes\tyes\tyes\tUH\tUH\t_\t_\t0\t0\tROOT\tROOT\t_\t_\n\n"
)
CONLL2008 = (
    "1\tSun-dried\tsun-dried\tJJ\tJJ\tSun\tsun\tNN\t3\tHMOD\t_\t_\tA1\n"
    "2\t_\t_\t_\t_\t-\t-\tHYPH\t3\tP\t_\t_\t_\n"
    "3\t_\t_\t_\t_\tdried\tdry\tVBN\t4\tNMOD\tdry.01\tAM\t_\n"
    "4\tfigs\tfig\tNNS\tNNS\tfigs\tfig\tNNS\t0\tROOT\t_\tA0\t_\n\n"
)
CONLLUP = "# global.columns = ID FORM UPOS X:Y\n# a = b\n1-2\tIm\t_\t*\n1\tIn\tADP\t_\n2\tdem\tDET\t2:Z\n\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [("conllx", CONLLX), ("conll2008", CONLL2008), ("conll2009", CONLL2009), ("conllup", CONLLUP)],
)
def test_each_member_of_the_family_is_written_as_it_was_read(name, text, kernels):
    corpus = read_text(text, name)
    assert write_text(corpus, name) == text
    assert read_text(text) == corpus  # detected


def test_conllx_keeps_the_projective_heads():
    corpus = read_text(CONLLX, "conllx")
    assert corpus.words.numbers("phead").tolist() == [0, -1]
    assert corpus.words.strings("pdeprel").tolist() == ["SUB", "_"]


def test_the_words_of_2008_are_the_split_ones():
    corpus = read_text(CONLL2008, "conll2008")
    assert corpus.form.tolist() == ["Sun", "-", "dried", "figs"]
    assert corpus.words.strings("unsplit_form").tolist() == ["Sun-dried", "_", "_", "figs"]
    assert corpus.head.tolist() == [3, 3, 4, 0]


def test_a_column_of_conllu_plus_has_its_own_name():
    corpus = read_text(CONLLUP)
    assert corpus.words.strings("X:Y").tolist() == ["_", "2:Z"]
    assert corpus.tokens.strings("X:Y").tolist() == ["*"]


def test_conllx_leaves_out_what_it_cannot_say():
    text = write_text(read_text(GOOD), "conllx")
    assert text == "1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n\n"


def test_a_partial_tree_is_read_only_where_it_is_asked_for():
    text = GOOD.replace("\t0\t", "\t_\t")
    with pytest.raises(InputError, match=r"<text>:2: HEAD is _; allow partial trees"):
        read_text(text, "conllu")
    corpus = read_text(text, "conllu", partial=True)
    assert corpus.head.tolist() == [-1]
    assert write_text(corpus, "conllu") == text


@pytest.mark.parametrize("name", ["conllu", "conllx"])
def test_a_column_that_is_empty_says_nothing(name, kernels):
    rows = [row.split() for row in WORDS]
    gaps = ["\t".join("" if field == "_" else field for field in row) for row in rows]
    read = [read_text("\n".join(lines) + "\n\n", name) for lines in (gaps, map("\t".join, rows))]
    assert read[0] == read[1]
    assert write_text(read[0], name) == write_text(read[1], name)


BROKEN = {
    "nine columns": (sentence("1 a a X X _ 0 root _"), 1, "9 columns; 10 are expected"),
    "spaces for tabs": ("1 a a X X _ 0 root _ _\n", 1, "separated by tabs"),
    "an empty form": (sentence(*WORDS).replace("1\ta\t", "1\t\t", 1), 1, "FORM is empty"),
    "an empty head": (sentence(*WORDS).replace("\t0\t", "\t\t", 1), 1, "HEAD is empty"),
    "a gap in the ids": (sentence(WORDS[0], WORDS[2]), 2, "ID is '3'; 2 is expected"),
    "ids from zero": (sentence("0 a a X X _ 0 root _ _"), 1, "ID is '0'; 1 is expected"),
    "an id that is none": (sentence("x a a X X _ 0 root _ _"), 1, "ID is 'x'"),
    "a head out of range": (
        sentence(WORDS[1].replace("2", "1", 1).replace("1 dep", "7 dep")),
        1,
        "HEAD is 7; the sentence has 1 word",
    ),
    "a head that is none": (sentence(WORDS[0].replace("0", "zero")), 1, "HEAD is 'zero'"),
    "a head with a leading zero": (sentence(WORDS[0].replace(" 0 ", " 00 ")), 1, "HEAD is '00'"),
    "a token that ends nowhere": (
        sentence("1-4 a _ _ _ _ _ _ _ _", *WORDS),
        1,
        "the sentence has 3 word",
    ),
    "tokens that overlap": (
        sentence("1-2 ab _ _ _ _ _ _ _ _", WORDS[0], "2-3 bc _ _ _ _ _ _ _ _", *WORDS[1:]),
        3,
        "overlaps",
    ),
    "a token in the wrong place": (
        sentence(WORDS[0], "1-2 ab _ _ _ _ _ _ _ _", *WORDS[1:]),
        2,
        "must stand before word 1",
    ),
    "a token with a head": (sentence("1-2 ab _ _ _ _ 1 _ _ _", *WORDS), 1, "only words have one"),
    "an empty node out of order": (
        sentence(WORDS[0], "1.2 e _ _ _ _ _ _ _ _", *WORDS[1:]),
        2,
        "1.1 is expected",
    ),
    "white space for a blank line": (sentence(*WORDS)[:-1] + " \n", 4, "white space"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_said_with_its_line(name, kernels):
    text, line, message = BROKEN[name]
    with pytest.raises(InputError) as caught:
        read_text(GOOD + text, "conllu")
    assert caught.value.line == line + 3
    assert message in caught.value.message
    problems = list(find_format("conllu").problems((GOOD + text).encode(), FormatOptions()))
    assert (problems[0].line, problems[0].message) == (line + 3, caught.value.message)


def test_bytes_that_are_no_utf8_are_guessed_and_said_with_their_line(tmp_path, kernels):
    path = tmp_path / "latin.conllu"
    path.write_bytes(GOOD.encode() + GOOD.replace("Hi", "Hü").encode("latin-1"))
    with pytest.warns(GuessedEncodingWarning, match=r"latin.conllu: .* is read as Latin-1; --enc"):
        assert "Hü" in read(path).form.tolist()
    path.write_bytes(GOOD.replace("Hi", "H\x00ü").encode("latin-1"))
    with pytest.raises(InputError, match=r"latin.conllu:2: byte 5 is not UTF-8"):
        read(path)


@pytest.mark.parametrize(
    "text", [sentence(WORDS[0], "# no", WORDS[1]), "# no\n\n" + sentence(*WORDS)]
)
def test_comments_out_of_place_are_put_right(text, kernels):
    corpus = read_text(GOOD + text, "conllu")
    assert corpus.form.tolist()[:3] == ["Hi", "a", "b"]
    assert list(find_format("conllu").problems((GOOD + text).encode(), FormatOptions())) == []


def test_comments_of_a_sentence_without_words_are_not_those_of_the_next(kernels):
    corpus = read_text("# sent_id = none\n\n# sent_id = some\n" + sentence(*WORDS), "conllu")
    assert corpus.sent_id.tolist() == ["some"]
    assert corpus.lines.tolist() == [3]


def test_lines_may_lack_the_last_two_columns_of_conllx():
    text = "1\tHi\t_\tX\tX\t_\t0\troot\n2\tyou\t_\tX\tX\t_\t1\tdep\n\n"
    assert detect(text.encode()).name == "conllx"
    assert read_text(text).head.tolist() == [0, 1]
    with pytest.raises(InputError, match="7 columns; 10 are expected"):
        read_text(text.replace("\tdep", ""), "conllx")


def test_all_problems_are_found_not_only_the_first():
    text = sentence("1 a a X X _ 9 root _ _", "3 b b X X _ x dep _ _")
    problems = list(find_format("conllu").problems(text.encode(), FormatOptions()))
    assert [problem.line for problem in problems] == [1, 2, 2]


@given(conllu_files(), st.sampled_from([1, 40, 200, 1000]))
def test_reading_in_pieces_reads_the_same(tmp_path_factory, text, size):
    path = tmp_path_factory.mktemp("pieces") / "a.conllu"
    path.write_text(text, encoding="utf-8", newline="")
    pieces = list(read_chunks(path, "conllu", size=size))
    whole = read(path, "conllu")
    assert type(whole).concatenate(pieces) == whole
    lines = [line for piece in pieces for line in piece.lines.tolist()]
    assert lines == whole.lines.tolist()


def test_pieces_of_conllu_plus_know_their_columns(tmp_path):
    path = tmp_path / "a.conllup"
    body = CONLLUP.partition("\n")[2]
    path.write_text(CONLLUP + body * 20, encoding="utf-8")
    pieces = list(read_chunks(path, size=100))
    assert len(pieces) > 3
    whole = read(path)
    assert type(whole).concatenate(pieces) == whole
    assert [line for piece in pieces for line in piece.lines.tolist()] == whole.lines.tolist()


def test_a_sentence_of_ten_thousand_words_is_read_and_written(kernels):
    rows = (f"{i}\tw\tw\tX\tX\t_\t{i - 1}\tdep\t_\t_\n" for i in range(1, 10_001))
    text = "".join(rows) + "\n"
    corpus = read_text(text, "conllu")
    assert corpus.head[-1] == 9_999
    assert write_text(corpus, "conllu") == text


@pytest.mark.parametrize("text", ["", "\n", "\n\n\n"])
def test_an_empty_file_is_an_empty_corpus(text, kernels):
    assert len(read_text(text, "conllu")) == 0


def test_a_missing_blank_line_at_the_end_is_no_problem(kernels):
    assert read_text(GOOD.rstrip("\n"), "conllu") == read_text(GOOD, "conllu")
    assert read_text(GOOD + "\n\n", "conllu") == read_text(GOOD, "conllu")


def test_a_column_of_conllu_plus_may_differ_from_a_standard_one_only_in_its_case():
    text = "# global.columns = ID FORM HeAD\n1\ta\tx\n\n"
    assert write_text(read_text(text), "conllup") == text


def test_conllu_plus_with_few_columns_and_multiword_tokens_is_read_again():
    corpus = read_text(
        "# global.columns = ID FORM LEMMA X:Y\n1-2\tIm\t_\t*\n1\tIn\t_\t_\n2\tdem\t_\t_\n\n"
    )
    assert read_text(write_text(corpus, "conllup")) == corpus


@pytest.mark.parametrize("space", [r"\xa0", r"\u3000", " "])
@pytest.mark.parametrize(
    "row", ["1-2\tX\t_\t_\t_\t_\t_\t_\t_\t_", "1\tX\tx\tX\t_\t_\t0\troot\t_\t_"]
)
def test_a_form_of_white_space_is_refused(space, row):
    rows = ["1\ta\ta\tX\t_\t_\t0\troot\t_\t_", "2\tb\tb\tX\t_\t_\t1\tdep\t_\t_"]
    rows = [row, *rows] if "-" in row else [row]
    form = space.encode().decode("unicode_escape")
    text = "\n".join(rows).replace("X", form, 1) + "\n\n"
    with pytest.raises(InputError, match="1: FORM is only white space") as error:
        read_text(text, "conllu")
    assert f"('{space}')" in str(error.value)
    problems = list(find_format("conllu").problems(text.encode(), FormatOptions()))
    assert [problem.line for problem in problems] == [1]


def test_a_sentence_without_predicates_has_no_arguments_after_conllup_either():
    rain = "1\tRain\train\train\tN\tN\t_\t_\t0\t0\tROOT\tROOT\t_\t_\n\n"
    corpus = read_text(CONLL2009 + rain, "conll2009")
    again = read_text(write_text(corpus, "conllup"))
    assert write_text(again, "conll2009") == CONLL2009 + rain


def test_a_file_with_all_columns_is_the_same_after_conllu_plus(tmp_path):
    row = "1\tHi\thi\tINTJ\tUH\tA=1\t0\troot\t0:root\tSpaceAfter=No\n\n"
    corpus = read_text(f"# sent_id = a\n{row}", "conllu")
    path = tmp_path / "a.conllup"
    path.write_text(write_text(corpus, "conllup"), encoding="utf-8")
    assert write_text(read(path), "conllu") == write_text(corpus, "conllu")


def test_a_dash_for_no_projective_head_is_read_as_mstparser_writes_it():
    text = "1\tHi\thi\tUH\tUH\t_\t0\troot\t-\t-\n\n"
    corpus = read_text(text)
    assert corpus.head.tolist() == [0]
    assert corpus.words["phead"].tolist() == [-1]
    with pytest.raises(InputError, match="HEAD is '-'"):
        read_text(text.replace("0\troot", "-\troot"), "conllx")


def test_columns_that_are_not_named_are_read_when_they_are_asked_for():
    path = Path(cg.__file__).parent / "example" / "ud.conllu"
    data = path.read_bytes()
    whole = FORMAT.read(data, "ud", 1, FormatOptions())
    some = FORMAT.read(data, "ud", 1, FormatOptions(columns=frozenset({"deprel"})))
    later = {name for name, each in some.words.columns.items() if isinstance(each, LaterStrings)}
    assert later == {"lemma", "upos", "xpos", "feats", "deps", "misc"}
    assert some == whole
    assert some[3:5] == whole[3:5]


def test_a_bad_character_is_an_error_also_in_a_column_that_nobody_asks_for():
    data = b"1\tHi\t\xff\t_\t_\t_\t0\troot\t_\t_\n"
    with pytest.raises(InputError):
        FORMAT.read(data, "x", 1, FormatOptions(columns=frozenset({"deprel"})))

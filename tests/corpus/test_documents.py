"""Which document each sentence belongs to: by comments, by ids, or by nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import conllu_files

from commonground.corpus import Dependencies, Strings
from commonground.corpus.documents import documents
from commonground.formats import read, read_text

WORD = "1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n\n"


def corpus(*comments):
    """A corpus of one-word sentences with these comments."""
    return read_text("".join(f"{block}\n{WORD}" if block else WORD for block in comments), "conllu")


def ids(*names):
    return corpus(*(f"# sent_id = {name}" for name in names))


# ── comments ─────────────────────────────────────────────────────────────────────────────────────


def test_a_document_goes_from_its_newdoc_to_the_next():
    result = documents(corpus("# newdoc id = a", "", "# text = Hi\n# newdoc id = b", ""))
    assert result.tolist() == ["a", "a", "b", "b"]
    assert result.codes.tolist() == [0, 0, 1, 1]


def test_documents_without_a_name_are_called_by_their_place():
    result = documents(corpus("# newdoc", "", "# newdoc id =", "# newdoc id = c"))
    assert result.tolist() == ["document 1", "document 1", "document 2", "c"]


def test_what_stands_before_the_first_newdoc_is_a_document():
    assert documents(corpus("", "", "# newdoc id = b")).codes.tolist() == [0, 0, 1]


def test_a_document_ends_with_its_file():
    one, other = corpus("# newdoc id = a", ""), corpus("", "# newdoc id = b")
    files = [
        part.replace("origin", path=Strings.constant(path, 2))
        for part, path in ((one, "1.conllu"), (other, "2.conllu"))
    ]
    assert documents(Dependencies.concatenate(files)).codes.tolist() == [0, 0, 1, 2]


def test_the_same_name_is_the_same_document():
    result = documents(corpus("# newdoc id = a", "# newdoc id = b", "# newdoc id = a"))
    assert result.codes.tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    "comment",
    ["# newdocument", "# newdoc_id = a", "# a newdoc", "# newdoc of = x", "# newpar id = a"],
)
def test_other_comments_open_nothing(comment):
    assert documents(corpus(comment, comment)) is None


def test_newdoc_says_more_than_ids():
    result = documents(corpus("# newdoc id = a\n# sent_id = x-1", "# sent_id = y-1"))
    assert result.tolist() == ["a", "a"]


# ── ids ──────────────────────────────────────────────────────────────────────────────────────────


def test_ids_of_ewt_and_gum_name_their_documents():
    result = documents(
        ids("weblog-juancole.com_2003-0001", "weblog-juancole.com_2003-0002", "GUM_academic_art-12")
    )
    assert result.tolist() == ["weblog-juancole.com_2003"] * 2 + ["GUM_academic_art"]


@pytest.mark.parametrize(
    "names",
    [
        ("1", "2", "3"),
        ("s1", "s2", "s3"),
        ("dev-1", "dev-2", "dev-3"),
        ("-1", "-2", "-3"),
        ("a-1", "b-x", "c-1"),
        ("a-1", "b", "c-1"),
        ("Europar.550_00001", "annodis.er_00012", "frwiki_50.1000_00001"),
    ],
)
def test_these_ids_name_no_documents(names):
    assert documents(ids(*names)) is None


def test_a_sentence_without_an_id_leaves_the_documents_open():
    assert documents(corpus("# sent_id = a-1", "", "# sent_id = b-1")) is None


def test_nothing_has_no_documents():
    assert documents(corpus()) is None


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 99)), min_size=1, max_size=12))
def test_ids_with_hyphens_give_back_their_documents(names):
    """Unless all are of one document, which may be the treebank's name."""
    result = documents(ids(*(f"{name}-{number}" for name, number in names)))
    wanted = [name for name, _ in names]
    assert (result.tolist() if result else None) == (wanted if len(set(wanted)) > 1 else None)


@given(conllu_files())
def test_every_sentence_of_any_treebank_has_a_document_or_none_has(text):
    treebank = read_text(text, "conllu")
    result = documents(treebank)
    assert result is None or len(result) == len(treebank)


# ── real treebanks ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("path", "number"),
    [
        ("ewt/dev.conllu", 318),
        ("ewt/test.conllu", 316),
        ("pud/en.conllu", 397),
        ("gum/dep/GUM_bio_holt.conllu", 1),
    ],
)
def test_treebanks_with_documents(shared, path, number):
    assert len(documents(read(shared / "data" / path)).vocabulary) == number


def test_ids_and_comments_of_ewt_agree(shared):
    treebank = read(shared / "data/ewt/dev.conllu")
    ids_only = Strings.of(f"# sent_id = {name}" for name in treebank.sent_id)
    assert documents(treebank) == documents(treebank.replace("sentences", comments=ids_only))


@pytest.mark.parametrize("path", ["sequoia/ud.conllu", "sequoia/const.mrg", "partut/it.ud.conllu"])
def test_treebanks_without_documents(shared, path):
    assert documents(read(shared / "data" / path)) is None

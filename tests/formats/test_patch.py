"""Patches change what they name, and nothing else, byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import InputError
from commonground.formats.patch import (
    ColumnChange,
    Hunk,
    Patch,
    SentencePatch,
    apply_patch,
    parse_patch,
)
from commonground.formats.patch_between import patch_between

FILE = (
    b"# sent_id = s1\r\n# text = Birds sing\r\n1\tBirds\tbird\tNOUN\t_\t_\t2\tobj\t_\t_\r\n"
    b"2\tsing\tsing\tVERB\t_\t_\t0\troot\t_\tX=1\r\n\r\n"
    b"# sent_id = s2\n1\t\xff\t_\t_\t_\t_\t0\troot\t_\t_\n\n\n"
    b"1\tno\t_\t_\t_\t_\t0\troot\t_\t_"
)


def _patch(*sentences: SentencePatch) -> Patch:
    made = Patch(sentences)
    assert parse_patch(made.text()) == made
    return made


def test_a_column_is_changed_and_all_other_bytes_stay() -> None:
    change = ColumnChange("2", "MISC", "X=1", "_")
    done, conflicts = apply_patch(FILE, _patch(SentencePatch("s1", (change,))))
    assert done == FILE.replace(b"X=1", b"_")
    assert not conflicts


def test_a_sentence_without_id_is_named_by_its_place() -> None:
    change = ColumnChange("1", "FORM", "no", "yes")
    done, _ = apply_patch(FILE, _patch(SentencePatch("#3", (change,))))
    assert done == FILE.replace(b"no", b"yes")


def test_another_old_value_is_refused_with_its_line() -> None:
    change = ColumnChange("1", "DEPREL", "nsubj", "obj")
    with pytest.raises(InputError, match=r"f:3: DEPREL of the word 1 is 'obj'"):
        apply_patch(FILE, _patch(SentencePatch("s1", (change,))), "f")
    done, conflicts = apply_patch(FILE, _patch(SentencePatch("s1", (change,))), skip=True)
    assert done == FILE
    assert len(conflicts) == 1


def test_lines_come_and_go_and_come_back() -> None:
    hunk = Hunk(((" ", "# sent_id = s1"), ("-", "# text = Birds sing"), ("+", "# new = 1")))
    patch = _patch(SentencePatch("s1", (), (hunk,)))
    done, _ = apply_patch(FILE, patch)
    assert b"# sent_id = s1\r\n# new = 1\r\n1\t" in done
    assert apply_patch(done, patch.reversed())[0] == FILE


def test_sentences_are_added_and_removed_and_it_can_be_undone() -> None:
    file = FILE.split(b"\r\n\r\n")[0].replace(b"\r", b"") + b"\n\n# sent_id = s2\n1\tb\n\n"
    old = tuple(("-", line) for line in file.split(b"\n\n")[1].decode().split("\n"))
    new = (("+", "# sent_id = s3"), ("+", "1\tnew"))
    patch = _patch(
        SentencePatch("s3", (), (Hunk(new),), "@+", "s1"),
        SentencePatch("s2", (), (Hunk(old),), "@-", "s3"),
    )
    done, _ = apply_patch(file, patch)
    assert done.endswith(b"X=1\n\n# sent_id = s3\n1\tnew\n\n")
    assert apply_patch(done, patch.reversed())[0] == file


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "p:1: this is no patch"),
        ("# commonground patch 1\n1\tHEAD\t2\t3\n", "p:2: a sentence comes first"),
        ("# commonground patch 1\n@ s\n1\tHEAD\t2\n", "p:3: 3 fields"),
        ("# commonground patch 1\n@ s\n@ s\n", "p:3: the sentence 's' comes again"),
        ("# commonground patch 1\n@+ s\tx\n-1\n", "p:2: below @\\+ only lines with \\+"),
        ("# commonground patch 1\n@x\n", "p:2: '@x' names no sentence"),
    ],
)
def test_what_is_no_patch_is_told_with_its_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_patch(text, "p")


_WORD = st.text("abc|=:_ü", min_size=1, max_size=3)
_ROW = st.tuples(_WORD, _WORD, _WORD)


@given(
    st.lists(st.lists(_ROW, min_size=1, max_size=4), min_size=1, max_size=4),
    st.sampled_from(["\n", "\r\n"]),
    st.data(),
)
def test_undoing_a_patch_gives_the_same_bytes(
    sentences: list[list[tuple[str, str, str]]], end: str, data: st.DataObject
) -> None:
    file = "".join(
        f"# sent_id = {number}{end}"
        + "".join("\t".join([str(row), *fields]) + end for row, fields in enumerate(words, 1))
        + end
        for number, words in enumerate(sentences)
    ).encode()
    changed = []
    for number, words in enumerate(sentences):
        changes = tuple(
            ColumnChange(str(row), name, old, data.draw(_WORD))
            for row, fields in enumerate(words, 1)
            for name, old in zip(("FORM", "LEMMA", "UPOS"), fields, strict=True)
            if data.draw(st.booleans())
        )
        changed.append(SentencePatch(str(number), changes))
    patch = _patch(*changed)
    assert apply_patch(apply_patch(file, patch)[0], patch.reversed())[0] == file


def test_empty_lines_between_sentences_come_and_go() -> None:
    row = b"1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_\n"
    old = b"# sent_id = a\n" + row + b"\n# sent_id = b\n" + row + b"\n"
    for new in (old.replace(b"\n\n#", b"\n\n\n\n#"), old + b"\n", old[:-1]):
        patch = parse_patch(patch_between(old, new).text())
        assert apply_patch(old, patch)[0] == new
        assert apply_patch(new, patch.reversed())[0] == old
    refused = parse_patch("# commonground patch 1\n@ a\nend\tEMPTY\t1\t99999999\n")
    with pytest.raises(InputError, match="1 empty lines follow the sentence 'a'"):
        apply_patch(old, refused)

"""Files as they are downloaded: in archives, in other encodings, with marks and lines of all kinds."""

from __future__ import annotations

import os
import zipfile

import pytest
from command import assert_refused, run, write

from commonground import read
from commonground.errors import InputError
from commonground.formats import read_text
from commonground.formats.storage.encodings import ENCODING
from commonground.formats.storage.files import digest
from commonground.formats.storage.folders import BROKEN_FILES
from commonground.ground.inventory import hub_trees

ROWS = "1\tSmå\t_\tX\t_\t_\t2\tamod\t_\t_\n2\tfåglar\t_\tX\t_\t_\t0\troot\t_\t_\n\n"


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_an_encoding_is_guessed_with_a_remark(tmp_path, encoding):
    path = tmp_path / "old.conllu"
    path.write_bytes(ROWS.replace("X", "X" if encoding == "latin-1" else "“", 1).encode(encoding))
    done = run("info", path)
    title = {"latin-1": "Latin-1", "cp1252": "Windows-1252"}[encoding]
    assert done.returncode == 0
    assert f"is not in UTF-8, and is read as {title}; --encoding says which" in done.stderr
    assert "2" in done.stdout


def test_an_encoding_can_be_named(tmp_path):
    path = tmp_path / "old.conllu"
    path.write_bytes(ROWS.encode("cp437"))
    done = run("convert", path, "-", "--to", "conllu", "--encoding", "cp437", "--format", "conllu")
    assert (done.stdout, done.stderr) == (ROWS, "")
    assert ENCODING not in os.environ
    assert_refused(run("info", path, "--encoding", "klingon"), "there is no encoding 'klingon'")
    assert_refused(run("info", path, "--encoding", "ascii"), "it is not in the encoding ascii")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_byte_order_marks_say_the_encoding(tmp_path, encoding):
    path = tmp_path / "marked.conllu"
    path.write_bytes(ROWS.encode(encoding))
    assert read(path).form.tolist() == ["Små", "fåglar"]


def test_lines_may_end_in_several_ways(tmp_path):
    path = tmp_path / "mixed.conllu"
    path.write_bytes((ROWS.replace("\n", "\r\n") + ROWS).encode())
    assert len(read(path)) == 2


# ── folders ──────────────────────────────────────────────────────────────────────────────────────


def test_what_is_so_of_many_files_is_said_once(tmp_path):
    for name in "abc":
        (tmp_path / f"{name}.conllu").write_bytes(ROWS.encode("latin-1"))
    said = run("labels", "hub", tmp_path).stderr.splitlines()
    assert len(said) == 2
    assert said[0].startswith(str(tmp_path / "a.conllu"))
    assert said[1].startswith("2 other files: it is not in UTF-8, and is read as Latin-1")


def test_files_that_cannot_be_read_are_left_out_if_that_is_allowed(tmp_path):
    for name, text in {"a": ROWS, "b": ROWS.replace("\t2\t", "\t9\t"), "c": ROWS}.items():
        write(tmp_path / f"{name}.conllu", text)
    assert_refused(run("labels", "hub", tmp_path), "b.conllu:1: HEAD is 9")
    done = run("labels", "hub", tmp_path, "--broken-files", "skip")
    assert "b.conllu: left out, as it cannot be read: line 1: HEAD is 9" in done.stderr
    assert "ud: 4 of 4 labels" in done.stdout
    assert BROKEN_FILES not in os.environ
    (tmp_path / "a.conllu").unlink()
    (tmp_path / "c.conllu").unlink()
    refused = run("labels", "hub", tmp_path, "--broken-files", "skip")
    assert refused.returncode == 2
    assert "none of its files can be read" in refused.stderr


def test_words_that_stand_with_their_lemmas_are_one_word_each():
    corpus = read_text(
        "(\n (S\n (sn.e-SUJ *0*)\n (grup.verb (vmis3s0 Dijo decir))\n"
        " (sn-CD (espec.mp (da0mp0 los el)) (grup.nom.mp (Fpa -Fpa- -Fpa-)"
        " (ncmp000 años año)))\n (Fp . .)))\n"
    )
    assert corpus.form.tolist() == ["*0*", "Dijo", "los", "(", "años", "."]
    assert corpus.words.strings("lemma").tolist() == ["_", "decir", "el", "-Fpa-", "año", "."]
    assert corpus.tag.tolist() == ["-NONE-", "vmis3s0", "da0mp0", "Fpa", "ncmp000", "Fp"]
    assert hub_trees(corpus).inventory == "cess"


def test_words_without_tags_are_not_taken_for_lemmas():
    forms = ["a", "b", "c", "d", "e"]
    assert read_text("(S (NP a b c) (VP d e))").form.tolist() == forms


# ── archives ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def archive(tmp_path):
    path = tmp_path / "treebank.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("ud/dev.conllu", ROWS)
        file.writestr("ud/README", "a treebank")
        file.writestr("ud/bomb.conllu", ROWS * 2_000_000)
    return path


def test_a_file_in_an_archive_is_named_behind_a_colon(archive):
    name = f"{archive}:ud/dev.conllu"
    assert read(name).form.tolist() == ["Små", "fåglar"]
    assert digest(name) == digest(archive)
    assert run("evaluate", name, name).returncode == 0
    done = run("compare", f"a={name}:{name}", f"b={name}:{name}")
    assert "100.00" in done.stdout


def test_what_an_archive_has_is_told(archive):
    told = f"it is an archive; name a file in it, {archive}:FILE ('ud/dev.conllu', "
    assert_refused(run("info", archive), told)
    assert_refused(
        run("info", f"{archive}:ud/test.conllu"), "no such file in the archive; it has '"
    )


@pytest.mark.long
def test_an_archive_cannot_fill_the_memory(archive):
    with pytest.raises(InputError, match="unpacks to more than 200 times its size"):
        read(f"{archive}:ud/bomb.conllu")


def test_a_damaged_archive_is_an_error(tmp_path, archive):
    data = bytearray(archive.read_bytes())
    for number, broken in enumerate((data[:-30], data[:40], b"PK\x03\x04")):
        path = tmp_path / f"damaged{number}.zip"
        path.write_bytes(broken)
        assert_refused(run("info", f"{path}:ud/dev.conllu"), "damaged archive")
        assert_refused(run("info", path), "it is damaged")


def test_a_file_of_the_prague_treebanks_is_told_from_others(tmp_path):
    pml = '<?xml version="1.0"?>\n<adata xmlns="http://ufal.mff.cuni.cz/pdt/pml/">\n</adata>\n'
    path = write(tmp_path / "x.a", pml)
    assert_refused(
        run("info", path), "this is PML, which has words, tags and trees in several files"
    )


def test_evalb_is_the_preset_that_it_is_run_with():
    done = run("evaluate", "example:ptb", "example:ptb-parse", "--preset", "evalb")
    assert "preset:evalb-collins" in done.stdout

"""Folders and patterns of files to be changed, and the folders that they go into."""

from __future__ import annotations

import pytest
from command import assert_refused, run

import commonground as cg

TRANSFORM = ("--from", "ud", "--to", "sud")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Three files, one of them packed, one in a folder below."""
    monkeypatch.chdir(tmp_path)
    corpus = cg.read("example:ud")
    (tmp_path / "in" / "below").mkdir(parents=True)
    for number, name in enumerate(["a.conllu", "b.conllu.gz", "below/a.conllu"]):
        cg.write(corpus[5 * number : 5 * number + 5], tmp_path / "in" / name)
    return tmp_path


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "m"
    settings = {"iterations": 1}
    cg.train(cg.read("example:ud")[:10], gold_tags=True, settings=settings).save(path)
    return path


def files_in(folder):
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_files_of_a_folder_get_the_same_names_and_what_each_would_get_alone(folder, model):
    assert run("transform", "in", "out", *TRANSFORM).returncode == 0
    assert run("parse", model, "in", "parsed").returncode == 0
    assert files_in(folder / "out") == files_in(folder / "parsed") == ["a.conllu", "b.conllu.gz"]
    run("transform", "in/b.conllu.gz", "one.conllu", *TRANSFORM)
    assert cg.read("one.conllu") == cg.read("out/b.conllu.gz")
    run("parse", model, "in/b.conllu.gz", "one.conllu")
    assert cg.read("one.conllu") == cg.read("parsed/b.conllu.gz")


def test_files_of_a_folder_do_not_go_into_a_folder_with_the_name_of_a_file(folder):
    done = run("convert", "in", "all.conllu", "--rules", "collins")
    assert_refused(done, "in is several files, and all.conllu is one; name a folder")
    assert not (folder / "all.conllu").exists()


def test_a_pattern_keeps_the_folders_below_the_one_where_it_begins(folder):
    assert run("transform", "in/**/*.conllu", "new/out", *TRANSFORM).returncode == 0
    assert files_in(folder / "new" / "out") == ["a.conllu", "below/a.conllu"]


@pytest.mark.long
def test_many_processes_write_the_same_files(folder, model):
    for verb in (["parse", model], ["transform"]):
        options = TRANSFORM if verb == ["transform"] else ()
        assert run(*verb, "in/**/*.conllu", "one", *options).returncode == 0
        assert run(*verb, "in/**/*.conllu", "two", *options, "--jobs", "2").returncode == 0
        for name in files_in(folder / "one"):
            assert (folder / "one" / name).read_bytes() == (folder / "two" / name).read_bytes()


def test_the_report_is_about_all_files(folder):
    whole = run("transform", "in/**/*", "out", *TRANSFORM, "--output-format", "json")
    cg.write(cg.read("example:ud")[:15], "all.conllu")
    alone = run("transform", "all.conllu", "one.conllu", *TRANSFORM, "--output-format", "json")
    assert whole.stdout == alone.stdout


def test_another_format_has_its_own_suffix(folder):
    assert run("convert", "in", "out", "--target-format", "conllx").returncode == 0
    assert files_in(folder / "out") == ["a.conll", "b.conll.gz"]


def test_other_verbs_that_write_trees_take_folders_too(folder, model):
    assert run("projectivize", "in", "out").returncode == 0
    assert run("flip", "in", "out", "--edges", "ud:infinitive").returncode == 0
    assert run("convert", "in", "out").returncode == 0
    assert files_in(folder / "out") == ["a.conllu", "b.conllu.gz"]


def test_one_file_goes_into_a_folder_that_is_there(folder):
    (folder / "out").mkdir()
    assert run("transform", "in/a.conllu", "out", *TRANSFORM).returncode == 0
    assert files_in(folder / "out") == ["a.conllu"]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("in", "in/a.conllu is an input file and would be overwritten"),
        ("-", "in is several files, and standard output is one; name a folder"),
        ("file", "in is several files, and file is one; name a folder"),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is(folder, model, target, message):
    (folder / "file").touch()
    before = files_in(folder)
    assert_refused(run("transform", "in", target, *TRANSFORM), message)
    assert_refused(run("parse", model, "in", target), message)
    assert files_in(folder) == before
    assert (folder / "file").read_bytes() == b""


def test_a_file_that_is_wrong_is_named_and_not_written(folder, model):
    (folder / "in" / "c.conllu").write_text("1\tx\ty\n\n", encoding="utf-8")
    for verb in (["parse", model], ["transform"]):
        options = TRANSFORM if verb == ["transform"] else ()
        assert_refused(run(*verb, "in", "out", *options), "in/c.conllu:1: ")
        assert "c.conllu" not in files_in(folder / "out")


def test_two_files_that_would_become_one_are_refused(folder):
    cg.write(cg.read("in/a.conllu"), folder / "in" / "a.conll", "conllx")
    said = "in/a.conll and in/a.conllu would both become out/a.conll"
    assert_refused(run("convert", "in", "out", "--target-format", "conllx"), said)

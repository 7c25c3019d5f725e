"""Recipes and studies from strangers: what they run and read is told, and has to be allowed."""

from __future__ import annotations

import json
import os
import subprocess
import tarfile
from pathlib import Path

import numpy as np
import pytest
from command import COMMAND, assert_refused, run, write

import commonground as cg
from commonground.errors import UsageError
from commonground.experiments import planned, recipe_names, run_experiment
from commonground.experiments.outside import outside_uses
from commonground.experiments.recipe import find_recipe, is_bundled, read_recipe, recipe_of
from commonground.experiments.store import Store
from commonground.parsers.model_file import Stored, write_model

RECIPE = """title = "A study"
[inputs]
treebank = "{treebank}"
[steps.model]
do = "train"
of = "treebank"
parser = "{parser}"
gold_tags = true
settings = {{ {settings} }}
[steps.out]
do = "parse"
model = "model"
of = "treebank"
"""


def recipe_with(parser, settings="", treebank="example:ud"):
    return RECIPE.format(parser=parser, settings=settings, treebank=treebank)


@pytest.fixture
def java(tmp_path, monkeypatch):
    """A stand-in for Java that leaves a trace wherever it is called."""
    place = tmp_path / "jdk" / "bin" / "java"
    place.parent.mkdir(parents=True)
    write(place, f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n").chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk"))
    return tmp_path / "ran"


@pytest.mark.long
def test_a_recipe_that_runs_a_jar_is_refused_until_it_is_allowed(tmp_path, java):
    jar = write(tmp_path / "notes.txt", "no notes")
    recipe = write(tmp_path / "r.toml", recipe_with("mstparser", f'jar = "{jar}"'))
    into = ("--into", tmp_path / "study")
    done = run("experiment", "run", recipe, *into)
    assert_refused(done, f"runs program java (mstparser), jar {jar}; --allow-programs allows it")
    assert not java.exists()
    assert not (tmp_path / "study").exists()
    done = run("experiment", "run", recipe, *into, "--allow-programs")
    assert done.returncode == 2  # the stand-in fails
    assert java.exists()


@pytest.mark.parametrize(
    "given", [("show",), ("run", "--into", "x", "--dry-run")], ids=lambda each: each[0]
)
def test_show_and_a_dry_run_list_what_is_run_and_read(tmp_path, given):
    treebank = tmp_path / "t.conllu"
    cg.write(cg.read("example:ud"), treebank)
    text = recipe_with("malt", 'jar = "/a/b.jar", options = "/c.xml"', treebank)
    recipe = write(tmp_path / "r.toml", text)
    verb, *options = given
    done = run("experiment", verb, recipe, *options, "--output-format", "json", cwd=tmp_path)
    listed = {(use["what"], use["name"]): use["runs"] for use in json.loads(done.stdout)["outside"]}
    assert listed == {
        ("program", "java (MaltParser)"): True,
        ("jar", "/a/b.jar"): True,
        ("file", "/c.xml"): False,
        ("file", str(treebank)): False,
    }
    shown = run("experiment", verb, recipe, *options, cwd=tmp_path).stdout
    assert "From outside" in shown
    assert "/a/b.jar" in shown


@pytest.mark.parametrize(
    ("parser", "settings", "told"),
    [
        ("stanza", "", ("program", "python -m stanza.models.parser")),
        ("supar", "", ("program", "python -m supar")),
        ("berkeley", 'jar = "x.jar"', ("jar", "x.jar")),
        ("command", 'program = "mine"', ("program", "mine")),
        ("benepar", 'model = "payload.pt"', ("model", "payload.pt")),
        ("ensemble", 'members = "mst malt"', ("program", "java (MaltParser)")),
        ("stacked", 'below = "malt"', ("program", "java (MaltParser)")),
    ],
)
def test_everything_that_a_parser_runs_is_told(parser, settings, told):
    plan = planned(recipe_of(recipe_with(parser, settings), "r.toml"))
    assert told in {(use.what, use.name) for use in outside_uses(plan) if use.runs}
    with pytest.raises(UsageError, match="--allow-programs allows it"):
        run_experiment(plan, Path("nowhere"))
    assert not Path("nowhere").exists()


def test_steps_that_train_in_other_ways_are_told_too():
    for do, taken in (("cross-parse", 'of = "t"'), ("validate", 'systems = { a = ["t", "t"] }')):
        text = f'title = "x"\n[inputs]\nt = "example:ud"\n[steps.s]\ndo = "{do}"\n{taken}\n'
        plan = planned(recipe_of(f'{text}parser = "malt"\n', "r.toml"))
        assert [use.what for use in outside_uses(plan)] == ["program"]
        assert outside_uses(planned(recipe_of(text, "r.toml"))) == []


def test_files_of_schemes_and_rules_are_told(tmp_path):
    scheme = write(tmp_path / "mine.toml", 'name = "mine"\n[choices]\nadposition = "function"\n')
    text = (
        'title = "x"\n[inputs]\nt = "example:ud"\n[steps.s]\ndo = "transform"\nof = "t"\n'
        f'to = "{scheme}"\n'
    )
    uses = outside_uses(planned(recipe_of(text, "r.toml")))
    assert [(use.what, use.name, use.runs) for use in uses] == [("file", str(scheme), False)]


def test_a_file_with_the_name_of_a_recipe_that_comes_along_is_a_stranger_all_the_same(
    tmp_path, monkeypatch
):
    assert all(is_bundled(find_recipe(name)) for name in recipe_names())
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "demo", recipe_with("mstparser", 'jar = "x"'))
    with pytest.raises(UsageError, match="--allow-programs"):
        run_experiment(planned(read_recipe("demo")), tmp_path / "other")


@pytest.mark.long
@pytest.mark.parametrize(("answer", "runs"), [("n", False), ("y", True)])
def test_a_terminal_is_asked_once(tmp_path, java, answer, runs):
    jar = write(tmp_path / "x.jar", "")
    recipe = write(tmp_path / "r.toml", recipe_with("mstparser", f'jar = "{jar}"'))
    pty = pytest.importorskip("pty")
    mine, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "experiment", "run", recipe, "--into", tmp_path / "study", "--quiet"],
        stdin=theirs,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    os.write(mine, f"{answer}\n".encode())
    told = b""
    try:
        while piece := os.read(mine, 4096):
            told += piece
    except OSError:  # the other side is closed
        pass
    finally:
        os.close(mine)
    assert process.wait(60) == 2
    assert told.count(b"Do you trust whoever wrote it?") == 1
    assert f"java (mstparser), jar {jar}".encode() in told
    assert java.exists() == runs


# ── studies in an archive ────────────────────────────────────────────────────────────────────────


def test_a_model_that_was_put_into_a_store_in_place_of_another_runs_nothing(tmp_path):
    """The recipe trains a parser of our own; its outcome was exchanged for one that can run code."""
    plan = planned(recipe_of(recipe_with("arc-eager", "iterations = 1"), "r.toml"))
    store = Store(tmp_path / "store")
    evil = Stored("stanza", {"language": "en"}, {"files": np.zeros(1, np.uint8)})
    about = {"tags": "none", "encoding": "", "log": []}
    with store.making(plan.cells[0].digest, {"seconds": 0}) as folder:
        write_model(Stored("stanza", about, {}, {"model": evil}), folder / "model")
    ended = {each.cell.step: each for each in run_experiment(plan, tmp_path).values()}
    assert ended["model"].state == "kept"
    assert ended["out"].state == "failed"
    assert "--trust allows it" in ended["out"].reason


@pytest.mark.parametrize(
    "changes",
    [
        {"outcomes": [{"step": "a", "digest": "../../../../etc", "reason": ""}]},
        {"outcomes": [{"step": "a", "digest": "ab" + "/" * 62, "reason": ""}]},
        {"outcomes": [{"step": "a", "digest": 3, "reason": ""}]},
        {"outcomes": ["x"]},
        {"inputs": {"../x": "/etc/passwd"}},
        {"inputs": {"x": 3}},
        {"inputs": []},
    ],
)
def test_the_notes_of_a_study_lead_nowhere_else(tmp_path, changes):
    write(tmp_path / "recipe.toml", recipe_with("arc-eager"))
    notes = {"recipe": "r", "inputs": {}, "outcomes": [], **changes}
    write(tmp_path / "study.json", json.dumps(notes))
    for verb in (("export", tmp_path, "-o", tmp_path / "a.tar"), ("clean", tmp_path), ("show", tmp_path)):  # fmt: skip
        assert_refused(run("experiment", *verb), "this does not describe a study")


def test_paths_in_a_recipe_that_others_will_not_have_are_told(tmp_path):
    write(tmp_path / "recipe.toml", recipe_with("mstparser", 'jar = "/opt/mst.jar"'))
    write(tmp_path / "study.json", json.dumps({"recipe": "r", "inputs": {}, "outcomes": []}))
    done = run("experiment", "export", tmp_path, "-o", tmp_path / "a.tar")
    assert done.stderr == "the recipe names /opt/mst.jar, which others do not have\n"


@pytest.mark.long
def test_an_archive_has_no_path_of_the_computer_that_made_it(tmp_path, monkeypatch):
    """Neither in the notes nor in results, tables or the page; and what is copied is told."""
    here = tmp_path / "home of mé"
    here.mkdir()
    treebank = here / "t.conllu"
    cg.write(cg.read("example:ud"), treebank)
    text = (
        recipe_with("arc-eager", "iterations = 1", treebank)
        + '[steps.score]\ndo = "evaluate"\ngold = "treebank"\nparses = { it = "out" }\n'
        + '[[tables]]\nname = "scores"\nof = "score"\n'
    )
    recipe = write(here / "r.toml", text)
    done = run("experiment", "run", recipe, "--into", here / "study")
    assert done.returncode == 0, done.stderr
    done = run("experiment", "export", here / "study", "-o", tmp_path / "study.tar.gz")
    assert done.stderr == f"{treebank} is copied into the archive\n"
    (tmp_path / "there").mkdir()
    with tarfile.open(tmp_path / "study.tar.gz") as archive:
        archive.extractall(tmp_path / "there", filter="data")
    study = tmp_path / "there" / "study"
    for path in study.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert str(tmp_path).encode() not in content, path
            assert b"home of m" not in content, path
    monkeypatch.chdir(study)
    again = run("experiment", "run", "recipe.toml", "--into", ".", "--output-format", "json")
    assert again.returncode == 0, again.stderr
    assert {step["state"] for step in json.loads(again.stdout)["steps"]} == {"kept"}

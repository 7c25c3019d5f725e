"""Systems in the place of parses: named, parsed with, scored, and told with their versions."""

from __future__ import annotations

import json
import sys

import pytest
from command import run, write

import commonground as cg

PARROT = """
import sys
text = sys.stdin.read()
for line in open(sys.argv[1].partition("=")[2], encoding="utf-8"):
    print(line, end="")
"""
"""A command that knows the answer: it writes a file of parses, whatever the text is."""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model of our own."""
    path = tmp_path_factory.mktemp("models") / "small.model"
    cg.train("example:ud", "arc-eager", settings={"iterations": 1}).save(path)
    return str(path)


@pytest.fixture
def knows(tmp_path):
    """The command that writes the example's parse, as the name of a system with = in it."""
    answers = tmp_path / "answers.conllu"
    cg.write(cg.read("example:ud-parse"), answers)
    script = write(tmp_path / "parrot.py", PARROT)
    return f"command:{sys.executable} {script} --file={answers}"


def scores(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def las(data):
    return {each["name"]: each["metrics"]["las"]["score"] for each in data["systems"]}


@pytest.mark.parametrize(("options", "source"), [([], "words"), (["--preset", "conll18"], "text")])
def test_a_model_scores_as_the_parse_that_it_makes(model, options, source, tmp_path):
    given = "example:ud"
    if source == "text":
        given = tmp_path / "gold.txt"
        given.write_bytes(cg.raw_text(cg.read("example:ud")).encode())
    parsed = tmp_path / "parsed.conllu"
    assert run("parse", model, given, parsed).returncode == 0
    wanted = ["--metrics", "las", "--output-format", "json", *options]
    by_file = scores(run("evaluate", "example:ud", f"a={parsed}", *wanted))
    by_name = scores(run("evaluate", "example:ud", f"a={model}", *wanted))
    assert las(by_name) == las(by_file)
    made_by = by_name["request"]["parsed_by"]["a"]
    assert made_by.startswith(f"{model} (arc-eager, commonground {cg.__version__}, SHA-256 ")
    assert made_by.endswith(f"from {source}")
    assert made_by in by_name["signature"]
    assert set(by_name["request"]["inputs"]) == {"example:ud", model}


def test_a_command_gets_the_text_of_the_gold_standard(knows):
    wanted = ["--metrics", "las", "--output-format", "json", "--preset", "conll18"]
    data = scores(run("evaluate", "example:ud", knows, "b=example:ud-parse", *wanted))
    assert las(data)[knows] == las(data)["b"]
    assert data["request"]["parsed_by"] == {knows: f"{knows} (version not known), from text"}
    refused = run("evaluate", "example:ud", knows)
    assert refused.returncode == 2
    assert "takes text, not words; with --on-mismatch realign" in refused.stderr


def test_a_folder_of_gold_standards_is_parsed_file_by_file(model, tmp_path):
    folder = tmp_path / "gold"
    folder.mkdir()
    gold = cg.read("example:ud")
    for name, part in (("a", gold[:20]), ("b", gold[20:])):
        cg.write(part, folder / f"{name}.conllu")
    wanted = ["--metrics", "las", "--output-format", "json"]
    data = scores(run("evaluate", folder, model, *wanted))
    assert [pair["name"] for pair in data["systems"][0]["pairs"]] == ["a", "b"]
    whole = scores(run("evaluate", "example:ud", model, *wanted))
    assert las(data) == las(whole)


def test_compare_takes_systems_and_tells_them(model):
    done = run(
        "compare", f"x=example:ud:{model}", "y=example:sud:example:sud", "--output-format", "json"
    )
    data = scores(done)
    assert list(data["request"]["parsed_by"]) == ["x"]
    assert data["request"]["systems"]["x"] == ["example:ud", model]
    assert f"parsed-by:x={model}" in data["signature"]


def test_a_report_says_that_the_parses_were_not_kept(model, tmp_path):
    saved, page = tmp_path / "r.json", tmp_path / "r.html"
    assert run("evaluate", "example:ud", f"a={model}", "-o", saved).returncode == 0
    done = run("report", saved, "-o", page)
    assert done.returncode == 0, done.stderr
    assert "and not kept" in page.read_text(encoding="utf-8") + done.stderr


def test_conventions_of_a_system(model):
    done = run("evaluate", "example:ud", f"a={model}", "--conventions", "--output-format", "json")
    assert list(scores(done)["request"]["parsed_by"]) == ["a"]


def test_a_model_that_needs_gold_tags_is_said_to_have_them(tmp_path):
    path = tmp_path / "tags.model"
    cg.train("example:ud", gold_tags=True, settings={"iterations": 1}).save(path)
    done = run("evaluate", "example:ud", f"a={path}", "--metrics", "las", "--output-format", "json")
    assert scores(done)["request"]["parsed_by"]["a"].endswith("from words and gold tags")


def test_another_encoding_is_refused_where_systems_write(model):
    done = run("evaluate", "example:ud", model, "--encoding", "latin-1")
    assert done.returncode == 2
    assert "systems write UTF-8" in done.stderr

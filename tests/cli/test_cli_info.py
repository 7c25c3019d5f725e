"""``commonground info``."""

from __future__ import annotations

import json

import pytest
from command import assert_refused, assert_silent_success, run, write

UD = """\
# sent_id = a
# text = Birds sing.
1\tBirds\tbird\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_
2\tsing\tsing\tVERB\tVBP\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# sent_id = b
# text = Listen
1\tListen\tlisten\tVERB\tVB\t_\t0\troot\t_\t_

"""
CROSSED = """\
1\ta\ta\tX\t_\t_\t3\tx\t_\t_
2\tb\tb\tX\t_\t_\t0\troot\t_\t_
3\tc\tc\tX\t_\t_\t2\tx\t_\t_

"""


def info(*arguments, **more):
    """What the command tells, as JSON."""
    done = run("info", *arguments, "--output-format", "json", **more)
    assert_silent_success(done)
    return json.loads(done.stdout)["files"]


@pytest.fixture
def ud(tmp_path):
    return write(tmp_path / "ud.conllu", UD)


@pytest.fixture
def crossed(tmp_path):
    return write(tmp_path / "crossed.conllu", CROSSED)


def test_json_is_complete(ud):
    [result] = info(ud, "--sample", "2")
    assert result["file"] == str(ud)
    assert (result["format"], result["kind"]) == ("conllu", "dependencies")
    assert (result["counts"]["sentences"], result["counts"]["words"]) == (2, 4)
    assert result["spreads"] == {
        "length": {"mean": 2.0, "max": 3},
        "depth": {"mean": 1.5, "max": 2},
    }
    assert result["tallies"]["labels"] == {"root": 2, "nsubj": 1, "punct": 1}
    assert result["tallies"]["universal tags"] == {"VERB": 2, "NOUN": 1, "PUNCT": 1}
    assert result["sample"] == [
        {"sent_id": "a", "line": 1, "text": "Birds sing."},
        {"sent_id": "b", "line": 7, "text": "Listen"},
    ]


def test_people_see_a_table(ud):
    done = run("info", ud, "--top", "1")
    assert_silent_success(done)
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["sentences", "2"] in rows
    assert ["labels", "#1", "root", "2"] in rows
    assert not any("#2" in row for row in rows)


def test_files_of_one_kind_are_added_up(ud, crossed):
    done = run("info", ud, crossed, "--output-format", "tsv")
    rows = dict(line.split("\t", 1) for line in done.stdout.splitlines())
    assert rows[""] == f"{ud}\t{crossed}\tall"
    assert rows["words"] == "4\t3\t7"
    assert rows["non-projective sentences"] == "0\t1 (100.0 %)\t1 (33.3 %)"


def test_files_of_several_kinds_stand_beside_each_other():
    done = run("info", "example:ud", "example:ptb", "--output-format", "tsv")
    rows = dict(line.split("\t", 1) for line in done.stdout.splitlines())
    assert rows["kind"] == "dependencies\tconstituents"
    assert len(set(rows["sentences"].split("\t"))) == 1
    assert rows["traces"].startswith("\t")


def test_many_files_have_a_row_each_and_all_of_them_a_table(ud):
    done = run("info", *[ud] * 7, "--top", "1", "--output-format", "tsv")
    listed, together = done.stdout.split("\n\n")
    assert [row.split("\t")[0] for row in listed.splitlines()[:8]] == ["file", *[str(ud)] * 7]
    assert ["words", "28"] in [row.split("\t") for row in together.splitlines()]


def test_constituents_are_described():
    [result] = info("example:ptb")
    assert result["kind"] == "constituents"
    assert result["counts"]["phrases"] > result["counts"]["sentences"]
    assert "NP" in result["tallies"]["labels"]
    assert "SBJ" in result["tallies"]["functions"]
    assert "-NONE-" not in result["tallies"]["tags"]


def test_relations_are_described(tmp_path):
    path = write(tmp_path / "a.sd", "nsubj(sing-2, Birds-1)\nroot(ROOT-0, sing-2)\n")
    [result] = info(path)
    assert (result["format"], result["counts"]["relations"]) == ("stanford", 2)
    assert result["tallies"]["labels"] == {"nsubj": 1, "root": 1}


@pytest.mark.parametrize("output_format", ["text", "json", "tsv", "markdown", "latex", "html"])
def test_the_result_does_not_depend_on_the_number_of_jobs(output_format, ud, crossed):
    line = ["info", ud, crossed, "example:ud", "--output-format", output_format, "--sample", "1"]
    one, two = (run(*line, "--jobs", jobs) for jobs in ("1", "2"))
    assert_silent_success(one)
    assert one.stdout == two.stdout


def test_the_seed_decides_about_the_sample():
    drawn = {info("example:ud", "--seed", seed)[0]["sample"][0]["sent_id"] for seed in range(4)}
    assert len(drawn) > 1


def test_standard_input_is_read_here_whatever_the_jobs(ud):
    result = info("-", ud, "--jobs", "2", stdin=UD.encode())
    assert [each["counts"]["words"] for each in result] == [4, 4]
    assert result[0]["file"] == "<stdin>"


def test_a_result_is_written_to_a_file(ud, tmp_path):
    target = tmp_path / "info.json"
    done = run("info", ud, "--output-format", "json", "-o", target)
    assert_silent_success(done)
    assert done.stdout == ""
    assert json.loads(target.read_text())["files"][0]["counts"]["words"] == 4


def test_a_file_stays_untouched_when_the_input_is_broken(ud, tmp_path):
    target = write(tmp_path / "info.txt", "old")
    broken = write(tmp_path / "broken.conllu", UD.replace("\t2\tpunct", "\t9\tpunct"))
    done = run("info", ud, broken, "-o", target)
    assert_refused(done, f"{broken}:5: HEAD is 9; the sentence has 3 words")
    assert target.read_text() == "old"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_first_broken_file_is_named_whatever_the_jobs(jobs, ud, tmp_path):
    done = run("info", ud, tmp_path / "missing", ud, "--jobs", jobs)
    assert_refused(done, f"{tmp_path / 'missing'}: cannot be read")


def test_a_label_cannot_steer_the_terminal(tmp_path):
    path = write(tmp_path / "a.conllu", UD.replace("nsubj", "\x1b[2Jx"))
    assert "\x1b" not in run("info", path).stdout


def test_an_empty_file_has_nothing_in_it(tmp_path):
    [result] = info(write(tmp_path / "a.conllu", ""))
    assert result["counts"]["sentences"] == 0
    assert result["sample"] == []


def test_of_a_model_the_parser_its_settings_and_what_it_was_trained_on_are_told(tmp_path, ud):
    model = tmp_path / "ud.model"
    line = ("train", ud, "--parser", "arc-hybrid", "--set", "iterations=2", "--seed", "5")
    trained = run(*line, "-o", model, "-q")
    assert_silent_success(trained)
    told, of_treebank = info(model, ud)[::-1]
    assert of_treebank["format"] == "conllu"
    assert told["format"] == "model"
    assert (told["parser"], told["tags"], told["iterations"]) == ("arc-hybrid", "predicted", 2)
    assert (told["sentences"], told["words"], told["seed"]) == (2, 4, 5)
    assert told["settings"]["iterations"] == 2
    table = run("info", model)
    assert_silent_success(table)
    assert "arc-hybrid" in table.stdout
    assert "--set iterations" in table.stdout


def test_of_a_model_that_is_text_only_what_it_holds_is_told(tmp_path, ud):
    model = tmp_path / "dmv.model"
    assert_silent_success(run("train", ud, "--parser", "dmv", "-o", model, "-q"))
    (told,) = info(model)
    assert (told["parser"], told["words"], told["megabytes"]) == ("dmv", None, None)


def test_a_damaged_model_is_refused_in_one_line(tmp_path, ud):
    model = tmp_path / "ud.model"
    line = ("train", ud, "--parser", "arc-hybrid", "--set", "iterations=2", "-o", model, "-q")
    assert_silent_success(run(*line))
    model.write_bytes(model.read_bytes()[:-9])
    assert_refused(run("info", model), "not a good model")

"""``commonground check``."""

from __future__ import annotations

import json

import pytest
from command import assert_silent_success, run, write

SOUND = "1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n\n"
FORMAT = SOUND + "1\tHi\thi\tINTJ\tUH\t_\tx\troot\t_\t_\n2\tHo\n\n"
CIRCLE = "1\ta\ta\tX\t_\t_\t2\tx\t_\t_\n2\tb\tb\tX\t_\t_\t1\tx\t_\t_\n\n"


@pytest.fixture
def sound(tmp_path):
    return write(tmp_path / "sound.conllu", SOUND)


@pytest.fixture
def broken(tmp_path):
    return write(tmp_path / "broken.conllu", FORMAT)


def test_sound_files_have_no_problems(sound):
    done = run("check", sound, "example:ud", "example:ptb")
    assert_silent_success(done)
    assert done.stdout == "no problems in 3 files\n"


def test_every_problem_of_the_format_is_a_line(broken, sound):
    done = run("check", broken, sound)
    assert done.returncode == 2
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == f"{broken}:3: HEAD is 'x'; a number from 0 is expected"
    assert lines[1].startswith(f"{broken}:4: 2 columns; 10 are expected")
    assert lines[-1] == "2 problems in 1 of 2 files"


def test_what_is_no_tree_is_a_problem(tmp_path):
    done = run("check", write(tmp_path / "a.conllu", SOUND + CIRCLE))
    assert done.returncode == 2
    assert f"{tmp_path / 'a.conllu'}:3: " in done.stdout
    assert "form a cycle" in done.stdout


def test_files_that_cannot_be_read_are_problems_too(sound, tmp_path):
    garbage = tmp_path / "garbage"
    garbage.write_bytes(bytes(range(256)))
    (tmp_path / "empty").mkdir()
    done = run("check", tmp_path / "missing", sound, tmp_path / "empty", garbage)
    assert done.returncode == 2
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"{tmp_path / 'missing'}: cannot be read")
    assert lines[1].startswith(f"{tmp_path / 'empty'}: cannot be read")
    assert lines[2].startswith(f"{garbage}:1: ")
    assert lines[-1] == "3 problems in 3 of 4 files"


def test_an_unknown_format_is_bad_usage(sound):
    done = run("check", sound, "--format", "word")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "there is no format 'word'" in done.stderr


def test_partial_trees_need_leave(tmp_path):
    path = write(tmp_path / "a.conllu", "1\tHi\thi\tINTJ\tUH\t_\t_\t_\t_\t_\n\n")
    assert run("check", path).returncode == 2
    assert run("check", path, "--partial").returncode == 0


def test_the_rest_is_counted(tmp_path):
    path = write(tmp_path / "a.conllu", "1\tHi\n\n" * 5)
    lines = run("check", path, "--max", "2").stdout.splitlines()
    assert lines[2:] == [
        f"{path}: 3 more problems",
        "--repair of evaluate and convert mends: 5 columns, 5 head-missing",
        "5 problems in 1 of 1 file",
    ]


def test_json_has_the_problems_of_each_file(broken, sound):
    done = run("check", broken, sound, "--output-format", "json")
    assert done.returncode == 2
    data = json.loads(done.stdout)
    assert data["problems"] == 2
    first, second = data["files"]
    assert (first["file"], first["format"], first["count"]) == (str(broken), "conllu", 2)
    assert [problem["line"] for problem in first["problems"]] == [3, 4]
    assert (second["sentences"], second["problems"]) == (1, [])


@pytest.mark.parametrize("output_format", ["text", "json", "tsv", "markdown", "latex", "html"])
def test_every_output_format_has_the_problems_whatever_the_jobs(output_format, broken, sound):
    line = ["check", sound, broken, sound, "--output-format", output_format]
    one, two = (run(*line, "--jobs", jobs) for jobs in ("1", "2"))
    assert one.returncode == two.returncode == 2
    assert one.stdout == two.stdout
    assert "HEAD is" in one.stdout


def test_problems_can_be_written_to_a_file(broken, tmp_path):
    target = tmp_path / "problems.tsv"
    done = run("check", broken, "--output-format", "tsv", "-o", target)
    assert (done.returncode, done.stdout) == (2, "")
    rows = [line.split("\t") for line in target.read_text().splitlines()]
    assert rows[0] == ["file", "line", "problem"]
    assert rows[1][:2] == [str(broken), "3"]


def test_standard_input_is_checked():
    done = run("check", "-", stdin=FORMAT.encode())
    assert done.returncode == 2
    assert done.stdout.startswith("<stdin>:3: ")

"""``commonground transform`` and ``commonground schemes``."""

from __future__ import annotations

import json

import pytest
from command import assert_refused, assert_silent_success, run, write

import commonground
from commonground.schemes.constructions import CONSTRUCTIONS

UD = """\
# sent_id = a
1\tin\tin\tADP\t_\t_\t2\tcase\t2:case\t_
2\tRome\tRome\tPROPN\t_\t_\t0\troot\t0:root\t_
3\t,\t,\tPUNCT\t_\t_\t4\tpunct\t_\t_
4\tParis\tParis\tPROPN\t_\t_\t2\tconj\t_\t_

"""


def test_a_file_is_rewritten_there_and_back(tmp_path):
    source, sud = write(tmp_path / "ud.conllu", UD), tmp_path / "sud.conllu"
    assert_silent_success(run("transform", source, sud, "--from", "ud", "--to", "sud"))
    assert commonground.read(sud).head.tolist() == [0, 1, 4, 2]
    back = tmp_path / "back.conllu.gz"
    assert_silent_success(run("transform", sud, back, "--from", "sud", "--to", "ud"))
    assert commonground.read(back).head.tolist() == [2, 0, 4, 2]


def test_from_standard_input_to_standard_output(tmp_path):
    done = run("transform", "-", "-", "--from", "ud", "--to", "sud", stdin=UD.encode())
    assert_silent_success(done)
    assert "2\tRome\tRome\tPROPN\t_\t_\t1\tcomp:obj\t_\t_\n" in done.stdout


def test_only_some_constructions(tmp_path):
    line = ["transform", "-", "-", "--from", "ud", "--to", "sud"]
    done = run(*line, "--only", "coordination,name", stdin=UD.encode())
    assert_silent_success(done)
    assert "1\tin\tin\tADP\t_\t_\t2\tcase" in done.stdout
    assert "\t2\tconj:coord\t" in done.stdout


def test_the_report_tells_what_was_done_and_what_was_not(tmp_path):
    source = write(tmp_path / "ud.conllu", UD)
    out = tmp_path / "out.conllu"
    done = run("transform", source, out, "--from", "ud", "--to", "alpino", "--report")
    assert_silent_success(done)
    assert "From ud to alpino" in done.stdout
    assert "no conjunction" in done.stdout
    assert "the enhanced graph" in done.stdout
    line = ["transform", source, out, "--from", "ud", "--to", "alpino", "--report"]
    data = json.loads(run(*line, "--output-format", "json").stdout)
    assert data["constructions"]["coordination"] == {
        "from": "first",
        "to": "conjunction",
        "found": 1,
        "changed": 0,
        "failed": {"no conjunction": ["a"]},
    }
    assert data["losses"]["words"] == 4
    for output_format in ("tsv", "markdown", "latex", "html"):
        assert "Adposition" in run(*line, "--output-format", output_format).stdout


def test_the_report_can_go_to_a_file(tmp_path):
    source, report = write(tmp_path / "ud.conllu", UD), tmp_path / "report.txt"
    line = ["transform", source, "-", "--from", "ud", "--to", "sud", "--report"]
    assert_refused(run(*line), "OUT and the report both go to standard output")
    assert_silent_success(run(*line, "-o", report))
    assert "From ud to sud" in report.read_text(encoding="utf-8")


def test_a_scheme_of_the_user_is_a_file(tmp_path):
    mine = write(tmp_path / "mine.toml", 'name = "mine"\n[choices]\nadposition = "function"\n')
    done = run("transform", "-", "-", "--from", "ud", "--to", mine, stdin=UD.encode())
    assert_silent_success(done)
    assert "1\tin\tin\tADP\t_\t_\t0\troot" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["example:ud", "out.conllu"], "Missing option '--from'"),
        (["example:ud", "out.conllu", "--from", "ud", "--to", "sued"], "there is no scheme 'sued'"),
        (["example:ud", "out.conllu", "--from", "ud", "--to", "sud", "--only", "x"], "no construction 'x'"),
        (["example:ptb", "out.conllu", "--from", "ud", "--to", "sud"], "has constituents"),
        (["example:ud", "out.nothing", "--from", "ud", "--to", "sud"], "does not tell the format"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_and_writes_nothing(arguments, message, tmp_path):
    assert_refused(run("transform", *arguments, cwd=tmp_path), message)
    assert list(tmp_path.iterdir()) == []


def test_a_bad_scheme_is_refused_with_its_line(tmp_path):
    bad = write(tmp_path / "bad.toml", 'name = "bad"\n[choices]\ncopula = "no"\n')
    done = run("transform", "example:ud", "-", "--from", "ud", "--to", bad)
    assert_refused(done, f"{bad}:3: copula has no way 'no'")


# ── schemes ──────────────────────────────────────────────────────────────────────────────────────


def test_the_list_names_the_schemes():
    done = run("schemes", "list")
    assert_silent_success(done)
    for name in ("ud", "sud", "stanford", "tut", "prague"):
        assert f"\n{name} " in done.stdout


def test_a_scheme_shows_its_choices_and_labels():
    done = run("schemes", "show", "sud")
    assert_silent_success(done)
    assert "the partner depends on the adposition" in done.stdout
    assert "mod@relcl" in done.stdout
    data = json.loads(run("schemes", "show", "sud", "--output-format", "json").stdout)
    assert data["choices"]["coordination"] == "chain"


def test_the_difference_is_a_table_of_what_differs():
    done = run("schemes", "diff", "ud", "sud", "--output-format", "tsv")
    assert_silent_success(done)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert rows[0] == ["construction", "example", "ud", "sud"]
    assert ["Adposition", "in Rome", "content", "function"] in rows
    assert not [row for row in rows if row[0] == "Determiner"]
    everything = run("schemes", "diff", "ud", "sud", "--all", "--output-format", "tsv").stdout
    assert "Determiner\tthe city\tcontent\tcontent" in everything


@pytest.mark.parametrize("output_format", ["text", "json", "tsv", "markdown", "latex", "html"])
def test_schemes_are_shown_in_every_format(output_format):
    for line in (["list"], ["show", "ud"], ["diff", "ud", "tut"]):
        assert_silent_success(run("schemes", *line, "--output-format", output_format))


def test_an_unknown_scheme_is_refused():
    assert_refused(run("schemes", "show", "xyz"), "there is no scheme 'xyz'")
    assert_refused(run("schemes", "diff"), "Missing argument")
    assert_refused(run("schemes", "lst"), "lst")


def test_a_mixed_scheme_is_shown_under_its_own_name():
    done = run("schemes", "show", "ud+sud:adposition")
    assert_silent_success(done)
    assert done.stdout.startswith("ud+sud:adposition\n")


def test_one_scheme_differs_from_nothing_and_no_command_is_one_line():
    assert_refused(run("schemes", "diff", "ud"), "'schemes diff' needs two schemes")
    assert_refused(run("schemes"), "Missing command")


def test_a_file_or_a_format_for_the_report_asks_for_it(tmp_path):
    source, out, report = write(tmp_path / "ud.conllu", UD), tmp_path / "o.conllu", tmp_path / "r"
    line = ["transform", source, out, "--from", "ud", "--to", "sud"]
    assert_silent_success(run(*line, "-o", report))
    assert "From ud to sud" in report.read_text(encoding="utf-8")
    assert json.loads(run(*line, "--output-format", "json").stdout)["to"] == "sud"


@pytest.mark.parametrize(
    "line",
    [
        ["transform", "example:ud", "o.conllu", "--from", "ud", "--to", "sud", "--report"],
        ["projectivize", "example:ud", "o.conllu"],
        ["flip", "example:ud", "o.conllu", "--kind", "ud:name"],
    ],
)
def test_what_was_done_does_not_overwrite_the_trees(line, tmp_path):
    assert_refused(
        run(*line, "-o", "./o.conllu", cwd=tmp_path), "OUT and --report-file are both o.conllu"
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("line", [["projectivize"], ["flip", "--kind", "ud:name"]])
def test_what_was_done_goes_to_a_file_where_the_trees_go_to_standard_output(line, tmp_path):
    done = run(*line, "example:ud", "-", "-o", "done.txt", cwd=tmp_path)
    assert_silent_success(done)
    assert done.stdout.startswith("# newdoc")
    assert "828" in (tmp_path / "done.txt").read_text(encoding="utf-8")


def test_the_help_names_the_constructions():
    shown = " ".join(run("transform", "--help").stdout.split())
    assert f"one of {', '.join(CONSTRUCTIONS)}." in shown


@pytest.mark.long
def test_two_processes_write_the_same_trees_and_tell_the_same(tmp_path):
    big = tmp_path / "big.conllu"
    write(big, run("convert", "example:ud", "-", "--to", "conllu").stdout * 30)
    told = []
    for jobs in (1, 2):
        out = tmp_path / f"{jobs}.conllu"
        told.append(run("transform", big, out, "--from", "ud", "--to", "sud", "--jobs", jobs,
                        "--report-file", tmp_path / f"{jobs}.txt"))  # fmt: skip
        assert told[-1].returncode == 0, told[-1].stderr
    assert (tmp_path / "1.conllu").read_bytes() == (tmp_path / "2.conllu").read_bytes()
    assert (tmp_path / "1.txt").read_bytes() == (tmp_path / "2.txt").read_bytes()

"""``commonground test``: tests between saved results."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from statistics import fmean, stdev

import pytest
from command import assert_refused, assert_silent_success, run, run_line, write

SPECS = ["ud=example:ud:example:ud-parse", "ptb=example:ptb:example:ptb-parse"]

TABLE_7 = {
    "nl_ptb": "68.51 70.07 69.21 69.45 68.47 69.07 69.99 69.71 68.77 68.83",
    "nl_tig": "67.25 66.79 68.13 68.29 67.31 66.97 67.87 66.43 67.11 67.67",
    "it_ptb": "66.56 66.45 66.07 66.47 66.74 66.20 66.56 66.37 66.05 66.96",
    "it_tig": "54.01 54.21 53.37 52.77 52.55 53.66 52.70 52.70 52.08 52.82",
}
"""UAS of ten training runs each, from table 7 of Spreyer (2010)."""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A folder with saved results of several parses and settings."""
    folder = tmp_path_factory.mktemp("results")
    lines = {
        "mine": ["evaluate", "example:ud", "mine=example:ud-parse"],
        "best": ["evaluate", "example:ud", "best=example:ud"],
        "both": ["evaluate", "example:ud", "mine=example:ud-parse", "best=example:ud"],
        "universal": ["evaluate", "example:ud", "mine=example:ud-parse", "--no-subtypes"],
        "tested": ["evaluate", "example:ud", "other=example:ud", "--confidence", "0.9"],
        "compared": ["compare", *SPECS],
    }
    for name, line in lines.items():
        done = run(*line, "--output-format", "json", "-o", folder / f"{name}.json")
        assert_silent_success(done)
    return folder


def claimed(*arguments, cwd=None, stdin=b""):
    done = run("test", *arguments, "--output-format", "json", cwd=cwd, stdin=stdin)
    assert_silent_success(done)
    return json.loads(done.stdout)


# ── saved results ────────────────────────────────────────────────────────────────────────────────


def test_saved_results_give_the_claims_of_the_treebanks(results):
    line = ["--test", "shuffle", "--confidence", "0.9", "--seed", "3"]
    parses = ["mine=example:ud-parse", "best=example:ud"]
    done = run("evaluate", "example:ud", *parses, *line, "--output-format", "json")
    whole = json.loads(done.stdout)
    for files in (["mine.json", "best.json"], ["both.json"]):
        result = claimed(*files, *line, cwd=results)
        for key in ("tests", "groups", "intervals"):
            assert result[key] == whole["claims"][key]


def test_mcnemar_works_without_the_treebanks(results):
    result = claimed("both.json", "--test", "mcnemar", "--metrics", "las", cwd=results)
    [claim] = result["tests"]
    assert (claim["units"], claim["effective"]) == (828, 43)


def test_shuffling_is_what_is_done_unless_asked_otherwise(results):
    result = claimed("both.json", "--metrics", "las", cwd=results)
    assert [claim["test"] for claim in result["tests"]] == ["shuffling"]
    assert result["request"]["results"] == {"both.json": "both.json"}


def test_standard_input_and_compressed_files_are_read(results, tmp_path):
    packed = tmp_path / "mine.json.gz"
    packed.write_bytes(gzip.compress((results / "mine.json").read_bytes()))
    best = (results / "best.json").read_bytes()
    result = claimed(packed, "-", "--metrics", "las", stdin=best)
    assert result["tests"][0]["systems"] == ["best", "mine"]


def test_a_table_for_people(results):
    done = run("test", "mine.json", "best.json", "--metrics", "las", cwd=results)
    assert_silent_success(done)
    rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[4:6] == [["1", "a", "best", "100.00ᵇ"], ["2", "b", "mine", "94.81"]]
    assert "Differences between systems" in done.stdout


def test_the_signature_of_a_table_leaves_out_what_is_usual(results):
    """In a process of its own, which has evaluated nothing before."""
    line = [sys.executable, "-m", "commonground", "test", "both.json"]
    done = subprocess.run(line, cwd=results, capture_output=True, text=True, check=True)
    assert "commonground:0.1.0|preset:none|test:shuffle|#" in done.stdout


def test_results_can_be_named(results):
    result = claimed("one=mine.json", "two=mine.json", "--metrics", "las", cwd=results)
    assert [system["name"] for system in result["systems"]] == ["one", "two"]
    assert result["tests"][0]["p"] == 1


def test_systems_of_the_same_name_are_called_by_their_files(results):
    result = claimed("mine.json", "both.json", "--metrics", "las", cwd=results)
    names = [system["name"] for system in result["systems"]]
    assert names == ["mine.json", "both.json:mine", "best"]


def test_a_comparison_is_tested_by_what_is_fair(results):
    result = claimed("compared.json", cwd=results)
    assert [claim["metric"] for claim in result["tests"]] == [
        *("common_attached", "common_unlabelled", "common_labelled"),
        *("multiple_labelled", "multiple_unlabelled"),
    ]
    done = run("compare", *SPECS, "--test", "shuffle", "--output-format", "json")
    assert result["tests"] == json.loads(done.stdout)["tests"]


def test_single_scores_of_different_gold_standards_are_no_match(results):
    done = run("test", "compared.json", "--metrics", "single_unlabelled", cwd=results)
    assert_refused(done, "were not scored against the same gold standard")
    forced = claimed("compared.json", "--metrics", "single_unlabelled", "--force", cwd=results)
    assert forced["tests"]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_result_does_not_depend_on_the_number_of_jobs(jobs, results):
    line = ["test", "mine.json", "both.json", "--test", "shuffle,bootstrap", "--iterations", "300"]
    line += ["--metrics", "las", "--output-format", "json"]
    one = run(*line, cwd=results).stdout
    assert run(*line, "--jobs", jobs, cwd=results).stdout == one
    assert json.loads(one)["tests"]


def test_tests_that_were_made_before_do_not_make_results_different(results):
    assert claimed("mine.json", "tested.json", "--metrics", "las", cwd=results)["tests"]


# ── what does not fit ────────────────────────────────────────────────────────────────────────────


def test_results_that_mean_other_things_are_refused(results):
    done = run("test", "mine.json", "other=universal.json", cwd=results)
    assert_refused(done, "mine.json has 'subtypes:yes', universal.json has 'subtypes:no'")
    assert claimed("mine.json", "other=universal.json", "--force", cwd=results)["tests"]
    done = run("test", "mine.json", "compared.json", cwd=results)
    assert_refused(done, "mine.json is a result of evaluate, compared.json of compare")


def test_another_gold_standard_with_the_same_ids_is_refused(tmp_path, results):
    text = (results / "mine.json").read_text()
    data = json.loads(text)
    for score in data["systems"][0]["metrics"].values():
        score["by_sentence"]["gold"][0] += 1
        score["counts"]["gold"] += 1
        score.pop("items")
    other = write(tmp_path / "other.json", json.dumps(data))
    done = run("test", results / "best.json", other)
    assert_refused(done, "were not scored against the same gold standard")


def test_systems_on_different_sentences(tmp_path):
    word = "# sent_id = {}\n1\tw\t_\t_\t_\t_\t0\t{}\t_\t_\n\n"
    for name, ids in (("one", "abcd"), ("two", "bcde")):
        gold = write(tmp_path / f"{name}.gold", "".join(word.format(i, "x") for i in ids))
        parse = write(
            tmp_path / f"{name}.conllu", "".join(word.format(i, "xy"[i == "b"]) for i in ids)
        )
        line = ["evaluate", gold, f"{name}={parse}", "--format", "conllu", "--metrics", "la"]
        run(*line, "--output-format", "json", "-o", tmp_path / f"{name}.json")
    done = run("test", "one.json", "two.json", cwd=tmp_path)
    assert_refused(done, "only one has 'a'; --on-mismatch skip tests those that all have")
    result = claimed("one.json", "two.json", "--on-mismatch", "skip", cwd=tmp_path)
    assert result["tests"][0]["units"] == 3
    text = run("test", "one.json", "two.json", "--on-mismatch", "skip", cwd=tmp_path).stdout
    assert (
        "2 sentences that not all systems have are left out of the tests, but not of the scores above."
        in text
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument 'RESULT…'"),
        (["mine.json"], "there is only one system; a test needs two"),
        (["no.json"], "no.json: cannot be read"),
        (["mine.json", "mine.json"], "two results are called mine.json"),
        (["both.json", "--metrics", "clas"], "not all systems have clas scores; all have uas"),
        (["both.json", "--test", "welch"], "there is no test 'welch'; there are shuffle"),
        (["--runs", "a=mine.json,best.json", "--test", "shuffle"], "no test 'shuffle' of runs"),
        (["--runs", "a=mine.json,both.json"], "a run is one system, but there are mine, best"),
        (["--runs", "a=mine.json,mine.json"], "a file is given twice"),
        (["--runs", "a=mine.json,universal.json"], "the scores are not comparable"),
        (["--runs", "a=1:x:3", "b=1:1:3"], "1:x:3: cannot be read"),
        (["--runs", "a=1:1:1", "b=1:1:3"], "1 run has no spread"),
        (["--runs", "a=1:1:3", "b=1:1:3", "--power"], "--power has no effect on runs"),
        (["--runs", "a=1:1:3", "b=1:1:3", "--test", "permutation"], "not only their mean"),
        (["--runs", "a=1:1:3", "b=1:1:3", "--metrics", "las"], "not all systems have las runs"),
        (["--runs", "a=1:1:3", "b=1:1:3", "--test", "paired"], "needs as many scores"),
        (["--runs", "a=1:1:3", "b=mine.json,best.json"], "no metric has runs of all systems"),
    ],
)
def test_what_makes_no_sense_is_told(arguments, message, results):
    assert_refused(run("test", *arguments, cwd=results), message)


# ── training runs ────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def table_7(tmp_path):
    for name, numbers in TABLE_7.items():
        write(tmp_path / f"{name}.txt", "# UAS\n" + numbers.replace(" ", "\n") + "\n")
    return tmp_path


@pytest.mark.parametrize("test", ["student", "welch", "permutation"])
def test_runs_have_the_means_and_deviations_that_the_paper_prints(test, table_7):
    sources = [f"{name}={name}.txt" for name in TABLE_7]
    result = claimed("--runs", *sources, "--test", test, cwd=table_7)
    [metric] = result["metrics"]
    rows = {system["name"]: system for system in metric["systems"]}
    printed = {"nl_ptb": (69.21, 0.58), "nl_tig": (67.38, 0.60), "it_ptb": (66.44, 0.29)}
    for name, (mean, sd) in {**printed, "it_tig": (53.09, 0.69)}.items():
        assert (round(rows[name]["mean"], 2), round(rows[name]["sd"], 2)) == (mean, sd)
        assert rows[name]["interval"][0] < rows[name]["mean"] < rows[name]["interval"][1]
    assert {system["letters"] for system in metric["systems"]} == set("abcd")
    assert all(
        claim["different"] and claim["corrected_p"] >= claim["p"] for claim in result["tests"]
    )


def test_a_table_of_runs(table_7):
    sources = ["nl=nl_ptb.txt", "it=it_ptb.txt"]
    text = run("test", "--runs", *sources, "--test", "student", cwd=table_7).stdout
    assert re.search(r"nl +10 +69\.21 \[68\.79, 69\.62\] +0\.58 +0\.18\d +A\n", text)
    assert "Student's t-test, two-sided; bold: p ≤ 0.05." in text


def test_what_papers_print_can_be_tested():
    line = ["--runs", "a=69.21:0.58:10", "b=67.38:0.60:10", "--test", "student"]
    [claim] = claimed(*line)["tests"]
    assert claim["statistic"] == pytest.approx(6.9346, abs=1e-3)
    assert claim["p"] == pytest.approx(1.77e-6, rel=0.01)


def test_runs_can_be_saved_results(results, tmp_path):
    source = "mine.json,best.json"
    result = claimed("--runs", f"a={source}", f"b={source}", "--metrics", "las", cwd=results)
    [metric] = result["metrics"]
    scores = [785 / 828, 1.0]
    assert metric["systems"][0]["scores"] == scores
    assert metric["systems"][0]["mean"] == fmean(scores)
    assert metric["systems"][0]["sd"] == stdev(scores)
    assert len(result["request"]["inputs"]) == 2


def test_runs_that_mean_something_else_can_be_forced(results):
    sources = ["a=mine.json,best.json", "b=best.json,universal.json"]
    assert claimed("--runs", *sources, "--force", cwd=results)["tests"]


def test_metrics_by_which_runs_do_not_vary_are_left_out_unless_they_are_named(tmp_path):
    for name, parse in {"one": "example:ptb-parse", "two": "example:ptb"}.items():
        line = ["example:ptb", parse, "--metrics", "parseval_f1,tagging"]
        path = str(tmp_path / f"{name}.json")
        assert_silent_success(run("evaluate", *line, "--output-format", "json", "-o", path))
    sources = ["a=one.json,two.json", "b=two.json,one.json"]
    result = claimed("--runs", *sources, cwd=tmp_path)
    assert [each["metric"] for each in result["metrics"]] == ["parseval_f1"]
    done = run("test", "--runs", *sources, "--metrics", "tagging", cwd=tmp_path)
    assert_refused(done, "do not vary at all")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("0.5\nx\n", ":2: 'x' is not a number"),
        ("0.5 nan\n", ":1: 'nan' is not a score"),
        ("0.5\n", ": 1 run has no spread"),
        ("", ": 0 runs have no spread"),
        ("\xff", ":1: byte 1 is not UTF-8"),
    ],
)
def test_a_file_that_has_no_numbers_is_told(content, message, tmp_path):
    path = tmp_path / "runs.txt"
    path.write_bytes(content.encode("latin-1"))
    assert_refused(run("test", "--runs", f"a={path}", f"b={path}"), f"{path}{message}")


def test_the_examples_of_the_help_work(tmp_path):
    text = run("test", "--help").stdout
    examples = re.findall(r"^ +(commonground .+)$", text, re.MULTILINE)
    assert len(examples) == 2
    for line in examples:
        done = run_line(line, tmp_path)
        assert (done.returncode, done.stderr) == (0, ""), line

"""Leaderboards: ranks, broken submissions, averages over treebanks and tests across them."""

from __future__ import annotations

import json

import pytest
from command import assert_refused, run, write

from commonground import Settings, evaluate, evaluate_files, find_pairs, read
from commonground.errors import InputError, UsageError
from commonground.evaluation.leaderboard import read_leaderboard, result_files
from commonground.evaluation.macro import over_files
from commonground.evaluation.saved import read_result
from commonground.evaluation.scoring import scored
from commonground.metrics.dependencies.attachment import METRICS
from commonground.report.page.combined import combined_chapter
from commonground.report.page.make import report_html
from commonground.statistics.ranking import rank_text, ranks
from commonground.statistics.registry import find_test


def words(*labels):
    """Return a sentence of one word for each label."""
    return "".join(f"1\tw\t_\tX\t_\t_\t0\t{label}\t_\t_\n\n" for label in labels)


@pytest.fixture
def task(tmp_path):
    """Seven gold standards, and three systems: the worst has a file that is broken, lacks one."""
    for name in ("gold", "subs/a", "subs/b", "subs/c"):
        (tmp_path / name).mkdir(parents=True)
    for place in range(7):
        write(tmp_path / f"gold/t{place}.conllu", words("x", "x", "x", "x"))
        write(tmp_path / f"subs/a/t{place}.conllu", words("x", "x", "x", "y"))
        write(tmp_path / f"subs/b/t{place}.conllu", words("x", "x", "y", "y"))
        write(tmp_path / f"subs/c/t{place}.conllu", words("x", "x", "x", "x"))
    write(tmp_path / "subs/c/t0.conllu", "1\tw\n\n")
    (tmp_path / "subs/c/t1.conllu").unlink()
    write(tmp_path / "subs/c/README", "our system")
    return tmp_path


def pairs(task, *names, lenient=True):
    systems = {name: str(task / "subs" / name) for name in names}
    return find_pairs(str(task / "gold"), systems, lenient=lenient)


def test_a_broken_submission_is_an_error_unless_told_otherwise(task):
    with pytest.raises(InputError, match="there is no file t1 in "):
        pairs(task, "a", "c", lenient=False)
    with pytest.raises(InputError, match=r"c/t0.conllu:1: "):
        evaluate_files(pairs(task, "a", "c"))


def test_a_system_with_something_broken_is_left_out_with_the_reasons(task):
    result = evaluate_files(pairs(task, "a", "c"), on_error="skip", metrics=["las"])
    assert [system.name for system in result.systems] == ["a"]
    assert [(each.system, each.file) for each in result.broken] == [("c", "t0"), ("c", "t1")]
    assert "t0.conllu:1: " in result.broken[0].reason
    assert result.broken[1].reason.startswith("there is no file t1 in ")
    assert "|broken:2 skip" in result.signature


def test_what_is_broken_can_count_as_all_wrong(task):
    result = evaluate_files(pairs(task, "a", "c"), on_error="zero", metrics=["las", "uas"])
    assert result.system("c")["las"].value == 20 / 28
    assert result.macro("c", "las") == pytest.approx(5 / 7)
    assert result.pairs["t0"].system("c")["las"].value == 0
    assert result.pairs["t2"].system("c")["las"].value == 1


def test_one_gold_standard_can_have_a_broken_parse_too(task):
    gold, good, bad = (str(task / name) for name in ("gold/t0.conllu", "subs/a/t0.conllu", "x"))
    for on_error, names in (("skip", ["good"]), ("zero", ["good", "bad"])):
        asked = find_pairs(gold, {"good": good, "bad": bad}, lenient=True)
        result = evaluate_files(asked, on_error=on_error)
        assert [system.name for system in result.systems] == names
        assert result.broken[0].reason.endswith("cannot be read: No such file or directory")


def test_a_bad_gold_standard_is_never_a_broken_submission(task):
    write(task / "gold/t3.conllu", "1\tw\n\n")
    with pytest.raises(InputError, match=r"gold/t3.conllu:1: "):
        evaluate_files(pairs(task, "a"), on_error="zero")


def test_where_all_are_broken_the_first_reason_is_told(task):
    with pytest.raises(UsageError, match=r"no parse can be scored; the first one: .*t0.conllu:1"):
        evaluate_files(pairs(task, "c"), on_error="skip")


@pytest.mark.parametrize("treebank", ["example:ud", "example:ptb"])
def test_nothing_is_right_in_a_lost_parse_by_any_metric(treebank):
    gold = read(treebank)
    lost = scored("lost", gold, gold, ("all",), Settings(), lost=True)
    whole = scored("whole", gold, gold, ("all",), Settings())
    for name, score in lost.scores.items():
        if score.metric.higher_is_better and whole.scores[name].value is None:
            continue  # nothing is annotated that could be lost
        assert score.value == 0 if score.metric.higher_is_better else score.value is None, name
    assert sum(bucket.counts["correct"] for bucket in lost.breakdown("tedeval", ["label"])) == 0


def test_ranks_are_ranges_where_scores_are_equal():
    result = ranks({"a": 0.5, "b": 0.9, "c": 0.5, "d": 0.1, "e": None}, METRICS[0])
    assert {name: rank_text(rank) for name, rank in result.items()} == {
        "a": "2–3",
        "b": "1",
        "c": "2–3",
        "d": "4",
    }


def test_averages_over_files_are_tested_by_file(task):
    result = evaluate_files(pairs(task, "a", "b"), metrics=["la"], sentences=True)
    one, other = over_files(result.files)
    assert one["la"].value == result.macro("a", "la") == 0.75
    assert other["la"].value == result.macro("b", "la") == 0.5
    for test in ("shuffle", "wilcoxon", "sign"):
        claim = find_test(test).between(one["la"], other["la"])
        assert (claim.p, claim.units, claim.unit) == (2 / 2**7, 7, "file")
        assert claim.difference == 0.25


@pytest.mark.long
def test_a_saved_board_is_tested_as_it_would_have_been(task):
    line = ["evaluate", "gold", "subs/a", "subs/b", "--metrics", "la"]
    at_once = run(*line, "--test", "shuffle", cwd=task).stdout.splitlines()
    assert run(*line, "-o", "board.json", cwd=task).returncode == 0
    later = run("test", "board.json", cwd=task).stdout.splitlines()
    assert "Scores are macro averages over 7 files." in later
    assert [row for row in later if "commonground" not in row] == [
        row for row in at_once if "commonground" not in row
    ]
    board = read_result(task / "board.json")
    parses = {f"subs/{name}": str(task / "subs" / name) for name in "ab"}
    whole = evaluate(task / "gold", parses, metrics=["la"])
    assert board.test("shuffle").to_json() == whole.test("shuffle").to_json()


@pytest.mark.long
def test_two_saved_boards_of_the_same_files_are_tested_over_files(task):
    for name in "ab":
        run("evaluate", "gold", f"subs/{name}", "--metrics", "la", "-o", f"{name}.json", cwd=task)
    done = run("test", "a.json", "b.json", cwd=task)
    assert "Scores are macro averages over 7 files." in done.stdout.splitlines()
    saved = {name: read_result(task / f"{name}.json") for name in "ab"}
    assert "|within:t0,t1,t2,t3,t4,t5,t6" in combined_chapter(saved).signature


def test_the_board_has_a_row_per_system_and_tells_what_is_broken(task):
    line = ["evaluate", "gold", "subs/b", "subs/a", "subs/c", "--metrics", "uas,las"]
    done = run(*line, "--on-error", "zero", "--test", "shuffle", "--by", "file", cwd=task)
    assert done.returncode == 0
    rows = [row.split() for row in done.stdout.splitlines()]
    assert [row[:3] for row in rows[4:7]] == [
        ["1–2", "a", "subs/a"],
        ["1–3", "b", "subs/c"],
        ["2–3", "c", "subs/b"],
    ]
    assert "Scores are macro averages over 7 files." in done.stdout
    assert "subs/c   t1     there is no file t1 in subs/c" in done.stdout
    assert "7 files, exact" in done.stdout
    by_file = done.stdout.partition("LAS by file\n")[2].splitlines()
    assert by_file[0].split() == ["file", "subs/b", "subs/a", "subs/c"]
    assert by_file[2].split() == ["t0", "50.00", "75.00", "0.00"]
    assert by_file[9].split() == ["macro", "average", "50.00", "75.00", "71.43"]


@pytest.mark.parametrize("unit", ["sentences", "documents", "files"])
def test_an_average_over_files_is_the_same_whatever_is_resampled(uneven, unit):
    """``--resample sentences`` made micro averages of macro ones, without a word."""
    line = ["evaluate", "gold", "a=a", "b=b", "--metrics", "las", "--test", "shuffle"]
    plain = run(*line[:-2], cwd=uneven).stdout.splitlines()
    done = run(*line, "--resample", unit, cwd=uneven)
    rows = [row.split() for row in done.stdout.splitlines()]
    assert [(row[2], row[3][:5]) for row in rows[4:6]] == [("b", "75.00"), ("a", "50.00")]
    assert [row.split()[1:3] for row in plain[4:6]] == [["b", "75.00"], ["a", "50.00"]]
    assert "Scores are macro averages over 2 files." in done.stdout


def test_sentences_within_files_are_tested_and_files_beside_them(uneven):
    line = ["evaluate", "gold", "a=a", "b=b", "--metrics", "las", "--test", "shuffle"]
    text = run(*line, cwd=uneven).stdout
    assert "40 sentences within 2 files" in text
    assert "Differences across files: would they be found on other treebanks?" in text
    data = json.loads(run(*line, "--output-format", "json", cwd=uneven).stdout)
    (pair,), (across,) = data["tests"], data["tests_across_files"]
    assert pair["difference"] == across["difference"] == 0.25
    assert (pair["unit"], across["unit"]) == ("sentence", "file")
    assert pair["p"] < 0.01 < across["p"]


@pytest.fixture
def uneven(tmp_path):
    """Two treebanks of 30 and 10 sentences; b is better than a on the small one alone."""
    right = [("1", "0", "root"), ("2", "1", "obj")]
    wrong = [("1", "0", "root"), ("2", "0", "obj")]
    for system, small in (("gold", right), ("a", wrong), ("b", right)):
        (tmp_path / system).mkdir()
        large = right if system == "gold" else wrong
        for name, words, count in (("large", large, 30), ("small", small, 10)):
            rows = "".join(
                f"{i}\tw{i}\t_\tX\t_\t_\t{head}\t{label}\t_\t_\n" for i, head, label in words
            )
            documents = [f"# newdoc id = {name}{n // 5}\n" * (n % 5 == 0) for n in range(count)]
            write(tmp_path / system / f"{name}.conllu", "".join(f"{d}{rows}\n" for d in documents))
    return tmp_path


def test_few_files_cannot_show_a_difference_and_the_table_says_so(task):
    line = ["evaluate", "gold/t[2-4].*", "a=subs/a/t[2-4].*", "b=subs/b/t[2-4].*"]
    text = run(*line, "--metrics", "la", "--test", "shuffle", cwd=task).stdout
    few = "Too few files: no difference over 3 files can be significant."
    assert few in text.partition("Differences across files")[2]
    text = run(
        *line, "--metrics", "la", "--test", "shuffle", "--resample", "files", cwd=task
    ).stdout
    assert few in text.partition("Differences between systems")[0]


def test_the_json_of_a_board_has_the_reasons(task):
    done = run(
        *("evaluate", "gold", "subs/a", "subs/c", "--on-error", "skip", "--metrics", "la"),
        *("--rank-by", "la", "--output-format", "json"),
        cwd=task,
    )
    data = json.loads(done.stdout)
    assert [each["file"] for each in data["broken"]] == ["t0", "t1"]
    assert data["request"]["options"]["on-error"] == "skip"


def test_a_bad_parse_among_several_tells_how_to_go_on(task):
    done = run("evaluate", "gold/t0.conllu", "subs/a/t0.conllu", "subs/c/t0.conllu", cwd=task)
    assert_refused(done, "; --on-error skip leaves this system out, --on-error zero")
    done = run("evaluate", "gold/t0.conllu", "subs/c/t0.conllu", cwd=task)
    assert "--on-error" not in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--by", "file"], "--by file needs several files"),
        (["--resample", "files", "--test", "sign"], "--resample files needs several files"),
        (["--rank-by", "ned"], "nothing can be ranked by ned; there are la"),
        (["--by", "file,deprel"], "--by file cannot be combined"),
    ],
)
def test_what_a_board_cannot_do_is_refused(task, options, message):
    line = ["evaluate", "gold/t2.conllu", "subs/a/t2.conllu", "subs/b/t2.conllu"]
    assert_refused(run(*line, "--metrics", "la", *options, cwd=task), message)


# ── the page ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def results(task):
    """A folder with a result for each of three treebanks, and files that are none."""
    (task / "results").mkdir()
    for name in ("t0", "t2", "t3"):
        done = run(
            *("evaluate", f"gold/{name}.conllu", f"a=subs/a/{name}.conllu"),
            *(f"b<i>=subs/b/{name}.conllu", f"c=subs/c/{name}.conllu", "--metrics", "uas,la"),
            *("--on-error", "skip", "--output-format", "json", "-o", f"results/{name}.json"),
            cwd=task,
        )
        assert done.returncode == 0, done.stderr
    write(task / "results/bad.json", '{"systems": []}')
    write(task / "results/notes.txt", "not a result")
    return task / "results"


def test_a_folder_of_results_is_a_board_of_all_treebanks(results):
    result, _ = read_leaderboard(result_files(str(results)))
    assert list(result.pairs) == ["t0.conllu", "t2.conllu", "t3.conllu"]
    assert [system.name for system in result.systems] == ["a", "b<i>"]
    assert result.macro("a", "la") == 0.75
    reasons = {(each.system, each.file): each.reason for each in result.broken}
    assert "this is not a saved result" in reasons["bad.json", ""]
    assert "t0.conllu:1: " in reasons["c", "t0.conllu"]


def test_a_system_that_lacks_a_treebank_is_told(results, task):
    run(
        *("evaluate", "gold/t4.conllu", "a=subs/a/t4.conllu", "--metrics", "uas,la"),
        *("--output-format", "json", "-o", "results/t4.json"),
        cwd=task,
    )
    result, _ = read_leaderboard(result_files(str(results)))
    assert [system.name for system in result.systems] == ["a"]
    assert any(
        (each.system, each.file) == ("b<i>", "t4.conllu") and "no result" in each.reason
        for each in result.broken
    )


def test_one_result_of_several_files_is_a_board_too(task):
    (task / "one").mkdir()
    line = ["evaluate", "gold", "a=subs/a", "b=subs/b", "--metrics", "la"]
    run(*line, "--output-format", "json", "-o", "one/all.json", cwd=task)
    result, _ = read_leaderboard(result_files(str(task / "one")))
    assert len(result.pairs) == 7
    assert result.macro("b", "la") == 0.5


def test_the_page_of_a_board_resamples_what_its_result_asked_for(task):
    (task / "one").mkdir()
    line = ["evaluate", "gold/t[2-4].*", "a=subs/a/t[2-4].*", "b=subs/b/t[2-4].*"]
    chosen = ["--metrics", "la", "--resample", "sentences", "--test", "sign"]
    run(*line, *chosen, "-o", "one/all.json", cwd=task)
    html = report_html([task / "one"])
    assert "macro averages over 3 files" in html
    assert "sign test, two-sided, 12 sentences within 3 files" in html


def test_the_page_of_a_board_is_ranked_and_escaped(results):
    html = report_html([results])
    board = html.partition("<tbody>")[2].partition("</tbody>")[0]
    assert board.index(">a<") < board.index("b&lt;i&gt;")
    assert "<i>" not in html
    assert "Broken submissions" in html
    assert "Too few files" in html


def test_a_result_with_odd_pairs_is_broken_and_no_traceback(results):
    data = json.loads((results / "t2.json").read_text())
    data["systems"][0]["pairs"] = [{"name": "x"}]
    write(results / "t2.json", json.dumps(data))
    result, _ = read_leaderboard(result_files(str(results)))
    wrong = "systems[0].pairs[0]: Object missing required field `metrics`"
    assert any(wrong in each.reason for each in result.broken)


def test_a_folder_without_results_is_refused(task):
    done = run("report", "gold", "-o", "x.html", cwd=task)
    assert_refused(done, "gold: there are no results (*.json) in this folder")

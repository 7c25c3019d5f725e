"""Tests and intervals in ``evaluate`` and ``compare``."""

from __future__ import annotations

import json
import re

import pytest
from command import assert_refused, assert_silent_success, run, write

TWO = ["evaluate", "example:ud", "mine=example:ud-parse", "best=example:ud"]
SPECS = ["ud=example:ud:example:ud-parse", "ptb=example:ptb:example:ptb-parse"]
FAST = ["--iterations", "500"]


def word(head, label, number=1):
    return f"{number}\tw\t_\t_\t_\t_\t{head}\t{label}\t_\t_\n"


@pytest.fixture
def three(tmp_path):
    """A gold standard of 60 sentences in six documents, and three parses of it.

    The parse ``good`` has one label of four wrong, ``bad`` three, and ``same`` as many as good, in
    other places.
    """
    wrong = {"gold": [0] * 4, "good": [1, 0, 0, 0], "same": [0, 1, 0, 0], "bad": [1, 1, 1, 0]}
    for name, flags in wrong.items():
        text = "".join(
            (f"# newdoc id = d{s // 10}\n" if s % 10 == 0 else "")
            + f"# sent_id = s{s}\n"
            + "".join(
                word(n - 1, "x" if flags[(n + s) % 4] == 0 else "wrong", n) for n in range(1, 5)
            )
            + "\n"
            for s in range(60)
        )
        write(tmp_path / f"{name}.conllu", text)
    return tmp_path


def evaluated(*arguments, cwd=None):
    done = run(*arguments, "--output-format", "json", cwd=cwd)
    assert_silent_success(done)
    return json.loads(done.stdout)


PARSES = ["evaluate", "gold.conllu", "good=good.conllu", "same=same.conllu", "bad=bad.conllu"]


# ── tests ────────────────────────────────────────────────────────────────────────────────────────


def test_only_the_corrected_p_is_bold(three):
    line = ["evaluate", "gold.conllu", "best=gold.conllu", *PARSES[2:3], *PARSES[4:]]
    done = run(
        *line, "--metrics", "las", "--test", "mcnemar", "--output-format", "markdown", cwd=three
    )
    pairs = re.findall(r"^\| LAS \|.+\]\s\| (.+?) \| (.+?) \|", done.stdout, re.MULTILINE)
    assert len(pairs) == 3
    assert any(p == corrected.strip("*") for p, corrected in pairs)  # the largest is as it was
    assert all("*" not in p and corrected.startswith("**") for p, corrected in pairs)


def test_without_asking_nothing_is_tested():
    result = evaluated(*TWO)
    assert result["tests"] == []
    assert result.keys().isdisjoint({"claims"})
    assert "|test:" not in result["signature"]


@pytest.mark.parametrize("test", ["shuffle", "bootstrap", "wilcoxon", "sign", "mcnemar"])
def test_every_claim_has_all_that_is_needed_to_judge_it(test):
    result = evaluated(*TWO, "--metrics", "uas,las", "--test", test, *FAST)
    assert [claim["metric"] for claim in result["tests"]] == ["uas", "las"]
    for claim in result["tests"]:
        assert claim["systems"] == ["best", "mine"]
        assert claim["difference"] > 0
        assert 0 < claim["p"] <= claim["corrected_p"] <= 0.05
        assert claim["different"]
        assert claim["unit"] == ("token" if test == "mcnemar" else "sentence")
        assert claim["units"] == (828 if test == "mcnemar" else 64)
        assert 0 < claim["interval"][0] < claim["difference"] < claim["interval"][1]
        assert {"iterations", "alternative", "correction", "alpha", "outcomes"} <= claim.keys()
        if test in ("shuffle", "bootstrap"):
            assert (claim["iterations"], claim["seed"]) == (500, 0)


def test_a_superscript_names_the_worse_systems_and_its_p_is_in_the_json(three):
    line = [*PARSES, "--metrics", "la", "--test", "shuffle"]
    rows = [row.split() for row in run(*line, cwd=three).stdout.splitlines()]
    assert rows[4:7] == [
        ["1–2", "a", "good", "75.00ᶜ"],
        ["1–2", "b", "same", "75.00ᶜ"],
        ["3", "c", "bad", "25.00"],
    ]
    claims = {tuple(c["systems"]): c for c in evaluated(*line, cwd=three)["tests"]}
    assert {pair for pair, claim in claims.items() if claim["different"]} == {
        ("good", "bad"),
        ("same", "bad"),
    }
    assert claims["good", "same"]["p"] > 0.05


def test_groups_are_letters_in_json_and_ranks_for_people(three):
    line = [*PARSES, "--metrics", "la", "--test", "shuffle"]
    [groups] = evaluated(*line, cwd=three)["claims"]["groups"]
    assert groups["letters"] == {"good": "a", "same": "a", "bad": "b"}
    assert groups["ranks"] == {"good": [1, 2], "same": [1, 2], "bad": [3, 3]}
    text = run(*line, cwd=three).stdout
    assert re.search(r"Ranks\nsystem +LA\n─+\ngood +1–2\nsame +1–2\nbad +3\n", text)


def test_several_tests_at_once(three):
    result = evaluated(*PARSES, "--metrics", "la", "--test", "sign,wilcoxon", cwd=three)
    assert [claim["test"] for claim in result["tests"]] == ["sign"] * 3 + ["wilcoxon"] * 3
    assert "|test:sign,wilcoxon|" in result["signature"]
    text = run(*PARSES, "--metrics", "la", "--test", "sign,wilcoxon", cwd=three).stdout
    assert "; superscripts and ranks by the sign test, two-sided" in text
    text = run(*PARSES, "--metrics", "la", "--test", "wilcoxon,sign", cwd=three).stdout
    assert "; superscripts and ranks by Wilcoxon's signed-rank test, two-sided" in text


def test_a_metric_for_which_lower_is_better_has_the_right_winner(tmp_path):
    gold, bad = (
        write(tmp_path / f"{n}.mrg", line * 30)
        for n, line in (
            ("gold", "(S (A (x a) (x b)) (x c))\n"),
            ("bad", "(S (x a) (A (x b) (x c)))\n"),
        )
    )
    line = ["evaluate", gold, f"bad={bad}", f"good={gold}", "--metrics", "crossing_brackets"]
    rows = [row.split() for row in run(*line, "--test", "shuffle", *FAST).stdout.splitlines()]
    assert rows[4:6] == [["1", "a", "good", "0.00ᵇ"], ["2", "b", "bad", "1.00"]]
    for test in ("shuffle", "bootstrap", "sign"):
        for alternative, p in (("greater", 1.0), ("less", 0.0)):
            options = ["--test", test, "--alternative", alternative, *FAST]
            [claim] = evaluated(*line, *options)["tests"]
            assert claim["systems"] == ["bad", "good"]
            assert claim["alternative"] == alternative
            assert claim["p"] == pytest.approx(p, abs=0.01)
            assert claim["outcomes"]["losses"] == 30


def test_precision_and_recall_are_tested_separately():
    line = ["evaluate", "example:ptb", "a=example:ptb-parse", "b=example:ptb", "--test", "shuffle"]
    tested = {claim["metric"] for claim in evaluated(*line)["tests"]}
    assert {"parseval_precision", "parseval_recall", "parseval_f1"} <= tested


def test_one_sided_tests_keep_the_order_that_was_given():
    line = [*TWO, "--metrics", "las", "--test", "sign"]
    [less] = evaluated(*line, "--alternative", "less")["tests"]
    [greater] = evaluated(*line, "--alternative", "greater")["tests"]
    assert less["systems"] == greater["systems"] == ["mine", "best"]
    assert less["p"] < 0.001
    assert greater["p"] == 1


def test_more_pairs_are_corrected_for(three):
    line = [*PARSES, "--metrics", "la", "--test", "sign"]
    plain, holm = (
        [
            c["corrected_p"] / c["p"]
            for c in evaluated(*line, "--correction", name, cwd=three)["tests"]
        ]
        for name in ("none", "holm")
    )
    assert plain == [1, 1, 1]
    assert max(holm) >= 2


def test_documents_can_be_the_units(three):
    line = [*PARSES, "--metrics", "la", "--test", "shuffle", "--resample", "documents"]
    result = evaluated(*line, cwd=three)
    assert {(claim["units"], claim["unit"]) for claim in result["tests"]} == {(6, "document")}
    assert "|units:documents|" in result["signature"]


def test_too_few_iterations_for_a_correction_are_told(three):
    line = [*PARSES, "--metrics", "la", "--test", "shuffle", "--iterations", "30"]
    assert "Too few iterations" in run(*line, cwd=three).stdout


def test_sentences_that_not_all_parses_have_are_left_out_of_the_tests(three):
    text = (three / "good.conllu").read_text()
    write(three / "good.conllu", text.replace("1\tw\t", "1\tv\t", 1))
    line = [*PARSES, "--metrics", "la", "--test", "shuffle", "--on-mismatch", "skip"]
    assert {claim["units"] for claim in evaluated(*line, cwd=three)["tests"]} == {59}
    text = run(*line, "--confidence", "0.9", cwd=three).stdout
    assert "1 sentence that not all systems have is left out of the tests" in text
    assert "bootstrap of 59 to 60 sentences" in text


def test_an_interval_is_about_the_sentences_of_its_score(three):
    text = (three / "bad.conllu").read_text()
    write(three / "bad.conllu", text.replace("1\tw\t", "1\tv\t", 40))
    options = ["--metrics", "la", "--confidence", "0.9", "--resample", "documents", *FAST]
    result = evaluated(*PARSES, *options, "--on-mismatch", "skip", cwd=three)
    scores = {system["name"]: system["metrics"]["la"]["score"] for system in result["systems"]}
    assert {each["system"]: each["value"] for each in result["claims"]["intervals"]} == scores
    assert {each["system"]: each["units"] for each in result["claims"]["intervals"]} == {
        "good": 6,
        "same": 6,
        "bad": 2,
    }


def test_what_evalb_skips_in_one_parse_is_left_out_of_the_tests(tmp_path):
    gold = write(tmp_path / "gold.mrg", "(S (A a) (B b))\n" * 5)
    one = write(tmp_path / "one.mrg", "(S (A a))\n" + "(S (X (A a)) (B b))\n" * 4)
    line = ["evaluate", gold, f"one={one}", f"gold={gold}", "--preset", "evalb-new"]
    result = evaluated(*line, "--test", "shuffle")["tests"]
    assert {claim["units"] for claim in result} == {4}


def test_superscripts_in_latex(three):
    line = [*PARSES, "--metrics", "la", "--test", "shuffle", "--output-format", "latex"]
    assert r"\textbf{75.00}\textsuperscript{c}" in run(*line, cwd=three).stdout


# ── comparisons ──────────────────────────────────────────────────────────────────────────────────


def test_a_comparison_tests_common_ground_and_multiple():
    result = evaluated("compare", *SPECS, "--test", "shuffle", "--ignore-case", *FAST)
    assert [claim["metric"] for claim in result["tests"]] == [
        *("common_attached", "common_unlabelled", "multiple_unlabelled"),
    ]
    claim = result["tests"][-1]
    assert claim["systems"] == ["ptb", "ud"]
    assert claim["different"]
    text = run("compare", *SPECS, "--test", "shuffle", *FAST).stdout
    assert re.search(r"TedEval MULTIPLE \(unlabelled\) +98\.63 +99\.96ᵃ\n", text)
    assert "\na: ud\nb: ptb\n" in text


def test_no_sign_where_a_difference_is_not_significant():
    line = ["compare", "a=example:ud:example:ud-parse", "b=example:ud:example:ud-parse"]
    text = run(*line, "--test", "shuffle", *FAST).stdout
    assert not set(text) & set("ᵃᵇ")


# ── the same numbers again ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("test", ["shuffle", "bootstrap"])
def test_the_same_seed_gives_the_same_p_with_any_number_of_jobs(test, three):
    line = [*PARSES, "--metrics", "la,uas", "--test", test, *FAST, "--output-format", "json"]
    line += ["--confidence", "0.9"]
    one, again, many = (
        run(*line, *more, cwd=three).stdout for more in ([], ["--jobs", "1"], ["--jobs", "3"])
    )
    assert one == again == many
    assert json.loads(one)["tests"]


def test_another_seed_gives_another_p():
    line = [*TWO, "--metrics", "las", "--test", "bootstrap", "--confidence", "0.9", *FAST]
    ends = {evaluated(*line, "--seed", seed)["tests"][0]["interval"][0] for seed in ("1", "2")}
    assert len(ends) == 2


def test_the_command_of_a_saved_result_has_the_tests(three):
    result = evaluated(*PARSES, "--test", "sign", "--metrics", "la", "--seed", "5", cwd=three)
    assert "--test sign" in result["command"]
    assert result["command"].endswith("--output-format json --seed 5")
    assert result["request"]["options"]["test"] == ["sign"]


def test_whatever_can_change_a_claim_is_in_the_signature():
    options = [
        *("", "--iterations 20", "--seed 3", "--confidence 0.9", "--alternative less"),
        *("--correction bh", "--resample documents", "--interval percentile"),
    ]
    line = [*TWO, "--metrics", "las", "--test", "sign"]
    by_name = {evaluated(*line, *option.split())["signature"] for option in options}
    assert len(by_name) == len(options)


def test_documents_must_be_named(tmp_path):
    gold = write(tmp_path / "g.conllu", (word(0, "x") + "\n") * 4)
    done = run("evaluate", gold, gold, f"b={gold}", "--test", "shuffle", "--resample", "documents")
    assert_refused(done, "nothing names the documents")


def test_one_sentence_can_be_tested_though_it_has_no_interval(tmp_path):
    gold = write(tmp_path / "g.conllu", word(0, "x") + "\n")
    line = ["evaluate", gold, f"a={gold}", f"b={gold}", "--metrics", "la"]
    [claim] = evaluated(*line, "--test", "shuffle")["tests"]
    assert (claim["p"], claim["units"]) == (1, 1)
    assert "interval" not in claim
    assert_refused(run(*line, "--confidence", "0.9"), "at least 2")

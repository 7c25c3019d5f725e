"""Intervals and power in ``evaluate``, and what makes no sense."""

from __future__ import annotations

import json
import re

import pytest
from command import assert_refused, assert_silent_success, run

TWO = ["evaluate", "example:ud", "mine=example:ud-parse", "best=example:ud"]
FAST = ["--iterations", "500"]


def evaluated(*arguments):
    done = run(*arguments, "--output-format", "json")
    assert_silent_success(done)
    return json.loads(done.stdout)


# ── intervals ────────────────────────────────────────────────────────────────────────────────────


def test_a_confidence_gives_every_score_an_interval():
    line = ["evaluate", "example:ud", "example:ud-parse", "--metrics", "las", "--confidence", "0.9"]
    result = evaluated(*line, *FAST)
    [interval] = result["claims"]["intervals"]
    assert interval["low"] < interval["value"] == 785 / 828 < interval["high"]
    assert (interval["confidence"], interval["method"], interval["units"]) == (0.9, "bca", 64)
    text = run(*line, *FAST).stdout
    assert re.search(r"94\.81 \[9\d\.\d\d, 9\d\.\d\d\]", text)
    assert "Intervals at 90 %: BCa bootstrap of 64 sentences, 500 iterations, seed 0." in text


def test_a_wider_confidence_is_a_wider_interval():
    line = ["evaluate", "example:ud", "example:ud-parse", "--metrics", "las", *FAST]
    narrow, wide = (
        evaluated(*line, "--interval", "percentile", "--confidence", level)["claims"]["intervals"][
            0
        ]
        for level in ("0.5", "0.99")
    )
    assert wide["low"] < narrow["low"] < narrow["high"] < wide["high"]


@pytest.mark.parametrize(
    ("output_format", "pattern"),
    [
        ("latex", r"94\.81 \{\\scriptsize \{\[\}\d\d\.\d\d, \d\d\.\d\d\{\]\}\}"),
        ("markdown", r"94\.81 \\\[\d\d\.\d\d, \d\d\.\d\d\\\]"),
        ("html", r"94\.81 \[\d\d\.\d\d, \d\d\.\d\d\]"),
        ("tsv", r"LAS\tLAS low\tLAS high\nexample:ud-parse\t94\.8\d+\t9\d\.\d+\t9\d\.\d+\n"),
    ],
)
def test_intervals_in_other_formats(output_format, pattern):
    line = ["evaluate", "example:ud", "example:ud-parse", "--metrics", "las", "--confidence", "0.9"]
    done = run(*line, *FAST, "--output-format", output_format)
    assert_silent_success(done)
    assert re.search(pattern, done.stdout)


# ── power ────────────────────────────────────────────────────────────────────────────────────────


def test_the_smallest_difference_that_can_be_detected():
    line = [*TWO, "--metrics", "las", "--power", "--iterations", "50"]
    [result] = evaluated(*line)["claims"]["detectable"]
    assert (result["metric"], result["power"], result["units"]) == ("las", 0.8, 64)
    assert "Smallest difference that can be detected" in run(*line).stdout


def test_a_comparison_across_frameworks_has_power_too():
    line = ["compare", "a=example:ud:example:ud-parse", "b=example:ptb:example:ptb-parse"]
    both = evaluated(*line, "--power", "--iterations", "50")["claims"]["detectable"]
    assert [each["metric"] for each in both][:1] == ["common_attached"]
    result = both[-1]
    assert result["metric"] == "multiple_unlabelled"
    assert result["difference"] is None  # the better one is at 99.96 %
    assert "–: not even a perfect system" in run(*line, "--power", *FAST).stdout


def test_metrics_that_count_no_right_items_have_no_power():
    line = ["evaluate", "example:ptb", "a=example:ptb-parse", "--power", "--iterations", "20"]
    some = "parseval_recall,crossing_brackets"
    result = evaluated(*line, "--metrics", some)["claims"]["detectable"]
    assert [each["metric"] for each in result] == ["parseval_recall"]
    done = run(*line, "--metrics", "crossing_brackets")
    assert_refused(done, "none of crossing_brackets does")


# ── bad usage ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--test", "anova"], "there is no test 'anova'; there are shuffle, bootstrap"),
        (["--iterations", "5"], "--iterations has no effect without --test or --confidence"),
        (["--correction", "bh"], "--correction has no effect without --test"),
        (["--alternative", "less", "--confidence", "0.9"], "--alternative has no effect without"),
        (["--test", "shuffle", "--iterations", "1" + 12 * "0"], "at most 10,000,000 are possible"),
        (["--confidence", "95"], "95.0 is not in the range"),
        (["--test", "shuffle", "--seed", "-1"], "the seed is -1"),
        (["--test", "mcnemar", "--resample", "documents"], "cannot compare documents"),
        (["--test", "shuffle", "--style", "conll18"], "takes one parse; give one"),
    ],
)
def test_what_makes_no_sense_is_told(options, message):
    assert_refused(run(*TWO, *options), message)


def test_one_parse_has_nothing_to_be_tested_against():
    done = run("evaluate", "example:ud", "example:ud-parse", "--test", "shuffle")
    assert_refused(done, "there is only one system; a test needs two")


def test_the_layouts_of_other_programs_have_no_place_for_tests():
    line = ["evaluate", "example:ud", "example:ud-parse", "--style", "conll18"]
    assert_refused(run(*line, "--confidence", "0.9"), "--confidence has no effect on the layout")


def test_mcnemar_needs_the_same_items_on_both_sides():
    line = ["evaluate", "example:ptb", "a=example:ptb-parse", "b=example:ptb", "--test", "mcnemar"]
    assert_refused(run(*line, "--metrics", "parseval_f1"), "none of parseval_f1 does")
    tested = {claim["metric"] for claim in evaluated(*line)["tests"]}
    assert tested == {"parseval_exact_match", "tagging"}


def test_the_bootstrap_and_the_differences_have_the_same_intervals():
    line = [*TWO, "--metrics", "las", "--test", "bootstrap", "--interval", "percentile", *FAST]
    [claim] = evaluated(*line)["tests"]
    assert claim["method"] == claim["interval_method"] == "percentile"

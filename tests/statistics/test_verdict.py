"""The verdict: one plain sentence, which claims no more than interval and test both support."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from command import run
from error_process import COLUMNS, Process

import commonground as cg
from commonground.evaluation.metric_score import Score
from commonground.evaluation.result import System
from commonground.evaluation.scores import Evaluation
from commonground.metrics.dependencies.attachment import METRICS
from commonground.metrics.items import Counts
from commonground.metrics.sentences import Sentences
from commonground.report.views.claims import markers
from commonground.statistics.verdict import verdict_of, verdict_on

LAS = next(metric for metric in METRICS if metric.name == "las")
PAIR = ["a=example:ud-parse", "b=example:ud"]
FRAMEWORKS = ["ud=example:ud:example:ud-parse", "ptb=example:ptb:example:ptb-parse"]


def evaluation(**rows):
    """Return an evaluation of systems, given by the words that they have right, and all words."""
    systems = []
    for name, counts in rows.items():
        columns = dict(zip(COLUMNS, np.asarray(counts).T, strict=True))
        score = Score(LAS, Counts({**columns, "aligned": columns["gold"]}))
        kept = Sentences(tuple(map(str, range(len(counts)))))
        systems.append(System(name, {"las": score}, kept=kept))
    return Evaluation("", tuple(systems))


def drawn(seed, *chances, sentences=400):
    """Return counts of systems with some chance to be right, on the same sentences."""
    random = np.random.default_rng(seed)
    gold = random.integers(5, 30, sentences)
    return [np.column_stack([random.binomial(gold, c), gold, gold]) for c in chances]


# ── what it says ─────────────────────────────────────────────────────────────────────────────────


def test_it_says_who_is_better_and_by_how_much():
    one, other = drawn(0, 0.80, 0.85)
    said = verdict_on(evaluation(old=one, new=other))
    assert re.fullmatch(
        r"new is better than old by [45]\.\d LAS \(\d\.\d to \d\.\d, p = 0\.0001\)\.", str(said)
    )
    assert said.low < said.difference < said.high
    assert (said.best, said.worse, said.undecided) == ("new", ("old",), ())


def test_without_evidence_it_says_what_the_test_set_would_show():
    one, other = drawn(1, 0.8, 0.8, sentences=60)
    said = verdict_on(evaluation(old=one, new=other))
    assert re.fullmatch(
        r"No difference between (old and new|new and old) can be shown; "
        r"this test set would show \d\.\d points of LAS\.",
        str(said),
    )
    assert not said.worse
    assert said.detectable > max(abs(said.low), abs(said.high)) / 2


def test_it_says_that_two_identical_parses_are_the_same():
    (one,) = drawn(2, 0.8)
    said = verdict_on(evaluation(one=one, two=one.copy()))
    assert str(said).startswith("one and two have the same LAS on every sentence")


def test_of_many_systems_it_names_the_best_and_who_cannot_be_told_apart_from_it():
    counts = drawn(3, 0.7, 0.9, 0.9, 0.5)
    said = verdict_on(evaluation(**dict(zip("abcd", counts, strict=True))))
    assert set(said.systems[:2]) == {"b", "c"}
    assert said.undecided == (said.systems[1],)
    assert said.worse == ("a", "d")
    assert f"but {said.systems[1]} cannot be told apart from it" in str(said)
    assert "it is better than a and d" in str(said)


def test_of_many_systems_the_best_is_named_if_it_is_better_than_all():
    counts = drawn(4, 0.7, 0.95, 0.5)
    said = verdict_on(evaluation(**dict(zip("abc", counts, strict=True))))
    assert str(said).startswith("b is the best of 3, better than a, the next, by ")


def test_a_small_difference_is_not_rounded_to_nothing():
    gold = np.full(3000, 1000)
    one = np.column_stack([np.full(3000, 900), gold, gold])
    other = one.copy()
    other[::10, 0] += 1
    text = str(verdict_on(evaluation(one=one, other=other)))
    assert text.startswith("other is better than one by 0.01 LAS (0.01 to 0.01, ")


def test_it_says_what_of_the_loss_is_annotation():
    result = cg.evaluate("example:ud", {"one": "example:sud", "other": "example:ud-parse"})
    text = str(verdict_on(result))
    assert text.startswith("other scores 61.6 LAS higher than one (")  # and is not called better
    assert text.endswith(
        ", but 38.5 of the 38.5 points of UAS that one loses are annotation (it looks like sud)."
    )
    (share,) = verdict_on(result).to_json()["annotation"]
    assert share["system"] == "one"
    assert share["annotation"] == pytest.approx(share["lost"])


def test_a_single_system_has_no_verdict():
    assert verdict_on(cg.evaluate("example:ud", "example:ud-parse")) is None


def test_what_would_take_long_is_not_tested_without_being_asked(monkeypatch):
    monkeypatch.setattr("commonground.statistics.verdict._CHEAP", 10)
    one, other = drawn(6, 0.5, 0.9)
    said = verdict_on(evaluation(one=one, other=other))
    assert "not tested, --test shuffle tests it" in str(said)
    assert said.p is None
    assert said.undecided == ("one",)


# ── nothing is claimed that interval and test do not both support ────────────────────────────────


def test_no_star_where_the_interval_contains_0():
    """The example was starred with 2.74 [-1.05, 4.77], p = 0.042."""
    comparison = cg.compare(
        {
            "ud": ("example:ud", "example:ud-parse"),
            "ptb": ("example:ptb", "example:ptb-parse"),
        }
    )
    claims = comparison.test("shuffle")
    pair = claims.pairs["multiple_labelled", "shuffle"].pairs[0]
    around = claims.differences["multiple_labelled", pair.one, pair.other]
    assert around.low < 0 < around.high
    assert pair.claim.p <= 0.05
    assert not pair.different
    assert claims.worse_than("ptb", "multiple_labelled") == []
    assert len(set(claims.pairs["multiple_labelled", "shuffle"].letters)) == 1
    assert not verdict_of(claims, metric="multiple_labelled").worse
    assert markers(claims)


@pytest.mark.long
def test_equal_systems_are_called_different_in_5_of_100_cases_at_most():
    process = Process(7, sentences=150)
    claimed = 0
    for _ in range(200):
        pairing = process.pairing()
        said = verdict_on(evaluation(one=pairing.one, other=pairing.other))
        claimed += bool(said.worse)
        if said.worse:
            assert said.low * said.high > 0
            assert said.p <= 0.05
    assert claimed <= 18  # exceeded once in 200 times where the rate is 5 %


@pytest.mark.long
def test_the_difference_that_would_be_shown_is_found_in_about_four_of_five_cases():
    process = Process(8, sentences=150)
    pairing = process.pairing()
    promised = verdict_on(evaluation(one=pairing.one, other=pairing.other)).detectable
    lost = promised / 0.8  # of what is right, which is 0.8 of the words
    worse = Process(9, sentences=150, lost=lost)
    shown = sum(
        bool(verdict_on(evaluation(one=each.one, other=each.other)).worse)
        for each in (worse.pairing() for _ in range(40))
    )
    assert 24 <= shown <= 39


# ── everything begins with it ────────────────────────────────────────────────────────────────────

BETTER = "b is better than a by 5.2 LAS (4.0 to 6.5, p = 0.0001)."


@pytest.mark.parametrize(
    ("output_format", "line"),
    [
        ("text", BETTER),
        ("markdown", f"**{BETTER}**"),
        ("latex", f"% {BETTER}"),
    ],
)
def test_the_output_begins_with_it(output_format, line):
    done = run("evaluate", "example:ud", *PAIR, "--output-format", output_format)
    assert done.stdout.splitlines()[0] == line


def test_a_page_of_html_shows_it_before_the_table():
    page = run("evaluate", "example:ud", *PAIR, "--output-format", "html").stdout
    assert page.index(f"<p><strong>{BETTER}</strong></p>") < page.index("<table>")


def test_values_for_machines_are_left_alone():
    done = run("evaluate", "example:ud", *PAIR, "--output-format", "tsv")
    assert done.stdout.startswith("rank\t")


@pytest.mark.parametrize(
    "line",
    [
        ["evaluate", "example:ud", *PAIR],
        ["evaluate", "example:ud", *PAIR, "--test", "shuffle"],
        ["compare", *FRAMEWORKS],
    ],
)
def test_json_has_it_first_with_its_parts(line):
    data = json.loads(run(*line, "--output-format", "json").stdout)
    said = data["verdict"]
    text = run(*line).stdout
    assert text.splitlines()[0] == said["sentence"]
    assert {"metric", "systems", "scores", "worse", "undecided", "difference", "p"} <= said.keys()


def test_the_verb_test_begins_with_it(tmp_path):
    run("evaluate", "example:ud", *PAIR, "--output-format", "json", "-o", tmp_path / "both.json")
    done = run("test", tmp_path / "both.json", "--metrics", "las")
    assert done.stdout.startswith("b is better than a by 5.2 LAS (")


def test_nobody_is_tested_who_does_not_want_it():
    done = run("evaluate", "example:ud", *PAIR, "--test", "none")
    assert "whether it is better than a (94.81) is not tested" in done.stdout.splitlines()[0]


def test_notebooks_begin_with_it():
    result = cg.evaluate("example:ud", {"a": "example:ud-parse", "b": "example:ud"})
    assert result._repr_html_().startswith(f"<div><p><strong>{BETTER}</strong></p>")
    assert "b is better than a" in result.test("shuffle")._repr_html_()


@pytest.mark.long
def test_reports_begin_with_it(tmp_path):
    saved = tmp_path / "both.json"
    run("evaluate", "example:ud", *PAIR, "--output-format", "json", "-o", saved)
    run("report", saved, "-o", tmp_path / "page.html", "--quiet")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.index("b is better than a by 5.2 LAS (") < page.index("<table")

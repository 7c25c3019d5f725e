"""The scores of word alignments."""

import json

import pytest
from command import assert_refused, assert_silent_success, run, write
from hypothesis import given
from hypothesis import strategies as st

import commonground as cg
from commonground.evaluation.evaluate import evaluate

LINK = st.tuples(st.integers(0, 5), st.sampled_from("-p"), st.integers(0, 5))
LINES = st.lists(st.lists(LINK, max_size=6), min_size=1, max_size=4)
METRICS = ["aer", "alignment_precision", "alignment_recall", "alignment_f1"]


def corpus(lines):
    text = "".join(" ".join(f"{s}{kind}{t}" for s, kind, t in line) + "\n" for line in lines)
    return cg.read_text(text, "pharaoh")


def scores(gold, system):
    return evaluate(gold, system, metrics=METRICS).systems[0]


def naive(gold, system):
    """The definitions, with sets."""
    sure = {(n, s, t) for n, line in enumerate(gold) for s, kind, t in line if kind == "-"}
    possible = {(n, s, t) for n, line in enumerate(gold) for s, _, t in line}
    mine = {(n, s, t) for n, line in enumerate(system) for s, _, t in line}
    return len(sure), len(mine), len(mine & sure), len(mine & possible)


@given(LINES, LINES)
def test_the_scores_are_those_of_the_definitions(gold, system):
    system = (system + [[] for _ in gold])[: len(gold)]
    result = scores(corpus(gold), corpus(system))
    sure, mine, right, possible = naive(gold, system)
    totals = result["aer"].counts.totals
    assert (totals["gold"], totals["system"], totals["correct"], totals["possible"]) == (
        sure, mine, right, possible,
    )  # fmt: skip
    if sure + mine:
        assert float(result["aer"]) == pytest.approx(1 - (right + possible) / (mine + sure))
    if mine:
        assert float(result["alignment_precision"]) == pytest.approx(possible / mine)
    if sure:
        assert float(result["alignment_recall"]) == pytest.approx(right / sure)


@given(LINES)
def test_a_gold_standard_against_itself_has_no_error(lines):
    result = scores(corpus(lines), corpus(lines))
    for name, best in zip(METRICS, (0, 1, 1, 1), strict=True):
        assert result[name].value in (best, None)


def test_the_worked_example_of_the_explanation():
    result = scores(
        cg.read_text("0-0 1-1 1p2\n", "pharaoh"), cg.read_text("0-0 1-2 2-2\n", "pharaoh")
    )
    assert float(result["aer"]) == pytest.approx(0.4)
    assert float(result["alignment_precision"]) == pytest.approx(2 / 3)
    assert float(result["alignment_recall"]) == 0.5
    assert float(result["alignment_f1"]) == pytest.approx(4 / 7)


def test_places_of_nine_digits_do_not_run_over():
    text = "999999999-999999998\n" * 3
    assert float(scores(cg.read_text(text, "pharaoh"), cg.read_text(text, "pharaoh"))["aer"]) == 0


def test_alignments_are_evaluated_tested_and_saved_like_any_other_result(tmp_path):
    gold = write(tmp_path / "gold.align", "0-0 1-1 1p2\n0-0\n\n")
    one = write(tmp_path / "one.align", "0-0 1-2 2-2\n0-0 1-0\n\n")
    two = write(tmp_path / "two.align", "0-0\n0-1\n0-0\n")
    done = run("evaluate", gold, one, two, "--test", "shuffle", "--output-format", "json")
    assert_silent_success(done)
    data = json.loads(done.stdout)
    assert data["systems"][0]["metrics"]["aer"]["score"] == pytest.approx(1 - 5 / 8)
    assert data["tests"]
    saved = write(tmp_path / "result.json", done.stdout)
    assert "AER" in run("test", saved, "--test", "bootstrap", "--seed", "1").stdout


def test_an_error_rate_is_shown_in_per_cent_and_its_lowest_value_ranks_first(tmp_path):
    gold = write(tmp_path / "gold.align", "0-0 1-1 1p2\n")
    worse = write(tmp_path / "worse.align", "0-0 1-2 2-2\n")
    right = write(tmp_path / "right.align", "0-0 1-1\n")
    done = run("evaluate", gold, f"worse={worse}", f"right={right}", "--metrics", "aer")
    assert_silent_success(done)
    rows = [line.split() for line in done.stdout.splitlines()[4:6]]
    assert rows == [["1", "right", "0.00"], ["2", "worse", "40.00"]]
    refused = run("evaluate", gold, worse, "--metrics", "aer", "--fail-under", "aer=0.5")
    assert_refused(refused, "--fail-under aer: lower is better")


def test_other_numbers_of_pairs_are_refused(tmp_path):
    gold, mine = write(tmp_path / "a.align", "0-0\n1-1\n"), write(tmp_path / "b.align", "0-0\n")
    assert_refused(run("evaluate", gold, mine), "1 sentence, but the gold standard")

"""Partial trees: a missing head is not head 0, and not a head at all."""

import json

import numpy as np
import pytest
from command import assert_refused, run, write
from hypothesis import given
from hypothesis import strategies as st
from strategies import heads

import commonground as cg
from commonground.evaluation.evaluate import evaluate

ROW = "{}\tw{}\t_\t_\t_\t_\t{}\t{}\t_\t_\n"
METRICS = ["uas", "las", "la", "undirected", "ned", "uas_precision", "uas_recall", "coverage"]


def sentence(*heads):
    rows = (ROW.format(i, i, h, "_" if h == "_" else "x") for i, h in enumerate(heads, 1))
    return "".join(rows) + "\n"


GOLD, PART = sentence(2, 0, 4, 2), sentence(2, 0, "_", 3)


def scores(gold, parse, metrics=METRICS):
    return evaluate(gold, parse, metrics=metrics).systems[0]


def test_precision_is_over_the_heads_that_are_there_and_recall_over_all():
    result = scores(cg.read_text(GOLD), cg.read_text(PART, partial=True))
    assert float(result["uas_precision"]) == pytest.approx(2 / 3)
    assert float(result["uas_recall"]) == 0.5
    assert float(result["uas"]) == pytest.approx(4 / 7)
    assert float(result["coverage"]) == 0.75
    assert result["uas"].counts.totals["system"] == 3


@given(st.integers(1, 8).flatmap(heads), st.data())
def test_taking_heads_away_lowers_recall_and_never_makes_precision_wrong(tree, data):
    words = [f"w{place}" for place in range(len(tree))]
    gold = cg.Dependencies.of([(words, tree, ["x"] * len(tree))])
    gone = np.array([data.draw(st.booleans()) for _ in range(gold.words.rows)], np.bool_)
    part = gold.replace("words", head=np.where(gone, -1, gold.head).astype(np.int32))
    result = scores(gold, part)
    kept = int((~gone).sum())
    for name in ("uas", "las", "la", "undirected", "ned"):
        totals = result[name].counts.totals
        assert totals["system"] == totals["correct"] == kept
        assert totals["gold"] == gold.words.rows
    assert float(result["coverage"]) == pytest.approx(kept / gold.words.rows)


def test_the_command_shows_coverage_precision_and_recall(tmp_path):
    gold, part = write(tmp_path / "gold.conllu", GOLD), write(tmp_path / "part.conllu", PART)
    data = json.loads(run("evaluate", gold, part, "--partial", "--output-format", "json").stdout)
    metrics = data["systems"][0]["metrics"]
    assert list(metrics)[:3] == ["coverage", "uas_precision", "uas_recall"]
    assert metrics["uas_recall"]["score"] == 0.5
    assert_refused(run("evaluate", gold, part), "allow partial trees")


def test_tags_are_scored_whether_a_word_has_a_head_or_not():
    result = scores(cg.read_text(GOLD), cg.read_text(PART, partial=True), ["upos"])
    assert result["upos"].counts.totals["system"] == 4


def test_a_word_without_a_head_has_no_direction():
    part = cg.read_text(PART, partial=True)
    system = scores(cg.read_text(GOLD), part, ["upos"])
    buckets = {b.values[0]: b.counts["system"] for b in system.breakdown("upos", ["direction"])}
    assert buckets == {"left": 1, "root": 1, "right": 1, "none": 1}


def test_partial_trees_are_written_as_they_were_read():
    part = cg.read_text(PART, partial=True)
    assert cg.write_text(part, "conllu") == PART


def test_a_partial_tree_is_drawn_without_the_arc_that_is_not_there(tmp_path):
    path = write(tmp_path / "part.conllu", PART)
    shown = run("view", path, "--partial").stdout.partition("\n")[2]
    assert next(line for line in shown.splitlines() if "w3" in line).rstrip().endswith("← ?")
    assert run("view", path, "--partial", "--draw", "tikz").stdout.count("\\depedge") == 2


LOOKING = (
    ("info",), ("view",), ("structures",), ("schemes", "learn"), ("labels", "hub"),
)  # fmt: skip


@pytest.mark.parametrize("verb", LOOKING, ids=" ".join)
def test_who_only_looks_at_partial_trees_needs_no_leave(tmp_path, verb):
    whole = cg.read("example:ud")
    head = np.where(np.arange(whole.words.rows) % 9 == 4, -1, whole.head).astype(np.int32)
    cg.write(whole.replace("words", head=head), tmp_path / "part.conllu")
    done = run(*verb, tmp_path / "part.conllu")
    assert done.returncode == 0, done.stderr


def test_a_word_without_a_head_has_no_label_that_a_scheme_could_lack():
    part = cg.read_text(PART.replace("\tx\t", "\tdet\t"), partial=True)
    assert not cg.transform(part, "ud", "sud")[1].unknown

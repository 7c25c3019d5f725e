"""Scores on what stands in the training data, and on what does not."""

from __future__ import annotations

import json

import pytest
from command import assert_refused, run, write

from commonground import evaluate
from commonground.corpus import Dependencies
from commonground.metrics.settings import Settings
from commonground.metrics.training import TrainingData

TRAIN = Dependencies.of(
    [
        (["Birds", "sing"], [2, 0], ["nsubj", "root"]),
        (["Dogs", "bark"], [2, 0], ["nsubj", "root"]),
    ]
)
GOLD = Dependencies.of(
    [
        (["Birds", "sing"], [2, 0], ["nsubj", "root"]),
        (["Birds", "bark"], [2, 0], ["nsubj", "root"]),
        (["Cats", "sing"], [2, 0], ["nsubj", "root"]),
    ]
)
PARSE = Dependencies.of(
    [
        (["Birds", "sing"], [2, 0], ["nsubj", "root"]),
        (["Birds", "bark"], [0, 1], ["root", "dep"]),
        (["Cats", "sing"], [0, 1], ["root", "dep"]),
    ]
)
SEEN = Settings(training=TrainingData.of(TRAIN, "train"))


def buckets(by):
    result = evaluate(GOLD, PARSE, metrics=["uas"], settings=SEEN, by=by)
    return {b.values[0]: b.counts for b in result.breakdown(by)["parse"]}


def test_words_are_seen_by_their_forms():
    result = buckets("trained-word")
    assert (result["unseen"]["correct"], result["unseen"]["gold"]) == (0, 1)
    assert (result["seen"]["correct"], result["seen"]["gold"]) == (2, 5)


def test_arcs_are_seen_by_both_ends_on_each_side():
    result = buckets("trained-arc")
    # Gold: Birds←sing, sing, bark are seen; Birds←bark and Cats←sing are not. All of root is.
    assert (result["unseen"]["gold"], result["seen"]["gold"]) == (2, 4)
    assert (result["unseen"]["correct"], result["seen"]["correct"]) == (0, 2)
    assert result["unseen"]["system"] == 4


def test_scores_with_and_without_the_sentences_that_were_seen():
    result = buckets("trained-sentence")
    assert (result["seen"]["correct"], result["seen"]["gold"]) == (2, 2)
    assert (result["unseen"]["correct"], result["unseen"]["gold"]) == (0, 4)


def test_sentences_in_both_are_named_and_the_signature_knows_the_data():
    result = evaluate(GOLD, PARSE, metrics=["uas"], settings=SEEN)
    assert result.only.noted == {"in-training": ("1",)}
    assert "|training:train " in result.signature
    assert "|in-training:1" in result.signature
    assert "training" not in evaluate(GOLD, PARSE).signature


def test_the_command_tells_it_once_for_all_parses(tmp_path):
    line = ["evaluate", "example:ud", "a=example:ud-parse", "b=example:ud", "--metrics", "las"]
    done = run(*line, "--train", "example:ud", "--by", "upos", "--top", "1")
    assert done.returncode == 0
    assert done.stdout.count("the gold standard: sentences that are also in the training data") == 1
    assert "LAS by trained-word, F1\ntrained-word   gold" in done.stdout
    assert done.stderr.startswith("the gold standard: sentences that are also in the training data")
    saved = json.loads(run(*line, "--train", "example:ud", "--output-format", "json").stdout)
    assert [each["by"] for each in saved["breakdowns"][:1]] == [["trained-word"]]
    assert saved["request"]["options"]["train"] == "example:ud"
    write(tmp_path / "t.mrg", "(S (N x))\n")
    refused = run(*line, "--train", tmp_path / "t.mrg")
    assert_refused(refused, "t.mrg: training data must be dependencies, not constituents")


@pytest.mark.parametrize("heads", [[2, -1], [-1, -1]])
def test_an_unknown_head_is_an_arc_that_nobody_has_seen(heads):
    partial = Dependencies.of([(["Birds", "sing"], heads, ["nsubj", "root"])])
    assert TrainingData.of(TRAIN).arcs(partial).tolist() == [heads[0] == 2, False]

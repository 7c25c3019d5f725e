"""Convention or error: the laws of the parts, and the commands that tell them."""

from __future__ import annotations

import json

import numpy as np
import pytest

import commonground as cg
from command import assert_refused, assert_silent_success, run
from commonground.errors import InputError, UsageError
from commonground.schemes.learn import learn
from commonground.schemes.transform import transform

GOLD = cg.read("example:ud")[:30]


def with_errors(corpus, share, seed=1):
    """Hang some words on another word of their sentence, or on the root, at random."""
    random = np.random.default_rng(seed)
    lengths = np.repeat(corpus.words.lengths, corpus.words.lengths)
    other = random.integers(0, lengths + 1).astype(np.int32)
    chosen = random.random(len(other)) < share
    return corpus.replace("words", head=np.where(chosen, other, corpus.head).astype(np.int32))


def lost(found):
    return found.words - found.correct


@pytest.mark.parametrize("scheme", ["sud", "prague", "lth", "tut"])
def test_a_gold_standard_in_another_scheme_has_conventions_and_no_errors(scheme):
    found = cg.conventions(GOLD, transform(GOLD, "ud", scheme)[0])
    assert found.by_convention >= 0.95 * lost(found) > 0


def test_random_errors_are_errors():
    found = cg.conventions(GOLD, with_errors(GOLD, 0.2))
    assert found.errors >= 0.95 * lost(found) > 0


@pytest.mark.parametrize("scheme", ["sud", "lth"])
def test_both_at_once_are_what_was_put_in(scheme):
    moved = transform(GOLD, "ud", scheme)[0]
    wrong = with_errors(moved, 0.1)
    found = cg.conventions(GOLD, wrong)
    put_in = int((wrong.head != moved.head).sum())
    assert abs(found.errors - put_in) <= 0.05 * lost(found)


def test_the_laws_hold_on_a_real_treebank(shared):
    gold = cg.read(shared / "data/ewt/dev.conllu")[:40]
    moved = transform(gold, "ud", "sud")[0]
    wrong = with_errors(moved, 0.1)
    put_in = int((wrong.head != moved.head).sum())
    clean, both = cg.conventions(gold, moved), cg.conventions(gold, wrong)
    assert clean.by_convention >= 0.95 * lost(clean)
    assert abs(both.errors - put_in) <= 0.05 * lost(both)


def test_the_parts_add_up_to_what_was_lost():
    found = cg.conventions(GOLD, with_errors(transform(GOLD, "ud", "sud")[0], 0.1))
    assert sum(part.heads for part in found.parts) + found.errors == lost(found)


def test_a_treebank_against_itself_has_neither():
    found = cg.conventions(GOLD, GOLD)
    assert (found.parts, found.errors, found.correct) == ((), 0, found.words)


def test_labels_of_the_parse_are_no_matter():
    moved = transform(GOLD, "ud", "sud")[0]
    nameless = moved.replace("words", deprel=moved.deprel.map(lambda _: "x"))
    assert cg.conventions(GOLD, nameless).to_json() == cg.conventions(GOLD, moved).to_json()


def test_the_choices_of_a_scheme_are_read_off_its_heads():
    learned = learn(transform(GOLD, "ud", "lth")[0], GOLD)
    assert learned.nearest == "lth"
    ways = [learned.way(name) for name in ("adposition", "determiner", "coordination")]
    assert ways == ["function", "content", "chain-conjunction"]


def test_the_result_comes_back_from_json():
    found = cg.conventions(GOLD, transform(GOLD, "ud", "sud")[0])
    assert cg.Conventions.from_json(found.to_json()).to_json() == found.to_json()
    with pytest.raises(InputError, match="no result of the kind 'conventions'"):
        cg.Conventions.from_json({"parts": [{}]})


def test_other_words_and_other_trees_are_refused():
    with pytest.raises(UsageError, match="the same words"):
        cg.conventions(GOLD, GOLD[:3])
    with pytest.raises(UsageError, match="about dependencies"):
        cg.conventions(GOLD, "example:ptb")
    with pytest.raises(UsageError, match="same number of words"):
        learn(GOLD[:3], GOLD)


def test_the_command_tells_conventions_from_errors():
    done = run("evaluate", "example:ud", "example:sud", "--conventions", "--output-format", "json")
    assert_silent_success(done)
    found = json.loads(done.stdout)
    assert found["nearest"]["scheme"] == "sud"
    assert found["conventions"] + found["errors"] == found["words"] - found["correct"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--conventions", "--by", "upos"], "--by has no place with --conventions"),
        (["--gold-scheme", "ud"], "--gold-scheme goes with --conventions"),
        (["example:ud", "--conventions"], "--conventions is about one parse"),
    ],
)
def test_what_has_no_place_beside_conventions_is_refused(more, message):
    assert_refused(run("evaluate", "example:ud", "example:ud-parse", *more), message)


def test_the_command_reads_a_scheme_off_a_treebank():
    done = run(
        "schemes", "learn", "example:sud", "--against", "example:ud", "--output-format", "json"
    )
    assert_silent_success(done)
    assert json.loads(done.stdout)["choices"]["adposition"] == "function"

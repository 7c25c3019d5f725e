"""A parse in another scheme than its gold standard is noticed, and an ordinary parse is not."""

from __future__ import annotations

import json

import numpy as np
import pytest
from command import run

import commonground as cg
from commonground.errors import InputError
from commonground.evaluation.other_scheme import OtherScheme, other_scheme
from commonground.schemes.transform import transform

GOLD = cg.read("example:ud")
SUD = ["evaluate", "example:ud", "sud=example:sud"]


def with_errors(corpus, share, seed=0):
    """Return a corpus with some heads replaced by random words of the sentence."""
    random = np.random.default_rng(seed)
    lengths = np.repeat(corpus.words.lengths, corpus.words.lengths)
    chosen = random.random(len(lengths)) < share
    other = random.integers(0, lengths + 1)
    heads = np.where(chosen, other, corpus.head).astype(np.int32)
    return corpus.replace("words", head=heads)


def test_the_classic_mistake_is_told_on_standard_error_and_below_the_table():
    """It ranked the parser last, with nothing on standard error."""
    done = run(*SUD)
    (line,) = done.stderr.splitlines()
    assert "looks like sud, but the gold standard like ud" in line
    assert "38.5 are annotation and 0.0 errors" in line
    assert line in done.stdout


def test_the_verdict_has_it():
    first = run(*SUD, "ud=example:ud-parse").stdout.splitlines()[0]
    assert "38.5 of the 38.5 points of UAS that sud loses are annotation" in first


def test_json_has_it_and_a_saved_result_keeps_it(tmp_path):
    run(*SUD, "--output-format", "json", "-o", tmp_path / "result.json")
    system = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))["systems"][0]
    assert system["other_scheme"]["parse"] == "sud"
    saved = cg.read_result(tmp_path / "result.json")
    assert (
        saved.systems[0].other_scheme == cg.evaluate("example:ud", "example:sud").only.other_scheme
    )


def test_an_ordinary_parse_is_left_alone():
    done = run("evaluate", "example:ud", "example:ud-parse")
    assert done.stderr == ""
    assert "annotation" not in done.stdout


@pytest.mark.parametrize("share", [0.1, 0.3, 0.6])
def test_errors_are_no_other_scheme(share):
    assert other_scheme(GOLD, with_errors(GOLD, share)) is None


@pytest.mark.parametrize("name", ["right-branching", "left-branching", "random"])
def test_baselines_are_no_other_scheme(name):
    assert other_scheme(GOLD, cg.train(GOLD, name, gold_tags=True).parse(GOLD)) is None


@pytest.mark.parametrize("scheme", ["sud", "prague", "tiger", "stanford"])
def test_what_is_put_in_is_told_apart(scheme):
    own = transform(GOLD, "ud", scheme)[0]
    parse = with_errors(own, 0.15)
    told = other_scheme(GOLD, parse)
    assert told.parse == scheme
    put_in = int((own.head != parse.head).sum())
    assert abs(told.lost - told.annotation - put_in) <= 0.02 * told.lost


def test_it_is_noticed_whatever_the_scheme_of_the_gold_standard():
    told = other_scheme(cg.read("example:sud"), GOLD)
    assert (told.gold, told.parse) == ("sud", "ud")


def test_nothing_is_said_of_other_words_or_trees():
    assert other_scheme(GOLD, GOLD[:3]) is None
    assert other_scheme(cg.read("example:ptb"), cg.read("example:ptb-parse")) is None


def test_it_is_not_looked_for_where_nobody_wants_it():
    result = cg.evaluate("example:ud", "example:sud", check_scheme=False)
    assert result.only.other_scheme is None


@pytest.mark.parametrize("data", [{}, {"gold": 1}, 7])
def test_a_damaged_entry_is_refused(data):
    with pytest.raises(InputError, match="other scheme"):
        OtherScheme.from_json(data)


def test_numbers_that_do_not_fit_are_refused():
    data = {"gold": "ud", "parse": "sud", "sentences": 1, "words": 3, "lost": 2, "annotation": 3}
    with pytest.raises(InputError, match="do not fit"):
        OtherScheme.from_json(data)

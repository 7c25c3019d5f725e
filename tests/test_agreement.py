"""The agreement of analyses of the same words, and its verb."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command import assert_refused, assert_silent_success, run
from commonground.corpus import Dependencies
from commonground.errors import InputError, UsageError
from commonground.evaluation.agreement import DEFAULT, agreement, scheme_agreement
from commonground.formats import read, read_text, write
from commonground.metrics.settings import Settings
from commonground.report.views.agreement import grids as agreement_grids
from commonground.schemes.flips import flip
from strategies import heads as random_heads

WORDS = "I want to eat".split()
CONTENT = Dependencies.of([(WORDS, [2, 0, 4, 2], ["s", "r", "m", "x"])])
FUNCTION = Dependencies.of([(WORDS, [2, 0, 2, 3], ["s", "r", "x", "m"])])
CHAIN = Dependencies.of([(WORDS, [0, 1, 2, 3], ["r", "a", "b", "c"])])
FLAT = Dependencies.of([(WORDS, [0, 1, 1, 1], ["r", "a", "b", "c"])])


@st.composite
def two_analyses(draw):
    length = draw(st.integers(1, 8))
    labels = st.lists(st.sampled_from("ab"), min_size=length, max_size=length)
    return {
        name: Dependencies.of([(["w"] * length, draw(random_heads(length)), draw(labels))])
        for name in ("one", "two")
    }


def test_the_example_of_the_thesis():
    found = agreement({"content": CONTENT, "function": FUNCTION})
    for gold, other in (("content", "function"), ("function", "content")):
        values = [found.value(metric, gold, other) for metric in ("uas", "undirected", "ned")]
        assert values == [0.5, 0.75, 1]


@given(two_analyses())
def test_all_but_ned_are_the_same_in_both_directions(analyses):
    found = agreement(analyses)
    for metric in DEFAULT:
        assert found.symmetric(metric) or metric == "ned"


@given(two_analyses())
def test_each_measure_forgives_more_than_the_one_before(analyses):
    found = agreement(analyses)
    for pair in found.scores:
        las, uas, undirected, ned = (
            found.value(metric, *pair) for metric in ("las", "uas", "undirected", "ned")
        )
        if found.scores[pair]["uas"].empty:
            assert las is uas is undirected is ned is None
        else:
            assert las <= uas <= undirected <= ned
        assert found.value("tedeval", *pair) <= 1


def test_an_analysis_agrees_with_itself():
    found = agreement({"one": CONTENT, "same": CONTENT})
    assert all(found.value(metric, "one", "same") == 1 for metric in DEFAULT)


def test_ned_can_depend_on_the_direction():
    found = agreement({"chain": CHAIN, "flat": FLAT})
    assert found.value("ned", "chain", "flat") == 0.75
    assert found.value("ned", "flat", "chain") == 0.5
    assert not found.symmetric("ned")


def test_there_is_a_score_for_every_ordered_pair():
    found = agreement({"a": CONTENT, "b": CHAIN, "c": FLAT}, metrics=["uas", "ned"])
    assert list(found.scores) == [(a, b) for a in "abc" for b in "abc" if a != b]
    assert [metric.name for metric in found.metrics] == ["uas", "ned"]


def test_json_has_all_pairs_with_their_counts():
    data = json.loads(json.dumps(agreement({"a": CHAIN, "b": FLAT}).to_json()))
    assert data["analyses"] == ["a", "b"]
    assert "ned" not in data["symmetric"]
    assert "uas" in data["symmetric"]
    first = data["pairs"][0]
    assert (first["gold"], first["other"]) == ("a", "b")
    assert first["metrics"]["uas"]["counts"]["gold"] == 4


def test_two_analyses_are_one_table_and_more_are_a_matrix_per_metric():
    (one,) = agreement_grids(agreement({"a": CONTENT, "b": FUNCTION}))
    assert [row[0].value for row in one.rows] == ["a", "b"]
    grids = agreement_grids(
        agreement({"a": CONTENT, "b": CHAIN, "c": FLAT}, metrics=["uas", "ned"])
    )
    assert [grid.title for grid in grids] == ["UAS", "NED"]
    assert [cell.value for cell in grids[0].rows[0]] == ["a", None, 0, 0]
    assert grids[0].notes
    assert not grids[1].notes
    assert grids[1].signature


def test_less_than_two_analyses_and_other_trees_are_refused():
    with pytest.raises(UsageError, match="at least two"):
        agreement({"a": CONTENT})
    brackets = read_text("(S (NP (NN a)) (VP (VB b)))")
    with pytest.raises(UsageError, match="b holds constituents"):
        agreement({"a": CONTENT, "b": brackets})


def test_other_words_are_refused():
    other = Dependencies.of([(["He", *WORDS[1:]], [2, 0, 4, 2], ["s", "r", "m", "x"])])
    with pytest.raises(InputError, match="'He' as word 1"):
        agreement({"a": CONTENT, "b": other})


def test_schemes_of_one_treebank_are_compared():
    treebank = read("example:ud")
    found = scheme_agreement(treebank, ["ud", "sud"], metrics=["uas", "undirected", "ned"])
    uas, undirected, ned = (found.value(m, "ud", "sud") for m in ("uas", "undirected", "ned"))
    assert 0.4 < uas < undirected < ned < 1


def test_two_real_schemes_agree_about_half(shared):
    """UD and SUD of the same French sentences have 51 % of the heads in common."""
    folder = shared / "data" / "sequoia"
    files = {name: folder / f"{name}.conllu" for name in ("ud", "sud")}
    found = agreement(files, settings=Settings(punctuation="unicode"))
    assert found.value("uas", "ud", "sud") == pytest.approx(0.51, abs=0.001)
    assert found.value("ned", "ud", "sud") > 0.9


# ── the verb ─────────────────────────────────────────────────────────────────────────────────────


def test_the_verb_prints_a_row_per_direction(tmp_path):
    write(flip(read("example:ud"), "ud:infinitive")[0], tmp_path / "flipped.conllu")
    done = run("agreement", "ud=example:ud", f"flipped={tmp_path / 'flipped.conllu'}")
    assert_silent_success(done)
    assert done.stdout.count("100.00") == 2
    assert "ud              flipped" in done.stdout


@pytest.mark.parametrize("output_format", ["json", "tsv", "markdown", "latex", "html"])
def test_the_verb_has_all_output_formats(output_format):
    done = run("agreement", "a=example:ud", "b=example:ud-parse", "--metrics", "uas,ned",
               "--output-format", output_format)  # fmt: skip
    assert_silent_success(done)
    assert "NED" in done.stdout or '"ned"' in done.stdout


def test_the_verb_transforms_one_file_into_schemes():
    done = run("agreement", "example:ud", "--schemes", "ud,sud", "--output-format", "json")
    assert_silent_success(done)
    assert json.loads(done.stdout)["analyses"] == ["ud", "sud"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["example:ud"], "at least two analyses"),
        (["a=example:ud", "a=example:ud-parse"], "two analyses are called a"),
        (["a=example:ud", "b=example:ptb"], "b holds constituents"),
        (["example:ud", "example:ptb", "--schemes", "ud,sud"], "--schemes is about one file"),
        (["example:ptb", "--schemes", "ud,sud"], "holds constituents"),
        (["example:ud", "--schemes", "ud,nothing"], "there is no scheme 'nothing'"),
        (["a=example:ud", "b=example:ud", "--metrics", "nothing"], "there is no metric 'nothing'"),
        (["a=example:ud", "b=example:ud", "--from", "sud"], "--from is the scheme"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, message):
    assert_refused(run("agreement", *arguments), message)


def test_whoever_watches_hears_of_every_step():
    heard: list[int] = []
    scheme_agreement(read("example:ud"), ["ud", "sud"], metrics=["uas"], watch=heard.append)
    assert heard == [1, 1, 1, 1]

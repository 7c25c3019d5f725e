"""The agreement of analyses of the same words, and its verb."""

from __future__ import annotations

import json

import numpy as np
import pytest
from command import assert_refused, assert_silent_success, run
from hypothesis import given
from hypothesis import strategies as st
from strategies import heads as random_heads

from commonground.corpus import Dependencies
from commonground.errors import InputError, UsageError
from commonground.evaluation.agreement import (
    DEFAULT,
    Agreement,
    agreement,
    scheme_agreement,
)
from commonground.evaluation.alpha import alpha
from commonground.formats import read, read_text, write
from commonground.metrics.settings import Settings
from commonground.report.page.make import report_html
from commonground.report.views.agreement import grids as agreement_grids
from commonground.schemes.flips import flip

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
    result = agreement({"content": CONTENT, "function": FUNCTION})
    for gold, other in (("content", "function"), ("function", "content")):
        values = [result.value(metric, gold, other) for metric in ("uas", "undirected", "ned")]
        assert values == [0.5, 0.75, 1]


@given(two_analyses())
def test_all_but_ned_are_the_same_in_both_directions(analyses):
    result = agreement(analyses)
    for metric in DEFAULT:
        assert result.symmetric(metric) or metric == "ned"


@given(two_analyses())
def test_each_measure_forgives_more_than_the_one_before(analyses):
    result = agreement(analyses)
    for pair in result.scores:
        las, uas, undirected, ned = (
            result.value(metric, *pair) for metric in ("las", "uas", "undirected", "ned")
        )
        if result.scores[pair]["uas"].empty:
            assert las is uas is undirected is ned is None
        else:
            assert las <= uas <= undirected <= ned
        assert result.value("tedeval", *pair) <= 1


def test_an_analysis_agrees_with_itself():
    result = agreement({"one": CONTENT, "same": CONTENT})
    assert all(result.value(metric, "one", "same") == 1 for metric in DEFAULT)


def test_ned_can_depend_on_the_direction():
    result = agreement({"chain": CHAIN, "flat": FLAT})
    assert result.value("ned", "chain", "flat") == 0.75
    assert result.value("ned", "flat", "chain") == 0.5
    assert not result.symmetric("ned")


def test_there_is_a_score_for_every_ordered_pair():
    result = agreement({"a": CONTENT, "b": CHAIN, "c": FLAT}, metrics=["uas", "ned"])
    assert list(result.scores) == [(a, b) for a in "abc" for b in "abc" if a != b]
    assert [metric.name for metric in result.metrics] == ["uas", "ned"]


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
    with pytest.raises(UsageError, match="b has constituents"):
        agreement({"a": CONTENT, "b": brackets})


def test_other_words_are_refused():
    other = Dependencies.of([(["He", *WORDS[1:]], [2, 0, 4, 2], ["s", "r", "m", "x"])])
    with pytest.raises(InputError, match="'He' as word 1"):
        agreement({"a": CONTENT, "b": other})


def test_schemes_of_one_treebank_are_compared():
    treebank = read("example:ud")
    result = scheme_agreement(treebank, ["ud", "sud"], metrics=["uas", "undirected", "ned"])
    uas, undirected, ned = (result.value(m, "ud", "sud") for m in ("uas", "undirected", "ned"))
    assert 0.4 < uas < undirected < ned < 1


def test_two_real_schemes_agree_about_half(shared):
    """UD and SUD of the same French sentences have 51 % of the heads in common."""
    folder = shared / "data" / "sequoia"
    files = {name: folder / f"{name}.conllu" for name in ("ud", "sud")}
    result = agreement(files, settings=Settings(punctuation="unicode"))
    assert result.value("uas", "ud", "sud") == pytest.approx(0.51, abs=0.001)
    assert result.value("ned", "ud", "sud") > 0.9


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
        (["a=example:ud", "b=example:ptb"], "b has constituents"),
        (["example:ud", "example:ptb", "--schemes", "ud,sud"], "--schemes takes one file"),
        (["example:ptb", "--schemes", "ud,sud"], "has constituents"),
        (["example:ud", "--schemes", "ud,nothing"], "there is no scheme 'nothing'"),
        (["a=example:ud", "b=example:ud", "--metrics", "nothing"], "there is no metric 'nothing'"),
        (
            ["a=example:ud", "b=example:ud", "--from", "sud"],
            "--from has no effect without --schemes",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, message):
    assert_refused(run("agreement", *arguments), message)


def test_sentences_that_are_left_out_are_named_and_counted_for_each_pair():
    """Whether their words differ or only one of the analyses has them."""
    other = UD[1:].replace("words", form=UD[1:].form.map(lambda form: form.replace("knots", "k")))
    settings = Settings(on_mismatch="skip")
    result = agreement({"ud": UD, "other": other}, metrics=["uas"], settings=settings)
    assert result.left_out == {("ud", "other"): ("cg-01", "cg-07")}
    assert "skipped:2,1|" in result.signature
    assert Agreement.from_json(result.to_json()).left_out == result.left_out
    (grid,) = agreement_grids(result)
    assert [note.text for note in grid.notes] == ["ud, other: 2 sentences left out: cg-01, cg-07"]


def test_alpha_needs_the_same_sentences():
    """Two sentences whose bound has moved are not analyses of the same."""
    one = Dependencies.of([(["a"], [0], ["r"]), (["b", "c"], [0, 1], ["r", "s"])])
    two = Dependencies.of([(["a", "b"], [0, 1], ["r", "s"]), (["c"], [0], ["r"])])
    settings = Settings(on_mismatch="realign")
    with pytest.raises(UsageError, match="different bounds; --no-alpha leaves it out"):
        agreement({"one": one, "two": two}, settings=settings, alpha=True)
    assert agreement({"one": one, "two": two}, settings=settings).alphas == {}


def test_missing_sentences_cannot_count_as_wrong():
    """None of the analyses is a parse, and α knows no wrong ones."""
    with pytest.raises(UsageError, match="can be fail, skip or realign"):
        agreement({"one": UD, "two": UD[1:]}, settings=Settings(on_mismatch="zero"))


def test_whoever_watches_hears_of_every_step():
    heard: list[int] = []
    scheme_agreement(read("example:ud"), ["ud", "sud"], metrics=["uas"], watch=heard.append)
    assert heard == [1, 1, 1, 1]


# ── corrected for chance ─────────────────────────────────────────────────────────────────────────

UD, SUD, PARSE = (read(f"example:{name}") for name in ("ud", "sud", "ud-parse"))


def test_alpha_is_one_for_the_same_trees_and_about_zero_for_those_of_other_sentences():
    assert alpha([UD, UD]).value == 1
    shuffled = UD.take(np.random.default_rng(3).permutation(len(UD)))
    assert abs(alpha([UD, shuffled]).value) < 0.1


def test_alpha_is_the_same_in_both_directions():
    one, other = alpha([UD, PARSE]), alpha([PARSE, UD])
    assert one.value == other.value


def test_without_labels_less_is_observed_and_less_is_expected():
    labelled, bare = (alpha([UD, PARSE], labelled=each) for each in (True, False))
    assert bare.observed < labelled.observed
    assert bare.expected < labelled.expected


@given(two_analyses())
def test_one_sentence_is_never_above_chance(analyses):
    result = alpha(list(analyses.values()))
    assert result.value is None or result.value == 0


def test_alpha_of_three_analyses_is_of_all_pairs():
    pairs = [alpha([UD, PARSE]), alpha([UD, SUD]), alpha([PARSE, SUD])]
    together = alpha([UD, PARSE, SUD])
    assert together.observed == pytest.approx(sum(pair.observed for pair in pairs) / 3)


def test_sampled_pairs_come_near_to_all_pairs(monkeypatch):
    exact = alpha([UD, PARSE])
    monkeypatch.setattr("commonground.evaluation.alpha.EXACT", 2_000)
    sampled = alpha([UD, PARSE], seed=1)
    assert (sampled.pairs, sampled.observed) == (2_000, exact.observed)
    assert abs(sampled.expected - exact.expected) < 4 * sampled.error
    assert 0 < sampled.spread < 0.01
    assert alpha([UD, PARSE], seed=1) == sampled != alpha([UD, PARSE], seed=2)


def test_a_cycle_is_no_tree_and_other_sentences_are_refused():
    cyclic = Dependencies.of([(["a", "b"], [2, 1], ["x", "y"]), (["a"], [0], ["r"])])
    assert alpha([cyclic, cyclic]).sentences == 1
    assert alpha([CONTENT[:0], CONTENT[:0]]).value is None
    with pytest.raises(UsageError, match="two or more analyses"):
        alpha([UD, UD[:3]])


# ── where they differ ────────────────────────────────────────────────────────────────────────────


def test_differences_by_construction_say_what_was_turned():
    result = agreement({"ud": UD, "sud": SUD}, metrics=["uas"], by=["construction"])
    (differences,) = result.differences
    rows = {row.value: row for row in differences.rows}
    assert differences.heads == int((UD.head != SUD.head).sum())
    assert sum(row.words for row in differences.rows) == UD.words.rows
    assert rows["adposition"].share == rows["auxiliary"].share == 1
    assert rows["determiner"].heads == rows["–"].heads == 0
    assert rows["adposition"].examples[0] == ("cg-01", 7, "on")
    assert differences.rows[-1].value == "–"


def test_constructions_of_another_scheme_are_known_too():
    result = agreement({"sud": SUD, "ud": UD}, metrics=["uas"], by=["construction"])
    rows = {row.value: row for row in result.differences[0].rows}
    assert rows["adposition"].share == 1
    assert rows["–"].heads <= 5


def test_differences_by_a_label_are_those_of_the_first_analysis():
    result = agreement({"one": UD, "two": PARSE}, metrics=["uas"], by=["deprel"])
    rows = {row.value: row.words for row in result.differences[0].rows}
    assert rows == dict(UD.deprel.map(lambda label: label).counts())


def test_alphas_differences_and_confusions_come_back_from_json():
    result = agreement(
        {"one": UD, "two": PARSE}, metrics=["uas"], alpha=True, by=["upos"], confusion=True
    )
    assert Agreement.from_json(result.to_json()).to_json() == result.to_json()
    assert result.alphas["one", "two"][0] == alpha([UD, PARSE])
    confused = {(cell.gold, cell.system) for cell in result.confusions["one", "two"]}
    assert ("nmod", "obl") in confused


def test_a_page_shows_what_agreement_has_found(tmp_path):
    saved = tmp_path / "found.json"
    result = agreement({"one": UD, "two": PARSE}, metrics=["uas"], alpha=True, by=["upos"])
    saved.write_text(json.dumps(result.to_json()), encoding="utf-8")
    page = report_html([saved])
    for title in ("Agreement of one, two", "Corrected for chance", "Where two differs from one"):
        assert title in page


def test_the_command_shows_where_analyses_differ():
    done = run(
        *("agreement", "ud=example:ud", "parse=example:ud-parse", "--metrics", "uas"),
        *("--by", "construction", "--confusion", "--top", "1"),
    )
    assert_silent_success(done)
    assert "Corrected for chance" in done.stdout
    assert "Where parse differs from ud" in done.stdout
    assert "rarer pairs of labels" in done.stdout
    refused = run("agreement", "example:ud", "example:ud-parse", "--by", "nothing")
    assert_refused(refused, "cannot be broken down by 'nothing'")


def test_view_shows_only_what_differs():
    done = run("view", "example:ud-parse", "--against", "example:ud", "--differing", "--all")
    assert_silent_success(done)
    parse, gold = list(PARSE), list(UD)
    differing = [
        one.sent_id
        for one, other in zip(parse, gold, strict=True)
        if (list(one.head), one.deprel) != (list(other.head), other.deprel)
    ]
    shown = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("cg-")]
    assert shown == differing
    assert_refused(run("view", "example:ud", "--differing"), "has no effect without --against")
    refused = run("view", "example:ptb", "--against", "example:ptb-parse", "--differing")
    assert_refused(refused, "--differing needs dependencies")


def test_a_note_says_that_labels_of_other_inventories_are_compared_as_they_are():
    ud, sud, parse = (read(f"example:{name}") for name in ("ud", "sud", "ud-parse"))
    result = agreement({"ud": ud, "sud": sud}, metrics=["las", "tedeval"])
    assert result.inventories == ("sud", "ud")
    assert Agreement.from_json(result.to_json()).inventories == result.inventories
    note = "Labels of different inventories (sud, ud) are compared as they are."
    assert [each.text for each in agreement_grids(result)[0].notes] == [note]
    same = agreement({"ud": ud, "parse": parse}, metrics=["las"])
    assert not same.inventories
    assert not agreement_grids(same)[0].notes

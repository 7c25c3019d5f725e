"""Scores on the words that a pattern names, scores by the node that a word is, `convert --where`."""

from __future__ import annotations

import json

import numpy as np
import pytest
from command import assert_refused, run
from hypothesis import given
from hypothesis import strategies as st

import commonground as cg
from commonground.metrics.settings import Settings

GOLD, PARSE = cg.read("example:ud"), cg.read("example:ud-parse")
PATTERNS = [
    "deprel=obl",
    "V -[obj]-> N; N << V",
    "[upos=VERB] -[nsubj]-> N",
    "upos=NOUN; not { X -[det]-> * }",
]


def totals(parse, metric="las", **options):
    return cg.evaluate(GOLD, parse, metrics=[metric], settings=Settings(**options)).systems[0][
        metric
    ]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_treebank_against_itself_is_right_wherever_one_looks(pattern):
    score = totals(GOLD, where=pattern)
    assert score.value == 1
    assert 0 < score.counts.totals["gold"] < GOLD.words.rows


@given(st.sampled_from(PATTERNS), st.sampled_from(["uas", "las", "upos"]))
def test_only_the_words_that_the_pattern_names_in_the_gold_standard_count(pattern, metric):
    matches = cg.find(pattern, GOLD)
    rows = np.unique(np.concatenate(list(matches.rows.values())))
    same = {
        "uas": GOLD.head == PARSE.head,
        "las": (GOLD.head == PARSE.head) & (np.array([*GOLD.deprel]) == np.array([*PARSE.deprel])),
        "upos": np.array([*GOLD.upos]) == np.array([*PARSE.upos]),
    }[metric]
    counts = totals(PARSE, metric, where=pattern).counts.totals
    assert (counts["gold"], counts["correct"]) == (len(rows), np.count_nonzero(same[rows]))


def test_what_matches_and_what_does_not_are_the_whole():
    parts = [totals(PARSE, where=text).counts.totals for text in ("deprel=obl", "deprel!=obl")]
    whole = totals(PARSE).counts.totals
    assert {name: sum(part[name] for part in parts) for name in ("gold", "correct")} == {
        name: whole[name] for name in ("gold", "correct")
    }


def test_lengths_are_those_of_whole_sentences():
    short = totals(GOLD, where="deprel=root", shortest=9, longest=11).counts.totals["gold"]
    assert short == np.count_nonzero((GOLD.words.lengths >= 9) & (GOLD.words.lengths <= 11)) > 0


def test_words_that_only_the_parse_has_count_where_it_has_the_construction():
    gold = cg.read_text("1\tcannot\t_\tAUX\t_\t_\t0\troot\t_\t_\n\n", "conllu")
    parse = cg.read_text(
        "1-2\tcannot\t_\t_\t_\t_\t_\t_\t_\t_\n1\tcan\t_\tAUX\t_\t_\t0\troot\t_\t_\n"
        "2\tnot\t_\tPART\t_\t_\t1\tadvmod\t_\t_\n\n",
        "conllu",
    )
    for where, wrong in (("deprel=root", 1), ("deprel=root|advmod", 2)):
        settings = Settings(where=where, on_mismatch="realign")
        score = cg.evaluate(gold, parse, metrics=["las"], settings=settings).systems[0]["las"]
        assert (score.counts.totals["gold"], score.counts.totals["system"]) == (1, wrong)


@given(st.sampled_from(PATTERNS))
def test_buckets_by_a_pattern_add_up_and_have_both_sides(pattern):
    name = f"pattern:{pattern}"
    result = cg.evaluate(GOLD, PARSE, metrics=["las"], by=[name])
    buckets = next(iter(result.breakdown(name).values()))
    assert sum(bucket.counts["gold"] for bucket in buckets) == GOLD.words.rows
    assert sum(bucket.counts["system"] for bucket in buckets) == PARSE.words.rows
    assert (
        sum(bucket.counts["correct"] for bucket in buckets)
        == totals(PARSE).counts.totals["correct"]
    )
    named = sum(bucket.counts["gold"] for bucket in buckets if bucket.values != ("–",))
    assert named == totals(PARSE, where=pattern).counts.totals["gold"]


def test_the_command_tells_the_pattern_in_signature_and_request(tmp_path):
    done = run(
        *("evaluate", "example:ud", "example:ud-parse", "--metrics", "las"),
        *("--where", "pattern { V -[obj]-> N }", "--by", "upos,pattern:V -[obj]{1,2}-> N"),
        *("--output-format", "json"),
    )
    data = json.loads(done.stdout)
    assert data["request"]["options"]["where"] == "pattern { V -[obj]-> N }"
    assert "where:pattern { V -[obj]-> N }" in data["signature"]


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("* -[obj]-> *", "names no node"),
        ("V -[obj", "pattern, character 3"),
        ("deprel=none-such", "there is nothing left to score"),
    ],
)
def test_patterns_that_cannot_be_scored_are_refused(pattern, why):
    assert_refused(run("evaluate", "example:ud", "example:ud-parse", "--where", pattern), why)


def test_constituents_have_no_where():
    done = run("evaluate", "example:ptb", "example:ptb-parse", "--where", "label=NP")
    assert_refused(done, "only on dependencies")


@pytest.mark.parametrize(
    ("name", "pattern"), [("ud", "V -[nsubj:pass]-> S"), ("ptb", "label=SBAR")]
)
def test_convert_writes_the_sentences_that_match(tmp_path, name, pattern):
    source = cg.read(f"example:{name}")
    target = tmp_path / ("some.conllu" if name == "ud" else "some.mrg")
    run("convert", f"example:{name}", str(target), "--where", pattern)
    expected = source.take(cg.find(pattern, source).sentences)
    assert 0 < len(expected) < len(source)
    assert [[*s.column("form", "words")] for s in cg.read(target)] == [
        [*s.column("form", "words")] for s in expected
    ]

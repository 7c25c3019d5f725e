"""``commonground search``: matches marked and counted, whatever the pieces; requests of Grew."""

from __future__ import annotations

import json

import pytest
from command import assert_refused, run
from hypothesis import given
from hypothesis import strategies as st

import commonground as cg
from commonground.patterns.grew import from_grew
from commonground.patterns.occurrences import occurrences


def found(*arguments, **options):
    done = run("search", *arguments, "--output-format", "json", **options)
    assert not done.returncode, done.stderr
    return json.loads(done.stdout)


def test_matches_are_those_of_find():
    seen = found("example:ud", "V -[obj]-> N; N << V")
    assert seen["matches"] == len(cg.find("V -[obj]-> N; N << V", cg.read("example:ud"))) == 4
    assert seen["examples"][0]["words"] == {"V": "find", "N": "What"}


def test_counts_by_properties_add_up_to_all_matches():
    seen = found("example:ud", "V -[nsubj]-> N", "--by", "V.Tense,N.upos")
    assert seen["by"] == ["V.Tense", "N.upos"]
    assert sum(cluster["matches"] for cluster in seen["clusters"]) == seen["matches"] > 50
    assert {tuple(c["values"]) for c in seen["clusters"]} >= {("Past", "NOUN"), ("_", "PRON")}


def test_words_of_a_match_are_marked():
    done = run("search", "example:ptb", "label=PP", "--first", "1")
    assert "lighthouse [on Gull Island] for" in done.stdout


@given(st.integers(1, 63), st.integers(0, 3))
def test_neither_counts_nor_samples_depend_on_how_files_are_cut(cut, seed):
    example = cg.read("example:ud").numbered()
    whole = [("f", example)]
    pieces = [("f", example[:cut]), ("f", example[cut:])]
    options = {"by": ["N.lemma"], "sample": 5, "seed": seed}
    one, two = (occurrences(each, "V -[obl]-> N", **options) for each in (whole, pieces))
    assert (one.matches, one.clusters) == (two.matches, two.clusters)
    assert [e.sent_id for e in one.examples] == [e.sent_id for e in two.examples]


def test_another_seed_draws_another_sample():
    drawn = [found("example:ud", "upos=NOUN", "--sample", 5, "--seed", seed) for seed in (1, 2)]
    assert drawn[0]["examples"] != drawn[1]["examples"]
    assert len(drawn[0]["examples"]) == 5


def test_sentences_with_a_match_are_saved_with_marks(tmp_path):
    found("example:ud", "V -[xcomp]-> W", "--save-as", "x.conllu", cwd=tmp_path)
    saved = cg.read(tmp_path / "x.conllu")
    assert len(saved) == len(cg.find("V -[xcomp]-> W", cg.read("example:ud")).sentences)
    assert len(cg.find("misc.Match=W deprel=xcomp", saved)) == len(cg.find("misc.Match=W", saved))


REQUESTS = {
    "pattern { V [upos=VERB]; V -[obj]-> N; N << V }": "V: upos=VERB; V -[=obj]-> N; N << V",
    "pattern { e: V -[^punct|cc]-> N; N > V }": "V -[!=punct|cc]-> N; V < N",
    'request { N [Number=Sing, !Case, form="The"|"A"] }': "N: Number=Sing Case!=* form=The|A",
    "pattern { A -> B; A.lemma <> B.lemma } without { B -> C }": (
        "A -> B; A.lemma != B.lemma; not { B -> C }"
    ),
    "pattern { V [upos<>VERB] } % a remark": "V: upos!=VERB",
}


@pytest.mark.parametrize("request_text", REQUESTS)
def test_requests_of_grew_are_translated_and_can_be_searched_for(request_text):
    assert from_grew(request_text) == REQUESTS[request_text]
    cg.find(from_grew(request_text), cg.read("example:ud"))


def test_a_translated_request_is_shown(tmp_path):
    done = run("search", "example:ud", "pattern { V -[obj]-> N }", "--count")
    assert "the pattern is V -[=obj]-> N" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("upos=VERB",), "there is no file to search"),
        (("example:ud", "V -[obj]-> N", "--by", "lemma"), "write NODE.COLUMN, such as V.lemma"),
        (("example:ud", "pattern { V -[obj]-> N"), "'}' is missing"),
        (("example:ud", "pattern { } global { is_tree }"), "'global' has no counterpart"),
        (("example:ud", "pattern { V ??? N }"), "has no counterpart here"),
        (("example:ud", "deprel="), "pattern, character"),
    ],
)
def test_what_cannot_be_searched_for_is_refused(arguments, message):
    assert_refused(run("search", *arguments), message)

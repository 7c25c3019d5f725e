"""``commonground search``: matches marked and counted, whatever the pieces; requests of Grew."""

from __future__ import annotations

import json

import numpy as np
import pytest
from command import assert_refused, run
from hypothesis import given
from hypothesis import strategies as st

import commonground as cg
from commonground.patterns import files
from commonground.patterns.grew import from_grew
from commonground.patterns.occurrences import marked_matches, occurrences


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


@pytest.mark.long
@pytest.mark.parametrize("options", [("--first", "3"), ("--sample", "4", "--seed", "2")])
def test_any_number_of_jobs_writes_the_same_bytes(tmp_path, monkeypatch, options):
    monkeypatch.setattr(files, "SIZE", 5000)
    (tmp_path / "bank").mkdir()
    for name in ("a", "b"):
        cg.write(cg.read("example:ud"), tmp_path / "bank" / f"{name}.conllu")
    written = set()
    for jobs in (1, 2):
        asked = ("bank", "V -[obl]-> N", "--by", "V.Tense,N.id", "--save-as", "x.conllu", *options)
        seen = found(*asked, "--jobs", jobs, cwd=tmp_path)
        written.add((json.dumps(seen), (tmp_path / "x.conllu").read_bytes()))
    assert len(written) == 1
    assert len(seen["examples"]) == int(options[1])
    assert seen["sentences"]["all"] == 128


def test_a_sample_is_drawn_from_all_files_alike():
    example = cg.read("example:ud").numbered()
    drawn = [
        occurrences([("a", example), ("b", example)], "upos=NOUN", sample=40, seed=seed)
        for seed in range(20)
    ]
    share = np.mean([each.path == "a" for seen in drawn for each in seen.examples])
    assert 0.43 < share < 0.57
    assert all(
        len({(e.path, e.sent_id, e.nodes["X"]) for e in seen.examples}) == 40 for seen in drawn
    )


def test_a_word_is_marked_with_all_its_nodes_and_keeps_its_entries():
    birds = cg.read_text(
        "1\tBirds\t_\t_\t_\t_\t2\tnsubj\t_\tA=1\n2\tsing\t_\t_\t_\t_\t0\troot\t_\t_\n"
    )
    marked = marked_matches(birds, "V -> N or N: deprel=root; V << N")
    assert marked.words.strings("misc").tolist() == ["A=1|Match=N,V", "Match=N,V"]
    assert len(marked_matches(birds, "form=none")) == 0


def test_with_of_grew_counts_a_match_once():
    plain = found("example:ud", "pattern { V [upos=VERB]; V -> N }")
    with_any = found("example:ud", "pattern { V [upos=VERB] } with { V -> N }")
    alone = found("example:ud", "pattern { V [upos=VERB] } without { V -> N }")
    verbs = found("example:ud", "upos=VERB")
    assert with_any["matches"] + alone["matches"] == verbs["matches"] < plain["matches"]


def test_the_words_of_a_match_stand_out_in_pages_and_pictures(tmp_path):
    pattern = "V -[obj]-> N; N << V"
    page, picture = tmp_path / "a.html", tmp_path / "a.svg"
    assert run("search", "example:ud", pattern, "-o", page).returncode == 0
    assert "<mark>[What]</mark> did your captain hope to <mark>[find]</mark>" in page.read_text()
    assert (
        run("view", "example:ud", "--where", pattern, "--first", 1, "-o", picture).returncode == 0
    )
    text = picture.read_text()
    assert 'class="extra">[What]<' in text
    assert "[captain]" not in text


def test_a_saved_search_is_reported_and_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    for by, shown in (("N.upos", "matches"), ("V.Tense,N.upos", "V.Tense")):
        saved, drawn = tmp_path / "a.json", tmp_path / "a.svg"
        assert run("search", "example:ud", "V -[obj]-> N", "--by", by, "-o", saved).returncode == 0
        assert isinstance(cg.read_result(saved), cg.SearchResult)
        assert run("plot", saved, "-o", drawn).returncode == 0
        assert shown in drawn.read_text()
        assert run("report", saved, "-o", tmp_path / "a.html").returncode == 0
        assert "<mark>" in (tmp_path / "a.html").read_text()
    assert run("search", "example:ud", "V -[obj]-> N", "-o", saved).returncode == 0
    assert_refused(run("plot", saved, "-o", drawn), "search again with --by N.lemma")

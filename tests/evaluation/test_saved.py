"""Saved results: what JSON says can be read back, and what is broken is told."""

from __future__ import annotations

import gzip
import hashlib
import json
import shlex

import numpy as np
import pytest
from command import assert_refused, assert_silent_success, run, run_line, write
from hypothesis import given
from hypothesis import strategies as st

import commonground
from commonground.corpus import Strings
from commonground.errors import InputError
from commonground.evaluation.saved import read_result
from commonground.metrics.sentences import Headings, SentencesInParts
from commonground.metrics.settings import Settings

WORD = "1\t{}\t_\t_\t_\t_\t0\t{}\t_\t_\n\n"
SPECS = ["ud=example:ud:example:ud-parse", "ptb=example:ptb:example:ptb-parse"]
PAIRS = {"ud": ("example:ud", "example:ud-parse"), "ptb": ("example:ptb", "example:ptb-parse")}


def saved(path, *arguments, cwd=None, stdin=b""):
    """Let the command save a result, and read it back."""
    done = run(*arguments, "--output-format", "json", "-o", path, cwd=cwd, stdin=stdin)
    assert_silent_success(done)
    return read_result(path)


@pytest.fixture
def result(tmp_path):
    return saved(
        tmp_path / "r.json", "evaluate", "example:ud", "a=example:ud-parse", "b=example:ud"
    )


# ── there and back ───────────────────────────────────────────────────────────────────────────────


def test_scores_come_back_with_their_counts(result):
    parses = {"a": "example:ud-parse", "b": "example:ud"}
    whole = commonground.evaluate("example:ud", parses)
    assert result.signature == whole.signature
    for system in whole.systems:
        read = result.system(system.name)
        assert read.scores.keys() == system.scores.keys()
        for name, score in system.scores.items():
            assert read[name].value == score.value
            assert read[name].metric is score.metric
            assert all(
                map(np.array_equal, *(s.counts.columns.values() for s in (read[name], score)))
            )
            assert np.array_equal(read[name].right, score.right)


@pytest.mark.parametrize("verb", ["evaluate", "compare"])
def test_a_saved_result_is_a_result_as_the_one_that_was_saved(tmp_path, verb):
    given = ["example:ud", "a=example:ud-parse", "b=example:ud"] if verb == "evaluate" else SPECS
    read = saved(tmp_path / "r.json", verb, *given)
    whole = (
        commonground.evaluate("example:ud", {"a": "example:ud-parse", "b": "example:ud"})
        if verb == "evaluate"
        else commonground.compare(PAIRS)
    )
    assert type(read) is type(whole)
    assert read.to_json() == whole.to_json()
    assert read.grids() == whole.grids()
    assert read.records() == whole.records()
    assert read._repr_html_() == whole._repr_html_()
    claims, again = (each.test("sign").to_json() for each in (read, whole))
    assert claims["pairs"] == again["pairs"]


def test_sentences_and_documents_come_back(result):
    gold = commonground.read("example:ud")
    for system in result.systems:
        assert system.sentences.ids == tuple(gold.sent_id)
        assert len(set(system.sentences.documents)) > 1


@pytest.mark.parametrize("parse", ["example:ptb-parse", "example:ptb"])
def test_constituents_come_back(parse, tmp_path):
    result = saved(tmp_path / "r.json", "evaluate", "example:ptb", parse, "--metrics", "all")
    whole = commonground.evaluate("example:ptb", parse, metrics=["all"])
    [system] = result.systems
    assert {n: s.value for n, s in system.scores.items()} == {
        n: s.value for n, s in whole.systems[0].scores.items()
    }


def test_a_comparison_comes_back(tmp_path):
    result = saved(tmp_path / "r.json", "compare", *SPECS)
    whole = commonground.compare(PAIRS)
    for system, read in zip(whole.systems, result.scored(), strict=True):
        for way, scores in (("single", system.single), ("multiple", system.multiple)):
            assert read[f"{way}_labelled"].value == scores.labelled.value
            assert read[f"{way}_unlabelled"].value == scores.unlabelled.value
        assert read.sentences == whole.sentences


def test_the_protocol_of_2011_comes_back(tmp_path):
    result = saved(tmp_path / "r.json", "compare", *SPECS, "--protocol", "2011")
    data = json.loads((tmp_path / "r.json").read_text())
    value = data["systems"][0]["multiple"]["labelled"]
    assert result.systems[0].multiple.labelled.value == value


def test_the_api_saves_what_the_command_saves(result, tmp_path):
    parses = {"a": "example:ud-parse", "b": "example:ud"}
    commonground.write_result(commonground.evaluate("example:ud", parses), tmp_path / "api.json")
    command, whole = (json.loads((tmp_path / f"{n}.json").read_text()) for n in ("r", "api"))
    assert whole.items() <= command.items()
    assert command.keys() - whole.keys() == {"command", "request"}


def test_files_of_a_folder_are_saved_together(tmp_path):
    for side, labels in (("gold", ["x", "y"]), ("sys", ["x", "x"])):
        (tmp_path / side).mkdir()
        for name in ("one", "two"):
            text = "".join(WORD.format("w", label) for label in labels)
            write(tmp_path / side / f"{name}.conllu", text)
    result = saved(tmp_path / "r.json", "evaluate", "gold", "sys", "--metrics", "la", cwd=tmp_path)
    [system] = result.systems
    assert system.sentences.ids == ("one:1", "one:2", "two:1", "two:2")
    assert system.sentences.documents == ("one", "one", "two", "two")
    assert system["la"].counts.columns["correct"].tolist() == [1, 0, 1, 0]
    assert system["la"].right.tolist() == [True, False, True, False]
    data = json.loads((tmp_path / "r.json").read_text())
    assert "by_sentence" not in data["systems"][0]["pairs"][0]["metrics"]["la"]
    assert sorted(result.request.inputs) == [
        f"{side}/{name}.conllu" for side in ("gold", "sys") for name in ("one", "two")
    ]


def test_a_skipped_sentence_does_not_rename_the_others(tmp_path):
    gold = write(tmp_path / "g.conllu", "".join(WORD.format(w, "x") for w in "abc"))
    parse = write(tmp_path / "p.conllu", "".join(WORD.format(w, "x") for w in "aXc"))
    result = saved(tmp_path / "r.json", "evaluate", gold, parse, "--on-mismatch", "skip")
    [system] = result.systems
    assert system.sentences.ids == ("1", "3")
    assert system.skipped == ("2",)


def test_what_evalb_skips_keeps_its_place(tmp_path):
    gold = write(tmp_path / "g.mrg", "(S (A a))\n(S (A b) (A c))\n")
    parse = write(tmp_path / "p.mrg", "(S (A a))\n(S (A b))\n")
    result = saved(tmp_path / "r.json", "evaluate", gold, parse, "--preset", "evalb-new")
    [system] = result.systems
    assert system.sentences.ids == ("1", "2")
    assert system.skipped == ("2",)
    assert system["parseval_f1"].counts.columns["gold"].tolist() == [1, 0]


def test_items_are_there_only_where_both_sides_have_the_same(tmp_path):
    line = ["evaluate", "example:ptb", "example:ptb-parse", "--metrics", "all"]
    [system] = saved(tmp_path / "r.json", *line).systems
    assert system["tagging"].right is not None
    assert system["parseval_f1"].right is None


def test_a_compressed_result_is_read(tmp_path, result):
    packed = tmp_path / "r.json.gz"
    packed.write_bytes(gzip.compress((tmp_path / "r.json").read_bytes()))
    assert read_result(packed).to_json() == result.to_json()


# ── the request ──────────────────────────────────────────────────────────────────────────────────


def test_the_command_makes_the_same_result_again(tmp_path):
    write(tmp_path / "my gold.conllu", WORD.format("a", "x"))
    write(tmp_path / "labels", "x = y\n")
    line = ["evaluate", "my gold.conllu", "it's=my gold.conllu", "--metrics", "la", "--metrics"]
    line += ["uas", "--no-subtypes", "--equivalent-labels", "labels", "--jobs", "2", "--quiet"]
    one = run(*line, "--output-format", "json", cwd=tmp_path)
    assert_silent_success(one)
    data = json.loads(one.stdout)
    shown = shlex.join([*line[:-3], "--output-format", "json"])
    assert data["command"] == f"commonground {shown}"
    again = run_line(data["command"], tmp_path)
    assert again.stdout == one.stdout
    assert data["request"] == {
        "verb": "evaluate",
        "gold": "my gold.conllu",
        "parses": {"it's": "my gold.conllu"},
        "options": {
            "metrics": ["la", "uas"],
            "subtypes": False,
            "equivalent-labels": "labels",
            "output-format": "json",
        },
        "inputs": {
            name: hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()
            for name in ("my gold.conllu", "labels")
        },
    }


def test_the_command_of_a_comparison_makes_it_again(tmp_path):
    one = run("compare", *SPECS, "--functions", "SBJ,LOC", "--output-format", "json")
    data = json.loads(one.stdout)
    assert run_line(data["command"], tmp_path).stdout == one.stdout
    assert data["request"]["systems"]["ud"] == ["example:ud", "example:ud-parse"]
    assert len(data["request"]["inputs"]) == 4


def test_standard_input_has_no_digest(tmp_path):
    gold = write(tmp_path / "g.conllu", WORD.format("a", "x"))
    result = saved(tmp_path / "r.json", "evaluate", gold, "-", stdin=gold.read_bytes())
    assert list(result.request.inputs) == [str(gold)]


def test_lists_stand_on_one_line(tmp_path, result):
    text = (tmp_path / "r.json").read_text()
    assert len([line for line in text.splitlines() if '"correct": [' in line]) == 10
    assert max(map(len, text.splitlines()[:20])) < 600


# ── what is broken ───────────────────────────────────────────────────────────────────────────────


def broken(tmp_path, result, change):
    """Save a result after a change to its data."""
    del result
    data = json.loads((tmp_path / "r.json").read_text())
    change(data)
    return write(tmp_path / "broken.json", json.dumps(data))


def las(data):
    return data["systems"][0]["metrics"]["las"]


def renamed(score, count):
    """Give a count another name, in the sums and by sentence."""
    for counts in (score["counts"], score["by_sentence"]):
        counts["x"] = counts.pop(count)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("systems"), "not a whole result: .* missing required field `systems`"),
        (lambda d: d.pop("kind") and d.pop("systems"), "not a saved result, which names its kind"),
        (lambda d: d.update(kind="x"), "there is no kind of result 'x'"),
        (lambda d: d.update(systems=[]), "systems: Expected `array` of length >= 1"),
        (lambda d: d.update(systems=[1]), r"systems\[0\]: Expected `object`, got `int`"),
        (lambda d: d.update(signature=3), "signature: Expected `str`, got `int`"),
        (lambda d: d["systems"][0].pop("sentences"), "this result has no counts per sentence"),
        (lambda d: las(d).pop("by_sentence"), "this result has no counts per sentence"),
        (lambda d: d["systems"][0].update(documents=["x"]), "64 sentences, but 1 documents"),
        (
            lambda d: d["systems"][0].update(sentences=[1]),
            r"systems\[0\].sentences\[0\]: Expected `str`",
        ),
        (lambda d: d["systems"][1].update(name="a"), "two systems have the same name"),
        (
            lambda d: d["systems"][0].update(metrics={}),
            r"systems\[0\].metrics: Expected `object` of length >= 1",
        ),
        (lambda d: d["systems"][0]["metrics"].update(x=las(d)), "there is no metric 'x'"),
        (lambda d: d["systems"][0]["metrics"].update(x={}), "missing required field `counts`"),
        (lambda d: las(d)["by_sentence"].update(gold=[1]), "does not have one entry per sentence"),
        (lambda d: las(d)["by_sentence"].update(gold=[-1]), "Expected `int` >= 0"),
        (lambda d: las(d)["by_sentence"].update(gold=[True] * 64), "Expected `int`, got `bool`"),
        (
            lambda d: las(d)["by_sentence"].update(gold=[10**30]),
            "Expected `int` <= 9007199254740991",
        ),
        (lambda d: las(d)["by_sentence"].update(gold=[1] * 64), "do not add up to its counts"),
        (lambda d: renamed(las(d), "correct"), "las has no counts 'correct'"),
        (lambda d: renamed(las(d), "gold"), "las has no counts 'gold'"),
        (lambda d: las(d).update(items="!"), "its items are not one bit each"),
        (lambda d: las(d).update(items=5), "items: Expected `str . null`, got `int`"),
        (lambda d: las(d).update(items="A" * 139 + "="), "do not agree with its counts"),
        (lambda d: d.update(request=[]), "request: Expected `object`, got `array`"),
    ],
)
def test_what_is_wrong_in_a_result_is_told(change, message, tmp_path, result):
    path = broken(tmp_path, result, change)
    with pytest.raises(InputError, match=message) as caught:
        read_result(path)
    assert caught.value.path == str(path)


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b'{\n"systems": [\n}', 3, "not JSON: expecting value"),
        (b"", 1, "not a saved result; .*--output-format json"),
        (b"# sent_id = 1\n1\ta\t_\n", 1, "not a saved result"),
        (b'{"a":\n\xff}', 2, "not UTF-8"),
        (b"[" * 100_000, 0, "this JSON is not a result"),
        (b'{"a": ' + b"1" * 10_000 + b"}", 0, "this JSON is not a result"),
        (b"[]", 0, "it is not a JSON object"),
    ],
)
def test_broken_json_is_told_with_its_line(content, line, message, tmp_path):
    path = tmp_path / "r.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        read_result(path)
    assert caught.value.line == line


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
KEYS = st.sampled_from(
    "systems name metrics las by_sentence counts correct gold items sentences tests".split()
)
SHAPED = st.recursive(
    JSON, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner), max_leaves=20
)


@given(SHAPED)
def test_any_json_is_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("saved") / "r.json"
    path.write_text(json.dumps({"systems": data}))
    with pytest.raises(InputError):
        read_result(path)


@given(st.binary())
def test_any_bytes_are_refused(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("saved") / "r.json"
    path.write_bytes(data)
    with pytest.raises(InputError):
        read_result(path)


def test_files_without_documents_are_documents_themselves():
    one, two = headings(("1", "")), headings(("1", "x"), ("2", "y"), ("3", ""))
    sentences_in_parts = SentencesInParts([("f", [one]), ("g", [two, headings(("4", ""))])])
    assert sentences_in_parts.ids == ("f:1", "g:1", "g:2", "g:3", "g:4")
    assert sentences_in_parts.documents == ("f", "g:x", "g:y", "g:y", "g:y")


def headings(*sentences):
    """Return the headings of sentences, given the id of each, and the document that it opens."""
    ids, opened = (Strings.of(each) for each in zip(*sentences, strict=True))
    paths = Strings.constant("file", len(ids))
    return Headings(opened, paths, ids, np.ones(len(ids), np.bool_))


def test_nothing_is_known_about_sentences_that_nobody_asked_for():
    pairs = commonground.find_pairs("example:ud", {"a": "example:ud-parse"})
    outcome = commonground.evaluate_files(pairs, settings=Settings())
    assert outcome.systems[0].sentences is None
    assert "by_sentence" not in outcome.to_json()["systems"][0]["metrics"]["las"]


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_result(tmp_path / "no.json")
    assert_refused(run("evaluate", "example:ud", tmp_path / "no"), "cannot be read")


# ── every kind of result, from its JSON ──────────────────────────────────────────────────────────


def test_a_comparison_is_the_same_when_it_is_read_back():
    files = {"ud": ("example:ud", "example:ud-parse"), "again": ("example:ud", "example:ud")}
    result = commonground.compare(files)
    data = json.loads(json.dumps(result.to_json()))
    again = commonground.CompareResult.from_json(data)
    assert again.to_json() == result.to_json()
    assert [repr(system) for system in again.tested()] == [repr(s) for s in result.tested()]


def test_an_agreement_is_the_same_when_it_is_read_back():
    result = commonground.agreement({"gold": "example:ud", "parse": "example:ud-parse"})
    again = commonground.Agreement.from_json(json.loads(json.dumps(result.to_json())))
    assert again.to_json() == result.to_json()


@pytest.mark.parametrize("change", [{"pairs": []}, {"pairs": [1]}, {"analyses": 1}])
def test_a_damaged_agreement_is_refused_with_its_file(change):
    data = commonground.agreement({"gold": "example:ud", "parse": "example:ud-parse"}).to_json()
    with pytest.raises(InputError, match=r"^a\.json: (pairs|analyses)(\[0\])?: Expected "):
        commonground.Agreement.from_json({**data, **change}, "a.json")


@pytest.mark.parametrize("change", [{"overlap": 1}, {"labels": {"x": {}}}])
def test_a_damaged_comparison_is_refused_with_its_file(change):
    files = {"ud": ("example:ud", "example:ud-parse"), "again": ("example:ud", "example:ud")}
    data = commonground.compare(files).to_json()
    with pytest.raises(InputError, match=r"^c\.json: (overlap|labels\[\.\.\.\]): "):
        commonground.CompareResult.from_json({**data, **change}, "c.json")

"""Files of version 0.1.0 are read as documents of today."""

from __future__ import annotations

import contextlib
import copy
import json

import pytest
from command import assert_silent_success, run, write

import commonground as cg
from commonground.errors import InputError
from commonground.evaluation.earlier_files import upgraded
from commonground.evaluation.saved import result_of
from commonground.report.page.make import report_html

SIGNATURE = "commonground:0.1.0|preset:none|on-mismatch:fail|skipped:0,0"
TESTED = (
    "test:shuffle,sign|iterations:20|seed:3|confidence:0.9|alternative:two-sided|correction:holm"
    "|units:sentences|interval:bca|intervals:yes|power:no"
)


def score(*correct):
    """Return the score of three sentences of 2, 3 and 2 words, as JSON had it."""
    columns = {"correct": list(correct), "gold": [2, 3, 2], "system": [2, 3, 2]}
    sums = {name: sum(column) for name, column in columns.items()}
    return {"score": sums["correct"] / 7, "counts": sums, "by_sentence": columns}


def claim(test, **more):
    """Return the test of the two systems, as JSON had it."""
    outcomes = {"wins": 2, "ties": 1, "losses": 0, "dominance": 0.6, "d_z": 1.1}
    return {
        "metric": "las",
        "systems": ["b", "a"],
        "test": test,
        "difference": 2 / 7,
        "p": 0.5,
        "alternative": "two-sided",
        "units": 3,
        "unit": "sentence",
        "iterations": 4,
        "exact": True,
        "corrected_p": 0.5,
        "different": False,
        "outcomes": {**outcomes, "rank_biserial": 1.0},
        "correction": "holm",
        "alpha": 0.1,
        **more,
    }


AROUND = {"interval": [0.1, 0.4], "interval_method": "bca", "confidence": 0.9}
INTERVAL = {
    "system": "a",
    "metric": "las",
    "value": 5 / 7,
    "low": 0.6,
    "high": 0.9,
    "confidence": 0.9,
    "method": "bca",
    "units": 3,
    "unit": "sentence",
    "iterations": 20,
    "seed": 3,
}
EVALUATED = {
    "command": "commonground evaluate g.conllu a=p.conllu b=g.conllu --output-format json",
    "request": {"verb": "evaluate", "gold": "g.conllu", "parses": {"a": "p", "b": "g"}},
    "signature": SIGNATURE,
    "systems": [
        {"name": "a", "metrics": {"las": score(2, 2, 1)}, "sentences": ["1", "2", "3"]},
        {"name": "b", "metrics": {"las": score(2, 3, 2)}, "sentences": ["1", "2", "3"]},
    ],
    "tests": [],
}
WITH_TESTS = {
    **EVALUATED,
    "kind": "evaluation",
    "signature": f"{SIGNATURE}|{TESTED}",
    "tests": [claim("shuffling", **AROUND), claim("sign", **AROUND)],
    "groups": [
        {"metric": "las", "test": test, "letters": {"b": "a", "a": "a"}}
        for test in ("shuffling", "sign")
    ],
    "intervals": [INTERVAL, {**INTERVAL, "system": "b", "value": 1.0}],
}
OF_TEST = {
    **WITH_TESTS,
    "request": {"verb": "test", "results": {"r.json": "r.json"}},
    "systems": [
        {
            "name": system["name"],
            "metrics": {
                "las": {k: v for k, v in system["metrics"]["las"].items() if k != "by_sentence"}
            },
        }
        for system in EVALUATED["systems"]
    ],
}
RUN = {"runs": 10, "sd": 0.5, "standard_error": 0.2, "confidence": 0.95}
OF_RUNS = {
    "command": "commonground test nl=69.21:0.58:10 it=66.44:0.29:10 --runs --output-format json",
    "request": {"verb": "test", "runs": {"nl": "69.21:0.58:10", "it": "66.44:0.29:10"}},
    "metrics": [
        {
            "metric": "score",
            "signature": "commonground:0.1.0|test:welch",
            "systems": [
                {"name": "nl", "mean": 69.2, "interval": [68.8, 69.6], "letters": "a", **RUN},
                {"name": "it", "mean": 66.4, "interval": [66.2, 66.7], "letters": "b", **RUN},
            ],
        }
    ],
    "tests": [
        {
            "metric": "score",
            "systems": ["nl", "it"],
            "test": "welch-t",
            "difference": 2.8,
            "p": 4e-09,
            "alternative": "two-sided",
            "units": 20,
            "unit": "run",
            "iterations": 0,
            "statistic": 13.5,
            "interval": [2.3, 3.2],
            "confidence": 0.95,
            "method": "t with 13.24 degrees of freedom",
            "corrected_p": 4e-09,
            "different": True,
            "correction": "holm",
            "alpha": 0.05,
        }
    ],
}
FILES = {"evaluated": EVALUATED, "with tests": WITH_TESTS, "of test": OF_TEST, "of runs": OF_RUNS}


def read(tmp_path, data):
    """Read data as the file of a result."""
    return cg.read_result(write(tmp_path / "r.json", json.dumps(data)))


def test_an_evaluation_is_one_although_it_does_not_say_so(tmp_path):
    result = read(tmp_path, EVALUATED)
    assert isinstance(result, cg.Evaluation)
    assert result.system("a")["las"].value == 5 / 7
    assert result.claims is None
    assert result.request.gold == "g.conllu"


def test_tests_between_the_fields_of_a_result_become_its_claims(tmp_path):
    result = read(tmp_path, WITH_TESTS)
    assert result.signature == SIGNATURE
    claims = result.claims
    assert claims.asked.tests == ("shuffle", "sign")
    assert (claims.asked.iterations, claims.asked.seed, claims.asked.confidence) == (20, 3, 0.9)
    assert claims.asked.intervals
    pairs = claims.pairs["las", "sign"]
    assert (pairs.systems, pairs.scores, pairs.letters) == (("b", "a"), (1.0, 5 / 7), ("a", "a"))
    assert pairs.pairs[0].claim.interval is None
    assert claims.differences["las", "b", "a"].low == 0.1
    assert claims.intervals["a", "las"].high == 0.9
    assert "71.43 [60.00, 90.00]" in result.tables()


def test_a_result_of_test_is_claims_with_their_scores(tmp_path):
    result = read(tmp_path, OF_TEST)
    assert isinstance(result, cg.Claims)
    assert result.about.system("a")["las"].value == 5 / 7
    assert result.about.signature == SIGNATURE
    assert "Differences between systems" in result.tables()


def test_a_result_of_runs_is_claims_about_runs(tmp_path):
    result = read(tmp_path, OF_RUNS)
    assert isinstance(result, cg.RunClaims)
    tests = result.by_metric["score"]
    assert (tests.test, tests.correction, tests.alpha) == ("welch", "holm", 0.05)
    assert tests.pairs[0].different
    assert "Welch's t-test" in result.tables()


@pytest.mark.parametrize("name", FILES)
def test_an_upgraded_file_is_written_as_a_document_of_today(name, tmp_path):
    cg.write_result(read(tmp_path, FILES[name]), tmp_path / "new.json")
    again = json.loads((tmp_path / "new.json").read_text())
    assert upgraded(again, "new.json") == again
    first, second = (cg.read_result(tmp_path / f"{each}.json") for each in ("r", "new"))
    assert first.tables() == second.tables()


@pytest.mark.parametrize("name", FILES)
def test_pages_and_plots_take_earlier_files(name, tmp_path):
    path = write(tmp_path / "r.json", json.dumps(FILES[name]))
    assert "corrected_p" not in report_html([path])
    assert_silent_success(run("plot", path, "--kind", "pairs", "-o", tmp_path / "p.svg"))


@pytest.mark.parametrize("name", FILES)
def test_an_earlier_file_with_something_else_in_it_is_refused_or_read(name, tmp_path):
    def places(value, at=()):
        yield at
        inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()  # fmt: skip
        for key, each in inner:
            yield from places(each, (*at, key))

    for *outer, last in [place for place in places(FILES[name]) if place]:
        for junk in (None, "x", [1], {"y": 2}, 7):
            data = copy.deepcopy(FILES[name])
            inside = data
            for key in outer:
                inside = inside[key]
            inside[last] = junk
            with contextlib.suppress(InputError):
                assert result_of(data, "r.json").grids()


def test_what_is_no_result_stays_as_it_is():
    for data in ({}, {"systems": []}, {"systems": [1]}, {"metrics": []}, {"kind": "weather"}):
        assert upgraded(data, "r.json") == data

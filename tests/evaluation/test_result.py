"""What all results share: JSON there and back, tables, data frames, HTML, tests, and no value."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import ClassVar

import numpy as np
import pytest
from command import run
from hypothesis import given
from hypothesis import strategies as st
from structure_edits import edit_structure

import commonground as cg
from commonground.dispatch import perform, register
from commonground.errors import CommonGroundError, InputError, UsageError
from commonground.evaluation.metric_score import Score
from commonground.evaluation.result import Result, find_kind
from commonground.evaluation.search_result import SearchResult
from commonground.grid import Grid
from commonground.metrics.items import Counts
from commonground.metrics.registry import metrics_for
from commonground.patterns.occurrences import occurrences
from commonground.projection.direct import Projection
from commonground.projection.fragments import Fragmentation
from commonground.projection.validation import Validation
from commonground.statistics.run_claims import all_runs
from commonground.statistics.runs import Runs
from commonground.trials.decision import DecidedPair
from commonground.trials.disagreement import disagreement_of
from commonground.trials.trial import trial_of

EXAMPLE = {name: cg.read(f"example:{name}")[:9] for name in ("ud", "ud-parse")}
PARSES = {"mine": "example:ud-parse", "best": "example:ud"}


def _claims():
    options = {"intervals": True, "power": True, "iterations": 50, "metrics": ["las"]}
    return made("evaluation").test("bootstrap", "sign", **options)


def _projection():
    parts = (Fragmentation(4, 10, 6, 8), Fragmentation(3, 8, 4, 7))
    return Projection("labels:yes", *parts, {"unaligned": 2}, empty=1)


MAKERS = {
    "evaluation": lambda: cg.evaluate("example:ud", PARSES, metrics=["las", "feats"]),
    "comparison": lambda: cg.compare(
        {
            "ud": ("example:ud", "example:ud-parse"),
            "ptb": ("example:ptb", "example:ptb-parse"),
        }
    ),
    "agreement": lambda: cg.agreement({"a": "example:ud", "b": "example:ud-parse"}),
    "conventions_by_system": lambda: cg.conventions_by_system(
        cg.read("example:ud")[:9],
        {"a": cg.read("example:sud")[:9], "b": cg.read("example:ud")[:9]},
    ),
    "conventions": lambda: cg.conventions(cg.read("example:ud")[:9], cg.read("example:sud")[:9]),
    "claims": _claims,
    "runs": lambda: all_runs({"las": {"a": Runs.of([0.5, 0.6]), "b": Runs(0.7, 0.1, 3)}}),
    "phenomena": lambda: cg.score_phenomena("example:phenomena", {"UD": "example:phenomena-ud"}),
    "projection": _projection,
    "validation": lambda: Validation(
        "samples:2", "2 samples", {"a": {"las": (0.5, 0.6)}, "b": {"las": (0.7, 0.9)}}
    ),
    "disagreement": lambda: disagreement_of(EXAMPLE, annotate=3),
    "decision": lambda: cg.Decision(
        "signed", 9, 3, 40, (DecidedPair("a", "b", 0.01, -0.01, 0.03),)
    ),
    "trial": lambda: trial_of(
        cg.read("example:ud")[:9],
        {"a": cg.read("example:ud-parse")[:9], "b": cg.read("example:sud")[:9]},
    ),
    "search": lambda: SearchResult(
        occurrences([("ud", cg.read("example:ud"))], "V -[obj]-> N", by=["N.upos"], first=2)
    ),
    "overlap": lambda: cg.overlap({"a": cg.read("example:ud")}, cg.read("example:ud-parse"), "b"),
    "errors": lambda: cg.annotation_errors("example:ud", top=5, folds=2),
    "changes": lambda: cg.treebank_changes(cg.read("example:ud"), cg.read("example:ud-parse")),
}
"""A result of each kind."""


@cache
def made(kind):
    """A result of a kind; it is made once."""
    return MAKERS[kind]()


@pytest.fixture
def results():
    return {kind: made(kind) for kind in ("evaluation", "comparison", "agreement")}


def score_of(totals, **more):
    counts = Counts({name: np.array([total]) for name, total in totals.items()})
    return Score(metrics_for("dependencies")["uas"], counts, **more)


def test_a_result_of_every_kind_is_looked_at():
    assert set(MAKERS) == set(cg.RESULTS)


@pytest.mark.parametrize("kind", MAKERS)
def test_every_kind_of_result_comes_back_from_json(kind):
    result = made(kind)
    data = json.loads(json.dumps(result.to_json()))
    again = find_kind(data).from_json(data, "saved.json")
    assert type(again) is type(result)
    assert again.to_json() == result.to_json()
    assert again.signature == result.signature
    assert [grid.rows for grid in again.grids()] == [grid.rows for grid in result.grids()]


@pytest.mark.parametrize("kind", MAKERS)
def test_what_is_no_result_of_a_kind_is_refused_with_its_file(kind):
    with pytest.raises(InputError, match=r"saved\.json"):
        find_kind({"kind": kind}).from_json({"kind": kind, "systems": [{}]}, "saved.json")


@pytest.mark.parametrize("kind", MAKERS)
@given(seed=st.integers(0, 1 << 60))
def test_a_result_with_other_values_is_refused_or_shown(kind, seed):
    data = bytearray(json.dumps(made(kind).to_json()).encode())
    for _ in range(1 + seed % 3):
        edit_structure(data, Random(seed))
    changed = json.loads(data)
    try:
        result = find_kind(changed).from_json(changed, "saved.json")
    except CommonGroundError:
        return
    assert result.to_json()
    assert ("<table>" in result._repr_html_()) == bool(result.grids())
    assert not result.grids() or result.records() is not None


@pytest.mark.parametrize("kind", MAKERS)
def test_every_kind_of_result_does_what_the_protocol_says(kind):
    result = made(kind)
    assert isinstance(result, Result)
    assert find_kind({"kind": kind}) is type(result)
    assert result.signature
    assert result.to_json()["kind"] == kind
    assert all(isinstance(grid, Grid) for grid in result.grids())
    assert len(result.to_pandas()) == len(result.records()) > 0
    assert "<table>" in result._repr_html_()
    assert r"\begin{tabular}" in result.tables("latex")
    assert result.tables().count("───") >= 1


def test_the_tables_of_a_result_are_those_of_the_command():
    result = cg.evaluate(
        "example:ud", {"a": "example:ud-parse", "b": "example:ud"}, metrics=["las"]
    )
    line = ["evaluate", "example:ud", "a=example:ud-parse", "b=example:ud", "--metrics", "las"]
    shown = run(*line, "--test", "sign", "--output-format", "latex").stdout
    assert result.tables("latex", claims=result.test("sign"), tables=["scores"]) == shown
    assert result.tables(sentences=True, top=3) == run(*line, "--sentences", "--top", "3").stdout


def test_a_kind_that_nobody_knows_is_refused_with_those_that_are_known():
    with pytest.raises(
        InputError, match=r"a\.json: there is no kind of result 'x'; there are eval"
    ):
        find_kind({"kind": "x"}, "a.json")


def test_an_evaluation_comes_back_from_json(results):
    again = cg.Evaluation.from_json(results["evaluation"].to_json())
    assert again.to_json() == results["evaluation"].to_json()
    assert again.test("sign").to_json() == results["evaluation"].test("sign").to_json()


def test_a_score_without_items_has_no_value_but_a_reason():
    score = score_of({"correct": 0, "gold": 0, "system": 0})
    assert score.value is None
    assert score.to_json()["score"] is None
    assert score.to_json()["undefined"] == score.undefined == "neither side has anything to count"
    with pytest.raises(UsageError, match="uas is undefined: neither side"):
        float(score)


def test_a_reason_makes_any_score_undefined_in_every_output():
    score = score_of({"correct": 1, "gold": 2, "system": 2}, reason="of no use")
    assert score.value is None
    result = cg.Evaluation("signed", (cg.System("mine", {"uas": score}),))
    (grid,) = result.grids()
    assert [cell.value for cell in grid.rows[0]] == ["mine", None]
    assert [note.text for note in grid.notes] == ["–: UAS: undefined, of no use."]
    assert result.records()[0]["score"] is None
    assert "undefined" in repr(result)


def test_a_new_kind_of_result_joins_with_one_module():
    @dataclass(frozen=True)
    class Weather(Result):
        kind: ClassVar[str] = "weather"
        signature: str = "seen:today"

        def to_json(self):
            return {"kind": self.kind, "signature": self.signature}

    @register("grids", Weather)
    def tables(result):
        return [Grid.of("Weather", ["sky"], [["blue"]], (), result.signature)]

    weather = Weather()
    assert weather.records() == [{"sky": "blue"}]
    assert "blue" in weather._repr_html_()
    with pytest.raises(UsageError, match="'weather' has no systems to test"):
        weather.test("shuffle")


def test_an_act_that_nobody_does_to_a_thing_is_refused():
    with pytest.raises(UsageError, match="int has no grids"):
        perform("grids", 7)


def test_an_unknown_name_gives_the_known_ones(results):
    evaluation = results["evaluation"]
    with pytest.raises(UsageError, match="no system 'x'; there are mine, best"):
        evaluation.system("x")
    with pytest.raises(UsageError, match="no score by 'uas'; there are las, feats"):
        evaluation.system("mine")["uas"]
    with pytest.raises(UsageError, match="no system 'x'; there are ud, ptb"):
        results["comparison"]["x"]
    with pytest.raises(UsageError, match="no option 'x'; there are iterations"):
        evaluation.test("sign", x=1)


@pytest.mark.parametrize("kind", ["length", "distance", "depth"])
def test_a_result_in_memory_is_plotted_without_its_treebanks(results, kind):
    pytest.importorskip("matplotlib")
    figure = results["evaluation"].plot(kind, metric="las")
    assert [line for axes in figure.axes for line in axes.get_lines()]


def test_names_of_metrics_may_be_written_in_capitals():
    scores = cg.evaluate("example:ud", "example:ud-parse")
    assert scores["LAS"].value == scores["las"].value
    with pytest.raises(UsageError, match="did you mean la"):
        scores["laz"]

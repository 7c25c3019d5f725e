"""Names as tables print them, and output formats by the names of files."""

from __future__ import annotations

import json

import pytest
from command import assert_refused, assert_silent_success, run

from commonground import evaluate
from commonground.formats import registry
from commonground.metrics.by import property_name
from commonground.metrics.names import resolved
from commonground.metrics.registry import explained, find_metrics, metrics_for

LINE = ["evaluate", "example:ud", "example:ud-parse", "--metrics", "las"]


@pytest.mark.parametrize(
    ("suffix", "beginning"),
    [
        ("json", "{\n"),
        ("tsv", "parse\tLAS\n"),
        ("md", "| parse | LAS |"),
        ("tex", r"\begin{table}"),
        ("html", "<!doctype html>"),
        ("HTML", "<!doctype html>"),
        ("txt", "parse  "),
    ],
)
def test_the_suffix_of_the_output_decides_the_format(tmp_path, suffix, beginning):
    path = tmp_path / f"scores.{suffix}"
    assert_silent_success(run(*LINE, "-o", path))
    assert path.read_text(encoding="utf-8").startswith(beginning)


def test_a_format_that_is_given_wins_over_the_suffix(tmp_path):
    for order in (
        ["-o", "x.json", "--output-format", "tsv"],
        ["--output-format", "tsv", "-o", "x.json"],
    ):
        run(*LINE, *order, cwd=tmp_path)
        assert (tmp_path / "x.json").read_text(encoding="utf-8").startswith("parse\tLAS\n")


def test_the_command_of_a_saved_result_tells_the_format(tmp_path):
    run(*LINE, "-o", "x.json", cwd=tmp_path)
    data = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    assert data["command"].endswith("--metrics las --output-format json")
    assert data["request"]["options"]["output-format"] == "json"


def test_every_metric_is_found_by_its_title_in_any_case():
    for kind in ("dependencies", "constituents", "relations"):
        metrics = metrics_for(kind)
        titles = [metric.title for metric in metrics.values()]
        for name, metric in metrics.items():
            assert resolved(name.upper(), metrics) == name
            if titles.count(metric.title) == 1 and resolved(metric.title, metrics) != name:
                assert metric.title.lower() in metrics  # the title of one is the name of another
    assert [m.name for m in find_metrics("dependencies", ("LAS", "las", "Undirected"))] == [
        "las",
        "undirected",
    ]
    assert list(explained("Ned")) == ["dependencies"]


def test_names_as_printed_work_everywhere():
    done = run(
        *("evaluate", "example:ud", "a=example:ud-parse", "b=example:ud", "--metrics", "UAS,LAS"),
        *("--rank-by", "UAS", "--fail-under", "LAS=0.5", "--by", "Length", "--tables", "by"),
    )
    assert_silent_success(done)
    assert "LAS by sentence-length, F1" in done.stdout
    result = evaluate("example:ud", "example:ud-parse", metrics=["LAS"], by="Direction")
    assert "left" in [
        bucket.values[0] for bucket in result.breakdown("DIRECTION")["example:ud-parse"]
    ]
    assert property_name("nonsense") == "nonsense"


def test_constructions_are_found_in_any_case():
    line = ["transform", "example:ud", "-", "--from", "ud", "--to", "prague", "--only"]
    assert run(*line, "Copula").stdout == run(*line, "copula").stdout


def test_two_frameworks_are_for_compare():
    done = run("evaluate", "example:ud", "example:ptb-parse")
    assert_refused(
        done, "has constituents, but the gold standard has dependencies; 'commonground compare"
    )


def test_a_format_is_found_by_its_name():
    for name in registry.SUFFIXES:
        assert registry.find_format(name).name == name


def test_a_suffix_does_not_win_over_a_content_that_is_certain():
    table = b"1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_\n\n"
    assert registry.detect(table, "x.mrg").name == "conllu"
    assert registry.detect(b"(S (NP (N dogs)))\n", "x.conllu").name == "brackets"
    assert registry.detect(b"(S (NP (N 0=dogs)))\n", "x.mrg").name == "discbracket"

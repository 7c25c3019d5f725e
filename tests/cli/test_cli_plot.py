"""``commonground plot``: figures from the results that other verbs have saved."""

import json
import os
import subprocess
import sys
import zlib
from itertools import permutations
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from command import run

from commonground import Agreement, Score, read, write
from commonground.cli import main
from commonground.cli.verbs import plot as verb
from commonground.errors import InputError, UsageError
from commonground.metrics.items import Counts
from commonground.metrics.registry import metrics_for
from commonground.report.plots import export, kinds
from commonground.report.plots.registry import PLOTS


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The file of a saved evaluation of two parses."""
    path = tmp_path_factory.mktemp("saved") / "result.json"
    parses = ("a=example:ud-parse", "b=example:ud")
    done = run("evaluate", "example:ud", *parses, "--output-format", "json", "-o", path)
    assert done.returncode == 0, done.stderr
    return path


def texts(svg):
    """All texts of an SVG; it must be XML."""
    root = ET.fromstring(svg)
    return ["".join(part.itertext()) for part in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("kind", ["length", "distance", "depth", "differences", "pairs"])
def test_the_command_plots_a_saved_result(kind, saved, tmp_path):
    done = run("plot", saved, "--kind", kind)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert texts(done.stdout)


def test_the_suffix_tells_the_kind_of_file(saved, tmp_path):
    for name, start in (("a.svg", b"<svg"), ("a.pdf", b"%PDF"), ("a.png", b"\x89PNG")):
        path = tmp_path / name
        assert main(["plot", str(saved), "--kind", "pairs", "-o", str(path)]) == 0
        assert path.read_bytes().startswith(start)
    packed = tmp_path / "a.svg.gz"
    assert main(["plot", str(saved), "--kind", "pairs", "-o", str(packed)]) == 0
    assert zlib.decompress(packed.read_bytes(), 31).startswith(b"<svg")
    done = run("plot", saved, "--kind", "pairs", "-o", tmp_path / "a.jpg")
    assert done.returncode == 2
    assert "svg, pdf or png" in done.stderr
    assert not (tmp_path / "a.jpg").exists()


def test_title_size_metric_and_systems_are_as_wanted(saved):
    done = run(
        *("plot", saved, "--kind", "length", "--metric", "uas", "--systems", "b"),
        *("--title", "The $title$", "--size", "5x3"),
    )
    assert done.returncode == 0, done.stderr
    assert 'width="360pt" height="216pt"' in done.stdout
    assert {"UAS (%)", "The $title$"} <= set(texts(done.stdout))
    assert "a" not in texts(done.stdout)


def test_a_kind_that_there_is_not_is_told_in_one_readable_line(capsys):
    assert main(["plot", "x.json", "--kind", "lengths"]) == 2
    told = capsys.readouterr().err
    assert "'lengths' is not one of 'length', 'distance', 'depth'" in told
    assert told.count("\n") == 1


def test_a_confusion_matrix_is_of_one_system(saved):
    done = run("plot", saved, "--kind", "confusion")
    assert done.returncode == 2
    assert "of one system; --systems chooses one of a, b" in done.stderr
    done = run("plot", saved, "--kind", "confusion", "--systems", "a")
    assert done.returncode == 0, done.stderr
    assert "nsubj" in texts(done.stdout)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--size", "wide"], "WIDTHxHEIGHT"),
        (["--size", "0x3"], "WIDTHxHEIGHT"),
        (["--size", "1x1"], "no room for its labels"),
        (["--systems", "nobody"], "no system 'nobody'"),
        (["--metric", "elas"], "no scores of elas"),
    ],
)
def test_what_makes_no_sense_is_refused(options, message, saved, capsys):
    assert main(["plot", str(saved), "--kind", "length", *options]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert message in error
    assert error.count("\n") == 1


def test_without_the_treebanks_lengths_are_counted_in_items(tmp_path):
    write(read("example:ud"), tmp_path / "gold.conllu")
    write(read("example:ud-parse"), tmp_path / "mine.conllu")
    files = (tmp_path / "gold.conllu", f"mine={tmp_path / 'mine.conllu'}")
    done = run("evaluate", *files, "--output-format", "json", "-o", tmp_path / "r.json")
    assert done.returncode == 0, done.stderr
    (tmp_path / "gold.conllu").unlink()
    svg = export.as_svg(kinds.plot(tmp_path / "r.json", "length"))
    assert "Scored items in the sentence" in texts(svg)
    with pytest.raises(InputError, match="needs the treebanks"):
        kinds.plot(tmp_path / "r.json", "depth")


def test_results_of_other_verbs_can_be_plotted(tmp_path):
    path = tmp_path / "r.json"
    for command, kind, text in (
        (["test", "--runs", "nl=69.21:0.58:10", "it=66.44:0.29:10"], "runs", "10 runs"),
        (["test", "--runs", "nl=69.21:0.58:10", "it=66.44:0.29:10"], "pairs", "nl − it"),
        (["agreement", "a=example:ud", "b=example:ud-parse"], "agreement", "NED"),
        (
            ["compare", "ud=example:ud:example:ud-parse", "ptb=example:ptb:example:ptb-parse"],
            "agreement",
            "unlabelled",
        ),
    ):
        done = run(*command, "--output-format", "json", "-o", path)
        assert done.returncode == 0, done.stderr
        assert text in texts(export.as_svg(kinds.plot(path, kind)))


def test_the_runs_of_a_validation_can_be_plotted(tmp_path):
    scores = {"scores": [0.7, 0.8], "mean": 0.75, "sd": 0.0707, "interval": [0.6, 0.9]}
    system = {"name": "mine", "metrics": {"uas": scores}}
    data = {"kind": "validation", "confidence": 0.95, "systems": [system]}
    (tmp_path / "v.json").write_text(json.dumps(data))
    done = run("plot", tmp_path / "v.json", "--kind", "runs")
    assert done.returncode == 0, done.stderr
    assert {"mine", "2 runs", "UAS (%)"} <= set(texts(done.stdout))


def test_a_comparison_has_scores_by_length_but_no_words(tmp_path):
    pairs = ("ud=example:ud:example:ud-parse", "ptb=example:ptb:example:ptb-parse")
    path = tmp_path / "r.json"
    assert run("compare", *pairs, "--output-format", "json", "-o", path).returncode == 0
    figure = kinds.plot(path, "length")
    assert "Common ground, attached (%)" in texts(export.as_svg(figure))
    with pytest.raises(UsageError, match="no single words"):
        kinds.plot(path, "distance")


def test_the_command_knows_every_kind():
    assert all(hasattr(kinds, f"draw_{name}") for name in PLOTS)
    assert tuple(export.FILES) == verb.FILES


def test_the_bytes_do_not_depend_on_the_clock_or_the_hash_seed(saved, tmp_path, monkeypatch):
    """The hash seed of this process is another one than that of the process of its own."""
    program = "import sys; from commonground.cli import main\n"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "2")
    for kind in ("svg", "pdf"):
        arguments = ["plot", str(saved), "--kind", "pairs", "-o"]
        program += f"assert main([*{arguments}, sys.argv[1] + '.{kind}']) == 0\n"
        assert main([*arguments, str(tmp_path / f"here.{kind}")]) == 0
    environment = os.environ | {"PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": "1"}
    command = [sys.executable, "-c", program, str(tmp_path / "apart")]
    subprocess.run(command, check=True, env=environment)
    for kind in ("svg", "pdf"):
        one, other = ((tmp_path / f"{name}.{kind}").read_bytes() for name in ("here", "apart"))
        assert one == other


@pytest.mark.parametrize(
    ("data", "kind", "message"),
    [
        ({}, "length", "not a saved result, which names its kind"),
        ({"kind": "x"}, "length", "there is no kind of result 'x'"),
        ({"kind": "runs", "metrics": 3}, "runs", "metrics: Expected `array` of length >= 1"),
        (
            {
                "kind": "runs",
                "metrics": [{"metric": "las", "systems": [{"name": "a", "mean": 1e20}]}],
            },
            "runs",
            r"metrics\[0\].systems\[0\].mean: Expected `float` <= ",
        ),
        (
            {"kind": "agreement", "signature": "", "analyses": [], "pairs": [{"gold": 3}]},
            "agreement",
            r"pairs\[0\].gold: Expected `str`, got `int`",
        ),
        (
            {"kind": "claims", "signature": "", "asked": {"seed": "x"}},
            "pairs",
            "asked.seed: Expected `int`, got `str`",
        ),
    ],
)
def test_a_result_that_is_not_as_it_should_be_is_refused_by_name(data, kind, message, tmp_path):
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(data))
    with pytest.raises((InputError, UsageError), match=message):
        kinds.plot(path, kind)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("agreement", "not a result of agreement, nor of compare"),
        ("runs", "this result has no runs"),
        ("phenomena", "not a result of phenomena score"),
        ("waterfall", "not a result of evaluate --conventions"),
    ],
)
def test_what_a_result_has_not_is_not_plotted(kind, message, saved):
    done = run("plot", saved, "--kind", kind)
    assert done.returncode == 2
    assert message in done.stderr


def test_too_many_analyses_are_no_figure():
    metric = metrics_for("dependencies")["uas"]
    names = [str(number) for number in range(33)]
    score = Score(metric, Counts({name: np.array([1]) for name in ("correct", "gold", "system")}))
    scores = {pair: {"uas": score} for pair in permutations(names, 2)}
    with pytest.raises(UsageError, match="33 analyses are too many for a figure"):
        Agreement("", tuple(names), (metric,), scores).plot("agreement")

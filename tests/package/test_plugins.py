"""Other packages add to this one: each thing that CONTRIBUTING.md says how to add, from outside."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command import assert_refused, assert_silent_success, run, run_apart
from outside_package import ENTRY_POINTS, forget, install

import commonground as cg
from commonground.errors import UsageError
from commonground.metrics.registry import find_metrics
from commonground.plugins import GROUPS, PluginWarning, installed, plugins
from commonground.report.plots.registry import PLOTS

PACKAGE = "outside-things 1.2"


@pytest.fixture
def outside(tmp_path, monkeypatch):
    """Install the package for as long as a test takes."""
    monkeypatch.syspath_prepend(install(tmp_path / "site"))
    yield tmp_path
    forget()


def added(monkeypatch, folder, entry_points):
    """Install a package with other entry points."""
    monkeypatch.syspath_prepend(install(folder, entry_points))


def test_the_package_of_the_tests_adds_something_to_every_group():
    assert set(re.findall(r"\[commonground\.(\w+)\]", ENTRY_POINTS)) == set(GROUPS)


# ── a metric ─────────────────────────────────────────────────────────────────────────────────────


def test_a_metric_of_another_package_is_scored_explained_and_named_in_the_signature(outside):
    done = run("evaluate", "example:ud", "example:ud-parse", "--metrics", "uas,near_head")
    assert_silent_success(done)
    assert "NEAR" in done.stdout
    assert f"|packages:{PACKAGE}|" in done.stdout
    listed = run("evaluate", "--explain", "all").stdout
    assert re.search(rf"^near_head +dependencies .* {PACKAGE}$", listed, re.MULTILINE)
    data = json.loads(run("evaluate", "--explain", "near_head", "--output-format", "json").stdout)
    assert data["metrics"][0]["package"] == PACKAGE
    assert "near_head" in cg.metric_names("dependencies")
    assert "near_head" not in cg.metric_names("constituents")


def test_a_signature_without_it_does_not_name_the_package(outside):
    assert "packages" not in run("evaluate", "example:ud", "example:ud-parse").stdout


def test_breakdowns_tests_saved_results_and_reports_know_a_metric_from_outside(outside):
    saved = outside / "saved.json"
    line = ["evaluate", "example:ud", "a=example:ud-parse", "b=example:ud", "-o", saved]
    assert_silent_success(run(*line, "--metrics", "near_head", "--by", "deprel"))
    assert_silent_success(run("test", saved, "--iterations", 100, "--metrics", "near_head"))


def test_a_metric_is_a_value(outside):
    import outside_things

    result = cg.evaluate("example:ud", "example:ud-parse", metrics=["uas", outside_things.NEAR])
    assert list(result.systems[0].scores) == ["uas", "near_head"]
    assert result["near_head"].value >= result["uas"].value
    assert f"packages:{PACKAGE}" in result.signature


def twice(pair):
    """Count the words whose head is right and whose label is right."""
    return pair.items(pair.same_head & pair.same_label, system=pair.attached)


MINE = cg.Metric("my_las", "My LAS", twice, "LAS once more.")


def test_a_metric_need_not_be_installed_and_its_module_is_in_the_signature():
    result = cg.evaluate("example:ud", "example:ud-parse", metrics=[MINE, "las"])
    assert result["my_las"].value == result["las"].value
    assert f"|packages:{__name__.partition('.')[0]}" in result.signature
    assert "packages" not in cg.evaluate("example:ud", "example:ud-parse").signature


def test_a_metric_of_ones_own_has_breakdowns_and_works_on_folders(tmp_path):
    for side in ("gold", "parse"):
        (tmp_path / side).mkdir()
        for number in (1, 2):
            source = "example:ud" if side == "gold" else "example:ud-parse"
            cg.write(cg.read(source), tmp_path / side / f"{number}.conllu")
    result = cg.evaluate(tmp_path / "gold", tmp_path / "parse", metrics=[MINE], by="deprel")
    alone = cg.evaluate("example:ud", "example:ud-parse", metrics=MINE)
    assert result["my_las"].value == alone["my_las"].value
    assert result.breakdowns


def test_a_metric_with_a_name_that_is_taken_or_of_another_kind_is_refused():
    las = cg.Metric("las", "LAS", twice, "Not the real one.")
    with pytest.raises(UsageError, match="there is already a metric las for dependencies"):
        cg.evaluate("example:ud", "example:ud-parse", metrics=[las])
    brackets = cg.Metric("mine", "Mine", twice, "Of brackets.", of=("constituents",))
    with pytest.raises(UsageError, match="mine is a metric of constituents, not of dependencies"):
        cg.evaluate("example:ud", "example:ud-parse", metrics=[brackets])
    with pytest.raises(UsageError, match="a metric is a name or a Metric, not of the type int"):
        cg.evaluate("example:ud", "example:ud-parse", metrics=[3])
    with pytest.raises(UsageError, match="two metrics are called my_las"):
        cg.evaluate(
            "example:ud", "example:ud-parse", metrics=[MINE, cg.Metric("my_las", "", twice, "")]
        )


def test_metrics_of_this_package_can_be_given_as_values():
    (las,) = find_metrics("dependencies", ["las"])
    result = cg.evaluate("example:ud", "example:ud-parse", metrics=[las])
    assert result.signature == cg.evaluate("example:ud", "example:ud-parse").signature


# ── the other things ─────────────────────────────────────────────────────────────────────────────


def test_scores_are_broken_down_by_a_property_from_outside(outside):
    done = run("evaluate", "example:ud", "example:ud-parse", "--by", "First-letter")
    assert_silent_success(done)
    assert "first-letter" in done.stdout
    assert "first-letter" in run("evaluate", "--help").stdout


def test_a_format_from_outside_is_written_recognised_checked_and_scored(outside):
    for name in ("ud", "ud-parse"):
        assert_silent_success(run("convert", f"example:{name}", outside / f"{name}.slashes", "-q"))
    assert "/0/root" in (outside / "ud.slashes").read_text(encoding="utf-8")
    assert_silent_success(run("check", outside / "ud.slashes"))
    done = run("evaluate", outside / "ud.slashes", outside / "ud-parse.slashes", "--metrics", "las")
    assert f"|packages:{PACKAGE}|" in done.stdout
    score = cg.evaluate("example:ud", "example:ud-parse")["las"].value
    assert f"{100 * score:.2f}" in done.stdout
    assert cg.find_format("slashes").suffixes == (".slashes",)
    assert "slashes" in cg.format_names()
    broken = outside / "broken.slashes"
    broken.write_text("a/0/root\nb/x/dep\n", encoding="utf-8")
    assert_refused(run("evaluate", broken, broken), "broken.slashes:2: a word is not")


def test_a_scheme_from_outside_is_listed_and_used(outside):
    listed = run("schemes", "list").stdout
    assert re.search(rf"^leftish .* {PACKAGE}$", listed, re.MULTILINE)
    assert re.search(r"^ud .* commonground$", listed, re.MULTILINE)
    line = ["transform", "example:ud", "-", "--from", "ud", "--to", "leftish", "-q"]
    assert run(*line).stdout != run(*line[:-2], "ud", "-q").stdout
    signature = cg.conventions("example:ud", "example:sud", gold_scheme="leftish").signature
    assert f"packages:{PACKAGE}" in signature
    plain = cg.conventions("example:ud", "example:sud").signature
    assert "packages" not in plain


def test_a_mapping_from_outside_is_listed_and_used(outside):
    listed = run("phenomena", "info", "--mappings").stdout
    assert re.search(rf"^plain .* {PACKAGE}$", listed, re.MULTILINE)
    line = ["phenomena", "score", "example:phenomena", "example:phenomena-ud"]
    assert f"packages:{PACKAGE}" in run(*line, "--mapping", "plain").stdout
    assert "packages:" not in run(*line).stdout


def test_a_parser_from_outside_is_listed_trained_saved_and_used(outside):
    assert re.search(rf"^chain .* {PACKAGE}$", run("parsers", "list").stdout, re.MULTILINE)
    model = outside / "chain.model"
    line = ["--parser", "chain", "--set", "label=x", "-o", model, "--quiet"]
    assert_silent_success(run("train", "example:ud", *line))
    parsed = outside / "parsed.conllu"
    assert_silent_success(run("parse", model, "example:ud", parsed, "--quiet"))
    parse = cg.read(parsed)
    assert set(parse.deprel.tolist()) == {"root", "x"}
    assert parse[0].head.tolist()[:3] == [0, 1, 2]
    example = cg.read("example:ud")
    training = cg.Training("chain")
    validation = cg.validate({"a": (example, example)}, samples=2, sentences=9, training=training)
    assert f"packages:{PACKAGE}" in validation.signature


def test_a_recipe_from_outside_is_listed_and_run(outside):
    assert re.search(rf"^tiny .* {PACKAGE}$", run("experiment", "list").stdout, re.MULTILINE)
    done = run("experiment", "run", "tiny", "--into", outside / "study", "--quiet")
    assert_silent_success(done)
    assert "near_head" in (outside / "study" / "recipe.toml").read_text(encoding="utf-8")


def test_a_plot_from_outside_is_listed_and_drawn(outside):
    assert (
        f"bars         one bar ({PACKAGE})"
        in run_apart("plot", "--help", PYTHONPATH=str(outside / "site")).stdout
    )
    result = cg.evaluate("example:ud", "example:ud-parse")
    figure = result.plot("bars", title="Hello")
    assert figure.get_suptitle() == "Hello"
    with pytest.raises(UsageError, match=r"there is no plot 'bras'.*did you mean bars"):
        result.plot("bras")


def test_a_verb_from_outside_is_listed_and_run(outside):
    assert f"  greet         Greet somebody. ({PACKAGE})" in run("--help").stdout
    assert run("greet", "you").stdout == "Hello you\n"
    assert_refused(run("gret", "you"), "there is no verb 'gret'; did you mean greet?")


def test_other_processes_know_what_a_package_adds(outside):
    for side in ("gold", "parse"):
        (outside / side).mkdir()
        for number in (1, 2):
            name = "example:ud" if side == "gold" else "example:ud-parse"
            cg.write(cg.read(name), outside / side / f"{number}.slashes")
    line = ["evaluate", outside / "gold", outside / "parse", "--metrics", "near_head"]
    both = [
        run_apart(*line, "--jobs", jobs, PYTHONPATH=str(outside / "site")).stdout for jobs in (1, 2)
    ]
    assert both[0] == both[1]
    assert f"packages:{PACKAGE}" in both[0]


def test_the_version_names_what_packages_add(outside):
    assert (
        run("--version").stdout.splitlines()[1] == f"{PACKAGE} ({', '.join(installed()[PACKAGE])})"
    )
    assert "metric near_head" in installed()[PACKAGE]


# ── what is broken ───────────────────────────────────────────────────────────────────────────────

BROKEN = """
[commonground.metrics]
missing = outside_things:NOWHERE
las = outside_things:NEAR
number = outside_things:HERE
[commonground.formats]
conllu = outside_things:SLASHES
other = outside_things:SLASHES
[commonground.verbs]
evaluate = outside_things:greet
[commonground.parsers]
chain = no_such_module:CHAIN
[commonground.schemes]
leftish = outside_things:RECIPE
"""


def test_what_is_broken_is_named_and_left_out(tmp_path, monkeypatch):
    added(monkeypatch, tmp_path / "site", BROKEN)
    done = run("parsers", "list")
    assert done.returncode == 0
    said = "outside-things 1.2: the parser 'chain' is left out: ModuleNotFoundError: "
    assert done.stderr == f"{said}No module named 'no_such_module'\n"
    assert "arc-eager" in done.stdout
    done = run("schemes", "list")
    assert done.returncode == 0
    assert "the scheme 'leftish' is left out: " in done.stderr
    assert "package" not in done.stdout
    done = run("--help")
    assert done.stderr == (
        "outside-things 1.2: the verb 'evaluate' is left out: commonground has one of that name\n"
    )
    forget()


def test_a_name_that_is_taken_or_wrong_is_left_out(tmp_path, monkeypatch):
    added(monkeypatch, tmp_path / "site", BROKEN)
    with pytest.warns(PluginWarning) as said:
        names = cg.metric_names()
    texts = [str(each.message) for each in said]
    assert any("the metric 'missing' is left out: AttributeError" in text for text in texts)
    assert any("it is of the type PosixPath, not Metric" in text for text in texts)
    assert "near_head" in names  # a metric is called as it calls itself
    with pytest.warns(PluginWarning) as said:
        assert "other" not in cg.format_names()
    texts = [str(each.message) for each in said]
    assert any("the format calls itself 'slashes'" in text for text in texts)
    forget()


def test_a_remark_about_a_plugin_is_quiet_with_quiet(tmp_path, monkeypatch):
    added(monkeypatch, tmp_path / "site", "[commonground.metrics]\nx = no_such_module:X\n")
    line = ["evaluate", "example:ud", "example:ud-parse", "--metrics", "all"]
    assert run(*line, "--quiet").stderr == ""
    forget()


# ── what it costs ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("line", [["--help"], ["evaluate", "example:ud", "example:ud-parse"]])
def test_without_plugins_their_machinery_is_not_imported(line):
    code = (
        "import sys; from commonground.cli import main; main(sys.argv[1:]);"
        "print('importlib.metadata' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *line], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "False"


def test_there_are_no_plugins_here():
    assert installed() == {}
    assert all(plugins(group, lambda _: "") == () for group in GROUPS)


# ── the pages of instructions ────────────────────────────────────────────────────────────────────


def test_the_page_of_design_names_every_group():
    page = (Path(__file__).parents[2] / "docs" / "design.md").read_text(encoding="utf-8")
    for group in GROUPS:
        assert f"`commonground.{group}`" in page


def test_the_page_of_plots_lists_every_kind():
    page = (Path(__file__).parents[2] / "docs" / "plots.md").read_text(encoding="utf-8")
    kinds = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", page, re.MULTILINE)))
    assert [kind for kind in PLOTS if kind not in kinds] == []

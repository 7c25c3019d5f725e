"""What a report is made of: treebanks that are there or not, results of any verb, options."""

from __future__ import annotations

import json

import click
import pytest
from command import assert_refused, run, write
from hypothesis import given, settings
from hypothesis import strategies as st
from pages import Seen, block, saved
from strategies import examples

import commonground as cg
from commonground.cli.verbs import (
    agreement,
    compare,
    evaluate,
    phenomena,
    project,
    test,
    validate,
)
from commonground.errors import CommonGroundError, InputError, UsageError
from commonground.evaluation.inputs import find_inputs
from commonground.evaluation.request import Options, Request
from commonground.metrics.settings import preset
from commonground.report.page.anything import grid_of
from commonground.report.page.make import report_html
from commonground.streamed_json import json_text

UD, PARSE = "example:ud", "example:ud-parse"

pytestmark = pytest.mark.usefixtures("module_without_plots")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("report")


@pytest.fixture(scope="module")
def evaluation(folder):
    """A saved evaluation of two parses."""
    return saved(folder / "evaluation.json", "evaluate", UD, f"mine={PARSE}", f"best={UD}")


# ── treebanks that are not there, or not as they were ────────────────────────────────────────────


@pytest.fixture
def moving(tmp_path):
    """A result beside its treebanks, made where they are."""
    for name in (UD, PARSE):
        cg.write(cg.read(name), tmp_path / f"{name.partition(':')[2]}.conllu")
    made = run(
        *("evaluate", "ud.conllu", "ud-parse.conllu", "--output-format", "json", "-o", "r.json"),
        cwd=tmp_path,
    )
    assert made.returncode == 0, made.stderr
    return tmp_path


def test_treebanks_are_found_beside_the_result(moving):
    assert "LAS by label" in report_html([moving / "r.json"])


@pytest.mark.parametrize("change", ["delete", "append"])
def test_a_report_without_the_treebanks_says_so_and_shows_what_is_saved(moving, change):
    path = moving / "ud-parse.conllu"
    content = path.read_bytes()
    path.unlink()
    if change == "append":
        path.write_bytes(content + b"# changed\n")
    html = report_html([moving / "r.json"])
    text = Seen(html).text
    assert "The treebanks could not be read again" in text
    assert ("has changed since" if change == "append" else "No such file") in text
    assert "94.81" in text
    assert "LAS by label" not in text
    assert block(html, "drawings") == {}
    assert block(html, "albums")["chapters"][0]["scales"][1]["values"]


def test_what_came_from_standard_input_is_not_looked_for(tmp_path):
    done = run(
        *("evaluate", UD, "-", "--output-format", "json", "-o", tmp_path / "r.json"),
        stdin=cg.write_text(cg.read(PARSE), "conllu").encode(),
    )
    assert done.returncode == 0, done.stderr
    text = Seen(report_html([tmp_path / "r.json"])).text
    assert "standard input cannot be read again" in text


def test_several_files_are_one_report(tmp_path):
    gold, parse = cg.read(UD), cg.read(PARSE)
    for folder, corpus in (("gold", gold), ("parse", parse)):
        (tmp_path / folder).mkdir()
        cg.write(corpus[:30], tmp_path / folder / "one.conllu")
        cg.write(corpus[30:], tmp_path / folder / "two.conllu")
    made = saved(tmp_path / "r.json", "evaluate", tmp_path / "gold", f"mine={tmp_path / 'parse'}")
    html = report_html([made])
    macro = 100 * json.loads(made.read_text())["systems"][0]["macro"]["las"]
    assert f"the macro averages by LAS, over files, are: mine {macro:.2f}." in Seen(html).text
    album = block(html, "albums")["chapters"][0]
    assert (album["ids"][9], album["ids"][30]) == ("one:cg-10", "two:cg-31")
    assert album["texts"][9].startswith("A stranger arrived")
    wrong = [place for place, n in enumerate(album["scales"][1]["values"]) if n]
    assert {f"0.{place}.0" for place in wrong} <= block(html, "drawings").keys()
    cg.write(gold[:3], tmp_path / "gold" / "three.conllu")
    assert "could not be read again" in Seen(report_html([made])).text


def test_a_parse_cut_into_other_sentences_has_texts_but_no_drawings(tmp_path):
    forms = "Birds sing . Fish swim .".split()
    two = [
        (forms[:3], [2, 0, 2], ["nsubj", "root", "punct"]),
        (forms[3:], [2, 0, 2], ["nsubj", "root", "punct"]),
    ]
    one = [(forms, [2, 0, 2, 5, 2, 5], ["nsubj", "root", "punct", "nsubj", "conj", "punct"])]
    cg.write(cg.Dependencies.of(two), tmp_path / "gold.conllu")
    cg.write(cg.Dependencies.of(one), tmp_path / "parse.conllu")
    made = saved(
        tmp_path / "r.json",
        *("evaluate", tmp_path / "gold.conllu", tmp_path / "parse.conllu", "--preset", "conll18"),
    )
    html = report_html([made])
    assert block(html, "albums")["chapters"][0]["texts"] == ["Birds sing .", "Fish swim ."]
    assert block(html, "drawings") == {}


def test_a_device_is_not_read_to_its_end(tmp_path):
    request = Request(gold="/dev/zero", parses={}, inputs={"/dev/zero": ""})
    assert find_inputs(request, "r.json").missing == ("/dev/zero is not a file",)


# ── results of other verbs, and what is no result ────────────────────────────────────────────────


def test_a_result_of_an_unknown_verb_shows_its_tables(tmp_path):
    result = {
        "command": "commonground validate x",
        "request": {"verb": "validate"},
        "signature": "commonground:0.1.0",
        "grids": [
            {
                "title": "Folds",
                "columns": ["fold", {"title": "LAS", "align": "right", "decimals": 1}],
                "rows": [["first", 91.25], ["<b>", None]],
                "notes": ["of ten"],
            }
        ],
    }
    html = report_html([write(tmp_path / "r.json", json_text(result))])
    text = Seen(html).text
    for part in ("Result of validate", "Folds", "91.2", "<b>", "of ten", "commonground validate x"):
        assert part in text
    assert "&lt;b&gt;" in html


def test_a_result_without_tables_of_its_own_shows_lists_of_objects(tmp_path):
    result = {
        "seed": 3,
        "runs": [{"name": "a", "score": {"las": 0.5}}, {"name": "b", "score": {"las": 0.75}}],
    }
    text = Seen(report_html([write(tmp_path / "r.json", json_text(result))])).text
    for part in ("seed", "runs", "score las", "0.7500"):
        assert part in text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "it is not a JSON object"),
        ("{", "not JSON"),
        ('{"request": {"verb": "evaluate"}}', "not a saved result, which names its kind"),
        ('{"grids": [{"columns": 3}]}', "'columns' of a table in 'grids' is not a list"),
        ('{"grids": [{"columns": ["a"], "rows": [[1, 2]]}]}', "not a list of 1 values"),
    ],
)
def test_what_is_no_result_is_refused_in_one_line(content, message, tmp_path):
    assert_refused(run("report", write(tmp_path / "r.json", content)), message)


def test_a_missing_result_is_refused(tmp_path):
    assert_refused(run("report", tmp_path / "none.json"), "none.json: cannot be read")


def test_the_result_of_a_pipe_is_reported_in_a_file(tmp_path, evaluation):
    done = run("report", "-", "-o", tmp_path / "r.html", stdin=evaluation.read_bytes())
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "r.html").read_text(encoding="utf-8").startswith("<!doctype html>")


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 10**6)
    | st.floats(allow_nan=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=5,
)
PLACES = (
    ("request",), ("request", "options"), ("request", "inputs"), ("request", "gold"),
    ("request", "parses"), ("request", "options", "min-length"), ("request", "options", "test"),
    ("request", "options", "iterations"), ("tests",), ("systems", 0, "sentences"),
    ("systems", 0, "metrics", "las"), ("systems", 0, "metrics", "las", "counts"), ("command",),
)  # fmt: skip


@given(st.sampled_from(PLACES), JUNK)
@settings(max_examples=examples(25))
def test_a_result_that_somebody_has_changed_gives_a_page_or_one_clear_error(folder_of, place, junk):
    data = json.loads(folder_of["text"])
    *inner, last = place
    target = data
    for key in inner:
        target = target[key]
    target[last] = junk
    path = write(folder_of["path"], json.dumps(data))
    try:
        said = report_html([path])[:15]
    except CommonGroundError as error:
        said = str(error)
    assert said == "<!doctype html>" or "\n" not in said


@pytest.fixture(scope="module")
def folder_of(folder):
    gold = cg.read(UD)[:3]
    cg.write(gold, folder / "g.conllu")
    made = saved(folder / "small.json", "evaluate", folder / "g.conllu", folder / "g.conllu")
    return {"text": made.read_text(encoding="utf-8"), "path": folder / "changed.json"}


def test_a_table_keeps_what_its_columns_say():
    grid = grid_of(
        {
            "title": "t",
            "columns": [{"title": "x", "align": "right", "decimals": 3}],
            "rows": [[0.5]],
        }
    )
    assert (grid.columns[0].align, grid.columns[0].decimals) == ("right", 3)


# ── options of a request ─────────────────────────────────────────────────────────────────────────


def test_the_settings_of_a_request_are_those_of_the_command_line():
    assert Options.of({"preset": "conll18"}).settings() == preset("conll18")
    changed = Options.of({"preset": "ned", "max-length": 10, "ignore-case": True}).settings()
    assert changed == preset("ned", longest=10, ignore_case=True)
    assert Options.of({"punctuation-tags": ["PUNCT ,"]}).settings().punctuation == "tag"
    with pytest.raises(UsageError, match=r"^min-length: Expected `int \| null`, got `str`$"):
        Options.of({"min-length": "many"})


@pytest.mark.parametrize(
    "verb",
    [
        *(evaluate.command, compare.command, test.command, phenomena.score),
        *(agreement.command, validate.command, project.command),
    ],
)
def test_a_request_knows_every_option_of_the_verbs_that_are_saved(verb):
    names = {option.opts[-1].removeprefix("--") for option in verb.params if _is_kept(option)}
    assert names <= set(Options.__struct_encode_fields__)


def _is_kept(parameter):
    return (
        isinstance(parameter, click.Option)
        and parameter.expose_value
        and parameter.name not in {"jobs", "quiet", "output", "folder"}
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"colour": "red"}, "request: Object contains unknown field `colour`"),
        ({"options": {"colour": "red"}}, "request.options: Object contains unknown field `colour`"),
        ({"options": {"top": -1}}, "request.options.top: Expected `int` >= 0"),
        ({"systems": {"a": ["one"]}}, "request.systems[...]: Expected `array` of length 2, got 1"),
    ],
)
def test_a_request_refuses_what_it_does_not_know_and_says_where(changes, message):
    with pytest.raises(InputError) as caught:
        Request.from_json({"verb": "evaluate", **changes}, "r.json")
    assert str(caught.value) == f"r.json: {message}"


def test_a_request_is_the_same_when_it_is_read_back():
    options = Options(preset="ned", by=("upos",), iterations=10, confidence=0.9)
    request = Request(verb="compare", systems={"a": ("g", "p")}, options=options, inputs={"g": "0"})
    assert Request.from_json(json.loads(json.dumps(request.to_json()))) == request


def test_the_settings_hold_for_the_details_too(folder):
    made = saved(
        folder / "ned.json", "evaluate", UD, PARSE, "--preset", "ned", "--max-length", "10"
    )
    album = block(report_html([made]), "albums")["chapters"][0]
    items, wrong = (scale["values"] for scale in album["scales"][:2])
    result = cg.evaluate(UD, PARSE, metrics=["las"], settings=preset("ned", longest=10))["las"]
    assert sum(items) == result.counts.totals["gold"]
    assert sum(wrong) == result.counts.totals["gold"] - result.counts.totals["correct"]

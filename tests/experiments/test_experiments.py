"""Whole studies: recipes, what they do, and that nothing is done twice."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import tarfile
import time
import tomllib
from pathlib import Path

import pytest
from command import COMMAND, assert_refused, run, run_line, write

import commonground as cg
from commonground.alignment import ALIGNERS, WAYS
from commonground.alignment.embeddings import WAYS as EMBEDDING_WAYS
from commonground.errors import InputError, UsageError
from commonground.evaluation.compare import SUBSETS
from commonground.evaluation.inventories import LABELS
from commonground.evaluation.protocols import PROTOCOLS
from commonground.experiments import find_recipe, planned, recipe_names, run_experiment
from commonground.experiments.code import source_digest
from commonground.experiments.plan import RecipeInput
from commonground.experiments.recipe import recipe_of
from commonground.experiments.steps import find_kind
from commonground.experiments.store import Store
from commonground.experiments.tables import tables_of
from commonground.formats import read
from commonground.schemes.projectivity import BASELINE, ENCODINGS
from commonground.statistics.claim import ALTERNATIVES
from commonground.statistics.corrections import CORRECTIONS

RECIPE = """title = "Two parsers"
[inputs]
treebank = "example:ud"
[matrix]
parser = ["arc-eager", "arc-hybrid"]
seed = [1, 2]
[steps.learn]
do = "part"
of = "treebank"
part = "train"
every = 4
[steps.gold]
do = "part"
of = "treebank"
part = "test"
every = 4
[steps.model]
do = "train"
of = "learn"
parser = "{parser}"
seed = "{seed}"
gold_tags = true
settings = { iterations = 2 }
[steps.parse]
do = "parse"
model = "model"
of = "gold"
[steps.score]
do = "evaluate"
gold = "gold"
parses = { "it" = "parse" }
metrics = ["uas", "las"]
[steps.both]
do = "evaluate"
gather = ["parser"]
gold = "gold"
parses = { "{parser}" = "parse" }
[[tables]]
name = "scores"
of = "score"
rows = ["parser"]
columns = ["seed"]
values = { "LAS" = "systems.it.metrics.las.score" }
[[tables]]
name = "both"
of = "both"
"""


def outcome_of(folder):
    """All that a study leaves for people: tables, and what its steps made."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "about.json" and "locks" not in path.parts
    }


def states(folder, text=RECIPE):
    plan = planned(recipe_of(text, "r.toml"))
    return [o.state for o in run_experiment(plan, Path(folder)).values()]


def test_a_step_is_done_for_each_value_of_the_axes_that_it_depends_on():
    plan = planned(recipe_of(RECIPE, "r.toml"))
    counts = {name: len(plan.of_step(name)) for name in plan.recipe.steps}
    assert counts == {"learn": 1, "gold": 1, "model": 4, "parse": 4, "score": 4, "both": 2}
    assert plan.of_step("both")[0].values["parses"].keys() == {"arc-eager", "arc-hybrid"}


def test_nothing_is_done_twice_and_a_change_does_only_what_depends_on_it(tmp_path):
    assert set(states(tmp_path)) == {"done"}
    assert set(states(tmp_path)) == {"kept"}
    changed = RECIPE.replace('metrics = ["uas", "las"]', 'metrics = ["las"]')
    assert states(tmp_path, changed).count("done") == 4  # the four scores


def test_the_digest_of_the_code_is_that_of_all_programs_and_their_data(monkeypatch):
    read = []
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path) or b"")
    source_digest.__wrapped__()
    kinds = ("py", "pyx", "pxd", "toml", "prm")
    sources = [path for kind in kinds for path in Path(cg.__file__).parent.rglob(f"*.{kind}")]
    assert sorted(read) == sorted(sources)


@pytest.mark.usefixtures("without_plots")
def test_a_study_of_which_other_code_made_a_part_says_so(tmp_path, monkeypatch):
    recipe = write(tmp_path / "r.toml", CONVERSION)
    line = ["experiment", "run", recipe, "--into", tmp_path / "study"]
    assert "other code" not in run(*line).stderr + run(*line).stderr
    monkeypatch.setattr("commonground.experiments.run.code_digest", lambda: "another")
    told = f"2 of 2 steps were made by other code of version {cg.__version__}"
    assert told in run(*line).stderr
    assert told in (tmp_path / "study" / "report.html").read_text()


CONVERSION = """title = "A conversion"
[inputs]
treebank = "example:ptb"
[steps.small]
do = "convert"
of = "treebank"
[steps.score]
do = "evaluate"
gold = "small"
parses = { "it" = "small" }
[[tables]]
name = "score"
of = "score"
"""


def test_tables_are_put_together_from_results(tmp_path):
    plan = planned(recipe_of(RECIPE, "r.toml"))
    tables = tables_of(plan, run_experiment(plan, tmp_path), tmp_path)
    (grid,) = tables["scores"]
    assert [column.title for column in grid.columns] == ["parser", "1 LAS", "2 LAS"]
    assert all(0 < cell.value <= 100 for row in grid.rows for cell in row[1:])
    assert all(sum(cell.bold for cell in row) >= 1 for row in grid.rows)
    assert len(tables["both"]) >= 2


@pytest.mark.parametrize("damage", ["remove", "corrupt"])
def test_a_lost_or_damaged_outcome_is_made_again_the_same(tmp_path, damage):
    states(tmp_path)
    before = outcome_of(tmp_path)
    place, _ = next(each for each in Store(tmp_path / "store").kept() if each[1]["step"] == "model")
    if damage == "remove":
        shutil.rmtree(place)
    else:
        (place / "model").write_bytes(b"rubbish")
    assert states(tmp_path).count("done") == 1
    assert outcome_of(tmp_path) == before


def test_one_failed_step_leaves_the_rest_of_the_table_standing(tmp_path):
    broken = RECIPE.replace('["arc-eager", "arc-hybrid"]', '["arc-eager", "nothing"]')
    plan = planned(recipe_of(broken, "r.toml"))
    outcomes = run_experiment(plan, tmp_path)
    (grid,) = tables_of(plan, outcomes, tmp_path)["scores"]
    assert isinstance(grid.rows[0][1].value, float)
    assert grid.rows[1][1].value is None
    assert any("there is no parser 'nothing'" in o.reason for o in outcomes.values())
    assert any("(nothing, 1) failed" in note.text for note in grid.notes)


def test_a_step_over_systems_is_done_without_those_that_failed(tmp_path):
    broken = RECIPE.replace('["arc-eager", "arc-hybrid"]', '["arc-eager", "nothing"]')
    plan = planned(recipe_of(broken.replace("seed = [1, 2]", "seed = [1]"), "r.toml"))
    outcomes = run_experiment(plan, tmp_path)
    (both,) = (outcome for outcome in outcomes.values() if outcome.cell.step == "both")
    assert both.state == "done"
    assert "there is no parser 'nothing'" in both.lacking["nothing"]
    grid = tables_of(plan, outcomes, tmp_path)["both"][0]
    assert any("nothing is missing: model (nothing, 1) failed" in note.text for note in grid.notes)
    again = {
        outcome.cell.step: outcome.state for outcome in run_experiment(plan, tmp_path).values()
    }
    assert again["both"] == "kept"
    alone = RECIPE.replace('["arc-eager", "arc-hybrid"]', '["nothing"]')
    plan = planned(recipe_of(alone.replace("seed = [1, 2]", "seed = [1]"), "r.toml"))
    ended = {outcome.cell.step: outcome for outcome in run_experiment(plan, tmp_path).values()}
    assert ended["both"].state == "left out"
    assert "there is no parser 'nothing'" in ended["both"].reason


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What the recipe makes where it is run in one go, in one process."""
    folder = tmp_path_factory.mktemp("whole")
    recipe = write(folder / "r.toml", RECIPE)
    done = run("experiment", "run", recipe, "--into", folder / "x")
    assert done.returncode == 0, done.stderr
    return outcome_of(folder / "x")


def test_two_processes_make_the_same_as_one(tmp_path, whole):
    recipe = write(tmp_path / "r.toml", RECIPE)
    done = run("experiment", "run", recipe, "--into", tmp_path / "two", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert outcome_of(tmp_path / "two") == whole


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_was_ended_goes_on_where_it_stopped(tmp_path, number, whole):
    recipe = write(tmp_path / "r.toml", RECIPE)
    command = [*COMMAND, "experiment", "run", str(recipe), "--into", str(tmp_path / "x")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    store = tmp_path / "x" / "store"
    until = time.monotonic() + 60
    while len(list(store.glob("??/*/about.json"))) < 3 and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert b"Traceback" not in errors
    kept = len(list(store.glob("??/*/about.json")))
    again = run("experiment", "run", recipe, "--into", tmp_path / "x", "--output-format", "json")
    assert again.returncode == 0, again.stderr
    assert kept >= 3
    assert not list(store.glob(".making-*"))
    assert outcome_of(tmp_path / "x") == whole


def test_two_runs_at_once_in_one_folder_make_the_same(tmp_path):
    recipe = write(tmp_path / "r.toml", RECIPE)
    command = [*COMMAND, "experiment", "run", str(recipe), "--into", str(tmp_path / "x")]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    printed = [process.communicate(timeout=120)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert printed[0] == printed[1]
    assert len(list((tmp_path / "x" / "store").glob("??/*/about.json"))) == 16


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('do = "parse"', 'do = "prase"'), "r.toml:25: no step does 'prase'"),
        (
            ('of = "treebank"\npart = "train"', 'of = "tree"\npart = "train"'),
            "r.toml:7: learn takes 'tree'",
        ),
        (('parser = "{parser}"', 'parser = "{parsr}"'), "r.toml:17: there is no axis 'parsr'"),
        (('of = "treebank"\npart = "train"', 'of = "parse"\npart = "train"'), "steps in a circle"),
        (("every = 4\n[steps.gold]", "evry = 4\n[steps.gold]"), "r.toml:11: part has no 'evry'"),
        (('model = "model"\n', ""), "r.toml:24: parse needs 'model'"),
        (
            ('part = "test"\nevery = 4', 'part = "test"\nevery = "four"'),
            "r.toml:16: 'every' of gold: it is 'four'; it must be a whole number of at least 2",
        ),
        (
            ('part = "train"', 'part = "dev"'),
            "r.toml:10: 'part' of learn: it is 'dev'; it must be 'train' or 'test'",
        ),
        (("seed = [1, 2]", 'seed = [1, "b"]'), "r.toml:21: 'seed' of model: it is 'b'"),
        (("{ iterations = 2 }", "2"), "r.toml:23: 'settings' of model: it is 2; it must be a tab"),
        (('["uas", "las"]', '["uas", "lsa"]'), "r.toml:32: 'metrics' of score: there is no metric"),
        (('["uas", "las"]', '"uas"'), "'metrics' of score: it is 'uas'; it must be a list"),
        (
            ('gather = ["parser"]', 'gather = ["parser"]\ntest = "shufle"'),
            "'test' of both: there is no test 'shufle'; there are shuffle",
        ),
        (
            ('gather = ["parser"]', 'gather = ["parser"]\nsettings = { preset = "conll19" }'),
            "'settings' of both: there is no preset 'conll19'",
        ),
        (
            (
                'do = "part"\nof = "treebank"\npart = "train"\nevery = 4',
                'do = "transform"\nof = "gold"',
            ),
            "r.toml:7: transform needs 'to'",
        ),
        (
            (
                'do = "part"\nof = "treebank"\npart = "train"\nevery = 4',
                'do = "transform"\nof = "gold"\nto = "sud"\nonly = "copulas"',
            ),
            "r.toml:11: 'only' of learn: there is no construction 'copulas'",
        ),
        (('title = "Two parsers"', "title = 3"), "r.toml:1: title must be a text"),
        (("seed = [1, 2]", "seed = [1, 1]"), "r.toml:6: the axis seed has a value twice"),
        (("[inputs]", "[imputs]"), "'imputs' is unknown here"),
        (("[inputs]", "[inputs"), "not TOML"),
        (('of = "both"', 'of = "nobody"'), "the table both is of no step"),
        (("[[tables]]", "[[figures]]"), "'rows' is unknown here; there are name, of, kind, title"),
        (
            ('gather = ["parser"]', 'gather = ["other"]'),
            "both gathers other, on which it does not depend",
        ),
        (
            ('do = "parse"\n', 'do = "parse"\ngather = ["parser"]\n'),
            "parse gathers parser, by which its 'model' differs",
        ),
        (
            ('model = "model"\n', "model = 5\n"),
            "'model' of parse must be the name of an input or a step",
        ),
        (('of = "both"', "of = {}"), "the table both is of no step"),
        (("[[tables]]", "[[tables]]\ncaption = 5"), "caption of the table scores must be a text"),
    ],
)
def test_a_recipe_that_makes_no_sense_is_refused_with_its_line(change, message):
    with pytest.raises((InputError, UsageError)) as error:
        planned(recipe_of(RECIPE.replace(*change), "r.toml"))
    assert message in str(error.value)


def test_what_is_planned_is_shown_with_its_cost(tmp_path):
    recipe = write(tmp_path / "r.toml", RECIPE)
    before = run("experiment", "run", recipe, "--into", tmp_path / "x", "--dry-run")
    assert "16 of 16 steps to do" in before.stdout
    run("experiment", "run", recipe, "--into", tmp_path / "x")
    after = run("experiment", "show", recipe, "--into", tmp_path / "x", "--output-format", "json")
    steps = json.loads(after.stdout)["steps"]
    assert {step["state"] for step in steps} == {"done"}
    spent = [json.loads(each.read_bytes()) for each in (tmp_path / "x").rglob("about.json")]
    assert sorted(step["seconds"] for step in steps) == sorted(each["seconds"] for each in spent)


def test_what_will_fail_here_is_foreseen(tmp_path):
    broken = RECIPE.replace('["arc-eager", "arc-hybrid"]', '["arc-eager", "arc-hybird"]')
    recipe = write(tmp_path / "r.toml", broken)
    shown = run(
        "experiment",
        "run",
        recipe,
        "--into",
        tmp_path / "x",
        "--dry-run",
        "--output-format",
        "json",
    )
    steps = {step["step"]: step for step in json.loads(shown.stdout)["steps"]}
    assert steps["model (arc-eager, 1)"]["state"] == "to do"
    assert steps["model (arc-hybird, 1)"]["state"] == "will fail"
    assert "did you mean arc-hybrid?" in steps["model (arc-hybird, 1)"]["reason"]
    wrong = write(tmp_path / "w.toml", RECIPE.replace("iterations = 2", "iteration = 2"))
    shown = run("experiment", "show", wrong).stdout
    assert "model (arc-eager, 1): there is no setting 'iteration'" in shown


def test_a_study_is_exported_so_that_it_can_be_run_again(tmp_path):
    recipe = write(tmp_path / "r.toml", RECIPE)
    source = Path(
        write(tmp_path / "t.conllu", run("convert", "example:ud", "-", "--to", "conllu").stdout)
    )
    given = ["--input", f"treebank={source}"]
    assert run("experiment", "run", recipe, "--into", tmp_path / "x", *given).returncode == 0
    assert run("experiment", "export", tmp_path / "x", "-o", tmp_path / "x.tar.gz").returncode == 0
    with tarfile.open(tmp_path / "x.tar.gz") as archive:
        archive.extractall(tmp_path / "y", filter="data")
    there = tmp_path / "y" / "study"
    assert (there / "inputs" / "treebank" / "t.conllu").is_file()
    again = run(
        "experiment",
        "run",
        "recipe.toml",
        "--into",
        ".",
        "--input",
        "treebank=inputs/treebank",
        "--output-format",
        "json",
        cwd=there,
    )
    assert again.returncode == 0, again.stderr
    assert {step["state"] for step in json.loads(again.stdout)["steps"]} == {"kept"}


def test_cleaning_removes_what_the_last_run_did_not_use(tmp_path):
    recipe = write(tmp_path / "r.toml", RECIPE)
    run("experiment", "run", recipe, "--into", tmp_path / "x")
    write(recipe, RECIPE.replace("seed = [1, 2]", "seed = [1]"))
    run("experiment", "run", recipe, "--into", tmp_path / "x")
    done = run("experiment", "clean", tmp_path / "x")
    assert done.stderr.startswith("7 outcomes removed")
    assert set(states(tmp_path / "x", recipe.read_text())) == {"kept"}
    assert_refused(run("experiment", "clean", tmp_path), "not a folder of an experiment")


@pytest.mark.parametrize("name", recipe_names())
def test_the_recipes_that_come_along_can_be_planned(name):
    recipe = find_recipe(name)
    elsewhere = [each for each, path in recipe.inputs.items() if not path.startswith("example:")]
    plan = planned(recipe, dict.fromkeys(elsewhere, "example:ptb"))
    assert plan.cells
    assert recipe.paper


@pytest.mark.parametrize("name", [name for name in recipe_names() if name.endswith("-small")])
def test_a_small_recipe_runs_through(tmp_path, name):
    done = run("experiment", "run", name, "--into", tmp_path / "x", "--quiet")
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "x" / "tables").glob("*.tex"))


SAMPLED = """title = "Samples of two folds"
[inputs]
treebank = "example:ud"
[matrix]
fold = [0, 1]
change = { none = { to = "ud" }, turned = { to = "sud" } }
[steps.moved]
do = "transform"
of = "treebank"
to = "{change.to}"
[steps.learn]
do = "part"
of = "moved"
every = 2
fold = "{fold}"
[steps.test]
do = "part"
of = "moved"
part = "test"
every = 2
fold = "{fold}"
[steps.bare]
do = "delexicalise"
of = "learn"
[steps.whole]
do = "filter"
of = "bare"
[steps.samples]
do = "validate"
systems = { "{change}" = ["learn", "test"] }
samples = 2
words = 60
settings = { iterations = 1 }
metrics = ["uas"]
[steps.all]
do = "runs"
gather = ["change", "fold"]
of = { "{change} {fold}" = "samples" }
names = { "turned" = "other" }
baseline = "none"
[[tables]]
name = "means"
of = "all"
rows = ["change"]
values = { "UAS" = "systems.none.metrics.uas", "k" = { of = "systems.none.metrics.uas.scores.3", times = 1, decimals = 1 }, "order" = "ranking.uas" }
"""


def test_the_runs_of_several_folds_become_those_of_one_system(tmp_path):
    plan = planned(recipe_of(SAMPLED, "r.toml"))
    outcomes = run_experiment(plan, tmp_path)
    assert {each.state for each in outcomes.values()} == {"done"}
    (grid,) = tables_of(plan, outcomes, tmp_path)["means"]
    (cell,) = plan.of_step("all")
    place = Store(tmp_path / "store").place(cell.digest)
    data = json.loads((place / "result.json").read_text(encoding="utf-8"))
    none = data["systems"][0]
    assert [each["name"] for each in data["systems"]] == ["none", "other"]
    assert len(none["metrics"]["uas"]["scores"]) == 4  # two samples of each fold
    assert none["metrics"]["uas"]["better"] is False
    mean, sd = (100 * none["metrics"]["uas"][name] for name in ("mean", "sd"))
    row = [entry.value for entry in grid.rows[0]]
    assert row[1:] == [
        f"{mean:.2f} ± {sd:.2f}",
        none["metrics"]["uas"]["scores"][3],
        data["ranking"]["uas"],
    ]


def test_a_place_that_cannot_be_shown_is_refused():
    for wrong in ("7", '{ of = "x", time = 2 }', "{ times = 1 }", '{ of = "x", times = "1" }'):
        text = RECIPE.replace('"systems.it.metrics.las.score"', wrong)
        with pytest.raises(InputError, match="must be a place in a result"):
            recipe_of(text, "r.toml")


def test_the_schema_of_recipes_accepts_those_that_come_along_and_refuses_what_is_unknown(tmp_path):
    import jsonschema

    run("experiment", "schema", "-o", tmp_path / "s.json")
    schema = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))
    check = jsonschema.Draft202012Validator(schema)
    for name in recipe_names():
        assert list(check.iter_errors(tomllib.loads(find_recipe(name).text))) == [], name
    for wrong in (
        RECIPE.replace("every = 4", "evry = 4"),
        RECIPE.replace('do = "part"', ""),
        RECIPE.replace("every = 4", "every = 1"),
        RECIPE.replace('part = "train"', 'part = "dev"'),
    ):
        assert not check.is_valid(tomllib.loads(wrong))


def test_a_recipe_that_needs_an_input_says_so():
    assert_refused(
        run("experiment", "show", "tsarfaty-2011"), "needs the input train: --input train=FILE"
    )
    assert_refused(run("experiment", "show", "nothing"), "not a bundled recipe; there are ")


def test_the_live_view_knows_what_runs_is_done_waits_and_failed():
    from commonground.cli.live_progress import states

    levels = planned(recipe_of(RECIPE, "r.toml")).levels()
    first, second = levels[0]
    assert states(levels, {}, 1)["learn"] + states(levels, {}, 1)["gold"] == {"runs": 1, "waits": 1}
    ended = {first.digest: "done", second.digest: "kept"}
    assert states(levels, ended, 2)["model"] == {"runs": 2, "waits": 2}
    ended |= {cell.digest: "failed" for cell in levels[1]} | {levels[2][0].digest: "left out"}
    result = states(levels, ended, 2)
    assert (result["model"], result["parse"]) == (
        {"failed": 4},
        {"failed": 1, "runs": 2, "waits": 1},
    )


FOLDS = """title = "Each treebank by its own parser"
[inputs]
ud = "example:ud"
trees = "example:ptb"
[matrix.treebank.UD]
gold = "ud"
parser = "arc-eager"
[matrix.treebank.LTH]
gold = "lth"
parser = "arc-hybrid"
[steps.lth]
do = "convert"
of = "trees"
rules = "lth"
[steps.parsed]
do = "cross-parse"
of = "{treebank.gold}"
parser = "{treebank.parser}"
folds = 2
gold_tags = true
settings = { iterations = 1 }
[steps.ground]
do = "compare"
gather = ["treebank"]
systems = { "{treebank}" = ["{treebank.gold}", "parsed"] }
[[tables]]
name = "ground"
of = "ground"
title = "Ground"
rows = ["treebank"]
best = "column"
values = { "UAS" = "systems.{treebank}.native.{treebank}.uas.score", "U" = "systems.{treebank}.multiple.unlabelled" }
"""


@pytest.fixture(scope="module")
def folds(tmp_path_factory):
    folder = tmp_path_factory.mktemp("folds")
    recipe = write(folder / "folds.toml", FOLDS)
    done = run("experiment", "run", recipe, "--into", folder / "study", "--output-format", "tsv")
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


def test_what_an_axis_says_can_name_the_step_or_input_that_is_taken(folds):
    plan = planned(recipe_of(FOLDS, "folds.toml"))
    parsed = {cell.axes["treebank"]: cell for cell in plan.of_step("parsed")}
    assert [need.name for need in parsed["UD"].needs] == ["ud"]
    assert [need.step for need in parsed["LTH"].needs] == ["lth"]
    wrong = FOLDS.replace('gold = "lth"', 'gold = "nothing"')
    with pytest.raises(InputError, match="takes 'nothing', which is neither an input nor a step"):
        planned(recipe_of(wrong, "folds.toml"))


def test_every_sentence_is_parsed_by_a_model_that_has_not_seen_it(folds):
    folder, _ = folds
    study = Store(folder / "study" / "store")
    (place,) = [
        place for place, about in study.kept()
        if about["step"] == "parsed" and about["axes"]["treebank"] == "UD"
    ]  # fmt: skip
    parsed, gold = cg.read(place / "treebank.conllu"), cg.read("example:ud")
    assert parsed.form.tolist() == gold.form.tolist()
    assert 0.3 < cg.evaluate(gold, parsed)["uas"].value < 0.95


def test_a_table_finds_values_by_the_axis_of_its_row(folds):
    _, printed = folds
    rows = [line.split("\t") for line in printed.splitlines() if line.startswith(("UD", "LTH"))]
    assert [row[0] for row in rows] == ["UD", "LTH"]
    assert all(30 < float(value) < 100 for row in rows for value in row[1:])


def test_the_page_of_a_study_has_its_tables_and_looks_into_its_results(folds):
    folder, _ = folds
    page = (folder / "study" / "report.html").read_text(encoding="utf-8")
    assert page.count("<h1>Each treebank by its own parser</h1>") == 1
    assert "<h3>Ground</h3>" in page or ">Ground</h" in page
    assert "Comparison of UD, LTH" in page
    assert "cannot be read" not in page


def test_the_best_of_a_table_is_of_rows_or_of_columns():
    with pytest.raises(InputError, match="best of the table ground must be 'row', 'column' or ''"):
        recipe_of(FOLDS.replace('"column"', '"all"'), "folds.toml")


PROJECTION = """title = "Projected trees"
[inputs]
english = "example:ud"
other = "example:sud"
[steps.links]
do = "align"
source = "english"
target = "other"
[steps.trees]
do = "project"
source = "english"
target = "other"
links = "links"
[[tables]]
name = "fragments"
of = "trees"
title = "Fragmentation"
"""


def test_trees_are_aligned_and_projected_in_a_recipe(tmp_path):
    recipe = write(tmp_path / "projection.toml", PROJECTION)
    done = run("experiment", "run", recipe, "--into", tmp_path / "study")
    assert done.returncode == 0, done.stderr
    assert "words/frag" in done.stdout
    assert list((tmp_path / "study").rglob("links.align"))


CONFIDENCE = (
    PROJECTION.replace('do = "align"', 'do = "align"\nprobabilities = true').replace(
        'do = "project"', 'do = "project"\nwith_confidence = true'
    )
    + """[steps.model]
do = "train"
of = "trees"
weights = "Confidence"
gold_tags = true
"""
)


def test_a_recipe_hands_the_confidence_in_links_on_to_the_training(tmp_path):
    recipe = write(tmp_path / "confidence.toml", CONFIDENCE)
    done = run("experiment", "run", recipe, "--into", tmp_path / "study")
    assert done.returncode == 0, done.stderr
    [links] = (tmp_path / "study").rglob("links.align")
    assert re.search(r"0-0:0?\.\d+|0-0:1", links.read_text())
    trees = read(next((tmp_path / "study").rglob("treebank.*")), partial=True)
    confidences = [misc for misc in trees.words.strings("misc").tolist() if "Confidence=" in misc]
    assert len(confidences) > 500
    assert list((tmp_path / "study").rglob("model"))


def test_what_an_encoder_is_depends_on_all_files_of_its_folder(tmp_path):
    folder = tmp_path / "encoder"
    folder.mkdir()
    files = [write(folder / name, "1") for name in ("config.json", "model.safetensors")]
    before = RecipeInput("encoder", str(folder)).digest
    for file in files:
        write(file, "2")
        after = RecipeInput("encoder", str(folder)).digest
        assert after != before
        before = after


MINING = """title = "Mined items"
[inputs]
treebank = "example:ud"
[steps.mined]
do = "mine"
of = "treebank"
sample = 2
[steps.contents]
do = "phenomena-info"
gold = "mined"
[steps.recall]
do = "phenomena"
gold = "mined"
outputs = { "gold" = "mined", "graph" = "mined" }
mappings = { "gold" = "ud" }
[[tables]]
name = "recall"
of = "recall"
[[figures]]
name = "figure"
of = "recall"
kind = "phenomena"
"""


def test_phenomena_are_mined_scored_and_drawn_in_a_recipe(tmp_path):
    recipe = write(tmp_path / "mining.toml", MINING)
    done = run("experiment", "run", recipe, "--into", tmp_path / "study")
    assert done.returncode == 0, done.stderr
    assert "mappings:ud,ud-enhanced" in done.stdout
    assert (tmp_path / "study" / "figures" / "figure.svg").read_bytes().startswith(b"<svg")
    (items,) = (tmp_path / "study" / "store").rglob("phenomena.tsv")
    sentences = cg.read(items.parent / "treebank.conllu").sent_id.tolist()
    texts = items.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    assert sentences == [line.split("\t")[0] for line in texts]


def test_a_figure_that_cannot_be_drawn_says_why_and_the_rest_is_there(tmp_path):
    unknown = MINING.replace('kind = "phenomena"', 'kind = "nothing"')
    recipe = write(tmp_path / "mining.toml", unknown)
    done = run("experiment", "run", recipe, "--into", tmp_path / "study")
    assert done.returncode == 0
    assert "the figure figure was not drawn: there is no plot 'nothing'" in done.stderr


def test_an_archive_tells_how_it_is_run_again_and_is_from_elsewhere(tmp_path, monkeypatch):
    corpus = cg.read("example:ud")
    for name, part in (("a", corpus[:32]), ("b", corpus[32:])):
        (tmp_path / name).mkdir()
        cg.write(part, tmp_path / name / "x.conllu")
    recipe = write(tmp_path / "mining.toml", MINING)
    monkeypatch.chdir(tmp_path)
    given = ["--input", "treebank=*/x.conllu"]
    assert run("experiment", "run", recipe, "--into", "study", *given).returncode == 0
    assert (tmp_path / "study" / "tables" / "recall.csv").is_file()
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    assert run("experiment", "export", "../study", "-o", "study.tar.gz").returncode == 0
    with tarfile.open("study.tar.gz") as archive:
        archive.extractall(filter="data")
    monkeypatch.chdir(tmp_path / "other" / "study")
    assert str(tmp_path) not in Path("study.json").read_text(encoding="utf-8")
    readme = Path("README.txt").read_text(encoding="utf-8")
    (line,) = (line for line in readme.splitlines() if "experiment run" in line)
    again = run_line(f"{line.strip()} --output-format json", ".")
    assert again.returncode == 0, again.stderr
    assert {step["state"] for step in json.loads(again.stdout)["steps"]} == {"kept"}


def test_the_folder_of_a_study_shows_what_is_done_in_it_and_why_something_failed(tmp_path):
    recipe = write(tmp_path / "mining.toml", MINING.replace('"ud" }', '"nothing" }'))
    done = run("experiment", "run", recipe, "--into", tmp_path / "study", "--quiet")
    assert done.returncode == 2
    data = json.loads(
        run("experiment", "show", tmp_path / "study", "--output-format", "json").stdout
    )
    assert {step["step"]: step["state"] for step in data["steps"]} == {
        "mined": "done",
        "contents": "done",
        "recall": "failed",
    }
    assert "nothing" in data["steps"][-1]["reason"]
    assert run("experiment", "show", tmp_path / "study", "--text").stdout.startswith("title")


def test_what_a_step_can_choose_is_what_there_is():
    def choices(kind, name):
        return set(find_kind(kind).options[name].schema["enum"])

    assert choices("align", "way") == {*WAYS, *EMBEDDING_WAYS}
    assert choices("align", "aligner") == set(ALIGNERS)
    assert choices("evaluate", "correction") == set(CORRECTIONS)
    assert choices("evaluate", "alternative") == set(ALTERNATIVES)
    assert choices("compare", "protocol") == set(PROTOCOLS)
    assert choices("compare", "subsets") == set(SUBSETS)
    assert choices("compare", "labels") == set(LABELS)
    assert choices("projectivize", "encoding") == {BASELINE, *ENCODINGS}
    assert choices("train", "encoding") == {BASELINE, *ENCODINGS, "none"}

"""Other values for the axes of a recipe, chosen on the command line."""

from __future__ import annotations

import json

import pytest
from command import assert_refused, run, write

from commonground.errors import InputError, UsageError
from commonground.experiments import find_recipe, planned
from commonground.experiments.outside import outside_uses, refuse_programs
from commonground.experiments.recipe import is_bundled, recipe_of, with_choices

RECIPE = """title = "Branching"
[inputs]
treebank = "example:ud"
[matrix]
parser = ["right-branching", "left-branching"]
row = ["{parser}", "gold/{parser}"]
[steps.model]
do = "train"
of = "treebank"
parser = "{parser}"
tags = "gold"
[steps.parse]
do = "parse"
model = "model"
of = "treebank"
[steps.scores]
do = "evaluate"
gather = ["parser"]
gold = "treebank"
parses = { "{parser}" = "parse" }
metrics = ["uas"]
test = "shuffle"
[[tables]]
name = "scores"
of = "scores"
rows = ["row"]
values = { "UAS" = "systems.{row}.metrics.uas.score" }
"""


def test_an_axis_in_braces_stands_for_all_of_its_values():
    recipe = recipe_of(RECIPE, "r.toml")
    assert recipe.matrix["row"] == (
        "right-branching", "left-branching", "gold/right-branching", "gold/left-branching",
    )  # fmt: skip


@pytest.mark.parametrize("value", ["{row}", "{nothing}", "{parser}{seed}"])
def test_braces_name_one_other_axis(value):
    text = RECIPE.replace('"gold/{parser}"', f'"{value}"').replace("[matrix]", "[matrix]\nseed=[1]")
    with pytest.raises(InputError, match=r"r.toml:7: .*must name one other axis"):
        recipe_of(text, "r.toml")


def test_a_choice_is_a_recipe_of_its_own_that_follows_in_all_axes():
    recipe = with_choices(recipe_of(RECIPE, "r.toml"), {"r.parser": ["nearest"]})
    assert recipe.matrix == {"parser": ("nearest",), "row": ("nearest", "gold/nearest")}
    assert recipe_of(recipe.text, "r.toml").matrix == recipe.matrix
    with pytest.raises(UsageError, match="no axis 'x'; it has parser, row"):
        with_choices(recipe, {"x": ["y"]})
    with pytest.raises(UsageError, match="say things of themselves"):
        with_choices(find_recipe("schwartz-2011-small"), {"algorithm": ["km04"]})
    some = with_choices(find_recipe("spreyer-2010"), {"language": ["Dutch"]})
    assert some.matrix["language"] == ("Dutch",)
    assert set(some.inputs) == {"en", "de", "it", "nl"}  # others are still projected
    with pytest.raises(UsageError, match="no value 'Danish'; it has Dutch, Italian"):
        with_choices(find_recipe("spreyer-2010"), {"language": ["Danish"]})


def test_what_the_user_names_may_run_and_what_a_stranger_names_may_not():
    chosen = with_choices(find_recipe("tsarfaty-2012-small"), {"dependency": ["malt"]})
    assert is_bundled(chosen)
    plan = planned(chosen)
    assert [use.what for use in outside_uses(plan) if use.runs] == ["program"]
    refuse_programs(plan)
    assert not is_bundled(recipe_of(chosen.text, chosen.path))


def test_a_column_stays_where_only_one_parser_is_chosen(tmp_path):
    path = write(tmp_path / "r.toml", RECIPE)
    done = run("experiment", "run", path, "--into", tmp_path / "s", "--parser", "nearest")
    assert done.returncode == 0, done.stderr
    rows = (tmp_path / "s" / "tables" / "scores.tsv").read_text("utf-8").splitlines()
    assert float(rows[1].split("\t")[1]) > 10
    again = run("experiment", "show", tmp_path / "s", "--text")
    assert 'parser = ["nearest"]' in again.stdout
    plan = run("experiment", "show", path, "--choose", "parser=nearest,random",
               "--output-format", "json")  # fmt: skip
    assert sum(each["do"] == "train" for each in json.loads(plan.stdout)["steps"]) == 2


def test_parsers_need_their_axis_where_there_are_several():
    assert_refused(
        run("experiment", "show", "tsarfaty-2012-small", "--parser", "malt"),
        "axes of parsers in this recipe are dependency and constituency; write AXIS=NAME",
    )


def test_a_choice_without_a_value_is_refused(tmp_path):
    path = write(tmp_path / "r.toml", RECIPE)
    assert_refused(
        run("experiment", "show", path, "--parser", "parser="), "write AXIS=VALUE or AXIS=VALUE,"
    )

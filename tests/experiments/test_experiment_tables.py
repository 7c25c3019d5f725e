"""Comparisons laid out as the papers lay them out."""

from pathlib import Path

import pytest

import commonground.experiments
from commonground.corpus.interleaving import interleaved
from commonground.errors import InputError
from commonground.evaluation.compare import compare
from commonground.experiments import planned, run_experiment
from commonground.experiments.recipe import recipe_of
from commonground.experiments.tables import tables_of
from commonground.formats import read
from commonground.ground.inventory import hub_trees
from commonground.report.views.comparison_2011 import DAGGER, experiments_grid
from commonground.schemes.transform import transform

RECIPES = Path(commonground.experiments.__file__).parent / "recipes"
UD, PARSE = read("example:ud"), read("example:ud-parse")


@pytest.fixture(scope="module")
def grid():
    systems = {"ud": (UD, PARSE)}
    for name in ("sud", "prague"):
        gold, parse = (transform(side, "ud", name)[0] for side in (UD, PARSE))
        systems[name] = (gold, parse)
    comparison = compare(systems, protocol="2011")
    return experiments_grid(comparison, "shuffle", iterations=200, correction="none")


def test_rows_are_gold_standards_then_pairs_then_all(grid):
    rows = [(row[0].value, row[1].value) for row in grid.rows]
    metrics = ["UAS", "LAS", "U-TED", "L-TED"]
    assert rows[:12] == [(gold, metric) for gold in ("ud", "sud", "prague") for metric in metrics]
    pairs = ["ud + sud", "ud + prague", "sud + prague", "ud + sud + prague"]
    assert rows[12:] == [(pair, metric) for pair in pairs for metric in metrics[2:]]


def test_only_the_two_systems_of_a_pair_are_in_its_row(grid):
    (row,) = (row for row in grid.rows if [c.value for c in row[:2]] == ["ud + prague", "U-TED"])
    assert [cell.value is None for cell in row[2:]] == [False, True, False]


def test_the_best_of_a_row_is_bold_and_small_differences_have_a_dagger(grid):
    for row in grid.rows:
        known = [cell for cell in row[2:] if cell.value is not None]
        assert [c.bold for c in known] == [c.value == max(k.value for k in known) for c in known]
    own = grid.rows[0]  # UAS on the trees of UD: the others are far behind
    assert not own[2].mark
    assert own[2].bold
    last = grid.rows[-2]
    assert all(cell.mark == DAGGER for cell in last[2:])


RECIPE = """title = "Realized"
[inputs]
trees = "example:ptb"
ud = "example:ud"
[steps.rr]
do = "realize"
of = "trees"
[steps.both]
do = "compare"
systems = { "rr" = ["rr", "rr"], "ud" = ["ud", "ud"] }
layout = "LAYOUT"
[[tables]]
name = "both"
of = "both"
"""


def test_a_recipe_can_make_function_nodes_and_lay_out_a_comparison(tmp_path):
    plan = planned(recipe_of(RECIPE.replace("LAYOUT", "experiments"), "r.toml"))
    outcomes = run_experiment(plan, tmp_path)
    grids = tables_of(plan, outcomes, tmp_path)["both"]
    assert [cell.value for cell in grids[0].rows[-1]] == ["rr + ud", "L-TED", 100.0, 100.0]


def test_an_unknown_layout_is_refused_before_anything_is_done():
    with pytest.raises(InputError, match="'layout' of both: it is 'round'; it must be 'systems'"):
        planned(recipe_of(RECIPE.replace("LAYOUT", "round"), "r.toml"))


def test_function_nodes_become_labels_of_the_hub_like_dash_tags():
    trees = read("example:ptb")
    dashed, realized = hub_trees(trees, "penn"), hub_trees(interleaved(trees), "penn")
    assert {pair: n for pair, n in dashed.mapping.items() if "-" in pair[0]} == dict(
        realized.mapping
    )
    assert realized.known == dashed.known


UNIFIED = """
title = "labels of dependencies on constituents"
[inputs]
trees = "example:ptb"
[steps.arcs]
do = "convert"
of = "trees"
rules = "stanford"
[steps.gold]
do = "label-unify"
of = "trees"
labels = "arcs"
functions = []
"""


def test_the_gold_standard_of_the_frameworks_has_no_label_that_no_parse_can_have(tmp_path):
    """⊔tl gives phrases the labels of dependencies; Figure 4 of the paper has no SBJ, LOC, TMP."""
    run_experiment(planned(recipe_of(UNIFIED, "r.toml")), tmp_path)
    [made] = tmp_path.rglob("treebank.functions")
    labels = set(read(made).label.vocabulary)
    assert {"nsubj", "obj", "dobj"} & labels
    assert not {"SBJ", "LOC", "TMP"} & labels
    for name in ("tsarfaty-2012", "tsarfaty-2012-small"):
        text = (RECIPES / f"{name}.toml").read_text(encoding="utf-8")
        assert text.count("label-unify") == text.count("functions = []") == 2

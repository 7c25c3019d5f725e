"""Whole studies: recipes that prepare, train, parse, evaluate and tabulate; resumable.

A *recipe* is a TOML file. Its steps form a graph; a step that mentions an axis of the recipe's
matrix is done once for each value of it. What a step makes is kept in a store under a digest of all
that it depends on, so that a second run does only what has changed.
"""

from __future__ import annotations

from commonground.experiments.plan import MatrixCell, Plan, planned
from commonground.experiments.recipe import Recipe, find_recipe, read_recipe, recipe_names
from commonground.experiments.run import CellOutcome, run_experiment

__all__ = [
    "CellOutcome",
    "MatrixCell",
    "Plan",
    "Recipe",
    "find_recipe",
    "planned",
    "read_recipe",
    "recipe_names",
    "run_experiment",
]

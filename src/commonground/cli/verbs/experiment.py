"""``commonground experiment``: whole studies, from recipes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from commonground.cli.options import output_options, run_options
from commonground.cli.output import show
from commonground.cli.output_files import OUTPUT
from commonground.cli.remarks import remark
from commonground.errors import UsageError

if TYPE_CHECKING:
    from commonground.experiments.plan import Plan
    from commonground.experiments.recipe import Recipe
    from commonground.experiments.run import CellOutcome, Estimate


@click.group(no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Run a whole study from a recipe, and resume it.

    A recipe says how treebanks are prepared, which parsers are trained on them, how their parses
    are scored, and which tables are made. Everything is kept in one folder; steps whose outcome is
    already there are not repeated.

    \b
    Examples:
      commonground experiment list
      commonground experiment show schwartz-2011-small
      commonground experiment run schwartz-2011-small --into study
    """


@command.command("list")
@output_options
@run_options()
def list_recipes(*, output_format: str, output: str) -> None:
    """List the recipes that can be named."""
    from commonground.experiments.recipe import find_recipe, recipe_names, recipe_plugins
    from commonground.report.views.packages import packages_of_names, with_packages
    from commonground.report.views.recipes import recipes_grid

    recipes = {name: find_recipe(name) for name in recipe_names()}
    packages = packages_of_names(recipe_plugins())
    data = {
        "recipes": [
            {
                "name": name,
                "title": each.title,
                "paper": each.paper,
                "inputs": dict(each.inputs),
                **packages.get(name, {}),
            }
            for name, each in recipes.items()
        ]
    }
    rows = [(name, each.title, tuple(each.inputs)) for name, each in recipes.items()]
    grid = with_packages(recipes_grid(rows), recipe_plugins())
    show(output, output_format, data=data, grids=[grid])


@command.command("schema")
@click.option(
    "-o", "--output", metavar="FILE", type=OUTPUT, default="-", help="Write the schema to FILE."
)
@run_options()
def show_schema(*, output: str) -> None:
    """Print the JSON schema of recipes, for editors that complete and check TOML.

    \b
    Examples:
      commonground experiment schema -o recipe.schema.json
    """
    from commonground.experiments.schema import recipe_schema
    from commonground.formats.storage.files import write_bytes
    from commonground.streamed_json import json_text

    write_bytes(output, [json_text(recipe_schema()).encode()])


_inputs_option = click.option(
    "--input",
    "inputs",
    metavar="NAME=FILE",
    multiple=True,
    help="Use another treebank for an input of the recipe: a file, a folder or a pattern.",
)


def _choices_option(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options that choose other values for the axes of a recipe."""
    choose = click.option(
        "--choose",
        "choices",
        metavar="AXIS=VALUE,…",
        multiple=True,
        help="Use other values on an axis of the recipe.",
    )
    parsers = click.option(
        "--parser",
        "parsers",
        metavar="NAME,…",
        multiple=True,
        help="Use other parsers; AXIS=NAME,… if the recipe has several axes of parsers.",
    )
    return choose(parsers(function))


@command.command("show")
@click.argument("recipe", metavar="RECIPE|DIR")
@_inputs_option
@_choices_option
@click.option("--into", "folder", metavar="DIR", default="", help="Show what is done in DIR.")
@click.option("--text", is_flag=True, help="Print the recipe itself.")
@output_options
@run_options()
def show_recipe(
    recipe: str,
    *,
    inputs: Sequence[str],
    choices: Sequence[str],
    parsers: Sequence[str],
    folder: str,
    text: bool,
    output_format: str,
    output: str,
) -> None:
    """Show the steps of a recipe, which are done, and what the others may cost.

    The second table lists the programs and jars that it runs and the files that it reads. Give the
    folder of a study instead of a recipe to see its last run.

    \b
    Examples:
      commonground experiment show schwartz-2011-small
      commonground experiment show schwartz-2011-small --text
      commonground experiment run schwartz-2011-small --into study && \
commonground experiment show study
    """
    if text:
        from commonground.experiments.study import is_study

        place = f"{recipe}/recipe.toml" if is_study(recipe) else recipe
        source = _chosen(place, choices, parsers)
        from commonground.formats.storage.files import write_bytes

        write_bytes(output, [source.text.encode()])
        return
    _show_plan(recipe, inputs, choices, parsers, folder, output_format, output)


def _show_plan(
    recipe: str,
    inputs: Sequence[str],
    choices: Sequence[str],
    parsers: Sequence[str],
    folder: str,
    output_format: str,
    output: str,
) -> None:
    from pathlib import Path

    from commonground.experiments.outside import outside_uses
    from commonground.experiments.plan import planned
    from commonground.experiments.run import estimates
    from commonground.experiments.study import is_study, kept_plan
    from commonground.report.views.recipes import outside_grid, plan_grid

    failed: dict[str, str] = {}
    if is_study(recipe) and not (inputs or folder or choices or parsers):
        plan, failed = kept_plan(Path(recipe))
        folder = recipe
    else:
        plan = planned(_chosen(recipe, choices, parsers), _named(inputs))
    foreseen = plan.foreseen()
    rows = [
        (each.cell.title, each.cell.do, _state(each, failed, foreseen), each.seconds)
        for each in estimates(plan, Path(folder or "."))
    ]
    failed = {
        title: failed.get(title) or foreseen[title]
        for title, _, state, _ in rows
        if state in ("failed", "will fail")
    }
    keys = ("step", "do", "state", "seconds")
    steps = [
        {**dict(zip(keys, row, strict=True)), "reason": failed.get(row[0], "")} for row in rows
    ]
    uses = outside_uses(plan)
    outside = [(use.step, use.what, use.name, use.runs) for use in uses]
    grids = [plan_grid(plan.recipe.title, rows, failed)]
    grids += [outside_grid(outside)] if outside else []
    names = ("step", "what", "name", "runs")
    listed = [dict(zip(names, row, strict=True)) for row in outside]
    show(output, output_format, data={"steps": steps, "outside": listed}, grids=grids)


def _state(each: Estimate, failed: Mapping[str, str], foreseen: Mapping[str, str]) -> str:
    if each.kept:
        return "done"
    title = each.cell.title
    return "failed" if title in failed else "will fail" if title in foreseen else "to do"


@command.command("run")
@click.argument("recipe", metavar="RECIPE")
@click.option("--into", "folder", metavar="DIR", required=True, help="The folder of the study.")
@_inputs_option
@_choices_option
@click.option(
    "--dry-run", is_flag=True, help="Only show what would be done, and what it would cost."
)
@click.option(
    "--allow-programs",
    is_flag=True,
    help="Let the recipe run programs, jars and models; 'experiment show' lists them.",
)
@output_options
@run_options("jobs", "quiet")
def run_recipe(
    recipe: str,
    *,
    folder: str,
    inputs: Sequence[str],
    choices: Sequence[str],
    parsers: Sequence[str],
    dry_run: bool,
    allow_programs: bool,
    output_format: str,
    output: str,
    jobs: int,
    quiet: bool,
) -> None:
    """Run a recipe: a bundled one by its name, or a file.

    The tables are printed and written to DIR/tables as text, Markdown, LaTeX, TSV, CSV and HTML,
    figures to DIR/figures, and DIR/report.html is a page with all of them and the results behind
    them. A step that fails is shown in the tables with its reason; the exit code is then 2. A
    recipe from a file that runs programs is run only if you agree, in the terminal or with
    --allow-programs.

    \b
    Examples:
      commonground experiment run schwartz-2011-small --into study
      commonground experiment run schwartz-2011-small --into study --dry-run
      commonground experiment run tsarfaty-2012-small --into study --parser dependency=arc-eager
    """
    if dry_run:
        _show_plan(recipe, inputs, choices, parsers, folder, output_format, output)
        return
    from pathlib import Path

    from commonground.cli.live_progress import live_view
    from commonground.engine import engine_for
    from commonground.experiments.figures import write_figures
    from commonground.experiments.outside import refuse_programs
    from commonground.experiments.plan import planned
    from commonground.experiments.report import write_study_page
    from commonground.experiments.run import mixture, run_experiment
    from commonground.experiments.study import kept_study
    from commonground.experiments.tables import tables_of, write_tables

    plan = planned(_chosen(recipe, choices, parsers), _named(inputs))
    allowed = allow_programs or _agreed(plan)
    if not allowed:
        refuse_programs(plan)
    place = Path(folder)
    kept_study(plan, {}, place)
    engine = engine_for(jobs)
    with live_view(plan, workers=engine.workers, quiet=quiet) as advance:

        def tell(outcome: CellOutcome) -> None:
            advance(outcome)
            if outcome.state == "failed" and not quiet:
                remark(f"{outcome.cell.title}: {outcome.reason}")

        outcomes = run_experiment(plan, place, engine=engine, watch=tell, allow_programs=allowed)
    tables = tables_of(plan, outcomes, place)
    write_tables(tables, place)
    write_study_page(plan, outcomes, tables, place)
    for name, reason in write_figures(plan, outcomes, place).items():
        if not quiet:
            remark(f"the figure {name} was not drawn: {reason}")
    kept_study(plan, outcomes, place)
    if not quiet and (mixed := mixture(outcomes)):
        hint = f"'commonground experiment clean --all {folder}' makes the next run do them again"
        remark(f"{mixed}; {hint}")
    data = {"recipe": plan.recipe.path, "tables": sorted(tables), "steps": [
        {"step": o.cell.title, "state": o.state, "reason": o.reason} for o in outcomes.values()
    ]}  # fmt: skip
    show(output, output_format, data=data, grids=[g for each in tables.values() for g in each])
    failed = [outcome for outcome in outcomes.values() if outcome.state == "failed"]
    if failed:
        raise UsageError(f"{len(failed)} of {len(outcomes)} steps failed; the others are done")


def _agreed(plan: Plan) -> bool:
    """Ask, in a terminal, whether a recipe may run what it runs."""
    import sys

    from commonground.experiments.outside import outside_uses
    from commonground.experiments.recipe import is_bundled

    run = [use for use in outside_uses(plan) if use.runs]
    if not (run and not is_bundled(plan.recipe) and sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    remark(f"This recipe runs: {', '.join(f'{use.what} {use.name}' for use in run)}")
    return click.confirm("Do you trust whoever wrote it?", err=True)


@command.command("clean")
@click.argument("folder", metavar="DIR")
@click.option("--all", "everything", is_flag=True, help="Also remove what the last run used.")
@run_options("quiet")
def clean_folder(folder: str, *, everything: bool, quiet: bool) -> None:
    """Remove outcomes that the last run did not use."""
    from pathlib import Path

    from commonground.experiments.study import clean

    number, size = clean(Path(folder), everything=everything)
    if not quiet:
        remark(f"{number} outcomes removed, {size / 1e6:.1f} MB")


@command.command("export")
@click.argument("folder", metavar="DIR")
@click.option(
    "-o", "--output", metavar="FILE.tar.gz", type=OUTPUT, required=True, help="The archive."
)
@run_options()
def export_folder(folder: str, *, output: str) -> None:
    """Pack a study so that a reviewer can rerun it: recipe, inputs, tables and outcomes.

    Inputs from outside DIR are copied and named. No path of this computer is in the archive, but
    those in the recipe that are no inputs (of a jar), which are named, too.
    """
    from pathlib import Path

    from commonground.experiments.study import export

    for line in export(Path(folder), output):
        remark(line)


def _chosen(recipe: str, choices: Sequence[str], parsers: Sequence[str]) -> Recipe:
    """Return a recipe with the values that were chosen for its axes."""
    from commonground.experiments.recipe import find_recipe, parser_axis, with_choices

    source = find_recipe(recipe)
    named = [text if "=" in text else f"{parser_axis(source)}={text}" for text in parsers]
    chosen = {}
    for text in (*choices, *named):
        axis, equals, values = text.partition("=")
        names = [name.strip() for name in values.split(",") if name.strip()]
        if not (axis and equals and names):
            raise UsageError(f"{text!r} is no choice; write AXIS=VALUE or AXIS=VALUE,VALUE")
        chosen[axis] = names
    return with_choices(source, chosen) if chosen else source


def _named(inputs: Sequence[str]) -> dict[str, str]:
    by_name = {}
    for text in inputs:
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise UsageError(f"{text!r} is not an input; write NAME=FILE")
        by_name[name] = path
    return by_name

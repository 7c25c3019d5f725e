"""``commonground test``: tests between saved results, without the treebanks."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from commonground.cli.options import named, output_options, run_options, signature_option
from commonground.cli.results import show_result
from commonground.cli.significance import claims_for, parts, plan_tests, significance_options
from commonground.errors import UsageError

if TYPE_CHECKING:
    from commonground.evaluation.combined_results import CombinedResults
    from commonground.evaluation.result import Result, System
    from commonground.statistics.claims import Claims


@click.command()
@click.argument("results", metavar="RESULT…", nargs=-1, required=True)
@click.option("--metrics", metavar="NAME,…", multiple=True, help="Test only these metrics.")
@click.option(
    "--on-mismatch",
    type=click.Choice(["fail", "skip"]),
    default="fail",
    show_default=True,
    help="What to do if systems have different sentences: fail, or skip those that not all have.",
)
@click.option("--force", is_flag=True, help="Test even if signatures or gold standards differ.")
@click.option(
    "--runs",
    is_flag=True,
    help="RESULT is NAME=RUN,RUN… with a saved result for each training run of a system, "
    "NAME=FILE with a number for each run, or NAME=MEAN:SD:COUNT; --test can be welch (the "
    "default), student, permutation, or paired if the runs are in pairs.",
)
@significance_options
@output_options
@signature_option
@run_options("jobs", "seed", "quiet")
@click.pass_context
def command(
    context: click.Context,
    /,
    results: Sequence[str],
    *,
    runs: bool,
    **options: Any,
) -> None:
    """Test whether systems differ, from saved results.

    RESULT is a file written by evaluate or compare with --output-format json, or NAME=FILE to name
    its system. All systems of all files are tested against each other, with the shuffling test
    unless --test names another; the treebanks are not needed.

    \b
    Examples:
      commonground test --runs nl=69.21:0.58:10 it=66.44:0.29:10 --test student
      commonground evaluate example:ud a=example:ud-parse b=example:ud --output-format json | \
commonground test -
    """
    if runs:
        _runs(context, results, options)
        return
    from commonground.evaluation.combined_results import combine_results
    from commonground.evaluation.saved import read_result
    from commonground.formats.storage.files import shown

    files = named(results, "results")
    saved = {shown(name): read_result(path) for name, path in files.items()}
    combined = combine_results(saved, force=options["force"])
    metrics = parts(options["metrics"])
    systems = combined.systems if metrics else combined.tested
    tested: Sequence[System] = systems
    asked = plan_tests(options, default="shuffle")
    if asked is not None:
        from commonground.statistics.units import with_units

        tested, asked = with_units(systems, combined.files, asked, options["resample"])
    claims = claims_for(
        tested,
        asked,
        metrics=metrics,
        skip=options["on_mismatch"] == "skip",
        same_gold=not options["force"],
        jobs=options["jobs"],
        quiet=options["quiet"],
    )
    result = _tested(combined, systems, claims)
    show_result(
        result,
        context,
        lambda: result.grids(verdict=False),
        treebanks={"results": files},
        files=files.values,
    )


def _tested(combined: CombinedResults, systems: Sequence[System], claims: Claims | None) -> Result:
    """Return the claims with the scores that they are about; without any, these alone."""
    from commonground.evaluation.result import System
    from commonground.evaluation.scores import Evaluation

    if claims is None:
        return Evaluation.of_files(combined.signature, systems, combined.files)

    def shown(system: System) -> System:
        scores = {name: system[name] for name in claims.metrics}
        return System(system.name, scores, system.skipped)

    files = {name: tuple(map(shown, each)) for name, each in combined.files.items()}
    about = Evaluation.of_files(combined.signature, tuple(map(shown, systems)), files)
    return replace(claims, about=about)


# ── training runs ────────────────────────────────────────────────────────────────────────────────


def _runs(context: click.Context, results: Sequence[str], options: dict[str, Any]) -> None:
    from commonground.statistics.run_claims import all_runs, read_runs

    refused = [name for name in ("resample", "method", "power") if options[name]]
    if refused:
        flag = {"method": "interval"}.get(refused[0], refused[0])
        raise UsageError(f"--{flag} has no effect on runs")
    sources = named(results, "systems")
    given = {
        name: options[name]
        for name in ("iterations", "alternative", "correction", "confidence")
        if options[name] is not None
    }
    runs = read_runs(sources, force=options["force"])
    tests = parts(options["tests"]) or ["welch"]
    claims = all_runs(runs, parts(options["metrics"]), tests, seed=options["seed"], **given)
    files = [file for source in sources.values() for file in source.split(",")]
    show_result(
        claims, context, treebanks={"runs": sources}, files=lambda: filter(os.path.isfile, files)
    )

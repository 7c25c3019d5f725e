"""``commonground test``: tests between saved results, without the treebanks."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from commonground.cli.options import named, output_options, run_options, signature_option
from commonground.cli.output import show
from commonground.cli.significance import (
    claims_for,
    parts,
    plan_tests,
    significance_options,
    with_claims,
)
from commonground.errors import UsageError

if TYPE_CHECKING:
    from commonground.evaluation.combined_results import Together
    from commonground.evaluation.result import System
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
    "default), student or permutation.",
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
    output: str,
    output_format: str,
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
        _runs(context, results, output, output_format, options)
        return
    from commonground.evaluation.combined_results import together
    from commonground.evaluation.saved import read_result
    from commonground.formats.storage.files import shown

    files = named(results, "results")
    saved = {shown(name): read_result(path) for name, path in files.items()}
    found = together(saved, force=options["force"])
    metrics = parts(options["metrics"])
    systems = found.systems if metrics else found.tested()
    tested: Sequence[System] = systems
    asked = plan_tests(options, default="shuffle")
    if asked is not None:
        from commonground.statistics.units import with_units

        tested, asked = with_units(systems, found.files, asked, options["resample"])
    claims = claims_for(
        tested,
        asked,
        metrics=metrics,
        skip=options["on_mismatch"] == "skip",
        same_gold=not options["force"],
        jobs=options["jobs"],
        quiet=options["quiet"],
    )
    _show(context, found, systems, claims, files, output, output_format)


def _show(
    context: click.Context,
    found: Together,
    systems: Sequence[System],
    claims: Claims | None,
    files: dict[str, str],
    output: str,
    output_format: str,
) -> None:
    from commonground.evaluation.result import System
    from commonground.evaluation.scores import Evaluation

    tested = claims.metrics if claims else systems[0].scores
    shown = tuple(
        System(system.name, {name: system[name] for name in tested}, system.skipped)
        for system in systems
    )
    result = Evaluation.of_files(found.signature, shown, found.files)
    if output_format == "json":
        from commonground.cli.request import request_json

        request = request_json(context, {"results": files}, files.values())
        from commonground.statistics.verdict import verdict_on

        said = verdict_on(result, claims, tested=False)
        data = {**request, **with_claims(result.to_json(), claims, said)}
        show(output, "json", data=data, grids=[])
        return
    show(output, output_format, data={}, grids=result.grids(claims=claims, verdict=False))


# ── training runs ────────────────────────────────────────────────────────────────────────────────


def _runs(
    context: click.Context,
    results: Sequence[str],
    output: str,
    output_format: str,
    options: dict[str, Any],
) -> None:
    from commonground.statistics.run_claims import all_runs, read_runs

    refused = [name for name in ("resample", "method", "power") if options[name]]
    if refused:
        flag = {"method": "interval"}.get(refused[0], refused[0])
        raise UsageError(f"--{flag} has no effect on runs")
    test, *others = parts(options["tests"]) or ["welch"]
    if others:
        raise UsageError("--runs takes one test; give one")
    sources = named(results, "systems")
    given = {
        name: options[name]
        for name in ("iterations", "alternative", "correction", "confidence")
        if options[name] is not None
    }
    runs = read_runs(sources, force=options["force"])
    found = all_runs(runs, parts(options["metrics"]), test=test, seed=options["seed"], **given)
    if output_format != "json":
        show(
            output,
            output_format,
            data={},
            grids=[grid for claims in found for grid in claims.grids()],
        )
        return
    from commonground.cli.request import request_json

    files = [file for source in sources.values() for file in source.split(",")]
    request = request_json(context, {"runs": sources}, filter(os.path.isfile, files))
    tests = [test for claims in found for test in claims.tests_json()]
    data = {**request, "metrics": [claims.systems_json() for claims in found], "tests": tests}
    show(output, "json", data=data, grids=[])

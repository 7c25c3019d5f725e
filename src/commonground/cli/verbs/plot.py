"""``commonground plot``: figures for papers from saved results."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from commonground.cli.options import INPUT, run_options
from commonground.cli.output import progress, refuse_terminal
from commonground.cli.output_files import OUTPUT
from commonground.cli.significance import parts
from commonground.errors import UsageError
from commonground.report.plots.registry import plot_plugins, plots

FILES = ("svg", "pdf", "png")
_SIZE = re.compile(r"(\d{1,3}(?:\.\d+)?)x(\d{1,3}(?:\.\d+)?)")


def _listed() -> str:
    """Return the kinds of plots, a line each."""
    width = max(map(len, plots()))
    packages = {plugin.name: f" ({plugin.package})" for plugin in plot_plugins()}
    return "\n".join(
        f"  {name:{width}}  {plot.shows}{' *' if plot.again else ''}{packages.get(name, '')}"
        for name, plot in plots().items()
    )


_HELP = f"""Plot a saved result as a figure for papers.

RESULT is what evaluate, compare, agreement or test wrote with --output-format json. The figure is
SVG, PDF or PNG; it needs the extra 'plots'.

\b
Kinds of plots:
{_listed()}
(* reads the treebanks of the result again)

\b
Examples:
  commonground evaluate example:ud example:ud-parse --output-format json | \
commonground plot - --kind length -o length.svg
  commonground test --runs nl=69.21:0.58:10 it=66.44:0.29:10 --output-format json | \
commonground plot - --kind runs -o runs.pdf
"""


@click.command(help=_HELP)
@click.argument("result", metavar="RESULT", type=INPUT)
@click.option(
    "--kind",
    type=click.Choice([*plots()]),
    help="What to plot: one of the kinds above; by default how systems differ, if there are some.",
)
@click.option(
    "--metric",
    default="",
    metavar="NAME",
    help="The metric to plot; by default LAS, F1, or the first one.",
)
@click.option(
    "--systems",
    metavar="NAME,…",
    multiple=True,
    help="Plot only these systems, in this order. Can be given several times.",
)
@click.option("--title", default="", metavar="TEXT", help="A title above the plot.")
@click.option("--size", metavar="WIDTHxHEIGHT", help="The size in inches, such as 6.3x3.5.")
@click.option(
    "--draw",
    "form",
    type=click.Choice(FILES),
    help="The kind of file; by default chosen by the suffix of the output file.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=OUTPUT,
    default="-",
    help="Write the plot to FILE, completely or not at all; without it, SVG goes to standard "
    "output.",
)
@run_options("jobs", "quiet")
def command(
    result: str,
    *,
    kind: str | None,
    metric: str,
    systems: Sequence[str],
    title: str,
    size: str | None,
    form: str | None,
    output: str,
    jobs: int,
    quiet: bool,
) -> None:
    """Plot a saved result."""
    from commonground.formats.storage.files import write_bytes
    from commonground.report.plots.export import FILES as WRITERS
    from commonground.report.plots.kinds import plot

    refuse_terminal(output, "a plot", "plot.svg")
    writer = WRITERS[form or _form(output)]
    with progress("plot", quiet=quiet):
        figure = plot(
            result,
            kind or "",
            metric=metric,
            systems=parts(systems),
            title=title,
            size=_inches(size),
            jobs=jobs,
        )
        written = writer(figure)
    write_bytes(output, [written])


def _form(output: str) -> str:
    """Return the kind of file that an output is, by its suffix."""
    from commonground.formats.storage.files import unpacked

    suffix = unpacked(output).suffix
    form = suffix.removeprefix(".") or "svg"
    if form not in FILES:
        raise UsageError(f"a plot can be svg, pdf or png, not {suffix}; choose one with --draw")
    return form


def _inches(size: str | None) -> tuple[float, float] | None:
    """Return width and height."""
    if size is None:
        return None
    match = _SIZE.fullmatch(size)
    wide, high = (float(match[1]), float(match[2])) if match else (0.0, 0.0)
    if not (1 <= wide <= 100 and 1 <= high <= 100):
        raise UsageError(f"{size!r} is not a size; write WIDTHxHEIGHT in inches, such as 6.3x3.5")
    return wide, high

"""``commonground serve``: a local page to browse results and to evaluate files."""

from __future__ import annotations

import click

from commonground.cli.options import run_options


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path())
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    show_default=True,
    metavar="N",
    help="The port to listen on; 0: one that is free.",
)
@click.option(
    "--max-upload",
    type=click.IntRange(min=1),
    default=64,
    show_default=True,
    metavar="MB",
    help="The most that can be uploaded at once.",
)
@click.option("--open", "opened", is_flag=True, help="Open the page in a browser.")
@run_options("quiet")
def command(folder: str, *, port: int, max_upload: int, opened: bool, quiet: bool) -> None:
    """Browse the results in a folder on a local page.

    The page lists the saved results in DIR, shows a report of each, and takes a gold standard and
    parses of it to evaluate; these are kept in DIR/uploads. Only this computer can see it, and only
    those who know its address, which is printed. Ctrl-C ends it.

    \b
    Examples:
      commonground serve .
      commonground serve . --port 8000 --open
    """  # noqa: D301  # click's mark for lines that stay as they are
    from commonground.serve.server import serve  # noqa: PLC0415  # not for --help

    def tell(address: str) -> None:
        click.echo(address)
        if not quiet:
            click.echo(f"The results in {folder} are at this address; Ctrl-C ends it.")
        if opened:
            click.launch(address)

    serve(folder, port=port, limit=max_upload * 1_000_000, tell=tell)

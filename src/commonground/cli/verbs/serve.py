"""``commonground serve``: a local page to browse results and to evaluate files."""

from __future__ import annotations

from collections.abc import Sequence

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
    help="The port to listen on; 0: any free port.",
)
@click.option(
    "--max-upload",
    type=click.IntRange(min=1),
    default=64,
    show_default=True,
    metavar="MB",
    help="The largest upload allowed.",
)
@click.option(
    "--uploads-per-minute",
    "uploads",
    type=click.IntRange(min=0),
    default=60,
    show_default=True,
    metavar="N",
    help="The number of uploads taken in a minute.",
)
@click.option(
    "--host",
    metavar="ADDRESS",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on; one that other computers can reach needs --remote.",
)
@click.option(
    "--remote",
    is_flag=True,
    help="Let other computers in, if they know the whole address; use it behind a proxy that "
    "encrypts.",
)
@click.option(
    "--host-name",
    "names",
    metavar="HOST",
    multiple=True,
    help="Also answer to this name (of the proxy). Can be given several times.",
)
@click.option("--open", "opened", is_flag=True, help="Open the page in a browser.")
@run_options("quiet")
def command(
    folder: str,
    *,
    port: int,
    max_upload: int,
    uploads: int,
    host: str,
    remote: bool,
    names: Sequence[str],
    opened: bool,
    quiet: bool,
) -> None:
    """Browse the results in a folder on a local page.

    The page lists the saved results in DIR and shows a report of each. You can also upload a gold
    standard and parses to evaluate; they are kept in DIR/uploads. Results of errors and
    agreement can be decided about, one question at a time; decisions about NAME.json are kept in
    NAME.decisions.tsv, a sheet that apply reads. The page can be opened only on this computer, and
    only with the address that is printed, which has a new token every time. Ctrl-C stops it.

    \b
    Examples:
      commonground serve .
      commonground serve . --port 8000 --open
    """
    from commonground.serve.server import serve

    def tell(address: str) -> None:
        click.echo(address)
        if not quiet:
            click.echo(f"The results in {folder} are at this address; Ctrl-C stops the server.")
        if opened:
            click.launch(address)

    serve(
        folder,
        port=port,
        limit=max_upload * 1_000_000,
        tell=tell,
        host=host,
        remote=remote,
        names=names,
        uploads=uploads,
    )

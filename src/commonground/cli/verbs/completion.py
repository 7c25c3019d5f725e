"""``commonground completion``: what a shell needs to complete verbs, options and files."""

from __future__ import annotations

import click

from commonground.cli.options import run_options

SHELLS = ("bash", "fish", "zsh")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@run_options()
def command(shell: str) -> None:
    """Print a shell completion script.

    \b
    For every new shell, put the line of your shell into its start-up file:
      ~/.bashrc                      eval "$(commonground completion bash)"
      ~/.zshrc                       eval "$(commonground completion zsh)"
      ~/.config/fish/config.fish     commonground completion fish | source

    \b
    Examples:
      commonground completion bash
    """
    from click.shell_completion import ShellComplete, get_completion_class

    from commonground.cli import COMPLETION, commands

    completion = get_completion_class(shell)
    assert completion is not None, "click knows all of them"
    # The method of the base class: that of bash starts a bash to ask for its version.
    click.echo(ShellComplete.source(completion(commands, {}, "commonground", COMPLETION)))

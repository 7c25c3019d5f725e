"""The reference of the commands, made from the commands themselves when the site is built."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from commonground.cli import commands

_PAGE = "reference/commands.md"


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Put the help of all commands below the page that introduces them."""
    return "\n".join([markdown, *helps()]) if page.file.src_uri == _PAGE else markdown


def helps() -> Iterator[str]:
    """Return the help of each verb, and of what is below it, under headings."""
    top = click.Context(commands, info_name="commonground", max_content_width=88)
    for name in commands.list_commands(top):
        yield from _help(name, commands.get_command(top, name), top, "##")


def _help(
    name: str, command: click.Command | None, above: click.Context, mark: str
) -> Iterator[str]:
    assert command is not None, "a group has the commands that it lists"
    context = click.Context(command, info_name=name, parent=above, max_content_width=88)
    path = context.command_path.removeprefix("commonground ")
    yield f"\n{mark} {path}\n\n```text\n{command.get_help(context).replace('`' * 3, '')}\n```\n"
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            yield from _help(each, command.get_command(context, each), context, f"{mark}#")

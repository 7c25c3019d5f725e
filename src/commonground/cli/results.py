"""A result as a verb shows or saves it, with what was asked for: enough to do it again."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from commonground.cli.output import show

if TYPE_CHECKING:
    from commonground.evaluation.result import Origin, Result
    from commonground.grid import Grid

__all__ = ["show_result"]

_NO_MATTER = frozenset({"jobs", "quiet", "output", "folder"})
"""Parameters that the result does not depend on."""


def show_result(
    result: Result,
    context: click.Context,
    grids: Callable[[], Sequence[Grid]] | None = None,
    *,
    treebanks: Mapping[str, Any],
    files: Callable[[], Iterable[str]],
    **details: Any,
) -> None:
    """Show the tables of a result, its own or `grids`, or save it as JSON; it is how all verbs do.

    `treebanks` are the arguments as the verb understands them; `files` are all that were read.
    `details` are options of the JSON.
    """
    output, output_format = context.params["output"], context.params["output_format"]
    if output_format != "json":
        show(output, output_format, data={}, grids=grids() if grids else result.grids())
        return
    from commonground.evaluation.saved import document

    saved = replace(result, origin=_origin(context, treebanks, files()))
    show(output, output_format, data=document(saved, **details), grids=[])


def _origin(context: click.Context, treebanks: Mapping[str, Any], files: Iterable[str]) -> Origin:
    """Return the command that makes the result again, and the request behind it."""
    from commonground.evaluation.request import Options, Request
    from commonground.evaluation.result import Origin

    options = {name.removeprefix("--"): value for name, _, value in _given_options(context)}
    verb = " ".join(_verb(context))
    request = Request.made(files, verb=verb, options=Options.of(options), **treebanks)
    return Origin(request=request, command=_command(context))


def _command(context: click.Context) -> str:
    """Return the command line with what was given that the result depends on."""
    words = ["commonground", *_verb(context)]
    for parameter in context.command.params:
        if isinstance(parameter, click.Argument):
            value = context.params[str(parameter.name)]
            words += value if isinstance(value, tuple) else [value]
    for name, parameter, value in _given_options(context):
        words += _written(name, parameter, value)
    return shlex.join(words)


def _verb(context: click.Context) -> list[str]:
    """Return the words of the verb: two for one of a group, such as ``phenomena score``."""
    outer = context.parent
    before = _verb(outer) if outer is not None and outer.parent is not None else []
    return [*before, str(context.info_name)]


def _given_options(context: click.Context) -> Iterator[tuple[str, click.Option, Any]]:
    """Return the long name of each option that was given, the option and its value."""
    for parameter in context.command.params:
        source = context.get_parameter_source(str(parameter.name))
        if (
            isinstance(parameter, click.Option)
            and source is click.core.ParameterSource.COMMANDLINE
            and parameter.expose_value
            and parameter.name not in _NO_MATTER
        ):
            name = next(name for name in parameter.opts if name.startswith("--"))
            yield name, parameter, context.params[str(parameter.name)]


def _written(name: str, option: click.Option, value: Any) -> list[str]:
    """Return an option as it stands on the command line."""
    if option.is_flag:
        return [name if value else option.secondary_opts[0]]
    if option.multiple:
        return [word for each in value for word in (name, str(each))]
    return [name, ",".join(value) if isinstance(value, tuple) else str(value)]

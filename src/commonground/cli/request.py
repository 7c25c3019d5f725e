"""What was asked for, as a saved result tells it: enough to do it again, and to look deeper."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import click

__all__ = ["request_json"]

_NO_MATTER = frozenset({"jobs", "quiet", "output"})
"""Parameters that the result does not depend on."""


def request_json(
    context: click.Context, treebanks: Mapping[str, Any], files: Iterable[str]
) -> dict[str, Any]:
    """Return the command that makes the result again, and the request behind it, for JSON.

    `treebanks` are the arguments as the verb understands them; `files` are all that were read.
    """
    from commonground.evaluation.request import Options, Request

    options = {name.removeprefix("--"): value for name, _, value in _given_options(context)}
    verb = " ".join(_verb(context))
    request = Request.made(files, verb=verb, options=Options.of(options), **treebanks)
    return {"command": _command(context), "request": request.to_json()}


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

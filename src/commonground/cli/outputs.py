"""Files that a verb is to write: what is wrong with them is said before the work, not after it."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Container, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from commonground.errors import InputError, UsageError

__all__ = ["OUTPUT", "checked_outputs"]

Function = TypeVar("Function", bound=Callable[..., Any])

_OUTPUTS = "commonground.outputs"
"""Where the context of a command keeps the files to be written, by their options."""


class OutputPath(click.Path):
    """A file to be written."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name of the file, and note it."""
        found = super().convert(value, param, ctx)
        if ctx is not None and param is not None and found != "-":
            ctx.meta.setdefault(_OUTPUTS, {})[_flag(param)] = str(found)
        return found


OUTPUT = OutputPath()
"""A file to be written; what its name means (``-``, ``drawings/``) is the writer's business."""


def checked_outputs(function: Function) -> Function:
    """Make a verb begin only if its output files are different, no inputs, and have a folder."""

    @wraps(function)
    def checked(*arguments: Any, **options: Any) -> Any:
        context = click.get_current_context()
        if outputs := context.meta.get(_OUTPUTS):
            _refuse_one_file(outputs)
            _refuse_no_folder(outputs, made={str(value) for value in context.params.values()})
            from commonground.formats.files import refuse_inputs

            refuse_inputs((), outputs.values())
        return function(*arguments, **options)

    return checked  # type: ignore[return-value]  # it takes and returns the same


def _flag(param: click.Parameter) -> str:
    """Return how a parameter is written: ``--log``, or ``OUT``."""
    return param.opts[-1] if isinstance(param, click.Option) else str(param.metavar)


def _refuse_one_file(outputs: Mapping[str, str]) -> None:
    """Refuse to write two things to the same file; only a device takes both."""
    first: dict[Path, tuple[str, str]] = {}
    for flag in sorted(outputs, key=lambda flag: flag.startswith("-")):  # OUT before options
        path, place = outputs[flag], Path(outputs[flag]).resolve()
        if place in first and (place.is_file() or not place.exists()):
            other, name = first[place]
            raise UsageError(f"{other} and {flag} are both {name}; name two different files")
        first[place] = flag, path


def _refuse_no_folder(outputs: Mapping[str, str], *, made: Container[str]) -> None:
    """Refuse a file in a folder that is not there, unless the verb is told to make that folder."""
    for flag, path in outputs.items():
        folder, may_be_folder = Path(path).parent, path.endswith("/") or not flag.startswith("-")
        if not may_be_folder and not folder.is_dir() and str(folder) not in made:
            raise InputError(path, 0, f"cannot be written: {os.strerror(errno.ENOENT)}")

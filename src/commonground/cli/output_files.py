"""Files that a verb is to write: what is wrong with them is said before the work, not after it."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Container, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from commonground.errors import InputError, UsageError

__all__ = ["OUTPUT", "OUTPUT_OR_FOLDER", "checked_outputs"]

Function = TypeVar("Function", bound=Callable[..., Any])

_OUTPUTS = "commonground.outputs"
"""Where the context of a command keeps the files to be written."""


class Output(NamedTuple):
    """Where something is to be written, and the option or argument that says so."""

    flag: str
    path: str
    may_be_folder: bool


class OutputPath(click.Path):
    """A file to be written, or perhaps a folder of them."""

    def __init__(self, *, may_be_folder: bool = False) -> None:
        super().__init__()
        self.may_be_folder = may_be_folder

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name of the file, and note it."""
        path = super().convert(value, param, ctx)
        if ctx is not None and param is not None and path != "-":
            output = Output(_flag(param), str(path), self.may_be_folder)
            ctx.meta.setdefault(_OUTPUTS, []).append(output)
        return path


OUTPUT = OutputPath()
"""A file to be written, or ``-``."""

OUTPUT_OR_FOLDER = OutputPath(may_be_folder=True)
"""The same, or a folder into which several files are written."""


def checked_outputs(function: Function) -> Function:
    """Make a verb begin only if its output files are different, no inputs, and have a folder."""

    @wraps(function)
    def checked(*arguments: Any, **options: Any) -> Any:
        context = click.get_current_context()
        if outputs := context.meta.get(_OUTPUTS):
            _refuse_one_file(outputs)
            _refuse_no_file(outputs, made={str(value) for value in context.params.values()})
            from commonground.formats.storage.files import refuse_inputs, refuse_loop

            for output in outputs:
                refuse_loop(output.path)
            refuse_inputs((), (output.path for output in outputs))
        return function(*arguments, **options)

    return checked  # type: ignore[return-value]  # it takes and returns the same


def _flag(param: click.Parameter) -> str:
    """Return how a parameter is written: ``--log``, or ``OUT``."""
    return param.opts[-1] if isinstance(param, click.Option) else str(param.metavar)


def _refuse_one_file(outputs: Sequence[Output]) -> None:
    """Refuse to write two things to the same file; only a device takes both."""
    first: dict[Path, Output] = {}
    arguments_first = sorted(outputs, key=lambda output: output.flag.startswith("-"))
    for output in arguments_first:
        place = Path(os.path.realpath(output.path))  # a loop of links stays one
        if place in first and (place.is_file() or not place.exists()):
            names = f"{first[place].flag} and {output.flag} are both {first[place].path}"
            raise UsageError(f"{names}; name two different files")
        first[place] = output


def _refuse_no_file(outputs: Sequence[Output], *, made: Container[str]) -> None:
    """Refuse a folder, and a file in no folder, unless the verb is told to make that folder."""
    for output in outputs:
        path, wrong = Path(output.path), 0
        if path.is_dir():
            wrong = errno.EISDIR
        elif not path.parent.is_dir() and str(path.parent) not in made:
            wrong = errno.ENOENT
        if wrong and not output.may_be_folder:
            raise InputError(output.path, 0, f"cannot be written: {os.strerror(wrong)}")

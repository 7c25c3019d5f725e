"""Verbs that give a file to a system: what they are told, and how they run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from commonground.cli.options import INPUT, run_options, source_and_target
from commonground.cli.output import progress

__all__ = ["model_arguments", "rewrite"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


def model_arguments(function: _Command) -> _Command:
    """Give a command the arguments MODEL, IN and OUT, and the options that go with them."""
    decorators = [
        click.argument("model", metavar="MODEL", type=INPUT),
        *source_and_target,
        click.option(
            "--trust",
            is_flag=True,
            help="Use a system that can run code (models of Stanza before 1.10, SuPar, MaltParser, "
            "…): I trust whoever made it.",
        ),
        click.option(
            "--model-memory",
            "memory",
            type=click.FloatRange(min=0),
            metavar="GB",
            help="The memory that the arrays of a model may need; 0 is any.  "
            "[default: 2, or COMMONGROUND_MODEL_MEMORY]",
        ),
        click.option(
            "--pretokenised",
            is_flag=True,
            help="IN is plain text with a sentence per line and spaces between the words.",
        ),
        run_options("jobs", "quiet"),
    ]
    for decorator in reversed(decorators):
        function = decorator(function)
    return function


def rewrite(work: Callable[..., int], *, quiet: bool, **given: Any) -> None:
    """Give a file to a model, with a progress bar."""
    with progress("sentences", quiet=quiet) as advance:
        work(**given, watch=advance)

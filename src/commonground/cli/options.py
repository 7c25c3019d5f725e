"""What the verbs have in common on the command line."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, TypeVar

import click

from commonground.report.tables import FORMATS

__all__ = [
    "INPUT",
    "format_option",
    "output_options",
    "partial_option",
    "run_options",
]

Function = TypeVar("Function", bound=Callable[..., Any])

INPUT = click.Path()
"""A file to be read; what its name means (``-``, ``example:ud``) is the reader's business."""

format_option = click.option(
    "--format",
    "input_format",
    metavar="NAME",
    help="The format of the files; without it, their content tells.",
)

partial_option = click.option(
    "--partial", is_flag=True, help="Allow words without a head (partial trees)."
)


def output_options(function: Function) -> Function:
    """Add ``--output-format`` and ``-o``."""
    return _all(
        click.option(
            "--output-format",
            type=click.Choice(FORMATS),
            default="text",
            show_default=True,
            help="How the result is written.",
        ),
        click.option(
            "-o",
            "--output",
            metavar="FILE",
            default="-",
            help="Write the result to FILE, whole or not at all.",
        ),
    )(function)


def run_options(*used: str) -> Callable[[Function], Function]:
    """Add ``--jobs``, ``--seed`` and ``--quiet``.

    Every verb accepts them, so that scripts can give them to all alike; a verb gets, and its help
    shows, those that it has a use for.
    """
    return _all(
        *(
            click.option(
                f"--{name}", **_RUN[name], expose_value=name in used, hidden=name not in used
            )
            for name in _RUN
        )
    )


_RUN: dict[str, dict[str, Any]] = {
    "jobs": {
        "type": click.IntRange(min=0),
        "default": 1,
        "show_default": True,
        "metavar": "N",
        "help": "Work in N processes, 0: one per core. The result does not depend on it.",
    },
    "seed": {
        "type": int,
        "default": 0,
        "show_default": True,
        "metavar": "N",
        "help": "The seed of everything that is drawn at random.",
    },
    "quiet": {"is_flag": True, "help": "No progress bar and no remarks on standard error."},
}


def _all(*options: Callable[[Any], Any]) -> Callable[[Function], Function]:
    return lambda function: reduce(lambda f, option: option(f), reversed(options), function)

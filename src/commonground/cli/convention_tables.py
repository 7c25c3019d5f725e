"""``--conventions``: which wrong heads are due to another scheme, and which are errors."""

from __future__ import annotations

from collections.abc import Sequence

import click

from commonground.cli.options import (
    named,
)
from commonground.cli.results import show_result
from commonground.errors import UsageError

__all__ = ["show_conventions"]

_WITH_CONVENTIONS = frozenset(
    "gold parses conventions gold_scheme attribution input_format partial output output_format "
    "full_signature jobs seed quiet".split()
)


def show_conventions(
    context: click.Context,
    gold: str,
    parses: Sequence[str],
    gold_scheme: str,
) -> None:
    """Show what of the differences of one parse is convention."""
    from commonground.evaluation.conventions import conventions
    from commonground.formats import read

    given = (
        param.opts[0]
        for param in context.command.params
        if param.name not in _WITH_CONVENTIONS
        and context.get_parameter_source(param.name or "") is click.core.ParameterSource.COMMANDLINE
    )
    if other := next(given, None):
        raise UsageError(f"{other} has no effect with --conventions, which looks at all heads")
    if len(parses) > 1:
        raise UsageError("--conventions takes one parse; give one")
    (path,) = named(parses, "parses").values()
    options = context.params
    corpora = (
        read(each, options["input_format"], partial=options["partial"]) for each in (gold, path)
    )
    found = conventions(
        *corpora,
        gold_scheme=gold_scheme,
        attribution=options["attribution"] or "order",
        seed=options["seed"],
    )
    treebanks = {"gold": gold, "parses": named(parses, "parses")}
    show_result(found, context, treebanks=treebanks, files=lambda: [gold, path])

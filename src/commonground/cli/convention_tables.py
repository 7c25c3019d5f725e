"""``--conventions``: which wrong heads are due to another scheme, and which are errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from commonground.cli.options import (
    named,
)
from commonground.cli.results import show_result
from commonground.cli.system_parses import parses_of
from commonground.errors import UsageError

if TYPE_CHECKING:
    from commonground.corpus import Corpus
    from commonground.evaluation.result import Result

__all__ = ["show_conventions"]

_WITH_CONVENTIONS = frozenset(
    "gold parses conventions gold_scheme attribution input_format partial trust output "
    "output_format full_signature jobs seed quiet".split()
)


def show_conventions(
    context: click.Context,
    gold: str,
    parses: Sequence[str],
    gold_scheme: str,
) -> None:
    """Show what of the differences of parses is convention."""
    from commonground.evaluation.conventions import conventions
    from commonground.evaluation.conventions_by_system import conventions_by_system
    from commonground.formats import read

    given = (
        param.opts[0]
        for param in context.command.params
        if param.name not in _WITH_CONVENTIONS
        and context.get_parameter_source(param.name or "") is click.core.ParameterSource.COMMANDLINE
    )
    if other := next(given, None):
        raise UsageError(f"{other} has no effect with --conventions, which looks at all heads")
    files = named(parses, "parses")
    found = parses_of(gold, files, context, raw=False)
    options = context.params

    def corpus(path: str) -> Corpus:
        return read(path, options["input_format"], partial=options["partial"])

    wanted = {
        "gold_scheme": gold_scheme,
        "attribution": options["attribution"] or "order",
        "seed": options["seed"],
    }
    result: Result
    if len(files) == 1:
        (path,) = found.files.values()
        result = conventions(corpus(gold), corpus(path), **wanted)
    else:
        read_parses = {name: corpus(path) for name, path in found.files.items()}
        result = conventions_by_system(corpus(gold), read_parses, **wanted)
    treebanks = {"gold": gold, "parses": files, "parsed_by": found.made or None}
    read_files = [gold, *filter(found.read, found.files.values()), *found.models]
    show_result(result, context, treebanks=treebanks, files=lambda: read_files)

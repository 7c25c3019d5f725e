"""Verbs that change the trees of a treebank: IN, OUT, and what is done with each piece."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeVar

from commonground.cli.options import partial_option, source_and_target
from commonground.cli.output import progress

if TYPE_CHECKING:
    from commonground.corpus import Dependencies

__all__ = ["rewrite", "rewriting_options"]

Function = TypeVar("Function", bound=Callable[..., Any])


def rewriting_options(function: Function) -> Function:
    """Add IN and OUT and the options about them; the verb gets them by name."""
    options = (*source_and_target, partial_option)
    return reduce(lambda f, option: option(f), reversed(options), function)


def rewrite(
    change: Callable[[Iterable[Dependencies]], Iterable[Dependencies]],
    source: str,
    target: str,
    *,
    quiet: bool,
    target_format: str | None,
    **reading: Any,
) -> None:
    """Read dependencies, change them, and write them, piece by piece, with a progress bar.

    Standard output is CoNLL-U unless another format is named; the files of a folder go into
    another one.
    """
    from commonground.formats.rewriting import rewrite_dependencies
    from commonground.formats.storage.folders import pairs_of, room_for

    silent = quiet or (target == "-" and sys.stdout.isatty())
    with progress("sentences", quiet=silent) as advance:
        for file, made in pairs_of(source, target, target_format):
            if made != target:
                room_for(made)
            options = {"target_format": target_format, "watch": advance, **reading}
            rewrite_dependencies(change, file, made, **options)
